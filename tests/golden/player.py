"""Plays a table from its opening to the end of a round or three, by what is due and what is offered.

Every choice comes from the play's own seed: what is due is done, and between that whatever else is open,
tried in vain, or looked at. No choice rests on a word that people read.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, TypeVar

from houseway.law.problems import RefusedError
from houseway.rng import SeededEntropy
from houseway.rounds.codec import plain, read_action
from houseway.rounds.live import LiveTable, new_table
from houseway.rounds.options import Option, offers, options_of
from houseway.rounds.roles import STEP_ROLES, Role
from houseway.rounds.state import IN_ROUND, CardOrigin, Phase, Table, changed
from houseway.rounds.step import Actor
from houseway.rounds.views import view
from tests.golden.attempts import AT, ATTEMPTS, DECK, FILED, PLAIN, SETTING, UNHEARD_OF
from tests.golden.decks import arrange
from tests.golden.forms import fill
from tests.golden.notes import Notes, digest, digest_of, refusal
from tests.golden.variants import variants

T = TypeVar("T")
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
MANNERS: Sequence[tuple[float, float]] = ((0.05, 0.6), (0.2, 0.5), (0.4, 0.4), (0.3, 0.8))
"""How people play: how often something else than what is due, and how often that is something in vain."""
SELDOM = frozenset(
    {
        "adopt_rules",
        "change_dealing",
        "close_table",
        "direct_shuffle",
        "idle_spread",
        "leave",
        "log_off",
        "receive_deck",
        "record_notice",
        "recut",
        "remove_deck",
        "shoe_fault",
        "shuffler_fault",
        "stop_round",
    }
)
"""What is open nearly always, and would leave no round whole if it were done as often as the rest."""
LIKELY: Mapping[Phase, Sequence[str]] = {
    Phase.CLOSED: ("receive_deck", "log_on", "store_proof", "sit", "set_shuffler"),
    Phase.OPENING: ("inspect_deck", "spread_deck", "shuffle", "cut", "recut", "open_table", "tear_joker"),
    Phase.IDLE: ("swap_decks", "swap_decks", "receive_deck", "resume", "sit"),
    Phase.BETTING: (
        "wager",
        "correct_wager",
        "bet_behind",
        "decline_cut",
        "cut",
        "recut",
        "coin_in",
        "remove_progressive",
        "rule_count",
        "change_dealing",
        "adopt_rules",
        "idle_spread",
        "shuffler_fault",
        "turn_key",
    ),
    Phase.STARTING: (
        "count_progressive",
        "rule_count",
        "uncover",
        "shake",
        "announce_total",
        "cover_shaker",
        "draw_early",
        "boxed_card",
        "deal",
        "place_lammers",
        "recut",
        "direct_shuffle",
    ),
    Phase.DEALING: (
        "deal",
        "deal",
        "boxed_card",
        "draw_early",
        "expose_card",
        "shoe_fault",
        "count_stub",
        "count_hands",
        "choose_hand",
        "choose_pile",
    ),
    Phase.SETTING: (
        "set",
        "ask_help",
        "show_player_way",
        "exit_display",
        "expose_card",
        "choose_hand",
        "double_down",
        "leave",
        "count_hands",
        "rule_abandoned",
    ),
    Phase.DEALER: ("set_dealer", "set_dealer", "surrender", "enter_hand", "correct_entry", "reset_dealer"),
    Phase.SETTLING: (
        "reveal",
        "settle",
        "surrender",
        "count_surrendered",
        "enter_hand",
        "correct_entry",
        "reopen_entry",
        "reset_dealer",
        "reset_bank",
        "press_hand",
        "acknowledge_claim",
        "verify_jackpot",
        "press_jpot",
        "pay_jackpot",
        "print_win",
        "verify_win",
        "document_win",
        "adjust_meter",
    ),
}
"""What goes otherwise than it is due in a phase, or wrong."""
TURNS = 400
STUCK = 10
"""So many times in a phase nothing can be done, then a play is over."""
ODD_HANDED = (Phase.STARTING, Phase.DEALING, Phase.SETTING, Phase.DEALER)
"""The phases in which few things are done: what goes wrong in them must be likely to."""
FLOOR = (Actor("Flo", Role.FLOORPERSON), Actor("Sue", Role.MANAGER))
DEALERS = ("Dora", "Dirk", "Dina")
BEHIND = ("Zoe", "Yan")


class Player:
    """One table, everybody at it, and what is written down of the play."""

    def __init__(self, game: str, number: int) -> None:
        tables = variants(game)
        self.seed = f"{game}/{number}"
        self.variant = sorted(tables)[number % len(tables)]
        self.chance = random.Random(self.seed)
        chosen = tables[self.variant]
        rules = chosen.rules(game)
        table = new_table(rules, chosen.source, automated=chosen.automated)
        self.live = LiveTable(rules, SeededEntropy(self.seed), NOON, table)
        self.notes = Notes()
        self.oddly, self.vainly = self.chance.choice(MANNERS)
        self.rounds = 1 if self.chance.random() < 0.85 else self.chance.randint(2, 3)
        self.rare = self.chance.random() < 0.6
        self.tries = self.stuck = 0
        self.gathered: int | None = None
        self.ways: tuple[tuple[int, Phase] | None, set[str]] = (None, set())
        self.done: dict[str, int] = {}
        self.refused: dict[str, int] = {}

    def play(self) -> Player:
        """Play until the rounds are over, or nothing more can be done."""
        live = self.live
        if self.chance.random() < 0.9:
            self.attempt(Actor("Dora", Role.DEALER), {"step": "log_on", "training": "on file"})
        turns = 0
        while live.table.rounds < self.rounds and turns < TURNS and self.stuck < STUCK:
            turns += 1
            rounds, phase = live.table.rounds, live.table.phase
            if self.chance.random() < self.oddly:
                self.something_else()
            else:
                self.go_on()
            self.stuck = self.stuck if phase == live.table.phase else 0
            if live.table.rounds != rounds or (phase != live.table.phase and self.chance.random() < 0.2):
                self.look()
        self.look()
        self.sweep()
        return self

    # --- doing ---------------------------------------------------------------------------------------

    def attempt(self, by: Actor, action: Mapping[str, Any]) -> bool:
        """Do something, or be refused; write either down. Return whether it was done."""
        live, step = self.live, str(action.get("step"))
        self.tries += 1
        entry = {"by": [by.role.value, by.id], "do": dict(action)}
        shuffles = step == "shuffle" or "preshuffled" in action
        seed = f"{self.seed}/{self.tries}"
        loaded = shuffles and self.rare and self.chance.random() < 0.8
        live.entropy = arrange(live.rules, self.chance, seed) if loaded else SeededEntropy(seed)
        live.vault.entropy = live.entropy
        try:
            events = live.carry_out(live.command(by, read_action(action, live.rules)))
        except RefusedError as error:
            problems = error.problems
            self.refused[step] = self.refused.get(step, 0) + 1
            self.notes.add(lambda words: {**entry, "refused": refusal(problems, words)})
            return False
        for event in events:
            self.done[event.step] = self.done.get(event.step, 0) + 1
        self.notes.add(lambda words: {**entry, "events": [words.of_event(event) for event in events]})
        return True

    def go_on(self) -> None:
        """Do what is due, people coming and betting before that; where nothing is, somebody finds a way."""
        table = self.live.table
        if table.phase is Phase.BETTING and self.gathered != table.rounds:
            self.gathered = table.rounds
            self.gather()
        if table.round.stopped is not None:
            ruling = self.chance.choice(["play on", "play on", "void", "foul loses"])
            self.attempt(self.pick(FLOOR), {"step": "rule_round", "ruling": ruling, "reason": "as seen"})
            return
        if self.chance.random() < 0.15 and self.take(self.due_options()):
            return
        apart = self.apart(table)
        if apart and self.chance.random() < 0.3 and self.take(self.options_for(self.pick(apart))):
            return
        if table.phase in ODD_HANDED and self.chance.random() < 0.12:
            self.likely()
            return
        several = 1 if self.chance.random() < 0.75 else 5
        lawful = list(islice(self.live.moves(), several))
        if lawful:
            chosen = self.pick(lawful)
            self.attempt(chosen.by, plain(chosen.action))
        else:
            self.stuck += 1
            self.way_out()

    def apart(self, table: Table) -> Sequence[str]:
        """Return steps that only few tables ever come to, where this one has."""
        if table.failed:
            return "sign_out_of_order", "sign_out_of_order", "repair", "change_dealing"
        if table.phase is Phase.IDLE:
            return "swap_decks", "swap_decks", "resume", "log_off"
        if table.source is CardOrigin.TYPED and table.phase in (Phase.DEALER, Phase.SETTLING):
            return "enter_hand", "enter_hand", "correct_entry", "reopen_entry", "confirm_entry"
        if table.phase in IN_ROUND and len(table.round.hands) == 1:
            return "expose_card", "choose_hand", "choose_hand", "leave", "rule_abandoned"
        if table.phase is Phase.BETTING and not table.round.hands and self.chance.random() < 0.3:
            return "idle_spread", "idle_spread", "log_off", "shuffler_fault", "record_notice"
        return ()

    def take(self, options: Sequence[tuple[Actor, Option]]) -> bool:
        """Take one of some options, its form filled in by chance."""
        if not options:
            return False
        by, option = self.pick(options)
        action = fill(option, self.chance, self.setting(option.step, option.position))
        if option.step == "adopt_rules":
            action["submission"] = self.other_rules()
        return self.attempt(by, action)

    def something_else(self) -> None:
        """Do something that is not due: open or in vain; or look, or let time pass."""
        roll = self.chance.random()
        if roll < 0.03:
            self.time_passes()
        elif roll < 0.06:
            self.look()
        elif roll < 0.1:
            self.sweep()
        elif roll < 0.1 + 0.5 * self.vainly:
            self.in_vain()
        elif roll < 0.1 + 0.9 * self.vainly:
            self.likely()
        else:
            self.take(self.open_options())

    def time_passes(self) -> None:
        """Let decks and dice grow old."""
        minutes = self.chance.choice([1, 20, 120, 300])
        self.live.now += timedelta(minutes=minutes)
        self.notes.add(lambda _: {"minutes": minutes})

    # --- who, where, with what -------------------------------------------------------------------------

    def pick(self, among: Sequence[T]) -> T:
        """Choose one of several."""
        return among[self.chance.randrange(len(among))]

    def somebody(
        self, role: Role, position: int | None = None, person: str | None = None, step: str = ""
    ) -> Actor:
        """Return somebody in a role, at a position if it is a player's."""
        table = self.live.table
        if role is Role.PLAYER:
            if step == "bet_behind":
                return Actor(self.pick(BEHIND), role)
            seat, hand = table.seats.get(position or 0), table.round.hands.get(position or 0)
            sits = hand.person if hand else seat.person if seat else None
            return Actor(person or sits or self.pick(self.newcomers()), role)
        if role is Role.DEALER:
            return Actor(person or table.dealer or "Dirk", role)
        return next((one for one in FLOOR if one.role is role), Actor(role.value, role))

    def newcomers(self) -> list[str]:
        """Return the names of people who might come."""
        return [f"P{self.live.table.arrivals}", *BEHIND]

    def positions(self) -> list[int]:
        """Return positions worth trying: those with hands, with people, and any."""
        table = self.live.table
        return [*sorted(table.round.hands), *sorted(table.seats), *range(1, 8)]

    def cards(self, step: str, position: int | None) -> list[str]:
        """Return the cards that somebody would set: those of the hand, or any that nobody has."""
        table = self.live.table
        hand = table.round.hands.get(position or 0)
        cards = hand.cards if hand and step in ("set", "look") else ()
        if step in ("set_dealer", "reset_bank") or (not hand and position == table.dealer_at):
            cards = table.round.dealer_cards
        if cards:
            return [str(card) for card in cards]
        typed = [card for _, parts in sorted(table.round.typed.items()) for part in parts for card in part]
        used = {*typed, *table.round.dealer_cards}
        used |= {card for hand in table.round.hands.values() for card in hand.cards}
        left = [str(card) for card in self.live.rules.game.cards().cards if card not in used]
        self.chance.shuffle(left)
        return left[: self.live.rules.game.hand_cards]

    def setting(self, step: str, position: int | None) -> list[list[str]] | None:
        """Return some setting of the cards: by rank, highest pairs behind, or any at all."""
        if step not in ("set", "set_dealer", "reset_bank", "enter_hand", "correct_entry"):
            return None
        cards = self.cards(step, position)
        ranks = "23456789TJQKA"
        if self.chance.random() < 0.75:
            known = [card[0] for card in cards]
            cards.sort(key=lambda card: (card == "Jk", known.count(card[0]), ranks.find(card[0]), card))
            cards.reverse()
        parts, taken = [], 0
        for size in self.live.rules.game.split:
            parts.append(cards[taken : taken + size])
            taken += size
        return parts

    # --- what is open ----------------------------------------------------------------------------------

    def options(self) -> Iterator[tuple[Actor, Option]]:
        """Yield what is open now and to whom, in an order of its own."""
        live = self.live
        offered = offers(live.rules, live.table, live.moment)
        among = [one for one in offered if one.option.open]
        among.sort(key=lambda one: (one.option.step, one.option.position or 0, one.option.deck or ""))
        for one in among:
            role = self.pick(sorted(one.roles))
            by = self.somebody(role, one.option.position, one.person, one.option.step)
            yield by, one.option

    def open_options(self) -> list[tuple[Actor, Option]]:
        """Return what is open besides what is due; some of it seldom."""
        return [
            (by, option)
            for by, option in self.options()
            if option.step not in SELDOM or self.chance.random() < 0.12
        ]

    def due_options(self) -> list[tuple[Actor, Option]]:
        """Return what is open and due."""
        return [(by, option) for by, option in self.options() if option.due]

    def options_for(self, step: str, position: int | None = None) -> list[tuple[Actor, Option]]:
        """Return the open options of one step, at one position or anywhere."""
        return [
            (by, option)
            for by, option in self.options()
            if option.step == step and position in (None, option.position)
        ]

    # --- before the cards ------------------------------------------------------------------------------

    def gather(self) -> None:
        """Let people sit down, one of them bank where players do, and most of them bet."""
        table = self.live.table
        for _ in range(self.chance.choice([1, 1, 2, 3, 4, 5])):
            if len(table.seats) < 6:
                self.take(self.options_for("sit"))
        for _ in range(8 if "accept_bank" in self.live.rules.procedure else 0):
            banking = self.live.table.banking
            if banking.seat is not None and banking.rounds < 2:
                self.take(self.options_for("put_up"))
                break
            answers = ["accept_bank", "accept_bank", "decline_bank"]
            _ = self.take(self.options_for(self.pick(answers))) or self.take(self.options_for("offer_bank"))
        seats = sorted(self.live.table.seats)
        for at in seats:
            if at != self.live.table.banking.seat and self.chance.random() < 0.85:
                self.take(self.options_for("wager", at))
        if "bet_behind" in self.live.rules.procedure and self.chance.random() < 0.3:
            self.take(self.options_for("bet_behind"))

    # --- what is tried in vain ---------------------------------------------------------------------------

    def resolve(self, fields: Mapping[str, Any], step: str) -> dict[str, Any]:
        """Return an attempt with the positions, decks and cards of this table."""
        table = self.live.table
        at = self.pick(self.positions())
        decks = [*sorted(table.decks), "A", "Z"]
        named = {AT: lambda: at, DECK: lambda: self.pick(decks), FILED: self.other_rules}
        named[SETTING] = lambda: self.setting(step, at) or [["As"], ["Kd"]]
        action: dict[str, Any] = {"step": step}
        for name, value in fields.items():
            resolve = named.get(value) if isinstance(value, str) else None
            action[name] = (
                resolve()
                if resolve
                else [at if one == AT else one for one in value]
                if (isinstance(value, list))
                else value
            )
        return action

    def other_rules(self) -> dict[str, Any]:
        """Return the table's submission with something changed."""
        filed: dict[str, Any] = plain(self.live.rules.submission)
        filed["reference"] = f"{filed['reference']}x"[:40]
        if self.chance.random() < 0.7 and "collection_schedule" in filed:
            filed["collection_schedule"] = self.chance.choice([20, 27, 40, 43])
        elif self.chance.random() < 0.6 and "max" in filed["wagers"]["main"]:
            filed["wagers"]["main"]["max"] = 45_000
        return filed

    def in_vain(self) -> None:
        """Try some step in some way, by somebody whose part it is or anybody else's."""
        procedure = sorted(self.live.rules.procedure)
        anywhere = [*sorted(ATTEMPTS), *UNHEARD_OF]
        step = self.pick(procedure if self.chance.random() < 0.95 else anywhere)
        if step in SELDOM and self.chance.random() < 0.8:
            step = self.pick(procedure)
        action = self.resolve(self.pick(ATTEMPTS.get(step, (PLAIN,))), step)
        if self.chance.random() < 0.12:
            self.spoil(action)
        self.attempt(self.taker(step, action), action)

    def likely(self) -> None:
        """Let something go otherwise than it is due, or wrong, as it may in this phase."""
        known = [step for step in LIKELY[self.live.table.phase] if step in self.live.rules.procedure]
        if known:
            step = self.pick(known)
            action = self.resolve(self.pick(ATTEMPTS[step]), step)
            at = action.get("position", self.live.table.dealer_at)
            role = self.pick(sorted(STEP_ROLES[step]))
            self.attempt(self.somebody(role, at, step=step), action)

    def spoil(self, action: dict[str, Any]) -> None:
        """Leave a field out, add an unknown one, or give one a value of another kind."""
        names = sorted(set(action) - {"step"})
        how = self.chance.randrange(3)
        if how == 0 or not names:
            action["colour"] = "red"
        elif how == 1:
            del action[self.pick(names)]
        else:
            action[self.pick(names)] = self.pick([None, 3.5, [[]], {"x": 1}, "", True, -1])

    def taker(self, step: str, action: Mapping[str, Any]) -> Actor:
        """Return who tries a step: whose part it is, mostly."""
        at = action.get("position")
        position = at if isinstance(at, int) else self.live.table.banking.seat
        may = sorted(STEP_ROLES.get(step, ()))
        role = self.pick(may) if may and self.chance.random() < 0.85 else self.pick(sorted(Role))
        if role is Role.DEALER and step in ("relieve", "log_on"):
            return Actor(self.pick(DEALERS), role)
        by = self.somebody(role, position, step=step if self.chance.random() < 0.7 else "")
        return by if self.chance.random() < 0.93 else Actor("Nobody", role)

    # --- where nothing is due ----------------------------------------------------------------------------

    def way_out(self) -> bool:
        """Do what somebody has to do of his own accord where nothing is due; return whether it was done."""
        self.gathered = None
        moment = (self.live.table.rounds, self.live.table.phase)
        self.ways = self.ways if self.ways[0] == moment else (moment, set())
        for _ in range(3):
            if self.take(self.due_options()):
                return True
        for by, action in list(self.ways_out()):
            way = str(sorted(action.items()))
            stands = way not in self.ways[1] and self.verdict(by, action)
            if stands == () and self.attempt(by, action):
                self.ways[1].add(way)
                return True
        return any(self.take(self.open_options()) for _ in range(6))

    def ways_out(self) -> Iterator[tuple[Actor, dict[str, Any]]]:
        """Yield what has to be done of one's own accord, as far as the game has it."""
        procedure = self.live.rules.procedure
        for by, step, fields in self._ways_out():
            if step in procedure:
                yield by, {"step": step, **fields}

    def _ways_out(self) -> Iterator[tuple[Actor, str, dict[str, Any]]]:
        table, floor, dealer = self.live.table, FLOOR[0], self.somebody(Role.DEALER)
        this_round = table.round
        yield dealer, "log_on", {"training": "on file"}
        yield dealer, "resume", {}
        yield dealer, "shake", {"times": 3}
        for at, hand in sorted(this_round.hands.items()):
            yield floor, "rule_abandoned", {"position": at, "lost": False, "reason": "comes back"}
            for part in self.live.rules.game.parts:
                yield dealer, "reveal", {"position": at, "parts": [part.name]}
            if "progressive" in hand.made:
                yield dealer, "press_hand", {"position": at, "hand": hand.made["progressive"]}
            if table.phase is Phase.SETTING:
                yield dealer, "set", {"position": at, "setting": self.setting("set", at)}
                yield dealer, "set", {"position": at}
        if table.source is CardOrigin.TYPED and table.phase in IN_ROUND:
            yield from self._typed(dealer)
        size = self.live.rules.game.hand_cards
        yield dealer, "count_stub", {"left": self.live.rules.game.stub - this_round.boxed}
        yield dealer, "count_hands", {"counts": {str(at): size for at in range(1, 8)}}
        for name, deck in sorted(table.decks.items()):
            if deck.cutter is not None:
                by = self.somebody(Role.PLAYER, deck.cutter)
                yield by, "cut", {"deck": name, "depth": 20, "position": deck.cutter}
            yield dealer, "cut", {"deck": name, "depth": 20}
        for device in ("shuffler", "shoe"):
            yield dealer, "sign_out_of_order", {"device": device, "how": "sign"}
            yield floor, "repair", {"device": device}
        if table.phase is Phase.STARTING:
            yield dealer, "place_dice", {}
        if table.phase in (Phase.BETTING, Phase.OPENING, Phase.IDLE):
            yield dealer, "receive_deck", {"deck": f"D{len(table.decks)}"}
            for name in sorted(table.decks):
                yield floor, "remove_deck", {"deck": name, "reason": "too old"}

    def _typed(self, dealer: Actor) -> Iterator[tuple[Actor, str, dict[str, Any]]]:
        for at in sorted({self.live.table.dealer_at, *self.live.table.round.hands}):
            yield dealer, "confirm_entry", {"position": at}
            for _ in range(2):
                setting = self.setting("enter_hand", at)
                yield dealer, "enter_hand", {"position": at, "setting": setting}

    # --- looking -------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Write down what is offered to whom, and how the table stands and is shown."""
        live = self.live
        offered = offers(live.rules, live.table, live.moment)
        self.notes.add(lambda words: {"offers": [words.of_offer(one) for one in offered]})
        viewers = [self.somebody(role) for role in sorted(Role) if role is not Role.PLAYER]
        viewers += [self.somebody(Role.PLAYER, at) for at in sorted(live.table.seats)[:2]]
        parts = {
            f"{by.role.value} {by.id}": digest(
                [[o.step, o.position, o.deck] for o in options_of(offered, by)]
            )
            for by in viewers
        }
        self.notes.add(lambda _: {"offered": parts})
        shown = self.pick(viewers)
        self.notes.stand(
            table=digest_of(changed(live.table, law="")),
            meters=digest_of(live.meters),
            view=[shown.role.value, digest_of(view(live.rules, live.table, shown, live.moment))],
        )

    def sweep(self) -> None:
        """Ask of every step of the game what stands against it now, without taking it."""
        live, verdicts = self.live, []
        for step in sorted(live.rules.procedure):
            action = self.resolve(self.pick(ATTEMPTS.get(step, (PLAIN,))), step)
            by = self.taker(step, action)
            verdicts.append((by, action, self.verdict(by, action)))
        self.notes.add(
            lambda words: {
                "asks": [
                    {"by": [by.role.value, by.id], "do": action, "against": refusal(problems, words)}
                    for by, action, problems in verdicts
                ]
            }
        )

    def verdict(self, by: Actor, action: Mapping[str, Any]) -> Any:
        """Return what stands against an action."""
        try:
            return self.live.verify(by, read_action(action, self.live.rules))
        except RefusedError as error:
            return error.problems

"""One table and everybody at it: who may do what with which values, and what is written down of it.

Every choice comes from the sitting's own seed, and none rests on a word that people read.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from houseway.law.problems import RefusedError
from houseway.rng import SeededEntropy
from houseway.rounds.codec import plain, read_action
from houseway.rounds.live import LiveTable, new_table
from houseway.rounds.options import Option, offers, options_of
from houseway.rounds.roles import Role
from houseway.rounds.state import changed
from houseway.rounds.step import Actor
from houseway.rounds.steps import STEPS
from houseway.rounds.views import view
from tests.golden.attempts import AT, ATTEMPTS, DECK, FILED, PLAIN, SETTING
from tests.golden.decks import arrange
from tests.golden.forms import fill
from tests.golden.habits import SELDOM
from tests.golden.notes import Notes, digest, digest_of, refusal
from tests.golden.variants import variants

T = TypeVar("T")
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
FLOOR = (Actor("Flo", Role.FLOORPERSON), Actor("Sue", Role.MANAGER))
DEALERS = ("Dora", "Dirk", "Dina")
BEHIND = ("Zoe", "Yan")


class Sitting:
    """One table, its people and its notes."""

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
        self.rare = False
        """Whether shuffles are to come out with rare hands."""
        self.tries = 0
        self.done: dict[str, int] = {}
        self.refused: dict[str, int] = {}

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

    def take(self, options: Sequence[tuple[Actor, Option]]) -> bool:
        """Take one of some options, its form filled in by chance."""
        if not options:
            return False
        by, option = self.pick(options)
        action = fill(option, self.chance, self.setting(option.step, option.position))
        if option.step == "adopt_rules":
            action["submission"] = self.other_rules()
        return self.attempt(by, action)

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
        return next((actor for actor in FLOOR if actor.role is role), Actor(role.value, role))

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
        among = [offer for offer in offered if offer.option.open]
        among.sort(key=lambda offer: (offer.option.step, offer.option.position or 0, offer.option.deck or ""))
        for offer in among:
            role = self.pick(sorted(offer.roles))
            by = self.somebody(role, offer.option.position, offer.person, offer.option.step)
            yield by, offer.option

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

    # --- what may be tried -------------------------------------------------------------------------------

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
                else [at if item == AT else item for item in value]
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
        may = sorted(STEPS[step].roles) if step in STEPS else []
        role = self.pick(may) if may and self.chance.random() < 0.85 else self.pick(sorted(Role))
        if role is Role.DEALER and step in ("relieve", "log_on"):
            return Actor(self.pick(DEALERS), role)
        by = self.somebody(role, position, step=step if self.chance.random() < 0.7 else "")
        return by if self.chance.random() < 0.93 else Actor("Nobody", role)

    # --- looking -------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Write down what is offered to whom, and how the table stands and is shown."""
        live = self.live
        offered = offers(live.rules, live.table, live.moment)
        self.notes.add(lambda words: {"offers": [words.of_offer(offer) for offer in offered]})
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

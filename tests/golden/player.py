"""Plays a table from its opening to the end of a round or three, by what is due and what is offered.

What is due is done, and between that whatever else is open, tried in vain, or looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import islice
from typing import Any

from houseway.rounds.codec import plain
from houseway.rounds.marks import DeckMark
from houseway.rounds.roles import Role
from houseway.rounds.state import IN_ROUND, CardOrigin, Phase, Place, Table
from houseway.rounds.step import Actor
from houseway.rounds.steps import STEPS
from tests.golden.attempts import ATTEMPTS, PLAIN, UNHEARD_OF
from tests.golden.habits import LIKELY, MANNERS, ODD_HANDED, SELDOM
from tests.golden.sitting import FLOOR, Sitting

TURNS = 400
STUCK = 10
"""So many times in a phase nothing can be done, then a play is over."""


class Player(Sitting):
    """Plays a sitting from its beginning to its end."""

    def __init__(self, game: str, number: int) -> None:
        super().__init__(game, number)
        self.oddly, self.vainly = self.chance.choice(MANNERS)
        self.rounds = 1 if self.chance.random() < 0.85 else self.chance.randint(2, 3)
        self.rare = self.chance.random() < 0.6
        self.stuck = 0
        self.gathered: int | None = None
        self.ways: tuple[tuple[int, Phase] | None, set[str]] = (None, set())

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
        often = 1.0 if table.phase is Phase.IDLE else 0.4
        if apart and self.chance.random() < often and self.take(self.options_for(self.pick(apart))):
            return
        if table.phase is Phase.IDLE and self.swap_decks(table):
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
            return self.apart_while_idle(table)
        if table.source is CardOrigin.TYPED and table.phase in (Phase.DEALER, Phase.SETTLING):
            return "enter_hand", "enter_hand", "correct_entry", "reopen_entry", "confirm_entry"
        if table.phase in IN_ROUND and len(table.round.hands) == 1:
            return "expose_card", "choose_hand", "choose_hand", "leave", "rule_abandoned"
        if table.phase is Phase.BETTING and not table.round.hands and self.chance.random() < 0.3:
            devices = "shuffler_fault" if len(table.decks) < 2 else "idle_spread"
            return "idle_spread", "idle_spread", "log_off", devices, "record_notice"
        return ()

    def swap_decks(self, table: Table) -> bool:
        """Have a stacked deck take the place of the one in the shuffler, which was kept safe there."""
        stacked = [deck.name for deck in table.decks.values() if deck.has(DeckMark.STACKED)]
        swap = {"step": "swap_decks", "deck": stacked[0], "secure": True} if stacked else {}
        return bool(stacked) and self.attempt(self.somebody(Role.DEALER), swap)

    @staticmethod
    def apart_while_idle(table: Table) -> Sequence[str]:
        """Return what brings spread cards back into a shuffler before they are washed, as far as it is."""
        decks = [deck for deck in table.decks.values() if deck.place is Place.TABLE]
        if any(deck.has(DeckMark.STACKED) for deck in decks):
            return "swap_decks", "resume"
        if any(deck.has(DeckMark.VIEWED) for deck in decks):
            return "stack", "stack", "turn_down"
        return "sit", "view_spread", "view_spread", "resume", "log_off"

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
            role = self.pick(sorted(STEPS[step].roles))
            self.attempt(self.somebody(role, at, step=step), action)

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

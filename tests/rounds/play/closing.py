"""A driver that brings any table to the end of its round and says nothing but what is true of it.

It does what is due, and where nothing is, what somebody has to do of their own accord. What a ruling, a
choice or a lamp comes to the program cannot know: chance decides it once for each thing, and then it is so.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from houseway.ranking import Setting
from houseway.rng import SeededEntropy
from houseway.rounds.chance import Vault
from houseway.rounds.deciding import act
from houseway.rounds.live import LiveTable, due_moves
from houseway.rounds.marks import HandMark
from houseway.rounds.replay import meters_after, rules_after
from houseway.rounds.roles import Role
from houseway.rounds.state import IN_ROUND, CardOrigin, Hand, Phase
from houseway.rounds.step import Actor, AnEvent, Command, Proposal
from tests.rounds.commands import as_action
from tests.rounds.play.moves import dealer
from tests.rounds.play.true_acts import WHY, cards_at, cards_left, chips_wagered, set_by_the_house
from tests.rounds.table import FLOOR, SHUFFLER, Snapshot, snapshot

LONGEST = 250
"""So many acts are enough to end any round."""
PATIENCE = 60
"""So long players wait for a round to begin that they have bet on."""
OLD = timedelta(hours=4)
"""So long a deck dealt by hand is used; a house may change one from a shoe as early."""
NOT_TO_END = ("sit", "idle_spread", "direct_shuffle", "close_table", "adopt_rules")
READ = {
    "uncover": "dice",
    "shake_cup": "dice",
    "shake_dice": "dice",
    "draw_number": "number",
    "press_start": "number",
}
"""What is read off dice and displays where they are real, by step."""


class Truth:
    """What is so at a table and nobody told the program: lamps, chips, real cards, and how people decide."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._hands: dict[tuple[int, int], Setting] = {}

    def chance(self, what: object) -> random.Random:
        """Return chance that comes out the same whenever the same thing is asked."""
        return random.Random(f"{self.seed} {what}")

    def happens(self, what: object, share: float) -> bool:
        """Whether something is so that is so in a share of all cases."""
        return self.chance(what).random() < share

    def lit(self, table: Snapshot, at: int) -> bool:
        """Whether the lamp of a position is lit."""
        return not self.happens(("dark", table.rounds, at), 0.3)

    def chips(self, table: Snapshot) -> tuple[int, ...]:
        """Return the positions where a progressive wager is booked and no chip lies."""
        booked = [hand.position for hand in table.round.active() if hand.amount("progressive")]
        return tuple(at for at in booked if self.happens(("no chip", table.rounds, at), 0.1))

    def hand(self, table: Snapshot, at: int) -> Setting:
        """Return the real cards that lie at a position, as they were set."""
        key = table.rounds, at
        if key not in self._hands:
            self._hands[key] = self._set(table, at)
        return self._hands[key]

    def _set(self, table: Snapshot, at: int) -> Setting:
        order = list(table.rules.game.cards().cards)
        self.chance(("cards", table.rounds)).shuffle(order)
        size = table.rules.game.hand_cards
        first = (at - 1) * size
        return set_by_the_house(table, tuple(order[first : first + size]))


class Ahead(LiveTable):
    """A table that goes on from where another stands, and leaves that one as it is."""

    def __init__(self, live: LiveTable, seed: str) -> None:
        entropy = SeededEntropy(seed)
        super().__init__(live.rules, entropy, live.now, live.table, dict(live.meters))
        self.vault = Vault(entropy, live.vault.sealed)
        self.done: list[str] = []

    def carry_out(self, command: Command) -> tuple[AnEvent, ...]:
        """Carry a command out; no record is kept of the round."""
        events, table = act(self.rules, self.table, command, self.moment)
        self.table, self.rules = table, rules_after(self.rules, events)
        self.meters.update(meters_after(self.meters, events))
        self.done += [f"{event.step}{event.position or ''}" for event in events]
        return events


class DeadEndError(AssertionError):
    """No round is ended from here by anything that is true."""


def is_over(live: LiveTable, number: int) -> bool:
    """Whether a round has ended, or was never begun and has no wager left."""
    table = live.table
    return table.rounds > number or (table.phase not in IN_ROUND and not table.round.hands)


def close(live: LiveTable, truth: Truth) -> Iterator[LiveTable]:
    """Take a table to the end of its round; yield it after each act."""
    number = live.table.rounds
    for acts in range(LONGEST):
        if is_over(live, number):
            return
        ways = true_ways(live, truth) if acts < PATIENCE else patience_lost(live, truth)
        proposal = next((way for way in ways if live.may(way)), None)
        if proposal is None:
            raise DeadEndError(where_it_stands(live))
        live.do(proposal.by, proposal.action)
        yield live
    raise DeadEndError(f"no end: {where_it_stands(live)}")


def where_it_stands(live: LiveTable) -> str:
    """Say where a table stands."""
    table, done = live.table, getattr(live, "done", [])
    hands = {at: [*sorted(map(str, hand.marks)), str(hand.status)] for at, hand in table.round.hands.items()}
    due = {
        move.step: [str(problem.reason) for problem in live.verify(move.by, move.action) if problem.blocks]
        for move in due_moves(live.rules, table)
    }
    return (
        f"{table.phase}, {live.rules.game.id} {live.rules.way}, {sorted(table.round.marks)}, {hands},"
        f" stopped {table.round.stopped}, after {done[-12:]}; due {due}"
    )


# --- what can be done ---------------------------------------------------------------------------------


def true_ways(live: LiveTable, truth: Truth) -> Iterator[Proposal]:
    """Yield what somebody could do towards the end of the round, what comes first first."""
    table = snapshot(live)
    yield from _rulings(table, truth)
    yield from _wrong_entries(table, truth)
    for proposal in due_moves(table.rules, table.state):
        if proposal.step not in NOT_TO_END:
            yield from _truly(table, proposal, truth)
    yield from _of_their_own_accord(table, truth)
    yield from _to_be_made_ready(table, live.now)


def patience_lost(live: LiveTable, truth: Truth) -> Iterator[Proposal]:
    """Yield what can be done when players have waited too long for a round to begin."""
    yield from _wagers_back(snapshot(live))
    yield from true_ways(live, truth)


def step_of_game(
    table: Snapshot, step: str, by: Actor, at: int | None = None, **details: Any
) -> Iterator[Proposal]:
    """Yield a step, if the game has it."""
    if step in table.rules.game.procedure:
        yield Proposal(by, as_action(step, at, details, table.rules))


def _truly(table: Snapshot, proposal: Proposal, truth: Truth) -> Iterator[Proposal]:
    """Yield what is due as it is truly said."""
    step, at, by = proposal.step, proposal.position, proposal.by
    if step == "verify_light":
        yield from step_of_game(table, step, by, at, lit=truth.lit(table, at or 0))
    elif step in ("count_progressive", "remove_progressive"):
        missing = truth.chips(table)
        yield from step_of_game(table, step, by, chips=chips_wagered(table) - len(missing))
        if missing:
            yield from step_of_game(table, "rule_count", FLOOR, without=missing, **WHY)
    elif step in READ and table.source is not CardOrigin.VIRTUAL_DECK:
        chance = truth.chance((step, table.seq))
        seen_there = {"dice": tuple(chance.randint(1, 6) for _ in range(3)), "number": chance.randint(1, 7)}
        yield from step_of_game(table, step, by, at, **{READ[step]: seen_there[READ[step]]})
        yield proposal
    elif step == "enter_hand":
        yield from step_of_game(table, step, by, at, setting=truth.hand(table, at or table.dealer_at))
    elif step == "count_stub":
        left = cards_left(table) if table.source is not CardOrigin.TYPED else table.rules.game.stub
        yield from step_of_game(table, step, by, left=left)
        yield proposal
    elif step == "choose_hand":
        choice = "void" if truth.happens(("void hand", at), 0.5) else "play"
        yield from step_of_game(table, step, by, at, choice=choice)
        yield proposal
    else:
        yield proposal


def _rulings(table: Snapshot, truth: Truth) -> Iterator[Proposal]:
    """Yield what the floor rules where a ruling is waited for."""
    if table.round.stopped:
        rulings = ["play on", "foul loses", "void"]
        truth.chance(("ruling", table.seq)).shuffle(rulings)
        for ruling in rulings:
            yield from step_of_game(table, "rule_round", FLOOR, ruling=ruling, **WHY)
    for at, hand in table.round.hands.items():
        if hand.has("left") and not hand.has("ruled"):
            lost = truth.happens(("lost", table.rounds, at), 0.5)
            yield from step_of_game(table, "rule_abandoned", FLOOR, at, lost=lost, **WHY)
            yield from step_of_game(table, "rule_abandoned", FLOOR, at, lost=not lost, **WHY)
        if hand.has("unlit"):
            placed = truth.happens(("placed", table.rounds, at), 0.5)
            yield from step_of_game(table, "rule_light", FLOOR, at, placed=placed, **WHY)
            yield from step_of_game(table, "rule_light", FLOOR, at, placed=not placed, **WHY)


def _wrong_entries(table: Snapshot, truth: Truth) -> Iterator[Proposal]:
    """Yield how cards that were typed in wrongly are put right."""
    if table.source is CardOrigin.VIRTUAL_DECK or table.phase not in (Phase.DEALER, Phase.SETTLING):
        return
    for at, typed in table.round.typed.items():
        right = truth.hand(table, at)
        if _cards(typed) != _cards(right):
            yield from step_of_game(table, "correct_entry", dealer(table), at, setting=right, **WHY)
    wrong = table.round.dealer_cards and set(table.round.dealer_cards) != _cards(
        truth.hand(table, table.dealer_at)
    )
    for at in (table.dealer_at, *table.round.hands) if wrong else ():
        yield from step_of_game(table, "reopen_entry", FLOOR, at, **WHY)
    for at, hand in table.round.hands.items():
        if hand.cards and set(hand.cards) != _cards(truth.hand(table, at)):
            yield from step_of_game(table, "reopen_entry", FLOOR, at, **WHY)


def _cards(setting: Setting) -> set[Any]:
    return {card for part in setting for card in part}


def _of_their_own_accord(table: Snapshot, truth: Truth) -> Iterator[Proposal]:
    """Yield what nobody is reminded of and somebody does nonetheless."""
    if table.dealer is None:
        yield from step_of_game(table, "log_on", Actor("Dirk", Role.DEALER), training="on file")
    by = dealer(table)
    if table.round.has("stub_wrong"):
        yield from step_of_game(table, "count_hands", by, counts=cards_at(table))
    for hand in table.round.playing():
        yield from _with_a_hand(table, hand, by)
    yield from step_of_game(table, "shake", by, times=3)
    yield from _by_the_bank(table, truth)
    yield from _devices(table, by)


def _with_a_hand(table: Snapshot, hand: Hand, by: Actor) -> Iterator[Proposal]:
    at, own = hand.position, Actor(hand.person, Role.PLAYER)
    setting: Mapping[str, Any] = {"setting": set_by_the_house(table, hand.cards)} if hand.cards else {}
    if not hand.has(HandMark.PLACED):
        yield from step_of_game(table, "look", own, at)
        yield from step_of_game(table, "set", own, at, **setting)
        yield from step_of_game(table, "set", by, at, **setting)
    if hand.shown:
        for part in table.rules.game.parts:
            if part.name not in hand.shown:
                yield from step_of_game(table, "reveal", by, at, parts=(part.name,))
    line = hand.made.get("progressive")
    if hand.has(HandMark.PROGRESSIVE_SHARE) and hand.claim != line and line is not None:
        yield from step_of_game(table, "press_hand", by, at, hand=line)
    if hand.claim is not None and hand.claim != line:
        yield from step_of_game(table, "press_hand", by, at, hand=hand.claim)
    yield from step_of_game(table, "exit_display", by)


def _by_the_bank(table: Snapshot, truth: Truth) -> Iterator[Proposal]:
    seat = table.seats.get(table.banking.seat or 0)
    if seat is not None:
        faces = tuple(truth.chance(("dice", table.seq)).randint(1, 6) for _ in range(3))
        banker = Actor(seat.person, Role.PLAYER)
        yield from step_of_game(table, "shake_dice", banker, table.banking.seat)
        yield from step_of_game(table, "shake_dice", banker, table.banking.seat, dice=faces)
    offered = table.seats.get(table.banking.offering or 0)
    if offered is not None:
        yield from step_of_game(
            table, "decline_bank", Actor(offered.person, Role.PLAYER), table.banking.offering
        )
    yield from (
        step_of_game(table, "choose_pile", Actor(seat.person, Role.PLAYER), None, pile=1) if seat else ()
    )


def _devices(table: Snapshot, by: Actor) -> Iterator[Proposal]:
    for device in sorted(table.failed):
        yield from step_of_game(table, "sign_out_of_order", by, device=device, how="sign")
        yield from step_of_game(table, "repair", FLOOR, device=device)


def _to_be_made_ready(table: Snapshot, now: datetime) -> Iterator[Proposal]:
    """Yield how a table is made ready again for a round that was bet on, or the wagers are taken back."""
    by = dealer(table)
    if table.phase is Phase.STARTING:
        yield from step_of_game(table, "place_dice", by)
    for name, deck in table.decks.items():
        if deck.has("stacked") and not deck.has("loaded"):
            by_device: dict[str, Any] = {"method": "automated", "device": "shuffler"}
            yield from step_of_game(table, "shuffle", SHUFFLER, deck=name, **by_device)
        if deck.has("recut"):
            cutter = table.seats.get(deck.cutter or 0)
            if cutter is not None:
                yield from step_of_game(
                    table, "cut", Actor(cutter.person, Role.PLAYER), deck.cutter, deck=name, depth=20
                )
            yield from step_of_game(table, "cut", by, deck=name, depth=20)
    if table.phase not in IN_ROUND:
        yield from step_of_game(table, "resume", by)
        there = [deck for deck in table.decks.values() if not deck.has("removed")]
        for deck in there:
            if now - deck.received >= OLD:
                yield from step_of_game(table, "remove_deck", FLOOR, deck=deck.name, reason="too old")
        if not there:
            yield from step_of_game(table, "receive_deck", by, deck=f"D{len(table.decks)}")
        yield from _wagers_back(table)


def _wagers_back(table: Snapshot) -> Iterator[Proposal]:
    """Yield how a round that is not begun ends: the players take their wagers back."""
    if table.phase not in IN_ROUND:
        for at in table.round.hands:
            if at in table.seats:
                own = Actor(table.seats[at].person, Role.PLAYER)
                yield from step_of_game(table, "wager", own, at, wagers={})
                yield from step_of_game(table, "leave", own, at)

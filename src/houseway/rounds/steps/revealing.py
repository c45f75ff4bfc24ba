"""Hands opened in order and their result announced; surrender before that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from houseway.games import Rules
from houseway.rounds.actions import Action, CountSurrendered, OnHand, Reveal, StopRound, Surrender
from houseway.rounds.marks import HandMark, RoundMark, TableMark
from houseway.rounds.outcomes import Paid, Revealed
from houseway.rounds.state import Phase, Table
from houseway.rounds.step import AnyStep, CitedOutcome, Event, Guard, Proposal, Situation, Step
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    hand_has_not,
    hand_of,
    is_playing,
    marks_hand,
    moot,
    round_has,
    sense,
)
from houseway.rounds.steps.money import area_at, cited, paid, round_of
from houseway.rounds.steps.payments import pay_wager
from houseway.rounds.steps.turns import due, next_of_hand, next_open, turn, uncollected
from houseway.settlement import Status
from houseway.settlement.bank import race_or_wait
from houseway.settlement.house import run_race
from houseway.settlement.model import MAIN

_PLAYED, _VOID = Status.PLAYED, Status.VOID
SETTLING: Final = (Phase.SETTLING,)
WORDS: Final[Mapping[str, str]] = MappingProxyType({"win": "win", "lose": "lose", "push": "tie"})
"""What the dealer says of a result."""


# --- opened -------------------------------------------------------------------------------------------


def _in_turn(s: Situation, action: Reveal) -> bool:
    """Whether nothing but racking is left to do with the hands before this one."""
    hand = turn(s.rules, s.table) if s.rules.banked else next_open(s.rules, s.table)
    return hand is not None and hand.position == action.position


def _earlier_settled(s: Situation, action: Reveal) -> bool:
    """Every hand opened before has had its main wager settled."""
    for hand in s.round.hands.values():
        opened = hand.shown and hand.status is not _VOID
        if opened and MAIN not in hand.settled and hand.position != action.position:
            return False
    return True


def _earlier_closed(s: Situation, action: Reveal) -> bool:
    """Every hand opened before has had all its wagers settled together."""
    for hand in s.round.playing():
        if hand.shown and hand.position != action.position and due(s.rules, hand):
            return False
    return True


def _known(s: Situation, action: Reveal) -> bool:
    hand = hand_of(s, action)
    return bool(hand.cards) and (hand.setting is not None or hand.status is not _PLAYED)


def _right_parts(s: Situation, action: Reveal) -> bool:
    left = s.rules.ranking().all_parts - hand_of(s, action).shown
    return bool(left) and left.issuperset(action.parts)


def _revealed(s: Situation, action: Reveal) -> Revealed | CitedOutcome[Revealed]:
    """Open a hand's parts; when the last lies open the race is decided and announced."""
    hand, every = hand_of(s, action), s.rules.ranking().all_parts
    shown = hand.shown.union(action.parts) if action.parts else every
    if shown != every:
        return Revealed(shown=shown)
    made = round_of(s, hand)
    (area,) = made.areas
    race = race_or_wait(made, area) if s.rules.banked else run_race(made, area)
    if race is None:
        return Revealed(shown=shown, foul=True)
    return CitedOutcome(Revealed(shown=shown, race=race, announced=WORDS[race.result]), race.clauses)


def _reveal(table: Table, event: Event[Reveal, Revealed]) -> Table:
    hand, done = table.round.hands[event.action.position], event.outcome
    if done.announced is None:
        marks = hand.marks | {HandMark.FOUL} if done.foul else hand.marks
        return table.with_hand(hand.position, shown=done.shown, marks=marks)
    marks = hand.marks | {HandMark.ANNOUNCED}
    return table.with_hand(hand.position, shown=done.shown, race=done.race, marks=marks)


def _stops_on_foul(_: Situation, event: Event[Reveal, Revealed]) -> Sequence[Action]:
    """Where no clause says what a foul costs, the floor rules."""
    return [StopRound(f"the hand at {event.action.position} is foul")] if event.outcome.foul else ()


# --- surrendered --------------------------------------------------------------------------------------


def _own(s: Situation, action: OnHand) -> bool:
    return hand_of(s, action).person == s.by.id


def _no_optional(s: Situation, action: Surrender) -> bool:
    return not any(amount for wager, amount in hand_of(s, action).wagers.items() if wager != MAIN)


def _surrendered(s: Situation, action: Surrender) -> CitedOutcome[Paid]:
    after = s.with_table(s.table.with_hand(action.position, status=Status.SURRENDERED))
    payments, _ = pay_wager(round_of(after), area_at(after, action.position), MAIN, None, [])
    return cited(Paid(payments=tuple(payments)))


def _surrender(table: Table, event: Event[Surrender, Paid]) -> Table:
    hand = table.round.hands[event.action.position]
    return paid(table, event).with_hand(
        hand.position,
        status=Status.SURRENDERED,
        settled=frozenset({MAIN}),
        marks=(hand.marks - {HandMark.CHOOSING}) | {HandMark.ANNOUNCED},
    )


def _counted_right(s: Situation, action: CountSurrendered) -> bool:
    return action.cards == s.rules.game.hand_cards


def _collected(s: Situation, action: OnHand) -> bool:
    """Whether no surrendered cards are to be collected at once, unless it is they that are."""
    waiting = {hand.position for hand in uncollected(s.rules, s.table)}
    return not waiting or action.position in waiting


COLLECTED: Final[Guard[OnHand]] = Guard("collected", "surrendered cards are collected first", _collected)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_count(rules: Rules, table: Table) -> Iterable[Proposal]:
    for hand in table.round.playing():
        if hand.status is Status.SURRENDERED and not hand.has(HandMark.COUNTED):
            yield Proposal(dealer_of(table), CountSurrendered(hand.position, rules.game.hand_cards))


def _suggest_reveal(rules: Rules, table: Table) -> Iterable[Proposal]:
    hand = turn(rules, table)
    if hand and hand.status is Status.PLAYED and not hand.has(HandMark.ANNOUNCED) and hand.cards:
        yield Proposal(dealer_of(table), Reveal(hand.position))


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=Surrender,
        phases=(Phase.SETTING, Phase.DEALER, Phase.SETTLING),
        guards=(
            sense("only the player of the hand", _own),
            always("seated", "the player has left the table", hand_has_not(HandMark.LEFT)),
            always("after_dealer", "after the dealer's hands are set", round_has(RoundMark.DEALER_SET)),
            always("alone", "not beside an optional wager", _no_optional),
            always(
                "before_reveal",
                "before any of that player's hands is exposed",
                lambda s, action: not hand_of(s, action).shown,
            ),
            moot("the hand is not in play", is_playing),
        ),
        outcome=_surrendered,
        evolve=_surrender,
    ),
    Step(
        action=CountSurrendered,
        phases=SETTLING,
        guards=(
            moot(
                "the hand is not surrendered",
                lambda s, action: hand_of(s, action).status is Status.SURRENDERED,
            ),
            always("right", "the surrendered cards are counted face down", _counted_right, "cards"),
        ),
        evolve=marks_hand(HandMark.COUNTED),
        suggest=_suggest_count,
    ),
    Step(
        action=Reveal,
        phases=SETTLING,
        guards=(
            moot("the hand is not in play", is_playing),
            sense("the exposed hand is first played or voided", hand_has_not(HandMark.CHOOSING)),
            COLLECTED,
            always("in_order", "another hand comes first in the law's order", _in_turn),
            Guard(
                "earlier_settled", "a main wager is settled before the next hand is opened", _earlier_settled
            ),
            Guard(
                "earlier_closed", "a hand's wagers are all settled before the next is opened", _earlier_closed
            ),
            sense("the cards are entered and confirmed first", _known),
            Guard("key", "the key stands at RUN first", lambda s, _: not s.table.has(TableMark.KEY_JPH)),
            sense("no such part, or it lies open", _right_parts),
        ),
        outcome=_revealed,
        evolve=_reveal,
        consequences=_stops_on_foul,
        automatic_next=next_of_hand,
        suggest=_suggest_reveal,
    ),
)

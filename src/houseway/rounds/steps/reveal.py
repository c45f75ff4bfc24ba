"""Hands opened in order, and their result announced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from types import MappingProxyType
from typing import Annotated, Final

from houseway.games import Rules
from houseway.ranking import Race
from houseway.rounds.action import Action, OnHand
from houseway.rounds.annotations import Ask, Shown
from houseway.rounds.asks import Asks, FieldRule
from houseway.rounds.marks import HandMark, TableMark
from houseway.rounds.outcomes import Outcome
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Hand, Table
from houseway.rounds.step import AnyStep, CitedOutcome, Event, Guard, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import always, dealer_of, hand_has_not, hand_of, is_playing, moot, sense
from houseway.rounds.steps.money import round_of
from houseway.rounds.steps.ruling import StopRound
from houseway.rounds.steps.turns import (
    COLLECTED,
    SETTLING,
    due,
    in_turn,
    is_next_open,
    next_of_hand,
    turn,
)
from houseway.settlement import Status
from houseway.settlement.bank import race_or_wait
from houseway.settlement.house import run_race
from houseway.settlement.model import MAIN


class Reveal(OnHand, frozen=True, tag="reveal"):
    """A hand is opened, whole or part by part."""

    parts: Annotated[tuple[str, ...], Ask("Parts")] = ()


class Revealed(Outcome, frozen=True, tag="revealed", kw_only=True):
    """The parts that lie open; with the last of them the race and what the dealer says."""

    shown: Annotated[frozenset[str], Shown("shown")]
    race: Race | None = None
    announced: Annotated[str | None, Shown("announced")] = None
    foul: Annotated[bool, Shown("foul")] = False


_PLAYED: Final = Status.PLAYED
WORDS: Final[Mapping[str, str]] = MappingProxyType({"win": "win", "lose": "lose", "push": "tie"})
"""What the dealer says of a result."""


# --- opened -------------------------------------------------------------------------------------------


def _in_turn(s: Situation, action: Reveal) -> bool:
    return is_next_open(s.rules, s.table, action.position)


def _earlier_settled(s: Situation, action: Reveal) -> bool:
    """Every hand opened before has had its main wager settled."""
    return all(MAIN in hand.settled for hand in _before(s, action) if hand.shown)


def _earlier_closed(s: Situation, action: Reveal) -> bool:
    """Every hand opened before has had all its wagers settled together."""
    return not any(due(s.rules, hand) for hand in _before(s, action) if hand.shown)


def _before(s: Situation, action: Reveal) -> list[Hand]:
    """Return the hands before one in order: those behind it lie open only if it was typed in wrongly."""
    return list(takewhile(lambda hand: hand.position != action.position, in_turn(s.rules, s.table)))


def _known(s: Situation, action: Reveal) -> bool:
    hand = hand_of(s, action)
    return bool(hand.cards) and (hand.setting is not None or hand.status is not _PLAYED)


def _right_parts(s: Situation, action: Reveal) -> bool:
    left = s.rules.ranking().all_parts - hand_of(s, action).shown
    return bool(left) and left.issuperset(action.parts)


def _decide_reveal(s: Situation, action: Reveal) -> Revealed | CitedOutcome[Revealed]:
    """Open a hand's parts; when the last lies open the race is decided and announced."""
    hand, every = hand_of(s, action), s.rules.ranking().all_parts
    shown = hand.shown.union(action.parts) if action.parts else every
    if shown != every:
        return Revealed(shown=shown)
    showdown = round_of(s, hand)
    (area,) = showdown.areas
    race = race_or_wait(showdown, area) if s.rules.banked else run_race(showdown, area)
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


def _stop_on_foul(_: Situation, event: Event[Reveal, Revealed]) -> Sequence[Action]:
    """Where no clause says what a foul costs, the floor rules."""
    return [StopRound(f"the hand at {event.action.position} is foul")] if event.outcome.foul else ()


# --- what is due --------------------------------------------------------------------------------------


def _suggest_reveal(rules: Rules, table: Table) -> Iterable[Proposal]:
    hand = turn(rules, table)
    if hand and hand.status is Status.PLAYED and not hand.has(HandMark.ANNOUNCED) and hand.cards:
        yield Proposal(dealer_of(table), Reveal(hand.position))


# --- what its fields take -----------------------------------------------------------------------------


def _asks_parts(rules: Rules, _: Table, __: int) -> Asks:
    return {"parts": FieldRule(rules.ranking().part_names)}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=Reveal,
        stage=Stage.SETTLE,
        by=(Role.DEALER,),
        phases=SETTLING,
        words=Words(
            "Open the hand",
            done="Open",
            follows=(
                "The opened parts can be seen, and when all lie open the result is announced or "
                "a foul goes to the floor."
            ),
        ),
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
        outcome=_decide_reveal,
        evolve=_reveal,
        consequences=_stop_on_foul,
        automatic_next=next_of_hand,
        suggest=_suggest_reveal,
        asks=_asks_parts,
        followed=True,
    ),
)

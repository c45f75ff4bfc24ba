"""The light of a progressive position: looked at before a win is paid, and ruled on where it is not lit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.rounds.action import OnHand
from houseway.rounds.annotations import Ask
from houseway.rounds.asks import MUST
from houseway.rounds.marks import HandMark
from houseway.rounds.outcomes import Paid
from houseway.rounds.roles import FLOOR, Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Table
from houseway.rounds.step import AnyStep, CitedOutcome, Event, Guard, Panel, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    given,
    hand_has,
    hand_has_not,
    hand_of,
    moot,
    sense,
)
from houseway.rounds.steps.money import cite_payments
from houseway.rounds.steps.progressive import take_out_unplaced, unbook
from houseway.rounds.steps.turns import SETTLING, turn
from houseway.settlement.model import PROGRESSIVE


class VerifyLight(OnHand, frozen=True, tag="verify_light"):
    """The dealer looks whether the light of the position is lit."""

    lit: Annotated[bool, Ask("The light is lit")]


class RuleLight(OnHand, frozen=True, tag="rule_light"):
    """The floor rules whether a progressive wager without its light was placed."""

    placed: Annotated[bool, Ask("The wager was placed")]
    reason: Annotated[str, Ask("Reason")]


LIGHT_FIRST: Final = "the dealer verifies the light first, and the floor rules on one that is not lit"
_READING: Final = "progressive_light"
_LEADS_TO: Final = frozenset(
    {
        HandMark.PROGRESSIVE_WIN,
        HandMark.PROGRESSIVE_SHARE,
        HandMark.WIN_VERIFIED,
        HandMark.LIGHT,
        HandMark.VALIDATED,
    }
)
"""What is marked on a hand because of its progressive wager: without the wager it is no win."""


# --- looked at ----------------------------------------------------------------------------------------


def _lit(_: Situation, action: VerifyLight) -> bool:
    return action.lit


def _unsettled(s: Situation, action: VerifyLight) -> bool:
    return PROGRESSIVE not in hand_of(s, action).settled


def _note_light(table: Table, event: Event[VerifyLight, None]) -> Table:
    """Keep what the light showed: one that is not lit undoes what was validated as if it were."""
    hand = table.round.hands[event.action.position]
    if event.action.lit:
        return table.mark_hand(hand.position, HandMark.LIGHT)
    marks = (hand.marks - {HandMark.LIGHT, HandMark.VALIDATED}) | {HandMark.UNLIT}
    return table.with_hand(hand.position, marks=marks)


# --- ruled on -----------------------------------------------------------------------------------------


def _waits_for_ruling(s: Situation, action: RuleLight) -> bool:
    hand = hand_of(s, action)
    return hand.has(HandMark.UNLIT) and not hand.has(HandMark.LIGHT) and bool(hand.amount(PROGRESSIVE))


def _may_stand(s: Situation, action: RuleLight) -> bool:
    return not action.placed or s.rules.readings.get(_READING) != "no_light_no_wager"


def _may_be_none(s: Situation, action: RuleLight) -> bool:
    return action.placed or s.rules.readings.get(_READING) != "counted_wager_stands"


def _decide_ruling(s: Situation, action: RuleLight) -> CitedOutcome[Paid]:
    """A wager that was not placed is given back, and its part comes out of the meter again."""
    if action.placed:
        return cite_payments(Paid())
    return cite_payments(unbook(s, (action.position,), "its light was not lit"))


def _rule(table: Table, event: Event[RuleLight, Paid]) -> Table:
    at = event.action.position
    if event.action.placed:
        return table.mark_hand(at, HandMark.LIGHT)
    table = take_out_unplaced(table, event, (at,))
    hand = table.round.hands[at]
    lines = {wager: line for wager, line in hand.made.items() if wager != PROGRESSIVE}
    return table.with_hand(at, made=lines, marks=hand.marks - _LEADS_TO)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_light(rules: Rules, table: Table) -> Iterable[Proposal]:
    hand = turn(rules, table)
    if hand is None or PROGRESSIVE in hand.settled or hand.has(HandMark.UNLIT):
        return
    if hand.has(HandMark.WIN_VERIFIED) and not hand.has(HandMark.LIGHT):
        yield Proposal(dealer_of(table), VerifyLight(hand.position, lit=True))


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=VerifyLight,
        stage=Stage.SETTLE,
        by=(Role.DEALER, Role.SENSOR),
        phases=SETTLING,
        words=Words(
            "Verify the light",
            follows=(
                "It is on record whether the light of the position is lit, and the floor rules on a "
                "light that is not."
            ),
        ),
        guards=(
            moot("no progressive win", hand_has(HandMark.PROGRESSIVE_WIN)),
            moot("the wager is settled already", _unsettled),
            moot("the light is not lit: the floor rules on it", hand_has_not(HandMark.UNLIT)),
            Guard("after_win", "the dealer verifies the winning hand first", hand_has(HandMark.WIN_VERIFIED)),
            Guard(
                "lit",
                "the light of that position is not lit: the floor is called",
                _lit,
                sense=True,
                warns=True,
                about=("lit",),
            ),
        ),
        evolve=_note_light,
        suggest=_suggest_light,
    ),
    Step(
        action=RuleLight,
        by=FLOOR,
        phases=SETTLING,
        exceptional=True,
        words=Words(
            "Rule on the light",
            follows=(
                "A wager that was placed can be paid once the payout is validated, and one that was "
                "not goes back to the player and out of the meter."
            ),
        ),
        guards=(
            moot("no light waits for a ruling", _waits_for_ruling),
            always(
                "stands",
                "by the submission's reading no wager stands without its light",
                _may_stand,
                "placed",
            ),
            always(
                "none", "by the submission's reading a wager that was counted stands", _may_be_none, "placed"
            ),
            sense("the reason is put on record", lambda _, action: given(action.reason), "reason"),
        ),
        outcome=_decide_ruling,
        evolve=_rule,
        asks=lambda *_: {"placed": MUST},
        panels=(Panel.RULINGS,),
        foretold=True,
    ),
)

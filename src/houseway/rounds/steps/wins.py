"""A progressive win: the hand and the payout verified, and the papers of a share of the meter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.rounds.action import OnHand
from houseway.rounds.annotations import Ask
from houseway.rounds.marks import HandMark
from houseway.rounds.roles import FLOOR, Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Hand, Table
from houseway.rounds.step import AnyStep, Guard, Panel, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import (
    FLOORPERSON,
    always,
    dealer_of,
    given,
    hand_has,
    hand_has_not,
    hand_of,
    marks_hand,
    moot,
    sense,
)
from houseway.rounds.steps.light import LIGHT_FIRST
from houseway.rounds.steps.progressive import asks_lines
from houseway.rounds.steps.turns import SETTLING, papers_due, turn
from houseway.settlement.model import PROGRESSIVE


class VerifyWin(OnHand, frozen=True, tag="verify_win"):
    """The dealer verifies a progressive win."""

    hand: Annotated[str, Ask("Hand")]


class ValidateWin(OnHand, frozen=True, tag="validate_win"):
    """A floorperson validates the payout."""


class ReviewRoyal(OnHand, frozen=True, tag="review_royal"):
    """A floorperson reviews a royal flush that is one by a reading only, before it is paid."""


class DocumentWin(OnHand, frozen=True, tag="document_win"):
    """The papers of a share of the meter are complete."""

    reference: Annotated[str, Ask("Reference")]


def _evaluator_agrees(s: Situation, action: VerifyWin) -> bool:
    return hand_of(s, action).made.get(PROGRESSIVE) == action.hand


def _referenced(_: Situation, action: DocumentWin) -> bool:
    return given(action.reference)


def _document_due(s: Situation, action: OnHand) -> bool:
    return papers_due(hand_of(s, action))


def _suggest_verify(rules: Rules, table: Table) -> Iterable[Proposal]:
    hand = turn(rules, table)
    if hand is None or not hand.has(HandMark.PROGRESSIVE_WIN) or PROGRESSIVE in hand.settled:
        return
    if not hand.has(HandMark.WIN_VERIFIED):
        yield Proposal(dealer_of(table), VerifyWin(hand.position, hand.made[PROGRESSIVE]))


def _suggest_validate(rules: Rules, table: Table) -> Iterable[Proposal]:
    hand = turn(rules, table)
    if hand is None or PROGRESSIVE in hand.settled:
        return
    if hand.has(HandMark.LIGHT) and not hand.has(HandMark.VALIDATED):
        yield Proposal(FLOORPERSON, ValidateWin(hand.position))


def _unreviewed(hand: Hand) -> bool:
    return hand.has(HandMark.JOKER_ROYAL) and not hand.has(HandMark.REVIEWED)


def _suggest_review(_: Rules, table: Table) -> Iterable[Proposal]:
    for hand in table.round.playing():
        if _unreviewed(hand) and not hand.has(HandMark.RACKED):
            yield Proposal(FLOORPERSON, ReviewRoyal(hand.position))


def _suggest_document(_: Rules, table: Table) -> Iterable[Proposal]:
    for hand in table.round.playing():
        if papers_due(hand):
            yield Proposal(FLOORPERSON, DocumentWin(hand.position, "hand pay"))


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=VerifyWin,
        stage=Stage.SETTLE,
        by=(Role.DEALER,),
        phases=SETTLING,
        words=Words(
            "Verify the win",
            follows="It is on record that the cards make the winning hand.",
        ),
        guards=(
            moot("no progressive win", hand_has(HandMark.PROGRESSIVE_WIN)),
            moot("the win is verified already", hand_has_not(HandMark.WIN_VERIFIED)),
            always(
                "agrees", "the hand is not what the dealer says: the payment waits", _evaluator_agrees, "hand"
            ),
        ),
        evolve=marks_hand(HandMark.WIN_VERIFIED),
        suggest=_suggest_verify,
        asks=asks_lines,
    ),
    Step(
        action=ValidateWin,
        stage=Stage.SETTLE,
        by=FLOOR,
        phases=SETTLING,
        words=Words(
            "Validate the payout",
            follows="The payout has a floorperson's approval and can be made once the other checks are done.",
        ),
        guards=(
            moot("no progressive win", hand_has(HandMark.PROGRESSIVE_WIN)),
            moot("the payout is validated already", hand_has_not(HandMark.VALIDATED)),
            Guard("after_win", "the dealer verifies the winning hand first", hand_has(HandMark.WIN_VERIFIED)),
            Guard("after_light", LIGHT_FIRST, hand_has(HandMark.LIGHT)),
        ),
        evolve=marks_hand(HandMark.VALIDATED),
        suggest=_suggest_validate,
        panels=(Panel.JACKPOT,),
    ),
    Step(
        action=ReviewRoyal,
        stage=Stage.SETTLE,
        by=FLOOR,
        phases=SETTLING,
        words=Words(
            "Review the joker royal",
            follows="The floor has seen the royal flush that the joker completes, and it can be paid.",
        ),
        guards=(
            moot("no royal flush waits for its review", lambda s, action: _unreviewed(hand_of(s, action))),
        ),
        evolve=marks_hand(HandMark.REVIEWED),
        suggest=_suggest_review,
        panels=(Panel.JACKPOT,),
    ),
    Step(
        action=DocumentWin,
        stage=Stage.SETTLE,
        by=FLOOR,
        phases=SETTLING,
        words=Words(
            "Complete the papers",
            follows="The papers of the payout are complete and no longer keep the hand from the rack.",
        ),
        guards=(
            moot("no award of this hand waits for its papers", _document_due),
            sense("the reference of the papers is put on record", _referenced, "reference"),
        ),
        evolve=marks_hand(HandMark.DOCUMENTED),
        suggest=_suggest_document,
        panels=(Panel.JACKPOT,),
    ),
)

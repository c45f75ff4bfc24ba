"""A progressive win: the hand, the light and the payout verified, and the papers of a share of the meter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from houseway.games import Rules
from houseway.rounds.actions import DocumentWin, OnHand, ReviewRoyal, ValidateWin, VerifyLight, VerifyWin
from houseway.rounds.marks import HandMark
from houseway.rounds.state import Hand, Table
from houseway.rounds.step import AnyStep, Guard, Proposal, Situation, Step
from houseway.rounds.steps.common import (
    FLOORPERSON,
    always,
    dealer_of,
    hand_has,
    hand_of,
    marks_hand,
    moot,
)
from houseway.rounds.steps.revealing import SETTLING
from houseway.rounds.steps.turns import papers_due, turn
from houseway.settlement.model import PROGRESSIVE


def _evaluator_agrees(s: Situation, action: VerifyWin) -> bool:
    return hand_of(s, action).made.get(PROGRESSIVE) == action.hand


def _lit(_: Situation, action: VerifyLight) -> bool:
    return action.lit


def _document_due(s: Situation, action: OnHand) -> bool:
    return papers_due(hand_of(s, action))


def _suggest_verify(rules: Rules, table: Table) -> Iterable[Proposal]:
    hand = turn(rules, table)
    if hand is None or not hand.has(HandMark.PROGRESSIVE_WIN) or PROGRESSIVE in hand.settled:
        return
    if not hand.has(HandMark.WIN_VERIFIED):
        yield Proposal(dealer_of(table), VerifyWin(hand.position, hand.made[PROGRESSIVE]))


def _suggest_light(rules: Rules, table: Table) -> Iterable[Proposal]:
    hand = turn(rules, table)
    if hand is None or PROGRESSIVE in hand.settled:
        return
    if hand.has(HandMark.WIN_VERIFIED) and not hand.has(HandMark.LIGHT):
        yield Proposal(dealer_of(table), VerifyLight(hand.position, lit=True))


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
        phases=SETTLING,
        guards=(
            moot("no progressive win", hand_has(HandMark.PROGRESSIVE_WIN)),
            always(
                "agrees", "the hand is not what the dealer says: the payment waits", _evaluator_agrees, "hand"
            ),
        ),
        evolve=marks_hand(HandMark.WIN_VERIFIED),
        suggest=_suggest_verify,
    ),
    Step(
        action=VerifyLight,
        phases=SETTLING,
        guards=(
            moot("no progressive win", hand_has(HandMark.PROGRESSIVE_WIN)),
            always("lit", "the light of that position is not lit: the floor is called", _lit, "lit"),
        ),
        evolve=marks_hand(HandMark.LIGHT),
        suggest=_suggest_light,
    ),
    Step(
        action=ValidateWin,
        phases=SETTLING,
        guards=(
            moot("no progressive win", hand_has(HandMark.PROGRESSIVE_WIN)),
            Guard("after_win", "the dealer verifies the winning hand first", hand_has(HandMark.WIN_VERIFIED)),
            Guard("after_light", "the dealer verifies the lit light first", hand_has(HandMark.LIGHT)),
        ),
        evolve=marks_hand(HandMark.VALIDATED),
        suggest=_suggest_validate,
    ),
    Step(
        action=ReviewRoyal,
        phases=SETTLING,
        guards=(
            moot("no royal flush waits for its review", lambda s, action: _unreviewed(hand_of(s, action))),
        ),
        evolve=marks_hand(HandMark.REVIEWED),
        suggest=_suggest_review,
    ),
    Step(
        action=DocumentWin,
        phases=SETTLING,
        guards=(moot("no award of this hand waits for its papers", _document_due),),
        evolve=marks_hand(HandMark.DOCUMENTED),
        suggest=_suggest_document,
    ),
)

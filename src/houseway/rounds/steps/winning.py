"""A progressive win: the hand, the light and the payout verified, and the papers of a share of the meter."""

from __future__ import annotations

from collections.abc import Iterable

from houseway.rounds.state import Table
from houseway.rounds.step import BY_DEALER, BY_DEALER_OR_DEVICE, FLOOR, Command, Step, register
from houseway.rounds.steps.common import FLOORPERSON, always, dealer_of, hand_of, marks_hand, sense
from houseway.rounds.steps.revealing import SETTLING
from houseway.rounds.steps.turns import turn
from houseway.settlement.model import PROGRESSIVE


def _evaluator_agrees(table: Table, command: Command) -> bool:
    return bool(hand_of(table, command).made.get(PROGRESSIVE) == command.get("hand"))


def _progressive_win(table: Table, command: Command) -> bool:
    return hand_of(table, command).has("progressive_win")


def _document_due(table: Table, command: Command) -> bool:
    hand = hand_of(table, command)
    return hand.has("progressive_share") and PROGRESSIVE in hand.settled


def _suggest_verify(table: Table) -> Iterable[Command]:
    hand = turn(table)
    if hand is None or not hand.has("progressive_win") or PROGRESSIVE in hand.settled:
        return
    if not hand.has("win_verified"):
        details = {"hand": hand.made[PROGRESSIVE]}
        yield Command("verify_win", dealer_of(table), hand.position, details)


def _suggest_light(table: Table) -> Iterable[Command]:
    hand = turn(table)
    if hand and hand.has("win_verified") and not hand.has("light") and PROGRESSIVE not in hand.settled:
        yield Command("verify_light", dealer_of(table), hand.position, {"lit": True})


def _suggest_validate(table: Table) -> Iterable[Command]:
    hand = turn(table)
    if hand and hand.has("light") and not hand.has("validated") and PROGRESSIVE not in hand.settled:
        yield Command("validate_win", FLOORPERSON, hand.position)


def _suggest_document(table: Table) -> Iterable[Command]:
    for hand in table.play.playing():
        if hand.has("progressive_share") and PROGRESSIVE in hand.settled and not hand.has("documented"):
            yield Command("document_win", FLOORPERSON, hand.position, {"reference": "hand pay"})


register(
    Step(
        "verify_win",
        BY_DEALER,
        SETTLING,
        (
            sense("no progressive win", _progressive_win),
            always("agrees", "the hand is not what the dealer says: the payment waits", _evaluator_agrees),
        ),
        takes={"hand": str},
        needs="hand",
        evolve=marks_hand("win_verified"),
        suggest=_suggest_verify,
    ),
    Step(
        "verify_light",
        BY_DEALER_OR_DEVICE,
        SETTLING,
        (
            sense("no progressive win", _progressive_win),
            always(
                "lit",
                "the light of that position is not lit: the floor is called",
                lambda _, c: bool(c.get("lit")),
            ),
        ),
        takes={"lit": bool},
        needs="hand",
        evolve=marks_hand("light"),
        suggest=_suggest_light,
    ),
    Step(
        "validate_win",
        FLOOR,
        SETTLING,
        (sense("no progressive win", _progressive_win),),
        needs="hand",
        evolve=marks_hand("validated"),
        suggest=_suggest_validate,
    ),
    Step(
        "document_win",
        FLOOR,
        SETTLING,
        (sense("no share of a meter was paid on this hand", _document_due),),
        takes={"reference": str},
        needs="hand",
        evolve=marks_hand("documented"),
        suggest=_suggest_document,
    ),
)

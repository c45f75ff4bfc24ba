"""Fills and credits: requested by one person, approved by another, counted by the dealer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from houseway.chips.actions import (
    ApproveCredit,
    ApproveFill,
    ChipOutcome,
    Chips,
    ChipTurn,
    ReceiveFill,
    RequestCredit,
    RequestFill,
    SendCredit,
    Serial,
    SlipAction,
    VoidSlip,
    value_of,
)
from houseway.chips.rights import same_person
from houseway.chips.step import (
    AnyChipStep,
    ChipSituation,
    ChipStep,
    chips_problems,
    movements,
    shift_problems,
    tray_problems,
)
from houseway.chips.tray import CREDIT, FILL, Slip, Tray, with_chips
from houseway.law.problems import Problem
from houseway.ledger import CAGE, INVENTORY
from houseway.money import Cents

SlipRequest = RequestFill | RequestCredit
SlipApproval = ApproveFill | ApproveCredit
SlipCount = ReceiveFill | SendCredit


def serial_of(kind: str, number: int) -> Serial:
    """Return the serial of the nth fill or credit of a table.

    >>> serial_of("F", 7)
    'F-0007'
    """
    return f"{kind}-{number:04d}"


def _kind(action: SlipRequest | SlipApproval | SlipCount) -> str:
    return FILL if isinstance(action, RequestFill | ApproveFill | ReceiveFill) else CREDIT


# --- asked for ------------------------------------------------------------------------------------------


def _request_problems(situation: ChipSituation, action: SlipRequest) -> Iterator[Problem]:
    yield from shift_problems(situation)
    yield from chips_problems(situation, "chips", action.chips)
    if isinstance(action, RequestCredit):
        yield from tray_problems(situation, action.chips)


def _decide_request(situation: ChipSituation, action: SlipRequest) -> ChipOutcome:
    kind = _kind(action)
    before = situation.tray.fills if kind == FILL else situation.tray.credits
    return ChipOutcome(serial=serial_of(kind, before + 1))


def _apply_request(tray: Tray, action: SlipRequest, turn: ChipTurn) -> Tray:
    slip = Slip(chips=_nonzero(action.chips), requested=turn.by)
    fill = _kind(action) == FILL
    return replace(
        tray,
        slips={**tray.slips, turn.outcome.serial: slip},
        fills=tray.fills + fill,
        credits=tray.credits + (not fill),
    )


def _nonzero(chips: Chips) -> Chips:
    return {kind: count for kind, count in sorted(chips.items()) if count}


# --- approved -------------------------------------------------------------------------------------------


def _slip_problems(situation: ChipSituation, action: SlipAction, kind: str) -> Iterator[Problem]:
    if action.serial not in situation.tray.slips or not action.serial.startswith(kind):
        name = {FILL: "fill", CREDIT: "credit"}.get(kind, "slip")
        yield Problem("serial", f"no such {name} is under way", action.serial)


def _approve_problems(situation: ChipSituation, action: SlipApproval) -> Iterator[Problem]:
    yield from shift_problems(situation)
    yield from _slip_problems(situation, action, _kind(action))
    slip = situation.tray.slips.get(action.serial)
    if slip is None:
        return
    if slip.approved is not None:
        yield Problem("serial", "the slip is approved already", action.serial)
    if same_person(slip.requested, situation.by):
        yield Problem("by", "a slip must be approved by another person than its requester", situation.by.id)


def _apply_approval(tray: Tray, action: SlipApproval, turn: ChipTurn) -> Tray:
    slip = replace(tray.slips[action.serial], approved=turn.by)
    return replace(tray, slips={**tray.slips, action.serial: slip})


# --- counted by the dealer ------------------------------------------------------------------------------


def _count_problems(situation: ChipSituation, action: SlipCount) -> Iterator[Problem]:
    yield from shift_problems(situation)
    yield from _slip_problems(situation, action, _kind(action))
    yield from chips_problems(situation, "chips", action.chips)
    slip = situation.tray.slips.get(action.serial)
    if slip is None:
        return
    if slip.approved is None:
        yield Problem("serial", "the slip must be approved first", action.serial)
    if any(same_person(actor, situation.by) for actor in (slip.requested, slip.approved) if actor):
        yield Problem("by", "those who requested or approved chips cannot count them", situation.by.id)
    for kind, count in sorted(_difference(slip.chips, action.chips).items()):
        reason = f"the slip says {slip.chips.get(kind, 0)} chips of {kind / 100:g} dollars"
        yield Problem("chips", reason, str(slip.chips.get(kind, 0) + count))
    if isinstance(action, SendCredit):
        yield from tray_problems(situation, action.chips)


def _difference(listed: Chips, counted: Chips) -> dict[int, int]:
    changes = {kind: counted.get(kind, 0) - listed.get(kind, 0) for kind in {*listed, *counted}}
    return {kind: change for kind, change in changes.items() if change}


def _decide_count(_: ChipSituation, action: SlipCount) -> ChipOutcome:
    amount = value_of(action.chips)
    if isinstance(action, ReceiveFill):
        return ChipOutcome(moved=movements(amount, CAGE, INVENTORY, f"fill {action.serial}"))
    return ChipOutcome(moved=movements(amount, INVENTORY, CAGE, f"credit {action.serial}"))


def _apply_count(tray: Tray, action: SlipCount, _: ChipTurn) -> Tray:
    fill, amount, figures = isinstance(action, ReceiveFill), value_of(action.chips), tray.figures
    if fill:
        figures = replace(figures, fills=Cents(figures.fills + amount))
    else:
        figures = replace(figures, credits=Cents(figures.credits + amount))
    left = _without(tray, action.serial)
    return with_chips(replace(left, figures=figures), (action.chips, 1 if fill else -1))


def _void_problems(situation: ChipSituation, action: VoidSlip) -> Iterator[Problem]:
    yield from _slip_problems(situation, action, "")
    if not action.reason.strip():
        yield Problem("reason", "the reason is put on record", action.reason)


def _without(tray: Tray, serial: Serial) -> Tray:
    return replace(tray, slips={other: slip for other, slip in tray.slips.items() if other != serial})


STEPS: Final[tuple[AnyChipStep, ...]] = (
    ChipStep(action=RequestFill, problems=_request_problems, outcome=_decide_request, evolve=_apply_request),
    ChipStep(
        action=RequestCredit, problems=_request_problems, outcome=_decide_request, evolve=_apply_request
    ),
    ChipStep(action=ApproveFill, problems=_approve_problems, evolve=_apply_approval),
    ChipStep(action=ApproveCredit, problems=_approve_problems, evolve=_apply_approval),
    ChipStep(action=ReceiveFill, problems=_count_problems, outcome=_decide_count, evolve=_apply_count),
    ChipStep(action=SendCredit, problems=_count_problems, outcome=_decide_count, evolve=_apply_count),
    ChipStep(
        action=VoidSlip,
        problems=_void_problems,
        evolve=lambda tray, action, _: _without(tray, action.serial),
    ),
)

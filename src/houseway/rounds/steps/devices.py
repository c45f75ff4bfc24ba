"""Devices that failed: taken out of use, and put back in order."""

from __future__ import annotations

from typing import Annotated, Final

from houseway.games import Rules
from houseway.rounds.action import Action
from houseway.rounds.annotations import Ask
from houseway.rounds.asks import MUST, Asks, FieldRule
from houseway.rounds.choices import Device, SignedHow
from houseway.rounds.roles import FLOOR, Role
from houseway.rounds.state import Phase, Table, changed
from houseway.rounds.step import AnyStep, Event, Guard, Panel, Situation, Step, Words
from houseway.rounds.steps.common import sense


class SignOutOfOrder(Action, frozen=True, tag="sign_out_of_order"):
    """A failed device is covered or signed."""

    device: Annotated[Device, Ask("Device")]
    how: Annotated[SignedHow | None, Ask("Taken out of use by")] = None


class Repair(Action, frozen=True, tag="repair"):
    """A failed device works again."""

    device: Annotated[Device, Ask("Device")]


# --- devices that fail --------------------------------------------------------------------------------


def _has_failed(s: Situation, action: SignOutOfOrder | Repair) -> bool:
    return action.device in s.table.failed


def _unsigned(s: Situation, action: SignOutOfOrder) -> bool:
    return action.device not in s.table.signed


def _sign(table: Table, event: Event[SignOutOfOrder, None]) -> Table:
    return changed(table, signed=table.signed | {event.action.device})


def _repair(table: Table, event: Event[Repair, None]) -> Table:
    device = event.action.device
    return changed(table, failed=table.failed - {device}, signed=table.signed - {device})


# --- what its fields take -----------------------------------------------------------------------------


def _asks_failed(_: Rules, table: Table, __: int) -> Asks:
    return {"device": FieldRule(tuple(sorted(table.failed)))}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=SignOutOfOrder,
        by=(Role.DEALER, *FLOOR),
        phases=tuple(Phase),
        words=Words(
            "Sign out of order",
            follows="The failed device is visibly out of use, and the table may go on without it.",
        ),
        guards=(
            sense("no such device has failed", _has_failed, "device"),
            sense("the device is signed out of order already", _unsigned, "device"),
            Guard(
                "how",
                "the device is covered, or a sign is placed",
                lambda _, action: action.how is not None,
                about=("how",),
            ),
        ),
        evolve=_sign,
        asks=lambda *at: {**_asks_failed(*at), "how": MUST},
        panels=(Panel.WRONG,),
        foretold=True,
    ),
    Step(
        action=Repair,
        by=FLOOR,
        phases=tuple(Phase),
        words=Words(
            "Put back in order",
            follows="The device is no longer failed, and the table may use it again.",
        ),
        guards=(sense("no such device has failed", _has_failed, "device"),),
        evolve=_repair,
        asks=_asks_failed,
    ),
)

"""What may be done with a table's chips: one frozen struct for each, and what came of it.

Chips are counted by denomination, in cents: ``{500: 40}`` is forty chips of five dollars.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Final, Union

from msgspec import Struct

from houseway.chips.reports import ReportDue
from houseway.ledger import Movement
from houseway.money import Cents
from houseway.rounds.action import TAG
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor, CommandId

Chips = Mapping[int, int]
"""How many chips there are of each denomination in cents."""
Serial = str
"""The number of a fill or credit slip, never used again at its table."""


class ChipAction(Struct, frozen=True, tag_field=TAG, omit_defaults=True, forbid_unknown_fields=True):
    """Something that may be done with a table's chips."""

    @property
    def step(self) -> str:
        """The name of what is done."""
        return str(type(self).__struct_config__.tag)


# --- people ---------------------------------------------------------------------------------------------


class PersonAction(ChipAction, frozen=True):
    """Something done with the chips in front of a person."""

    person: PersonId


class BuyIn(PersonAction, frozen=True, tag="buy_in"):
    """A person gives cash, which is dropped, and gets chips; a table that is its own cashier lists none."""

    cash: Cents
    chips: Chips = {}


class ColourUp(PersonAction, frozen=True, tag="colour_up"):
    """A person changes chips for others of the same value."""

    gives: Chips
    takes: Chips


class CashOut(PersonAction, frozen=True, tag="cash_out"):
    """A person gives chips and is paid at the table."""

    amount: Cents


class BringChips(PersonAction, frozen=True, tag="bring_chips"):
    """A person comes with chips from elsewhere."""

    amount: Cents


class TakeChips(PersonAction, frozen=True, tag="take_chips"):
    """A person goes away with chips."""

    amount: Cents


# --- fills and credits ----------------------------------------------------------------------------------


class RequestFill(ChipAction, frozen=True, tag="request_fill"):
    """Chips are asked for from the cage; a slip is made."""

    chips: Chips


class RequestCredit(ChipAction, frozen=True, tag="request_credit"):
    """Chips are to go back to the cage; a slip is made."""

    chips: Chips


class SlipAction(ChipAction, frozen=True):
    """Something done on a slip."""

    serial: Serial


class ApproveFill(SlipAction, frozen=True, tag="approve_fill"):
    """Somebody other than who asked approves a fill."""


class ApproveCredit(SlipAction, frozen=True, tag="approve_credit"):
    """Somebody other than who asked approves a credit."""


class ReceiveFill(SlipAction, frozen=True, tag="receive_fill"):
    """The dealer counts the chips of a fill into the tray."""

    chips: Chips


class SendCredit(SlipAction, frozen=True, tag="send_credit"):
    """The dealer counts the chips of a credit out of the tray."""

    chips: Chips


class VoidSlip(SlipAction, frozen=True, tag="void_slip"):
    """A fill or credit under way is given up."""

    reason: str


# --- counts, drop, shift and day ------------------------------------------------------------------------


class CountOpener(ChipAction, frozen=True, tag="count_opener"):
    """The tray is counted and a shift begins; the first count of all is what the cage has sent."""

    chips: Chips
    reason: str = ""
    """Why the count is not what was expected."""


class CountCloser(ChipAction, frozen=True, tag="count_closer"):
    """The tray is counted at the end of a shift."""

    chips: Chips
    reason: str = ""


class CloseShift(ChipAction, frozen=True, tag="close_shift"):
    """The shift ends with the closer."""


class TakeDrop(ChipAction, frozen=True, tag="take_drop"):
    """The drop box, by its number, is taken from the table, and another put in its place."""

    box: str


class CountDrop(ChipAction, frozen=True, tag="count_drop"):
    """The cash of a drop box is counted."""

    box: str
    cash: Cents
    reason: str = ""


class RollDay(ChipAction, frozen=True, tag="roll_day"):
    """The gaming day ends and the next one begins."""


CHIP_ACTIONS: Final = (
    BuyIn,
    ColourUp,
    CashOut,
    BringChips,
    TakeChips,
    RequestFill,
    ApproveFill,
    ReceiveFill,
    RequestCredit,
    ApproveCredit,
    SendCredit,
    VoidSlip,
    CountOpener,
    CountCloser,
    CloseShift,
    TakeDrop,
    CountDrop,
    RollDay,
)
AnyChipAction = Union[*CHIP_ACTIONS]  # type: ignore[valid-type]


class ChipCommand(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What somebody wants to do with a table's chips, with a second person where two are needed."""

    id: CommandId
    by: Actor
    second: Actor | None = None
    action: AnyChipAction


# --- what came of it ------------------------------------------------------------------------------------


class ShiftFigures(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """What a shift comes to, so far: all in cents."""

    opener: Cents = Cents(0)
    fills: Cents = Cents(0)
    credits: Cents = Cents(0)
    cash_in: Cents = Cents(0)
    cash_out: Cents = Cents(0)
    closer: Cents = Cents(0)
    variance: Cents = Cents(0)
    """What counts of the shift found over what was expected; less than nothing is short."""

    @property
    def win(self) -> Cents:
        """What the table won: what it has at the end and sent away, without what it began with and got."""
        left = self.closer + self.credits + self.cash_in
        return Cents(left - self.opener - self.fills - self.cash_out)


class ChipOutcome(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """All that configuration and the tray decided, so that the turn can be folded without them."""

    moved: tuple[Movement, ...] = ()
    serial: Serial = ""
    """The slip that was made."""
    expected: Cents | None = None
    """What a count should have found."""
    day: date | None = None
    """The gaming day that begins, or in which a shift does."""
    figures: ShiftFigures | None = None
    """What the shift that ends came to."""
    reports: tuple[ReportDue, ...] = ()


class ChipTurn(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """What was done with a table's chips: when, by whom, and what came of it."""

    at: datetime
    by: Actor
    second: Actor | None = None
    action: AnyChipAction
    outcome: ChipOutcome = ChipOutcome()


def value_of(chips: Chips) -> Cents:
    """Return what chips are worth.

    >>> value_of({500: 3, 2500: 2})
    6500
    """
    return Cents(sum(denomination * count for denomination, count in chips.items()))

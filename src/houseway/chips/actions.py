"""The actions on a table's chips, one frozen struct each, and the turns that record them.

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
"""The number of a fill or credit slip, used once at a table."""


class ChipAction(Struct, frozen=True, tag_field=TAG, omit_defaults=True, forbid_unknown_fields=True):
    """An action on a table's chips."""

    @property
    def step(self) -> str:
        """The name of the action, as it is sent and stored."""
        return str(type(self).__struct_config__.tag)


# --- people ---------------------------------------------------------------------------------------------


class PersonAction(ChipAction, frozen=True):
    """An action on the chips in front of a person."""

    person: PersonId


class BuyIn(PersonAction, frozen=True, tag="buy_in"):
    """A person buys chips for cash, which is dropped; at a self-service table no chips are listed."""

    cash: Cents
    chips: Chips = {}


class ColourUp(PersonAction, frozen=True, tag="colour_up"):
    """A person exchanges chips for others of the same value."""

    gives: Chips
    takes: Chips


class CashOut(PersonAction, frozen=True, tag="cash_out"):
    """A person returns chips and is paid in cash at the table."""

    amount: Cents


class BringChips(PersonAction, frozen=True, tag="bring_chips"):
    """A person brings chips to the table."""

    amount: Cents


class TakeChips(PersonAction, frozen=True, tag="take_chips"):
    """A person takes chips away from the table."""

    amount: Cents


# --- fills and credits ----------------------------------------------------------------------------------


class RequestFill(ChipAction, frozen=True, tag="request_fill"):
    """A fill from the cage is requested; this creates a slip."""

    chips: Chips


class RequestCredit(ChipAction, frozen=True, tag="request_credit"):
    """A credit to the cage is requested; this creates a slip."""

    chips: Chips


class SlipAction(ChipAction, frozen=True):
    """An action on a slip."""

    serial: Serial


class ApproveFill(SlipAction, frozen=True, tag="approve_fill"):
    """A second person approves a fill."""


class ApproveCredit(SlipAction, frozen=True, tag="approve_credit"):
    """A second person approves a credit."""


class ReceiveFill(SlipAction, frozen=True, tag="receive_fill"):
    """The dealer counts the chips of a fill into the tray."""

    chips: Chips


class SendCredit(SlipAction, frozen=True, tag="send_credit"):
    """The dealer counts the chips of a credit out of the tray."""

    chips: Chips


class VoidSlip(SlipAction, frozen=True, tag="void_slip"):
    """An open fill or credit is cancelled."""

    reason: str


# --- counts, drop, shift and day ------------------------------------------------------------------------


class CountOpener(ChipAction, frozen=True, tag="count_opener"):
    """The tray is counted and a shift begins; a table's first count is what the cage delivered."""

    chips: Chips
    reason: str = ""
    """Why the count differs from what was expected."""


class CountCloser(ChipAction, frozen=True, tag="count_closer"):
    """The tray is counted at the end of a shift."""

    chips: Chips
    reason: str = ""


class CloseShift(ChipAction, frozen=True, tag="close_shift"):
    """The shift ends, with the closer as its last count."""


class TakeDrop(ChipAction, frozen=True, tag="take_drop"):
    """The drop box is taken from the table under its number, and an empty one replaces it."""

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
    """A chip action with an id and the person who takes it, and a second person where two are needed."""

    id: CommandId
    by: Actor
    second: Actor | None = None
    action: AnyChipAction


# --- what came of it ------------------------------------------------------------------------------------


class ShiftFigures(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """The figures of a shift so far, in cents."""

    opener: Cents = Cents(0)
    fills: Cents = Cents(0)
    credits: Cents = Cents(0)
    cash_in: Cents = Cents(0)
    cash_out: Cents = Cents(0)
    closer: Cents = Cents(0)
    variance: Cents = Cents(0)
    """The sum by which counts of the shift exceeded what was expected; negative if short."""

    @property
    def win(self) -> Cents:
        """The table's win: closer, credits and cash in, less opener, fills and cash out."""
        left = self.closer + self.credits + self.cash_in
        return Cents(left - self.opener - self.fills - self.cash_out)


class ChipOutcome(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """What the configuration and the tray decided, stored so that the turn is folded without them."""

    moved: tuple[Movement, ...] = ()
    serial: Serial = ""
    """The slip that the action created."""
    expected: Cents | None = None
    """The value that a count was expected to find."""
    day: date | None = None
    """The gaming day that begins, or the one in which a shift begins."""
    figures: ShiftFigures | None = None
    """The figures of the shift that ends."""
    reports: tuple[ReportDue, ...] = ()


class ChipTurn(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """An executed chip action: when, by whom, and its outcome."""

    at: datetime
    by: Actor
    second: Actor | None = None
    action: AnyChipAction
    outcome: ChipOutcome = ChipOutcome()


def value_of(chips: Chips) -> Cents:
    """Return the value of chips.

    >>> value_of({500: 3, 2500: 2})
    6500
    """
    return Cents(sum(denomination * count for denomination, count in chips.items()))

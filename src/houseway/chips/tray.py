"""The state of a table's chips: the tray, the layout, the drop box, and the chips of people.

Play moves values only, since nobody records which chips change hands. So the tray's value is exact, while its
denominations are those of the last count plus the fills, credits and exchanges since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from houseway.chips.actions import Chips, Serial, ShiftFigures
from houseway.ledger import CAGE, UNITS_PER_CENT, Account, AccountKind, Movement, pocket
from houseway.money import Cents
from houseway.rounds.outcomes import Moves
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor, AnEvent
from houseway.settlement.model import Payment, PaymentKind

FILL: Final = "F"
CREDIT: Final = "C"
_NOTHING: Final = Cents(0)
_ON_LAYOUT: Final = (AccountKind.PENDING, AccountKind.BANK)
_AWAY: Final = (AccountKind.CAGE, AccountKind.POCKET, AccountKind.VARIANCE)
_OF_METERS: Final = (AccountKind.METER, AccountKind.RESERVE)


class Slip(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """An open fill or credit: its chips, who requested and who approved it."""

    chips: Chips
    requested: Actor
    approved: Actor | None = None


class DayCash(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The cash that a person gave and got at the table in a gaming day."""

    given: Cents = _NOTHING
    got: Cents = _NOTHING


class Tray(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """The chips and the cash of one table."""

    value: Cents = _NOTHING
    """The value that the tray should have; negative if more was paid than it held, until a fill arrives."""
    layout: Cents = _NOTHING
    """The value on the layout: wagers and banks."""
    people: Mapping[PersonId, Cents] = {}
    """The chips in front of each person; negative if they owe."""
    counted: Chips = {}
    """The denominations of the last count."""
    moved: Mapping[int, int] = {}
    """What was moved by denomination since then, other than by play."""
    box: Cents = _NOTHING
    """The cash in the drop box at the table."""
    taken: Mapping[str, Cents] = {}
    """The cash of drop boxes that were taken and are not counted yet, by number."""
    day: date | None = None
    """The gaming day; none before the first count."""
    shift: int = 0
    """The number of the shift in its gaming day."""
    open: bool = False
    """Whether a shift is open."""
    closing: bool = False
    """Whether the closer of the shift is counted."""
    figures: ShiftFigures = ShiftFigures()
    """The figures of the shift so far."""
    slips: Mapping[Serial, Slip] = {}
    """Open fills and credits."""
    fills: int = 0
    credits: int = 0
    """The number of slips of each kind so far."""
    cash: Mapping[PersonId, DayCash] = {}
    """The cash that each person gave and got in this gaming day."""

    @property
    def total(self) -> Cents:
        """The value of all chips at the table: in the tray, on the layout, in front of people."""
        return Cents(self.value + self.layout + sum(self.people.values()))

    @property
    def inventory(self) -> Chips:
        """The tray by denomination, without what play moved."""
        kinds = sorted({*self.counted, *self.moved})
        return {kind: self.counted.get(kind, 0) + self.moved.get(kind, 0) for kind in kinds}

    @property
    def in_play(self) -> Cents:
        """The value moved into the tray since the last count by play and by unlisted chips."""
        listed = sum(kind * count for kind, count in self.inventory.items())
        return Cents(self.value - listed)


NO_CHIPS: Final = Tray()
"""The tray of a table whose chips are not tracked, or were never counted."""


def chips_of(tray: Tray, person: PersonId) -> Cents:
    """Return the value of the chips in front of a person."""
    return tray.people.get(person, _NOTHING)


def covers(tray: Tray, person: PersonId, amount: int) -> bool:
    """Whether a person has enough chips in front of them."""
    return amount <= chips_of(tray, person)


# --- what moves -----------------------------------------------------------------------------------------


def apply_movements(tray: Tray, movements: Iterable[Movement]) -> Tray:
    """Return the tray after movements of play or of chip actions.

    The money of meters and collections is in the tray: the books tell it apart, the chips do not.
    """
    people: dict[PersonId, int] = {}
    value = layout = box = 0
    for movement in movements:
        for account, amount in ((movement.source, -movement.units), (movement.to, movement.units)):
            if account.kind is AccountKind.PLAYER:
                people[account.name] = people.get(account.name, 0) + amount
            elif account.kind in _ON_LAYOUT:
                layout += amount
            elif account.kind is AccountKind.DROP:
                box += amount
            elif account.kind not in _AWAY:
                value += amount
    return replace(
        tray,
        value=_more(tray.value, value),
        layout=_more(tray.layout, layout),
        box=_more(tray.box, box),
        people=_people(tray.people, people),
    )


def _more(amount: Cents, change: int) -> Cents:
    return Cents(amount + change // UNITS_PER_CENT)


def _people(before: Mapping[PersonId, Cents], changes: Mapping[PersonId, int]) -> Mapping[PersonId, Cents]:
    now = {**before}
    for person, change in changes.items():
        now[person] = _more(now.get(person, _NOTHING), change)
        if not now[person]:
            del now[person]
    return now


def movements_of(event: AnEvent) -> tuple[Movement, ...]:
    """Return the movements of a round event; awards paid elsewhere do not touch the table's chips."""
    outcome = event.outcome
    if not isinstance(outcome, Moves):
        return ()
    away = getattr(outcome, "paid_away", False)
    paid = (_past_the_table(payment) if away else payment.movement() for payment in outcome.payments)
    return (*(payment.movement() for payment in outcome.stakes), *paid, *outcome.movements)


def _past_the_table(payment: Payment) -> Movement:
    moved = payment.movement()
    award = moved.source == CAGE or moved.source.kind in _OF_METERS
    if award and moved.to.kind is AccountKind.PLAYER:
        return replace(moved, source=CAGE, to=pocket(moved.to.name))
    return moved


def stakes_of(events: Iterable[AnEvent]) -> Mapping[PersonId, Cents]:
    """Return what each person puts on the layout or pays in fees in these events, less what they take off."""
    changes: dict[Account, int] = {}
    for event in events:
        if not isinstance(event.outcome, Moves):
            continue
        fees = [payment for payment in event.outcome.payments if payment.kind is PaymentKind.FEE]
        for payment in (*event.outcome.stakes, *fees):
            changes[payment.source] = changes.get(payment.source, 0) + payment.units
            changes[payment.to] = changes.get(payment.to, 0) - payment.units
    return {
        account.name: Cents(amount // UNITS_PER_CENT)
        for account, amount in changes.items()
        if account.kind is AccountKind.PLAYER and amount > 0
    }


def with_chips(tray: Tray, *changes: tuple[Chips, int]) -> Tray:
    """Return the tray with chips added or removed by denomination."""
    moved = dict(tray.moved)
    for chips, sign in changes:
        for kind, count in chips.items():
            moved[kind] = moved.get(kind, 0) + sign * count
    return replace(tray, moved={kind: count for kind, count in sorted(moved.items()) if count})

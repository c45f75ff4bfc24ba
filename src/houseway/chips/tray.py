"""A table's chips as its turns leave them: the tray, the layout, the drop box, and what people have.

In play only values are followed: which chips change hands there nobody notes. So the tray knows exactly what
it should be worth, and its denominations as they were last counted and have been moved on purpose since.
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
    """A fill or a credit under way: which chips, who asked for it, who approved it."""

    chips: Chips
    requested: Actor
    approved: Actor | None = None


class DayCash(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What cash somebody gave and got at the table in a gaming day."""

    given: Cents = _NOTHING
    got: Cents = _NOTHING


class Tray(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """The chips and the cash of one table."""

    value: Cents = _NOTHING
    """What the tray should be worth; less than nothing until a fill comes."""
    layout: Cents = _NOTHING
    """What lies on the layout: wagers and banks."""
    people: Mapping[PersonId, Cents] = {}
    """What each person has in front of them; less than nothing is owed."""
    counted: Chips = {}
    """The tray as it was last counted."""
    moved: Mapping[int, int] = {}
    """What went in and out of it by denomination since, apart from play."""
    box: Cents = _NOTHING
    """The cash in the drop box at the table."""
    taken: Mapping[str, Cents] = {}
    """The drop boxes that were taken and not yet counted, by number."""
    day: date | None = None
    """The gaming day; none before the tray was ever counted."""
    shift: int = 0
    """The number of the shift in its gaming day."""
    open: bool = False
    """Whether a shift is open."""
    closing: bool = False
    """Whether the closer of the shift is counted."""
    figures: ShiftFigures = ShiftFigures()
    """What the shift comes to so far."""
    slips: Mapping[Serial, Slip] = {}
    """Fills and credits under way."""
    fills: int = 0
    credits: int = 0
    """How many slips of each kind there ever were."""
    cash: Mapping[PersonId, DayCash] = {}
    """What cash each person gave and got in this gaming day."""

    @property
    def total(self) -> Cents:
        """All chips at the table: in the tray, on the layout, in front of people."""
        return Cents(self.value + self.layout + sum(self.people.values()))

    @property
    def inventory(self) -> Chips:
        """The tray by denomination, as far as that is known without what play moved."""
        kinds = sorted({*self.counted, *self.moved})
        return {kind: self.counted.get(kind, 0) + self.moved.get(kind, 0) for kind in kinds}

    @property
    def in_play(self) -> Cents:
        """What play and what is not listed have moved into the tray since it was counted, in value."""
        listed = sum(kind * count for kind, count in self.inventory.items())
        return Cents(self.value - listed)


NO_CHIPS: Final = Tray()
"""The tray of a table whose chips are not followed, or were never counted."""


def chips_of(tray: Tray, person: PersonId) -> Cents:
    """Return what a person has in front of them at the table."""
    return tray.people.get(person, _NOTHING)


def covers(tray: Tray, person: PersonId, amount: int) -> bool:
    """Whether a person has chips enough in front of them."""
    return amount <= chips_of(tray, person)


# --- what moves -----------------------------------------------------------------------------------------


def apply_movements(tray: Tray, movements: Iterable[Movement]) -> Tray:
    """Return the tray after what play or anything else moved.

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
    """Return what an event of the round of play moved; an award paid away goes past the table's chips."""
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
    """Return what each person puts on the layout or pays in fees by some events, less what they take off."""
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
    """Return the tray with chips more, or fewer, by denomination."""
    moved = dict(tray.moved)
    for chips, sign in changes:
        for kind, count in chips.items():
            moved[kind] = moved.get(kind, 0) + sign * count
    return replace(tray, moved={kind: count for kind, count in sorted(moved.items()) if count})

"""Progressive meters: seed, contribution, shares and fixed awards, in ten-thousandths of a cent.

Each function returns the meter as it is afterwards and the movements that made it so. A meter never
changes without a movement, so nothing is lost between it, its reserve, the house and the players.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from houseway.errors import IllegalError, InvalidInputError
from houseway.law.citations import UNCITED, Cites
from houseway.ledger import (
    INVENTORY,
    SEED,
    UNITS_PER_CENT,
    Account,
    AccountKind,
    Movement,
    Units,
    show_units,
    units,
)
from houseway.money import Cents

Rounding = Literal["down", "half_up"]
Reseeds = Literal["on_whole_award", "below_seed"]
Changed = tuple["Meter", tuple[Movement, ...]]


@dataclass(frozen=True)
class MeterTerms:
    """How a meter is kept: what the law fixes and what the submission chose, with the clauses."""

    name: str
    seed: Cents
    contribution: Fraction
    reserve: Fraction = Fraction(0)
    limit: Cents | None = None
    rounding: Rounding = "down"
    reseeds: Reseeds = "on_whole_award"
    on_top: bool = False
    """Whether what a whole award leaves in the meter stays on top of the seed, or counts towards it."""
    keeps_seed: bool = False
    """Whether no one lowers it below its seed by hand: only awards do."""
    rate_clauses: Cites = UNCITED
    share_clauses: Cites = UNCITED
    rounding_clauses: Cites = UNCITED
    reseed_clauses: Cites = UNCITED
    reserve_clauses: Cites = UNCITED
    seed_clauses: Cites = UNCITED

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise InvalidInputError("a seed is not below nothing", value=self.seed)
        if self.contribution < 0 or self.reserve < 0 or self.contribution + self.reserve > 1:
            both = f"{self.contribution} and {self.reserve}"
            raise InvalidInputError("contribution and reserve are parts of the wager", value=both)

    @cached_property
    def account(self) -> Account:
        """The meter's account."""
        return Account(AccountKind.METER, self.name)

    @cached_property
    def reserve_account(self) -> Account:
        """The reserve's account."""
        return Account(AccountKind.RESERVE, self.name)


class MeterState(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a jackpot holds: its value and its reserve."""

    value: Units
    reserve: Units = 0

    @property
    def showing(self) -> Cents:
        """What the display shows: whole cents, rounded down."""
        return Cents(self.value // UNITS_PER_CENT)


class MeterMove(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A meter before and after something moved it; nothing before it was opened."""

    meter: str
    before: MeterState | None
    after: MeterState


class Meter(Struct, frozen=True, gc=False):
    """A jackpot's value and its reserve, and the terms it is kept by."""

    terms: MeterTerms
    value: Units
    reserve: Units = 0

    def __post_init__(self) -> None:
        if self.value < 0 or self.reserve < 0:
            raise IllegalError("a meter does not hold less than nothing", value=show_units(self.value))

    @property
    def state(self) -> MeterState:
        """What the meter holds."""
        return MeterState(self.value, self.reserve)

    @property
    def showing(self) -> Cents:
        """What the display shows: whole cents, rounded down."""
        return self.state.showing


def opened(terms: MeterTerms) -> Changed:
    """Open a meter with its seed, which the house puts in."""
    meter = Meter(terms, units(terms.seed))
    if not terms.seed:
        return meter, ()
    law = tuple(terms.seed_clauses)
    return meter, (Movement(units(terms.seed), SEED, terms.account, "meter opened", law),)


def contribute(meter: Meter, wager: Cents) -> Changed:
    """Take the meter's and the reserve's part of a wager that has come into the inventory.

    What would lift the meter above its limit goes to the reserve.
    """
    terms = meter.terms
    terms.rate_clauses.require()
    to_meter, to_reserve = _exact(wager, terms.contribution), _exact(wager, terms.reserve)
    if terms.limit is not None:
        room = max(0, units(terms.limit) - meter.value)
        to_reserve, to_meter = to_reserve + max(0, to_meter - room), min(to_meter, room)
    parts = (
        (to_meter, terms.account, "contribution to the meter"),
        (to_reserve, terms.reserve_account, "contribution to the reserve"),
    )
    movements = tuple(
        Movement(amount, INVENTORY, account, reason, tuple(terms.rate_clauses))
        for amount, account, reason in parts
        if amount
    )
    return Meter(terms, meter.value + to_meter, meter.reserve + to_reserve), movements


def _exact(wager: Cents, rate: Fraction) -> Units:
    return units(wager) * rate.numerator // rate.denominator


def share_of(meter: Meter, share: Fraction) -> Cents:
    """Return a share of the meter in whole cents."""
    exact = share * meter.value / UNITS_PER_CENT
    if meter.terms.rounding == "half_up":
        meter.terms.rounding_clauses.require()
        exact = min(exact + Fraction(1, 2), Fraction(meter.showing))
    return Cents(exact.numerator // exact.denominator)


def award_share(
    meter: Meter, share: Fraction, to: Account, clauses: tuple[str, ...] = (), prize: Cents | None = None
) -> Changed:
    """Pay a share of the meter as it stands, or the prize it came to when the win was recorded.

    What a winner at another table has taken out of it since is the house's to pay. A whole award reseeds it.
    """
    terms = meter.terms
    terms.share_clauses.require()
    paid = units(share_of(meter, share) if prize is None else prize)
    from_meter = min(paid, meter.value)
    reason, law = f"{float(share):.0%} of the meter", (*clauses, *terms.share_clauses)
    parts = ((from_meter, terms.account), (paid - from_meter, SEED))
    movements = [Movement(part, account, to, reason, law) for part, account in parts if part]
    left = replace(meter, value=meter.value - from_meter)
    if _reseeds(left, share):
        left, more = reseed(left, whole=share == 1)
        movements += more
    return left, tuple(movements)


def _reseeds(meter: Meter, share: Fraction) -> bool:
    terms = meter.terms
    in_force = terms.reseed_clauses.stands
    if share == 1:
        return in_force
    low = terms.reseeds == "below_seed" or not in_force
    return low and meter.value < units(terms.seed)


def reseed(meter: Meter, *, whole: bool = False) -> Changed:
    """Bring the meter to its seed at the house's cost, and put the reserve on top.

    What a whole award left in it was put in since: it may stay on top of the seed too.
    """
    terms = meter.terms
    counts = 0 if whole and terms.on_top else meter.value
    missing = max(0, units(terms.seed) - counts)
    law = (*terms.reseed_clauses, *terms.seed_clauses)
    terms.seed_clauses.require()
    movements = [Movement(missing, SEED, terms.account, "reseed", law)] if missing else []
    value, reserve = meter.value + missing, meter.reserve
    if reserve:
        terms.reserve_clauses.require()
        law = tuple(terms.reserve_clauses)
        movements.append(Movement(reserve, terms.reserve_account, terms.account, "reserve added", law))
        value, reserve = value + reserve, 0
    return replace(meter, value=value, reserve=reserve), tuple(movements)


def award_fixed(meter: Meter, amount: Cents, to: Account, clauses: tuple[str, ...] = ()) -> Changed:
    """Pay a fixed award off the meter; what the meter cannot pay comes from the inventory."""
    from_meter = min(units(amount), meter.value)
    short = units(amount) - from_meter
    movements = [
        Movement(part, account, to, "fixed award", tuple(clauses))
        for part, account in ((from_meter, meter.terms.account), (short, INVENTORY))
        if part
    ]
    return replace(meter, value=meter.value - from_meter), tuple(movements)


def reverse_contribution(meter: Meter, taken: tuple[Movement, ...], reason: str) -> Changed:
    """Give back what a void round's wagers put in; nothing but a recorded reason lowers a meter.

    What a winner at another table has taken out of it since is the house's to give back.
    """
    back = []
    value, reserve = meter.value, meter.reserve
    for movement in taken:
        in_meter = movement.to == meter.terms.account
        available = min(movement.units, value if in_meter else reserve)
        for amount, source in ((available, movement.to), (movement.units - available, SEED)):
            if amount:
                back.append(Movement(amount, source, movement.source, reason, movement.clauses))
        value, reserve = (value - available, reserve) if in_meter else (value, reserve - available)
    return replace(meter, value=value, reserve=reserve), tuple(back)


def leaves_seed(meter: Meter, by: Units) -> bool:
    """Whether an adjustment by hand leaves the seed in a meter, where it has to."""
    return by >= 0 or not meter.terms.keeps_seed or meter.value + by >= units(meter.terms.seed)


def adjust(meter: Meter, by: Units, *, reason: str, first: str, second: str) -> Changed:
    """Adjust a meter by hand: a reason and two different people, or nothing."""
    people = {name.strip().casefold() for name in (first, second)} - {""}
    if not reason.strip() or len(people) < 2:  # noqa: PLR2004 - one does it, another stands by
        raise IllegalError("a manual adjustment needs a reason and two people", value=f"{first}, {second}")
    if not by:
        return meter, ()
    if not leaves_seed(meter, by):
        raise IllegalError("only an award takes a meter below its seed", value=show_units(by))
    text = f"manual adjustment by {first} and {second}: {reason}"
    pair = (SEED, meter.terms.account) if by > 0 else (meter.terms.account, SEED)
    return replace(meter, value=meter.value + by), (Movement(abs(by), *pair, text),)

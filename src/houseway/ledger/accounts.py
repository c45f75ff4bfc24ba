"""Where money sits, and the movements between: double entry in ten-thousandths of a cent.

Wagers and payments are whole cents. A progressive contribution may be a fraction of one, so the ledger
counts in the meter's unit and nothing is ever rounded away.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from houseway.errors import InvalidInputError
from houseway.money import dollars

UNITS_PER_CENT: Final = 10_000
Units = int


class AccountKind(StrEnum):
    """Who or what holds money."""

    PLAYER = "player"
    PENDING = "pending"  # a wager on the layout, not yet won, lost or given back
    INVENTORY = "inventory"  # the table's chips, the house's money
    CAGE = "cage"  # the house's money away from the table
    BANK = "bank"  # what a player-dealer put up for the round
    METER = "meter"
    RESERVE = "reserve"
    SEED = "seed"  # the house's contribution to a meter
    COLLECTIONS = "collections"  # fees taken before the deal
    DROP = "drop"  # cash in the table's drop box, not yet counted
    POCKET = "pocket"  # what a person has away from the table, cash and chips
    VARIANCE = "variance"  # what counts found over or short


_PLAYER, _PENDING = AccountKind.PLAYER, AccountKind.PENDING


class Account(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One place where money sits.

    A wager on the layout is its person's at a position; a round's wagers and a table's chips are told
    apart by where they are.

    >>> print(Account(AccountKind.PLAYER, "Ann"), Account(AccountKind.INVENTORY), pending(2, "Ann", "main"))
    player:Ann inventory pending:2/Ann/main
    """

    kind: AccountKind
    name: str = ""
    position: int = 0
    wager: str = ""
    where: str = ""

    def __str__(self) -> str:
        parts = [str(self.position) if self.position else "", self.name, self.wager]
        text = "/".join(part for part in (self.where, *parts) if part)
        return f"{self.kind}:{text}" if text else str(self.kind)


INVENTORY: Final = Account(AccountKind.INVENTORY)
CAGE: Final = Account(AccountKind.CAGE)
COLLECTIONS: Final = Account(AccountKind.COLLECTIONS)
SEED: Final = Account(AccountKind.SEED)
DROP: Final = Account(AccountKind.DROP)
VARIANCE: Final = Account(AccountKind.VARIANCE)


def player(person: str) -> Account:
    """Return a person's account."""
    return Account(_PLAYER, person)


def pocket(person: str) -> Account:
    """Return the account of what a person has away from the table."""
    return Account(AccountKind.POCKET, person)


def pending(position: int, person: str, wager: str) -> Account:
    """Return the account of one wager on the layout."""
    return Account(_PENDING, person, position, wager)


class Movement(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Money going from one account to another, and why."""

    units: Units
    source: Account
    to: Account
    reason: str
    clauses: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.units <= 0:
            raise InvalidInputError("a movement moves something", value=self.units)
        if self.source == self.to:
            raise InvalidInputError("a movement goes somewhere else", value=str(self.to))


def units(amount: int) -> Units:
    """Return an amount of cents in the ledger's units."""
    return amount * UNITS_PER_CENT


def show_units(amount: Units) -> str:
    """Write an amount exactly.

    >>> show_units(1050000), show_units(245000)
    ('$1.05', '$0.245')
    """
    whole, part = divmod(abs(amount), UNITS_PER_CENT)
    sign = "-" if amount < 0 else ""
    if not part:
        return sign + dollars(whole)
    return f"{sign}${whole // 100:,}.{whole % 100:02d}{part:04d}".rstrip("0")

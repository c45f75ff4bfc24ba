"""Sums over payments, by the accounts between which they move: nothing is looked up, nothing is rounded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from houseway.ledger import Account, AccountKind, Movement, Units, player
from houseway.settlement import Payment, PaymentKind

Moved = Payment | Movement
HOUSE: Final = frozenset({AccountKind.INVENTORY, AccountKind.CAGE})
METERS: Final = frozenset({AccountKind.METER, AccountKind.RESERVE})
FEES: Final = frozenset({AccountKind.COLLECTIONS})
SEEDS: Final = frozenset({AccountKind.SEED})
PLAYERS: Final = frozenset({AccountKind.PLAYER})
LAYOUT: Final = frozenset({AccountKind.PENDING})
BANKS: Final = frozenset({AccountKind.BANK})
Kinds = frozenset[AccountKind]


def into(moved: Iterable[Moved], kinds: Kinds) -> Units:
    """Return what came into accounts of some kinds, less what went out."""
    return sum(item.units * ((item.to.kind in kinds) - (item.source.kind in kinds)) for item in moved)


def between(moved: Iterable[Moved], source: Kinds, to: Kinds) -> Units:
    """Return what went from accounts of some kinds to others, less what came back."""
    signed = ((item, item.source.kind, item.to.kind) for item in moved)
    return sum(item.units * ((a in source and b in to) - (a in to and b in source)) for item, a, b in signed)


def sum_stakes(payments: Iterable[Payment], on: Kinds = LAYOUT) -> Units:
    """Return what was put on the layout, or into a bank, less what was taken back before the play."""
    return into((payment for payment in payments if payment.kind is PaymentKind.STAKE), on)


def of_person(payments: Iterable[Payment], person: str) -> list[Payment]:
    """Return the payments that touch a person's account."""
    account = player(person)
    return [payment for payment in payments if account in (payment.source, payment.to)]


def accounts_of(payments: Iterable[Payment]) -> set[Account]:
    """Return every account that payments touch."""
    return {account for payment in payments for account in (payment.source, payment.to)}


def sum_returned(payments: Iterable[Payment]) -> Units:
    """Return what came back to players, stakes that were taken back before the play apart."""
    return into((payment for payment in payments if payment.kind is not PaymentKind.STAKE), PLAYERS)

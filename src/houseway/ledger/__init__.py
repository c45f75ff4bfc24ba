"""Accounts, balanced entries and their invariants."""

from houseway.ledger.accounts import (
    CAGE,
    COLLECTIONS,
    INVENTORY,
    SEED,
    UNITS_PER_CENT,
    Account,
    AccountKind,
    Movement,
    Units,
    parse_units,
    pending,
    player,
    show_units,
    units,
)
from houseway.ledger.ledger import Entry, Ledger, WagerState, open_wagers, total

__all__ = [
    "CAGE",
    "COLLECTIONS",
    "INVENTORY",
    "SEED",
    "UNITS_PER_CENT",
    "Account",
    "AccountKind",
    "Entry",
    "Ledger",
    "Movement",
    "Units",
    "WagerState",
    "open_wagers",
    "parse_units",
    "pending",
    "player",
    "show_units",
    "total",
    "units",
]

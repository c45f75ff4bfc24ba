"""The ledger fed by events: all that an event moved is one entry, and every wager ends exactly once.

Wagers and banks belong to a round of a table, chips and collections to a table; players and meters to all.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from houseway.ledger import Account, AccountKind, Ledger, LedgerEntry, Movement
from houseway.rounds.outcomes import Moves
from houseway.rounds.step import AnEvent
from houseway.rounds.steps.ruling import RoundVoided
from houseway.settlement import PaymentKind

_OF_ROUND: Final = (AccountKind.PENDING, AccountKind.BANK)
_OF_TABLE: Final = (
    AccountKind.INVENTORY,
    AccountKind.COLLECTIONS,
    AccountKind.DROP,
    AccountKind.VARIANCE,
)


def posted(ledger: Ledger, table: str, event: AnEvent) -> Ledger:
    """Return the ledger after an event at a table."""
    outcome = event.outcome
    if not isinstance(outcome, Moves):
        return ledger
    payments = (*outcome.stakes, *outcome.payments)
    moved = (*(payment.movement() for payment in payments), *outcome.movements)
    if not moved:
        return ledger
    movements = tuple(placed(table, event.round, movement) for movement in moved)
    opens, voids = _opened_wagers(ledger, movements), set[Account]()
    ends = _emptied_wagers(ledger, movements)
    if isinstance(outcome, RoundVoided):
        ends, voids = set(), ends
    else:
        back = {_where(table, event.round, p.source) for p in payments if p.kind is PaymentKind.STAKE}
        voids = {account for account in ends if account in back}
    settled = tuple(account for account in sorted(ends, key=str) if account not in voids)
    entry = LedgerEntry(
        f"{table}/{event.seq}",
        movements,
        opens=tuple(sorted(opens, key=str)),
        ends=settled,
        voids=tuple(sorted(voids, key=str)),
    )
    return ledger.post(entry)


def placed(table: str, number: int, movement: Movement) -> Movement:
    """Return a movement at a table and in a round, between accounts that say where they are."""
    source, to = (_where(table, number, account) for account in (movement.source, movement.to))
    return replace(movement, source=source, to=to)


def _where(table: str, number: int, account: Account) -> Account:
    if account.kind in _OF_ROUND:
        return replace(account, where=f"{table}/{number}")
    return replace(account, where=table) if account.kind in _OF_TABLE else account


def _changes(movements: tuple[Movement, ...]) -> dict[Account, int]:
    """Return what each wager on the layout gains or loses."""
    changes: dict[Account, int] = {}
    for movement in movements:
        for account, sign in ((movement.source, -1), (movement.to, 1)):
            if account.kind is AccountKind.PENDING:
                changes[account] = changes.get(account, 0) + sign * movement.units
    return changes


def _opened_wagers(ledger: Ledger, movements: tuple[Movement, ...]) -> set[Account]:
    """Return the wagers that get money they did not have: placed, or opened again by a reversal."""
    to = {movement.to for movement in movements if movement.to.kind is AccountKind.PENDING}
    return {account for account in to if not ledger.balance(account)}


def _emptied_wagers(ledger: Ledger, movements: tuple[Movement, ...]) -> set[Account]:
    """Return the wagers that hold nothing afterwards."""
    return {a for a, change in _changes(movements).items() if ledger.balance(a) + change == 0}

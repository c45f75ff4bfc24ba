"""A round that was settled, written into a ledger."""

from __future__ import annotations

from msgspec.structs import replace

from houseway.ledger import Account, AccountKind, Ledger, LedgerEntry, Movement, WagerState, player, units
from houseway.settlement import Settlement, Showdown
from houseway.settlement.model import spots
from houseway.settlement.settle import all_payments


def post(ledger: Ledger, round_id: str, table: Showdown, settlement: Settlement) -> Ledger:
    """Place a round's wagers in the ledger and end each of them exactly once."""
    wagers = [
        spot for area in table.areas for terms in table.rules.game.wager for spot in spots(area, terms.id)
    ]
    for spot in wagers:
        account = _in_round(round_id, spot.account)
        ledger = ledger.place(account, spot.person, spot.stake)
    if table.banker:
        put_up = Movement(
            units(table.banker.stake), player(table.banker.person), table.banker.account, "bank put up"
        )
        ledger = ledger.post(LedgerEntry(f"bank {round_id}", (put_up,)))
    movements = tuple(_renamed(round_id, p.movement()) for p in all_payments(table, settlement))
    state = WagerState.VOIDED if table.void is not None else WagerState.POSTED
    ended = [_in_round(round_id, spot.account) for spot in wagers]
    return ledger.settle(LedgerEntry(f"settle {round_id}", movements), ended, state)


def _in_round(round_id: str, account: Account) -> Account:
    if account.kind is not AccountKind.PENDING:
        return account
    return replace(account, where=round_id)


def _renamed(round_id: str, movement: Movement) -> Movement:
    return Movement(
        movement.units,
        _in_round(round_id, movement.source),
        _in_round(round_id, movement.to),
        movement.reason,
        movement.clauses,
    )

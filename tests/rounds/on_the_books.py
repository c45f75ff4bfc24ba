"""The ledger of a table that a test has played at: what it holds, and whether money was made or lost."""

from __future__ import annotations

from houseway.ledger import Account, AccountKind, Ledger, open_wagers, total
from houseway.rng import SeededEntropy
from houseway.rounds.books import posted
from houseway.rounds.live import LiveTable
from houseway.rounds.replay import difference
from tests.rounds.support import NOON, Floor
from tests.rounds.watch import meters_opened


def ledger_of(floor: Floor) -> Ledger:
    """Return the ledger of everything done at a table; refuse one in which money was made or lost."""
    rules = floor.rules
    ledger = meters_opened(LiveTable(rules, SeededEntropy("books"), NOON, floor.live.table))
    for event in floor.log:
        ledger = posted(ledger, floor.live.table.id, event)
    ledger.verify()
    return ledger


def balances(floor: Floor) -> bool:
    """Whether nothing came from nowhere, and the ledger has in the meters what they hold."""
    ledger = ledger_of(floor)
    for name, held in floor.live.meters.items():
        kept = [ledger.balance(Account(kind, name)) for kind in (AccountKind.METER, AccountKind.RESERVE)]
        if kept != [held.value, held.reserve]:
            return False
    return total(ledger) == 0


def closed(floor: Floor) -> bool:
    """Whether the books balance, no wager is left on the layout, and the round replays to the last byte."""
    record = floor.live.record
    return (
        balances(floor)
        and not open_wagers(ledger_of(floor))
        and record is not None
        and not difference(record)
    )

"""The ledger: balances that change only by balanced entries, and wagers that end exactly once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from houseway.errors import IllegalError
from houseway.ledger.accounts import Account, AccountKind, Movement, Units, player, show_units, units
from houseway.money import Cents


class WagerState(StrEnum):
    """Where a wager stands: on the layout, or ended one way or the other."""

    PENDING = "pending"
    POSTED = "posted"
    VOIDED = "voided"


@dataclass(frozen=True)
class Entry:
    """Movements that belong together, under a name no other entry has."""

    id: str
    movements: tuple[Movement, ...]
    reverses: str | None = None
    places: Account | None = None
    ends: tuple[Account, ...] = ()


@dataclass(frozen=True)
class Ledger:
    """Every entry so far, the balances they make, and the state of every wager."""

    entries: tuple[Entry, ...] = ()
    balances: Mapping[Account, Units] = field(default_factory=dict)
    wagers: Mapping[Account, WagerState] = field(default_factory=dict)

    def balance(self, account: Account) -> Units:
        """Return what an account holds; less than nothing is what it owes."""
        return self.balances.get(account, 0)

    def entry(self, entry_id: str) -> Entry:
        """Return an entry by its name."""
        for found in self.entries:
            if found.id == entry_id:
                return found
        raise IllegalError("no such entry", value=entry_id)

    def post(self, entry: Entry) -> Ledger:
        """Return the ledger with an entry more; an entry of the same name is refused."""
        if any(known.id == entry.id for known in self.entries):
            raise IllegalError("an entry of this name is posted already", value=entry.id)
        balances = dict(self.balances)
        for movement in entry.movements:
            balances[movement.source] = balances.get(movement.source, 0) - movement.units
            balances[movement.to] = balances.get(movement.to, 0) + movement.units
        ledger = replace(self, entries=(*self.entries, entry), balances=balances)
        ledger.verify()
        return ledger

    def place(self, account: Account, person: str, amount: Cents) -> Ledger:
        """Put a wager on the layout: the player's money, pending."""
        if account.kind is not AccountKind.PENDING:
            raise IllegalError("not the account of a wager", value=str(account))
        if account in self.wagers:
            raise IllegalError("the wager is placed already", value=str(account))
        movement = Movement(units(amount), player(person), account, "wager placed")
        placed = self.post(Entry(f"place {account.name}", (movement,), places=account))
        return replace(placed, wagers={**placed.wagers, account: WagerState.PENDING})

    def settle(self, entry: Entry, ended: Iterable[Account], state: WagerState = WagerState.POSTED) -> Ledger:
        """Post an entry that ends wagers; a wager that has ended, or is not emptied, is refused."""
        accounts = tuple(ended)
        for account in accounts:
            if self.wagers.get(account) is not WagerState.PENDING:
                raise IllegalError("the wager is not pending", value=str(account))
        posted = self.post(replace(entry, ends=accounts))
        for account in accounts:
            if posted.balance(account):
                raise IllegalError("the wager is not settled whole", value=str(account))
        return replace(posted, wagers={**posted.wagers, **dict.fromkeys(accounts, state)})

    def reverse(self, entry_id: str, new_id: str, reason: str) -> Ledger:
        """Undo an entry by a new one; nothing is ever edited, and nothing is undone twice."""
        if any(known.reverses == entry_id for known in self.entries):
            raise IllegalError("the entry is reversed already", value=entry_id)
        back = tuple(
            Movement(m.units, m.to, m.source, reason, m.clauses)
            for m in reversed(self.entry(entry_id).movements)
        )
        entry = self.entry(entry_id)
        states = {**self.wagers, **dict.fromkeys(entry.ends, WagerState.PENDING)}
        if entry.places:
            states[entry.places] = WagerState.VOIDED
        return replace(self.post(Entry(new_id, back, reverses=entry_id)), wagers=states)

    def verify(self) -> None:
        """Refuse a ledger in which money was made or lost, or a wager holds less than nothing."""
        if total(self) != 0:
            raise IllegalError("money was created or lost", value=show_units(total(self)))
        for account, amount in self.balances.items():
            if amount < 0 and account.kind in _NEVER_BELOW:
                raise IllegalError("less than nothing", value=f"{account} {show_units(amount)}")


_NEVER_BELOW = (
    AccountKind.PENDING,
    AccountKind.BANK,
    AccountKind.METER,
    AccountKind.RESERVE,
    AccountKind.COLLECTIONS,
)


def total(ledger: Ledger) -> Units:
    """Return the sum of all balances: nothing, always."""
    return sum(ledger.balances.values())


def open_wagers(ledger: Ledger) -> tuple[Account, ...]:
    """Return the wagers still on the layout."""
    return tuple(a for a, state in ledger.wagers.items() if state is WagerState.PENDING)

"""The ledger: balances that change only by balanced entries, and wagers that end exactly once.

A ledger is a value. Its maps share what they have in common with those they were made from, so that an
entry costs the same however many came before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from immutables import Map

from houseway.errors import IllegalError
from houseway.ledger.accounts import Account, AccountKind, Movement, Units, player, show_units, units
from houseway.money import Cents


class WagerState(StrEnum):
    """Where a wager stands: on the layout, or ended one way or the other."""

    PENDING = "pending"
    POSTED = "posted"
    VOIDED = "voided"


@dataclass(frozen=True)
class LedgerEntry:
    """Movements that belong together, under a name no other entry has, and the wagers that they concern.

    ``opens`` puts wagers on the layout, ``ends`` ends them as settled, ``voids`` as never played.
    """

    id: str
    movements: tuple[Movement, ...]
    opens: tuple[Account, ...] = ()
    ends: tuple[Account, ...] = ()
    voids: tuple[Account, ...] = ()


@dataclass(frozen=True)
class Ledger:
    """Every entry so far, the balances they make, and the state of every wager."""

    entries: Mapping[str, LedgerEntry] = Map()
    balances: Mapping[Account, Units] = Map()
    wagers: Mapping[Account, WagerState] = Map()

    def balance(self, account: Account) -> Units:
        """Return what an account holds; less than nothing is what it owes."""
        return self.balances.get(account, 0)

    def entry(self, entry_id: str) -> LedgerEntry:
        """Return an entry by its name."""
        try:
            return self.entries[entry_id]
        except KeyError:
            raise IllegalError("no such entry", value=entry_id) from None

    def post(self, entry: LedgerEntry) -> Ledger:
        """Return the ledger with one more entry; an entry that breaks a rule is refused."""
        if entry.id in self.entries:
            raise IllegalError("an entry of this name is posted already", value=entry.id)
        for account in entry.opens:
            if self.wagers.get(account) is WagerState.PENDING:
                raise IllegalError("the wager is on the layout already", value=str(account))
        for account in (*entry.ends, *entry.voids):
            if self.wagers.get(account) is not WagerState.PENDING and account not in entry.opens:
                raise IllegalError("the wager is not pending", value=str(account))
        balances = Map(self.balances).mutate()
        for movement in entry.movements:
            balances[movement.source] = balances.get(movement.source, 0) - movement.units
            balances[movement.to] = balances.get(movement.to, 0) + movement.units
        after = balances.finish()
        for account in {account for m in entry.movements for account in (m.source, m.to)}:
            if after[account] < 0 and account.kind in _NEVER_BELOW:
                raise IllegalError("less than nothing", value=f"{account} {show_units(after[account])}")
        for account in (*entry.ends, *entry.voids):
            if after.get(account, 0):
                raise IllegalError("the wager is not settled whole", value=str(account))
        entries = Map(self.entries).set(entry.id, entry)
        return replace(self, entries=entries, balances=after, wagers=self._wagers(entry))

    def _wagers(self, entry: LedgerEntry) -> Mapping[Account, WagerState]:
        wagers = Map(self.wagers).mutate()
        states = ((entry.opens, WagerState.PENDING), (entry.ends, WagerState.POSTED))
        for accounts, state in (*states, (entry.voids, WagerState.VOIDED)):
            for account in accounts:
                wagers[account] = state
        return wagers.finish()

    def place(self, account: Account, person: str, amount: Cents) -> Ledger:
        """Put a wager on the layout: the player's money, pending."""
        if account.kind is not AccountKind.PENDING:
            raise IllegalError("not the account of a wager", value=str(account))
        if account in self.wagers:
            raise IllegalError("the wager is placed already", value=str(account))
        movement = Movement(units(amount), player(person), account, "wager placed")
        return self.post(LedgerEntry(f"place {account}", (movement,), opens=(account,)))

    def settle(
        self, entry: LedgerEntry, ended: Iterable[Account], state: WagerState = WagerState.POSTED
    ) -> Ledger:
        """Post an entry that ends wagers; a wager that has ended, or is not emptied, is refused."""
        accounts = tuple(ended)
        if state is WagerState.VOIDED:
            return self.post(replace(entry, voids=accounts))
        return self.post(replace(entry, ends=accounts))

    def verify(self) -> None:
        """Refuse a ledger in which money was made or lost, or an account holds less than nothing."""
        if total(self) != 0:
            raise IllegalError("money was created or lost", value=show_units(total(self)))
        for account, amount in self.balances.items():
            if amount < 0 and account.kind in _NEVER_BELOW:
                raise IllegalError("less than nothing", value=f"{account} {show_units(amount)}")


_NEVER_BELOW: Final = (
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

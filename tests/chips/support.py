"""A tray with its ledger beside it, so that a test says who does what and what was refused."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import reduce

from msgspec.structs import replace

from houseway.chips import (
    ChipAction,
    Chips,
    ChipTurn,
    Tray,
    apply_movements,
    decide_chips,
    evolve_chips,
    post_chips,
    standard_config,
)
from houseway.chips.actions import CountOpener
from houseway.law.problems import RefusedError
from houseway.ledger import Account, AccountKind, Ledger, LedgerEntry, Movement, units
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor

NOON = datetime(2026, 1, 4, 12, tzinfo=UTC)
DEB, DON = Actor("Deb", Role.DEALER), Actor("Don", Role.DEALER)
FLO, FAY = Actor("Flo", Role.FLOORPERSON), Actor("Fay", Role.FLOORPERSON)
MAX = Actor("Max", Role.MANAGER)
AMY, ART = Actor("Amy", Role.ACCOUNTING), Actor("Art", Role.ACCOUNTING)
ANN = Actor("Ann", Role.PLAYER)
FLOAT: Chips = {100: 100, 500: 200, 2500: 200, 10000: 50}
"""$11,100 in chips, the tray of a table."""
FLOAT_VALUE = 11_100_00
_OF_TABLE = (AccountKind.INVENTORY, AccountKind.METER, AccountKind.RESERVE, AccountKind.COLLECTIONS)


class Book:
    """One table's chips, every turn of them, and the ledger that they are posted to."""

    def __init__(self, *, self_service: bool = False) -> None:
        self.config = replace(standard_config(), self_service=self_service)
        self.now = NOON
        self.tray, self.ledger = Tray(), Ledger()
        self.turns: list[ChipTurn] = []
        self.entries = 0

    def opened(self) -> Book:
        """Have the first opener counted."""
        self.do(CountOpener(FLOAT), DEB, FLO)
        return self

    def do(self, action: ChipAction, by: Actor = DEB, second: Actor | None = None) -> ChipTurn:
        """Do something, which must be allowed."""
        turn = decide_chips(self.tray, action, by, second, self.now, self.config)
        self.entries += 1
        self.tray = evolve_chips(self.tray, turn)
        self.ledger = post_chips(self.ledger, "t1", self.entries, turn)
        self.turns.append(turn)
        return turn

    def refused(self, action: ChipAction, by: Actor = DEB, second: Actor | None = None) -> list[str]:
        """Return every reason against something, which must not be allowed."""
        before = self.tray
        try:
            decide_chips(self.tray, action, by, second, self.now, self.config)
        except RefusedError as error:
            assert self.tray is before
            return [f"{problem.field}: {problem.reason}" for problem in error.problems]
        raise AssertionError(f"allowed: {action}")

    def play(self, *moved: tuple[int, Account, Account]) -> None:
        """Let a round move cents."""
        self.entries += 1
        movements = tuple(Movement(units(amount), source, to, "play") for amount, source, to in moved)
        self.tray = apply_movements(self.tray, movements)
        put = tuple(replace(m, source=_at_table(m.source), to=_at_table(m.to)) for m in movements)
        self.ledger = self.ledger.post(LedgerEntry(f"t1/{self.entries}", put))

    def later(self, hours: int) -> None:
        """Let time go by."""
        self.now += timedelta(hours=hours)

    def balance(self, *kinds: AccountKind) -> int:
        """Return what accounts of some kinds hold in the ledger, in cents."""
        amount_held = sum(amount for account, amount in self.ledger.balances.items() if account.kind in kinds)
        whole, part = divmod(amount_held, 10_000)
        assert part == 0
        return whole

    def check(self) -> None:
        """Hold the tray against the ledger, and against the fold of its turns."""
        self.ledger.verify()
        tray = self.tray
        assert tray.value == self.balance(*_OF_TABLE, AccountKind.SEED)
        assert sum(tray.people.values()) == self.balance(AccountKind.PLAYER)
        assert tray.layout == self.balance(AccountKind.PENDING, AccountKind.BANK)
        assert tray.box + sum(tray.taken.values()) == self.balance(AccountKind.DROP)
        sent = (
            -self.balance(AccountKind.CAGE)
            - self.balance(AccountKind.POCKET)
            - self.balance(AccountKind.VARIANCE)
        )
        assert sent == tray.total + tray.box + sum(tray.taken.values())
        assert all(amount >= 0 for amount in (tray.layout, tray.box, *tray.taken.values()))

    def refolded(self) -> Tray:
        """Return the tray folded anew from its turns; only without play between them."""
        return reduce(evolve_chips, self.turns, Tray())


def _at_table(account: Account) -> Account:
    return replace(account, where="t1") if account.kind in _OF_TABLE else account

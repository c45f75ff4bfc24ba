"""The ledger: every entry balances, every wager ends once, and nothing is edited or undone twice."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.errors import IllegalError, InvalidInputError
from houseway.ledger import (
    COLLECTIONS,
    INVENTORY,
    SEED,
    Account,
    AccountKind,
    Ledger,
    LedgerEntry,
    Movement,
    WagerState,
    open_wagers,
    pending,
    player,
    show_units,
    total,
    units,
)
from houseway.money import cents
from tests.support.amounts import parse_units

ANN = player("Ann")
WAGER = pending(3, "Ann", "main")
PLACED = Ledger().place(WAGER, "Ann", cents("$25"))


def move(amount: str, source: Account, to: Account) -> Movement:
    """Return a movement of dollars."""
    return Movement(units(cents(amount)), source, to, "test")


LOSE = LedgerEntry("settle", (move("$25", WAGER, INVENTORY),))
WIN = LedgerEntry("settle", (move("$25", WAGER, ANN), move("$25", INVENTORY, ANN)))
VOID = LedgerEntry("void", (move("$25", WAGER, ANN),))


def balances(ledger: Ledger) -> dict[str, str]:
    """Return the balances that are not nothing, as a person reads them."""
    return {
        str(account): show_units(held) for account, held in sorted(ledger.balances.items(), key=str) if held
    }


# --- wagers -------------------------------------------------------------------------------------


def test_a_placed_wager_is_the_players_money_on_the_layout() -> None:
    assert balances(PLACED) == {"player:Ann": "-$25", "pending:3/Ann/main": "$25"}
    assert open_wagers(PLACED) == (WAGER,)


def test_a_lost_wager_is_the_houses_and_a_won_one_comes_back_with_as_much() -> None:
    assert balances(PLACED.settle(LOSE, [WAGER])) == {"player:Ann": "-$25", "inventory": "$25"}
    assert balances(PLACED.settle(WIN, [WAGER])) == {"player:Ann": "$25", "inventory": "-$25"}


@pytest.mark.parametrize("state", [WagerState.POSTED, WagerState.VOIDED])
def test_a_wager_ends_exactly_once(state: WagerState) -> None:
    ended = PLACED.settle(VOID, [WAGER], state)
    assert ended.wagers[WAGER] is state
    assert open_wagers(ended) == ()
    for entry in (LOSE, LedgerEntry("again", ())):
        with pytest.raises(IllegalError, match="not pending"):
            ended.settle(entry, [WAGER])
    with pytest.raises(IllegalError, match="placed already"):
        ended.place(WAGER, "Ann", cents("$25"))


def test_a_wager_is_placed_once_and_only_on_the_layout() -> None:
    with pytest.raises(IllegalError, match="placed already"):
        PLACED.place(WAGER, "Ann", cents("$1"))
    with pytest.raises(IllegalError, match="not the account of a wager"):
        Ledger().place(INVENTORY, "Ann", cents("$1"))
    with pytest.raises(InvalidInputError, match="moves something"):
        Ledger().place(WAGER, "Ann", cents("$0"))


def test_a_wager_on_the_layout_is_not_opened_again_but_one_that_ended_may_be() -> None:
    more = LedgerEntry("more", (move("$5", ANN, WAGER),), opens=(WAGER,))
    with pytest.raises(IllegalError, match="on the layout already"):
        PLACED.post(more)
    for ended in (PLACED.settle(LOSE, [WAGER]), PLACED.settle(VOID, [WAGER], WagerState.VOIDED)):
        assert open_wagers(ended.post(more)) == (WAGER,)


def test_a_wager_that_was_never_placed_does_not_end() -> None:
    with pytest.raises(IllegalError, match="not pending"):
        Ledger().settle(LedgerEntry("settle", ()), [WAGER])


@pytest.mark.parametrize(("taken", "fine"), [("$24.99", False), ("$25", True), ("$25.01", False)])
def test_a_wager_ends_whole_and_never_holds_less_than_nothing(taken: str, fine: bool) -> None:
    entry = LedgerEntry("settle", (move(taken, WAGER, INVENTORY),))
    if fine:
        assert not open_wagers(PLACED.settle(entry, [WAGER]))
        return
    with pytest.raises(IllegalError, match="not settled whole|less than nothing"):
        PLACED.settle(entry, [WAGER])


@pytest.mark.parametrize("kind", ["pending", "bank", "meter", "reserve", "collections"])
def test_what_is_only_held_is_never_below_nothing(kind: str) -> None:
    account = Account(AccountKind(kind), "x")
    with pytest.raises(IllegalError, match="less than nothing"):
        Ledger().post(LedgerEntry("out", (Movement(1, account, ANN, "test"),)))
    filled = Ledger().post(LedgerEntry("in", (Movement(1, ANN, account, "test"),)))
    assert filled.post(LedgerEntry("out", (Movement(1, account, ANN, "test"),))).balance(account) == 0


@pytest.mark.parametrize("account", [ANN, INVENTORY, SEED])
def test_players_house_and_seed_may_owe(account: Account) -> None:
    assert (
        Ledger().post(LedgerEntry("out", (Movement(1, account, COLLECTIONS, "test"),))).balance(account) == -1
    )


# --- entries ------------------------------------------------------------------------------------


def test_an_entry_of_the_same_name_is_refused() -> None:
    once = PLACED.settle(LOSE, [WAGER])
    with pytest.raises(IllegalError, match="posted already"):
        once.post(LOSE)
    with pytest.raises(IllegalError, match="posted already"):
        once.post(LedgerEntry("settle", ()))


def test_a_refused_entry_leaves_the_ledger_as_it_was() -> None:
    with pytest.raises(IllegalError):
        PLACED.post(LedgerEntry("too much", (move("$26", WAGER, INVENTORY),)))
    assert balances(PLACED) == {"player:Ann": "-$25", "pending:3/Ann/main": "$25"}
    assert sorted(PLACED.entries) == ["place pending:3/Ann/main"]


def test_money_is_neither_made_nor_lost() -> None:
    with pytest.raises(IllegalError, match="created or lost"):
        Ledger(balances={INVENTORY: 1}).verify()
    with pytest.raises(IllegalError, match="created or lost"):
        Ledger(balances={INVENTORY: 1}).post(LedgerEntry("any", (move("$1", ANN, INVENTORY),))).verify()
    Ledger(balances={INVENTORY: 1, ANN: -1}).verify()


@pytest.mark.parametrize("amount", [-1, 0, 1])
def test_a_movement_moves_something_somewhere_else(amount: int) -> None:
    if amount > 0:
        assert Movement(amount, ANN, INVENTORY, "test").units == amount
    else:
        with pytest.raises(InvalidInputError, match="moves something"):
            Movement(amount, ANN, INVENTORY, "test")
    with pytest.raises(InvalidInputError, match="somewhere else"):
        Movement(1, ANN, ANN, "test")


# --- every ledger -------------------------------------------------------------------------------

names = st.text(min_size=0, max_size=12)
accounts = st.builds(Account, st.sampled_from(list(AccountKind)), names)
movements = st.tuples(st.integers(1, 10**12), accounts, accounts).filter(lambda m: m[1] != m[2])


@given(st.integers(-(10**15), 10**15))
def test_an_amount_is_read_as_it_is_written(amount: int) -> None:
    assert parse_units(show_units(amount)) == amount


@given(st.lists(st.lists(movements, max_size=4), max_size=6))
def test_no_entry_makes_or_loses_money(entries: list[list[tuple[int, Account, Account]]]) -> None:
    ledger, posted = Ledger(), []
    for number, moved in enumerate(entries):
        entry = LedgerEntry(str(number), tuple(Movement(amount, a, b, "test") for amount, a, b in moved))
        try:
            ledger = ledger.post(entry)
            posted.append(entry)
        except IllegalError as refused:
            assert refused.cause == "less than nothing"
        assert total(ledger) == 0
    assert sorted(ledger.entries) == sorted(entry.id for entry in posted)


def test_an_entry_costs_the_same_however_many_came_before() -> None:
    ledger, lines = Ledger(), {}
    for number in range(2_001):
        entry = LedgerEntry(str(number), (move("$1", ANN, Account(AccountKind.PLAYER, str(number))),))
        if number in (10, 2_000):
            lines[number] = lines_run(partial(ledger.post, entry))
        ledger = ledger.post(entry)
    assert lines[10] == lines[2_000]


def lines_run(call: Callable[[], object]) -> int:
    """Count the lines of Python that a call runs, as a measure of its work that no machine changes."""
    count = 0

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count

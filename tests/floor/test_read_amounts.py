"""Sums over payments, exact amounts written out, and what may be said of an entry that cannot be taken."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy.exc import DBAPIError, OperationalError, StatementError

from houseway.errors import IllegalError
from houseway.floor.export import exact_dollars
from houseway.floor.readmodels import amounts
from houseway.floor.readmodels.parked_entry import LONGEST_REASON, SHOWN, is_fault_of_entry, reason_of
from houseway.ledger import CAGE, INVENTORY, SEED, Account, AccountKind, pending, player
from houseway.settlement.model import Payment, PaymentKind
from houseway.store.store_errors import StoreError, UnstorableError

NOON = datetime(2026, 1, 4, 12, tzinfo=UTC)
ANN, BOB, WAGER = player("Ann"), player("Bob"), pending(2, "Ann", "main")
PLACES = {kind: Account(kind, "Ann" if kind is AccountKind.PLAYER else "link") for kind in AccountKind} | {
    AccountKind.PENDING: WAGER
}


def paid(source: Account, to: Account, units: int = 7, kind: PaymentKind = PaymentKind.PAY) -> Payment:
    return Payment(kind, units, source, to, 2, "Ann", "main", "")


GROUPS = {
    "house": (amounts.HOUSE, {AccountKind.INVENTORY, AccountKind.CAGE}),
    "meters": (amounts.METERS, {AccountKind.METER, AccountKind.RESERVE}),
    "fees": (amounts.FEES, {AccountKind.COLLECTIONS}),
    "seeds": (amounts.SEEDS, {AccountKind.SEED}),
    "players": (amounts.PLAYERS, {AccountKind.PLAYER}),
    "layout": (amounts.LAYOUT, {AccountKind.PENDING}),
    "banks": (amounts.BANKS, {AccountKind.BANK}),
}


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.parametrize("kind", AccountKind)
def test_accounts_are_told_apart_by_what_they_are(name: str, kind: AccountKind) -> None:
    group, kinds = GROUPS[name]
    account = PLACES[kind]
    elsewhere = Account(AccountKind.DROP, "elsewhere")
    came, went = paid(elsewhere, account), paid(account, elsewhere)
    sign = 1 if kind in kinds else 0
    assert amounts.into([came], group) == 7 * sign and amounts.into([went], group) == -7 * sign
    assert amounts.into([came, went], group) == 0


@pytest.mark.parametrize(
    ("source", "to", "amount"),
    [
        (INVENTORY, ANN, 7),
        (CAGE, ANN, 7),
        (ANN, INVENTORY, -7),
        (INVENTORY, CAGE, 0),
        (ANN, BOB, 0),
        (SEED, ANN, 0),
        (INVENTORY, WAGER, 0),
        (ANN, WAGER, 0),
    ],
    ids=str,
)
def test_what_goes_between_two_kinds_is_counted_one_way_and_less_the_other(
    source: Account, to: Account, amount: int
) -> None:
    assert amounts.between([paid(source, to)], amounts.HOUSE, amounts.PLAYERS) == amount
    assert amounts.between([paid(source, to)], amounts.PLAYERS, amounts.HOUSE) == -amount


@pytest.mark.parametrize("kind", PaymentKind)
def test_only_stakes_are_staked_and_all_others_come_back(kind: PaymentKind) -> None:
    up, back = paid(ANN, WAGER, 9, kind), paid(WAGER, ANN, 4, kind)
    is_stake = kind is PaymentKind.STAKE
    assert amounts.sum_stakes([up, back]) == (5 if is_stake else 0)
    assert amounts.sum_returned([up, back]) == (0 if is_stake else -5)
    bank = paid(ANN, PLACES[AccountKind.BANK], 9, kind)
    assert amounts.sum_stakes([bank], amounts.BANKS) == (9 if is_stake else 0)
    assert amounts.sum_stakes([bank]) == 0


def test_the_payments_of_a_person_are_those_that_touch_their_account() -> None:
    every = [paid(ANN, WAGER), paid(WAGER, ANN), paid(INVENTORY, BOB), paid(WAGER, INVENTORY)]
    assert amounts.of_person(every, "Ann") == every[:2]
    assert amounts.of_person(every, "Bob") == every[2:3]
    assert amounts.accounts_of(every) == {ANN, WAGER, INVENTORY, BOB}


@pytest.mark.parametrize(
    ("units", "text"),
    [
        (0, "0.00"),
        (1, "0.000001"),
        (-1, "-0.000001"),
        (9_999, "0.009999"),
        (10_000, "0.01"),
        (10_001, "0.010001"),
        (100_000, "0.10"),
        (999_999, "0.999999"),
        (1_000_000, "1.00"),
        (-1_000_000, "-1.00"),
        (1_000_001, "1.000001"),
        (12_345_678, "12.345678"),
        (12_345_600, "12.3456"),
    ],
)
def test_amounts_are_written_to_the_last_unit(units: int, text: str) -> None:
    assert exact_dollars(units) == text


# --- entries that a model cannot take -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (IllegalError("x"), True),
        (KeyError("x"), True),
        (ValueError("x"), True),
        (TypeError("x"), True),
        (AttributeError("x"), True),
        (AssertionError("x"), True),
        (OverflowError("x"), True),
        (RecursionError("x"), True),
        (UnstorableError("x"), True),
        (StatementError("x", None, None, ValueError("y")), True),
        (StoreError("x"), False),
        (DBAPIError("x", None, ValueError("y")), False),
        (OperationalError("x", None, ValueError("y")), False),
        (OSError("x"), False),
        (MemoryError("x"), False),
    ],
)
def test_an_entry_is_at_fault_where_it_would_fail_again(error: Exception, fault: bool) -> None:
    assert is_fault_of_entry(error) is fault


@pytest.mark.parametrize(("length", "shown"), [(299, 299), (300, 300), (301, 318)])
def test_a_reason_is_one_line_of_so_many_characters(length: int, shown: int) -> None:
    assert (LONGEST_REASON, SHOWN) == (300, 20)
    reason = reason_of(ValueError("x" * length))
    assert len(reason) == shown and reason.count("x") == min(length, LONGEST_REASON)


def test_a_reason_without_words_is_named_by_its_kind() -> None:
    assert reason_of(ValueError()) == "ValueError"
    assert reason_of(StatementError("x", None, None, KeyError("y"))) == "'y'"

"""The chips in front of people: bought for cash, changed, paid out, brought and taken."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace

from houseway.chips import chips_of, covers
from houseway.chips.actions import BringChips, BuyIn, CashOut, ColourUp, CountOpener, TakeChips
from houseway.chips.step import MOST_CASH, MOST_CHIPS
from houseway.chips.tray import DayCash
from houseway.ledger import INVENTORY, AccountKind, pending, player
from houseway.money import Cents
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from tests.chips.support import AMY, ANN, DEB, FLO, FLOAT_VALUE, Book

HUNDRED = BuyIn("Ann", Cents(100_00), {500: 10, 2500: 2})


@pytest.fixture
def book() -> Book:
    return Book().opened()


def test_a_buy_in_drops_the_cash_and_gives_chips_of_its_value(book: Book) -> None:
    book.do(HUNDRED)
    assert chips_of(book.tray, "Ann") == 100_00
    assert (book.tray.value, book.tray.box) == (FLOAT_VALUE - 100_00, 100_00)
    assert book.tray.inventory == {100: 100, 500: 190, 2500: 198, 10000: 50}
    assert book.tray.cash["Ann"].given == 100_00
    book.check()


def test_every_reason_against_a_buy_in_is_given_at_once() -> None:
    found = Book().refused(BuyIn(" ", Cents(0), {300: 1, 500: -1}), AMY, FLO)
    assert found == [
        "buy_in.by: to buy in is for dealer or floorperson or player",
        "buy_in.second: to buy in is for one person",
        "buy_in.person: the person is missing",
        "buy_in.shift: no shift is open: count the opener first",
        "buy_in.cash: an amount of money is needed",
        "buy_in.chips: no such chip is in use",
        "buy_in.chips: a number of chips from 0 to 1,000,000 is needed",
        "buy_in.chips: the chips are worth -$2, not the amount paid for them",
    ]


def test_a_name_that_no_store_can_take_is_refused(book: Book) -> None:
    action = BringChips("\ud800", Cents(1))
    assert book.refused(action) == ["bring_chips.action: cannot be written down"]


@pytest.mark.parametrize("cents", [-1, 1])
def test_the_chips_of_a_buy_in_are_worth_the_cash_to_the_cent(book: Book, cents: int) -> None:
    (found,) = book.refused(BuyIn("Ann", Cents(100_00 + cents), HUNDRED.chips))
    assert "not the amount paid for them" in found


def test_a_tray_sells_all_it_has_and_not_a_cent_more(book: Book) -> None:
    assert "request a fill first" in book.refused(BuyIn("Ann", Cents(11_101_00), {100: 11_101}))[0]
    book.do(BuyIn("Ann", Cents(11_100_00), {100: 11_100}))
    assert book.tray.value == 0


def test_players_serve_themselves_only_where_the_table_is_its_own_cashier(book: Book) -> None:
    assert book.refused(HUNDRED, ANN) == ["buy_in.by: to buy in at this table is for its dealer"]
    virtual = Book(self_service=True).opened()
    virtual.do(BuyIn("Ann", Cents(37_50)), ANN)
    assert virtual.refused(BuyIn("Bob", Cents(5_00)), ANN) == ["buy_in.by: players act for themselves only"]
    virtual.do(CashOut("Ann", Cents(37_50)), ANN)
    assert virtual.tray.people == {} and virtual.tray.value == FLOAT_VALUE
    virtual.check()


def test_a_table_that_is_not_its_own_cashier_pays_nobody_out(book: Book) -> None:
    book.do(HUNDRED)
    assert book.refused(CashOut("Ann", Cents(1_00))) == [
        "cash_out.table: chips are paid at the cage, not at this table"
    ]


@pytest.mark.parametrize("kind", [CashOut, TakeChips])
def test_nobody_cashes_out_or_takes_away_more_than_they_have(kind: type[CashOut | TakeChips]) -> None:
    for amount in (99_99, 100_00):
        book = Book(self_service=True).opened()
        book.do(HUNDRED)
        assert covers(book.tray, "Ann", amount)
        book.do(kind("Ann", Cents(amount)))
        assert chips_of(book.tray, "Ann") == 100_00 - amount
        book.check()
    book = Book(self_service=True).opened()
    book.do(HUNDRED)
    assert not covers(book.tray, "Ann", 100_01)
    (reason,) = book.refused(kind("Ann", Cents(100_01)))
    assert reason.endswith("Ann has $100 in chips here")


def test_chips_are_changed_for_as_much_and_move_no_money(book: Book) -> None:
    book.do(HUNDRED)
    before = book.tray
    book.do(ColourUp("Ann", {500: 5}, {2500: 1}))
    assert (book.tray.value, book.tray.people) == (before.value, before.people)
    assert book.tray.inventory == {100: 100, 500: 195, 2500: 197, 10000: 50}
    assert book.refused(ColourUp("Ann", {500: 5}, {2500: 2})) == [
        "colour_up.takes: chips for $25 must be exchanged for the same value"
    ]
    assert book.refused(ColourUp("Bob", {500: 5}, {2500: 1})) == [
        "colour_up.amount: Bob has $0 in chips here"
    ]
    assert len(book.refused(ColourUp("Ann", {}, {}))) == 2


def test_chips_come_from_elsewhere_and_go_away_with_their_person(book: Book) -> None:
    book.do(BringChips("Ann", Cents(60_00)), FLO)
    assert book.refused(BringChips("Ann", Cents(60_00)), ANN) != []
    book.do(TakeChips("Ann", Cents(25_00)))
    assert chips_of(book.tray, "Ann") == 35_00 and book.tray.value == FLOAT_VALUE
    book.check()


def test_play_moves_values_between_tray_layout_and_people(book: Book) -> None:
    book.do(HUNDRED)
    wager = pending(2, "Ann", "main")
    book.play((40_00, player("Ann"), wager))
    assert (chips_of(book.tray, "Ann"), book.tray.layout) == (60_00, 40_00)
    book.play((40_00, wager, player("Ann")), (40_00, INVENTORY, player("Ann")))
    assert (chips_of(book.tray, "Ann"), book.tray.layout) == (140_00, 0)
    assert book.tray.in_play == -40_00 and book.tray.total == FLOAT_VALUE
    assert book.balance(AccountKind.CAGE) == -FLOAT_VALUE
    book.check()


@pytest.mark.parametrize("role", [role for role in Role if role not in (Role.DEALER, Role.FLOORPERSON)])
def test_only_who_has_the_duty_sells_chips(book: Book, role: Role) -> None:
    assert any(found.startswith("buy_in.by") for found in book.refused(HUNDRED, Actor("Ann", role)))
    book.do(HUNDRED, DEB)
    book.do(HUNDRED, FLO)


@pytest.mark.parametrize("cents", [11_099_99, 11_100_00, 11_100_01])
def test_a_table_that_is_its_own_cashier_sells_what_its_tray_is_worth(cents: int) -> None:
    book = Book(self_service=True).opened()
    action = BuyIn("Ann", Cents(cents))
    if cents > FLOAT_VALUE:
        assert book.refused(action) == ["buy_in.chips: the tray holds $11,100: request a fill first"]
        return
    book.do(action)
    assert book.tray.value == FLOAT_VALUE - cents
    book.check()


@pytest.mark.parametrize("self_service", [False, True])
def test_only_a_table_that_is_its_own_cashier_lists_no_chips(self_service: bool) -> None:
    book = Book(self_service=self_service).opened()
    if self_service:
        assert book.do(BuyIn("Ann", Cents(1))).outcome.moved
    else:
        assert book.refused(BuyIn("Ann", Cents(1))) == ["buy_in.chips: list at least one chip"]


LEAST_AND_MOST = [(-1, False), (0, False), (1, True), (MOST_CASH, True), (MOST_CASH + 1, False)]


@pytest.mark.parametrize(("amount", "allowed"), LEAST_AND_MOST)
def test_chips_come_from_elsewhere_from_a_cent_to_the_most(book: Book, amount: int, allowed: bool) -> None:
    action = BringChips("Ann", Cents(amount))
    if allowed:
        book.do(action)
        assert chips_of(book.tray, "Ann") == amount
    else:
        assert book.refused(action) == ["bring_chips.amount: an amount of money is needed"]


def test_the_most_that_changes_hands_is_a_hundred_thousand_million_dollars() -> None:
    assert (MOST_CASH, MOST_CHIPS) == (10_000_000_000_000, 1_000_000)


@pytest.mark.parametrize(
    ("count", "allowed"), [(-1, False), (0, True), (1, True), (MOST_CHIPS, True), (MOST_CHIPS + 1, False)]
)
def test_chips_are_listed_from_none_to_a_million_of_a_kind(count: int, allowed: bool) -> None:
    book = Book()
    action = CountOpener({100: count})
    if allowed:
        book.do(action, DEB, FLO)
        assert book.tray.value == count * 100
    else:
        assert book.refused(action, DEB, FLO) == [
            "count_opener.chips: a number of chips from 0 to 1,000,000 is needed"
        ]


def test_chips_none_of_which_is_listed_are_not_changed(book: Book) -> None:
    book.do(HUNDRED)
    assert book.refused(ColourUp("Ann", {500: 0}, {2500: 0})) == [
        "colour_up.gives: list at least one chip",
        "colour_up.takes: list at least one chip",
    ]


def test_cash_given_and_cash_got_are_counted_apart_for_person_and_shift() -> None:
    book = Book(self_service=True).opened()
    book.do(BuyIn("Ann", Cents(100_00)))
    figures = book.tray.figures
    assert book.tray.cash == {"Ann": DayCash(Cents(100_00), Cents(0))}
    assert (figures.cash_in, figures.cash_out) == (100_00, 0)
    book.do(CashOut("Ann", Cents(30_00)))
    book.do(BuyIn("Bob", Cents(7_00)))
    figures = book.tray.figures
    assert book.tray.cash["Ann"] == DayCash(Cents(100_00), Cents(30_00))
    assert book.tray.cash["Bob"] == DayCash(Cents(7_00), Cents(0))
    assert (figures.cash_in, figures.cash_out) == (107_00, 30_00)


def test_cash_belongs_to_the_gaming_day_of_the_tray_until_it_is_rolled() -> None:
    book = Book(self_service=True)
    rows = [replace(row, since=date(2026, 1, 5)) for row in book.config.thresholds if row.until is None]
    book.config = replace(book.config, thresholds=tuple(rows))
    book.opened().later(24)
    assert book.config.gaming_day(book.now) == date(2026, 1, 5)
    assert not book.do(BuyIn("Ann", Cents(10_000_01))).outcome.reports


def test_chips_that_are_changed_are_told_by_what_was_moved(book: Book) -> None:
    book.do(HUNDRED)
    assert book.tray.moved == {500: -10, 2500: -2}
    book.do(ColourUp("Ann", {2500: 2}, {500: 10}))
    assert book.tray.moved == {500: -20}
    assert book.tray.inventory == {100: 100, 500: 180, 2500: 200, 10000: 50}
    assert book.tray.in_play == 0

"""Opener, closer, shift, gaming day and drop: differences shown and explained, nothing skipped."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from msgspec.structs import replace

from houseway.chips import ChipAction
from houseway.chips.actions import (
    BuyIn,
    CloseShift,
    CountCloser,
    CountDrop,
    CountOpener,
    RequestFill,
    RollDay,
    TakeDrop,
)
from houseway.chips.config import GamingDayStart
from houseway.ledger import INVENTORY, AccountKind, player
from houseway.money import Cents
from tests.chips.support import AMY, ART, DEB, DON, FAY, FLO, FLOAT, FLOAT_VALUE, MAX, Book

HUNDRED = BuyIn("Ann", Cents(100_00), {10000: 1})


@pytest.fixture
def book() -> Book:
    return Book().opened()


def close(book: Book) -> None:
    book.do(CountCloser({100: book.tray.value // 100}), DEB, FLO)
    book.do(CloseShift(), FLO)


def test_the_first_opener_is_what_the_cage_has_sent(book: Book) -> None:
    assert (book.tray.value, book.tray.open, book.tray.shift) == (FLOAT_VALUE, True, 1)
    assert book.tray.day == date(2026, 1, 4) and book.balance(AccountKind.CAGE) == -FLOAT_VALUE
    assert book.refused(CountOpener(FLOAT), DEB, FLO) == [
        "count_opener.shift: a shift is open: count its closer first"
    ]


@pytest.mark.parametrize("action", [CountOpener(FLOAT), CountCloser(FLOAT)])
def test_dealer_and_floorperson_count_together(action: ChipAction) -> None:
    book = Book() if isinstance(action, CountOpener) else Book().opened()
    assert any("needs two people" in found for found in book.refused(action, DEB))
    assert any("is seen by floorperson or manager" in found for found in book.refused(action, DEB, DON))
    assert any("is for dealer" in found for found in book.refused(action, FLO, FAY))
    same = replace(FLO, id="Deb")
    assert any("two different people" in found for found in book.refused(action, DEB, same))
    book.do(action, DEB, MAX)


@pytest.mark.parametrize(("dollars", "word"), [(-1, "short"), (1, "over")])
def test_a_closer_that_differs_is_explained_and_the_difference_booked(
    book: Book, dollars: int, word: str
) -> None:
    count = {**FLOAT, 100: 100 + dollars}
    assert book.refused(CountCloser(count), DEB, FLO) == [
        f"count_closer.reason: the count is {word}: the difference is explained"
    ]
    turn = book.do(CountCloser(count, "a chip under the rack"), DEB, FLO)
    assert turn.outcome.expected == FLOAT_VALUE
    assert book.tray.figures.variance == dollars * 100
    assert book.balance(AccountKind.VARIANCE) == -dollars * 100
    assert book.tray.value == FLOAT_VALUE + dollars * 100
    book.check()


def test_a_shift_closes_with_what_it_came_to(book: Book) -> None:
    book.do(HUNDRED)
    book.play((60_00, player("Ann"), INVENTORY))
    assert book.refused(CloseShift(), FLO) == ["close_shift.shift: count the closer first"]
    book.do(CountCloser({100: 11_060}), DEB, FLO)
    assert book.refused(HUNDRED) == ["buy_in.shift: the closer is counted: close the shift first"]
    figures = book.do(CloseShift(), FLO).outcome.figures
    assert figures is not None
    assert (figures.opener, figures.closer, figures.cash_in) == (FLOAT_VALUE, 11_060_00, 100_00)
    assert figures.win == 60_00
    assert not book.tray.open and book.refused(CloseShift(), FLO) == ["close_shift.shift: no shift is open"]
    book.check()


def test_play_after_the_closer_asks_for_another_count(book: Book) -> None:
    book.do(HUNDRED)
    book.do(CountCloser({100: 11_000}), DEB, FLO)
    book.play((5_00, player("Ann"), INVENTORY))
    assert "count it again" in book.refused(CloseShift(), FLO)[0]
    book.do(CountCloser({100: 11_005}), DEB, FLO)
    figures = book.do(CloseShift(), FLO).outcome.figures
    assert figures is not None and (figures.variance, figures.win) == (0, 5_00)


def test_the_next_opener_is_held_against_the_closer(book: Book) -> None:
    close(book)
    assert "the difference is explained" in book.refused(CountOpener({100: 11_099}), DEB, FLO)[0]
    book.do(CountOpener({100: 11_099}, "found short by the relief"), DEB, FLO)
    assert (book.tray.shift, book.tray.figures.variance) == (2, -1_00)
    book.check()


def test_nothing_is_sold_or_filled_between_shifts(book: Book) -> None:
    close(book)
    for action, by in ((HUNDRED, DEB), (RequestFill({500: 1}), FLO)):
        assert "no shift is open" in book.refused(action, by)[0]


# --- the gaming day -------------------------------------------------------------------------------------


def test_a_gaming_day_rolls_at_its_hour_with_no_shift_open_and_the_drop_taken(book: Book) -> None:
    book.do(HUNDRED)
    assert len(book.refused(RollDay(), FLO)) == 3
    close(book)
    book.do(TakeDrop("B7"), FLO, FAY)
    assert book.refused(RollDay(), FLO) == ["roll_day.day: a gaming day ends at 6:00 UTC"]
    book.later(18)
    assert book.refused(CountOpener({100: 11_000}), DEB, FLO) == [
        "count_opener.day: the gaming day is over: roll it first"
    ]
    book.do(RollDay(), FLO)
    assert (book.tray.day, book.tray.shift, book.tray.cash) == (date(2026, 1, 5), 0, {})
    book.do(CountOpener({100: 11_000}), DEB, FLO)
    assert book.tray.shift == 1
    book.check()


def test_no_day_rolls_before_one_has_begun() -> None:
    assert Book().refused(RollDay(), FLO) == ["roll_day.day: no gaming day has begun: count the opener"]


@pytest.mark.parametrize(
    ("zone", "moment", "day"),
    [
        ("UTC", datetime(2026, 1, 5, 5, 59, 59, tzinfo=UTC), date(2026, 1, 4)),
        ("UTC", datetime(2026, 1, 5, 6, tzinfo=UTC), date(2026, 1, 5)),
        ("America/New_York", datetime(2026, 1, 5, 10, 59, tzinfo=UTC), date(2026, 1, 4)),
        ("America/New_York", datetime(2026, 1, 5, 11, 0, tzinfo=UTC), date(2026, 1, 5)),
        ("America/New_York", datetime(2026, 7, 5, 9, 59, tzinfo=UTC), date(2026, 7, 4)),
        ("America/New_York", datetime(2026, 7, 5, 10, 0, tzinfo=UTC), date(2026, 7, 5)),
        ("America/New_York", datetime(2026, 3, 8, 10, 0, tzinfo=UTC), date(2026, 3, 8)),  # clocks go forward
    ],
)
def test_a_gaming_day_begins_at_the_local_hour_summer_and_winter(
    zone: str, moment: datetime, day: date
) -> None:
    config = replace(Book().config, day=GamingDayStart(zone=zone, rolls_at=6))
    assert config.gaming_day(moment) == day


# --- the drop -------------------------------------------------------------------------------------------


def test_the_drop_is_taken_by_two_people_and_counted_by_accounting(book: Book) -> None:
    book.do(HUNDRED)
    assert book.refused(TakeDrop(""), FLO) == [
        "take_drop.second: to take drop needs two people",
        "take_drop.box: the number of the drop box is needed",
    ]
    book.do(TakeDrop("B7"), FLO, FAY)
    book.do(HUNDRED)
    assert (book.tray.box, book.tray.taken) == (100_00, {"B7": 100_00})
    assert book.refused(TakeDrop("B7"), FLO, FAY) == [
        "take_drop.box: the box of this number was taken and is not counted yet"
    ]
    assert book.refused(CountDrop("B7", Cents(100_00)), FLO, FAY)[0].endswith("is for accounting")
    book.do(CountDrop("B7", Cents(100_00)), AMY, ART)
    assert (book.tray.box, book.tray.taken) == (100_00, {})
    assert book.refused(CountDrop("B7", Cents(100_00)), AMY, ART) == [
        "count_drop.box: no box of this number waits to be counted"
    ]
    book.check()


@pytest.mark.parametrize(("cents", "word"), [(-1, "short"), (1, "over")])
def test_a_drop_that_differs_is_explained_to_the_cent(book: Book, cents: int, word: str) -> None:
    book.do(HUNDRED)
    book.do(TakeDrop("B7"), FLO, FAY)
    cash = Cents(100_00 + cents)
    assert book.refused(CountDrop("B7", cash), AMY, ART) == [
        f"count_drop.reason: the count is {word}: the difference is explained"
    ]
    book.do(CountDrop("B7", cash, "a torn note"), AMY, ART)
    assert book.balance(AccountKind.VARIANCE) == -cents and book.balance(AccountKind.DROP) == 0
    book.check()


@pytest.mark.parametrize(("over", "word"), [(-1, "short"), (1, "over")])
def test_a_difference_of_one_cent_is_booked_as_over_or_short(book: Book, over: int, word: str) -> None:
    book.do(HUNDRED)
    book.play((1_00 - over, player("Ann"), INVENTORY))
    counted = CountCloser({100: 11_001}, " found so ")
    assert book.refused(CountCloser(counted.chips), DEB, FLO) == [
        f"count_closer.reason: the count is {word}: the difference is explained"
    ]
    (movement,) = book.do(counted, DEB, FLO).outcome.moved
    assert movement.reason == f"count {word}: found so"
    assert book.tray.figures.variance == over
    book.check()


@pytest.mark.parametrize(("over", "word"), [(-1, "short"), (1, "over")])
def test_a_drop_that_differs_says_so_in_the_books(book: Book, over: int, word: str) -> None:
    book.do(HUNDRED)
    book.do(TakeDrop("B7"), FLO, FAY)
    turn = book.do(CountDrop("B7", Cents(100_00 + over), " a torn note "), AMY, ART)
    assert [one.reason for one in turn.outcome.moved] == [f"drop {word}: a torn note", "drop box B7"]


@pytest.mark.parametrize(("cash", "allowed"), [(-1, False), (0, True), (1, True)])
def test_a_drop_box_holds_nothing_or_more(book: Book, cash: int, allowed: bool) -> None:
    book.do(TakeDrop("B7"), FLO, FAY)
    action = CountDrop("B7", Cents(cash), "found so")
    if not allowed:
        assert book.refused(action, AMY, ART) == ["count_drop.cash: an amount of money is needed"]
        return
    book.do(action, AMY, ART)
    assert book.tray.taken == {} and book.balance(AccountKind.CAGE) == -FLOAT_VALUE + cash


def test_of_several_boxes_only_the_one_that_was_counted_is_gone(book: Book) -> None:
    for box in ("A", "B", "C"):
        book.do(HUNDRED)
        book.do(TakeDrop(box), FLO, FAY)
        assert book.tray.box == 0
    book.do(CountDrop("B", Cents(100_00)), AMY, ART)
    assert book.tray.taken == {"A": 100_00, "C": 100_00}
    book.check()


@pytest.mark.parametrize(("hours", "over"), [(17, False), (18, True), (42, True)])
def test_an_opener_waits_for_the_day_to_be_rolled_from_its_hour_on(
    book: Book, hours: int, over: bool
) -> None:
    close(book)
    book.later(hours)  # it was noon
    opener = CountOpener({100: 11_100})
    if not over:
        book.do(opener, DEB, FLO)
        assert (book.tray.day, book.tray.shift) == (date(2026, 1, 4), 2)
        return
    assert book.refused(opener, DEB, FLO) == ["count_opener.day: the gaming day is over: roll it first"]
    book.do(RollDay(), FLO)
    assert book.tray.day == book.config.gaming_day(book.now)
    book.do(opener, DEB, FLO)
    assert book.tray.shift == 1


def test_a_count_of_no_chips_is_a_count(book: Book) -> None:
    empty = Book()
    empty.do(CountOpener({}), DEB, FLO)
    empty.do(CountCloser({500: 0}), DEB, FLO)
    assert (empty.tray.value, empty.tray.counted, empty.tray.open) == (0, {}, True)
    assert book.refused(CountCloser({}), DEB, FLO) == [
        "count_closer.reason: the count is short: the difference is explained"
    ]

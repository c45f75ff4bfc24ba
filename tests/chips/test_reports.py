"""Reports: due at the very cent, once, by the source that says so, in the years it says so."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace

from houseway.chips import award_reports, reports_due, standard_config
from houseway.chips.actions import BuyIn, CashOut
from houseway.chips.reports import Per, Threshold, ThresholdKind, awards_of
from houseway.games import example_submission, rules_for
from houseway.money import Cents
from houseway.rng import SeededEntropy
from houseway.rounds.auto import auto_round
from houseway.rounds.deciding import evolve_all
from tests.chips.support import DEB, FLO, Book

ROWS = standard_config().thresholds
OLD, NEW = date(2025, 12, 31), date(2026, 1, 1)


def due(day: date, counted: ThresholdKind, amount: int, before: int = 0, wager: int = 0) -> list[str]:
    found = reports_due(ROWS, day, counted, "Ann", Cents(amount), before=before, wager=wager)
    assert all(one.source and one.person == "Ann" for one in found)
    return [one.threshold for one in found]


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        (2_499_99, []),
        (2_500_00, ["multiple"]),
        (10_000_00, ["multiple"]),
        (10_000_01, ["currency", "multiple"]),
    ],
)
@pytest.mark.parametrize(("counted", "way"), [(ThresholdKind.CASH_IN, "in"), (ThresholdKind.CASH_OUT, "out")])
def test_cash_is_reported_beyond_ten_thousand_dollars(
    counted: ThresholdKind, way: str, amount: int, expected: list[str]
) -> None:
    assert due(NEW, counted, amount) == [f"{name}_{way}" for name in expected]


@pytest.mark.parametrize(
    ("before", "reported"), [(9_899_99, 0), (9_900_00, 0), (9_900_01, 1), (10_000_01, 0)]
)
def test_the_cash_of_a_gaming_day_adds_up_and_is_reported_once(before: int, reported: int) -> None:
    assert due(NEW, ThresholdKind.CASH_IN, 100_00, before) == ["currency_in"] * reported


@pytest.mark.parametrize(
    ("day", "won", "expected"),
    [
        (OLD, 599_99, []),
        (OLD, 600_00, ["winnings"]),
        (OLD, 600_01, ["winnings"]),
        (NEW, 600_00, []),
        (NEW, 1_999_99, []),
        (NEW, 2_000_00, ["winnings"]),
        (NEW, 2_000_01, ["winnings"]),
        (NEW, 5_000_00, ["winnings"]),
        (NEW, 5_000_01, ["winnings", "withholding"]),
    ],
)
def test_winnings_are_reported_from_the_amount_of_their_year(
    day: date, won: int, expected: list[str]
) -> None:
    assert due(day, ThresholdKind.WINNINGS, won, wager=1_00) == expected


@pytest.mark.parametrize(
    ("won", "expected"), [(2_999_99, []), (3_000_00, ["winnings"]), (3_000_01, ["winnings"])]
)
def test_winnings_are_reported_from_three_hundred_times_the_wager(won: int, expected: list[str]) -> None:
    assert due(NEW, ThresholdKind.WINNINGS, won, wager=10_00) == expected


def test_no_threshold_holds_before_it_began() -> None:
    assert due(date(2010, 1, 1), ThresholdKind.CASH_IN, 50_000_00) == []


def test_a_turn_says_which_reports_it_makes_due() -> None:
    book = Book(self_service=True).opened()
    first = book.do(BuyIn("Ann", Cents(9_000_00), {10000: 90}))
    assert [one.threshold for one in first.outcome.reports] == ["multiple_in"]
    book.do(CashOut("Ann", Cents(2_000_00)))
    second = book.do(BuyIn("Ann", Cents(1_000_01)))
    (report,) = second.outcome.reports
    assert (report.threshold, report.amount) == ("currency_in", 10_000_01)
    assert "31 CFR 1021.311" in report.source
    book.do(CashOut("Ann", Cents(8_000_00)), FLO)
    assert book.tray.cash["Ann"].got == 10_000_00
    (last,) = book.do(CashOut("Ann", Cents(1)), DEB).outcome.reports
    assert last.threshold == "currency_out"


def test_awards_of_a_round_are_what_it_paid_beyond_the_wagers() -> None:
    record = auto_round(rules_for(example_submission("pa-659a")), SeededEntropy("demo"), name="demo")
    table = record.before
    won: dict[tuple[str, str], tuple[int, int]] = {}
    for turn in record.turns:
        for event in turn.events:
            found = awards_of(table, event)
            won |= {(one.person, one.wager): (one.won, one.staked) for one in found}
            assert not award_reports(ROWS, NEW, table, event)
            table = evolve_all(table, (event,))
    assert won[("Ann", "insurance")] == (35_00, 5_00)
    assert won[("Bob", "main")] == (10_00, 10_00)
    assert ("Ann", "main") not in won


@pytest.mark.parametrize(("day", "holds"), [(date(2011, 2, 28), False), (date(2011, 3, 1), True)])
def test_a_threshold_holds_from_its_first_day_on(day: date, holds: bool) -> None:
    assert bool(due(day, ThresholdKind.CASH_IN, 50_000_00)) is holds


PLAIN = Threshold(
    id="plain",
    report="a form",
    counts=ThresholdKind.WINNINGS,
    per=Per.TRANSACTION,
    since=date(2020, 1, 1),
    until=date(2021, 1, 1),
    source="a law",
    at_least=Cents(1_00),
)


@pytest.mark.parametrize(
    ("day", "holds"),
    [
        (date(2019, 12, 31), False),
        (date(2020, 1, 1), True),
        (date(2020, 12, 31), True),
        (date(2021, 1, 1), False),
    ],
)
def test_a_threshold_holds_until_the_day_before_its_end(day: date, holds: bool) -> None:
    assert bool(reports_due([PLAIN], day, ThresholdKind.WINNINGS, "Ann", Cents(1_00))) is holds


@pytest.mark.parametrize(("amount", "reached"), [(99, False), (1_00, True), (1_01, True)])
@pytest.mark.parametrize("wager", [0, 1, 500_00])
def test_winnings_are_compared_with_the_wager_only_where_the_row_says_so(
    wager: int, amount: int, reached: bool
) -> None:
    day = date(2020, 1, 1)
    found = reports_due([PLAIN], day, ThresholdKind.WINNINGS, "Ann", Cents(amount), wager=wager)
    assert [one.amount for one in found] == [amount] * reached


@pytest.mark.parametrize(("amount", "reports"), [(10_000_00, 0), (10_000_01, 1)])
def test_the_first_cash_of_a_day_is_all_of_it(amount: int, reports: int) -> None:
    found = reports_due(ROWS[:1], NEW, ThresholdKind.CASH_IN, "Ann", Cents(amount))
    assert [one.amount for one in found] == [amount] * reports


@pytest.mark.parametrize("counted", ThresholdKind)
def test_a_row_counts_what_it_says_and_nothing_else(counted: ThresholdKind) -> None:
    found = reports_due(ROWS, NEW, counted, "Ann", Cents(50_000_00))
    every = {row.id for row in ROWS if row.counts is counted and row.until is None}
    assert {one.threshold for one in found} == every


@pytest.mark.parametrize("before", [0, 1, 9_999_99, 50_000_00])
def test_what_is_reported_by_transaction_does_not_ask_what_came_before(before: int) -> None:
    rows = [row for row in ROWS if row.id == "multiple_in"]
    for amount, reports in ((2_499_99, 0), (2_500_00, 1)):
        found = reports_due(rows, NEW, ThresholdKind.CASH_IN, "Ann", Cents(amount), before=before)
        assert [one.amount for one in found] == [amount] * reports


def test_a_limit_of_nothing_is_passed_by_the_first_cent_of_a_day() -> None:
    first = replace(ROWS[0], more_than=None, at_least=Cents(0))
    for before, reports in ((0, 1), (1, 0)):
        found = reports_due([first], NEW, ThresholdKind.CASH_IN, "Ann", Cents(1), before=before)
        assert len(found) == reports

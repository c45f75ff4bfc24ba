"""Reports: due at the very cent, once, by the source that says so, in the years it says so."""

from __future__ import annotations

from datetime import date

import pytest

from houseway.chips import award_reports, reports_due, standard_config
from houseway.chips.actions import BuyIn, CashOut
from houseway.chips.reports import Counted, awards_of
from houseway.games import example_submission, rules_for
from houseway.money import Cents
from houseway.rng import SeededEntropy
from houseway.rounds.auto import auto_round
from houseway.rounds.deciding import evolve_all
from tests.chips.support import DEB, FLO, Book

ROWS = standard_config().thresholds
OLD, NEW = date(2025, 12, 31), date(2026, 1, 1)


def due(day: date, counted: Counted, amount: int, before: int = 0, wager: int = 0) -> list[str]:
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
@pytest.mark.parametrize(("counted", "way"), [(Counted.CASH_IN, "in"), (Counted.CASH_OUT, "out")])
def test_cash_is_reported_beyond_ten_thousand_dollars(
    counted: Counted, way: str, amount: int, expected: list[str]
) -> None:
    assert due(NEW, counted, amount) == [f"{name}_{way}" for name in expected]


@pytest.mark.parametrize(
    ("before", "reported"), [(9_899_99, 0), (9_900_00, 0), (9_900_01, 1), (10_000_01, 0)]
)
def test_the_cash_of_a_gaming_day_adds_up_and_is_reported_once(before: int, reported: int) -> None:
    assert due(NEW, Counted.CASH_IN, 100_00, before) == ["currency_in"] * reported


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
    assert due(day, Counted.WINNINGS, won, wager=1_00) == expected


@pytest.mark.parametrize(
    ("won", "expected"), [(2_999_99, []), (3_000_00, ["winnings"]), (3_000_01, ["winnings"])]
)
def test_winnings_are_reported_from_three_hundred_times_the_wager(won: int, expected: list[str]) -> None:
    assert due(NEW, Counted.WINNINGS, won, wager=10_00) == expected


def test_no_threshold_holds_before_it_began() -> None:
    assert due(date(2010, 1, 1), Counted.CASH_IN, 50_000_00) == []


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

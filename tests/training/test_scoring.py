"""What an answer gives up decides its word and its points, at every threshold."""

from __future__ import annotations

from fractions import Fraction

import pytest

from houseway.cards import parse_cards, parse_setting
from houseway.errors import InvalidInputError
from houseway.houseways import decide
from houseway.odds.coach import HandAdvice, SettingOdds
from houseway.training import Mark, score
from houseway.training.scoring import mark_of, points_of
from tests.training.support import program

STEP = Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("per_cent", "below", "from_there"),
    [
        ("0.5", Mark.GOOD, Mark.INACCURACY),
        ("2", Mark.INACCURACY, Mark.MISTAKE),
        ("6", Mark.MISTAKE, Mark.BLUNDER),
    ],
)
def test_a_mark_ends_where_the_next_begins(per_cent: str, below: Mark, from_there: Mark) -> None:
    limit = Fraction(per_cent) / 100
    assert (mark_of(limit - STEP), mark_of(limit), mark_of(limit + STEP)) == (below, from_there, from_there)


def test_only_what_gives_up_nothing_is_best() -> None:
    assert (mark_of(Fraction(0)), mark_of(STEP)) == (Mark.BEST, Mark.GOOD)
    with pytest.raises(InvalidInputError, match="worth more than the best"):
        mark_of(-STEP)


@pytest.mark.parametrize(
    ("per_cent", "points"),
    [("0", 100), ("0.25", 75), ("0.5", 50), ("1.25", 25), ("2", 0), ("4", -25), ("6", -50), ("9", -75)],
)
def test_points_lie_on_straight_lines_between_the_marks(per_cent: str, points: int) -> None:
    assert points_of(Fraction(per_cent) / 100) == points


def test_points_end_at_a_hundred_below_nothing() -> None:
    assert [points_of(Fraction(lost, 1000)) for lost in (119, 120, 121, 2000)] == [-99, -100, -100, -100]


HAND = parse_cards("Ks Kh 9d 9s 5h 4d")
TWO_PAIR = parse_setting("KsKh9d9s4d / 5h")
SPLIT = parse_setting("KsKh9d5h4d / 9s")


def test_the_house_way_tells_where_it_is_best() -> None:
    way = program("pa-670a")
    best, other = SettingOdds(TWO_PAIR, 600, 0, 400), SettingOdds(SPLIT, 585, 0, 415)
    found = score(way.ranking, HandAdvice((best, other), best, "two-pair"), decide(way, HAND), SPLIT)
    # 0.6 - 0.4 is won by the best, 0.585 - 0.415 by the other: 3 % of a wager less
    assert (found.lost, found.mark, found.failed) == (Fraction(3, 100), Mark.MISTAKE, True)
    assert found.told_by.startswith("the house way, two-pair: ")
    assert found.clauses == ("pa670a.11.d.1.s1", "pa670a.11.d.1.s2")


def test_where_the_house_way_is_not_best_the_best_is_told_part_by_part() -> None:
    way = program("pa-670a")
    best, other = SettingOdds(SPLIT, 600, 0, 400), SettingOdds(TWO_PAIR, 599, 0, 401)
    found = score(way.ranking, HandAdvice((best, other), other, "two-pair"), decide(way, HAND), TWO_PAIR)
    assert (found.lost, found.mark, found.failed) == (Fraction(2, 1000), Mark.GOOD, False)
    assert "high: pair of kings, nine-five-four; low: nine-high" in found.told_by
    assert found.clauses == ()


def test_the_commission_is_taken_off_what_is_won() -> None:
    way = program("pa-670a")
    best, other = (
        SettingOdds(one, wins, 0, 100 - wins, Fraction(1, 20)) for one, wins in ((SPLIT, 60), (TWO_PAIR, 50))
    )
    found = score(way.ranking, HandAdvice((best, other), best, ""), decide(way, HAND), TWO_PAIR)
    assert found.lost == Fraction(60 * 95 - 40 * 100, 10_000) - Fraction(50 * 95 - 50 * 100, 10_000)

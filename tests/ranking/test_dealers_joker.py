"""What the dealer's joker counts for in a run of all six cards, under both readings of six:A11."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from houseway.cards import JOKER, Card, parse_setting, show_setting
from houseway.houseways import compile_way, house_way
from houseway.houseways.batch import set_hands
from houseway.ranking import Ranking, dealer_valued, describe, race, ranking
from houseway.ranking.held import runs
from houseway.ranking.settings import dealer_strengths, part_strengths
from tests.support.hands import Array, cards_of


def order(**readings: str) -> Ranking:
    return ranking("pa-670a", readings=readings)


@pytest.mark.parametrize(
    ("setting", "counts_as", "best", "completed"),
    [
        ("2s3h4s5dJk / 7c", "2s3h4s5d6s / 7c", "straight, ace to five", "straight, six to two"),
        ("3s4d5c6hJk / Ah", "3s4d5c6h2s / Ah", "straight, seven to three", "straight, six to two"),
        ("2s3s4s5sJk / 7s", "2s3s4s5s6s / 7s", "straight flush, ace to five", "straight flush, six to two"),
        ("4s5h6s7dJk / 8c", "4s5h6s7d3s / 8c", "straight, eight to four", "straight, seven to three"),
        ("TsJsQsKsJk / As", "TsJsQsKs9s / As", "royal flush, ace to ten", "straight flush, king to nine"),
        ("4s5h6sJk8d / 9c", "4s5h6s7s8d / 9c", "straight, eight to four", "straight, eight to four"),
        ("4s5h6s7d8c / Jk", "4s5h6s7d8c / Jk", "straight, eight to four", "straight, eight to four"),
        ("2s3s4s5sJk / 7h", "2s3s4s5sJk / 7h", "straight flush, ace to five", "straight flush, ace to five"),
        (
            "2s3s4s7sJk / 5h",
            "2s3s4s7sJk / 5h",
            "flush, ace-seven-four-three-two",
            "flush, ace-seven-four-three-two",
        ),
        ("4s6h7s8dJk / Tc", "4s6h7s8dJk / Tc", "straight, eight to four", "straight, eight to four"),
        ("AsJk9h5d2c / Kd", "AsJk9h5d2c / Kd", "pair of aces, nine-five-two", "pair of aces, nine-five-two"),
    ],
)
def test_the_joker_keeps_the_rank_it_has_in_the_run_of_six(
    setting: str, counts_as: str, best: str, completed: str
) -> None:
    dealer = parse_setting(setting)
    plain, other = order(), order(six_dealer_joker_value="as_completed")
    assert dealer_valued(plain, dealer) == dealer
    assert show_setting(dealer_valued(other, dealer)) == counts_as
    said = [describe(one.rank("high", dealer_valued(one, dealer)[0])) for one in (plain, other)]
    assert said == [best, completed]


def test_a_players_joker_counts_at_its_best_under_either_reading() -> None:
    mine, theirs = parse_setting("2s3h4s5dJk / 7c"), parse_setting("KsQdJhTs9d / 4c")
    for choice in ("best_value", "as_completed"):
        assert race(order(six_dealer_joker_value=choice), mine, theirs).parts == ("W", "W")


def every_run_with_the_joker() -> Array:
    """Return every hand of five natural cards that make a run of six with the joker."""
    kept = {frozenset(run) - {rank} for run in runs(6, "lowest") for rank in run}
    hands = [
        [*sorted(Card.of(rank, suit) for rank, suit in zip(sorted(ranks), suits, strict=True)), JOKER]
        for ranks in sorted(kept, key=sorted)
        for suits in product(range(4), repeat=5)
    ]
    return np.array(hands, dtype=np.uint8)


@pytest.mark.parametrize(
    ("natural_run", "counted"),
    [("joker_low_as_ace", 1_928), ("lowest_straight", 10_604)],
)
def test_how_many_hands_count_for_less(natural_run: str, counted: int) -> None:
    chosen = order(six_dealer_joker_value="as_completed", six_natural_run_plus_joker=natural_run)
    found = set_hands(compile_way(house_way("pa-670a"), base=chosen), every_run_with_the_joker())
    parts = [found.parts(part) for part in range(2)]
    less = 0
    for high, low in zip(*parts, strict=True):
        if JOKER in high:
            setting = cards_of(high), cards_of(low)
            best, valued = part_strengths(chosen, setting)[0], dealer_strengths(chosen, setting)[0]
            assert valued <= best
            less += valued < best
    assert less == counted

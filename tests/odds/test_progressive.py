"""A progressive in the long run: the hold that the rulemaking prints, break-even meters, rounds to a hit."""

from __future__ import annotations

from fractions import Fraction

import pytest

from houseway.errors import InvalidInputError
from houseway.games import Rules, example_submission
from houseway.money import cents
from houseway.odds import side_odds
from houseway.odds.progressive import ProgressiveOdds, progressive_odds


def odds_of(game_id: str, amount: str, seed: str, rate: str, reserve: str = "0") -> ProgressiveOdds:
    rules = Rules.of(example_submission(game_id))
    parts = (Fraction(rate), Fraction(reserve))
    odds = side_odds(rules, "progressive")
    return progressive_odds(rules.paytable("progressive"), odds, cents(amount), cents(seed), *parts)


@pytest.mark.parametrize(("seed", "rate"), [("$2,900", "29/100"), ("$30,000", "25/100")])
def test_the_published_hold_is_met_by_more_than_one_pair_of_rate_and_seed(seed: str, rate: str) -> None:
    found = odds_of("pa-659a", "$1", seed, rate)
    assert round(float(100 * found.hold), 1) == 24.3


def test_a_wager_returns_its_fixed_lines_its_contribution_its_reserve_and_the_seeds() -> None:
    found = odds_of("pa-670a", "$1", "$5,000", "21/100")
    assert found.fixed_return + found.contribution + found.reserve + found.seed_cost + found.hold == 1
    assert found.seed_cost == found.whole_award * 5000
    twice = odds_of("pa-670a", "$5", "$25,000", "21/100")
    assert (twice.hold, twice.seed_cost) == (found.hold, found.seed_cost)


def test_the_break_even_meter_is_the_least_at_which_nothing_is_lost() -> None:
    found = odds_of("pa-670a", "$1", "$5,000", "21/100")
    least = found.break_even
    assert least is not None
    paid = sum((chance * share for chance, share in found.shares.values()), Fraction(0))

    def returned(meter: int) -> Fraction:
        return found.fixed_return + paid * meter / found.amount

    assert returned(least) >= 1 > returned(least - 1)


def test_a_hand_comes_once_in_so_many_wagers() -> None:
    found = odds_of("pa-670a", "$1", "$5,000", "21/100")
    assert found.wagers_to_hit("five_aces") == Fraction(22_957_480, 48)


@pytest.mark.parametrize(
    ("amount", "seed", "rate", "reserve"),
    [
        ("$0", "$1", "1/10", "0"),
        ("$1", "-$1", "1/10", "0"),
        ("$1", "$1", "-1/10", "0"),
        ("$1", "$1", "9/10", "2/10"),
    ],
)
def test_figures_that_make_no_progressive_are_refused(
    amount: str, seed: str, rate: str, reserve: str
) -> None:
    with pytest.raises(InvalidInputError):
        odds_of("pa-659a", amount, seed, rate, reserve)

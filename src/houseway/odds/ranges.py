"""Ranges around the hold of a wager, by the number of hands.

The ranges take the sum of many hands as normally distributed. A wager whose variance comes from a large, rare
award strays further until that award has been hit many times; a sheet says how rare it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Final

CONFIDENCE: Final = (90, 95, 99)
"""Percentages of cases in which the house's part lies within the range."""
AFTER: Final = (100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000)
"""Numbers of hands."""


@dataclass(frozen=True)
class Range:
    """The bounds of the house's part of all wagers, in ``confidence`` of 100 cases."""

    hands: int
    confidence: int
    least: float
    most: float


def volatility_index(variance: Fraction, confidence: int) -> float:
    """Return how many standard deviations a range reaches, times the standard deviation of one hand."""
    return NormalDist().inv_cdf((1 + confidence / 100) / 2) * sqrt(variance)


def ranges(hold: Fraction, variance: Fraction) -> tuple[tuple[Range, ...], ...]:
    """Return the ranges of a wager: a row for each number of hands, a range in it for each confidence."""
    return tuple(
        tuple(_range(hold, variance, hands, confidence) for confidence in CONFIDENCE) for hands in AFTER
    )


def _range(hold: Fraction, variance: Fraction, hands: int, confidence: int) -> Range:
    reach = volatility_index(variance, confidence) / sqrt(hands)
    return Range(hands, confidence, float(hold) - reach, float(hold) + reach)

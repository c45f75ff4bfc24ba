"""What an answer gives up, its mark and points, and the rule to learn from it.

Points are 100 for a best setting, 50 where 0.5 % of the wager is lost, 0 at 2 %, -50 at 6 %, -100 from 12 %
on, and lie on straight lines between.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from typing import Final

from houseway.errors import InvalidInputError
from houseway.houseways import Decision
from houseway.odds.coach import HandAdvice, SettingOdds
from houseway.ranking import Ranking, Setting, describe


class Mark(StrEnum):
    """A word for an answer, by what it gives up."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


LESS_THAN: Final = (
    (Mark.GOOD, Fraction(5, 1000)),
    (Mark.INACCURACY, Fraction(20, 1000)),
    (Mark.MISTAKE, Fraction(60, 1000)),
)
"""The mark of an answer that gives up less than this share of a wager; with more it is a blunder."""
POINTS: Final = (
    (Fraction(0), 100),
    (Fraction(5, 1000), 50),
    (Fraction(20, 1000), 0),
    (Fraction(60, 1000), -50),
    (Fraction(120, 1000), -100),
)
"""Corners of the points, by the share of a wager that is lost."""
FAILED: Final = (Mark.MISTAKE, Mark.BLUNDER)
"""Marks of answers after which the same hand comes back."""


def mark_of(lost: Fraction) -> Mark:
    """Return the word for an answer that gives up this share of a wager."""
    if lost < 0:
        raise InvalidInputError("nothing is worth more than the best setting", value=str(lost))
    if lost == 0:
        return Mark.BEST
    return next((mark for mark, limit in LESS_THAN if lost < limit), Mark.BLUNDER)


def points_of(lost: Fraction) -> int:
    """Return the points for an answer that gives up this share of a wager.

    >>> [points_of(Fraction(lost, 1000)) for lost in (0, 5, 20, 60, 120, 900)]
    [100, 50, 0, -50, -100, -100]
    """
    for (near, upper), (far, lower) in pairwise(POINTS):
        if lost < far:
            return round(upper + (lower - upper) * (lost - near) / (far - near))
    return POINTS[-1][1]


@dataclass(frozen=True)
class Score:
    """What an answer is worth and gives up, its mark and points, and the rule to learn from it."""

    given: SettingOdds
    best: SettingOdds
    lost: Fraction
    mark: Mark
    points: int
    told_by: str
    clauses: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the hand should be asked again."""
        return self.mark in FAILED


def score(order: Ranking, advice: HandAdvice, house_way: Decision, setting: Setting) -> Score:
    """Score a player's setting of a hand whose every setting was valued."""
    given = advice.of(setting)
    lost = advice.best.expectation - given.expectation
    if advice.price == 0:
        lesson, clauses = f"the house way, {house_way.rule}: {house_way.say}", house_way.clauses
    else:
        lesson, clauses = (
            f"the house way is not best here; best is {describe_parts(order, advice.best.setting)}",
            (),
        )
    return Score(given, advice.best, lost, mark_of(lost), points_of(lost), lesson, clauses)


def describe_parts(order: Ranking, setting: Setting) -> str:
    """Describe a setting part by part.

    >>> from houseway.cards import parse_setting
    >>> from houseway.ranking import ranking
    >>> describe_parts(ranking("pa-670a"), parse_setting("KsKh9d9c5h / As"))
    'high: two pair, kings and nines, five; low: ace-high'
    """
    named = zip(order.part_names, setting, strict=True)
    return "; ".join(f"{name}: {describe(order.rank(name, cards))}" for name, cards in named)

"""The closed vocabulary of house ways: what a rule may ask of a hand, and of a setting of it.

Everything a rule says becomes a row of four small integers. Two interpreters read the same rows: a
plain one that explains itself, and a kernel that runs them by the million.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from houseway.cards import ACE, RANKS
from houseway.errors import DataError

SHAPES: Final = (
    "no_pair",
    "pair",
    "two_pair",
    "three_pair",
    "trips",
    "full_house",
    "two_trips",
    "quads",
    "five_aces",
)
"""How the ranks fall together, the joker an ace; ``full_house`` is trips and at least one pair."""

GROUPS: Final = ("quad", "trip1", "trip2", "pair1", "pair2", "pair3")
KEPT: Final = (*GROUPS, "joker")
"""What a part may be asked to keep: a group, or the joker."""
FACTS: Final = (*GROUPS, "top1", "top2")
"""Ranks a rule may speak of: of each group, highest first, and of the two highest cards."""

FLAGS: Final = ("joker", "complete", "one_suit", "run")
"""``complete``: the first part can be a straight, a flush or both. ``run``: all cards in sequence."""

RUN_CATEGORIES: Final = ("straight", "flush", "straight_flush", "royal_flush")


class Ask(IntEnum):
    """What a row asks: of the hand (first three), or of one part of a setting."""

    SHAPE_IN = 0  # mask of shapes
    FACT_IN = 1  # fact, lowest, highest
    FLAG_IS = 2  # flag, value
    LEVEL_IN = 3  # part, mask of category levels
    LEAD_IN = 4  # part, lowest, highest
    LEAD_IS = 5  # part, fact
    TOP_AT_LEAST = 6  # part, rank; any pair or better passes
    KEEPS = 7  # part, group or joker
    SECOND_IN = 8  # part, lowest, highest


Row = tuple[int, int, int, int]
LEAD_ONLY: Final = 16
"""Added to a part's number in a preference that looks at its category and lead card alone."""


def rank_range(text: str) -> tuple[int, int]:
    """Read ranks: one, or the higher and the lower end.

    >>> rank_range("A..Q"), rank_range("7")
    ((12, 14), (7, 7))
    """
    high, dots, low = text.partition("..")
    try:
        ends = [RANKS.index(one) + 2 for one in (low or high, high)]
    except ValueError:
        raise DataError("not a rank or a range such as T..7", value=text) from None
    if len(high) != 1 or len(low) != bool(dots) or ends[0] > ends[1]:
        raise DataError("a range names the higher rank first, such as T..7", value=text)
    return ends[0], ends[1]


def shape_of(counts: Sequence[int]) -> str:
    """Name a shape from how many of each rank there are, largest first.

    >>> shape_of([3, 2, 2]), shape_of([2, 2, 1, 1, 1])
    ('full_house', 'two_pair')
    """
    first, second, third = (*counts, 0, 0)[:3]
    if first > 4:  # noqa: PLR2004 - only aces with the joker come to five
        return "five_aces"
    if first == 4:  # noqa: PLR2004
        return "quads"
    if first == 3:  # noqa: PLR2004
        return {3: "two_trips", 2: "full_house"}.get(second, "trips")
    pairs = [first, second, third].count(2)
    return ("no_pair", "pair", "two_pair", "three_pair")[pairs]


def show_row(row: Row, parts: Sequence[str], levels: Sequence[Sequence[str]]) -> str:
    """Write a row as a person would say it."""
    kind, a, b, c = row
    if kind == Ask.SHAPE_IN:
        return "the hand is " + " or ".join(s for i, s in enumerate(SHAPES) if b >> i & 1)
    if kind == Ask.FACT_IN:
        return f"{FACTS[a]} is {_span(b, c)}"
    if kind == Ask.FLAG_IS:
        return f"{'' if b else 'not '}{FLAGS[a]}"
    name = parts[a]
    if kind == Ask.LEVEL_IN:
        made = dict.fromkeys(s for i, s in enumerate(levels[a]) if b >> i & 1)
        return f"{name} makes " + " or ".join(made)
    return {
        Ask.LEAD_IN: f"{name} leads with {_span(b, c)}",
        Ask.LEAD_IS: f"{name} leads with {FACTS[b % len(FACTS)]}",
        Ask.TOP_AT_LEAST: f"{name} is {RANKS[(b - 2) % len(RANKS)]}-high or better",
        Ask.KEEPS: f"{name} keeps {KEPT[b % len(KEPT)]}",
        Ask.SECOND_IN: f"{name}'s second card is {_span(b, c)}",
    }[Ask(kind)]


def _span(low: int, high: int) -> str:
    names = [RANKS[(rank - 2) % len(RANKS)] for rank in (high, low)]
    return names[0] if low == high else f"{names[0]} to {names[1]}"


NOTHING: Final = 0
"""The rank of a group that a hand does not have; no range reaches it."""
HIGHEST: Final = ACE

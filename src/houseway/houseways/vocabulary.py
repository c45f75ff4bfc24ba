"""The closed vocabulary of house ways: what a rule may ask of a hand, and of a setting of it.

Everything a rule says becomes a row of four small integers. Two interpreters read the same rows: a
plain one that explains itself, and a kernel that runs them by the million. ``words.py`` says what each
word means, with an example.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from enum import IntEnum
from typing import Final

from houseway.cards import RANKS
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
HAND_RANKS: Final = (*GROUPS, "top1", "top2", "top3")
"""Ranks a rule may speak of: of each group, highest first, and of the three highest cards."""
PLAYED: Final = {
    ("quad",): ("four_of_a_kind", "four_aces", "five_aces"),
    ("trip",): ("three_of_a_kind",),
    ("pair",): ("pair",),
    ("pair", "pair"): ("two_pair",),
    ("pair", "trip"): ("full_house",),
}
"""Which categories groups make by themselves: what a part that ``plays`` them is."""

FLAGS: Final = ("joker", "complete", "one_suit", "run")
"""``complete``: the first part can be a straight, a flush or both. ``run``: all cards in sequence."""

STRAIGHTS: Final = ("straight", "straight_flush", "royal_flush")
COMPLETE_CATEGORIES: Final = (*STRAIGHTS, "flush")
WHEEL: Final = "wheel"
"""A part may be asked to lead with the wheel: the straight A-2-3-4-5, or A-2-3-4. Its lead is the ace."""


class RowQuestion(IntEnum):
    """What a row asks: of the hand (first three), or of one part of a setting."""

    SHAPE_IN = 0  # mask of shapes
    RANK_IN = 1  # rank of the hand, lowest, highest
    FLAG_IS = 2  # flag, value
    LEVEL_IN = 3  # part, mask of category levels
    LEAD_IN = 4  # part, lowest, highest
    LEAD_IS = 5  # part, rank of the hand
    TOP_AT_LEAST = 6  # part, rank; any pair or better passes
    KEEPS = 7  # part, group or joker
    SECOND_IN = 8  # part, lowest, highest
    SECOND_IS = 9  # part, rank of the hand
    WHEEL = 10  # part


Row = tuple[int, int, int, int]
NOT: Final = 16
"""Added to what a row asks of a part, if the answer is to be no."""
LEAD_ONLY: Final = 16
"""Added to a part's number in a preference that looks at its category and lead card alone."""
A_PREFERENCE: Final = "a preference is a part, a part's lead, or points"
NO_POINTS: Final = "points are preferred, and no [[points]] say what counts for how many"
POINTS: Final = 32
"""The preference that looks at a setting's points."""
RANKS_THAT_COUNT: Final = ("lead", "second")
"""The ranks of a part that points may go by."""
NOTHING: Final = 0
"""The rank of a group that a hand does not have; no range reaches it."""


def no_such(what: str, word: str, known: Iterable[str]) -> str:
    """Return that a word is unknown, which one it may have been meant to be, and which there are.

    >>> no_such("shape", "two_pairs", ["pair", "two_pair"])
    'no such shape (did you mean two_pair? there are pair, two_pair)'
    """
    words = list(known)
    close = get_close_matches(word, words, n=1, cutoff=0.75)
    meant = f"did you mean {close[0]}? " if close else ""
    return f"no such {what} ({meant}there are {', '.join(words)})"


def rank_range(text: str, words: Sequence[str] = ()) -> tuple[int, int]:
    """Read ranks: one, or the higher and the lower end; ``words`` could have stood there, too.

    >>> rank_range("A..Q"), rank_range("7")
    ((12, 14), (7, 7))
    """
    high, dots, low = text.partition("..")
    try:
        ends = [RANKS.index(rank) + 2 for rank in (low or high, high)]
    except ValueError:
        others = f", or one of {', '.join(words)}" if words else ""
        raise DataError(
            f"not a rank (there are {', '.join(RANKS[::-1])}) or a range such as T..7{others}", value=text
        ) from None
    if len(high) != 1 or len(low) != bool(dots) or ends[0] > ends[1]:
        raise DataError("a range names the higher rank first, such as T..7", value=text)
    return ends[0], ends[1]


def kinds_of_groups(groups: Iterable[str]) -> tuple[str, ...]:
    """Return what kinds of groups these are, a key of ``PLAYED`` if they make a hand together.

    >>> kinds_of_groups(["trip1", "pair1"])
    ('pair', 'trip')
    """
    return tuple(sorted(group.rstrip("123") for group in set(groups)))


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
    if kind == RowQuestion.SHAPE_IN:
        return "the hand is " + " or ".join(s for i, s in enumerate(SHAPES) if b >> i & 1)
    if kind == RowQuestion.RANK_IN:
        return f"{HAND_RANKS[a]} is {_span(b, c)}"
    if kind == RowQuestion.FLAG_IS:
        return f"{'' if b else 'not '}{FLAGS[a]}"
    question, denied = RowQuestion(kind % NOT), kind >= NOT
    verb, what = _describe_part(question, levels[a], b, c)
    name = (
        f"{parts[a]}'s second card"
        if question in (RowQuestion.SECOND_IN, RowQuestion.SECOND_IS)
        else parts[a]
    )
    if denied:
        verb = {"is": "is not", "makes": "does not make"}.get(verb, f"does not {verb.removesuffix('s')}")
    return f"{name} {verb} {what}"


def _describe_part(question: RowQuestion, levels: Sequence[str], b: int, c: int) -> tuple[str, str]:
    """Return verb and object of what a row asks of a part."""
    if question is RowQuestion.LEVEL_IN:
        return "makes", " or ".join(dict.fromkeys(s for i, s in enumerate(levels) if b >> i & 1))
    if question in (RowQuestion.LEAD_IN, RowQuestion.SECOND_IN):
        return ("leads" if question is RowQuestion.LEAD_IN else "is"), _with_lead(question, _span(b, c))
    if question in (RowQuestion.LEAD_IS, RowQuestion.SECOND_IS):
        return ("leads" if question is RowQuestion.LEAD_IS else "is"), _with_lead(question, HAND_RANKS[b])
    if question is RowQuestion.TOP_AT_LEAST:
        return "is", f"{RANKS[b - 2]}-high or better"
    return ("keeps", KEPT[b]) if question is RowQuestion.KEEPS else ("is", "the wheel")


def _with_lead(question: RowQuestion, what: str) -> str:
    return f"with {what}" if question in (RowQuestion.LEAD_IN, RowQuestion.LEAD_IS) else what


def _span(low: int, high: int) -> str:
    names = [RANKS[(rank - 2) % len(RANKS)] for rank in (high, low)]
    return names[0] if low == high else f"{names[0]} to {names[1]}"

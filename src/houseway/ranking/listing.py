"""Which listed hand do all the dealt cards make: the categories of the side wagers.

A listing is the law's list for one wager, best first. The first category that the cards make is the
answer; a hand that makes none of them is ``none``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Final, Literal

from pydantic import Field

from houseway.cards import ACE, RANK_NAMES, SUITS, Card
from houseway.law.citations import UNCITED
from houseway.law.clauses import KnownCites
from houseway.law.documents import Document
from houseway.ranking.held import runs
from houseway.ranking.order import Category, Readings

NONE: Final = "none"
FIVE: Final = 5
_EIGHT: Final = 8
JokerMode = Literal["semi", "full"]
Among = tuple[str, ...] | None
"""The hands that a posted paytable lists, the best-paying first; nothing where the law makes the list."""


def bits(ranks: Iterable[int]) -> int:
    """Return a set of ranks as a number with a bit for each."""
    return sum(1 << rank for rank in set(ranks))


ROYAL: Final = bits(runs(FIVE, None)[0])
KING_AND_QUEEN: Final = bits((ACE - 1, ACE - 2))
_STRAIGHTS: Final = tuple(bits(run) for run in runs(FIVE, "lowest"))


class Listing(Document):
    """The hands that one wager is decided on, best first."""

    id: str
    clauses: KnownCites = UNCITED
    best_paying: dict[str, str] = {}
    """The readings under which a hand that makes several posted lines is paid by the one that pays best."""
    category: tuple[Category, ...] = Field(min_length=1)

    def standing(self, readings: Readings, among: Among = None) -> tuple[Category, ...]:
        """Return the categories that stand under these readings, or those of them that a paytable lists."""
        standing = [category for category in self.category if category.applies(readings)]
        if among is None:
            return tuple(standing)
        posted = [category for category in standing if category.name in among]
        if self.pays_best(readings):
            posted.sort(key=lambda category: among.index(category.name))
        return tuple(posted)

    def pays_best(self, readings: Readings) -> bool:
        """Whether what a posted line pays, and not its place in the list, decides between several."""
        chosen = self.best_paying.items()
        return bool(chosen) and all(readings.get(name) == choice for name, choice in chosen)


class DealtHand:
    """All the cards of one player, looked at as a whole; sets of ranks are bits."""

    def __init__(self, cards: Sequence[Card], mode: JokerMode = "semi") -> None:
        self.size = len(cards)
        self.mode = mode
        self.joker = False
        self.suits = [0] * len(SUITS)
        self.counts: dict[int, int] = {}
        for card in cards:
            if card.is_joker:
                self.joker = True
            else:
                rank, suit = divmod(card, len(SUITS))
                self.suits[suit] |= 1 << rank + 2
                self.counts[rank + 2] = self.counts.get(rank + 2, 0) + 1
        self.ranks = bits(self.counts)

    def flush_suits(self, *, joker: bool) -> list[int]:
        """Return the suits of which five cards are held, the joker counted or left out."""
        need = FIVE - (joker and self.joker)
        return [suit for suit, ranks in enumerate(self.suits) if ranks.bit_count() >= need]

    def groups(self, *, joker: bool) -> list[int]:
        """Return how many of each rank, largest first; a joker that is not fully wild is an ace."""
        counts = dict(self.counts)
        if joker and self.joker and self.mode == "semi":
            counts[ACE] = counts.get(ACE, 0) + 1
        return sorted(counts.values(), reverse=True)

    def lends(self, *, joker: bool) -> int:
        """Return how many groups of one rank may be a card larger: one where the joker is fully wild."""
        return int(joker and self.joker and self.mode == "full")

    def aces(self, *, joker: bool) -> int:
        """Return how many aces there are, the joker counted or left out."""
        return self.counts.get(ACE, 0) + (joker and self.joker)

    def fills(self, run: int, ranks: int, *, joker: bool) -> bool:
        """Whether the held ranks, and the joker if it may help, fill a run."""
        return (run & ~ranks).bit_count() <= (joker and self.joker)

    @property
    def tops(self) -> list[int]:
        """The ranks card by card, the joker an ace."""
        ranks = [rank for rank, count in self.counts.items() for _ in range(count)]
        return ranks + [ACE] * self.joker


Matcher = Callable[[DealtHand, Category], bool]


def first_made(dealt: DealtHand, categories: Iterable[Category]) -> str:
    """Return the first of the categories that the cards make, or ``none``."""
    for category in categories:
        if MATCHERS[category.name](dealt, category):
            return category.name
    return NONE


def _joker_allowed(category: Category) -> bool:
    return category.joker != "natural"


def _whole_run(dealt: DealtHand, category: Category) -> bool:
    """Match all the cards in one suit and in sequence."""
    if category.joker != "either" and dealt.joker != (category.joker == "with"):
        return False
    ranks = max(dealt.suits, key=int.bit_count)
    if ranks.bit_count() + dealt.joker < dealt.size:
        return False
    return any(dealt.fills(bits(run), ranks, joker=True) for run in runs(dealt.size, "lowest"))


def _royal_suits(dealt: DealtHand, category: Category) -> list[int]:
    """Return the suits in which the cards make a royal flush."""
    joker = _joker_allowed(category)
    suits = []
    for suit in dealt.flush_suits(joker=joker):
        missing = ROYAL & ~dealt.suits[suit]
        listed = category.joker != "as_ace" or missing in (0, bits([ACE]))
        if listed and dealt.fills(ROYAL, dealt.suits[suit], joker=joker):
            suits.append(suit)
    return suits


def _royal_flush(dealt: DealtHand, category: Category) -> bool:
    return bool(_royal_suits(dealt, category))


def _royal_match(dealt: DealtHand, category: Category) -> bool:
    """Match a royal flush, joker allowed, with a natural king and queen of another suit."""
    return any(
        ranks & KING_AND_QUEEN == KING_AND_QUEEN
        for suit in _royal_suits(dealt, category)
        for other, ranks in enumerate(dealt.suits)
        if other != suit
    )


def _straight_flush(dealt: DealtHand, category: Category) -> bool:
    joker = _joker_allowed(category)
    suits = dealt.flush_suits(joker=joker)
    return any(dealt.fills(run, dealt.suits[suit], joker=joker) for suit in suits for run in _STRAIGHTS)


def _straight(dealt: DealtHand, category: Category) -> bool:
    return any(dealt.fills(run, dealt.ranks, joker=_joker_allowed(category)) for run in _STRAIGHTS)


def _flush(dealt: DealtHand, category: Category) -> bool:
    return bool(dealt.flush_suits(joker=_joker_allowed(category)))


def _groups(*least: int) -> Matcher:
    def match(dealt: DealtHand, category: Category) -> bool:
        joker = _joker_allowed(category)
        sizes = dealt.groups(joker=joker)
        missing = [max(need - have, 0) for need, have in zip_longest(least, sizes[: len(least)], fillvalue=0)]
        return sum(missing) <= dealt.lends(joker=joker)

    return match


def _aces(count: int) -> Matcher:
    return lambda dealt, category: dealt.aces(joker=_joker_allowed(category)) >= count


def _trips_and_four_eights(dealt: DealtHand, category: Category) -> bool:
    """Match four 8s whose other three cards are three of a kind, ace and joker alike."""
    if dealt.counts.get(_EIGHT) != len(SUITS):
        return False
    others = {rank: count for rank, count in dealt.counts.items() if rank != _EIGHT}
    others[ACE] = others.get(ACE, 0) + (dealt.joker and _joker_allowed(category))
    return max(others.values()) == 3  # noqa: PLR2004 - three of a kind


def _high(rank: int) -> Matcher:
    """Match no pair and no straight under a top card; a flush spoils it unless it is to be ignored."""

    def match(dealt: DealtHand, category: Category) -> bool:
        tops = dealt.tops
        if max(tops) != rank or len(set(tops)) < len(tops) or _straight(dealt, category):
            return False
        return category.flush == "ignored" or not _flush(dealt, category)

    return match


MATCHERS: Final[dict[str, Matcher]] = {
    "seven_card_straight_flush": _whole_run,
    "seven_card_straight_flush_joker": _whole_run,
    "royal_flush_royal_match": _royal_match,
    "three_of_a_kind_and_four_8s": _trips_and_four_eights,
    "five_aces": _aces(FIVE),
    "four_aces": _aces(4),
    "royal_flush": _royal_flush,
    "natural_straight_flush": _straight_flush,
    "straight_flush_joker": _straight_flush,
    "straight_flush": _straight_flush,
    "four_of_a_kind": _groups(4),
    "full_house": _groups(3, 2),
    "flush": _flush,
    "straight": _straight,
    "three_of_a_kind": _groups(3),
    "three_pair": _groups(2, 2, 2),
    "two_pair": _groups(2, 2),
    "pair": _groups(2),
    "high_card": _groups(1),
    **{f"{name}_high": _high(rank) for rank, name in enumerate(RANK_NAMES, start=2)},
}
WHOLE: Final = frozenset({"seven_card_straight_flush", "seven_card_straight_flush_joker"})
SUITED: Final = WHOLE | {
    "royal_flush_royal_match",
    "royal_flush",
    "natural_straight_flush",
    "straight_flush_joker",
    "straight_flush",
    "flush",
}
"""The categories that need five cards of one suit; the others do not look at suits."""

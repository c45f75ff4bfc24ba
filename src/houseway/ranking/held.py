"""The cards of one hand as a ranking sees them, and the runs that make a straight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, Final, Literal

from houseway.cards import ACE, JOKER, LOWEST, RANKS, SUITS, Card

AceLow = Literal["second", "lowest"]
Pick = Callable[[Sequence[Any]], Any]
"""Picks what lies at some places of a row: one thing by itself, several as a tuple."""
Run = tuple[int, ...]
COUNT_BITS: Final = 3
JOKER_BIT: Final = COUNT_BITS * len(RANKS)
SUITED_BIT: Final = JOKER_BIT + 1
_SUIT_BITS: Final = 4
_COUNTS: Final = (1 << SUITED_BIT) - 1
_WORDS: Final = (
    *(1 << COUNT_BITS * (card >> 2) | 1 << SUITED_BIT + _SUIT_BITS * (card & 3) for card in range(JOKER)),
    1 << JOKER_BIT,
)
"""Each card as a word: added up they count the cards of every rank, the joker and, above, of every suit."""
_ONE_SUIT: Final = frozenset(
    count << _SUIT_BITS * suit for suit in range(len(SUITS)) for count in range(1 << _SUIT_BITS)
)


def kind_of(cards: Iterable[Card]) -> int:
    """Return all that cards rank by as one number: how many of each rank, the joker, one suit or several."""
    word = sum([_WORDS[card] for card in cards])
    return word & _COUNTS | (word >> SUITED_BIT in _ONE_SUIT) << SUITED_BIT


def all_kinds(size: int) -> Iterator[int]:
    """Yield every kind of hand there is of ``size`` cards of a deck.

    >>> [sum(1 for _ in all_kinds(size)) for size in (1, 2, 4, 5)]
    [14, 182, 3276, 9997]
    """
    for joker in (0, 1):
        for ranks in combinations_with_replacement(range(len(RANKS)), size - joker):
            counts = Counter(ranks)
            if max(counts.values(), default=0) > len(SUITS):
                continue
            kind = sum(count << COUNT_BITS * rank for rank, count in counts.items()) | joker << JOKER_BIT
            if len(ranks) > 1:
                yield kind
            if len(counts) == len(ranks):
                yield kind | 1 << SUITED_BIT


def kinds_of(cards: Sequence[Card], subsets: Mapping[int, Pick]) -> dict[int, int]:
    """Return the kind of several subsets of a hand, each a mask and what picks its cards.

    >>> from operator import itemgetter
    >>> from houseway.cards import parse_cards
    >>> cards = parse_cards("As Kh Ks")
    >>> kinds_of(cards, {3: itemgetter(0, 1)}) == {3: kind_of(cards[:2])}
    True
    """
    words = [_WORDS[card] for card in cards]
    picked = {mask: pick(words) for mask, pick in subsets.items()}
    added = {mask: word if isinstance(word, int) else sum(word) for mask, word in picked.items()}
    return {
        mask: word & _COUNTS | (word >> SUITED_BIT in _ONE_SUIT) << SUITED_BIT for mask, word in added.items()
    }


@dataclass(frozen=True)
class PartCards:
    """What a part's strength depends on and nothing else: ranks, the joker, one suit or several.

    >>> from houseway.cards import parse_cards
    >>> PartCards.of(parse_cards("Ks Kh Jk 5c"))
    PartCards(ranks=(13, 13, 5), joker=True, suited=False)
    """

    ranks: tuple[int, ...]
    joker: bool
    suited: bool
    groups: tuple[tuple[int, int], ...] = field(init=False, compare=False, repr=False)
    """The (count, rank) of each rank held, the joker an ace, largest and highest first."""

    def __post_init__(self) -> None:
        counts = {ACE: 1} if self.joker else {}
        for rank in self.ranks:
            counts[rank] = counts.get(rank, 0) + 1
        groups = sorted([(count, rank) for rank, count in counts.items()], reverse=True)
        object.__setattr__(self, "groups", tuple(groups))

    @classmethod
    def of(cls, cards: Sequence[Card]) -> PartCards:
        """Look at some cards."""
        natural = [card for card in cards if not card.is_joker]
        ranks = tuple(sorted((card.rank for card in natural), reverse=True))
        return cls(ranks, len(cards) > len(natural), len({card.suit for card in natural}) <= 1)

    @classmethod
    def of_kind(cls, kind: int) -> PartCards:
        """Return what a kind of hand holds."""
        ranks: list[int] = []
        left = kind & (1 << JOKER_BIT) - 1
        while left:
            place = (left.bit_length() - 1) // COUNT_BITS
            ranks += [place + LOWEST] * (left >> COUNT_BITS * place)
            left &= (1 << COUNT_BITS * place) - 1
        return cls(tuple(ranks), bool(kind >> JOKER_BIT & 1), bool(kind >> SUITED_BIT & 1))

    @property
    def size(self) -> int:
        """How many cards there are."""
        return len(self.ranks) + self.joker


@cache
def runs(size: int, ace_low: AceLow | None, *, wrap: bool = False) -> tuple[Run, ...]:
    """Return the ranks of every straight of a size, best first.

    >>> ["".join(RANKS[r - 2] for r in run) for run in runs(4, "second")[:3]]
    ['AKQJ', 'A234', 'KQJT']
    """
    plain = [tuple(range(top, top - size, -1)) for top in range(ACE, size, -1)]
    wheel = (ACE, *range(2, size + 1))
    straights = list(plain)
    if ace_low == "second":
        straights.insert(1, wheel)
    elif ace_low == "lowest":
        straights.append(wheel)
    if wrap:
        ring = list(range(ACE, 1, -1))
        straights += [
            tuple((ring * 2)[start : start + size]) for start in range(len(ring) - size + 1, len(ring))
        ]
    return tuple(straights)


def show_ranks(ranks: Iterable[int]) -> str:
    """Write ranks as letters: ``AKQ5``."""
    return "".join(RANKS[rank - 2] for rank in ranks)

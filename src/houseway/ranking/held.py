"""The cards of one hand as a ranking sees them, and the runs that make a straight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from houseway.cards import ACE, RANKS, Card

AceLow = Literal["second", "lowest"]
Run = tuple[int, ...]


@dataclass(frozen=True)
class Held:
    """What a part's strength depends on and nothing else: ranks, the joker, one suit or several.

    >>> from houseway.cards import parse_cards
    >>> Held.of(parse_cards("Ks Kh Jk 5c"))
    Held(ranks=(13, 13, 5), joker=True, suited=False)
    """

    ranks: tuple[int, ...]
    joker: bool
    suited: bool

    @classmethod
    def of(cls, cards: Sequence[Card]) -> Held:
        """Look at some cards."""
        natural = [card for card in cards if not card.is_joker]
        ranks = tuple(sorted((card.rank for card in natural), reverse=True))
        return cls(ranks, len(cards) > len(natural), len({card.suit for card in natural}) <= 1)

    @property
    def size(self) -> int:
        """How many cards there are."""
        return len(self.ranks) + self.joker

    def groups(self) -> list[tuple[int, int]]:
        """Return (count, rank) of each rank held, the joker an ace, largest and highest first."""
        counts = Counter(self.ranks + (ACE,) * self.joker)
        return sorted(((count, rank) for rank, count in counts.items()), reverse=True)


@cache
def runs(size: int, ace_low: AceLow | None, *, wrap: bool = False) -> tuple[Run, ...]:
    """Return the ranks of every straight of a size, best first.

    >>> ["".join(RANKS[r - 2] for r in run) for run in runs(4, "second")[:3]]
    ['AKQJ', 'A234', 'KQJT']
    """
    plain = [tuple(range(top, top - size, -1)) for top in range(ACE, size, -1)]
    wheel = (ACE, *range(2, size + 1))
    found = list(plain)
    if ace_low == "second":
        found.insert(1, wheel)
    elif ace_low == "lowest":
        found.append(wheel)
    if wrap:
        ring = list(range(ACE, 1, -1))
        found += [tuple((ring * 2)[start : start + size]) for start in range(len(ring) - size + 1, len(ring))]
    return tuple(found)


def show_ranks(ranks: Iterable[int]) -> str:
    """Write ranks as letters: ``AKQ5``."""
    return "".join(RANKS[rank - 2] for rank in ranks)

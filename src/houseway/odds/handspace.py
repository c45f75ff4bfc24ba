"""Every hand of a deck: by its number, by its class, and the sets of cards that two hands can share.

Hands that differ only in which suit is which are a class; ways that set by strength treat them alike. A
partial deck has no such symmetry, and every hand is a class of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations, permutations
from math import comb
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import Deck
from houseway.houseways.proof import suit_classes

if TYPE_CHECKING:
    from houseway.kernels.hand_numbers import Level

Array = NDArray[Any]
THREADS: Final = 2
FULL: Final = 53


class HandSpace:
    """All hands of some size from a deck."""

    def __init__(self, size: int, deck: Deck | None = None) -> None:
        self.cards = tuple(sorted((deck or Deck.standard()).cards))
        self.size = size
        self.binomials = np.array(
            [[comb(card, place + 1) for card in range(len(self.cards))] for place in range(size)],
            dtype=np.int32,
        )

    @property
    def whole(self) -> bool:
        """Whether suits are alike, so that hands fall into classes."""
        return len(self.cards) == FULL

    @property
    def hands(self) -> int:
        """The number of hands."""
        return comb(len(self.cards), self.size)

    @property
    def deals(self) -> int:
        """The number of pairs of disjoint hands."""
        return self.hands * self.opponents

    @property
    def opponents(self) -> int:
        """The number of hands that share no card with a given one."""
        return comb(len(self.cards) - self.size, self.size)

    def classes(self) -> Iterator[tuple[Array, Array]]:
        """Yield the classes in order: a sorted hand of each, and the number of hands in the class."""
        if self.whole:
            yield from suit_classes(self.size)
        else:
            hands = np.array(list(combinations(self.cards, self.size)), dtype=np.uint8)
            yield hands, np.ones(len(hands), dtype=np.int64)

    def hands_of(self, rows: Array) -> Array:
        """Return the sorted hand that represents each of some classes, given in rising order."""
        blocks, first = [], 0
        for hands, weights in self.classes():
            last = first + len(weights)
            inside = rows[np.searchsorted(rows, first) : np.searchsorted(rows, last)]
            blocks.append(hands[inside - first])
            first = last
        return np.concatenate(blocks)

    @cached_property
    def weights(self) -> Array:
        """The number of hands in each class."""
        return np.concatenate([weights for _, weights in self.classes()])

    def by_number(self, values: Array) -> Array:
        """Return the value of each hand's class, by the hand's number."""
        out = np.zeros(self.hands, dtype=np.uint32)
        first = 0
        for hands, weights in self.classes():
            last = first + len(weights)
            self.put(out, hands, values[first:last])
            first = last
        return out

    def put(self, out: Array, hands: Array, values: Array) -> None:
        """Write the values of some classes, given by a sorted hand of each, to all their hands."""
        from houseway.kernels.hand_numbers import expand  # noqa: PLC0415 - numba only when it is needed

        expand(self.places(hands), values, self.turned, self.binomials, out)

    def places(self, hands: Array) -> Array:
        """Return the places of cards in the deck."""
        places: Array = hands if self.whole else np.searchsorted(np.array(self.cards), hands).astype(np.uint8)
        return places

    @cached_property
    def turned(self) -> Array:
        """What every card becomes under each permutation of the suits; only itself in a partial deck."""
        if not self.whole:
            return np.arange(len(self.cards), dtype=np.uint8)[None, :]
        return np.array([_turn_suits(order) for order in permutations(range(4))], dtype=np.uint8)

    def class_numbers(self) -> Array:
        """Return, for every hand by its number, the number of its class."""
        return self.by_number(np.arange(len(self.weights), dtype=np.uint32))

    def list_shared(self, level: int) -> Level:
        """Return the sets of ``level`` shared cards as places in the deck, with their weights."""
        from houseway.kernels.hand_numbers import Level  # noqa: PLC0415 - numba only when it is needed

        if self.whole:
            blocks = [(hands.astype(np.int64), weights) for hands, weights in suit_classes(level)]
            rows, weights = (np.concatenate(column) for column in zip(*blocks, strict=True))
        else:
            rows = np.array(list(combinations(range(len(self.cards)), level)), dtype=np.int64)
            weights = np.ones(len(rows), dtype=np.int64)
        room = comb(len(self.cards) - level, self.size - level)
        return Level(rows, weights, len(self.cards), self.size, room, THREADS, self.binomials)


def _turn_suits(order: tuple[int, ...]) -> list[int]:
    """Return what every card becomes when suits change places; the joker stays."""
    return [card - card % 4 + order[card % 4] for card in range(FULL - 1)] + [FULL - 1]

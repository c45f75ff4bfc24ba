"""Suit classes: hands that differ only in which suit is which, counted once with a weight."""

from __future__ import annotations

from typing import Any

from numba import njit
from numpy.typing import NDArray

Array = NDArray[Any]


@njit(cache=True)
def _weight(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Return the number of ways to give these rank sets, in falling order, to four suits."""
    if a == b and b == c and c == d:
        return 1
    if (a == b and b == c) or (b == c and c == d):
        return 4
    if a == b and c == d:
        return 6
    if a == b or b == c or c == d:
        return 12
    return 24


@njit(cache=True)
def _write_hand(hands: Array, row: Any, a: Any, b: Any, c: Any, d: Any, joker: Any) -> None:
    place = 0
    for rank in range(13):
        for suit in range(4):
            ranks = a if suit == 3 else b if suit == 2 else c if suit == 1 else d
            if ranks >> rank & 1:
                hands[row, place] = 4 * rank + suit
                place += 1
    if joker:
        hands[row, place] = 52


@njit(cache=True, nogil=True)
def pattern_classes(
    a_sets: Array,
    b_sets: Array,
    c_sets: Array,
    d_sets: Array,
    joker: Any,
    hands: Array,
    weights: Array,
) -> Any:
    """Write the classes whose suits hold rank sets of these sizes, each list in rising order.

    A class is four rank sets in falling order of their numbers. With no room in ``hands`` it only counts.
    """
    count = 0
    room = len(weights)
    for a in a_sets:
        for b in b_sets:
            if b > a:
                break
            for c in c_sets:
                if c > b:
                    break
                for d in d_sets:
                    if d > c:
                        break
                    if count < room:
                        _write_hand(hands, count, a, b, c, d, joker)
                        weights[count] = _weight(a, b, c, d)
                    count += 1
    return count

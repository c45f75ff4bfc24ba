"""A strength is one whole number: the level of a hand's category, then up to five ranks, four bits each.

The kernels compile ``cross`` as it stands here, so it is plain arithmetic and calls nothing.
"""

from __future__ import annotations

from typing import Final

RANKS_KEPT: Final = 5
NIBBLE: Final = 4
_PAIR: Final = 1
_ABOVE_RANKS: Final = 1 << 3 * NIBBLE
_ABOVE_PAIRS: Final = 1 << NIBBLE * RANKS_KEPT


def pack(level: int, ranks: tuple[int, ...]) -> int:
    """Pack a category's level and up to five ranks into a number that orders like them.

    >>> hex(pack(1, (13, 14, 5)))
    '0x1de500'
    """
    number = level
    for place in range(RANKS_KEPT):
        number = number << NIBBLE | (ranks[place] if place < len(ranks) else 0)
    return number


def cross(strength: int, ranks: int) -> int:
    """Return what a part is compared by with one of another size, the shorter of ``ranks`` cards.

    Pair beats no pair, then the pair's rank; without a pair the ranks one by one, as far as both go.

    >>> cross(pack(0, (13, 9, 7, 5)), 2) == cross(pack(0, (13, 9)), 2) < cross(pack(1, (2, 9, 7)), 2)
    True
    """
    level = strength >> NIBBLE * RANKS_KEPT
    if level > _PAIR:
        return _ABOVE_PAIRS
    if level == _PAIR:
        return _ABOVE_RANKS | (strength >> NIBBLE * (RANKS_KEPT - 1) & 15)
    return strength >> NIBBLE * (RANKS_KEPT - ranks) & ((1 << NIBBLE * ranks) - 1)

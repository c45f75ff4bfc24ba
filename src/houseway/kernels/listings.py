"""Categories of whole hands: one pass of additions and look-ups for each hand."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

Array = NDArray[Any]
_RANKS = 13
_RANK_BITS = (1 << _RANKS) - 1
_SUM_BITS = (1 << 40) - 1
_SUIT_SHIFT = 40
_JOKER_BIT = 52
_NO_CARD_BIT = 53
_KING_QUEEN = 0b11 << 10


class Tables(NamedTuple):
    """What the kernels gather from; ``houseway.ranking.tables`` fills it."""

    start: int
    flush_mask: int
    card_sum: Array
    card_bits: Array
    by_ranks: Array
    by_suit: Array
    combine: Array
    royal: int
    match: int


@njit(cache=True, inline="always")
def _category(total: Any, held: Any, t: Tables) -> Any:
    by_rank = t.by_ranks[total & _SUM_BITS]
    flush = total & t.flush_mask
    if flush == 0:
        return by_rank
    suit = 0
    while flush >> (_SUIT_SHIFT + 4 * suit + 3) & 1 == 0:
        suit += 1
    joker = held >> _JOKER_BIT & 1
    found = t.by_suit[joker << _RANKS | (held >> _RANKS * suit & _RANK_BITS)]
    if found == t.royal and t.match >= 0:
        for other in range(4):
            if other != suit and held >> _RANKS * other & _KING_QUEEN == _KING_QUEEN:
                found = np.uint8(t.match)
    return t.combine[by_rank, found]


@njit(cache=True, nogil=True)
def categories(hands: Array, out: Array, t: Tables) -> Any:
    """Write the category of each row of cards into ``out``; return the first row that is no hand, or -1.

    Sum and union of the cards' bits differ when a card comes twice; a number that is no card has a bit
    of its own. So every row is checked at the price of one more operation a card.
    """
    size = hands.shape[1]
    for row in range(hands.shape[0]):
        total = t.start
        held = np.int64(0)
        union = np.int64(0)
        for place in range(size):
            card = hands[row, place]
            total += t.card_sum[card]
            held += t.card_bits[card]
            union |= t.card_bits[card]
        if held != union or held >> _NO_CARD_BIT:
            return row
        out[row] = _category(total, held, t)
    return -1


@njit(cache=True, parallel=True, nogil=True)
def count_hands(deck: Array, sums: Array, bits: Array, after: Array, t: Tables) -> Array:
    """Count the categories of every hand: each beginning, and five more cards from behind it.

    A beginning is given by its sum, its bits, and the place in the deck after its last card.
    """
    counts = np.zeros((len(sums), t.combine.shape[0]), np.int64)
    cards = len(deck)
    for task in prange(len(sums)):
        mine = np.zeros(t.combine.shape[0], np.int64)
        for i in range(after[task], cards):
            s1, h1 = sums[task] + t.card_sum[deck[i]], bits[task] + t.card_bits[deck[i]]
            for j in range(i + 1, cards):
                s2, h2 = s1 + t.card_sum[deck[j]], h1 + t.card_bits[deck[j]]
                for k in range(j + 1, cards):
                    s3, h3 = s2 + t.card_sum[deck[k]], h2 + t.card_bits[deck[k]]
                    for m in range(k + 1, cards):
                        s4, h4 = s3 + t.card_sum[deck[m]], h3 + t.card_bits[deck[m]]
                        for n in range(m + 1, cards):
                            total, held = s4 + t.card_sum[deck[n]], h4 + t.card_bits[deck[n]]
                            mine[_category(total, held, t)] += 1
        counts[task] = mine
    return counts

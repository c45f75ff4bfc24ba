"""Categories of whole hands: additions and look-ups, once through the cards of each hand."""

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
    """The tables that the kernels look up; ``houseway.ranking.tables`` fills them."""

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
def _category(total: Any, bits: Any, t: Tables) -> Any:
    by_rank = t.by_ranks[total & _SUM_BITS]
    flush = total & t.flush_mask
    if flush == 0:
        return by_rank
    suit = 0
    while flush >> (_SUIT_SHIFT + 4 * suit + 3) & 1 == 0:
        suit += 1
    joker = bits >> _JOKER_BIT & 1
    suited = t.by_suit[joker << _RANKS | (bits >> _RANKS * suit & _RANK_BITS)]
    if suited == t.royal and t.match >= 0:
        for other in range(4):
            if other != suit and bits >> _RANKS * other & _KING_QUEEN == _KING_QUEEN:
                suited = np.uint8(t.match)
    return t.combine[by_rank, suited]


@njit(cache=True, nogil=True)
def categories(hands: Array, out: Array, t: Tables) -> Any:
    """Write the category of each row of cards into ``out``; return the first row that is not a hand, or -1.

    Sum and union of the cards' bits differ where a card occurs twice; a number that is no card has a bit
    of its own. That checks every row for one more operation a card.
    """
    size = hands.shape[1]
    for row in range(hands.shape[0]):
        total = t.start
        bits = np.int64(0)
        union = np.int64(0)
        for place in range(size):
            card = hands[row, place]
            total += t.card_sum[card]
            bits += t.card_bits[card]
            union |= t.card_bits[card]
        if bits != union or bits >> _NO_CARD_BIT:
            return row
        out[row] = _category(total, bits, t)
    return -1


@njit(cache=True, parallel=True, nogil=True)
def count_hands(deck: Array, sums: Array, bits: Array, after: Array, t: Tables) -> Array:
    """Count the categories of every hand: each beginning, with five more cards that come after it.

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
                            total, h5 = s4 + t.card_sum[deck[n]], h4 + t.card_bits[deck[n]]
                            mine[_category(total, h5, t)] += 1
        counts[task] = mine
    return counts

"""The change of a main game's counts when a house way is edited: only the card sets of changed hands matter.

A change is a list of strengths with how many more or fewer hands of each there are. Counts are sums over
pairs, so they change by the pairs of the change with the side as it was, either way round, and with itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from houseway.kernels.dominance import LOWS, MIDS
from houseway.kernels.hand_numbers import Level, fill_places, gather_hands, number_hand
from houseway.kernels.pairs import COUNTS, count_wins, list_distinct

Array = NDArray[Any]
ITSELF, AS_PLAYER, AS_DEALER = 0, 1, 2


@njit(cache=True, parallel=True, nogil=True)
def name_parts(
    hands: Array, parts: Array, turned: Array, binomials: Array, names: Array, alike: Array
) -> None:
    """Name some of each hand's cards by their least number under all permutations of the suits.

    ``parts`` lists places in a hand. Cards that differ only in which suit is which have one name; ``alike``
    takes how many permutations give it: their total divided by this is the number of sets of the name.
    """
    size = parts.shape[1]
    for row in prange(hands.shape[0]):
        cards = np.empty(size, np.uint8)
        for part in range(parts.shape[0]):
            least, ties = np.int64(1) << 62, 0
            for turn in range(turned.shape[0]):
                for at in range(size):
                    cards[at] = turned[turn, hands[row, parts[part, at]]]
                number = number_hand(cards, binomials)
                if number < least:
                    least, ties = number, 0
                if number == least:
                    ties += 1
            names[row, part] = least
            alike[row, part] = ties


@njit(cache=True, parallel=True, nogil=True)
def recount_level(
    level: Level,
    own: Array,
    rival: Array,
    apart: Any,
    starts: Array,
    strengths: Array,
    more: Array,
    shift: Any,
    parts: Any,
    leads: Any,
) -> Array:
    """Sum what changes in the counts of one level, each shared set times its weight.

    ``own`` and ``rival`` are tables of every hand's strengths, the way's as it was; ``apart`` says whether
    they differ. The change at a row's set stands in ``strengths`` and ``more`` from ``starts[row]`` on.
    """
    shared, weights, cards, size, room, threads, _ = level
    most = min(room, leads << shift)
    totals = np.zeros((threads, 3, COUNTS), np.int64)
    for thread in prange(threads):
        values, seen = np.empty(room, np.uint32), np.zeros(leads << shift, np.int32)
        theirs, many = np.empty(most, np.uint32), np.empty(most, np.int64)
        rest, table = np.empty(cards, np.int64), np.empty((size, cards), np.int64)
        tree = np.zeros((MIDS + 1, LOWS + 1), np.int64)
        sums = totals[thread]
        for row in range(thread, shared.shape[0], threads):
            changed, by = strengths[starts[row] : starts[row + 1]], more[starts[row] : starts[row + 1]]
            constant = fill_places(level, row, rest, table)
            for side in range(2 if apart else 1):
                count = gather_hands(level, constant, table, rival if side else own, values)
                length = list_distinct(values, count, seen, theirs, many)
                others, each = theirs[:length], many[:length]
                ahead = count_wins(changed, by, others, each, tree, shift, parts)
                behind = count_wins(others, each, changed, by, tree, shift, parts)
                if side == 0:
                    among = count_wins(changed, by, changed, by, tree, shift, parts)
                    for i in range(COUNTS):
                        sums[ITSELF, i] += weights[row] * (ahead[i] + behind[i] + among[i])
                if side == 1 or not apart:
                    for i in range(COUNTS):
                        sums[AS_PLAYER, i] += weights[row] * ahead[i]
                        sums[AS_DEALER, i] += weights[row] * behind[i]
    return totals

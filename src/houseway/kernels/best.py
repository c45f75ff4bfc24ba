"""The best setting of every hand against an opponent whose hands are known only by how often they come."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from houseway.kernels.houseways import WayTables, gather, in_order

Array = NDArray[Any]
_JOKER = 52


@njit(cache=True, nogil=True)
def _best_rows(
    hands: Array, t: WayTables, dense: WayTables, worth: Array, top: Array, out: Array, first: Any, last: Any
) -> None:
    strengths = np.zeros((3, 128), np.int32)
    numbers = np.zeros((3, 128), np.int32)
    parts = t.settings.shape[1]
    for row in range(first, last):
        cards = hands[row]
        gather(cards, t, strengths)
        gather(cards, dense, numbers)
        joker = 1 << len(cards) - 1 if cards[len(cards) - 1] == _JOKER else 0
        best = np.iinfo(np.int64).min
        for index in range(t.settings.shape[0]):
            if not in_order(t, index, strengths):
                continue
            found = np.zeros(3, np.int64)
            for part in range(parts):
                mask = t.settings[index, part]
                found[part] = top[part] if top[part] > 0 and mask & joker else numbers[part, mask]
            value = worth[found[0], found[1], found[2]]
            if value > best:
                best = value
                for part in range(parts):
                    out[row, part] = found[part]


@njit(cache=True, parallel=True, nogil=True)
def best_all(
    hands: Array, t: WayTables, dense: WayTables, worth: Array, top: Array, out: Array, chunk: Any
) -> None:
    """Find for sorted hands the legal setting worth most: the number of each part's strength.

    ``worth`` gives what a setting is worth by those numbers; ``top`` the number that a part takes if it
    holds the joker and the joker makes it the highest of all, else nothing.
    """
    chunks = (len(hands) + chunk - 1) // chunk
    for piece in prange(chunks):
        first = piece * chunk
        _best_rows(hands, t, dense, worth, top, out, first, min(first + chunk, len(hands)))

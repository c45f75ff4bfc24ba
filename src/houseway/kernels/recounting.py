"""What changes in a main game when a house way is edited: only hands that are set otherwise are looked at.

For each set of shared cards one board of the other side's hands answers for the changed hands that contain
it, as they were set and as they are now; sets that no changed hand contains are passed over.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from houseway.kernels.dominance import (
    LOWS,
    MIDS,
    Board,
    both_below,
    fill,
    new_board,
    two_below,
)
from houseway.kernels.gathering import Level, gather, place

Array = NDArray[Any]
COUNTS = 3


@njit(cache=True)
def _beaten(board: Board, value: Any, times: Any, shift: Any, parts: Any, out: Array) -> None:
    """Add what a hand wins against those on the board: pairs won, and those with a higher lead, or mid."""
    lead = value >> shift
    if parts == 2:
        mid = value & (MIDS - 1)
        out[0] += times * both_below(board, lead, mid)
        out[1] += times * board.lead_below[lead]
        out[2] += times * board.mid_below[mid]
    else:
        out[0] += times * two_below(board, lead, value >> 4 & (MIDS - 1), value & (LOWS - 1))


@njit(cache=True)
def _beating(board: Board, value: Any, times: Any, shift: Any, parts: Any, out: Array) -> None:
    """Add what those on the board win against a hand: they are the players, and it is the dealer's."""
    lead, every = (value >> shift) + 1, board.sizes[2]
    if parts == 2:
        mid = (value & (MIDS - 1)) + 1
        leads, mids = every - board.lead_below[lead], every - board.mid_below[mid]
        out[0] += times * (leads + mids - every + both_below(board, lead, mid))
        out[1] += times * leads
        out[2] += times * mids
    else:
        mid, low = (value >> 4 & (MIDS - 1)) + 1, (value & (LOWS - 1)) + 1
        out[0] += times * (every - two_below(board, lead, mid, low))


@njit(cache=True)
def _changed(
    level: Level,
    constant: Any,
    table: Array,
    changed: Array,
    before: Array,
    after: Array,
    old: Array,
    new: Array,
) -> Any:
    """Collect how the changed hands that contain the shared cards were set, and how they are; count them."""
    count = gather(level, constant, table, changed, old)
    found = 0
    for i in range(count):
        if old[i]:
            new[found] = after[old[i] - 1]
            old[found] = before[old[i] - 1]
            found += 1
    return found


@njit(cache=True, parallel=True, nogil=True)
def recount_level(
    level: Level,
    changed: Array,
    before: Array,
    after: Array,
    other: Array,
    itself: Any,
    shift: Any,
    parts: Any,
    leads: Any,
) -> Array:
    """Sum what changes in the counts of one level: as players against the other side, and as its dealers.

    ``changed`` gives, for every hand by its number, the number of its class counted from one if it is set
    otherwise now, else 0; ``before`` and ``after`` are strengths by class, ``other`` by number. Where the
    other side is the way itself, ``other`` is the way before, and pairs of changed hands are looked at again:
    the second row is then what changes after the first, when the dealer's side changes too.
    """
    shared, weights, cards, size, room, threads, _ = level
    totals = np.zeros((threads, 2, COUNTS), np.int64)
    for thread in prange(threads):
        values = np.empty(room, np.uint32)
        old, new = np.empty(room, np.uint32), np.empty(room, np.uint32)
        board, nobody = new_board(leads, room, parts), np.empty(0, np.int32)
        rest, table = np.empty(cards, np.int64), np.empty((size, cards), np.int64)
        result = np.empty((2, COUNTS), np.int64)
        for row in range(thread, shared.shape[0], threads):
            constant = place(level, row, rest, table)
            found = _changed(level, constant, table, changed, before, after, old, new)
            if found == 0:
                continue
            count = gather(level, constant, table, other, values)
            fill(board, values, nobody, count, shift, parts)
            result[:] = 0
            for i in range(found):
                _beaten(board, new[i], 1, shift, parts, result[0])
                _beaten(board, old[i], -1, shift, parts, result[0])
                _beating(board, new[i], 1, shift, parts, result[1])
                _beating(board, old[i], -1, shift, parts, result[1])
            if itself:
                _among_changed(board, old, new, found, shift, parts, result[1])
            totals[thread] += weights[row] * result
    return totals


@njit(cache=True)
def _among_changed(
    board: Board, old: Array, new: Array, count: Any, shift: Any, parts: Any, out: Array
) -> None:
    """Add the pairs of changed hands: new against new less old against new, less the same against old."""
    nobody = np.empty(0, np.int32)
    for dealer, sign in ((new, 1), (old, -1)):
        fill(board, dealer, nobody, count, shift, parts)
        for i in range(count):
            _beaten(board, new[i], sign, shift, parts, out)
            _beaten(board, old[i], -sign, shift, parts, out)

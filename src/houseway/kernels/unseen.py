"""One hand against every hand of the cards still unseen.

Only the strengths of the hand's own settings matter, so each strength becomes one of a few steps, and the
counts of all opponents fit a small table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from houseway.kernels.dominance import LOWS, MIDS

Array = NDArray[Any]


class Steps(NamedTuple):
    """The step of each strength of a part, and the places of the parts in a packed strength."""

    leads: Array
    mids: Array
    lows: Array
    shift: int
    low_bits: int


@njit(cache=True)
def _count_below(
    unseen: Array,
    size: Any,
    binomials: Array,
    strengths: Array,
    steps: Steps,
    first: Any,
    second: Any,
    counts: Array,
) -> None:
    """Count, by the steps of their parts, the hands whose two highest cards stand at these places."""
    choose = size - 2
    if second < choose:
        return
    places = np.empty(choose, np.int64)
    partial = np.empty(choose + 1, np.int64)
    for i in range(choose):
        places[i] = i
    partial[choose] = binomials[size - 1, unseen[first]] + binomials[size - 2, unseen[second]]
    for i in range(choose - 1, 0, -1):
        partial[i] = partial[i + 1] + binomials[i, unseen[places[i]]]
    going = True
    while going:
        top = second if choose == 1 else places[1]
        start = partial[1]
        for r in range(top):
            value = strengths[start + unseen[r]]
            mid = steps.mids[value >> steps.low_bits & (MIDS - 1)]
            low = steps.lows[value & (LOWS - 1)] if steps.low_bits > 0 else 0
            counts[steps.leads[value >> steps.shift], mid, low] += 1
        i = 1
        while i < choose:
            limit = second if i == choose - 1 else places[i + 1]
            if places[i] + 1 < limit:
                places[i] += 1
                for j in range(i - 1, 0, -1):
                    places[j] = j
                for j in range(i, 0, -1):
                    partial[j] = partial[j + 1] + binomials[j, unseen[places[j]]]
                break
            i += 1
        going = i < choose


@njit(cache=True, parallel=True, nogil=True)
def count_unseen(
    unseen: Array, size: Any, binomials: Array, strengths: Array, steps: Steps, tops: Array, out: Array
) -> None:
    """Count the hands of the unseen cards by the steps of their parts, one task for each pair of top cards.

    ``tops`` holds the places of the two highest cards; ``out`` a table of counts for each task.
    """
    for task in prange(len(tops)):
        _count_below(unseen, size, binomials, strengths, steps, tops[task, 0], tops[task, 1], out[task])


@njit(cache=True, parallel=True, nogil=True)
def value_unseen(
    unseen: Array,
    size: Any,
    binomials: Array,
    strengths: Array,
    starts: Array,
    packed: Array,
    rooms: Array,
    shift: Any,
    parts: Any,
    out: Array,
) -> None:
    """Count, for many hands at once, the wins and losses of their settings against the unseen cards.

    Row i of ``unseen`` holds the cards that no one has shown at deal i; the settings of its hand stand from
    ``starts[i]`` on, before ``starts[i + 1]``. ``rooms`` says how many strengths each part can have.
    """
    for deal in prange(len(unseen)):
        _value_deal(
            unseen[deal],
            size,
            binomials,
            strengths,
            packed[starts[deal] : starts[deal + 1]],
            rooms,
            shift,
            parts,
            out[starts[deal] : starts[deal + 1]],
        )


@njit(cache=True)
def _value_deal(
    unseen: Array,
    size: Any,
    binomials: Array,
    strengths: Array,
    packed: Array,
    rooms: Array,
    shift: Any,
    parts: Any,
    out: Array,
) -> None:
    low_bits = shift - 7
    mine = np.empty((3, len(packed)), np.int64)
    for i in range(len(packed)):
        mine[0, i], mine[1, i] = packed[i] >> shift, packed[i] >> low_bits & (MIDS - 1)
        mine[2, i] = packed[i] & (LOWS - 1) if parts == 3 else 0
    leads, mids, lows = np.unique(mine[0]), np.unique(mine[1]), np.unique(mine[2])
    steps = Steps(
        _steps(leads, rooms[0]),
        _steps(mids, rooms[1]),
        _steps(lows, rooms[2]),
        shift,
        low_bits,
    )
    counts = np.zeros((len(leads) + 1, len(mids) + 1, len(lows) + 1), np.int64)
    for first in range(len(unseen)):
        for second in range(first):
            _count_below(unseen, size, binomials, strengths, steps, first, second, counts)
    for i in range(len(packed)):
        a, b = np.searchsorted(leads, mine[0, i]), np.searchsorted(mids, mine[1, i])
        c = np.searchsorted(lows, mine[2, i])
        for lead in range(counts.shape[0]):
            for mid in range(counts.shape[1]):
                for low in range(counts.shape[2]):
                    ahead = np.int64(lead <= a) + np.int64(mid <= b)
                    if parts == 3:
                        ahead += np.int64(low <= c)
                    if ahead > 1:
                        out[i, 0] += counts[lead, mid, low]
                    elif parts == 3 or ahead == 0:
                        out[i, 1] += counts[lead, mid, low]


@njit(cache=True)
def _steps(own: Array, room: Any) -> Array:
    """Return the step of every strength: how many of a hand's own strengths it is not below."""
    return np.searchsorted(own, np.arange(room), side="right").astype(np.int32)

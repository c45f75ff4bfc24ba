"""One hand against every hand that the cards still unseen can make.

The strengths that matter are only those that the hand's own settings are measured by, so each strength
becomes one of a few steps, and the counts of all opponents fit a small table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from houseway.kernels.dominance import LOWS, MIDS

Array = NDArray[Any]


@njit(cache=True, parallel=True, nogil=True)
def count_unseen(
    unseen: Array,
    size: Any,
    binomials: Array,
    strengths: Array,
    lead_step: Array,
    mid_step: Array,
    low_step: Array,
    shift: Any,
    low_bits: Any,
    tops: Array,
    out: Array,
) -> None:
    """Count the hands of the unseen cards by the steps of their parts, one task for each pair of top cards.

    ``tops`` holds the places of the two highest cards; ``out`` a table of counts for each task.
    """
    for task in prange(len(tops)):
        counts = out[task]
        first, second = tops[task, 0], tops[task, 1]
        base = binomials[size - 1, unseen[first]] + binomials[size - 2, unseen[second]]
        choose = size - 2
        places = np.empty(choose, np.int64)
        partial = np.empty(choose + 1, np.int64)
        if second < choose:
            continue
        for i in range(choose):
            places[i] = i
        partial[choose] = base
        for i in range(choose - 1, 0, -1):
            partial[i] = partial[i + 1] + binomials[i, unseen[places[i]]]
        going = True
        while going:
            top = second if choose == 1 else places[1]
            start = partial[1]
            for r in range(top):
                value = strengths[start + unseen[r]]
                lead = lead_step[value >> shift]
                mid = mid_step[value >> low_bits & (MIDS - 1)]
                low = low_step[value & (LOWS - 1)] if low_bits > 0 else 0
                counts[lead, mid, low] += 1
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

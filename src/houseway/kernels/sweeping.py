"""Dominance counts of two rows of packed strengths: sort by the lead part, sweep once with a small tree.

The lead part is in the high bits; of three parts the middle one is next and the last has the lowest four.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[Any]
MIDS = 128
LOWS = 16
DIGITS = 128
_DIGIT = 7


@njit(cache=True)
def sort(values: Array, count: Any, spare: Array, starts: Array) -> None:
    """Sort by all bits: four passes of seven, lowest first; the result is back in ``values``."""
    for turn in range(4):
        source, out = (values, spare) if turn % 2 == 0 else (spare, values)
        low = turn * _DIGIT
        starts[:] = 0
        for i in range(count):
            starts[(source[i] >> low & (DIGITS - 1)) + 1] += 1
        for digit in range(1, DIGITS):
            starts[digit] += starts[digit - 1]
        for i in range(count):
            digit = source[i] >> low & (DIGITS - 1)
            out[starts[digit]] = source[i]
            starts[digit] += 1


@njit(cache=True)
def alike(values: Array, count: Any, many: Array) -> Any:
    """Put equal neighbours of sorted values together; ``many`` says how many each stands for."""
    found = 0
    i = 0
    while i < count:
        value = values[i]
        begin = i
        while i < count and values[i] == value:
            i += 1
        values[found] = value
        many[found] = i - begin
        found += 1
    return found


@njit(cache=True)
def sweep_two(
    mine: Array,
    my_many: Array,
    my_count: Any,
    theirs: Array,
    their_many: Array,
    their_count: Any,
    shift: Any,
    tree: Array,
    hist: Array,
    result: Array,
) -> None:
    """Count pairs in which mine is higher on both parts, on the lead, on the other, from sorted hands."""
    tree[:] = 0
    hist[:] = 0
    j = 0
    added = 0
    both = 0
    lead = 0
    for i in range(my_count):
        head = mine[i] >> shift
        while j < their_count and theirs[j] >> shift < head:
            node = (theirs[j] & (MIDS - 1)) + 1
            while node < MIDS:
                tree[node] += their_many[j]
                node += node & -node
            added += their_many[j]
            j += 1
        number = my_many[i]
        lead += number * added
        node = mine[i] & (MIDS - 1)
        hist[0, node] += number
        while node > 0:
            both += number * tree[node]
            node &= node - 1
    for i in range(their_count):
        hist[1, theirs[i] & (MIDS - 1)] += their_many[i]
    below = 0
    for mid in range(MIDS):
        result[4] += hist[0, mid] * below
        below += hist[1, mid]
    result[0] += both
    result[3] += lead


@njit(cache=True)
def sweep_three(
    mine: Array,
    my_many: Array,
    my_count: Any,
    theirs: Array,
    their_many: Array,
    their_count: Any,
    shift: Any,
    steps: Array,
    tree: Array,
    lows: Array,
    hist: Array,
    result: Array,
) -> None:
    """Count pairs in which mine is higher on lead and mid, lead and low, mid and low, and on all three.

    A node of the tree is a row of counts by the low part, each counting all lows up to it, so that adding a
    hand is adding one of sixteen fixed rows.
    """
    tree[:] = 0
    lows[:] = 0
    hist[:] = 0
    j = 0
    lead_mid = 0
    lead_low = 0
    every = 0
    for i in range(my_count):
        head = mine[i] >> shift
        while j < their_count and theirs[j] >> shift < head:
            low = theirs[j] & (LOWS - 1)
            node = (theirs[j] >> 4 & (MIDS - 1)) + 1
            number = their_many[j]
            while node < MIDS:
                for k in range(LOWS):
                    tree[node, k] += steps[low, k] * number
                node += node & -node
            for k in range(LOWS):
                lows[k] += steps[low, k] * number
            j += 1
        number = my_many[i]
        hist[0, mine[i] & (MIDS * LOWS - 1)] += number
        low = mine[i] & (LOWS - 1)
        node = mine[i] >> 4 & (MIDS - 1)
        if low > 0:
            lead_low += number * lows[low - 1]
        while node > 0:
            lead_mid += number * tree[node, LOWS - 1]
            if low > 0:
                every += number * tree[node, low - 1]
            node &= node - 1
    for i in range(their_count):
        hist[1, theirs[i] & (MIDS * LOWS - 1)] += their_many[i]
    result[0] += lead_mid
    result[1] += lead_low
    result[2] += every
    _mid_and_low(hist, lows, result)


@njit(cache=True)
def _mid_and_low(hist: Array, row: Array, result: Array) -> None:
    """Count pairs in which mine is higher on mid and on low, from how many there are of each."""
    row[:] = 0
    for mid in range(MIDS):
        below = 0
        for low in range(LOWS):
            place = mid * LOWS + low
            result[6] += hist[0, place] * below
            below += row[low]
        for low in range(LOWS):
            row[low] += hist[1, mid * LOWS + low]


@njit(cache=True)
def low_steps() -> Array:
    """Return, for each low part, the row that adds a hand to all lows from it on."""
    steps = np.zeros((LOWS, LOWS), np.int32)
    for low in range(LOWS):
        for k in range(low, LOWS):
            steps[low, k] = 1
    return steps

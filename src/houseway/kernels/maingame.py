"""Who wins, over every pair of disjoint hands: dominance counts under inclusion and exclusion.

A table gives the packed strengths of every hand's parts. For each set of shared cards the kernels gather the
strengths of all hands that contain it and compare mine with theirs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from houseway.kernels.gathering import Level, gather, place
from houseway.kernels.sweeping import DIGITS, LOWS, MIDS, alike, low_steps, sort, sweep_three, sweep_two

Array = NDArray[Any]


@njit(cache=True, nogil=True)
def count_all(mine: Array, my_many: Array, theirs: Array, their_many: Array, shift: Any, parts: Any) -> Array:
    """Count over all pairs of hands when nothing is shared, given sorted values and how many hold each."""
    result = np.zeros(7, np.int64)
    if parts == 2:
        tree, hist = np.empty(MIDS, np.int32), np.empty((2, MIDS), np.int64)
        sweep_two(mine, my_many, len(mine), theirs, their_many, len(theirs), shift, tree, hist, result)
    else:
        rows, lows = np.empty((MIDS, LOWS), np.int32), np.empty(LOWS, np.int32)
        cells = np.empty((2, MIDS * LOWS), np.int64)
        sweep_three(
            mine,
            my_many,
            len(mine),
            theirs,
            their_many,
            len(theirs),
            shift,
            low_steps(),
            rows,
            lows,
            cells,
            result,
        )
    return result


@njit(cache=True, parallel=True, nogil=True)
def count_level(level: Level, mine: Array, theirs: Array, same: Any, shift: Any, parts: Any) -> Array:
    """Sum the dominance counts of every shared set of one level, each times its weight.

    Answers seven counts: lead and mid, lead and low, all three; lead, mid, low; mid and low. Of these a
    game of two parts needs lead and mid, lead, mid; a game of three the pairs and all three.
    """
    shared, weights, cards, size, room, threads, _ = level
    totals = np.zeros((threads, 7), np.int64)
    for thread in prange(threads):
        a, b = np.empty(room, np.uint32), np.empty(0 if same else room, np.uint32)
        spare, starts = np.empty(room, np.uint32), np.empty(DIGITS + 1, np.int64)
        many_a, many_b = np.empty(room, np.int32), np.empty(0 if same else room, np.int32)
        flat, flat_hist = np.empty(MIDS, np.int32), np.empty((2, MIDS), np.int64)
        tree, lows = np.empty((MIDS, LOWS), np.int32), np.empty(LOWS, np.int32)
        hist, steps = np.empty((2, MIDS * LOWS), np.int64), low_steps()
        rest, table = np.empty(cards, np.int64), np.empty((size, cards), np.int64)
        result = np.empty(7, np.int64)
        for row in range(thread, shared.shape[0], threads):
            constant = place(level, row, rest, table)
            count = gather(level, constant, table, mine, a)
            sort(a, count, spare, starts)
            if same:
                count = alike(a, count, many_a)
                other, many, others = a, many_a, count
            else:
                gather(level, constant, table, theirs, b)
                sort(b, count, spare, starts)
                other, many, others = b, many_b, alike(b, count, many_b)
                count = alike(a, count, many_a)
            result[:] = 0
            if parts == 2:
                sweep_two(a, many_a, count, other, many, others, shift, flat, flat_hist, result)
            else:
                sweep_three(a, many_a, count, other, many, others, shift, steps, tree, lows, hist, result)
            totals[thread] += weights[row] * result
    return totals


@njit(cache=True, parallel=True, nogil=True)
def count_small(level: Level, mine: Array, theirs: Array, shift: Any, parts: Any) -> Array:
    """Do the same for levels whose sets have few hands, pair by pair."""
    shared, weights, cards, size, room, threads, _ = level
    totals = np.zeros((threads, 7), np.int64)
    for thread in prange(threads):
        a, b = np.empty(room, np.uint32), np.empty(room, np.uint32)
        rest, table = np.empty(cards, np.int64), np.empty((size, cards), np.int64)
        result = np.empty(7, np.int64)
        for row in range(thread, shared.shape[0], threads):
            constant = place(level, row, rest, table)
            count = gather(level, constant, table, mine, a)
            gather(level, constant, table, theirs, b)
            _pair_by_pair(a, b, count, shift, 4 if parts == 3 else 0, result)
            totals[thread] += weights[row] * result
    return totals


@njit(cache=True)
def _pair_by_pair(a: Array, b: Array, count: Any, shift: Any, low_bits: Any, result: Array) -> None:
    """Count the same seven over all pairs of two rows."""
    result[:] = 0
    for i in range(count):
        ours = a[i]
        for j in range(count):
            lead = 1 if ours >> shift > b[j] >> shift else 0
            mid = 1 if ours >> low_bits & (MIDS - 1) > b[j] >> low_bits & (MIDS - 1) else 0
            low = 1 if ours & (LOWS - 1) > b[j] & (LOWS - 1) else 0
            result[0] += lead & mid
            result[1] += lead & low
            result[2] += lead & mid & low
            result[3] += lead
            result[4] += mid
            result[6] += mid & low


@njit(cache=True, parallel=True, nogil=True)
def net_by_class(
    level: Level,
    mine: Array,
    theirs: Array,
    classes: Array,
    least: Any,
    shift: Any,
    leads: Any,
    totals: Array,
) -> None:
    """Add, for every hand that contains a shared set, its wins less its losses against the hands that do.

    In a game of two parts these are the opponents lower on the lead, and those lower on the other part,
    less all of them. Only opponents whose lead is at least ``least`` count. Sums go by the hand's class.
    """
    shared, weights, cards, size, room, threads, _ = level
    for thread in prange(threads):
        a, b = np.empty(room, np.uint32), np.empty(room, np.uint32)
        which = np.empty(room, np.uint32)
        heads, tails = np.empty(leads, np.int64), np.empty(MIDS, np.int64)
        rest, table = np.empty(cards, np.int64), np.empty((size, cards), np.int64)
        for row in range(thread, shared.shape[0], threads):
            constant = place(level, row, rest, table)
            count = gather(level, constant, table, mine, a)
            gather(level, constant, table, theirs, b)
            gather(level, constant, table, classes, which)
            heads[:] = 0
            tails[:] = 0
            total = 0
            for i in range(count):
                if b[i] >> shift >= least:
                    heads[b[i] >> shift] += 1
                    tails[b[i] & (MIDS - 1)] += 1
                    total += 1
            _running(heads)
            _running(tails)
            for i in range(count):
                net = heads[a[i] >> shift] + tails[a[i] & (MIDS - 1)] - total
                totals[thread, which[i]] += weights[row] * net


@njit(cache=True)
def _running(counts: Array) -> None:
    """Turn counts by value into how many lie below each."""
    below = 0
    for value in range(len(counts)):
        here = counts[value]
        counts[value] = below
        below += here

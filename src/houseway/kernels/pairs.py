"""Who wins, over every pair of disjoint hands: dominance counts under inclusion and exclusion.

A table gives the packed strengths of every hand's parts. For each set of shared cards the kernels gather the
strengths of all hands that contain it and compare mine with theirs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from houseway.kernels.dominance import LOWS, MIDS
from houseway.kernels.hand_numbers import Level, fill_places, gather_hands

Array = NDArray[Any]
COUNTS = 3
"""Pairs that mine wins and, in a game of two parts, those higher on the lead and on the other part."""


@njit(cache=True)
def list_distinct(values: Array, count: Any, seen: Array, out: Array, many: Array) -> Any:
    """List the values that occur, in order, with their frequencies; return how many differ.

    ``seen`` holds a zero for every value there can be, and does so again afterwards. Few values occur where
    many hands contain the same cards, so that later loops are short.
    """
    size = 0
    for i in range(count):
        value = values[i]
        if seen[value] == 0:
            out[size] = value
            size += 1
        seen[value] += 1
    out[:size].sort()
    for i in range(size):
        many[i] = seen[out[i]]
        seen[out[i]] = 0
    return size


@njit(cache=True)
def _insert(tree: Array, mid: Any, low: Any, number: Any) -> None:
    """Add hands to a Fenwick tree over the middle part; a node counts its hands below each low strength."""
    node = mid + 1
    while node <= MIDS:
        for above in range(low + 1, LOWS + 1):
            tree[node, above] += number
        node += node & -node


@njit(cache=True)
def _below(tree: Array, mid: Any, low: Any) -> Any:
    """Return how many hands of the tree are below on the middle part, and on the low one."""
    count = 0
    node = mid
    while node > 0:
        count += tree[node, low]
        node -= node & -node
    return count


@njit(cache=True)
def count_wins(
    mine: Array, my_many: Array, theirs: Array, their_many: Array, tree: Array, shift: Any, parts: Any
) -> tuple[Any, Any, Any]:
    """Count the pairs that mine win; the leads are in order, so that the tree contains all of theirs below.

    Two parts of three decide: each pair of parts counted alone, less twice those below on all three.
    """
    tree[:] = 0
    wins, leads, mids, next_at = 0, 0, 0, 0
    low_bits = shift - 7
    for i in range(len(mine)):
        value, number = np.int64(mine[i]), np.int64(my_many[i])
        while next_at < len(theirs) and theirs[next_at] >> shift < value >> shift:
            other = np.int64(theirs[next_at])
            low = other & (LOWS - 1) if parts == 3 else 0
            _insert(tree, other >> low_bits & (MIDS - 1), low, their_many[next_at])
            next_at += 1
        mid, low = value >> low_bits & (MIDS - 1), value & (LOWS - 1)
        wins += number * _below(tree, mid, LOWS)
        if parts == 3:
            wins += number * (_below(tree, MIDS, low) - 2 * _below(tree, mid, low))
        else:
            leads += number * _below(tree, MIDS, LOWS)
    for j in range(next_at, len(theirs)):
        other = np.int64(theirs[j])
        low = other & (LOWS - 1) if parts == 3 else 0
        _insert(tree, other >> low_bits & (MIDS - 1), low, their_many[j])
    for i in range(len(mine)):
        value, number = np.int64(mine[i]), np.int64(my_many[i])
        mid = value >> low_bits & (MIDS - 1)
        if parts == 3:
            wins += number * _below(tree, mid, value & (LOWS - 1))
        else:
            mids += number * _below(tree, mid, LOWS)
    return wins, leads, mids


@njit(cache=True, nogil=True)
def count_all(mine: Array, my_many: Array, theirs: Array, their_many: Array, shift: Any, parts: Any) -> Array:
    """Count over all pairs of hands when nothing is shared, given values and how many hands have each."""
    result = np.zeros(COUNTS, np.int64)
    tree = np.zeros((MIDS + 1, LOWS + 1), np.int64)
    result[0], result[1], result[2] = count_wins(mine, my_many, theirs, their_many, tree, shift, parts)
    return result


@njit(cache=True, parallel=True, nogil=True)
def count_level(
    level: Level,
    mine: tuple[Array, ...],
    theirs: tuple[Array, ...],
    same: Array,
    wanted: Array,
    shift: Any,
    parts: Any,
    leads: Any,
) -> Array:
    """Sum the counts of every shared set of one level, each times its weight, for all of mine and of theirs.

    Each side is a table of every hand's strengths; the hands that contain a shared set are gathered once.
    ``same`` has for each of theirs which of mine it is, or -1; ``wanted`` which pairs are counted.
    """
    shared, weights, cards, size, room, threads, _ = level
    most = min(room, leads << shift)
    totals = np.zeros((threads, len(mine), len(theirs), COUNTS), np.int64)
    for thread in prange(threads):
        gathered, seen = np.empty(room, np.uint32), np.zeros(leads << shift, np.int32)
        values, many = np.empty((len(mine) + 1, most), np.uint32), np.empty((len(mine) + 1, most), np.int64)
        sizes = np.zeros(len(mine) + 1, np.int64)
        rest, table = np.empty(cards, np.int64), np.empty((size, cards), np.int64)
        tree = np.zeros((MIDS + 1, LOWS + 1), np.int64)
        for row in range(thread, shared.shape[0], threads):
            constant = fill_places(level, row, rest, table)
            for me in range(len(mine)):
                if wanted[me].any():
                    count = gather_hands(level, constant, table, mine[me], gathered)
                    sizes[me] = list_distinct(gathered, count, seen, values[me], many[me])
            for other in range(len(theirs)):
                if not wanted[:, other].any():
                    continue
                at = same[other]
                if at < 0:
                    at = len(mine)
                    count = gather_hands(level, constant, table, theirs[other], gathered)
                    sizes[at] = list_distinct(gathered, count, seen, values[at], many[at])
                for me in range(len(mine)):
                    if not wanted[me, other]:
                        continue
                    wins, higher, middle = count_wins(
                        values[me, : sizes[me]],
                        many[me, : sizes[me]],
                        values[at, : sizes[at]],
                        many[at, : sizes[at]],
                        tree,
                        shift,
                        parts,
                    )
                    totals[thread, me, other, 0] += weights[row] * wins
                    totals[thread, me, other, 1] += weights[row] * higher
                    totals[thread, me, other, 2] += weights[row] * middle
    return totals


@njit(cache=True, parallel=True, nogil=True)
def count_small(
    level: Level,
    mine: tuple[Array, ...],
    theirs: tuple[Array, ...],
    same: Array,
    wanted: Array,
    shift: Any,
    parts: Any,
) -> Array:
    """Do as ``count_level`` for levels whose sets have few hands, pair by pair."""
    shared, weights, cards, size, room, threads, _ = level
    totals = np.zeros((threads, len(mine), len(theirs), COUNTS), np.int64)
    for thread in prange(threads):
        a, b = np.empty((len(mine), room), np.uint32), np.empty(room, np.uint32)
        rest, table = np.empty(cards, np.int64), np.empty((size, cards), np.int64)
        result = np.empty(COUNTS, np.int64)
        for row in range(thread, shared.shape[0], threads):
            constant = fill_places(level, row, rest, table)
            count = 0
            for me in range(len(mine)):
                if wanted[me].any():
                    count = gather_hands(level, constant, table, mine[me], a[me])
            for other in range(len(theirs)):
                if not wanted[:, other].any():
                    continue
                values = a[same[other]] if same[other] >= 0 else b
                if same[other] < 0:
                    gather_hands(level, constant, table, theirs[other], b)
                for me in range(len(mine)):
                    if not wanted[me, other]:
                        continue
                    _pair_by_pair(a[me], values, count, shift, parts, result)
                    totals[thread, me, other] += weights[row] * result
    return totals


@njit(cache=True)
def _pair_by_pair(a: Array, b: Array, count: Any, shift: Any, parts: Any, result: Array) -> None:
    """Count all pairs of two rows."""
    wins = 0
    leads = 0
    mids = 0
    for i in range(count):
        ours = a[i]
        for j in range(count):
            lead = 1 if ours >> shift > b[j] >> shift else 0
            if parts == 2:
                mid = 1 if ours & (MIDS - 1) > b[j] & (MIDS - 1) else 0
                wins += lead & mid
                leads += lead
                mids += mid
            else:
                mid = 1 if ours >> 4 & (MIDS - 1) > b[j] >> 4 & (MIDS - 1) else 0
                low = 1 if ours & (LOWS - 1) > b[j] & (LOWS - 1) else 0
                wins += 1 if lead + mid + low > 1 else 0
    result[0], result[1], result[2] = wins, leads, mids


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
    """Add, for every hand that contains a shared set, its wins less its losses against those hands.

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
            constant = fill_places(level, row, rest, table)
            count = gather_hands(level, constant, table, mine, a)
            gather_hands(level, constant, table, theirs, b)
            gather_hands(level, constant, table, classes, which)
            heads[:] = 0
            tails[:] = 0
            total = 0
            for i in range(count):
                if b[i] >> shift >= least:
                    heads[b[i] >> shift] += 1
                    tails[b[i] & (MIDS - 1)] += 1
                    total += 1
            _accumulate(heads)
            _accumulate(tails)
            for i in range(count):
                net = heads[a[i] >> shift] + tails[a[i] & (MIDS - 1)] - total
                totals[thread, which[i]] += weights[row] * net


@njit(cache=True)
def _accumulate(counts: Array) -> None:
    """Replace the count of each value by the count of all below it."""
    below = 0
    for value in range(len(counts)):
        here = counts[value]
        counts[value] = below
        below += here

"""Who wins, over every pair of disjoint hands: dominance counts under inclusion and exclusion.

A table gives the packed strengths of every hand's parts. For each set of shared cards the kernels gather the
strengths of all hands that contain it and compare mine with theirs.
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
"""Pairs that mine wins and, in a game of two parts, those higher on the lead and on the other part."""


@njit(cache=True)
def _beaten(board: Board, values: Array, many: Array, count: Any, shift: Any, parts: Any, out: Array) -> None:
    """Count what hands win against a board; ``many`` says how many each stands for, or is empty."""
    wins = 0
    leads = 0
    mids = 0
    each = len(many) == 0
    for i in range(count):
        value, number = values[i], 1 if each else many[i]
        lead = value >> shift
        if parts == 2:
            mid = value & (MIDS - 1)
            wins += number * both_below(board, lead, mid)
            leads += number * board.lead_below[lead]
            mids += number * board.mid_below[mid]
        else:
            wins += number * two_below(board, lead, value >> 4 & (MIDS - 1), value & (LOWS - 1))
    out[0] += wins
    out[1] += leads
    out[2] += mids


@njit(cache=True, nogil=True)
def count_all(
    mine: Array, my_many: Array, theirs: Array, their_many: Array, shift: Any, parts: Any, leads: Any
) -> Array:
    """Count over all pairs of hands when nothing is shared, given values and how many hands hold each."""
    result = np.zeros(COUNTS, np.int64)
    board = new_board(leads, len(theirs), parts)
    fill(board, theirs, their_many, len(theirs), shift, parts)
    _beaten(board, mine, my_many, len(mine), shift, parts, result)
    return result


@njit(cache=True, parallel=True, nogil=True)
def count_level(
    level: Level,
    mine: tuple[Array, ...],
    theirs: tuple[Array, ...],
    wanted: Array,
    shift: Any,
    parts: Any,
    leads: Any,
) -> Array:
    """Sum the counts of every shared set of one level, each times its weight, for all of mine and of theirs.

    Each of both is a table of every hand's strengths; the hands that contain a shared set are found once.
    ``wanted`` says which pairs are counted.
    """
    shared, weights, cards, size, room, threads, _ = level
    totals = np.zeros((threads, len(mine), len(theirs), COUNTS), np.int64)
    for thread in prange(threads):
        a, b = np.empty((len(mine), room), np.uint32), np.empty(room, np.uint32)
        board, nobody = new_board(leads, room, parts), np.empty(0, np.int32)
        rest, table = np.empty(cards, np.int64), np.empty((size, cards), np.int64)
        result = np.empty(COUNTS, np.int64)
        for row in range(thread, shared.shape[0], threads):
            constant = place(level, row, rest, table)
            count = 0
            for one in range(len(mine)):
                if wanted[one].any():
                    count = gather(level, constant, table, mine[one], a[one])
            for other in range(len(theirs)):
                if not wanted[:, other].any():
                    continue
                gather(level, constant, table, theirs[other], b)
                fill(board, b, nobody, count, shift, parts)
                for one in range(len(mine)):
                    if not wanted[one, other]:
                        continue
                    result[:] = 0
                    _beaten(board, a[one], nobody, count, shift, parts, result)
                    totals[thread, one, other] += weights[row] * result
    return totals


@njit(cache=True, parallel=True, nogil=True)
def count_small(
    level: Level, mine: tuple[Array, ...], theirs: tuple[Array, ...], wanted: Array, shift: Any, parts: Any
) -> Array:
    """Do the same for levels whose sets have few hands, pair by pair."""
    shared, weights, cards, size, room, threads, _ = level
    totals = np.zeros((threads, len(mine), len(theirs), COUNTS), np.int64)
    for thread in prange(threads):
        a, b = np.empty((len(mine), room), np.uint32), np.empty(room, np.uint32)
        rest, table = np.empty(cards, np.int64), np.empty((size, cards), np.int64)
        result = np.empty(COUNTS, np.int64)
        for row in range(thread, shared.shape[0], threads):
            constant = place(level, row, rest, table)
            count = 0
            for one in range(len(mine)):
                if wanted[one].any():
                    count = gather(level, constant, table, mine[one], a[one])
            for other in range(len(theirs)):
                if not wanted[:, other].any():
                    continue
                gather(level, constant, table, theirs[other], b)
                for one in range(len(mine)):
                    if not wanted[one, other]:
                        continue
                    _pair_by_pair(a[one], b, count, shift, parts, result)
                    totals[thread, one, other] += weights[row] * result
    return totals


@njit(cache=True)
def _pair_by_pair(a: Array, b: Array, count: Any, shift: Any, parts: Any, result: Array) -> None:
    """Count the same over all pairs of two rows."""
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

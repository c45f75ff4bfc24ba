"""Who wins, over every pair of disjoint hands: dominance counts under inclusion and exclusion.

A hand is known by its number among all combinations of the deck; a table gives the packed strengths of
its parts (lead part in the high bits). For a set S of shared cards the kernel gathers the strengths of
all hands that contain S, sorts them by the lead part, and sweeps once with a small tree over the rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

Array = NDArray[Any]
_MIDS = 128
_LOWS = 16


@njit(cache=True)
def _weights(shared: Array, cards: Any, choose: Any, binomials: Array, rest: Array, table: Array) -> Any:
    """Fill ``table[i, r]``: what the r-th free card adds to a hand's number as its i-th free card.

    Shared cards below it count into its place; the shared cards' own parts are folded in, so that a
    hand's number is the returned constant and one entry for each free card.
    """
    count = 0
    for card in range(cards):
        held = False
        for s in shared:
            if s == card:
                held = True
        if not held:
            rest[count] = card
            count += 1
    for i in range(choose + 1):
        below = 0
        running = 0
        for r in range(count):
            while below < len(shared) and shared[below] < rest[r]:
                running += binomials[below + i, shared[below]]
                below += 1
            if i < choose:
                table[i, r] += binomials[i + below, rest[r]] + running
            if i > 0:
                table[i - 1, r] -= running
    constant = 0
    for t in range(len(shared)):
        constant += binomials[t + choose, shared[t]]
    return constant


@njit(cache=True)
def _gather(constant: Any, choose: Any, free: Any, table: Array, strengths: Array, out: Array) -> Any:
    """Collect the strengths of every hand that contains the shared cards."""
    if choose == 0:
        out[0] = strengths[constant]
        return 1
    places = np.empty(choose, np.int64)
    partial = np.empty(choose + 1, np.int64)
    for i in range(choose):
        places[i] = i
    partial[choose] = constant
    for i in range(choose - 1, 0, -1):
        partial[i] = partial[i + 1] + table[i, places[i]]
    found = 0
    while True:
        top = free if choose == 1 else places[1]
        base = partial[1]
        for r in range(top):
            out[found] = strengths[base + table[0, r]]
            found += 1
        i = 1
        while i < choose:
            limit = free if i == choose - 1 else places[i + 1]
            if places[i] + 1 < limit:
                places[i] += 1
                for j in range(i - 1, 0, -1):
                    places[j] = j
                for j in range(i, 0, -1):
                    partial[j] = partial[j + 1] + table[j, places[j]]
                break
            i += 1
        if i >= choose:
            return found


_DIGIT = 7
_DIGITS = 128


@njit(cache=True)
def _sort(values: Array, count: Any, spare: Array, starts: Array) -> None:
    """Sort by all bits: four passes of seven, lowest first; the result is back in ``values``."""
    for turn in range(4):
        source, out = (values, spare) if turn % 2 == 0 else (spare, values)
        low = turn * _DIGIT
        starts[:] = 0
        for i in range(count):
            starts[(source[i] >> low & (_DIGITS - 1)) + 1] += 1
        for digit in range(1, _DIGITS):
            starts[digit] += starts[digit - 1]
        for i in range(count):
            digit = source[i] >> low & (_DIGITS - 1)
            out[starts[digit]] = source[i]
            starts[digit] += 1


@njit(cache=True)
def _sweep_two(
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
            node = (theirs[j] & (_MIDS - 1)) + 1
            while node < _MIDS:
                tree[node] += their_many[j]
                node += node & -node
            added += their_many[j]
            j += 1
        number = my_many[i]
        lead += number * added
        node = mine[i] & (_MIDS - 1)
        hist[0, node] += number
        while node > 0:
            both += number * tree[node]
            node &= node - 1
    for i in range(their_count):
        hist[1, theirs[i] & (_MIDS - 1)] += their_many[i]
    below = 0
    for mid in range(_MIDS):
        result[4] += hist[0, mid] * below
        below += hist[1, mid]
    result[0] += both
    result[3] += lead


@njit(cache=True)
def _alike(values: Array, count: Any, many: Array) -> Any:
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
def _sweep_three(
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
            low = theirs[j] & (_LOWS - 1)
            node = (theirs[j] >> 4 & (_MIDS - 1)) + 1
            number = their_many[j]
            while node < _MIDS:
                for k in range(_LOWS):
                    tree[node, k] += steps[low, k] * number
                node += node & -node
            for k in range(_LOWS):
                lows[k] += steps[low, k] * number
            j += 1
        number = my_many[i]
        hist[0, mine[i] & (_MIDS * _LOWS - 1)] += number
        low = mine[i] & (_LOWS - 1)
        node = mine[i] >> 4 & (_MIDS - 1)
        if low > 0:
            lead_low += number * lows[low - 1]
        while node > 0:
            lead_mid += number * tree[node, _LOWS - 1]
            if low > 0:
                every += number * tree[node, low - 1]
            node &= node - 1
    for i in range(their_count):
        hist[1, theirs[i] & (_MIDS * _LOWS - 1)] += their_many[i]
    result[0] += lead_mid
    result[1] += lead_low
    result[2] += every
    _mid_and_low(hist, lows, result)


@njit(cache=True)
def _mid_and_low(hist: Array, row: Array, result: Array) -> None:
    """Count pairs in which mine is higher on mid and on low, from how many there are of each."""
    row[:] = 0
    for mid in range(_MIDS):
        below = 0
        for low in range(_LOWS):
            place = mid * _LOWS + low
            result[6] += hist[0, place] * below
            below += row[low]
        for low in range(_LOWS):
            row[low] += hist[1, mid * _LOWS + low]


@njit(cache=True)
def _steps() -> Array:
    """Return, for each low part, the row that adds a hand to all lows from it on."""
    steps = np.zeros((_LOWS, _LOWS), np.int32)
    for low in range(_LOWS):
        for k in range(low, _LOWS):
            steps[low, k] = 1
    return steps


@njit(cache=True, nogil=True)
def count_all(mine: Array, my_many: Array, theirs: Array, their_many: Array, shift: Any, parts: Any) -> Array:
    """Count over all pairs of hands when nothing is shared, given sorted values and how many hold each."""
    result = np.zeros(7, np.int64)
    if parts == 2:
        tree, hist = np.empty(_MIDS, np.int32), np.empty((2, _MIDS), np.int64)
        _sweep_two(mine, my_many, len(mine), theirs, their_many, len(theirs), shift, tree, hist, result)
    else:
        rows, lows = np.empty((_MIDS, _LOWS), np.int32), np.empty(_LOWS, np.int32)
        cells = np.empty((2, _MIDS * _LOWS), np.int64)
        _sweep_three(
            mine,
            my_many,
            len(mine),
            theirs,
            their_many,
            len(theirs),
            shift,
            _steps(),
            rows,
            lows,
            cells,
            result,
        )
    return result


@njit(cache=True, parallel=True, nogil=True)
def count_level(
    shared: Array,
    weights: Array,
    cards: Any,
    size: Any,
    room: Any,
    threads: Any,
    binomials: Array,
    mine: Array,
    theirs: Array,
    same: Any,
    shift: Any,
    parts: Any,
) -> Array:
    """Sum the dominance counts of every shared set of one level, each times its weight.

    Answers seven counts: lead and mid, lead and low, all three; lead, mid, low; mid and low. Of these a
    game of two parts needs lead and mid, lead, mid; a game of three the pairs and all three.
    """
    choose = size - shared.shape[1]
    totals = np.zeros((threads, 7), np.int64)
    for thread in prange(threads):
        a, b = np.empty(room, np.uint32), np.empty(0 if same else room, np.uint32)
        spare, starts = np.empty(room, np.uint32), np.empty(_DIGITS + 1, np.int64)
        many_a, many_b = np.empty(room, np.int32), np.empty(0 if same else room, np.int32)
        flat, flat_hist = np.empty(_MIDS, np.int32), np.empty((2, _MIDS), np.int64)
        tree, lows = np.empty((_MIDS, _LOWS), np.int32), np.empty(_LOWS, np.int32)
        hist = np.empty((2, _MIDS * _LOWS), np.int64)
        steps = _steps()
        rest = np.empty(cards, np.int64)
        result = np.empty(7, np.int64)
        for row in range(thread, shared.shape[0], threads):
            table = np.zeros((max(choose, 1), cards), np.int64)
            constant = _weights(shared[row], cards, choose, binomials, rest, table)
            free = cards - shared.shape[1]
            count = _gather(constant, choose, free, table, mine, a)
            _sort(a, count, spare, starts)
            if not same:
                _gather(constant, choose, free, table, theirs, b)
                _sort(b, count, spare, starts)
            others = count
            count = _alike(a, count, many_a)
            others = count if same else _alike(b, others, many_b)
            other, many = (a, many_a) if same else (b, many_b)
            result[:] = 0
            if parts == 2:
                _sweep_two(a, many_a, count, other, many, others, shift, flat, flat_hist, result)
            else:
                _sweep_three(a, many_a, count, other, many, others, shift, steps, tree, lows, hist, result)
            totals[thread] += weights[row] * result
    return totals


@njit(cache=True, parallel=True, nogil=True)
def count_small(
    shared: Array,
    weights: Array,
    cards: Any,
    size: Any,
    room: Any,
    threads: Any,
    binomials: Array,
    mine: Array,
    theirs: Array,
    shift: Any,
    parts: Any,
) -> Array:
    """Do the same for levels whose sets have few hands, pair by pair."""
    low_bits = 4 if parts == 3 else 0
    choose = size - shared.shape[1]
    totals = np.zeros((threads, 7), np.int64)
    for thread in prange(threads):
        a, b = np.empty(room, np.uint32), np.empty(room, np.uint32)
        rest = np.empty(cards, np.int64)
        sums = np.zeros(7, np.int64)
        for row in range(thread, shared.shape[0], threads):
            table = np.zeros((max(choose, 1), cards), np.int64)
            constant = _weights(shared[row], cards, choose, binomials, rest, table)
            free = cards - shared.shape[1]
            count = _gather(constant, choose, free, table, mine, a)
            _gather(constant, choose, free, table, theirs, b)
            for i in range(count):
                ours = a[i]
                lead_mid = 0
                lead_low = 0
                every = 0
                leads = 0
                mids = 0
                mid_low = 0
                for j in range(count):
                    lead = 1 if ours >> shift > b[j] >> shift else 0
                    mid = 1 if ours >> low_bits & (_MIDS - 1) > b[j] >> low_bits & (_MIDS - 1) else 0
                    low = 1 if ours & (_LOWS - 1) > b[j] & (_LOWS - 1) else 0
                    both = mid & low
                    lead_mid += lead & mid
                    lead_low += lead & low
                    every += lead & both
                    leads += lead
                    mids += mid
                    mid_low += both
                sums[0] += weights[row] * lead_mid
                sums[1] += weights[row] * lead_low
                sums[2] += weights[row] * every
                sums[3] += weights[row] * leads
                sums[4] += weights[row] * mids
                sums[6] += weights[row] * mid_low
        totals[thread] += sums
    return totals


@njit(cache=True, parallel=True, nogil=True)
def expand(hands: Array, values: Array, orders: Array, binomials: Array, out: Array) -> None:
    """Write the value of each suit class to every hand of it, by the hand's number."""
    size = hands.shape[1]
    for row in prange(hands.shape[0]):
        cards = np.empty(size, np.int64)
        for turn in range(orders.shape[0]):
            for place in range(size):
                card = hands[row, place]
                cards[place] = card if card == 52 else card // 4 * 4 + orders[turn, card % 4]
            for place in range(1, size):
                card = cards[place]
                back = place
                while back > 0 and cards[back - 1] > card:
                    cards[back] = cards[back - 1]
                    back -= 1
                cards[back] = card
            number = 0
            for place in range(size):
                number += binomials[place, cards[place]]
            out[number] = values[row]


@njit(cache=True, parallel=True, nogil=True)
def net_by_class(
    shared: Array,
    weights: Array,
    cards: Any,
    size: Any,
    room: Any,
    threads: Any,
    binomials: Array,
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
    choose = size - shared.shape[1]
    for thread in prange(threads):
        a, b = np.empty(room, np.uint32), np.empty(room, np.uint32)
        which = np.empty(room, np.uint32)
        heads, tails = np.empty(leads, np.int64), np.empty(_MIDS, np.int64)
        rest = np.empty(cards, np.int64)
        for row in range(thread, shared.shape[0], threads):
            table = np.zeros((max(choose, 1), cards), np.int64)
            constant = _weights(shared[row], cards, choose, binomials, rest, table)
            free = cards - shared.shape[1]
            count = _gather(constant, choose, free, table, mine, a)
            _gather(constant, choose, free, table, theirs, b)
            _gather(constant, choose, free, table, classes, which)
            heads[:] = 0
            tails[:] = 0
            total = 0
            for i in range(count):
                if b[i] >> shift >= least:
                    heads[b[i] >> shift] += 1
                    tails[b[i] & (_MIDS - 1)] += 1
                    total += 1
            _running(heads)
            _running(tails)
            for i in range(count):
                net = heads[a[i] >> shift] + tails[a[i] & (_MIDS - 1)] - total
                totals[thread, which[i]] += weights[row] * net


@njit(cache=True)
def _running(counts: Array) -> None:
    """Turn counts into how many lie below each place."""
    below = 0
    for place in range(len(counts)):
        here = counts[place]
        counts[place] = below
        below += here

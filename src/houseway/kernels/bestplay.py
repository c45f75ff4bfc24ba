"""The exact worth of every setting of every hand against a side that sets its hands in a known way.

A hand's settings are those that no other setting of it beats on one part without losing on another; each is
a packed strength. For each set of shared cards a board answers for all hands that contain it, and sums go to
the hand's class, where inclusion and exclusion leave what the setting does against disjoint hands alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from houseway.kernels.dominance import (
    LOWS,
    MIDS,
    Board,
    fill,
    new_board,
)
from houseway.kernels.hand_numbers import Level, fill_places, gather_hands
from houseway.kernels.houseways import WayTables, gather_strengths, in_order

Array = NDArray[Any]
_JOKER = 52
_MOST = 105
"""Settings of a hand of seven cards in three parts."""
_BATCH = 256
"""Hands whose settings are looked up together."""


class Numbering(NamedTuple):
    """How a side's settings become packed strengths.

    ``top`` is the number of a part that the joker makes the highest of all, else 0; ``ties`` is 1 for the
    side that wins copies: its numbers are one higher, so that equal strengths are below them.
    """

    low_bits: int
    mid_bits: int
    top: Array
    ties: int


class Candidates(NamedTuple):
    """The settings worth valuing: of class c those from ``starts[c]`` on, before ``starts[c + 1]``."""

    starts: Array
    packed: Array


@njit(cache=True)
def _list_undominated(
    cards: Array,
    t: WayTables,
    dense: WayTables,
    numbering: Numbering,
    strengths: Array,
    ranks: Array,
    best: Array,
    indices: Array,
) -> Any:
    """List a hand's settings that no other setting dominates; return their count."""
    gather_strengths(cards, t, strengths)
    gather_strengths(cards, dense, ranks)
    joker = 1 << len(cards) - 1 if cards[len(cards) - 1] == _JOKER else 0
    count = 0
    parts = t.settings.shape[1]
    own = np.zeros(3, np.int64)
    for index in range(t.settings.shape[0]):
        if not in_order(t, index, strengths):
            continue
        for part in range(parts):
            mask = t.settings[index, part]
            top = numbering.top[part] if mask & joker else 0
            own[part] = top if top > 0 else ranks[part, mask]
        keep = True
        i = 0
        while i < count:
            higher, lower = False, False
            for part in range(parts):
                higher |= own[part] > best[i, part]
                lower |= own[part] < best[i, part]
            if not higher:  # that one is as good or better on every part
                keep = False
                break
            if not lower:  # that one is dominated
                count -= 1
                best[i], indices[i] = best[count], indices[count]
                continue
            i += 1
        if keep:
            best[count] = own
            indices[count] = index
            count += 1
    return count


@njit(cache=True, parallel=True, nogil=True)
def list_settings(
    hands: Array,
    t: WayTables,
    dense: WayTables,
    numbering: Numbering,
    starts: Array,
    packed: Array,
    which: Array,
    chunk: Any,
) -> None:
    """Count the settings of sorted hands into ``starts``; with room in ``packed`` write them there.

    ``which`` takes the number of each setting among all settings of a hand.
    """
    chunks = (len(hands) + chunk - 1) // chunk
    for piece in prange(chunks):
        strengths, ranks = np.zeros((3, 128), np.int32), np.zeros((3, 128), np.int32)
        best, indices = np.zeros((_MOST, 3), np.int64), np.zeros(_MOST, np.int64)
        for row in range(piece * chunk, min((piece + 1) * chunk, len(hands))):
            count = _list_undominated(hands[row], t, dense, numbering, strengths, ranks, best, indices)
            if len(packed) == 0:
                starts[row] = count
                continue
            for i in range(count):
                value = best[i, 0] + numbering.ties << numbering.mid_bits + numbering.low_bits
                value |= best[i, 1] + numbering.ties << numbering.low_bits
                if numbering.low_bits > 0:
                    value |= best[i, 2] + numbering.ties
                packed[starts[row] + i] = value
                which[starts[row] + i] = indices[i]


@njit(cache=True)
def _look_up(
    board: Board, packed: Array, count: Any, weight: Any, shift: Any, parts: Any, wins: Array, nets: Array
) -> None:
    """Write the hands that each setting beats on a board and, of two parts, its wins less losses."""
    cells, lead_at, mid_at, low_at = board.cells, board.lead_at, board.mid_at, board.low_at
    width, deep, every = board.sizes[0], board.sizes[1], board.sizes[2]
    if parts == 2:
        for i in range(count):
            lead, mid = packed[i] >> shift, packed[i] & (MIDS - 1)
            wins[i] = weight * cells[lead_at[lead] * width + mid_at[mid]]
            nets[i] = weight * (board.lead_below[lead] + board.mid_below[mid] - every)
    else:
        for i in range(count):
            lead, mid, low = packed[i] >> shift, packed[i] >> 4 & (MIDS - 1), packed[i] & (LOWS - 1)
            wins[i] = weight * cells[lead_at[lead] * width + mid_at[mid] * deep + low_at[low]]


@njit(cache=True)
def _keep_above(values: Array, count: Any, least: Any, shift: Any) -> Any:
    """Keep the hands whose lead is at least ``least``; return their count."""
    left = 0
    for i in range(count):
        if values[i] >> shift >= least:
            values[left] = values[i]
            left += 1
    return left


class SettingBatch(NamedTuple):
    """Room for the settings of some hands.

    They are read, looked up and written together, so that the waits for distant memory overlap.
    """

    places: Array
    packed: Array
    wins: Array
    nets: Array


@njit(cache=True)
def _new_batch() -> SettingBatch:
    room = _BATCH * _MOST
    return SettingBatch(
        np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int32), np.empty(room, np.int32)
    )


@njit(cache=True)
def _add_batch(
    batch: SettingBatch,
    board: Board,
    own: Candidates,
    classes: Array,
    weight: Any,
    shift: Any,
    parts: Any,
    sums: Array,
) -> None:
    """Add, for the settings of these classes, their results against a board."""
    places, packed, wins, nets = batch
    starts, settings = own.starts, own.packed
    count = 0
    for i in range(len(classes)):
        for at in range(starts[classes[i]], starts[classes[i] + 1]):
            places[count] = at
            count += 1
    for i in range(count):
        packed[i] = settings[places[i]]
    _look_up(board, packed, count, weight, shift, parts, wins, nets)
    if parts == 2:
        for i in range(count):
            sums[places[i], 0] += wins[i]
            sums[places[i], 1] += nets[i]
    else:
        for i in range(count):
            sums[places[i], 0] += wins[i]


@njit(cache=True, parallel=True, nogil=True)
def add_whole(
    theirs: Array,
    many: Array,
    weights: Array,
    own: Candidates,
    least: Any,
    shift: Any,
    parts: Any,
    leads: Any,
    out: Array,
) -> None:
    """Add for every class the results of its settings against all hands, shared cards or not."""
    count = 0
    for i in range(len(theirs)):
        if theirs[i] >> shift >= least:
            theirs[count], many[count] = theirs[i], many[i]
            count += 1
    for thread in prange(len(out)):
        sums = out[thread]
        _add_classes(theirs, many, count, weights, own, shift, parts, leads, thread, len(out), sums)


@njit(cache=True)
def _add_classes(
    theirs: Array,
    many: Array,
    count: Any,
    weights: Array,
    own: Candidates,
    shift: Any,
    parts: Any,
    leads: Any,
    first: Any,
    step: Any,
    sums: Array,
) -> None:
    board, batch, row = new_board(leads, len(theirs), parts), _new_batch(), np.empty(1, np.uint32)
    fill(board, theirs, many, count, shift, parts)
    for number in range(first, len(weights), step):
        row[0] = number
        _add_batch(batch, board, own, row, np.int32(weights[number]), shift, parts, sums)


@njit(cache=True, parallel=True, nogil=True)
def add_level(
    level: Level,
    theirs: Array,
    classes: Array,
    own: Candidates,
    least: Any,
    shift: Any,
    parts: Any,
    leads: Any,
    out: Array,
) -> None:
    """Add, for every hand that contains a shared set, its settings' results against the other such hands.

    Only opponents whose lead is at least ``least`` count. Each thread has sums of its own in ``out``; they
    may overflow on the way, the final sums do not.
    """
    for thread in prange(level.threads):
        _add_sets(level, thread, theirs, classes, own, least, shift, parts, leads, out[thread])


@njit(cache=True)
def _add_sets(
    level: Level,
    thread: Any,
    theirs: Array,
    classes: Array,
    own: Candidates,
    least: Any,
    shift: Any,
    parts: Any,
    leads: Any,
    sums: Array,
) -> None:
    shared, weights, cards, size, room, threads, _ = level
    b, which = np.empty(room, np.uint32), np.empty(room, np.uint32)
    board, no_counts, batch = new_board(leads, room, parts), np.empty(0, np.int64), _new_batch()
    rest, table = np.empty(cards, np.int64), np.empty((size, cards), np.int64)
    for row in range(thread, shared.shape[0], threads):
        constant = fill_places(level, row, rest, table)
        count = gather_hands(level, constant, table, theirs, b)
        left = _keep_above(b, count, least, shift) if least > 0 else count
        if left == 0:
            continue
        fill(board, b, no_counts, left, shift, parts)
        gather_hands(level, constant, table, classes, which)
        weight = np.int32(weights[row])
        for first in range(0, count, _BATCH):
            hands = which[first : min(first + _BATCH, count)]
            _add_batch(batch, board, own, hands, weight, shift, parts, sums)


@njit(cache=True, parallel=True, nogil=True)
def add_small(
    level: Level,
    theirs: Array,
    classes: Array,
    own: Candidates,
    least: Any,
    shift: Any,
    parts: Any,
    out: Array,
) -> None:
    """Do as ``add_level`` for levels whose sets have few hands: each setting against each of them."""
    for thread in prange(level.threads):
        _add_pairs(level, thread, theirs, classes, own, least, shift, parts, out[thread])


@njit(cache=True)
def _add_pairs(
    level: Level,
    thread: Any,
    theirs: Array,
    classes: Array,
    own: Candidates,
    least: Any,
    shift: Any,
    parts: Any,
    sums: Array,
) -> None:
    shared, weights, cards, size, room, threads, _ = level
    b, which = np.empty(room, np.uint32), np.empty(room, np.uint32)
    leads, mids, lows = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int32)
    rest, table = np.empty(cards, np.int64), np.empty((size, cards), np.int64)
    for row in range(thread, shared.shape[0], threads):
        constant = fill_places(level, row, rest, table)
        count = gather_hands(level, constant, table, theirs, b)
        left = _keep_above(b, count, least, shift) if least > 0 else count
        for j in range(left):
            leads[j], lows[j] = b[j] >> shift, b[j] & (LOWS - 1)
            mids[j] = (b[j] if parts == 2 else b[j] >> 4) & (MIDS - 1)
        gather_hands(level, constant, table, classes, which)
        weight = np.int32(weights[row])
        for i in range(count):
            for at in range(own.starts[which[i]], own.starts[which[i] + 1]):
                value = own.packed[at]
                lead, low = np.int32(value >> shift), np.int32(value & (LOWS - 1))
                mid = np.int32((value if parts == 2 else value >> 4) & (MIDS - 1))
                wins, net = np.int32(0), np.int32(-left)
                if parts == 2:
                    for j in range(left):
                        ahead, before = np.int32(lead > leads[j]), np.int32(mid > mids[j])
                        wins += ahead & before
                        net += ahead + before
                    sums[at, 1] += weight * net
                else:
                    for j in range(left):
                        above = np.int32(lead > leads[j]) + np.int32(mid > mids[j]) + np.int32(low > lows[j])
                        wins += above >> 1
                sums[at, 0] += weight * wins


@njit(cache=True, parallel=True, nogil=True)
def choose(
    own: Candidates, values: Array, doubled: Array, win: Any, lose: Any, opponents: Any, out: Array
) -> None:
    """Write, for each class, the place of the setting worth most.

    A value is wins and, of two parts, wins less losses; of three, what is not won is lost to one of the
    ``opponents``. A won hand counts ``win``, a lost one costs ``lose``. ``doubled`` is what doubling the
    wager adds, where it adds anything, or is empty.
    """
    for row in prange(len(own.starts) - 1):
        best = np.iinfo(np.int64).min
        for at in range(own.starts[row], own.starts[row + 1]):
            wins = np.int64(values[at, 0])
            losses = wins - values[at, 1] if values.shape[1] > 1 else opponents - wins
            worth = win * wins - lose * losses
            if len(doubled) > 0 and doubled[at] > 0:
                worth += lose * np.int64(doubled[at])
            if worth > best:
                best = worth
                out[row] = at


@njit(cache=True, parallel=True, nogil=True)
def find_places(own: Candidates, packed: Array, out: Array) -> None:
    """Write, for each class, the place of the setting with a packed strength; -1 if none has it."""
    for row in prange(len(own.starts) - 1):
        out[row] = -1
        for at in range(own.starts[row], own.starts[row + 1]):
            if own.packed[at] == packed[row]:
                out[row] = at
                break

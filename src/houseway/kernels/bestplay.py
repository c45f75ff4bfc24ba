"""What every setting of every hand is worth, exactly, against a side that sets its hands a known way.

A hand's settings are those that no other setting of it beats on one part without losing on another; each is
a packed strength. For each set of shared cards a board answers for all hands that contain it, and sums go to
the hand's class, where inclusion and exclusion leaves what the setting does against disjoint hands alone.
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
    both_below,
    fill,
    new_board,
    two_below,
)
from houseway.kernels.gathering import Level, place
from houseway.kernels.gathering import gather as gather_hands
from houseway.kernels.houseways import WayTables, gather, in_order

Array = NDArray[Any]
_JOKER = 52
_MOST = 105
"""As many settings as a hand of seven cards has in three parts."""


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
    """The settings worth looking at: of class c those from ``starts[c]`` on, before ``starts[c + 1]``."""

    starts: Array
    packed: Array


@njit(cache=True)
def _settings(
    cards: Array,
    t: WayTables,
    dense: WayTables,
    how: Numbering,
    strengths: Array,
    numbers: Array,
    kept: Array,
    which: Array,
) -> Any:
    """List a hand's settings that none of its others dominates, packed; return how many there are."""
    gather(cards, t, strengths)
    gather(cards, dense, numbers)
    joker = 1 << len(cards) - 1 if cards[len(cards) - 1] == _JOKER else 0
    found = 0
    parts = t.settings.shape[1]
    own = np.zeros(3, np.int64)
    for index in range(t.settings.shape[0]):
        if not in_order(t, index, strengths):
            continue
        for part in range(parts):
            mask = t.settings[index, part]
            own[part] = how.top[part] if how.top[part] > 0 and mask & joker else numbers[part, mask]
        keep = True
        i = 0
        while i < found:
            higher, lower = False, False
            for part in range(parts):
                higher |= own[part] > kept[i, part]
                lower |= own[part] < kept[i, part]
            if not higher:  # there is one as good or better on every part
                keep = False
                break
            if not lower:  # it is better than this one
                found -= 1
                kept[i], which[i] = kept[found], which[found]
                continue
            i += 1
        if keep:
            kept[found] = own
            which[found] = index
            found += 1
    return found


@njit(cache=True, parallel=True, nogil=True)
def list_settings(
    hands: Array,
    t: WayTables,
    dense: WayTables,
    how: Numbering,
    starts: Array,
    packed: Array,
    which: Array,
    chunk: Any,
) -> None:
    """Count the settings of sorted hands into ``starts``; with room in ``packed`` write them from there on.

    ``which`` takes the number of each setting among all settings of a hand.
    """
    chunks = (len(hands) + chunk - 1) // chunk
    for piece in prange(chunks):
        strengths, numbers = np.zeros((3, 128), np.int32), np.zeros((3, 128), np.int32)
        kept, index = np.zeros((_MOST, 3), np.int64), np.zeros(_MOST, np.int64)
        for row in range(piece * chunk, min((piece + 1) * chunk, len(hands))):
            found = _settings(hands[row], t, dense, how, strengths, numbers, kept, index)
            if len(packed) == 0:
                starts[row] = found
                continue
            for i in range(found):
                value = kept[i, 0] + how.ties << how.mid_bits + how.low_bits
                value |= kept[i, 1] + how.ties << how.low_bits
                if how.low_bits > 0:
                    value |= kept[i, 2] + how.ties
                packed[starts[row] + i] = value
                which[starts[row] + i] = index[i]


@njit(cache=True)
def _add(board: Board, value: Any, weight: Any, shift: Any, parts: Any, out: Array, at: Any) -> None:
    """Add what a setting does against a board: the hands it beats, and of two parts wins less losses."""
    lead = value >> shift
    if parts == 2:
        mid = value & (MIDS - 1)
        out[at, 0] += weight * both_below(board, lead, mid)
        out[at, 1] += weight * (board.lead_below[lead] + board.mid_below[mid] - board.sizes[2])
    else:
        out[at, 0] += weight * two_below(board, lead, value >> 4 & (MIDS - 1), value & (LOWS - 1))


@njit(cache=True)
def _above(values: Array, count: Any, least: Any, shift: Any) -> Any:
    """Keep the hands whose lead is at least this; return how many are left."""
    left = 0
    for i in range(count):
        if values[i] >> shift >= least:
            values[left] = values[i]
            left += 1
    return left


@njit(cache=True, nogil=True)
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
    """Add for every class what its settings do against all hands, whatever cards they share."""
    board = new_board(leads, len(theirs), parts)
    count = 0
    for i in range(len(theirs)):
        if theirs[i] >> shift >= least:
            theirs[count], many[count] = theirs[i], many[i]
            count += 1
    fill(board, theirs, many, count, shift, parts)
    for row in range(len(weights)):
        for at in range(own.starts[row], own.starts[row + 1]):
            _add(board, own.packed[at], weights[row], shift, parts, out[0], at)


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
    """Add for every hand that contains a shared set what its settings do against the hands that do.

    Only opponents whose lead is at least ``least`` count. Each thread has sums of its own in ``out``.
    """
    shared, weights, cards, size, room, threads, _ = level
    for thread in prange(threads):
        b, which = np.empty(room, np.uint32), np.empty(room, np.uint32)
        board, nobody = new_board(leads, room, parts), np.empty(0, np.int64)
        rest, table = np.empty(cards, np.int64), np.empty((size, cards), np.int64)
        sums = out[thread]
        for row in range(thread, shared.shape[0], threads):
            constant = place(level, row, rest, table)
            count = gather_hands(level, constant, table, theirs, b)
            left = _above(b, count, least, shift) if least > 0 else count
            if left == 0:
                continue
            fill(board, b, nobody, left, shift, parts)
            gather_hands(level, constant, table, classes, which)
            for i in range(count):
                for at in range(own.starts[which[i]], own.starts[which[i] + 1]):
                    _add(board, own.packed[at], weights[row], shift, parts, sums, at)


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
    """Do the same for levels whose sets have few hands: each setting against each of them."""
    shared, weights, cards, size, room, threads, _ = level
    for thread in prange(threads):
        b, which = np.empty(room, np.uint32), np.empty(room, np.uint32)
        leads, mids, lows = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int32)
        rest, table = np.empty(cards, np.int64), np.empty((size, cards), np.int64)
        sums = out[thread]
        for row in range(thread, shared.shape[0], threads):
            constant = place(level, row, rest, table)
            count = gather_hands(level, constant, table, theirs, b)
            left = _above(b, count, least, shift) if least > 0 else count
            for j in range(left):
                leads[j], lows[j] = b[j] >> shift, b[j] & (LOWS - 1)
                mids[j] = (b[j] if parts == 2 else b[j] >> 4) & (MIDS - 1)
            gather_hands(level, constant, table, classes, which)
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
                        sums[at, 1] += weights[row] * net
                    else:
                        for j in range(left):
                            above = (
                                np.int32(lead > leads[j]) + np.int32(mid > mids[j]) + np.int32(low > lows[j])
                            )
                            wins += above >> 1
                    sums[at, 0] += weights[row] * wins


@njit(cache=True, parallel=True, nogil=True)
def choose(own: Candidates, values: Array, doubled: Array, win: Any, lose: Any, out: Array) -> None:
    """Write, for each class, the place of the setting worth most.

    A value is wins and wins less losses; a won hand counts ``win``, a lost one costs ``lose``. ``doubled``
    is what doubling the wager adds, where it adds anything, or is empty.
    """
    for row in prange(len(own.starts) - 1):
        best = np.iinfo(np.int64).min
        for at in range(own.starts[row], own.starts[row + 1]):
            wins, net = np.int64(values[at, 0]), np.int64(values[at, 1])
            worth = win * wins - lose * (wins - net)
            if len(doubled) > 0 and doubled[at] > 0:
                worth += lose * np.int64(doubled[at])
            if worth > best:
                best = worth
                out[row] = at

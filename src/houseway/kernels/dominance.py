"""How many of some hands a setting beats, from one dense table over the strengths that occur among them.

A hand is three numbers in one: its lead part's strength in the high bits, then the middle part's, then the
lowest part's. A *board* numbers the strengths that occur without gaps, so that its table stays small, and
answers for any setting, whether its own strengths occur or not: of two parts a cell says how many hands are
below on both, of three how many are below on two at least.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[Any]
MIDS = 128
LOWS = 16


class Board(NamedTuple):
    """Room for one table, filled again for every set of hands.

    ``lead_at[v]`` is how many different leads below v occur, ``lead_below[v]`` how many hands have one; in
    the same way for the other parts. ``sizes`` holds the table's width, its height and how many hands.
    """

    lead_at: Array
    lead_below: Array
    mid_at: Array
    mid_below: Array
    low_at: Array
    cells: Array
    sizes: Array


@njit(cache=True)
def new_board(leads: Any, room: Any, parts: Any) -> Board:
    """Return a board for ``leads`` strengths of the lead part and sets of at most ``room`` hands."""
    width = 92 * 15 if parts == 3 else 92
    cells = (min(leads, room) + 1) * min(width, (room + 1) * (room + 1))
    return Board(
        np.empty(leads + 2, np.int32),
        np.empty(leads + 2, np.int32),
        np.empty(MIDS + 1, np.int32),
        np.empty(MIDS + 1, np.int32),
        np.empty(LOWS + 1, np.int32),
        np.empty(cells, np.int32),
        np.zeros(3, np.int64),
    )


@njit(cache=True)
def _number(counts: Array, below: Array) -> Any:
    """Turn counts by strength into numbers without gaps, and write how many hands lie below each."""
    count = 0
    seen = 0
    for value in range(len(counts)):
        here = counts[value]
        counts[value] = count
        below[value] = seen
        if here:
            count += 1
            seen += here
    return count


@njit(cache=True)
def fill_two(board: Board, values: Array, many: Array, count: Any, shift: Any) -> None:
    """Fill the board from hands of two parts; ``many`` says how many each stands for, or is empty."""
    board.lead_at[:] = 0
    board.mid_at[:] = 0
    each = len(many) == 0
    for i in range(count):
        number = 1 if each else many[i]
        board.lead_at[values[i] >> shift] += number
        board.mid_at[values[i] & (MIDS - 1)] += number
    height = _number(board.lead_at, board.lead_below)
    width = _number(board.mid_at, board.mid_below) + 1
    cells = board.cells
    cells[: (height + 1) * width] = 0
    for i in range(count):
        row, column = board.lead_at[values[i] >> shift] + 1, board.mid_at[values[i] & (MIDS - 1)] + 1
        cells[row * width + column] += 1 if each else many[i]
    for row in range(1, height + 1):
        start = row * width
        running = 0
        for column in range(1, width):
            running += cells[start + column]
            cells[start + column] = running
        for column in range(1, width):
            cells[start + column] += cells[start - width + column]
    board.sizes[0], board.sizes[1], board.sizes[2] = width, height, board.lead_below[-1]


@njit(cache=True)
def fill_three(board: Board, values: Array, many: Array, count: Any, shift: Any) -> None:
    """Fill the board from hands of three parts, so that a cell says how many are below on two at least."""
    board.lead_at[:] = 0
    board.mid_at[:] = 0
    board.low_at[:] = 0
    each = len(many) == 0
    for i in range(count):
        number = 1 if each else many[i]
        board.lead_at[values[i] >> shift] += number
        board.mid_at[values[i] >> 4 & (MIDS - 1)] += number
        board.low_at[values[i] & (LOWS - 1)] += number
    height = _number(board.lead_at, board.lead_below)
    wide = _number(board.mid_at, board.mid_below) + 1
    deep = _number(board.low_at, np.empty(LOWS + 1, np.int32)) + 1
    width, cells = wide * deep, board.cells
    cells[: (height + 1) * width] = 0
    for i in range(count):
        row = board.lead_at[values[i] >> shift] + 1
        column = board.mid_at[values[i] >> 4 & (MIDS - 1)] + 1
        cells[row * width + column * deep + board.low_at[values[i] & (LOWS - 1)] + 1] += (
            1 if each else many[i]
        )
    for row in range(1, height + 1):
        start = row * width
        for column in range(1, wide):
            here = start + column * deep
            running = 0
            for low in range(1, deep):
                running += cells[here + low]
                cells[here + low] = running
            for low in range(1, deep):
                cells[here + low] += cells[here - deep + low]
        # what lies in this row alone is summed: now all rows before it
        for place in range(deep, width):
            cells[start + place] += cells[start - width + place]
    _two_of_three(cells, height, wide, deep)
    board.sizes[0], board.sizes[1], board.sizes[2] = width, deep, board.lead_below[-1]


@njit(cache=True)
def _two_of_three(cells: Array, height: Any, wide: Any, deep: Any) -> None:
    """Turn "below on all three" into "below on two at least": the three pairs, less twice all three."""
    width = wide * deep
    last = cells[height * width : (height + 1) * width].copy()
    tail = np.empty(deep, np.int32)
    for row in range(height + 1):
        start = row * width
        tail[:] = cells[start + width - deep : start + width]
        for column in range(wide):
            here = start + column * deep
            pair = cells[here + deep - 1]
            for low in range(deep):
                cells[here + low] = pair + tail[low] + last[column * deep + low] - 2 * cells[here + low]


@njit(cache=True)
def fill(board: Board, values: Array, many: Array, count: Any, shift: Any, parts: Any) -> None:
    """Fill the board from hands of two parts or of three."""
    if parts == 2:
        fill_two(board, values, many, count, shift)
    else:
        fill_three(board, values, many, count, shift)

"""Every legal setting of some hands, and settings chosen by a formula or by points: what is learnt from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from houseway.kernels.bestplay import Candidates, Numbering
from houseway.kernels.dominance import LOWS, MIDS
from houseway.kernels.houseways import WayTables, gather, in_order

Array = NDArray[Any]
_JOKER = 52


@njit(cache=True, nogil=True)
def list_legal(hands: Array, t: WayTables, dense: WayTables, how: Numbering, packed: Array) -> None:
    """Write the packed strength of every legal setting of sorted hands, by its number; -1 if it is foul."""
    strengths, numbers = np.zeros((3, 128), np.int32), np.zeros((3, 128), np.int32)
    parts = t.settings.shape[1]
    low_bits = how.low_bits
    for row in range(len(hands)):
        cards = hands[row]
        gather(cards, t, strengths)
        gather(cards, dense, numbers)
        joker = 1 << len(cards) - 1 if cards[len(cards) - 1] == _JOKER else 0
        for index in range(t.settings.shape[0]):
            packed[row, index] = -1
            if not in_order(t, index, strengths):
                continue
            value = 0
            for part in range(parts):
                mask = t.settings[index, part]
                number = how.top[part] if how.top[part] > 0 and mask & joker else numbers[part, mask]
                shift = how.mid_bits + low_bits if part == 0 else low_bits if part == 1 else 0
                value |= number + how.ties << shift
            packed[row, index] = value


@njit(cache=True, nogil=True)
def list_strengths(hands: Array, t: WayTables, strengths: Array) -> None:
    """Write the strength of each part of every setting of sorted hands."""
    found = np.zeros((3, 128), np.int32)
    for row in range(len(hands)):
        gather(hands[row], t, found)
        for index in range(t.settings.shape[0]):
            for part in range(t.settings.shape[1]):
                strengths[row, index, part] = found[part, t.settings[index, part]]


@njit(cache=True, parallel=True, nogil=True)
def try_points(
    starts: Array, points: Array, made: Array, tried: Array, lost: Array, counts: Array, out: Array
) -> None:
    """Write what is given up on all hands if a line of points is added, for each line that is tried.

    The settings of a hand stand one after the other; of those with the most points the first is taken.
    ``made`` has the number of what is known of the part that the lines are about.
    """
    for change in prange(len(tried)):
        more, total = tried[change], 0.0
        for hand in range(len(starts) - 1):
            taken, best = starts[hand], -np.inf
            for at in range(starts[hand], starts[hand + 1]):
                found = points[at] + more[made[at]]
                if found > best:
                    taken, best = at, found
            total += lost[taken] * counts[hand]
        out[change] = total


@njit(cache=True, parallel=True, nogil=True)
def soften(
    starts: Array, made: Array, tables: Array, sharp: Any, lost: Array, counts: Array, slopes: Array
) -> None:
    """Write by how much less is given up for each point more that something made counts for, by parts.

    Settings are taken by chance, the more likely the more points they have: a setting with ``1 / sharp``
    points more is e times as likely. ``slopes`` has a row for each of some equal shares of the hands.
    """
    shares, hands = len(slopes), len(starts) - 1
    for share in prange(shares):
        mine = slopes[share]
        chances = np.empty(128)
        for hand in range(hands * share // shares, hands * (share + 1) // shares):
            first, last = starts[hand], starts[hand + 1]
            most, total, mean = -np.inf, 0.0, 0.0
            for at in range(first, last):
                points = 0.0
                for part in range(len(made)):
                    points += tables[part, made[part, at]]
                chances[at - first] = points * sharp
                most = max(most, points * sharp)
            for at in range(last - first):
                chances[at] = np.exp(chances[at] - most)
                total += chances[at]
                mean += chances[at] * lost[first + at]
            mean /= total
            for at in range(first, last):
                slope = sharp * chances[at - first] / total * (mean - lost[at]) * counts[hand]
                for part in range(len(made)):
                    mine[part, made[part, at]] += slope


@njit(cache=True, parallel=True, nogil=True)
def choose_apart(
    own: Candidates,
    leads: Array,
    mids: Array,
    lows: Array,
    shift: Any,
    parts: Any,
    win: Any,
    lose: Any,
    out: Array,
) -> None:
    """Write, for each class, the place of the setting that is best if its parts are taken apart.

    ``leads``, ``mids`` and ``lows`` say how likely a strength of each part is to win by itself; the formula
    takes these chances to be independent.
    """
    for row in prange(len(own.starts) - 1):
        best = -np.inf
        for at in range(own.starts[row], own.starts[row + 1]):
            value = own.packed[at]
            a = leads[value >> shift]
            if parts == 2:
                b = mids[value & (MIDS - 1)]
                wins, losses = a * b, (1 - a) * (1 - b)
            else:
                b, c = mids[value >> 4 & (MIDS - 1)], lows[value & (LOWS - 1)]
                wins = a * b + a * c + b * c - 2 * a * b * c
                losses = 1 - wins
            worth = win * wins - lose * losses
            if worth > best:
                best = worth
                out[row] = at

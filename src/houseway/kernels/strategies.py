"""Every legal setting of some hands, and settings chosen by a formula or by points, to learn strategies."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from houseway.kernels.bestplay import Candidates, Numbering
from houseway.kernels.dominance import LOWS, MIDS
from houseway.kernels.houseways import WayTables, gather_strengths, in_order

Array = NDArray[Any]
_JOKER = 52


@njit(cache=True, nogil=True)
def list_legal(hands: Array, t: WayTables, dense: WayTables, numbering: Numbering, packed: Array) -> None:
    """Write the packed strength of every legal setting of sorted hands, by its number; -1 if it is foul."""
    strengths, ranks = np.zeros((3, 128), np.int32), np.zeros((3, 128), np.int32)
    parts = t.settings.shape[1]
    low_bits = numbering.low_bits
    for row in range(len(hands)):
        cards = hands[row]
        gather_strengths(cards, t, strengths)
        gather_strengths(cards, dense, ranks)
        joker = 1 << len(cards) - 1 if cards[len(cards) - 1] == _JOKER else 0
        for index in range(t.settings.shape[0]):
            packed[row, index] = -1
            if not in_order(t, index, strengths):
                continue
            value = 0
            for part in range(parts):
                mask = t.settings[index, part]
                top = numbering.top[part] if mask & joker else 0
                number = top if top > 0 else ranks[part, mask]
                shift = numbering.mid_bits + low_bits if part == 0 else low_bits if part == 1 else 0
                value |= number + numbering.ties << shift
            packed[row, index] = value


@njit(cache=True, nogil=True)
def list_strengths(hands: Array, t: WayTables, strengths: Array) -> None:
    """Write the strength of each part of every setting of sorted hands."""
    by_part = np.zeros((3, 128), np.int32)
    for row in range(len(hands)):
        gather_strengths(hands[row], t, by_part)
        for index in range(t.settings.shape[0]):
            for part in range(t.settings.shape[1]):
                strengths[row, index, part] = by_part[part, t.settings[index, part]]


@njit(cache=True, parallel=True, nogil=True)
def try_points(
    starts: Array, points: Array, features: Array, changes: Array, lost: Array, counts: Array, out: Array
) -> None:
    """Write the total loss on all hands if a line of points is added, for each of the lines in ``changes``.

    The settings of a hand stand one after the other; of those with the most points the first is taken.
    ``features`` has the number of the feature of the part that the lines are about.
    """
    for change in prange(len(changes)):
        more, total = changes[change], 0.0
        for hand in range(len(starts) - 1):
            taken, best = starts[hand], -np.inf
            for at in range(starts[hand], starts[hand + 1]):
                score = points[at] + more[features[at]]
                if score > best:
                    taken, best = at, score
            total += lost[taken] * counts[hand]
        out[change] = total


@njit(cache=True, parallel=True, nogil=True)
def measure_slopes(
    starts: Array, features: Array, tables: Array, sharp: Any, lost: Array, counts: Array, slopes: Array
) -> None:
    """Write how much the loss falls for each further point of a feature, by parts.

    A setting's chance to be taken rises with its points: one with ``1 / sharp``
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
                for part in range(len(features)):
                    points += tables[part, features[part, at]]
                chances[at - first] = points * sharp
                most = max(most, points * sharp)
            for at in range(last - first):
                chances[at] = np.exp(chances[at] - most)
                total += chances[at]
                mean += chances[at] * lost[first + at]
            mean /= total
            for at in range(first, last):
                slope = sharp * chances[at - first] / total * (mean - lost[at]) * counts[hand]
                for part in range(len(features)):
                    mine[part, features[part, at]] += slope


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
    """Write, for each class, the place of the setting that is best if its parts are independent.

    ``leads``, ``mids`` and ``lows`` have the chance of each strength of a part to win by itself; the
    formula takes these chances to be independent.
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

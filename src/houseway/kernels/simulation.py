"""Deals by the million: two hands from a shuffled deck, their settings looked up, raced and counted.

The random bits are xoshiro256** (Blackman and Vigna, public domain), one stream for each shard.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from houseway.kernels.dominance import LOWS, MIDS
from houseway.kernels.hand_numbers import number_hand

Array = NDArray[Any]
DOUBLES = np.uint32(1 << 31)
"""Set in a player's strength if the wager is doubled with it."""


@njit(cache=True, inline="always")
def _rotate(value: Any, by: Any) -> Any:
    return value << np.uint64(by) | value >> np.uint64(64 - by)


@njit(cache=True)
def _draw_bits(state: Array) -> Any:
    """Return 64 random bits."""
    bits = _rotate(state[1] * np.uint64(5), 7) * np.uint64(9)
    moved = state[1] << np.uint64(17)
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= moved
    state[3] = _rotate(state[3], 45)
    return bits


@njit(cache=True)
def _draw_below(limit: Any, state: Array) -> Any:
    """Return a random number below a small limit, each equally likely."""
    most = np.uint64(0xFFFFFFFF) // np.uint64(limit) * np.uint64(limit)
    while True:
        bits = _draw_bits(state) >> np.uint64(32)
        if bits < most:
            return np.int64(bits % np.uint64(limit))


@njit(cache=True, parallel=True, nogil=True)
def simulate(
    states: Array,
    deals: Any,
    size: Any,
    cards: Any,
    mine: Array,
    theirs: Array,
    binomials: Array,
    least: Any,
    shift: Any,
    parts: Any,
    out: Array,
) -> None:
    """Deal and race; for each shard count wins, losses, and both of those of doubled wagers."""
    for shard in prange(len(states)):
        state, counts = states[shard], out[shard]
        _simulate_shard(state, deals, size, cards, mine, theirs, binomials, least, shift, parts, counts)


@njit(cache=True)
def _simulate_shard(
    state: Array,
    deals: Any,
    size: Any,
    cards: Any,
    mine: Array,
    theirs: Array,
    binomials: Array,
    least: Any,
    shift: Any,
    parts: Any,
    out: Array,
) -> None:
    deck = np.arange(cards).astype(np.uint8)
    hand, other = np.empty(size, np.uint8), np.empty(size, np.uint8)
    for _ in range(deals):
        for place in range(2 * size):
            at = place + _draw_below(cards - place, state)
            deck[place], deck[at] = deck[at], deck[place]
        hand[:], other[:] = deck[:size], deck[size : 2 * size]
        strength = mine[number_hand(hand, binomials)]
        doubled, a = strength & DOUBLES != 0, strength & ~DOUBLES
        b = theirs[number_hand(other, binomials)]
        higher = np.int64(a >> shift > b >> shift)
        if parts == 2:
            higher += np.int64(a & (MIDS - 1) > b & (MIDS - 1))
            won, lost = higher == 2, higher == 0
        else:
            higher += np.int64(a >> 4 & (MIDS - 1) > b >> 4 & (MIDS - 1))
            higher += np.int64(a & (LOWS - 1) > b & (LOWS - 1))
            won, lost = higher > 1, higher < 2
        counts = doubled and b >> shift >= least
        if won:
            out[0] += 1
            out[2] += counts
        elif lost:
            out[1] += 1
            out[3] += counts

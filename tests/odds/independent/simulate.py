"""Deals by the hundred million: two hands from one pack, both set, raced, counted.

Deals come in shards, each with a random stream of its own, so the counts depend on the seed and the number
of deals but not on how many threads there are.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from math import sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit

from tests.odds.independent.casinos import (
    BALLYS,
    CLARIDGE,
    FLAMINGO,
    GOLDEN_NUGGET,
    MGM_GRAND,
    TRUMP_PLAZA,
    set_as,
)
from tests.odds.independent.evaluate import Array, sort_hand
from tests.odds.independent.ways import CALIFORNIA, FOUR_TWO_ONE, FOXWOODS, SIX_CARD, strengths

GAMES: Final = {
    "foxwoods": FOXWOODS,
    "ca-fpgp": CALIFORNIA,
    "pa-670a": SIX_CARD,
    "houseway-421": FOUR_TWO_ONE,
    "trump-plaza": TRUMP_PLAZA,
    "claridge": CLARIDGE,
    "ballys-atlantic-city": BALLYS,
    "flamingo-hilton": FLAMINGO,
    "golden-nugget": GOLDEN_NUGGET,
    "mgm-grand": MGM_GRAND,
}
THREADS: Final = 2
SHARD: Final = 50_000
PACK: Final = 53
_STEP: Final = np.uint64(6364136223846793005)
_STREAM: Final = np.uint64(1442695040888963407)
_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX2: Final = np.uint64(0x94D049BB133111EB)
_WORD: Final = np.uint64(0xFFFFFFFF)
_U18, _U27, _U30, _U31, _U32, _U59 = (np.uint64(bits) for bits in (18, 27, 30, 31, 32, 59))


class Count(NamedTuple):
    """How a number of deals ended for the player."""

    wins: int
    pushes: int
    losses: int

    @property
    def deals(self) -> int:
        return self.wins + self.pushes + self.losses

    def off(self, exact: Count) -> tuple[float, float]:
        """Return how many standard errors the shares of wins and losses lie from the exact ones."""

        def errors(times: int, of_all: int) -> float:
            share = of_all / exact.deals
            return (times / self.deals - share) / sqrt(share * (1 - share) / self.deals)

        return errors(self.wins, exact.wins), errors(self.losses, exact.losses)


def hand_size(game: str) -> int:
    """Return how many cards a hand has."""
    return 6 if GAMES[game] == SIX_CARD else 7


@njit
def state_of(seed: Any, shard: Any) -> Any:
    """Return where a shard's random stream begins, mixed as SplitMix64 mixes so that shards are unlike."""
    word = (np.uint64(seed) << _U32 | np.uint64(shard)) * _GOLDEN
    word = (word ^ word >> _U30) * _MIX1
    word = (word ^ word >> _U27) * _MIX2
    return word ^ word >> _U31


@njit
def draw(state: Any, below: Any) -> Any:
    """Step a PCG generator (XSH RR 64/32); return the state and a number below a small bound.

    The bound is reached by multiplying, so some numbers come up more often by one part in 80 million.
    """
    word = (((state >> _U18) ^ state) >> _U27) & _WORD
    turn = state >> _U59
    word = ((word >> turn) | (word << ((_U32 - turn) & _U31))) & _WORD
    return state * _STEP + _STREAM, np.int64(word * np.uint64(below) >> _U32)


@njit
def race(game: Any, player: Array, dealer: Array) -> Any:
    """Compare the strengths of two settings: 2 for a win, 1 for a push, 0 for a loss; a copy is the dealer's.

    Of three parts two must be higher to win, and there is no push.
    """
    higher = 0
    for part in range(3):
        if player[part] > dealer[part]:
            higher += 1
    if game == FOUR_TWO_ONE:
        return 2 if higher >= 2 else 0
    return higher


class Kernels(NamedTuple):
    """What is compiled and kept: dealing and racing, setting, and weighing settings."""

    play: Callable[[int, int, int, int, int], tuple[int, int, int]]
    set_all: Callable[[int, Array, Array], None]
    weigh_all: Callable[[int, Array, Array, bool, Array], None]


def _kernels(sources: int) -> Kernels:
    """Compile the entry points and keep them on disk.

    numba looks for changes only in the file of what it keeps. A free variable is part of its key, so a
    digest of all the sources is one.
    """

    @njit(cache=True, nogil=True)
    def play(game: Any, size: Any, seed: Any, shard: Any, deals: Any) -> Any:
        """Play one shard: the stream is the shard's own."""
        _ = sources
        state = state_of(seed, shard)
        pack = np.arange(PACK)
        hands, weights = np.empty((2, size), dtype=np.int64), np.empty((2, 3), dtype=np.int64)
        losses, pushes, wins = 0, 0, 0
        for _deal in range(deals):
            for place in range(2 * size):
                state, step = draw(state, PACK - place)
                card = pack[place + step]
                pack[place + step] = pack[place]
                pack[place] = card
            for side in range(2):
                hand = hands[side]
                hand[:] = pack[side * size : side * size + size]
                sort_hand(hand)
                setting = set_as(game, hand)
                weights[side, 0], weights[side, 1], weights[side, 2] = strengths(
                    game, hand, setting, side == 0
                )
            result = race(game, weights[0], weights[1])
            wins += result == 2
            pushes += result == 1
            losses += result == 0
        return wins, pushes, losses

    @njit(cache=True)
    def set_all(game: Any, hands: Array, settings: Array) -> None:
        """Set sorted hands."""
        _ = sources
        for row in range(len(hands)):
            settings[row] = set_as(game, hands[row])

    @njit(cache=True)
    def weigh_all(game: Any, hands: Array, settings: Array, as_player: Any, weights: Array) -> None:
        """Fill the strengths of each setting's parts."""
        _ = sources
        for row in range(len(hands)):
            high, front, low = strengths(game, hands[row], settings[row], as_player)
            weights[row, 0], weights[row, 1], weights[row, 2] = high, front, low

    return Kernels(play, set_all, weigh_all)


def _digest() -> int:
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return int.from_bytes(sha256(b"".join(path.read_bytes() for path in sources)).digest()[:7])


KERNELS: Final = _kernels(_digest())


def simulate(game: str, deals: int, seed: int, threads: int = THREADS) -> Count:
    """Play so many deals, a whole number of shards, and count how they end for the player."""
    shards = range(-(-deals // SHARD))

    def weigh_shard(shard: int) -> tuple[int, int, int]:
        return KERNELS.play(GAMES[game], hand_size(game), seed, shard, SHARD)

    with ThreadPoolExecutor(threads) as pool:
        return Count(*(sum(column) for column in zip(*pool.map(weigh_shard, shards), strict=True)))


def sorted_hands(hands: Array) -> Array:
    """Return hands with the best card first, the joker before the aces."""
    return -np.sort(-hands.astype(np.int64), axis=1)


def set_hands(game: str, hands: Array) -> Array:
    """Return the settings of sorted hands."""
    settings = np.empty(len(hands), dtype=np.int64)
    KERNELS.set_all(GAMES[game], hands, settings)
    return settings


def weigh(game: str, hands: Array, settings: Array, *, as_player: bool) -> Array:
    """Return the strengths of the parts of each setting, a row for each hand."""
    weights = np.empty((len(hands), 3), dtype=np.int64)
    KERNELS.weigh_all(GAMES[game], hands, settings, as_player, weights)
    return weights

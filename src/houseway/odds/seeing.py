"""The value of seeing other players' hands before setting one's own: over random deals, each exact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import comb, sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import Card
from houseway.odds.maingame import Told, lead_shift
from houseway.odds.valued import ValuedSide

Array = NDArray[Any]
MOST_SEEN: Final = 5
"""The most other players."""
AT_ONCE: Final = 500
"""Deals in one call of the kernel."""


@dataclass(frozen=True)
class SeeingWorth:
    """The gain of best play from seeing ``others`` hands, of a main wager, with its standard error."""

    others: int
    deals: int
    gain: float
    error: float
    otherwise: float
    """How often that changes the setting."""


def worth_of_seeing(
    side: ValuedSide,
    deals: int = 10_000,
    seed: int = 1,
    tell: Told | None = None,
    most: int = MOST_SEEN,
) -> Iterator[SeeingWorth]:
    """Yield the worth of seeing one other hand, two, and so on, for the main wager alone.

    Each deal is exact: every setting is valued against all hands of the unseen cards.
    """
    chance = np.random.default_rng(seed)
    table = side.space.by_number(side.against)
    for others in range(1, most + 1):
        gains = []
        for first in range(0, deals, AT_ONCE):
            if tell:
                tell((others - 1) * deals + first, most * deals)
            gains.append(seeing_gains(side, table, others, min(AT_ONCE, deals - first), chance))
        gained = np.concatenate(gains)
        spread = float(gained.std(ddof=1)) / sqrt(deals)
        yield SeeingWorth(others, deals, float(gained.mean()), spread, float((gained > 0).mean()))
    if tell:
        tell(most * deals, most * deals)


def seeing_gains(
    side: ValuedSide, table: Array, others: int, deals: int, chance: np.random.Generator
) -> Array:
    """Deal, and return the gain of the best setting over the best one where no other hand is seen."""
    from houseway.kernels.dominance import LOWS, MIDS  # noqa: PLC0415 - numba only when it is needed
    from houseway.kernels.unseen import value_unseen  # noqa: PLC0415

    space, own = side.space, side.best.own
    cards = np.arange(len(space.cards))
    dealt = np.array([chance.permutation(cards) for _ in range(deals)])
    unseen = np.sort(dealt[:, space.size * (1 + others) :], axis=1)
    hands = [tuple(Card(int(space.cards[place])) for place in row[: space.size]) for row in dealt]
    places = [[place for place, _ in own.settings_of(hand)] for hand in hands]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in places])])
    legal = np.concatenate(places)
    out = np.zeros((len(legal), 2), np.int64)
    parts = own.parts
    value_unseen(
        unseen.astype(np.int64),
        space.size,
        space.binomials,
        table,
        starts,
        own.packed[legal],
        np.array([int(max(table.max(), own.packed.max()) >> lead_shift(parts)) + 1, MIDS, LOWS]),
        lead_shift(parts),
        parts,
        out,
    )
    worth = side.stake.win * out[:, 0] - side.stake.lose * out[:, 1]
    blind = side.stake.worth(side.best.values[legal], space.opponents)
    gains = [
        worth[first:last].max() - worth[first + int(blind[first:last].argmax())]
        for first, last in pairwise(starts)
    ]
    left = unseen.shape[1]
    return np.array(gains) / (side.stake.lose * comb(left, space.size))

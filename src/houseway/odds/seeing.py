"""What it is worth to see other players' hands before one's own is set: over chance deals, each exact."""

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
"""So many other players there are at most."""
AT_ONCE: Final = 500
"""So many deals go to the kernel together."""


@dataclass(frozen=True)
class SeeingWorth:
    """What seeing so many other hands adds to best play, of a main wager, with its standard error."""

    others: int
    deals: int
    gain: float
    error: float
    otherwise: float
    """How often the hand is then set otherwise."""


def worth_of_seeing(
    side: ValuedSide,
    deals: int = 10_000,
    seed: int = 1,
    tell: Told | None = None,
    most: int = MOST_SEEN,
) -> Iterator[SeeingWorth]:
    """Yield what seeing one other hand is worth, two, and so on.

    Each deal is exact: every setting is valued against all hands that the cards left unseen can make. The
    main wager alone is looked at.
    """
    chance = np.random.default_rng(seed)
    table = side.space.by_number(side.against)
    for others in range(1, most + 1):
        gains = []
        for first in range(0, deals, AT_ONCE):
            if tell:
                tell((others - 1) * deals + first, most * deals)
            gains.append(seeing_gains(side, table, others, min(AT_ONCE, deals - first), chance))
        found = np.concatenate(gains)
        spread = float(found.std(ddof=1)) / sqrt(deals)
        yield SeeingWorth(others, deals, float(found.mean()), spread, float((found > 0).mean()))
    if tell:
        tell(most * deals, most * deals)


def seeing_gains(
    side: ValuedSide, table: Array, others: int, deals: int, chance: np.random.Generator
) -> Array:
    """Deal, and return what the best setting gains over the one that is best where nothing is seen."""
    from houseway.kernels.dominance import LOWS, MIDS  # noqa: PLC0415 - numba only when it is needed
    from houseway.kernels.unseen import value_unseen  # noqa: PLC0415

    space, own = side.space, side.best.own
    cards = np.arange(len(space.cards))
    dealt = np.array([chance.permutation(cards) for _ in range(deals)])
    unseen = np.sort(dealt[:, space.size * (1 + others) :], axis=1)
    hands = [tuple(Card(int(space.cards[place])) for place in row[: space.size]) for row in dealt]
    places = [[place for place, _ in own.settings_of(hand)] for hand in hands]
    starts = np.concatenate([[0], np.cumsum([len(one) for one in places])])
    every = np.concatenate(places)
    out = np.zeros((len(every), 2), np.int64)
    parts = own.parts
    value_unseen(
        unseen.astype(np.int64),
        space.size,
        space.binomials,
        table,
        starts,
        own.packed[every],
        np.array([int(max(table.max(), own.packed.max()) >> lead_shift(parts)) + 1, MIDS, LOWS]),
        lead_shift(parts),
        parts,
        out,
    )
    worth = side.stake.win * out[:, 0] - side.stake.lose * out[:, 1]
    blind = side.stake.worth(side.best.values[every], space.opponents)
    gains = [
        worth[first:last].max() - worth[first + int(blind[first:last].argmax())]
        for first, last in pairwise(starts)
    ]
    left = unseen.shape[1]
    return np.array(gains) / (side.stake.lose * comb(left, space.size))

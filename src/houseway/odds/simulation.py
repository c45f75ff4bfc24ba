"""Simulated deals, with a standard error, to compare with exact figures."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.odds.doubling import least_lead
from houseway.odds.maingame import Told, lead_shift
from houseway.odds.valued import ValuedSide

Array = NDArray[Any]
SHARDS: Final = 100
"""The random streams of a simulation, the same number on every machine."""
AT_ONCE: Final = 10


@dataclass(frozen=True)
class Simulation:
    """The results of a simulation: wins, losses, and the doubled ones among them."""

    deals: int
    wins: int
    losses: int
    doubled_wins: int
    doubled_losses: int

    def edge(self, commission: Fraction = Fraction(0)) -> float:
        """Return the house's part of a main wager, doubled wagers counted with it."""
        lost = self.losses + self.doubled_losses - self.doubled_wins - self.wins * (1 - commission)
        return float(Fraction(lost) / self.deals)

    def error(self, commission: Fraction = Fraction(0)) -> float:
        """Return the standard error of the edge."""
        paid = float(1 - commission)
        single = (self.wins - self.doubled_wins) * paid**2 + (self.losses - self.doubled_losses)
        double = self.doubled_wins * (1 + paid) ** 2 + self.doubled_losses * 4
        return sqrt(((single + double) / self.deals - self.edge(commission) ** 2) / self.deals)


def simulate_best(side: ValuedSide, deals: int, seed: int = 1, tell: Told | None = None) -> Simulation:
    """Play the stored best play against the dealer's way, over ``deals`` deals."""
    from houseway.kernels.simulation import DOUBLES, simulate  # noqa: PLC0415 - numba when it is needed

    best, space = side.best, side.space
    strengths = best.table.copy()
    if len(best.doubled):
        strengths[best.doubled[best.chosen] > 0] |= DOUBLES
    mine, theirs = space.by_number(strengths), space.by_number(side.against)
    least = least_lead(side.program) if len(best.doubled) else 0
    parts = best.own.parts
    states = _initial_states(seed)
    counts = np.zeros((SHARDS, 4), np.int64)
    for first in range(0, SHARDS, AT_ONCE):
        if tell:
            tell(first, SHARDS)
        some = slice(first, first + AT_ONCE)
        simulate(
            states[some],
            deals // SHARDS,
            space.size,
            len(space.cards),
            mine,
            theirs,
            space.binomials,
            least,
            lead_shift(parts),
            parts,
            counts[some],
        )
    if tell:
        tell(SHARDS, SHARDS)
    return Simulation(deals // SHARDS * SHARDS, *map(int, counts.sum(axis=0)))


def _initial_states(seed: int) -> Array:
    """Return the initial random state of each shard, by its number."""
    children = np.random.SeedSequence(seed).spawn(SHARDS)
    return np.array([child.generate_state(4, np.uint64) for child in children])

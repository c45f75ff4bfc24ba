"""Dealt hands with what every legal setting of each is worth, exactly: what strategies are learnt from."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.houseways import Program
from houseway.houseways.batch import tables_for
from houseway.houseways.plain import setting_masks
from houseway.odds.best import Stake, doubles
from houseway.odds.catalogue import Catalogue, numbering
from houseway.odds.doubling import least_lead
from houseway.odds.handspace import HandSpace
from houseway.odds.maingame import Told, packed_classes
from houseway.odds.values import values

Array = NDArray[Any]


@dataclass(frozen=True)
class Sampled:
    """Hands as they are dealt, a row each, and what their settings are worth to the player.

    ``worth[i, s]`` is what a wager of one wins on average if hand i is set as setting s; foul settings are
    worth less than anything. ``counts[i]`` says how often the hand was dealt.
    """

    program: Program
    hands: Array
    counts: Array
    worth: Array

    @property
    def best(self) -> Array:
        """What the best setting of each hand is worth."""
        found: Array = self.worth.max(axis=1)
        return found

    def lost(self, settings: Array) -> Array:
        """Return what each hand gives up by a setting."""
        found: Array = self.best - self.worth[np.arange(len(settings)), settings]
        return found

    def first(self, count: int) -> Sampled:
        """Return some of the hands."""
        return Sampled(self.program, self.hands[:count], self.counts[:count], self.worth[:count])

    def mean(self, lost: Array) -> float:
        """Return the mean over the hands as they were dealt."""
        return float(lost @ self.counts / self.counts.sum())


def sample_hands(
    dealer: Program,
    count: int,
    seed: int,
    commission: Fraction = Fraction(0),
    tell: Told | None = None,
    space: HandSpace | None = None,
) -> Sampled:
    """Deal hands, and value every legal setting of each against the dealer's way.

    In a game with a Double Down a setting is worth what it is with doubling wherever that pays.
    """
    from houseway.kernels.strategies import list_legal  # noqa: PLC0415 - numba only when it is needed

    space = space or HandSpace(sum(dealer.split))
    chance = np.random.default_rng(seed)
    dealt = chance.multinomial(count, space.weights / space.weights.sum())
    rows = np.flatnonzero(dealt)
    hands = np.ascontiguousarray(space.hands_of(rows))
    packed = np.empty((len(rows), len(setting_masks(dealer.split))), np.int64)
    list_legal(hands, tables_for(dealer), *numbering(dealer, as_player=True), packed)
    legal = packed >= 0
    starts = np.zeros(len(space.weights) + 1, np.int64)
    starts[rows + 1] = legal.sum(axis=1)
    which = np.nonzero(legal)[1].astype(np.uint8)
    listed = Catalogue(space, dealer, True, np.cumsum(starts), packed[legal].astype(np.uint32), which)
    against = packed_classes(dealer, space, as_player=False)
    stake = Stake.of(commission, as_player=True)
    worth = np.full(packed.shape, -np.inf, np.float32)
    units = stake.worth(values(listed, against, tell=tell), space.opponents)
    if doubles(dealer):
        extra = values(listed, against, least=least_lead(dealer), tell=tell)[:, 1].astype(np.int64)
        units = units + stake.lose * np.maximum(extra, 0)
    worth[legal] = units / (stake.lose * space.opponents)
    return Sampled(dealer, hands, dealt[rows].astype(np.float64), worth)

"""Dealt hands with the exact value of every legal setting, from which strategies are learnt."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.houseways import CompiledWay, compile_way
from houseway.houseways.batch import run_program, tables_for
from houseway.houseways.plain import setting_masks
from houseway.houseways.vocabulary import SHAPES
from houseway.odds.best import Stake, has_double_down
from houseway.odds.catalogue import Catalogue, numbering
from houseway.odds.doubling import least_lead
from houseway.odds.handspace import HandSpace
from houseway.odds.maingame import Told, packed_classes
from houseway.odds.setting_values import values
from houseway.odds.strategies.grammar import Choice, HandTest, rule_of, way_of
from houseway.ranking import Ranking

Array = NDArray[Any]
_MORE: Final = 10
"""Hands dealt for each hand that is valued."""
_FEW: Final = 10
"""Hands in the sample for each hand that is valued before it."""
_LEAST: Final = 1e-6
"""Added to the stake of every kind of hand, so that none is 0."""


@dataclass(frozen=True)
class Sample:
    """Hands as they are dealt, a row each, and the values of their settings to the player.

    ``worth[i, s]`` is the mean win of a wager of one if hand i is set as setting s, minus infinity for a foul
    setting. ``counts[i]`` is the number of dealt hands that it represents.
    """

    program: CompiledWay
    hands: Array
    counts: Array
    worth: Array

    @property
    def best(self) -> Array:
        """The value of each hand's best setting."""
        best: Array = self.worth.max(axis=1)
        return best

    def lost(self, settings: Array) -> Array:
        """Return what each hand gives up by a setting."""
        losses: Array = self.best - self.worth[np.arange(len(settings)), settings]
        return losses

    @cached_property
    def house_way(self) -> Array:
        """What each hand gives up if it is set the house way."""
        return self.lost(run_program(self.program, self.hands).settings.astype(np.int64))

    def first(self, count: int) -> Sample:
        """Return some of the hands."""
        return self.where(np.arange(len(self.hands)) < count)

    def where(self, inside: Array) -> Sample:
        """Return the hands that are ``inside``."""
        return Sample(self.program, self.hands[inside], self.counts[inside], self.worth[inside])

    def mean(self, lost: Array) -> float:
        """Return the mean over the hands as they were dealt."""
        return float(lost @ self.counts / self.counts.sum())


def sample_hands(
    dealer: CompiledWay,
    count: int,
    seed: int,
    commission: Fraction = Fraction(0),
    tell: Told | None = None,
    space: HandSpace | None = None,
) -> Sample:
    """Deal hands, and value every legal setting of some of them against the dealer's way.

    Many more are dealt than are valued: of each kind of hand the more stay, the more the house way gives up
    on it by a few hands valued first, and those that stay represent the others.
    """
    space = space or HandSpace(sum(dealer.split))
    chance = np.random.default_rng(seed)
    first = deal_hands(dealer, max(count // _FEW, 1), chance, commission, tell, space)
    rows, times = _deal(space, count * _MORE, chance)
    hands = np.ascontiguousarray(space.hands_of(rows))
    at_stake = _stakes_by_kind(first)[kinds_of(dealer.ranking, hands)]
    chances = np.minimum(count * at_stake / at_stake.sum(), 1)
    stay = chance.random(len(rows)) < chances
    return _value_hands(dealer, space, rows[stay], times[stay] / chances[stay], chance, commission, tell)


def deal_hands(
    dealer: CompiledWay,
    count: int,
    chance: np.random.Generator,
    commission: Fraction = Fraction(0),
    tell: Told | None = None,
    space: HandSpace | None = None,
) -> Sample:
    """Deal hands, and value every legal setting of each against the dealer's way."""
    space = space or HandSpace(sum(dealer.split))
    return _value_hands(dealer, space, *_deal(space, count, chance), chance, commission, tell)


def kinds_of(order: Ranking, hands: Array) -> Array:
    """Return the kind of each hand: twice the number of its shape, and one more if it is complete."""
    plain = Choice((), tuple(range(len(order.split))))
    rules = [
        rule_of(order.part_names, f"kind-{number}", "kind", HandTest((shape,), whole), plain)
        for number, (shape, whole) in enumerate(product(SHAPES, (False, True)))
    ]
    kinds: Array = run_program(compile_way(way_of(order, *rules), base=order), hands).rules
    return kinds.astype(np.int64)


def _deal(space: HandSpace, count: int, chance: np.random.Generator) -> tuple[Array, Array]:
    """Deal hands; return the classes dealt, and how often each."""
    times = chance.multinomial(count, space.weights / space.weights.sum())
    rows = np.flatnonzero(times)
    return rows, times[rows].astype(np.float64)


def _stakes_by_kind(sample: Sample) -> Array:
    """Return how much is at stake in each kind of hand; for a kind not dealt, as much as in any."""
    lost = sample.house_way**2
    kinds, size = kinds_of(sample.program.ranking, sample.hands), 2 * len(SHAPES)
    hands = np.bincount(kinds, sample.counts, size)
    squares = np.bincount(kinds, lost * sample.counts, size) / np.maximum(hands, 1)
    squares[hands == 0] = squares.max()
    stakes: Array = np.sqrt(squares) + np.sqrt(sample.mean(lost)) + _LEAST
    return stakes


def _value_hands(
    dealer: CompiledWay,
    space: HandSpace,
    rows: Array,
    counts: Array,
    chance: np.random.Generator,
    commission: Fraction,
    tell: Told | None,
) -> Sample:
    """Value every legal setting of a hand of each of some classes, in random order.

    In a game with a Double Down a setting counts with doubling wherever that pays.
    """
    from houseway.kernels.strategies import list_legal  # noqa: PLC0415 - numba only when it is needed

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
    if has_double_down(dealer):
        extra = values(listed, against, least=least_lead(dealer), tell=tell)[:, 1].astype(np.int64)
        units = units + stake.lose * np.maximum(extra, 0)
    worth[legal] = units / (stake.lose * space.opponents)
    order = chance.permutation(len(rows))
    return Sample(dealer, hands[order], counts[order], worth[order])

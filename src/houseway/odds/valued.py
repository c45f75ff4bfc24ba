"""The worth of any way against a side that sets a known way, from the stored value of every setting."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.errors import InvalidInputError
from houseway.houseways import CompiledWay
from houseway.odds.best import BestPlay, Stake, best_play, has_double_down
from houseway.odds.catalogue import Catalogue, catalogue
from houseway.odds.doubling import least_lead
from houseway.odds.handspace import HandSpace
from houseway.odds.maingame import PART_BITS, Told, lead_shift, packed_classes, unpack_parts
from houseway.odds.setting_values import open_sums, values
from houseway.odds.stored import remember_values

Array = NDArray[Any]


@dataclass(frozen=True)
class Worth:
    """The worth of a side's settings: by class, in units of its stake."""

    space: HandSpace
    stake: Stake
    units: Array

    @property
    def mean(self) -> Fraction:
        """The side's mean gain from a player's wager of one."""
        total = int((self.units * self.space.weights).sum())
        return Fraction(total, self.whole * self.space.hands)

    @property
    def whole(self) -> int:
        """The units of a hand that always wins a whole wager."""
        return max(self.stake.win, self.stake.lose) * self.space.opponents


@dataclass(frozen=True)
class ValuedSide:
    """A side with the value of every setting against the other, which sets a known way."""

    program: CompiledWay
    """The game's program; where a player doubles, the dealer's way."""
    stake: Stake
    against: Array
    """The other side's packed strengths by class."""
    best: BestPlay

    @classmethod
    def against_dealer(
        cls,
        dealer: CompiledWay,
        commission: Fraction = Fraction(0),
        space: HandSpace | None = None,
        tell: Told | None = None,
    ) -> ValuedSide:
        """Value the player's settings against a dealer's way, from the stored count if there is one."""
        space = space or HandSpace(sum(dealer.split))
        own, stake = catalogue(dealer, space), Stake.of(commission, as_player=True)
        against = packed_classes(dealer, space, as_player=False)
        doubling = dealer if has_double_down(dealer) else None
        best = best_play(own, against, stake, doubling=doubling, tell=tell)
        if (stored := open_sums(own, against)) is not None:
            remember_values(dealer, stored, open_sums(own, against, least_lead(dealer)) if doubling else None)
        return cls(dealer, stake, against, best)

    @classmethod
    def against_player(
        cls,
        dealer: CompiledWay,
        player: Array,
        commission: Fraction,
        space: HandSpace,
        tell: Told | None = None,
    ) -> ValuedSide:
        """Value the dealer's settings for the main wager against a player's packed strengths by class."""
        own, stake = catalogue(dealer, space, as_player=False), Stake.of(commission, as_player=False)
        return cls(dealer, stake, player, best_play(own, player, stake, tell=tell))

    @property
    def space(self) -> HandSpace:
        """All hands of the game."""
        return self.best.own.space

    @property
    def optimum(self) -> Worth:
        """The worth of best play."""
        return self.at(self.best.chosen)

    def at(self, places: Array) -> Worth:
        """Return the worth of the settings at these places, doubled wherever that pays."""
        extra = self.best.doubled[places] if len(self.best.doubled) else None
        return Worth(self.space, self.stake, self._units(self.best.values[places], extra))

    def _units(self, sums: Array, extra: Array | None) -> Array:
        units = self.stake.worth(sums, self.space.opponents)
        if extra is None:
            return units
        more: Array = units + self.stake.lose * np.maximum(extra.astype(np.int64), 0)
        return more

    def places_of(self, way: CompiledWay) -> tuple[Array, Array]:
        """Return each class's setting by a way as a packed strength, and its place; -1 if it is dominated."""
        from houseway.kernels.bestplay import find_places  # noqa: PLC0415 - numba only when it is needed

        if way.split != self.program.split:
            raise InvalidInputError("both sides play the same game", value=way.way.id)
        own = self.best.own
        packed = packed_classes(way, self.space, as_player=own.as_player)
        if not own.as_player:  # the side that wins copies has numbers one higher
            packed = packed + np.uint32(sum(1 << bits for bits in PART_BITS[own.parts]))
        places = np.empty(len(packed), np.int64)
        find_places(own.candidates, packed, places)
        return packed, places

    def worth_of(self, way: CompiledWay, tell: Told | None = None) -> Worth:
        """Return the exact worth of a way.

        Dominated settings have no stored value: such hands are counted separately.
        """
        packed, places = self.places_of(way)
        worth, missing = self.at(np.maximum(places, 0)), places < 0
        if missing.any():
            worth.units[missing] = self._count_units(packed, missing, tell)
        return worth

    def _count_units(self, packed: Array, wanted: Array, tell: Told | None) -> Array:
        """Return the units of one setting of each wanted class, counted now."""
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(wanted)])
        alone = replace(self.best.own, starts=starts, packed=packed[wanted], which=np.empty(0, np.uint8))
        extra = None
        if len(self.best.doubled):
            extra = values(alone, self.against, least=least_lead(self.program), tell=tell)[:, 1]
        return self._units(values(alone, self.against, tell=tell), extra)

    def parts_apart(self) -> Worth:
        """Return the worth of the well-known formula that takes the parts to win independently."""
        return self.at(choose_apart(self.best.own, self.against, self.stake))


def choose_apart(own: Catalogue, against: Array, stake: Stake) -> Array:
    """Return, for each class, the place of the setting that would be best with independent parts."""
    from houseway.kernels.strategies import choose_apart as choose  # noqa: PLC0415 - numba when it is needed

    weights = own.space.weights
    mine, theirs = unpack_parts(own.packed, own.parts), unpack_parts(against, own.parts)
    leads, mids, lows = (_chances(a, b, weights) for a, b in zip(mine, theirs, strict=True))
    chosen = np.zeros(len(weights), np.int64)
    shift = lead_shift(own.parts)
    choose(own.candidates, leads, mids, lows, shift, own.parts, stake.win, stake.lose, chosen)
    return chosen


def _chances(mine: Array, theirs: Array, weights: Array) -> Array:
    """Return the chance of each strength of a part to be above theirs."""
    many = np.bincount(theirs.astype(np.int64), weights, minlength=int(mine.max()) + 2)
    chances: Array = np.concatenate([[0.0], np.cumsum(many)]) / weights.sum()
    return chances

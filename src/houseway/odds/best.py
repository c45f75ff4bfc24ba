"""Best play, exactly: every hand set for the highest value against a side that sets a known way.

The values of the settings come from ``setting_values.py``. Best play takes the highest, hand by hand; its
sum over all hands is the exact optimum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.cards import Deck
from houseway.houseways import CompiledWay
from houseway.odds.catalogue import PARTS, Catalogue, catalogue
from houseway.odds.doubling import QUALIFIER, least_lead
from houseway.odds.handspace import HandSpace
from houseway.odds.maingame import MainGame, Told, packed_classes
from houseway.odds.setting_values import Sums, open_sums, values

Array = NDArray[Any]
OpenSums = Callable[[Catalogue, Array, int], Sums | None]
"""Opens the file for the values of settings against a side, counting hands from some lead on."""


@dataclass(frozen=True)
class Stake:
    """What a side plays for, in whole units: the gain of a hand it wins, the cost of a hand it loses."""

    win: int = 1
    lose: int = 1

    @classmethod
    def of(cls, commission: Fraction, *, as_player: bool) -> Stake:
        """Return the stake of a side where the house takes a commission of what players win.

        >>> Stake.of(Fraction(1, 20), as_player=True)
        Stake(win=19, lose=20)
        """
        paid, whole = commission.denominator - commission.numerator, commission.denominator
        return cls(paid, whole) if as_player else cls(whole, paid)

    def worth(self, sums: Array, opponents: int) -> Array:
        """Return the worth of sums (wins and, of two parts, wins less losses) against this many opponents.

        Of three parts, what is not won is lost.
        """
        wins = sums[:, 0].astype(np.int64)
        losses = wins - sums[:, 1] if sums.shape[1] > 1 else opponents - wins
        return self.win * wins - self.lose * losses


@dataclass(frozen=True)
class BestPlay:
    """A side that sets every hand best: its settings, their values, and the choice for each class."""

    own: Catalogue
    values: Array
    doubled: Array
    """What doubling adds to each setting against hands that qualify; empty where doubling is not offered."""
    chosen: Array
    """For each class the place of the setting to choose."""
    ways: int = 1
    """How many ways of the other side the values are summed over."""

    @property
    def main(self) -> MainGame:
        """How often the player wins, pushes and loses when this side sets best."""
        space = self.own.space
        deals = space.deals * self.ways
        weights, sums = space.weights, self.values[self.chosen].astype(np.int64)
        won = int((sums[:, 0] * weights).sum())
        lost = deals - won
        if self.own.parts < PARTS:
            lost = won - int((sums[:, 1] * weights).sum())
        if not self.own.as_player:
            won, lost = lost, won
        return MainGame(won, deals - won - lost, lost)

    @property
    def doubling(self) -> Fraction:
        """The gain from doubling whenever it pays, as a part of a main wager."""
        if not len(self.doubled):
            return Fraction(0)
        gained = np.maximum(self.doubled[self.chosen].astype(np.int64), 0) * self.own.space.weights
        return Fraction(int(gained.sum()), self.own.space.deals)

    def edge(self, commission: Fraction = Fraction(0)) -> Fraction:
        """Return the house's part of a main wager, with a commission, less the gain from doubling."""
        return self.main.edge(commission) - self.doubling

    @property
    def table(self) -> Array:
        """The packed strengths of every class, set best, as a table of hands has them."""
        return self.own.strengths(self.chosen)


def best_play(
    own: Catalogue,
    against: Array,
    stake: Stake,
    *,
    doubling: CompiledWay | None = None,
    tell: Told | None = None,
    keep: OpenSums = open_sums,
) -> BestPlay:
    """Return best play against the other side's packed strengths by class.

    With ``doubling``, the dealer's program, a player may double wherever that pays against a dealer who
    qualifies, and the setting is chosen for both wagers together. Counts are stored, so that each is
    counted once and an interrupted count goes on.
    """
    sums = values(own, against, tell=tell, sums=keep(own, against, 0))
    extra = np.empty(0, np.int32)
    if doubling is not None:
        least = least_lead(doubling)
        extra = values(own, against, least=least, tell=tell, sums=keep(own, against, least))[:, 1].copy()
    return BestPlay(own, sums, extra, choose_best(own, sums, extra, stake))


@dataclass(frozen=True)
class Best:
    """A side that sets every hand best against the other's house way."""

    against: CompiledWay
    as_player: bool = True
    commission: Fraction = Fraction(0)

    def play(self, deck: Deck | None = None, tell: Told | None = None) -> BestPlay:
        """Return its settings for the main wager, and the value of each."""
        space = HandSpace(sum(self.against.split), deck)
        own = catalogue(self.against, space, as_player=self.as_player)
        other = packed_classes(self.against, space, as_player=not self.as_player)
        stake = Stake.of(self.commission, as_player=self.as_player)
        return best_play(own, other, stake, tell=tell)


def choose_best(own: Catalogue, sums: Array, doubled: Array, stake: Stake, ways: int = 1) -> Array:
    """Return, for each class, the place of the setting that is worth most against ``ways`` ways together."""
    from houseway.kernels.bestplay import choose  # noqa: PLC0415 - numba only when it is needed

    chosen = np.zeros(len(own.space.weights), np.int64)
    choose(own.candidates, sums, doubled, stake.win, stake.lose, ways * own.space.opponents, chosen)
    return chosen


def has_double_down(program: CompiledWay) -> bool:
    """Return whether a game of this program has a Double Down."""
    return any(qualifier.id == QUALIFIER for qualifier in program.ranking.document.qualifier)

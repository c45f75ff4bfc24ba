"""The exact games of a house way that is edited: what is set as before is not counted again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import Deck
from houseway.houseways import Program
from houseway.odds.maingame import COUNTS, MainGame, Sides, Told, main_game_of, packed_classes, symmetric

Array = NDArray[Any]
FEW: Final = 0.1
"""Where more than this share of all hands is set otherwise, everything is counted anew."""


@dataclass(frozen=True)
class Games:
    """A way's exact main games: against itself and, on either side, against a rival's way."""

    itself: MainGame
    as_player: MainGame
    as_dealer: MainGame
    rival: MainGame
    """The rival's way against itself."""


class EditedWay:
    """A house way that is edited again and again, with its games as they stand."""

    def __init__(
        self, way: Program, rival: Program, deck: Deck | None = None, tell: Told | None = None
    ) -> None:
        self.rival, self.deck = rival, deck
        self._count(way, tell)

    def _count(self, way: Program, tell: Told | None) -> None:
        """Count everything."""
        self.way = way
        self.sides = Sides.of((way, self.rival), (way, self.rival), self.deck)
        every = self.sides.space.size + 1
        totals = np.zeros((2, 2, COUNTS), dtype=object)
        for level in range(every):
            if tell:
                tell(level, every)
            totals += (-1) ** level * self.sides.level(level).astype(object)
        if tell:
            tell(every, every)
        self.totals = totals

    @property
    def games(self) -> Games:
        """The games as they stand."""
        deals, parts = self.sides.space.deals, self.sides.parts
        found = [[main_game_of([*map(int, pair)], parts, deals) for pair in row] for row in self.totals]
        return Games(found[0][0], found[0][1], found[1][0], found[1][1])

    def edit(self, way: Program, tell: Told | None = None) -> int:
        """Put another version of the way in its place; return how many hands it sets otherwise."""
        space = self.sides.space
        after = packed_classes(way, space, as_player=True)
        changed = after != self.sides.my_classes[0]
        hands = int(space.weights[changed].sum())
        if not hands:
            self.way = way
        elif hands > FEW * space.hands or not symmetric(way):
            self._count(way, tell)
        else:
            self._recount(way, after, changed, tell)
        return hands

    def _recount(self, way: Program, after: Array, changed: Array, tell: Told | None) -> None:
        """Count what the changed hands do, as they were set and as they are."""
        from houseway.kernels.recounting import recount_level  # noqa: PLC0415 - numba when it is needed

        sides, space = self.sides, self.sides.space
        before, table, rivals = sides.my_classes[0], sides.mine[0], sides.mine[1]
        numbers = space.by_number(np.where(changed, np.arange(1, len(changed) + 1), 0).astype(np.uint32))
        own = np.where(numbers > 0, after[np.maximum(numbers, 1) - 1], table)
        delta = np.zeros((2, 2, COUNTS), dtype=object)
        edited = sides.with_first(after, own)
        leads = max(sides.leads, edited.leads)
        every = space.size + 1
        for level in range(every):
            if tell:
                tell(level, every)
            if level in (0, space.size):
                found = edited.level(level).astype(object) - sides.level(level).astype(object)
            else:
                sets, how = space.shared(level), (sides.shift, sides.parts, leads)
                alone = recount_level(sets, numbers, before, after, table, True, *how).sum(axis=0)
                other = recount_level(sets, numbers, before, after, rivals, False, *how).sum(axis=0)
                found = np.zeros((2, 2, COUNTS), dtype=object)
                found[0, 0], found[0, 1], found[1, 0] = alone[0] + alone[1], other[0], other[1]
            delta += (-1) ** level * found
        if tell:
            tell(every, every)
        self.way, self.sides, self.totals = way, edited, self.totals + delta

"""The exact games of a house way that is edited: hands with unchanged settings are not counted again."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import Deck
from houseway.houseways import CompiledWay
from houseway.houseways.batch import run_program
from houseway.odds.handspace import THREADS, HandSpace
from houseway.odds.maingame import (
    COUNTS,
    MainGame,
    Packing,
    Sides,
    Told,
    count_values,
    is_symmetric,
    main_game_of,
)

if TYPE_CHECKING:
    from houseway.kernels.hand_numbers import Level

Array = NDArray[Any]
_BITS: Final = 32
FEW: Final = 0.1
"""Where more than this share of all hands changes, everything is counted again."""


@dataclass(frozen=True)
class Games:
    """A way's exact main games: against itself and, if there is a rival's way, on either side of that."""

    itself: MainGame
    as_player: MainGame | None = None
    as_dealer: MainGame | None = None
    rival: MainGame | None = None
    """The rival's way against itself."""


class EditedWay:
    """A house way under repeated edits, with its current games."""

    def __init__(
        self,
        way: CompiledWay,
        rival: CompiledWay | None = None,
        deck: Deck | None = None,
        tell: Told | None = None,
    ) -> None:
        self.rival, self.deck = rival, deck
        self._count(way, tell)

    def _count(self, way: CompiledWay, tell: Told | None) -> None:
        """Count all games of a way."""
        self.way = way
        ways = (way,) if self.rival is None else (way, self.rival)
        self.sides = Sides.of(ways, ways, self.deck)
        self.settings = np.concatenate(
            [run_program(way, hands).settings for hands, _ in self.sides.space.classes()]
        )
        every = self.sides.space.size + 1
        self.totals = np.zeros((len(ways), len(ways), COUNTS), dtype=object)
        for level in range(every):
            if tell:
                tell(level, every)
            self.totals += (-1) ** level * self.sides.level(level).astype(object)
        if tell:
            tell(every, every)

    @property
    def games(self) -> Games:
        """The current games."""
        deals, parts = self.sides.space.deals, self.sides.parts
        return Games(*(main_game_of([*map(int, pair)], parts, deals) for row in self.totals for pair in row))

    def edit(self, way: CompiledWay, tell: Told | None = None) -> int:
        """Replace the way by another version; return how many hands it sets otherwise."""
        change = self._find_change(way)
        hands = int(change.weights.sum())
        if not hands:
            self.way = way
        elif hands > FEW * self.sides.space.hands or not is_symmetric(way):
            self._count(way, tell)
        else:
            self._recount(way, change, tell)
        return hands

    def _find_change(self, way: CompiledWay) -> Change:
        """Return the classes whose strengths another version changes."""
        space, packing, before = self.sides.space, Packing.of(way, as_player=True), self.sides.my_classes[0]
        blocks, first = list[tuple[Array, ...]](), 0
        for hands, weights in space.classes():
            last = first + len(weights)
            settings = run_program(way, hands).settings
            rows = np.flatnonzero(settings != self.settings[first:last])
            after = packing.hands(np.ascontiguousarray(hands[rows]))
            other = after != before[first:last][rows]
            rows, after = rows[other], after[other]
            blocks.append((first + rows, hands[rows], weights[rows], before[first:last][rows], after))
            self.settings[first:last] = settings
            first = last
        return Change(*(np.concatenate(column) for column in zip(*blocks, strict=True)))

    def _recount(self, way: CompiledWay, change: Change, tell: Told | None) -> None:
        """Add to the totals what the changed hands change."""
        from houseway.kernels.recount import recount_level  # noqa: PLC0415 - numba when it is needed

        sides, space = self.sides, self.sides.space
        classes, own, rival = sides.my_classes[0].copy(), sides.mine[0], sides.mine[-1]
        classes[change.classes] = change.after
        leads = max(sides.leads, (int(change.after.max()) >> sides.shift) + 1)
        every = space.size + 1
        delta = self._recount_whole(change)
        for level in range(1, every):
            if tell:
                tell(level, every)
            sets, starts, strengths, more = change.list_sets(space, level)
            tables = (own, rival, own is not rival, starts, strengths, more)
            counts = recount_level(sets, *tables, sides.shift, sides.parts, leads)
            delta += (-1) ** level * counts.sum(axis=0).astype(object)
        if tell:
            tell(every, every)
        if self.rival is not None and own is rival:  # the rival's way stays as it was
            own = own.copy()
        space.put(own, change.hands, change.after)
        self.way, self.sides = way, sides.with_first(classes, own)
        self.totals[0, 0] += delta[0]
        if self.rival is not None:
            self.totals[0, 1] += delta[1]
            self.totals[1, 0] += delta[2]

    def _recount_whole(self, change: Change) -> Array:
        """Return the change over all pairs of hands, including those that share cards."""
        from houseway.kernels.pairs import count_all  # noqa: PLC0415 - numba when it is needed

        sides = self.sides
        values = np.concatenate([change.after, change.before])
        order = np.argsort(values, kind="stable")
        more = values[order], np.concatenate([change.weights, -change.weights])[order]
        own, rival = (
            count_values(side, sides.space.weights) for side in (sides.my_classes[0], sides.my_classes[-1])
        )

        def count(ours: tuple[Array, Array], theirs: tuple[Array, Array]) -> Array:
            counts: Array = count_all(*ours, *theirs, sides.shift, sides.parts)
            return counts.astype(object)

        itself = count(more, own) + count(own, more) + count(more, more)
        return np.array([itself, count(more, rival), count(rival, more)])


@dataclass(frozen=True)
class Change:
    """The classes of hands that an edit changes: a sorted hand of each, its weight, its strengths."""

    classes: Array
    hands: Array
    weights: Array
    before: Array
    after: Array

    def list_sets(self, space: HandSpace, level: int) -> tuple[Level, Array, Array, Array]:
        """Return a card set of each kind in changed hands, of ``level`` cards, and the changes at these sets.

        The change at a set is a list of strengths, each with how many more of its hands have it.
        """
        from houseway.kernels.hand_numbers import Level  # noqa: PLC0415 - numba when it is needed
        from houseway.kernels.recount import name_parts  # noqa: PLC0415

        places = np.array(list(combinations(range(space.size), level)), dtype=np.int64)
        hands = np.ascontiguousarray(space.places(self.hands))
        names = np.empty((len(hands), len(places)), np.int64)
        alike = np.empty((len(hands), len(places)), np.int64)
        name_parts(hands, places, space.turned, space.binomials, names, alike)
        _, first, which = np.unique(names.ravel(), return_index=True, return_inverse=True)
        row, part = first // len(places), first % len(places)
        rows = np.take_along_axis(hands[row], places[part], axis=1).astype(np.int64)
        kinds = len(space.turned) // alike.ravel()[first]
        starts, strengths, more = self._sum_by_set(which.reshape(names.shape), len(first))
        room = comb(len(space.cards) - level, space.size - level)
        sets = Level(rows, kinds, len(space.cards), space.size, room, THREADS, space.binomials)
        return sets, starts, strengths, more // np.repeat(kinds, np.diff(starts))

    def _sum_by_set(self, which: Array, sets: int) -> tuple[Array, Array, Array]:
        """Return the changes by kind of set: where each begins, the strengths, and the changes."""
        every = np.repeat(self.weights, which.shape[1])
        many = np.concatenate([every, -every])
        each = [np.repeat(side.astype(np.int64), which.shape[1]) for side in (self.after, self.before)]
        keys = np.concatenate([which.ravel() << _BITS | strengths for strengths in each])
        order = np.argsort(keys, kind="stable")
        keys, many = keys[order], many[order]
        begins = np.flatnonzero(np.diff(keys, prepend=-1))
        more = np.add.reduceat(many, begins)
        present = keys[begins]
        starts = np.searchsorted(present >> _BITS, np.arange(sets + 1))
        return starts, (present & (1 << _BITS) - 1).astype(np.uint32), more

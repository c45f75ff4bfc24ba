"""Cards of points: the points of each part of a setting, and what a card gives up on sampled hands.

A line of a card gives points for a span of categories, of leading ranks and of ranks beside the lead, and
more for each rank of the lead, or of the rank beside it, above some rank. A setting has the points of all the
lines that its parts pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, permutations, product
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from houseway.cards import ACE, LOWEST
from houseway.houseways import CompiledWay
from houseway.houseways.batch import tables_for
from houseway.odds.strategies.sampled import Sample

Array = NDArray[Any]
FEATURES: Final = 1 << 12
"""The number of features of a part: a category, the rank of its lead, and the rank beside it."""
_STEPS: Final = (-8, -5, -3, -2, -1, 0, 1, 2, 3, 5, 8)
_SLOPES: Final = (-2, -1, 0, 1, 2)
"""The changes of points, and of points for each rank, that tuning tries."""
_MUCH: Final = 0.998
"""Tuning goes on while a card's loss falls below this part of its last."""


@dataclass(frozen=True)
class Spans:
    """Parts of some categories, counted from the lowest, with some leading ranks and some beside them.

    A part that has no rank beside its lead is within them only if every rank beside it is.
    """

    part: int
    lowest: int
    highest: int
    from_lead: int = LOWEST
    to_lead: int = ACE
    from_second: int = LOWEST
    to_second: int = ACE

    @property
    def every_lead(self) -> bool:
        """Whether it is for every leading rank."""
        return (self.from_lead, self.to_lead) == (LOWEST, ACE)

    @property
    def every_second(self) -> bool:
        """Whether it is for every rank beside the lead."""
        return (self.from_second, self.to_second) == (LOWEST, ACE)

    @property
    def inside(self) -> Array:
        """For each feature of a part whether it is within the spans."""
        levels, leads, seconds = list_features()
        inside: Array = (levels >= self.lowest) & (levels <= self.highest)
        if not self.every_lead:
            inside &= (leads >= self.from_lead) & (leads <= self.to_lead)
        if not self.every_second:
            inside &= (seconds >= self.from_second) & (seconds <= self.to_second)
        return inside


@dataclass(frozen=True)
class PointLine:
    """A line of a card: the points of parts within some spans."""

    spans: Spans
    points: int = 0
    each: int = 0
    above: int = LOWEST
    second: bool = False
    """Whether the rank beside the lead counts, not the lead's."""

    @property
    def table(self) -> Array:
        """The points for each feature of the part."""
        counted = self.points + self.each * ranks_above(self.above, second=self.second)
        table: Array = self.spans.inside * counted
        return table

    def changes(self) -> Iterator[PointLine]:
        """Yield the line with other numbers."""
        for step, slope in product(_STEPS, _SLOPES):
            yield replace(self, points=self.points + step, each=self.each + slope)
        for above, slope in product(range(LOWEST, ACE), _SLOPES):
            yield replace(self, above=above, each=self.each + slope)
        if self.second:
            yield from self._other_spans()

    def _other_spans(self) -> Iterator[PointLine]:
        """Yield the line with other spans of ranks."""
        ranks = range(LOWEST, ACE + 1)
        for low, high in combinations_with_replacement(ranks, 2):
            yield replace(self, spans=replace(self.spans, from_second=low, to_second=high))
            yield replace(self, spans=replace(self.spans, from_lead=low, to_lead=high))

    def meets(self, other: PointLine) -> bool:
        """Whether another line begins, by the lead, with the rank after the last of this one."""
        mine, theirs = self.spans, other.spans
        return (mine.part, mine.lowest, mine.highest, mine.to_lead + 1) == (
            theirs.part,
            theirs.lowest,
            theirs.highest,
            theirs.from_lead,
        ) and not (self.second or other.second)


PointCard = tuple[PointLine, ...]


class PointTable(Protocol):
    """A source of points for parts."""

    @property
    def spans(self) -> Spans:
        """The parts that it gives points to."""

    @property
    def table(self) -> Array:
        """The points for each feature of the part."""


def list_features() -> tuple[Array, Array, Array]:
    """Return the features of a part by number: category, lead, and the rank beside it."""
    numbers = np.arange(FEATURES)
    return numbers >> 8, numbers >> 4 & 15, numbers & 15


def ranks_above(above: int, *, second: bool) -> Array:
    """Return, for each feature, how far the lead, or the rank beside it, is above a rank."""
    _, leads, seconds = list_features()
    distances: Array = np.maximum((seconds if second else leads) - above, 0)
    return distances


@dataclass(frozen=True)
class PointLesson:
    """Sampled hands with every legal setting of each, in the order that breaks ties."""

    program: CompiledWay
    starts: Array
    features: Array
    """For each part and setting the number of the part's feature."""
    lost: Array
    counts: Array

    def tables(self, card: Sequence[PointTable]) -> Array:
        """Return for each part the points of its features."""
        tables = np.zeros((len(self.program.split), FEATURES))
        for line in card:
            tables[line.spans.part] += line.table
        return tables

    def points(self, card: Sequence[PointTable]) -> Array:
        """Return the points of every setting."""
        tables = self.tables(card)
        points: Array = sum(table[features] for table, features in zip(tables, self.features, strict=True))
        return points

    def try_changes(self, card: Sequence[PointTable], changes: Sequence[PointTable]) -> Array:
        """Return the mean loss of a card with one more line, for each of the lines in ``changes``."""
        from houseway.kernels.strategies import try_points  # noqa: PLC0415 - numba only when it is needed

        out = np.empty(len(changes))
        tables = np.array([change.table for change in changes], np.float64)
        features = self.features[changes[0].spans.part]
        try_points(self.starts, self.points(card), features, tables, self.lost, self.counts, out)
        mean: Array = out / self.counts.sum()
        return mean

    def mean(self, card: Sequence[PointTable]) -> float:
        """Return what a card gives up of a wager on average."""
        *others, last = card
        return float(self.try_changes(others, [last])[0])

    def nearest(self, settings: int) -> PointLesson:
        """Return the lesson with at most ``settings`` settings of each hand, those that give up least."""
        hand_of = np.repeat(np.arange(len(self.counts)), np.diff(self.starts))
        rank_of = np.empty(len(hand_of), np.int64)
        rank_of[np.lexsort([self.lost, hand_of])] = np.arange(len(hand_of)) - self.starts[hand_of]
        near = rank_of < settings
        starts = np.concatenate([[0], np.cumsum(np.bincount(hand_of[near], minlength=len(self.counts)))])
        features = np.ascontiguousarray(self.features[:, near])
        return PointLesson(self.program, starts, features, self.lost[near], self.counts)


def prepare_points(hands: Sample) -> PointLesson:
    """List every legal setting of sampled hands for a lesson in points."""
    from houseway.kernels.strategies import list_strengths  # noqa: PLC0415 - numba only when it is needed

    program, (count, settings) = hands.program, hands.worth.shape
    strengths = np.zeros((count, settings, len(program.split)), np.int32)
    list_strengths(np.ascontiguousarray(hands.hands), tables_for(program), strengths)
    legal = np.isfinite(hands.worth)
    hand_of, listed = np.nonzero(legal)[0], strengths[legal]
    order = np.lexsort([*(-listed).T, hand_of])  # by hand, then the last part's strength, and so on
    listed = listed[order]
    return PointLesson(
        program,
        np.concatenate([[0], np.cumsum(legal.sum(axis=1))]),
        np.stack([_number_features(program, part, listed[:, part]) for part in range(listed.shape[1])]),
        (hands.best[:, None] - hands.worth)[legal][order].astype(np.float32),
        hands.counts,
    )


def _number_features(program: CompiledWay, part: int, strengths: Array) -> Array:
    """Return the number of a part's feature, for every strength."""
    straights = np.zeros(256, np.int64)
    for place, run in program.straights[part].items():
        straights[place] = run.lead << 4 | run.second
    ranks = np.where(straights[strengths >> 16], straights[strengths >> 16], strengths >> 12 & 255)
    numbers: Array = (strengths >> 20 << 8) + ranks
    return numbers.astype(np.int16)


def tune(lesson: PointLesson, card: PointCard) -> PointCard:
    """Return a card with better numbers and spans, each line tuned in turn until little is gained."""
    before, now = np.inf, lesson.mean(card)
    while now < _MUCH * before:
        before = now
        for place, line in enumerate(card):
            changes = [*line.changes()]
            losses = lesson.try_changes((*card[:place], *card[place + 1 :]), changes)
            best = int(losses.argmin())
            if losses[best] < now:
                card, now = (*card[:place], changes[best], *card[place + 1 :]), float(losses[best])
        for shifted in _shift_ends(card):
            if (lost := lesson.mean(shifted)) < now:
                card, now = shifted, lost
                break
    return card


def _shift_ends(card: PointCard) -> Iterator[PointCard]:
    """Yield the card with two adjacent lines that meet at another rank."""
    for (at, line), (other_at, other) in permutations(enumerate(card), 2):
        if line.meets(other):
            for rank in range(line.spans.from_lead, other.spans.to_lead):
                changed = list(card)
                changed[at] = replace(line, spans=replace(line.spans, to_lead=rank))
                changed[other_at] = replace(other, spans=replace(other.spans, from_lead=rank + 1))
                yield tuple(changed)


def drop_idle_lines(card: PointCard) -> PointCard:
    """Return a card that takes the same settings, without the lines that add nothing.

    The lines by the lead cover every part once, so a constant can be taken off all of them: the points of a
    line that counts the same for every rank, which then needs no words, or else the least points of a part.
    """
    lines: list[PointLine] = []
    for part in dict.fromkeys(line.spans.part for line in card):
        by_lead = [line for line in card if line.spans.part == part and not line.second]
        flat = [line.points for line in by_lead if not line.each]
        least = flat[0] if flat else min(_least_points(line) for line in by_lead)
        lines += (replace(line, points=line.points - least) for line in by_lead)
        lines += (line for line in card if line.spans.part == part and line.second)
    return tuple(line for line in lines if line.points or line.each)


def _least_points(line: PointLine) -> int:
    ends = (line.spans.from_lead, line.spans.to_lead)
    return min(line.points + line.each * max(rank - line.above, 0) for rank in ends)

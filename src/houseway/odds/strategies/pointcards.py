"""Cards of points: what each part of a setting counts for, and what a card gives up on sampled hands.

A line of a card says for a span of categories, of leading ranks and of ranks beside the lead how many points
the part counts for, and how many more for each rank of its lead, or of what is beside it, above some rank. A
setting has the points of all the lines that its parts pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, permutations, product
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from houseway.cards import ACE, LOWEST
from houseway.houseways import Program
from houseway.houseways.batch import tables_for
from houseway.odds.strategies.sampled import Sampled

Array = NDArray[Any]
MADE: Final = 1 << 12
"""So many things can be known of a part: its category, the rank of its lead, and the rank beside it."""
_STEPS: Final = (-8, -5, -3, -2, -1, 0, 1, 2, 3, 5, 8)
_SLOPES: Final = (-2, -1, 0, 1, 2)
"""By how much points, and points for each rank, are changed when they are tuned."""
_MUCH: Final = 0.998
"""Numbers are tuned on while a card gives up less than this part of what it did."""


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
        """Whether each thing that can be known of a part is within the spans."""
        levels, leads, seconds = known()
        found: Array = (levels >= self.lowest) & (levels <= self.highest)
        if not self.every_lead:
            found &= (leads >= self.from_lead) & (leads <= self.to_lead)
        if not self.every_second:
            found &= (seconds >= self.from_second) & (seconds <= self.to_second)
        return found


@dataclass(frozen=True)
class Line:
    """One line of a card: what parts within some spans count for."""

    spans: Spans
    points: int = 0
    each: int = 0
    above: int = LOWEST
    second: bool = False
    """Whether the rank that counts is not the lead's but the one beside it."""

    @property
    def table(self) -> Array:
        """The points for each thing that can be known of the part."""
        counted = self.points + self.each * ranks_above(self.above, second=self.second)
        found: Array = self.spans.inside * counted
        return found

    def changes(self) -> Iterator[Line]:
        """Yield the line with other numbers."""
        for step, slope in product(_STEPS, _SLOPES):
            yield replace(self, points=self.points + step, each=self.each + slope)
        for above, slope in product(range(LOWEST, ACE), _SLOPES):
            yield replace(self, above=above, each=self.each + slope)
        if self.second:
            yield from self._other_spans()

    def _other_spans(self) -> Iterator[Line]:
        """Yield a line that may be for any parts for others in place of some or beside them."""
        ranks = range(LOWEST, ACE + 1)
        for low, high in combinations_with_replacement(ranks, 2):
            yield replace(self, spans=replace(self.spans, from_second=low, to_second=high))
            yield replace(self, spans=replace(self.spans, from_lead=low, to_lead=high))

    def meets(self, other: Line) -> bool:
        """Whether another line begins, by the lead, with the rank after the last of this one."""
        mine, theirs = self.spans, other.spans
        return (mine.part, mine.lowest, mine.highest, mine.to_lead + 1) == (
            theirs.part,
            theirs.lowest,
            theirs.highest,
            theirs.from_lead,
        ) and not (self.second or other.second)


Card = tuple[Line, ...]


class Counted(Protocol):
    """Anything that says what parts count for."""

    @property
    def spans(self) -> Spans:
        """The parts it is for."""

    @property
    def table(self) -> Array:
        """The points for each thing that can be known of the part."""


def known() -> tuple[Array, Array, Array]:
    """Return what can be known of a part, by its number: category, lead, and what is beside it."""
    numbers = np.arange(MADE)
    return numbers >> 8, numbers >> 4 & 15, numbers & 15


def ranks_above(above: int, *, second: bool) -> Array:
    """Return by how many ranks the lead, or what is beside it, is above a rank."""
    _, leads, seconds = known()
    found: Array = np.maximum((seconds if second else leads) - above, 0)
    return found


@dataclass(frozen=True)
class PointLesson:
    """Sampled hands with every legal setting of each, those first that are taken if points are equal."""

    program: Program
    starts: Array
    made: Array
    """For each part and setting the number of what is known of the part."""
    lost: Array
    counts: Array

    def tables(self, card: Sequence[Counted]) -> Array:
        """Return for each part the points for everything that can be known of it."""
        found = np.zeros((len(self.program.split), MADE))
        for line in card:
            found[line.spans.part] += line.table
        return found

    def points(self, card: Sequence[Counted]) -> Array:
        """Return the points of every setting."""
        tables = self.tables(card)
        found: Array = sum(table[made] for table, made in zip(tables, self.made, strict=True))
        return found

    def tried(self, card: Sequence[Counted], changes: Sequence[Counted]) -> Array:
        """Return what is given up on average if a line more stands on the card, for each one tried."""
        from houseway.kernels.strategies import try_points  # noqa: PLC0415 - numba only when it is needed

        out = np.empty(len(changes))
        tables = np.array([change.table for change in changes], np.float64)
        made = self.made[changes[0].spans.part]
        try_points(self.starts, self.points(card), made, tables, self.lost, self.counts, out)
        mean: Array = out / self.counts.sum()
        return mean

    def mean(self, card: Sequence[Counted]) -> float:
        """Return what a card gives up of a wager on average."""
        *others, last = card
        return float(self.tried(others, [last])[0])

    def nearest(self, settings: int) -> PointLesson:
        """Return the lesson with so many settings of each hand at most, those that give up least."""
        of = np.repeat(np.arange(len(self.counts)), np.diff(self.starts))
        place = np.empty(len(of), np.int64)
        place[np.lexsort([self.lost, of])] = np.arange(len(of)) - self.starts[of]
        near = place < settings
        starts = np.concatenate([[0], np.cumsum(np.bincount(of[near], minlength=len(self.counts)))])
        made = np.ascontiguousarray(self.made[:, near])
        return PointLesson(self.program, starts, made, self.lost[near], self.counts)


def prepare_points(hands: Sampled) -> PointLesson:
    """List every legal setting of sampled hands for a lesson in points."""
    from houseway.kernels.strategies import list_strengths  # noqa: PLC0415 - numba only when it is needed

    program, (count, settings) = hands.program, hands.worth.shape
    strengths = np.zeros((count, settings, len(program.split)), np.int32)
    list_strengths(np.ascontiguousarray(hands.hands), tables_for(program), strengths)
    legal = np.isfinite(hands.worth)
    of, found = np.nonzero(legal)[0], strengths[legal]
    order = np.lexsort([*(-found).T, of])  # by hand, then the last part's strength, and so on
    found = found[order]
    return PointLesson(
        program,
        np.concatenate([[0], np.cumsum(legal.sum(axis=1))]),
        np.stack([_made(program, part, found[:, part]) for part in range(found.shape[1])]),
        (hands.best[:, None] - hands.worth)[legal][order].astype(np.float32),
        hands.counts,
    )


def _made(program: Program, part: int, strengths: Array) -> Array:
    """Return the number of what is known of a part, for every strength of it."""
    straights = np.zeros(256, np.int64)
    for place, run in program.straights[part].items():
        straights[place] = run.lead << 4 | run.second
    ranks = np.where(straights[strengths >> 16], straights[strengths >> 16], strengths >> 12 & 255)
    found: Array = (strengths >> 20 << 8) + ranks
    return found.astype(np.int16)


def tuned(lesson: PointLesson, card: Card) -> Card:
    """Return a card with better numbers and spans: each line's in turn, until little is gained."""
    before, now = np.inf, lesson.mean(card)
    while now < _MUCH * before:
        before = now
        for place, line in enumerate(card):
            changes = [*line.changes()]
            found = lesson.tried((*card[:place], *card[place + 1 :]), changes)
            best = int(found.argmin())
            if found[best] < now:
                card, now = (*card[:place], changes[best], *card[place + 1 :]), float(found[best])
        for shifted in _shifts(card):
            if (lost := lesson.mean(shifted)) < now:
                card, now = shifted, lost
                break
    return card


def _shifts(card: Card) -> Iterator[Card]:
    """Yield the card with two lines that lie beside each other, by their leads, meeting at another rank."""
    for (at, one), (other_at, other) in permutations(enumerate(card), 2):
        if one.meets(other):
            for rank in range(one.spans.from_lead, other.spans.to_lead):
                changed = list(card)
                changed[at] = replace(one, spans=replace(one.spans, to_lead=rank))
                changed[other_at] = replace(other, spans=replace(other.spans, from_lead=rank + 1))
                yield tuple(changed)


def from_nothing(card: Card) -> Card:
    """Return a card that takes the same settings, without the lines that count for nothing on it.

    The lines by the lead are for every part once, so that the points of all of them can be less alike: a line
    that counts the same for every rank then needs no words, or else the least that a part counts for is 0.
    """
    found: list[Line] = []
    for part in dict.fromkeys(line.spans.part for line in card):
        by_lead = [line for line in card if line.spans.part == part and not line.second]
        flat = [line.points for line in by_lead if not line.each]
        least = flat[0] if flat else min(_least(line) for line in by_lead)
        found += (replace(line, points=line.points - least) for line in by_lead)
        found += (line for line in card if line.spans.part == part and line.second)
    return tuple(line for line in found if line.points or line.each)


def _least(line: Line) -> int:
    ends = (line.spans.from_lead, line.spans.to_lead)
    return min(line.points + line.each * max(rank - line.above, 0) for rank in ends)

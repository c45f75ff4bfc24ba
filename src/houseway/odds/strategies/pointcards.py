"""Cards of points learnt from exact values: what each part of a setting counts for.

A card begins with one line for each part. A line says for a span of categories, and of leading ranks, how
many points the part counts for, and how many more for each rank of its lead above some rank. As long as lines
are left, the line is cut in two that gains most by it, between two categories or two ranks; all numbers are
then tuned one after the other as long as that gains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import ACE, LOWEST
from houseway.houseways import Program
from houseway.houseways.batch import tables_for
from houseway.odds.strategies.sampled import Sampled

Array = NDArray[Any]
_FIRST: Final = {4: (0, 0, LOWEST), 5: (0, 0, LOWEST), 2: (0, 6, 8), 1: (0, 4, 7)}
"""What a whole part counts for at first, by its size: points, more for each rank, above which."""
_STEPS: Final = (-12, -8, -5, -3, -2, -1, 1, 2, 3, 5, 8, 12)
"""By how much points are changed when they are tuned."""
_EACH: Final = range(-4, 13)
_ABOVE: Final = (2, 5, 7, 8, 9, 10, 11, 12)
_SHIFTS: Final = (-8, -4, 0, 4, 8)
_CUTS: Final = (6, 8, 10, 11, 12, 13)
"""The ranks between which, and the next, a line may be cut."""
_MUCH: Final = 0.995
"""Numbers are tuned on while a card gives up less than this part of what it did."""


@dataclass(frozen=True)
class Line:
    """One line of a card: for a part whose category is within a span, its points by the rank of its lead."""

    part: int
    lowest: int
    highest: int
    """The span of categories, counted from the lowest."""
    points: int
    each: int
    above: int
    from_lead: int = LOWEST
    to_lead: int = ACE

    @property
    def by_lead(self) -> Array:
        """The points for every rank of the lead; none at 0, which stands for a part it is not for."""
        ranks = np.arange(ACE + 1)
        points = self.points + self.each * np.maximum(ranks - self.above, 0)
        return np.where(ranks > 0, points, 0).astype(np.int32)

    @property
    def every_lead(self) -> bool:
        """Whether it is for every leading rank."""
        return (self.from_lead, self.to_lead) == (LOWEST, ACE)

    def cuts(self) -> Iterator[tuple[Line, Line]]:
        """Yield every way to cut the line in two that count as it does."""
        for place in range(self.lowest, self.highest):
            yield replace(self, highest=place), replace(self, lowest=place + 1)
        for rank in _CUTS:
            if self.from_lead <= rank < self.to_lead:
                yield replace(self, to_lead=rank), replace(self, from_lead=rank + 1)

    def nudges(self) -> Iterator[Line]:
        """Yield the line with more points or fewer."""
        for step in _STEPS:
            yield replace(self, points=self.points + step)

    def changes(self) -> Iterator[Line]:
        """Yield the line with other numbers."""
        yield from self.nudges()
        for each, above, step in product(_EACH, _ABOVE, _SHIFTS):
            yield replace(self, points=self.points + step, each=each, above=above)


Card = tuple[Line, ...]


def from_nothing(card: Card) -> Card:
    """Return a card that takes the same settings, on which the least that a part can count for is nothing."""
    least: dict[int, int] = {}
    for line in card:
        held = line.by_lead[line.from_lead : line.to_lead + 1].min()
        least[line.part] = min(int(held), least.get(line.part, int(held)))
    return tuple(replace(line, points=line.points - least[line.part]) for line in card)


@dataclass(frozen=True)
class PointLesson:
    """Sampled hands with every legal setting of each, those first that are taken if points are equal."""

    program: Program
    starts: Array
    levels: Array
    """The place of each part's category, counted from the lowest."""
    leads: Array
    lost: Array
    counts: Array

    @cached_property
    def first(self) -> Card:
        """A line for each part."""
        return tuple(
            Line(part, 0, len(levels) - 1, *_FIRST[size])
            for part, (levels, size) in enumerate(zip(self.program.levels, self.program.split, strict=True))
        )

    def inside(self, line: Line) -> Array:
        """Return the lead of the line's part in every setting, 0 where the line is not for it."""
        levels, leads = self.levels[line.part], self.leads[line.part]
        fine = (levels >= line.lowest) & (levels <= line.highest)
        found: Array = leads * (fine & (leads >= line.from_lead) & (leads <= line.to_lead))
        return found

    def points(self, card: Sequence[Line]) -> Array:
        """Return the points of every setting."""
        found = np.zeros(len(self.lost), np.int32)
        for line in card:
            found += line.by_lead[self.inside(line)]
        return found

    def tried(self, card: Sequence[Line], line: Line, changes: Sequence[Line]) -> Array:
        """Return what is given up on average if a line more stands on the card, for each one tried."""
        from houseway.kernels.strategies import try_points  # noqa: PLC0415 - numba only when it is needed

        out = np.empty(len(changes))
        tables = np.array([change.by_lead for change in changes])
        try_points(self.starts, self.points(card), self.inside(line), tables, self.lost, self.counts, out)
        mean: Array = out / self.counts.sum()
        return mean

    def mean(self, card: Sequence[Line]) -> float:
        """Return what a card gives up of a wager on average."""
        last = card[-1]
        return float(self.tried(card[:-1], last, [last])[0])


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
        np.ascontiguousarray((found >> 20).T.astype(np.uint8)),
        np.stack([_leads(program, part, found[:, part]) for part in range(found.shape[1])]),
        (hands.best[:, None] - hands.worth)[legal][order].astype(np.float32),
        hands.counts,
    )


def _leads(program: Program, part: int, strengths: Array) -> Array:
    """Return the rank of the lead of every strength of a part."""
    straights = np.zeros(256, np.int64)
    for place, run in program.straights[part].items():
        straights[place] = run.lead
    found: Array = np.where(straights[strengths >> 16], straights[strengths >> 16], strengths >> 16 & 15)
    return found.astype(np.uint8)


def learn_cards(lesson: PointLesson, lines: int) -> Iterator[Card]:
    """Yield the best card found with a line for each part, with one line more, and so on."""
    card = tuned(lesson, lesson.first)
    yield from_nothing(card)
    while len(card) < lines:
        card = tuned(lesson, _cut(lesson, card))
        yield from_nothing(card)


def tuned(lesson: PointLesson, card: Card) -> Card:
    """Return a card with better numbers: each line's in turn, until little is gained."""
    before, now = np.inf, lesson.mean(card)
    while now < _MUCH * before:
        before = now
        for place, line in enumerate(card):
            card, now = _better(lesson, card, place, [*line.changes()], now)
    return card


def _better(
    lesson: PointLesson, card: Card, place: int, changes: Sequence[Line], now: float
) -> tuple[Card, float]:
    """Return the card with the best of some changes to one of its lines, and what it then gives up."""
    found = lesson.tried((*card[:place], *card[place + 1 :]), card[place], changes)
    best = int(found.argmin())
    if found[best] >= now:
        return card, now
    return (*card[:place], changes[best], *card[place + 1 :]), float(found[best])


def _cut(lesson: PointLesson, card: Card) -> Card:
    """Return the card with the line cut in two that gains most once its halves count for what is best."""
    now, tried = lesson.mean(card), list[tuple[float, Card]]()
    for place, line in enumerate(card):
        for halves in line.cuts():
            cut: Card = (*card[:place], *halves, *card[place + 1 :])
            worth = now
            for half, line_of_half in enumerate(halves, start=place):
                cut, worth = _better(lesson, cut, half, [*line_of_half.nudges()], worth)
            tried.append((worth, cut))
    return min(tried, key=lambda one: one[0])[1] if tried else card

"""Cards of points learnt from exact values.

A card begins with more lines than anybody can learn. All their numbers are fitted together: settings are
taken by chance, the likelier the more points they have, and the points go up and down with what is given up.
Then, again and again, that is left out which is missed least: two lines become one, a line by what is beside
the lead goes, or ranks stop counting; and everything is fitted anew. The numbers are made whole at last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import ACE, LOWEST
from houseway.houseways import Program
from houseway.odds.maingame import Told
from houseway.odds.strategies.pointcards import (
    MADE,
    Card,
    Line,
    PointLesson,
    Spans,
    from_nothing,
    ranks_above,
    tuned,
)

Array = NDArray[Any]
_LED: Final = ("high_card", "pair", "two_pair", "three_of_a_kind")
"""Categories of which the leading rank may count."""
_LONG: Final = (2, 7, 10, 12, 14)
_SHORT: Final = (2, 7, 9, 10, 11, 12, 13, 14)
_BESIDE: Final = (2, 7, 9, 11, 12)
"""Where spans of ranks begin at first: leads of a long part, of a shorter one, and ranks beside a lead."""
_NEAREST: Final = 24
"""So many settings of each hand are looked at: those of two parts are never more."""
_LOOKED_AT: Final = 10
"""Of all things that could be left out, so many are looked at more closely."""
_FEW: Final = 4
"""Of a card whose numbers are whole, so many of these are tuned."""
_BEFORE: Final = 3
"""Cards with so many lines more than are asked for have their numbers made whole."""
_SHARES: Final = 8
"""The hands are added up in so many shares, always the same, so that sums come out the same."""
_MOST: Final = 100
"""The numbers are made whole when the largest is so many points."""
_BY_SECOND: Final = tuple(product((-8, -5, -3, -1, 1, 3, 5, 8, 15), range(LOWEST, ACE)))
"""How ranks beside a lead may count, when such a line is added: for how much each, above which rank."""
_ROUNDS: Final = 6
"""So often the lines to begin with are fitted anew."""
_LONG_FIT, _FIT, _GLANCE = (600, 30.0, 0.01), (250, 60.0, 0.006), (15, 250.0, 0.002)
"""How a card is fitted: in how many steps, how sharp the choice is at first, and by how much numbers go."""
_SHARP: Final = 300.0
"""How sharp the choice is at last."""
_STEEP: Final = 1e3
"""What slopes are multiplied by, so that none is too small to be told from nothing."""
_LEAST_PACE: Final = 1e-4
"""By so much numbers go even at last."""


@dataclass(frozen=True)
class Term:
    """A line while it is learnt: its points, and its points for each rank, need not be whole."""

    spans: Spans
    points: float = 0.0
    each: float = 0.0
    above: int = LOWEST
    second: bool = False
    flat: bool = False
    """Whether ranks do not count."""

    @property
    def columns(self) -> tuple[Array, Array]:
        """What is multiplied by the points, and by the points for each rank."""
        inside = self.spans.inside.astype(np.float64)
        return inside, inside * ranks_above(self.above, second=self.second) * (not self.flat)

    @property
    def table(self) -> Array:
        """The points for each thing that can be known of the part."""
        inside, ranks = self.columns
        found: Array = self.points * inside + self.each * ranks
        return found


Terms = tuple[Term, ...]


def needed(terms: Terms) -> int:
    """How many lines a card needs: a part counts from a line of it that is flat."""
    return len(terms) - len(_free(terms))


def _free(terms: Terms) -> set[int]:
    """Return the parts that have a flat line by the lead, which then needs no words."""
    return {term.spans.part for term in terms if term.flat and not term.second}


def learn_cards(lesson: PointLesson, lines: int, tell: Told | None = None) -> list[Card]:
    """Return the best cards found, from the one with the fewest lines to one with so many at most."""
    near, fewest = lesson.nearest(_NEAREST), len(lesson.program.split)
    terms = fitted(near, starting(lesson.program), _LONG_FIT)
    for _ in range(_ROUNDS):
        terms = fitted(near, terms, _FIT)
    cards, whole = _Cards(near, {}), needed(terms)
    for shorter in _ever_shorter(near, terms):
        left = needed(shorter)
        if tell:
            tell(whole - left, whole)
        if left <= lines + _BEFORE:
            cards.keep(tuned(near, as_card(shorter)))
    for count in range(lines + _BEFORE, fewest, -1):
        if tell:
            tell(lines + _BEFORE - count, lines)
        cards.shorten(count)
    for count in range(fewest, lines):
        if tell:
            tell(count, lines)
        cards.lengthen(count)
    return [from_nothing(cards.best[count][1]) for count in sorted(cards.best) if count <= lines]


@dataclass(frozen=True)
class _Cards:
    """The best card found for each number of lines, with what it gives up."""

    lesson: PointLesson
    best: dict[int, tuple[float, Card]]

    def keep(self, card: Card) -> None:
        """Keep a card, if none with so many lines or fewer is better."""
        count, lost = needed(as_terms(card)), self.lesson.mean(card)
        if all(lost < other for lines, (other, _) in self.best.items() if lines <= count):
            self.best[count] = lost, card

    def shorten(self, count: int) -> None:
        """Leave something out of the card with so many lines, and keep what comes of it."""
        if count in self.best:
            shorter = sorted(shortened(self.lesson, as_terms(self.best[count][1])), key=self.lesson.mean)
            for terms in shorter[:_FEW]:
                self.keep(tuned(self.lesson, as_card(terms, scale=1)))

    def lengthen(self, count: int) -> None:
        """Add a line to the card with so many, and keep what comes of it."""
        if count in self.best:
            longer = sorted(_lengthened(self.lesson, self.best[count][1]), key=self.lesson.mean)
            for card in longer[:_FEW]:
                self.keep(tuned(self.lesson, card))


def _ever_shorter(lesson: PointLesson, terms: Terms) -> Iterator[Terms]:
    """Yield terms of which one thing more is left out each time, until every part has a single one."""
    while len(terms) > len(lesson.program.split):
        yield terms
        near = sorted(shortened(lesson, terms), key=lesson.mean)[:_LOOKED_AT]
        glanced = [fitted(lesson, one, _GLANCE) for one in near]
        least = min(range(len(near)), key=lambda at: lesson.mean(glanced[at]))
        terms = min(glanced[least], fitted(lesson, near[least], _FIT), key=lesson.mean)


def _lengthened(lesson: PointLesson, card: Card) -> Iterator[Card]:
    """Yield the card with a line cut in two between two ranks, and with one by what is beside its lead."""
    for at, line in enumerate(card):
        others, spans = (*card[:at], *card[at + 1 :]), line.spans
        if line.second or not line.each:
            continue
        for rank in range(spans.from_lead, spans.to_lead):
            lower = replace(line, spans=replace(spans, to_lead=rank))
            upper = replace(line, spans=replace(spans, from_lead=rank + 1))
            yield _with_best(lesson, (*others, lower), [*upper.changes()])
        beside = (replace(line, points=0, each=each, above=above, second=True) for each, above in _BY_SECOND)
        yield _with_best(lesson, card, [*beside])


def _with_best(lesson: PointLesson, card: Card, added: Sequence[Line]) -> Card:
    """Return the card with the best of some lines added."""
    return (*card, added[int(lesson.tried(card, added).argmin())])


def starting(program: Program) -> Terms:
    """Return the terms to begin with: for each part its categories, each by spans of leading ranks."""
    found: list[Term] = []
    for part, (size, levels) in enumerate(zip(program.split, program.levels, strict=True)):
        cuts = _LONG if size > 2 else _SHORT  # noqa: PLR2004 - the part that categories tell apart
        for name, of_name in groupby(range(len(levels)), levels.__getitem__):
            lowest, *_, highest = (*of_name,) * 2  # there may be royal flushes of two kinds
            for low, high in _spans(cuts) if name in _LED else ((LOWEST, ACE),):
                spans = Spans(part, lowest, highest, low, high)
                found.append(Term(spans, above=low, flat=low == high or name not in _LED))
        if size > 1:
            for (lead, to), (low, high) in product(((LOWEST, ACE - 1), (ACE, ACE)), _spans(_BESIDE)):
                found.append(Term(Spans(part, 0, 0, lead, to, low, high), above=low, second=True))
    return tuple(found)


def _spans(cuts: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(low, up - 1) for low, up in pairwise((*cuts, ACE + 1))]


def fitted(lesson: PointLesson, terms: Terms, how: tuple[int, float, float]) -> Terms:
    """Return terms with numbers that give up less, fitted step by step, the choice ever sharper.

    Each number goes by its own pace, as steady as its slope has been (the method is known as Adam).
    """
    from houseway.kernels.strategies import measure_slopes  # noqa: PLC0415 - numba only when it is needed

    steps, sharp, pace = how
    columns = np.array([term.columns for term in terms])
    widths = np.maximum(columns.max(axis=2), 1.0)
    columns /= widths[:, :, None]
    parts = np.array([term.spans.part for term in terms])
    of_part = [columns[parts == part].reshape(-1, MADE) for part in range(len(lesson.program.split))]
    numbers = np.array([(term.points, term.each) for term in terms]) * widths
    first, second, gains = np.zeros_like(numbers), np.zeros_like(numbers), np.zeros_like(numbers)
    slopes = np.empty((_SHARES, len(of_part), MADE))
    for step in range(steps):
        slopes[:] = 0
        at = sharp + (_SHARP - sharp) * step / steps
        tables = np.array([numbers[parts == part].ravel() @ mine for part, mine in enumerate(of_part)])
        measure_slopes(lesson.starts, lesson.made, tables, at, lesson.lost, lesson.counts, slopes)
        for part, mine in enumerate(of_part):
            gains[parts == part] = (mine @ slopes[:, part].sum(axis=0)).reshape(-1, 2)
        gains *= _STEEP / lesson.counts.sum()
        first = 0.9 * first + 0.1 * gains
        second = 0.99 * second + 0.01 * gains**2
        numbers = numbers + (pace * (1 - step / steps) + _LEAST_PACE) * first / (np.sqrt(second) + 1e-6)
    return tuple(
        replace(term, points=points, each=each)
        for term, (points, each) in zip(terms, (numbers / widths).tolist(), strict=True)
    )


def shortened(lesson: PointLesson, terms: Terms) -> Iterator[Terms]:
    """Yield the terms with one thing left out, in every way there is."""
    free = _free(terms)
    for at, term in enumerate(terms):
        others = (*terms[:at], *terms[at + 1 :])
        if term.second:
            yield others
        elif not term.flat and term.spans.part not in free:
            mean = _fit_to(lesson, replace(term, flat=True), term.table)
            yield (*terms[:at], mean, *terms[at + 1 :])
        for other in terms[at + 1 :]:
            joined = _joined(term, other)
            if joined is not None:
                whole = _fit_to(lesson, joined, term.table + other.table)
                yield tuple(whole if one is term else one for one in terms if one is not other)


def _joined(one: Term, other: Term) -> Term | None:
    """Return one term for what two are for, if they lie beside each other."""
    first, second = one.spans, other.spans
    if (first.part, one.second) != (second.part, other.second):
        return None
    same_leads = (first.from_lead, first.to_lead) == (second.from_lead, second.to_lead)
    same_seconds = (first.from_second, first.to_second) == (second.from_second, second.to_second)
    same_levels = (first.lowest, first.highest) == (second.lowest, second.highest)
    if same_levels and same_seconds and first.to_lead + 1 == second.from_lead:
        spans = replace(first, to_lead=second.to_lead)
        return Term(spans, above=spans.from_lead, second=one.second)
    if same_levels and same_leads and first.to_second + 1 == second.from_second:
        return Term(replace(first, to_second=second.to_second), above=first.from_second, second=True)
    if same_leads and same_seconds and first.every_lead and first.highest + 1 == second.lowest:
        return Term(replace(first, highest=second.highest), flat=True)
    return None


def _fit_to(lesson: PointLesson, term: Term, table: Array) -> Term:
    """Return a term with the numbers that come nearest to a table, above the rank where that is best."""
    used = np.bincount(lesson.made[term.spans.part], minlength=len(table)) * term.spans.inside + 1e-9
    low, high = (
        (term.spans.from_second, term.spans.to_second)
        if term.second
        else (term.spans.from_lead, term.spans.to_lead)
    )
    best: tuple[float, Term] = (np.inf, term)
    for above in range(low, max(high, low + 1)):
        tried = replace(term, above=above)
        root = np.sqrt(used)
        columns = np.stack(tried.columns, axis=1) * root[:, None]
        (points, each), *_ = np.linalg.lstsq(columns, table * root, rcond=None)
        tried = replace(tried, points=float(points), each=0.0 if term.flat else float(each))
        off = float(used @ (tried.table - table) ** 2)
        if off < best[0]:
            best = (off, tried)
    return best[1]


def as_card(terms: Terms, scale: float | None = None) -> Card:
    """Return terms as a card, their numbers made whole."""
    scale = scale or _MOST / max(np.abs(term.table).max() for term in terms)
    return tuple(
        Line(
            term.spans,
            round(term.points * scale),
            0 if term.flat else round(term.each * scale),
            term.above,
            term.second,
        )
        for term in terms
    )


def as_terms(card: Card) -> Terms:
    """Return a card as terms."""
    return tuple(
        Term(line.spans, line.points, line.each, line.above, line.second, flat=not (line.each or line.second))
        for line in card
    )

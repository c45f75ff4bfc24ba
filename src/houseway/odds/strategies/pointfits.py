"""Cards of points learnt from exact values.

A card begins with more lines than a person can learn. All their numbers are fitted together: settings are
taken at random, the likelier the more points they have, and the points follow the slopes of the loss. Then,
repeatedly, the least useful thing is left out: two lines become one, a line by the rank beside the lead goes,
or ranks stop counting; and the card is fitted again. The numbers are rounded at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import ACE, LOWEST
from houseway.houseways import CompiledWay
from houseway.odds.maingame import Told
from houseway.odds.strategies.pointcards import (
    FEATURES,
    PointCard,
    PointLesson,
    PointLine,
    Spans,
    drop_idle_lines,
    ranks_above,
    tune,
)

Array = NDArray[Any]
_LED: Final = ("high_card", "pair", "two_pair", "three_of_a_kind")
"""Categories of which the leading rank may count."""
_LONG: Final = (2, 7, 10, 12, 14)
_SHORT: Final = (2, 7, 9, 10, 11, 12, 13, 14)
_BESIDE: Final = (2, 7, 9, 11, 12)
"""Where the first spans of ranks begin: leads of a long part, of a shorter one, and ranks beside a lead."""
_NEAREST: Final = 24
"""Settings of each hand that are fitted; hands of two parts never have more."""
_LOOKED_AT: Final = 10
"""Of all shorter cards, how many are fitted further."""
_FEW: Final = 4
"""Of the shorter or longer cards with whole numbers, how many are tuned."""
_BEFORE: Final = 3
"""Cards with at most this many lines more than wanted have their numbers rounded."""
_SHARES: Final = 8
"""The hands are summed in this many shares, always the same, so that sums are reproducible."""
_MOST: Final = 100
"""The largest number of a card when its numbers are rounded."""
_BY_SECOND: Final = tuple(product((-8, -5, -3, -1, 1, 3, 5, 8, 15), range(LOWEST, ACE)))
"""The lines by the rank beside a lead that may be added: points for each rank, and above which rank."""
_ROUNDS: Final = 6
"""How often the first lines are fitted again."""
_LONG_FIT, _FIT, _GLANCE = (600, 30.0, 0.01), (250, 60.0, 0.006), (15, 250.0, 0.002)
"""How a card is fitted: the steps, the first sharpness of the choice, and the pace of the numbers."""
_SHARP: Final = 300.0
"""The last sharpness of the choice."""
_STEEP: Final = 1e3
"""The factor of slopes, so that none is too small."""
_LEAST_PACE: Final = 1e-4
"""The pace of the numbers at the end."""


@dataclass(frozen=True)
class Term:
    """A line that is being learnt: its points, and its points for each rank, need not be whole."""

    spans: Spans
    points: float = 0.0
    each: float = 0.0
    above: int = LOWEST
    second: bool = False
    flat: bool = False
    """Whether ranks do not count."""

    @property
    def columns(self) -> tuple[Array, Array]:
        """The factors of the points, and of the points for each rank."""
        inside = self.spans.inside.astype(np.float64)
        return inside, inside * ranks_above(self.above, second=self.second) * (not self.flat)

    @property
    def table(self) -> Array:
        """The points for each feature of the part."""
        inside, ranks = self.columns
        table: Array = self.points * inside + self.each * ranks
        return table


Terms = tuple[Term, ...]


def count_lines(terms: Terms) -> int:
    """Return how many lines a card needs: one flat line of each part needs no words."""
    return len(terms) - len(_flat_parts(terms))


def _flat_parts(terms: Terms) -> set[int]:
    """Return the parts with a flat line by the lead, which needs no words."""
    return {term.spans.part for term in terms if term.flat and not term.second}


def learn_cards(lesson: PointLesson, lines: int, tell: Told | None = None) -> list[PointCard]:
    """Return the best cards, from the one with the fewest lines to one with at most ``lines``."""
    near, fewest = lesson.nearest(_NEAREST), len(lesson.program.split)
    terms = fitted(near, starting(lesson.program), _LONG_FIT)
    for _ in range(_ROUNDS):
        terms = fitted(near, terms, _FIT)
    cards, whole = _Cards(near, {}), count_lines(terms)
    for shorter in _shorten_stepwise(near, terms):
        left = count_lines(shorter)
        if tell:
            tell(whole - left, whole)
        if left <= lines + _BEFORE:
            cards.keep(tune(near, as_card(shorter)))
    for count in range(lines + _BEFORE, fewest, -1):
        if tell:
            tell(lines + _BEFORE - count, lines)
        cards.shorten(count)
    for count in range(fewest, lines):
        if tell:
            tell(count, lines)
        cards.lengthen(count)
    return [drop_idle_lines(cards.best[count][1]) for count in sorted(cards.best) if count <= lines]


@dataclass(frozen=True)
class _Cards:
    """The best card for each number of lines, with what it gives up."""

    lesson: PointLesson
    best: dict[int, tuple[float, PointCard]]

    def keep(self, card: PointCard) -> None:
        """Keep a card if none with as many lines or fewer is better."""
        count, lost = count_lines(as_terms(card)), self.lesson.mean(card)
        if all(lost < other for lines, (other, _) in self.best.items() if lines <= count):
            self.best[count] = lost, card

    def shorten(self, count: int) -> None:
        """Shorten the card of ``count`` lines in the best ways, and keep the results."""
        if count in self.best:
            shorter = sorted(shorten_terms(self.lesson, as_terms(self.best[count][1])), key=self.lesson.mean)
            for terms in shorter[:_FEW]:
                self.keep(tune(self.lesson, as_card(terms, scale=1)))

    def lengthen(self, count: int) -> None:
        """Add a line to the card of ``count`` lines in the best ways, and keep the results."""
        if count in self.best:
            longer = sorted(_lengthen(self.lesson, self.best[count][1]), key=self.lesson.mean)
            for card in longer[:_FEW]:
                self.keep(tune(self.lesson, card))


def _shorten_stepwise(lesson: PointLesson, terms: Terms) -> Iterator[Terms]:
    """Yield the terms, shortened by one thing each time, until every part has a single term."""
    while len(terms) > len(lesson.program.split):
        yield terms
        near = sorted(shorten_terms(lesson, terms), key=lesson.mean)[:_LOOKED_AT]
        glanced = [fitted(lesson, candidate, _GLANCE) for candidate in near]
        least = min(range(len(near)), key=lambda at: lesson.mean(glanced[at]))
        terms = min(glanced[least], fitted(lesson, near[least], _FIT), key=lesson.mean)


def _lengthen(lesson: PointLesson, card: PointCard) -> Iterator[PointCard]:
    """Yield the card with a line cut in two between ranks, and with a line by the rank beside a lead."""
    for at, line in enumerate(card):
        others, spans = (*card[:at], *card[at + 1 :]), line.spans
        if line.second or not line.each:
            continue
        for rank in range(spans.from_lead, spans.to_lead):
            lower = replace(line, spans=replace(spans, to_lead=rank))
            upper = replace(line, spans=replace(spans, from_lead=rank + 1))
            yield _add_best(lesson, (*others, lower), [*upper.changes()])
        beside = (replace(line, points=0, each=each, above=above, second=True) for each, above in _BY_SECOND)
        yield _add_best(lesson, card, [*beside])


def _add_best(lesson: PointLesson, card: PointCard, added: Sequence[PointLine]) -> PointCard:
    """Return the card with the best of some lines added."""
    return (*card, added[int(lesson.try_changes(card, added).argmin())])


def starting(program: CompiledWay) -> Terms:
    """Return the first terms: for each part its categories, each by spans of leading ranks."""
    terms: list[Term] = []
    for part, (size, levels) in enumerate(zip(program.split, program.levels, strict=True)):
        cuts = _LONG if size > 2 else _SHORT  # noqa: PLR2004 - the part that categories tell apart
        for name, of_name in groupby(range(len(levels)), levels.__getitem__):
            lowest, *_, highest = (*of_name,) * 2  # there may be royal flushes of two kinds
            for low, high in _spans(cuts) if name in _LED else ((LOWEST, ACE),):
                spans = Spans(part, lowest, highest, low, high)
                terms.append(Term(spans, above=low, flat=low == high or name not in _LED))
        if size > 1:
            for (lead, to), (low, high) in product(((LOWEST, ACE - 1), (ACE, ACE)), _spans(_BESIDE)):
                terms.append(Term(Spans(part, 0, 0, lead, to, low, high), above=low, second=True))
    return tuple(terms)


def _spans(cuts: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(low, up - 1) for low, up in pairwise((*cuts, ACE + 1))]


def fitted(lesson: PointLesson, terms: Terms, how: tuple[int, float, float]) -> Terms:
    """Return terms with numbers that give up less, fitted step by step with a sharper choice each time.

    Each number has its own pace, by how steady its slope has been (the method is known as Adam).
    """
    from houseway.kernels.strategies import measure_slopes  # noqa: PLC0415 - numba only when it is needed

    steps, sharp, pace = how
    columns = np.array([term.columns for term in terms])
    widths = np.maximum(columns.max(axis=2), 1.0)
    columns /= widths[:, :, None]
    parts = np.array([term.spans.part for term in terms])
    of_part = [columns[parts == part].reshape(-1, FEATURES) for part in range(len(lesson.program.split))]
    numbers = np.array([(term.points, term.each) for term in terms]) * widths
    first, second, gains = np.zeros_like(numbers), np.zeros_like(numbers), np.zeros_like(numbers)
    slopes = np.empty((_SHARES, len(of_part), FEATURES))
    for step in range(steps):
        slopes[:] = 0
        at = sharp + (_SHARP - sharp) * step / steps
        tables = np.array([numbers[parts == part].ravel() @ mine for part, mine in enumerate(of_part)])
        measure_slopes(lesson.starts, lesson.features, tables, at, lesson.lost, lesson.counts, slopes)
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


def shorten_terms(lesson: PointLesson, terms: Terms) -> Iterator[Terms]:
    """Yield the terms with one thing left out, in every possible way."""
    free = _flat_parts(terms)
    for at, term in enumerate(terms):
        others = (*terms[:at], *terms[at + 1 :])
        if term.second:
            yield others
        elif not term.flat and term.spans.part not in free:
            mean = _fit_to(lesson, replace(term, flat=True), term.table)
            yield (*terms[:at], mean, *terms[at + 1 :])
        for other in terms[at + 1 :]:
            joined = _join(term, other)
            if joined is not None:
                whole = _fit_to(lesson, joined, term.table + other.table)
                yield tuple(whole if old is term else old for old in terms if old is not other)


def _join(term: Term, other: Term) -> Term | None:
    """Return one term in place of two adjacent ones, or None if they are not adjacent."""
    first, second = term.spans, other.spans
    if (first.part, term.second) != (second.part, other.second):
        return None
    same_leads = (first.from_lead, first.to_lead) == (second.from_lead, second.to_lead)
    same_seconds = (first.from_second, first.to_second) == (second.from_second, second.to_second)
    same_levels = (first.lowest, first.highest) == (second.lowest, second.highest)
    if same_levels and same_seconds and first.to_lead + 1 == second.from_lead:
        spans = replace(first, to_lead=second.to_lead)
        return Term(spans, above=spans.from_lead, second=term.second)
    if same_levels and same_leads and first.to_second + 1 == second.from_second:
        return Term(replace(first, to_second=second.to_second), above=first.from_second, second=True)
    if same_leads and same_seconds and first.every_lead and first.highest + 1 == second.lowest:
        return Term(replace(first, highest=second.highest), flat=True)
    return None


def _fit_to(lesson: PointLesson, term: Term, table: Array) -> Term:
    """Return a term with the numbers and the rank that fit a table best."""
    used = np.bincount(lesson.features[term.spans.part], minlength=len(table)) * term.spans.inside + 1e-9
    low, high = (
        (term.spans.from_second, term.spans.to_second)
        if term.second
        else (term.spans.from_lead, term.spans.to_lead)
    )
    best: tuple[float, Term] = (np.inf, term)
    for above in range(low, max(high, low + 1)):
        candidate = replace(term, above=above)
        root = np.sqrt(used)
        columns = np.stack(candidate.columns, axis=1) * root[:, None]
        (points, each), *_ = np.linalg.lstsq(columns, table * root, rcond=None)
        candidate = replace(candidate, points=float(points), each=0.0 if term.flat else float(each))
        off = float(used @ (candidate.table - table) ** 2)
        if off < best[0]:
            best = (off, candidate)
    return best[1]


def as_card(terms: Terms, scale: float | None = None) -> PointCard:
    """Return terms as a card with whole numbers."""
    scale = scale or _MOST / max(np.abs(term.table).max() for term in terms)
    return tuple(
        PointLine(
            term.spans,
            round(term.points * scale),
            0 if term.flat else round(term.each * scale),
            term.above,
            term.second,
        )
        for term in terms
    )


def as_terms(card: PointCard) -> Terms:
    """Return a card as terms."""
    return tuple(
        Term(line.spans, line.points, line.each, line.above, line.second, flat=not (line.each or line.second))
        for line in card
    )

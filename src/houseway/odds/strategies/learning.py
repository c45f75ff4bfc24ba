"""Lessons for rules: dealt hands, what choices give up on them, and the rule that gains most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import ACE, LOWEST, Card
from houseway.houseways import CompiledWay, compile_way
from houseway.houseways.batch import run_program
from houseway.houseways.plain import facts_about
from houseway.houseways.vocabulary import HAND_RANKS, SHAPES
from houseway.odds.maingame import Told
from houseway.odds.strategies.grammar import Choice, HandTest, Span, choices, rule_of, way_of
from houseway.odds.strategies.sampled import Sample, kinds_of

Array = NDArray[Any]
AXES: Final[tuple[tuple[str, ...], ...]] = (
    *((name,) for name in ("pair1", "pair2", "trip1", "quad", "top1", "top2", "top3")),
    ("pair1", "pair2"),
    ("pair1", "top1"),
    ("trip1", "top1"),
    ("top1", "top2"),
    ("top1", "top3"),
    ("top2", "top3"),
)
"""The ranks that a rule may ask for, alone or together."""
_RANKS: Final = ACE + 1
_LOWEST, _HIGHEST = (
    np.array(ends)
    for ends in zip(
        (0, ACE), *((low, high) for low in range(LOWEST, _RANKS) for high in range(low, _RANKS)), strict=True
    )
)
"""Every span of ranks; the first is no condition, and takes hands without such a group too."""
_LOOKED_THROUGH: Final = 3_000
"""Hands on which choices are tried first."""
_EACH: Final = 30
"""Choices that stay for each kind of hand, by each of three measures."""
_TOLERATED: Final = 0.02
"""A choice is of use to a hand if it gives up less than this of a wager."""
_PER_WORD: Final = 0.003
"""The part of its gain that a rule loses for each of its conditions."""


@dataclass(frozen=True)
class ListedRule:
    """A rule of a list: its hands, and its choice."""

    test: HandTest
    choice: Choice


@dataclass(frozen=True)
class Lesson:
    """Sampled hands, and what each choice gives up on each: infinite where it has no setting."""

    hands: Sample
    choices: tuple[Choice, ...]
    lost: Array
    otherwise: Array
    """What each hand gives up if no rule decides it, and the house way sets it."""
    facts: Array
    """For each hand its shape, whether it is complete, and the ranks that rules may test."""
    shapes: tuple[str, ...] = SHAPES
    """The shapes that the hands may have."""

    def ranks(self, of: str) -> Array:
        """Return the rank of a group of each hand."""
        ranks: Array = self.facts[:, 2 + HAND_RANKS.index(of)]
        return ranks

    def passes(self, test: HandTest) -> Array:
        """Return which hands pass a test."""
        fine = np.ones(len(self.facts), dtype=bool)
        if test.shapes:
            fine &= np.isin(self.facts[:, 0], [SHAPES.index(shape) for shape in test.shapes])
        if test.complete is not None:
            fine &= self.facts[:, 1] == int(test.complete)
        for span in test.spans:
            fine &= (self.ranks(span.of) >= span.lowest) & (self.ranks(span.of) <= span.highest)
        return fine

    def decides(self, rule: ListedRule) -> Array:
        """Return which hands a rule decides, if they reach it."""
        decided: Array = self.passes(rule.test) & np.isfinite(self._lost(rule))
        return decided

    def _lost(self, rule: ListedRule) -> Array:
        losses: Array = self.lost[:, self.choices.index(rule.choice)]
        return losses

    def given_up(self, rules: list[ListedRule]) -> Array:
        """Return what each hand gives up by a list."""
        result, left = self.otherwise.copy(), np.ones(len(self.facts), dtype=bool)
        for rule in rules:
            mine = left & self.decides(rule)
            result[mine] = self._lost(rule)[mine]
            left &= ~mine
        return result

    def total(self, rules: list[ListedRule]) -> float:
        """Return what a list gives up over all the hands, in wagers."""
        return float(self.given_up(rules) @ self.hands.counts)

    def mean(self, rules: list[ListedRule]) -> float:
        """Return what a list gives up of a wager on average."""
        return self.hands.mean(self.given_up(rules))

    def best_rule(self, reached: Array, so_far: Array) -> ListedRule | None:
        """Return the rule that gains most over what is given up so far, on hands that reach it, or None."""
        better = np.where(np.isfinite(self.lost), so_far[:, None] - self.lost, 0.0)
        better *= (self.hands.counts * reached)[:, None].astype(np.float32)
        order, first, kinds = self._kinds
        better = np.add.reduceat(better[order], first, axis=0)
        best: tuple[ListedRule | None, float] = (None, 0.0)
        for axis in AXES:
            if not all(kinds[:, 2 + HAND_RANKS.index(name)].any() for name in axis):
                continue  # no hand has such a group
            by_rank = _by_rank(better, kinds, axis)
            for some, complete in product(self.together, (None, True, False)):
                gains = by_rank[[SHAPES.index(shape) for shape in some]].sum(axis=0)
                here = gains.sum(axis=0) if complete is None else gains[int(complete)]
                test, choice, gain = _best_span(axis, HandTest(some, complete), here)
                if gain > best[1]:
                    best = ListedRule(test, self.choices[choice]), gain
        return best[0]

    @cached_property
    def together(self) -> list[tuple[str, ...]]:
        """The shapes that a rule may be for: all, and each that occurs."""
        seen = [(SHAPES[number],) for number in np.unique(self.facts[:, 0])]
        return [self.shapes, *(shapes for shapes in seen if shapes != self.shapes)]

    def only(self, shapes: tuple[str, ...]) -> Lesson:
        """Return the lesson for hands of some shapes only."""
        inside = np.isin(self.facts[:, 0], [SHAPES.index(shape) for shape in shapes])
        return replace(self.where(inside), shapes=shapes)

    def where(self, inside: Array) -> Lesson:
        """Return the lesson for some of the hands only."""
        return replace(
            self,
            hands=self.hands.where(inside),
            lost=self.lost[inside],
            otherwise=self.otherwise[inside],
            facts=self.facts[inside],
        )

    @cached_property
    def _kinds(self) -> tuple[Array, Array, Array]:
        """The order that groups hands with equal facts, where each group begins, and its facts."""
        kinds, which = np.unique(self.facts, axis=0, return_inverse=True)
        order = np.argsort(which.ravel(), kind="stable")
        return order, np.searchsorted(which.ravel()[order], np.arange(len(kinds))), kinds


def _by_rank(better: Array, kinds: Array, axis: tuple[str, ...]) -> Array:
    """Sum the gains by shape, completeness and the ranks of an axis."""
    cells = kinds[:, 0] * 2 + kinds[:, 1]
    for name in axis:
        cells = cells * _RANKS + kinds[:, 2 + HAND_RANKS.index(name)]
    sums = np.zeros((len(SHAPES) * 2 * _RANKS ** len(axis), better.shape[1]))
    order = np.argsort(cells, kind="stable")
    filled, first = np.unique(cells[order], return_index=True)
    sums[filled] = np.add.reduceat(better[order], first, axis=0)
    return sums.reshape(len(SHAPES), 2, *[_RANKS] * len(axis), -1)


def _best_span(axis: tuple[str, ...], test: HandTest, gains: Array) -> tuple[HandTest, int, float]:
    """Return the spans of ranks and the choice that gain most, and what they gain."""
    for place in range(len(axis)):
        running = np.cumsum(np.insert(gains, 0, 0, axis=place), axis=place)
        gains = np.take(running, _HIGHEST + 1, axis=place) - np.take(running, _LOWEST, axis=place)
    for place in range(len(axis)):  # conditions must be worth their words
        asks = (_LOWEST > 0).astype(float).reshape([-1 if at == place else 1 for at in range(gains.ndim)])
        gains = gains * (1 - _PER_WORD * asks)
    *spans, choice = np.unravel_index(int(gains.argmax()), gains.shape)
    limits = tuple(
        Span(name, int(_LOWEST[at]), int(_HIGHEST[at]))
        for name, at in zip(axis, spans, strict=True)
        if _LOWEST[at] > 0
    )
    best = HandTest(test.shapes, test.complete, limits)
    return best, int(choice), float(gains.max()) * (1 - _PER_WORD * test.words)


def prepare(hands: Sample, tell: Told | None = None) -> Lesson:
    """Try every choice on some of the hands, and the promising ones on all."""
    sample, options = hands.first(_LOOKED_THROUGH), list(choices(hands.program.ranking))
    lost = np.stack([_choice_losses(sample, choice) for choice in _report_each(options, tell)], axis=1)
    facts, places = _facts(sample), list[int]()
    kinds = facts[:, 0] * 2 + facts[:, 1]
    for kind in np.unique(kinds):
        places += _list_promising(lost[kinds == kind], sample.counts[kinds == kind, None])
    promising = [options[place] for place in dict.fromkeys(places)]
    lost = np.stack([_choice_losses(hands, choice) for choice in _report_each(promising, tell)], axis=1)
    return Lesson(hands, tuple(promising), lost, _way_losses(hands, hands.program), _facts(hands))


def _list_promising(lost: Array, counts: Array) -> list[int]:
    """Return the places of choices that serve one kind of hand: alone, where they apply, or beside others.

    Of equal choices only one is taken.
    """
    _, first = np.unique(lost, axis=1, return_index=True)
    known = np.isfinite(lost)
    by_loss = (np.where(known, lost, 1.0) * counts).sum(axis=0)
    of_use = np.maximum(_TOLERATED - lost, -_TOLERATED)
    by_use = -(np.where(known, of_use, 0.0) * counts).sum(axis=0)
    places = [int(place) for by in (by_loss, by_use) for place in first[np.argsort(by[first])][:_EACH]]
    left = np.full(len(lost), 1.0)
    for _ in range(_EACH):
        beside = (np.minimum(left[:, None], np.where(known[:, first], lost[:, first], 1.0)) * counts).sum(
            axis=0
        )
        places.append(int(first[beside.argmin()]))
        left = np.minimum(left, np.where(known[:, places[-1]], lost[:, places[-1]], 1.0))
    return places


def _report_each(some: list[Choice], tell: Told | None) -> Iterator[Choice]:
    for place, choice in enumerate(some):
        if tell:
            tell(place, len(some))
        yield choice


def _facts(hands: Sample) -> Array:
    whole = kinds_of(hands.program.ranking, hands.hands) % 2
    facts = (
        facts_about(tuple(Card(int(card)) for card in cards), complete=bool(complete))
        for cards, complete in zip(hands.hands, whole, strict=True)
    )
    return np.array([(fact.shape, int(fact.flags[1]), *fact.ranks) for fact in facts], dtype=np.int64)


def _choice_losses(hands: Sample, choice: Choice) -> Array:
    """Return what each hand gives up by a choice; infinite where no setting meets its conditions."""
    order = hands.program.ranking
    rule = rule_of(order.part_names, "rule", "rule", HandTest(), choice, asks=False)
    return _way_losses(hands, compile_way(way_of(order, rule), base=order))


def _way_losses(hands: Sample, way: CompiledWay) -> Array:
    """Return what each hand gives up by a way; infinite where the way has no setting for it."""
    settings = run_program(way, hands.hands).settings.astype(np.int64)
    return np.where(settings >= 0, hands.lost(np.maximum(settings, 0)), np.inf).astype(np.float32)

"""Short rule lists learnt from exact values: greedily, the rule that gains most first, then each made better.

A list is read from the top; the first rule that is for a hand, and has a setting for it, decides. It begins
with the last rule, which serves every hand; others are put before it where they gain most.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import ACE, LOWEST, Card
from houseway.houseways import compile_way
from houseway.houseways.batch import run_program
from houseway.houseways.plain import facts_about
from houseway.houseways.vocabulary import HAND_RANKS, SHAPES
from houseway.odds.grammar import Choice, Span, Test, choices, rule_of, way_of
from houseway.odds.maingame import Told
from houseway.odds.sampled import Sampled

Array = NDArray[Any]
RICH: Final = ("full_house", "two_trips", "quads", "five_aces")
TOGETHER: Final[tuple[tuple[str, ...], ...]] = (
    (),
    *((shape,) for shape in SHAPES),
    ("no_pair", "pair"),
    ("two_pair", "three_pair"),
    ("trips", "full_house"),
    RICH,
    ("three_pair", *RICH),
    ("two_pair", "three_pair", *RICH),
)
"""The shapes that one rule may be for."""
AXES: Final[dict[tuple[str, ...], tuple[tuple[str, ...], ...]]] = {
    **{(name,): TOGETHER for name in ("pair1", "pair2", "trip1", "quad", "top1", "top2", "top3")},
    ("pair1", "pair2"): (("two_pair",), ("two_pair", "three_pair")),
    ("pair1", "top1"): (("pair",), ("two_pair",)),
    ("trip1", "top1"): (("trips",),),
    ("top1", "top2"): (("no_pair",), ("pair",)),
    ("top2", "top3"): (("no_pair",),),
}
"""Of which ranks a rule may ask, alone or together, and of hands of which shapes."""
_RANKS: Final = ACE + 1
_LOWEST, _HIGHEST = (
    np.array(ends)
    for ends in zip(
        (0, ACE), *((low, high) for low in range(LOWEST, _RANKS) for high in range(low, _RANKS)), strict=True
    )
)
"""Every span of ranks; the first is no span at all, and holds hands without such a group too."""
_LOOKED_THROUGH: Final = 3_000
"""Hands by which choices are looked through at first."""
_EACH: Final = 12
"""So many choices are kept for each kind of hand, by each of three measures."""
_TOLERATED: Final = 0.02
"""A choice is of use to a hand if it gives up less than this of a wager."""
_FEW: Final = 4
"""Up to so many rules a list is grown once."""
_REGROWN: Final = 3
"""So many rules are left out and grown again."""
_MUCH: Final = 0.99
"""A list is changed on while it gives up less than this part of what it did."""
_PER_WORD: Final = 0.003
"""So much of its gain a rule must make up for by each thing it asks."""


@dataclass(frozen=True)
class ListedRule:
    """A rule of a list: which hands it is for, and what it does."""

    test: Test
    choice: Choice


@dataclass(frozen=True)
class Lesson:
    """Sampled hands, and what each choice gives up on each: infinite where no setting is as wanted."""

    hands: Sampled
    choices: tuple[Choice, ...]
    lost: Array

    @cached_property
    def facts(self) -> Array:
        """For each hand its shape, whether it is complete, and the ranks that rules speak of."""
        return _facts(self.hands)

    def ranks(self, of: str) -> Array:
        """Return the rank of a group of each hand."""
        found: Array = self.facts[:, 2 + HAND_RANKS.index(of)]
        return found

    def passes(self, test: Test) -> Array:
        """Return which hands a test is for."""
        fine = np.ones(len(self.facts), dtype=bool)
        if test.shapes:
            fine &= np.isin(self.facts[:, 0], [SHAPES.index(shape) for shape in test.shapes])
        if test.complete is not None:
            fine &= self.facts[:, 1] == int(test.complete)
        for span in test.spans:
            fine &= (self.ranks(span.of) >= span.lowest) & (self.ranks(span.of) <= span.highest)
        return fine

    def decided(self, rule: ListedRule) -> Array:
        """Return which hands a rule decides, if they come to it."""
        found: Array = self.passes(rule.test) & np.isfinite(self._lost(rule))
        return found

    def _lost(self, rule: ListedRule) -> Array:
        found: Array = self.lost[:, self.choices.index(rule.choice)]
        return found

    def given_up(self, rules: list[ListedRule]) -> Array:
        """Return what each hand gives up by a list."""
        result, left = np.full(len(self.facts), np.inf, np.float32), np.ones(len(self.facts), dtype=bool)
        for rule in rules:
            mine = left & self.decided(rule)
            result[mine] = self._lost(rule)[mine]
            left &= ~mine
        return result

    def mean(self, rules: list[ListedRule]) -> float:
        """Return what a list gives up of a wager on average."""
        return self.hands.mean(self.given_up(rules))

    def best_rule(self, reached: Array, so_far: Array) -> ListedRule | None:
        """Find the rule that gains most over what is given up so far, for hands that reach it."""
        better = np.where(np.isfinite(self.lost), so_far[:, None] - self.lost, 0.0)
        better *= (self.hands.counts * reached)[:, None].astype(np.float32)
        order, first, kinds = self._kinds
        better = np.add.reduceat(better[order], first, axis=0)
        best: tuple[ListedRule | None, float] = (None, 0.0)
        for axis, shapes in AXES.items():
            by_rank = _by_rank(better, kinds, axis)
            for some, complete in product(shapes, (None, True, False)):
                gains = by_rank[[SHAPES.index(shape) for shape in some] or slice(None)].sum(axis=0)
                here = gains.sum(axis=0) if complete is None else gains[int(complete)]
                test, choice, gain = _best_span(axis, Test(some, complete), here)
                if gain > best[1]:
                    best = ListedRule(test, self.choices[choice]), gain
        return best[0]

    @cached_property
    def _kinds(self) -> tuple[Array, Array, Array]:
        """The hands in an order that puts those together of which rules know the same, and where each kind
        begins, and what is known of it.
        """
        kinds, which = np.unique(self.facts, axis=0, return_inverse=True)
        order = np.argsort(which.ravel(), kind="stable")
        return order, np.searchsorted(which.ravel()[order], np.arange(len(kinds))), kinds


def _by_rank(better: Array, kinds: Array, axis: tuple[str, ...]) -> Array:
    """Sum what is gained by shape, completeness and the ranks of an axis."""
    cells = kinds[:, 0] * 2 + kinds[:, 1]
    for name in axis:
        cells = cells * _RANKS + kinds[:, 2 + HAND_RANKS.index(name)]
    sums = np.zeros((len(SHAPES) * 2 * _RANKS ** len(axis), better.shape[1]))
    order = np.argsort(cells, kind="stable")
    here, first = np.unique(cells[order], return_index=True)
    sums[here] = np.add.reduceat(better[order], first, axis=0)
    return sums.reshape(len(SHAPES), 2, *[_RANKS] * len(axis), -1)


def _best_span(axis: tuple[str, ...], test: Test, gains: Array) -> tuple[Test, int, float]:
    """Return the spans of ranks and the choice that gain most, and what they gain."""
    for place in range(len(axis)):
        running = np.cumsum(np.insert(gains, 0, 0, axis=place), axis=place)
        gains = np.take(running, _HIGHEST + 1, axis=place) - np.take(running, _LOWEST, axis=place)
    for place in range(len(axis)):  # what is asked must be worth its words
        asks = (_LOWEST > 0).astype(float).reshape([-1 if at == place else 1 for at in range(gains.ndim)])
        gains = gains * (1 - _PER_WORD * asks)
    *spans, choice = np.unravel_index(int(gains.argmax()), gains.shape)
    asked = tuple(
        Span(name, int(_LOWEST[at]), int(_HIGHEST[at]))
        for name, at in zip(axis, spans, strict=True)
        if _LOWEST[at] > 0
    )
    best = Test(test.shapes, test.complete, asked)
    return best, int(choice), float(gains.max()) * (1 - _PER_WORD * test.words)


def prepare(hands: Sampled, tell: Told | None = None) -> Lesson:
    """Look every choice through on some of the hands, and what is promising on all."""
    few, every = hands.first(_LOOKED_THROUGH), list(choices(hands.program.ranking))
    lost = np.stack([_lost_by(few, choice) for choice in _told(every, tell)], axis=1)
    facts, kept = _facts(few), list[int]()
    kinds = facts[:, 0] * 2 + facts[:, 1]
    for kind in np.unique(kinds):
        kept += _promising(lost[kinds == kind], few.counts[kinds == kind, None])
    chosen = [every[place] for place in dict.fromkeys(kept)]
    chosen += [choice for choice in every if not choice.wanted and choice not in chosen]
    return Lesson(
        hands, tuple(chosen), np.stack([_lost_by(hands, choice) for choice in _told(chosen, tell)], axis=1)
    )


def _promising(lost: Array, counts: Array) -> list[int]:
    """Return choices that serve one kind of hand: alone, where they apply, and each where the others do not.

    Of choices that do the same only one is taken.
    """
    _, first = np.unique(lost, axis=1, return_index=True)
    known = np.isfinite(lost)
    by_loss = (np.where(known, lost, 1.0) * counts).sum(axis=0)
    of_use = np.maximum(_TOLERATED - lost, -_TOLERATED)
    by_use = -(np.where(known, of_use, 0.0) * counts).sum(axis=0)
    kept = [int(place) for by in (by_loss, by_use) for place in first[np.argsort(by[first])][:_EACH]]
    left = np.full(len(lost), 1.0)
    for _ in range(_EACH):
        beside = (np.minimum(left[:, None], np.where(known[:, first], lost[:, first], 1.0)) * counts).sum(
            axis=0
        )
        kept.append(int(first[beside.argmin()]))
        left = np.minimum(left, np.where(known[:, kept[-1]], lost[:, kept[-1]], 1.0))
    return kept


def _told(some: list[Choice], tell: Told | None) -> Iterator[Choice]:
    for place, choice in enumerate(some):
        if tell:
            tell(place, len(some))
        yield choice


def learn(lesson: Lesson, rules: int, seed: int = 1, tries: int = 6) -> Iterator[list[ListedRule]]:
    """Yield the best list found of one rule, of two, and so on.

    Each list is grown from the one before, then some of its rules are left out by chance and grown again, as
    often as ``tries`` says, and what is better is kept.
    """
    chance = np.random.default_rng(seed)
    plain = [ListedRule(Test(), choice) for choice in lesson.choices if not choice.wanted]
    found = [min(plain, key=lambda rule: lesson.mean([rule]))]
    yield found
    while len(found) < rules:
        longer = _grown(lesson, found, len(found) + 1)
        if len(longer) == len(found):
            return
        for _ in range(tries if len(longer) > _FEW else 0):
            left = sorted(chance.permutation(len(longer) - 1)[: len(longer) - 1 - _REGROWN])
            other = _grown(lesson, [*(longer[place] for place in left), longer[-1]], len(longer))
            longer = min(longer, other, key=lesson.mean)
        found = longer
        yield found


def _grown(lesson: Lesson, found: list[ListedRule], rules: int) -> list[ListedRule]:
    """Return a list with rules added where they gain most, and each then changed for a better one."""
    grown = list(found)
    while len(grown) < rules:
        longer = []
        for place in range(len(grown)):
            rule = lesson.best_rule(_reached(lesson, grown[:place]), lesson.given_up(grown))
            if rule is not None:
                longer.append([*grown[:place], rule, *grown[place:]])
        if not longer:
            return grown
        grown = min(longer, key=lesson.mean)
    while _improve(lesson, grown):
        pass
    return grown


def _reached(lesson: Lesson, before: list[ListedRule]) -> Array:
    """Return which hands none of some rules decides."""
    reached = np.ones(len(lesson.facts), dtype=bool)
    for rule in before:
        reached &= ~lesson.decided(rule)
    return reached


def _improve(lesson: Lesson, found: list[ListedRule]) -> bool:
    """Put, in turn, the best rule there is in the place of each; return whether much was gained."""
    begin = now = lesson.mean(found)
    for place in range(len(found) - 1):
        others = found[:place] + found[place + 1 :]
        rule = lesson.best_rule(_reached(lesson, found[:place]), lesson.given_up(others))
        if rule is not None:
            changed = [*found[:place], rule, *found[place + 1 :]]
            if (after := lesson.mean(changed)) < now:
                found[:], now = changed, after
    return now < _MUCH * begin


def _facts(hands: Sampled) -> Array:
    order = hands.program.ranking
    plain = Choice((), tuple(range(len(order.split))))
    rules = [
        rule_of(order, name, name, test, plain)
        for name, test in (("complete", Test(complete=True)), ("any", Test()))
    ]
    asked = compile_way(way_of(order, "complete", "complete", "complete", tuple(rules)), base=order)
    complete = run_program(asked, hands.hands).rules == 0
    facts = (
        facts_about(tuple(Card(int(card)) for card in cards), complete=bool(whole))
        for cards, whole in zip(hands.hands, complete, strict=True)
    )
    return np.array([(fact.shape, int(fact.flags[1]), *fact.ranks) for fact in facts], dtype=np.int64)


def _lost_by(hands: Sampled, choice: Choice) -> Array:
    """Return what each hand gives up by a choice; infinite where no setting is as wanted."""
    order = hands.program.ranking
    rule = rule_of(order, "one", "one", Test(), choice, asks=False)
    program = compile_way(way_of(order, "one", "one", "one", (rule,)), base=order)
    settings = run_program(program, hands.hands).settings.astype(np.int64)
    return np.where(settings >= 0, hands.lost(np.maximum(settings, 0)), np.inf).astype(np.float32)

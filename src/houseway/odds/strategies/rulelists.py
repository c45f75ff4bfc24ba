"""Short rule lists learnt from exact values.

A list is read from the top; the first rule that is for a hand, and has a setting for it, decides. A hand that
no rule is for is set the house way, as the dealer does for whoever asks. Each shape of hand is learnt by
itself: a list begins empty, rules are put where they gain most, and each is changed for a better one as long
as there is one. Then every shape is given as many rules as make the whole best, and rules that say the same
of two shapes become one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.odds.strategies.grammar import HandTest
from houseway.odds.strategies.learning import Lesson, ListedRule

Array = NDArray[Any]
KINDS: Final = (
    ("no_pair",),
    ("pair",),
    ("two_pair",),
    ("trips",),
    ("three_pair", "full_house", "two_trips", "quads", "five_aces"),
)
"""Shapes that are learnt together."""
LONGEST: Final = 7
"""A list of one kind has at most so many rules."""
_MUCH: Final = 0.99
"""A list is changed on while it gives up less than this part of what it did."""


@dataclass(frozen=True)
class KindList:
    """A list for hands of one kind, and what it gives up in all."""

    rules: tuple[ListedRule, ...]
    lost: float


def learn(lesson: Lesson, rules: int) -> Iterator[list[ListedRule]]:
    """Yield the best list found of one rule, of two, and so on."""
    kinds = [list(_kind_lists(lesson.only(shapes))) for shapes in KINDS]
    for count in range(1, rules + 1):
        allotted, longer = merged(allot(kinds, count)), count
        while len(allotted) <= count and longer < 2 * rules:  # what was merged makes room for more
            longer += 1
            more = merged(allot(kinds, longer))
            if len(more) > count:
                break
            allotted = more
        yield allotted


def _kind_lists(lesson: Lesson) -> Iterator[KindList]:
    """Yield the best lists of one kind: of no rule, of one, and so on."""
    weight = float(lesson.hands.counts.sum())
    found: list[ListedRule] = []
    for count in range(LONGEST + 1):
        found = _grown(lesson, found, count)
        yield KindList(tuple(found), weight * lesson.mean(found))


def _grown(lesson: Lesson, found: list[ListedRule], rules: int) -> list[ListedRule]:
    """Return a list with rules added where they gain most, and each then changed for a better one."""
    grown = list(found)
    while len(grown) < rules:
        longer = []
        for place in range(len(grown) + 1):
            rule = lesson.best_rule(_reached(lesson, grown[:place]), lesson.given_up(grown))
            if rule is not None:
                longer.append([*grown[:place], rule, *grown[place:]])
        if not longer:
            break
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
    for place in range(len(found)):
        others = found[:place] + found[place + 1 :]
        rule = lesson.best_rule(_reached(lesson, found[:place]), lesson.given_up(others))
        if rule is not None:
            changed = [*found[:place], rule, *found[place + 1 :]]
            if (after := lesson.mean(changed)) < now:
                found[:], now = changed, after
    return now < _MUCH * begin


def allot(kinds: list[list[KindList]], rules: int) -> list[KindList]:
    """Choose a list of each kind, together of at most so many rules, that give up least.

    >>> from houseway.odds.strategies.grammar import Choice
    >>> some = [KindList((), 9.0), KindList((ListedRule(HandTest(), Choice((), (0, 1))),), 2.0)]
    >>> [len(one.rules) for one in allot([[KindList((), 1.0)], some, some], 1)]
    [0, 1, 0]
    """

    def with_kind(best: list[list[KindList]], lists: list[KindList]) -> list[list[KindList]]:
        return [
            min(
                ([*best[room - len(one.rules)], one] for one in lists if len(one.rules) <= room),
                key=lambda chosen: sum(one.lost for one in chosen),
            )
            for room in range(rules + 1)
        ]

    start: list[list[KindList]] = [[] for _ in range(rules + 1)]
    return reduce(with_kind, kinds, start)[rules]


def merged(lists: list[KindList]) -> list[ListedRule]:
    """Put the lists of all kinds into one; rules that ask and do the same become one for both kinds.

    Rules of different kinds never meet in a hand, so that only the order within each kind counts.
    """
    result: list[ListedRule] = []
    for one in lists:
        first = 0
        for rule in one.rules:
            same = next((at for at in range(first, len(result)) if _alike(result[at], rule)), None)
            if same is None:
                result.insert(first, rule)
                first += 1
            else:
                shapes = (*result[same].test.shapes, *rule.test.shapes)
                result[same] = ListedRule(HandTest(shapes, rule.test.complete, rule.test.spans), rule.choice)
                first = same + 1
    return result


def _alike(one: ListedRule, other: ListedRule) -> bool:
    """Whether two rules ask the same of hands of different shapes, and do the same."""
    asks = (one.test.complete, one.test.spans) == (other.test.complete, other.test.spans)
    apart = bool(one.test.shapes) and not set(one.test.shapes) & set(other.test.shapes)
    return asks and apart and one.choice == other.choice

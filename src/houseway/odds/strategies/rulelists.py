"""Short rule lists learnt from exact values.

A list is read from the top; the first rule that is for a hand, and has a setting for it, decides. A hand that
no rule is for is set the house way, as the dealer does for whoever asks. Each shape of hand is learnt by
itself: a list begins empty, rules are put where they gain most, and each is changed for a better one as long
as there is one; from longer lists the rule is taken again that is missed least, as long as that makes a
better list of its length. Then every shape is given as many rules as make the whole best by hands that
nothing was learnt from, and rules that say the same of two shapes become one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.odds.maingame import Told
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
_JUDGED: Final = 3
"""Of so many hands one is kept apart, to judge by."""


@dataclass(frozen=True)
class KindList:
    """A list for hands of one kind, and what it gives up in all of hands it was not learnt from."""

    rules: tuple[ListedRule, ...]
    lost: float


def learn(lesson: Lesson, rules: int, tell: Told | None = None) -> Iterator[list[ListedRule]]:
    """Yield the best list found of one rule, of two, and so on."""
    kinds = list[list[KindList]]()
    for place, shapes in enumerate(KINDS):
        if tell:
            tell(place, len(KINDS))
        kinds.append(list(kind_lists(lesson.only(shapes), min(rules, LONGEST))))
    for count in range(1, rules + 1):
        allotted, longer = merged(allot(kinds, count)), count
        while len(allotted) <= count and longer < 2 * rules:  # what was merged makes room for more
            longer += 1
            more = merged(allot(kinds, longer))
            if len(more) > count:
                break
            allotted = more
        yield allotted


def kind_lists(lesson: Lesson, rules: int) -> Iterator[KindList]:
    """Yield the best lists of one kind: of no rule, of one, and so on.

    They are learnt from some of the hands, judged by the others, and tuned at last over all.
    """
    others = np.arange(len(lesson.facts)) % _JUDGED == 0
    judged = lesson.where(others)
    for found in _lists(lesson.where(~others), rules):
        yield KindList(tuple(_tuned(lesson, found)), judged.total(found))


def _lists(lesson: Lesson, rules: int) -> list[list[ListedRule]]:
    """Return the best list found of no rule, of one, and so on."""
    lists: list[list[ListedRule]] = [[]]
    for _ in range(rules):
        lists.append(_grown(lesson, lists[-1]))
    better = True
    while better:
        better = False
        shorter = ((count, _shortened(lesson, lists[count + 1])) for count in range(rules - 1, 0, -1))
        longer = ((count, _grown(lesson, lists[count - 1])) for count in range(1, rules + 1))
        for count, other in chain(shorter, longer):
            if lesson.total(other) < _MUCH * lesson.total(lists[count]):
                lists[count], better = other, True
    return lists


def _grown(lesson: Lesson, found: list[ListedRule]) -> list[ListedRule]:
    """Return a list with a rule added where it gains most, and each then changed for a better one."""
    longer = []
    for place in range(len(found) + 1):
        rule = lesson.best_rule(_reached(lesson, found[:place]), lesson.given_up(found))
        if rule is not None:
            longer.append([*found[:place], rule, *found[place:]])
    return _tuned(lesson, min(longer, key=lesson.total)) if longer else found


def _shortened(lesson: Lesson, found: list[ListedRule]) -> list[ListedRule]:
    """Return a list without the rule that is missed least, and each other then changed for a better one."""
    shorter = ([*found[:place], *found[place + 1 :]] for place in range(len(found)))
    return _tuned(lesson, min(shorter, key=lesson.total, default=found))


def _tuned(lesson: Lesson, found: list[ListedRule]) -> list[ListedRule]:
    """Return a list with each rule changed for a better one as long as there is one."""
    tuned = list(found)
    while _improve(lesson, tuned):
        pass
    return tuned


def _reached(lesson: Lesson, before: list[ListedRule]) -> Array:
    """Return which hands none of some rules decides."""
    reached = np.ones(len(lesson.facts), dtype=bool)
    for rule in before:
        reached &= ~lesson.decided(rule)
    return reached


def _improve(lesson: Lesson, found: list[ListedRule]) -> bool:
    """Put, in turn, the best rule there is in the place of each; return whether much was gained."""
    begin = now = lesson.total(found)
    for place in range(len(found)):
        others = found[:place] + found[place + 1 :]
        rule = lesson.best_rule(_reached(lesson, found[:place]), lesson.given_up(others))
        if rule is not None:
            changed = [*found[:place], rule, *found[place + 1 :]]
            if (after := lesson.total(changed)) < now:
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

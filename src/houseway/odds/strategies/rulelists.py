"""Short rule lists learnt from exact values.

A list is read from the top; the first rule that is for a hand, and has a setting for it, decides. A hand
without a rule is set the house way, as the dealer does on request. Each shape of hand is learnt separately:
a list begins empty, rules are added where they gain most, and each is replaced by a better one while there is
one; longer lists lose their least useful rule again, while that makes a better list of that length. Then
every shape gets as many rules as make the whole best on hands that were held back, and equal rules of two
shapes become one.
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
"""The most rules in a list of one kind."""
_MUCH: Final = 0.99
"""Changes to a list go on while its loss falls below this part of its last."""
_JUDGED: Final = 3
"""One of this many hands is held back, to judge lists."""


@dataclass(frozen=True)
class KindList:
    """A list for hands of one kind, and what it gives up on the hands held back."""

    rules: tuple[ListedRule, ...]
    lost: float


def learn(lesson: Lesson, rules: int, tell: Told | None = None) -> Iterator[list[ListedRule]]:
    """Yield the best list of one rule, of two, and so on."""
    kinds = list[list[KindList]]()
    for place, shapes in enumerate(KINDS):
        if tell:
            tell(place, len(KINDS))
        kinds.append(list(kind_lists(lesson.only(shapes), min(rules, LONGEST))))
    for count in range(1, rules + 1):
        allotted, longer = merge(allot(kinds, count)), count
        while len(allotted) <= count and longer < 2 * rules:  # merged rules make room for more
            longer += 1
            more = merge(allot(kinds, longer))
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
    for learnt in _learn_lists(lesson.where(~others), rules):
        yield KindList(tuple(_tune(lesson, learnt)), judged.total(learnt))


def _learn_lists(lesson: Lesson, rules: int) -> list[list[ListedRule]]:
    """Return the best list of no rule, of one, and so on."""
    lists: list[list[ListedRule]] = [[]]
    for _ in range(rules):
        lists.append(_grow(lesson, lists[-1]))
    better = True
    while better:
        better = False
        shorter = ((count, _shorten(lesson, lists[count + 1])) for count in range(rules - 1, 0, -1))
        longer = ((count, _grow(lesson, lists[count - 1])) for count in range(1, rules + 1))
        for count, other in chain(shorter, longer):
            if lesson.total(other) < _MUCH * lesson.total(lists[count]):
                lists[count], better = other, True
    return lists


def _grow(lesson: Lesson, rules: list[ListedRule]) -> list[ListedRule]:
    """Return a list with a rule added where it gains most, then tuned."""
    longer = []
    for place in range(len(rules) + 1):
        rule = lesson.best_rule(_find_reached(lesson, rules[:place]), lesson.given_up(rules))
        if rule is not None:
            longer.append([*rules[:place], rule, *rules[place:]])
    return _tune(lesson, min(longer, key=lesson.total)) if longer else rules


def _shorten(lesson: Lesson, rules: list[ListedRule]) -> list[ListedRule]:
    """Return a list without its least useful rule, then tuned."""
    shorter = ([*rules[:place], *rules[place + 1 :]] for place in range(len(rules)))
    return _tune(lesson, min(shorter, key=lesson.total, default=rules))


def _tune(lesson: Lesson, rules: list[ListedRule]) -> list[ListedRule]:
    """Return a list with each rule replaced by a better one while there is one."""
    changed = list(rules)
    while _improve(lesson, changed):
        pass
    return changed


def _find_reached(lesson: Lesson, before: list[ListedRule]) -> Array:
    """Return which hands none of these rules decides."""
    reached = np.ones(len(lesson.facts), dtype=bool)
    for rule in before:
        reached &= ~lesson.decides(rule)
    return reached


def _improve(lesson: Lesson, rules: list[ListedRule]) -> bool:
    """Replace each rule in turn by the best one; return whether that gained much."""
    begin = now = lesson.total(rules)
    for place in range(len(rules)):
        others = rules[:place] + rules[place + 1 :]
        rule = lesson.best_rule(_find_reached(lesson, rules[:place]), lesson.given_up(others))
        if rule is not None:
            changed = [*rules[:place], rule, *rules[place + 1 :]]
            if (after := lesson.total(changed)) < now:
                rules[:], now = changed, after
    return now < _MUCH * begin


def allot(kinds: list[list[KindList]], rules: int) -> list[KindList]:
    """Return a list of each kind, together of at most ``rules`` rules, that give up least.

    >>> from houseway.odds.strategies.grammar import Choice
    >>> some = [KindList((), 9.0), KindList((ListedRule(HandTest(), Choice((), (0, 1))),), 2.0)]
    >>> [len(choice.rules) for choice in allot([[KindList((), 1.0)], some, some], 1)]
    [0, 1, 0]
    """

    def with_kind(best: list[list[KindList]], lists: list[KindList]) -> list[list[KindList]]:
        return [
            min(
                ([*best[room - len(choice.rules)], choice] for choice in lists if len(choice.rules) <= room),
                key=lambda chosen: sum(choice.lost for choice in chosen),
            )
            for room in range(rules + 1)
        ]

    start: list[list[KindList]] = [[] for _ in range(rules + 1)]
    return reduce(with_kind, kinds, start)[rules]


def merge(lists: list[KindList]) -> list[ListedRule]:
    """Return one list of all kinds; rules with equal conditions and choices become one for both kinds.

    Rules of different kinds never meet in a hand, so that only the order within each kind counts.
    """
    result: list[ListedRule] = []
    for entry in lists:
        first = 0
        for rule in entry.rules:
            same = next((at for at in range(first, len(result)) if _are_alike(result[at], rule)), None)
            if same is None:
                result.insert(first, rule)
                first += 1
            else:
                shapes = (*result[same].test.shapes, *rule.test.shapes)
                result[same] = ListedRule(HandTest(shapes, rule.test.complete, rule.test.spans), rule.choice)
                first = same + 1
    return result


def _are_alike(rule: ListedRule, other: ListedRule) -> bool:
    """Return whether two rules have equal conditions and choices for hands of different shapes."""
    asks = (rule.test.complete, rule.test.spans) == (other.test.complete, other.test.spans)
    apart = bool(rule.test.shapes) and not set(rule.test.shapes) & set(other.test.shapes)
    return asks and apart and rule.choice == other.choice

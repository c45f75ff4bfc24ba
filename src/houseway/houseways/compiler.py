"""From a house way's document to a program: rows of small integers that two interpreters run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from typing import Any, NamedTuple

from houseway.cards import ACE
from houseway.errors import DataError
from houseway.houseways.document import (
    Groups,
    HouseWay,
    PartFilter,
    PlainPartFilter,
    Points,
    Rule,
    SettingFilter,
    When,
)
from houseway.houseways.vocabulary import (
    A_PREFERENCE,
    COMPLETE_CATEGORIES,
    FLAGS,
    HAND_RANKS,
    KEPT,
    LEAD_ONLY,
    NO_POINTS,
    NOT,
    PLAYED,
    POINTS,
    RANKS_THAT_COUNT,
    SHAPES,
    STRAIGHTS,
    WHEEL,
    Row,
    RowQuestion,
    kinds_of_groups,
    no_such,
    rank_range,
)
from houseway.law.readings import options_of
from houseway.ranking.ranking import Ranking, ranking

Rows = tuple[Row, ...]
Alternatives = tuple[Rows, ...]
"""Rows of which all must hold, in groups of which one must."""


@dataclass(frozen=True)
class CompiledWhen:
    """A condition on a hand as rows: tests of the hand, and what some setting must pass, and none may."""

    tests: Rows
    can: Alternatives
    cannot: Alternatives


@dataclass(frozen=True)
class CompiledCitation:
    """A citation as rows: the clauses, and what a hand and its setting must be for them."""

    clauses: tuple[str, ...]
    when: CompiledWhen
    unless: tuple[CompiledWhen, ...]
    sets: Alternatives
    choice: bool | None


@dataclass(frozen=True)
class CompiledRule:
    """A rule as rows: what the hand must be, what its settings must be, and which parts are preferred."""

    rule: Rule
    when: CompiledWhen
    require: Alternatives
    prefer: tuple[int, ...]
    cites: tuple[CompiledCitation, ...] = ()


@dataclass(frozen=True)
class CompiledPoints:
    """What a part counts for: rows that it must pass, and its points, by the rank that counts."""

    part: int
    rows: Rows
    points: int
    each: int
    above: int
    place: int
    """The place of the rank that counts: 0 for the lead, 1 for the next."""

    def of(self, rank: int) -> int:
        """Return the points of a part whose rank that counts is this."""
        return self.points + self.each * max(rank - self.above, 0)


class Straight(NamedTuple):
    """The cards of a straight: the highest, the next, and whether it is the wheel."""

    lead: int
    second: int
    wheel: bool


@dataclass(frozen=True)
class CompiledWay:
    """A compiled house way."""

    way: HouseWay
    ranking: Ranking
    rules: tuple[CompiledRule, ...]
    points: tuple[CompiledPoints, ...] = ()

    @cached_property
    def split(self) -> tuple[int, ...]:
        """The sizes of the parts, high first."""
        return self.ranking.split

    @cached_property
    def kernels(self) -> dict[str, Any]:
        """What a process that sets many hands has loaded to set them faster; empty until it asks for it."""
        return {}

    @cached_property
    def levels(self) -> tuple[tuple[str, ...], ...]:
        """The categories of each part, lowest level first."""
        return tuple(tuple(c.name for c in reversed(p.category)) for p in self.ranking.document.part)

    @cached_property
    def complete_levels(self) -> int:
        """The levels of the first part that make a hand complete, as bits."""
        return sum(1 << i for i, name in enumerate(self.levels[0]) if name in COMPLETE_CATEGORIES)

    @cached_property
    def straights(self) -> tuple[dict[int, Straight], ...]:
        """The cards of each part's straights, by their strength without its last 16 bits.

        A straight's strength holds its place among straights where other hands have their leading rank.
        """
        return tuple(
            dict(_straights(self.ranking, part, levels))
            for part, levels in zip(self.ranking.part_names, self.levels, strict=True)
        )

    @cached_property
    def code(self) -> tuple[int, ...]:
        """The whole program as one row of numbers, for the kernel.

        A rule is its length, the number of its tests, of alternatives in ``can``, ``cannot`` and
        ``require`` and of preferences, and then all of these; an alternative is its length and its rows.
        """
        flat: list[int] = []
        for rule in self.rules:
            when, groups = rule.when, (rule.when.can, rule.when.cannot, rule.require)
            body = list(chain.from_iterable(when.tests))
            for rows in chain.from_iterable(groups):
                body += [len(rows), *chain.from_iterable(rows)]
            body += rule.prefer
            head = [len(when.tests), *map(len, groups), len(rule.prefer)]
            flat += [1 + len(head) + len(body), *head, *body]
        return tuple(flat)

    @cached_property
    def points_code(self) -> tuple[int, ...]:
        """The points as one row of numbers, for the kernel: how many lines, and each with its rows."""
        flat = [len(self.points)]
        for line in self.points:
            flat += [line.part, line.points, line.each, line.above, line.place, len(line.rows)]
            flat += chain.from_iterable(line.rows)
        return tuple(flat)


def _straights(order: Ranking, part: str, levels: tuple[str, ...]) -> Iterator[tuple[int, Straight]]:
    for level, category in enumerate(levels):
        if category not in STRAIGHTS:
            continue
        runs = order.judge(part).straights(category, by_law=False)
        for place, run in enumerate(reversed(runs), start=1):
            rank = ACE if category == "royal_flush" else place
            lead, second, *_ = sorted(run, reverse=True)
            yield level << 4 | rank, Straight(lead, second, wheel=lead - second > 1)


def compile_way(
    way: HouseWay, readings: Mapping[str, str] | None = None, base: Ranking | None = None
) -> CompiledWay:
    """Compile a house way for a ranking; rules whose readings are not chosen are left out."""
    way.clauses.require()
    order = base or ranking(way.ranking, readings=readings)
    names = way.parts or order.part_names
    if len(names) != len(order.part_names):
        raise DataError(f"{order.id} has {len(order.part_names)} parts", value=len(names), where=way.id)
    rules = tuple(_compile(rule, order, names, way.id) for rule in way.rule if _applies(rule, order, way.id))
    points = tuple(_compile_points(line, order, names, way.id) for line in way.points)
    if not points and any(POINTS in rule.prefer for rule in rules):
        raise DataError(NO_POINTS, where=way.id)
    return CompiledWay(way, order, rules, points)


def _applies(rule: Rule, order: Ranking, where: str) -> bool:
    """Whether a rule stands under the readings in force; a reading no one knows is refused."""
    law = order.document.rule_set
    known = options_of(law) if law else {}
    for name, choice in [*rule.only_if.items(), *rule.unless.items()]:
        if name not in known or choice not in known[name].choices:
            raise DataError(
                "no such reading to choose", value=f"{name} = {choice}", where=f"{where}: rule {rule.id}"
            )
    if any(order.readings.get(name) != choice for name, choice in rule.only_if.items()):
        return False
    if any(order.readings.get(name) == choice for name, choice in rule.unless.items()):
        return False
    return rule.clauses.stands


def _compile(rule: Rule, order: Ranking, names: tuple[str, ...], where: str) -> CompiledRule:
    words = _Words(order, names, f"{where}: rule {rule.id}")
    cites = tuple(
        CompiledCitation(
            citation.clauses,
            words.when(citation.when),
            tuple(map(words.when, citation.unless)),
            words.alternatives(citation.sets),
            citation.choice,
        )
        for citation in rule.cites
    )
    require = words.alternatives(rule.require) or ((),)
    prefer = tuple(map(words.preference, rule.prefer))
    return CompiledRule(rule, words.when(rule.when), require, prefer, cites)


def _compile_points(line: Points, order: Ranking, names: tuple[str, ...], where: str) -> CompiledPoints:
    words = _Words(order, names, f"{where}: points")
    part, above = words.part(line.part), rank_range(line.above)[0]
    place = RANKS_THAT_COUNT.index(line.of)
    return CompiledPoints(part, words.rows(part, line.made), line.points, line.each, above, place)


@dataclass(frozen=True)
class _Words:
    """What the words of one rule mean for a ranking whose parts have these names."""

    ranking: Ranking
    names: tuple[str, ...]
    where: str

    def when(self, when: When) -> CompiledWhen:
        """Compile a condition on the hand."""
        rows: list[Row] = []
        if when.shape:
            rows.append((RowQuestion.SHAPE_IN, 0, sum(1 << SHAPES.index(s) for s in when.shape), 0))
        for name, text in when.ranks.items():
            rows.append((RowQuestion.RANK_IN, HAND_RANKS.index(name), *rank_range(text)))
        for flag, value in when.flags().items():
            rows.append((RowQuestion.FLAG_IS, FLAGS.index(flag), int(value), 0))
        return CompiledWhen(tuple(rows), self.alternatives(when.can), self.alternatives(when.cannot))

    def preference(self, text: str) -> int:
        """Compile a preference."""
        if text == "points":
            return POINTS
        name, _, what = text.partition(".")
        if what not in ("", "lead") or text.endswith("."):
            raise DataError(A_PREFERENCE, value=text, where=self.where)
        return self.part(name) + (LEAD_ONLY if what else 0)

    def part(self, name: str) -> int:
        """Return the place of a part."""
        if name not in self.names:
            raise DataError(f"the parts are {', '.join(self.names)}", value=name, where=self.where)
        return self.names.index(name)

    def alternatives(self, filters: Iterable[SettingFilter]) -> Alternatives:
        """Compile filters of which a setting must pass one."""
        return tuple(rows for alternative in filters for rows in self._setting(alternative))

    def _setting(self, wanted: SettingFilter) -> Iterator[Rows]:
        """Yield the ways in which a setting can pass a filter, each as rows that must all hold."""
        parts = [list(self._part(self.part(name), part_filter)) for name, part_filter in wanted.items()]
        for ways in product(*parts):
            yield tuple(chain.from_iterable(ways))

    def _part(self, part: int, wanted: PartFilter) -> Iterator[Rows]:
        """Yield the ways in which a part can pass: what is denied fails in one of its rows."""
        denied = [self.rows(part, part_filter) for part_filter in wanted.denied]
        for broken in product(*denied):
            yield (*self.rows(part, wanted), *((kind + NOT, a, b, c) for kind, a, b, c in broken))

    def rows(self, part: int, wanted: PlainPartFilter) -> Rows:
        """Compile what a part must be."""
        rows: list[Row] = []
        if wanted.category:
            rows.append(self._levels(part, wanted.category))
        if wanted.at_least is not None:
            rows.append(self._at_least(part, wanted.at_least))
        if wanted.lead is not None:
            rows.append(_card(part, wanted.lead, RowQuestion.LEAD_IS, RowQuestion.LEAD_IN))
        if wanted.second is not None:
            self._verify_second(part)
            rows.append(_card(part, wanted.second, RowQuestion.SECOND_IS, RowQuestion.SECOND_IN))
        rows += [(RowQuestion.KEEPS, part, KEPT.index(group), 0) for group in (*wanted.keeps, *wanted.plays)]
        if wanted.plays:
            rows.append(self._played(part, wanted.plays))
        return tuple(rows)

    def _verify_second(self, part: int) -> None:
        """Refuse to ask for a second card where no strength holds it."""
        if self.ranking.judge(self.ranking.part_names[part]).top_card_only:
            raise DataError("no second card: these readings compare the top card alone", where=self.where)

    def _made_by(self, part: int) -> list[str]:
        """Return the categories of a part, lowest first."""
        return [c.name for c in reversed(self.ranking.document.part[part].category)]

    def _levels(self, part: int, categories: Iterable[str]) -> Row:
        known = self._made_by(part)
        for name in categories:
            if name not in known:
                raise DataError(
                    no_such("hand", name, dict.fromkeys(known[::-1])), value=name, where=self.where
                )
        return (
            RowQuestion.LEVEL_IN,
            part,
            sum(1 << i for i, name in enumerate(known) if name in categories),
            0,
        )

    def _at_least(self, part: int, text: str) -> Row:
        if len(text) == 1:
            return (RowQuestion.TOP_AT_LEAST, part, rank_range(text)[0], 0)
        _, _, mask, _ = self._levels(part, [text])
        lowest = (mask & -mask).bit_length() - 1
        return (RowQuestion.LEVEL_IN, part, sum(1 << i for i in range(lowest, len(self._made_by(part)))), 0)

    def _played(self, part: int, groups: Groups) -> Row:
        """Return the row for the categories that some groups make by themselves."""
        known = self._made_by(part)
        some = [name for name in PLAYED[kinds_of_groups(groups)] if name in known]
        return self._levels(part, some or PLAYED[kinds_of_groups(groups)])


def _card(part: int, text: str, is_hand_rank: RowQuestion, is_rank: RowQuestion) -> Row:
    """Return the row for a card of a part: the wheel's, one of the hand's ranks, or any of some."""
    if text == WHEEL:
        return (RowQuestion.WHEEL, part, 0, 0)
    if text in HAND_RANKS:
        return (is_hand_rank, part, HAND_RANKS.index(text), 0)
    return (is_rank, part, *rank_range(text))

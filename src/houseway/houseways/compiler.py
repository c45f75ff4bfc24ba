"""From a house way's document to a program: rows of small integers that two interpreters run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from houseway.errors import DataError
from houseway.houseways.document import HouseWay, PartFilter, Rule, SettingFilter, When
from houseway.houseways.vocabulary import (
    FACTS,
    FLAGS,
    KEPT,
    LEAD_ONLY,
    RUN_CATEGORIES,
    SHAPES,
    Ask,
    Row,
    rank_range,
)
from houseway.law.claims import rest_on, standing
from houseway.law.readings import options_of
from houseway.ranking.ranking import Ranking, ranking

Rows = tuple[Row, ...]


@dataclass(frozen=True)
class CompiledWhen:
    """A condition on a hand as rows: tests of the hand, and a filter that some setting must pass."""

    tests: Rows
    can: Rows


@dataclass(frozen=True)
class CompiledCitation:
    """A citation as rows: the clauses, and what a hand and its setting must be for them."""

    clauses: tuple[str, ...]
    when: CompiledWhen
    unless: tuple[CompiledWhen, ...]
    sets: Rows
    choice: bool | None


@dataclass(frozen=True)
class CompiledRule:
    """A rule as rows: tests of the hand, a filter that some setting must pass, filters, preferences."""

    rule: Rule
    tests: Rows
    can: Rows
    alternatives: tuple[Rows, ...]
    prefer: tuple[int, ...]
    cites: tuple[CompiledCitation, ...] = ()


@dataclass(frozen=True)
class Program:
    """A compiled house way."""

    way: HouseWay
    ranking: Ranking
    rules: tuple[CompiledRule, ...]

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
        return sum(1 << i for i, name in enumerate(self.levels[0]) if name in RUN_CATEGORIES)

    @cached_property
    def code(self) -> tuple[int, ...]:
        """The whole program as one row of numbers, for the kernel."""
        flat: list[int] = []
        for rule in self.rules:
            flat += [len(rule.tests), len(rule.can), len(rule.alternatives), len(rule.prefer)]
            flat += [x for row in (*rule.tests, *rule.can) for x in row]
            for rows in rule.alternatives:
                flat += [len(rows), *(x for row in rows for x in row)]
            flat += rule.prefer
        return tuple(flat)


def compile_way(
    way: HouseWay, readings: Mapping[str, str] | None = None, base: Ranking | None = None
) -> Program:
    """Compile a house way for a ranking; rules whose readings are not chosen are left out."""
    rest_on(*way.clauses)
    found = base or ranking(way.ranking, readings=readings)
    names = way.parts or found.part_names
    if len(names) != len(found.part_names):
        raise DataError(f"{found.id} has {len(found.part_names)} parts", value=len(names), where=way.id)
    rules = tuple(_compile(rule, found, names, way.id) for rule in way.rule if _applies(rule, found, way.id))
    return Program(way, found, rules)


def _applies(rule: Rule, found: Ranking, where: str) -> bool:
    """Whether a rule stands under the readings in force; a reading nobody knows is refused."""
    law = found.document.rule_set
    known = options_of(law) if law else {}
    for name, choice in [*rule.only_if.items(), *rule.unless.items()]:
        if name not in known or choice not in known[name].choices:
            raise DataError(
                "no such reading to choose", value=f"{name} = {choice}", where=f"{where}: rule {rule.id}"
            )
    if any(found.readings.get(name) != choice for name, choice in rule.only_if.items()):
        return False
    if any(found.readings.get(name) == choice for name, choice in rule.unless.items()):
        return False
    return len(standing(rule.clauses)) == len(rule.clauses)


def _compile(rule: Rule, found: Ranking, names: tuple[str, ...], where: str) -> CompiledRule:
    place = f"{where}: rule {rule.id}"
    prefer = tuple(_preference(name, names, place) for name in rule.prefer)
    alternatives = tuple(_filter(one, found, names, place) for one in rule.require) or ((),)
    asked = _when(rule.when, found, names, place)
    cites = tuple(
        CompiledCitation(
            one.clauses,
            _when(one.when, found, names, place),
            tuple(_when(other, found, names, place) for other in one.unless),
            _filter(one.sets, found, names, place),
            one.choice,
        )
        for one in rule.cites
    )
    return CompiledRule(rule, asked.tests, asked.can, alternatives, prefer, cites)


def _when(when: When, found: Ranking, names: tuple[str, ...], place: str) -> CompiledWhen:
    return CompiledWhen(_tests(when), _filter(when.can, found, names, place))


def _preference(text: str, names: tuple[str, ...], place: str) -> int:
    name, _, what = text.partition(".")
    if what not in ("", "lead") or text.endswith("."):
        raise DataError("a preference is a part, or a part's lead", value=text, where=place)
    return _part(name, names, place) + (LEAD_ONLY if what else 0)


def _tests(when: When) -> Rows:
    rows: list[Row] = []
    if when.shape:
        rows.append((Ask.SHAPE_IN, 0, sum(1 << SHAPES.index(s) for s in when.shape), 0))
    for fact, text in when.ranks.items():
        rows.append((Ask.FACT_IN, FACTS.index(fact), *rank_range(text)))
    for flag, value in when.flags().items():
        rows.append((Ask.FLAG_IS, FLAGS.index(flag), int(value), 0))
    return tuple(rows)


def _filter(wanted: SettingFilter, found: Ranking, names: tuple[str, ...], place: str) -> Rows:
    return tuple(
        row
        for name, part in wanted.items()
        for row in _part_rows(_part(name, names, place), part, found, place)
    )


def _part(name: str, names: tuple[str, ...], place: str) -> int:
    if name not in names:
        raise DataError(f"the parts are {', '.join(names)}", value=name, where=place)
    return names.index(name)


def _part_rows(part: int, wanted: PartFilter, found: Ranking, place: str) -> Rows:
    levels = [c.name for c in reversed(found.document.part[part].category)]
    rows: list[Row] = []
    if wanted.category:
        mask = 0
        for name in wanted.category:
            mask |= _levels(name, levels, place)
        rows.append((Ask.LEVEL_IN, part, mask, 0))
    if wanted.at_least is not None:
        rows.append(_at_least(part, wanted.at_least, levels, place))
    if wanted.lead is not None:
        lead = wanted.lead
        fixed = (Ask.LEAD_IS, part, FACTS.index(lead), 0) if lead in FACTS else None
        rows.append(fixed or (Ask.LEAD_IN, part, *rank_range(lead)))
    if wanted.second is not None:
        rows.append((Ask.SECOND_IN, part, *rank_range(wanted.second)))
    rows += [(Ask.KEEPS, part, KEPT.index(group), 0) for group in wanted.keeps]
    return tuple(rows)


def _levels(name: str, levels: list[str], place: str) -> int:
    if name not in levels:
        raise DataError("this part makes no such hand", value=name, where=place)
    return sum(1 << i for i, level in enumerate(levels) if level == name)


def _at_least(part: int, text: str, levels: list[str], place: str) -> Row:
    if len(text) == 1:
        return (Ask.TOP_AT_LEAST, part, rank_range(text)[0], 0)
    lowest = _levels(text, levels, place)
    first = (lowest & -lowest).bit_length() - 1
    return (Ask.LEVEL_IN, part, sum(1 << i for i in range(first, len(levels))), 0)

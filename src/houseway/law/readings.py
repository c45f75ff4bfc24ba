"""Where the law is ambiguous: the question, the reading taken, and the named option where it counts.

A point worth money is never settled silently. It is an option with a name, a default and its
rivals; an operator's rules submission may choose another, and every list shows which points a
regulator has still to confirm.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from pydantic import Field, model_validator

from houseway.errors import DataError, UnknownNameError
from houseway.law.clauses import ClauseId
from houseway.law.documents import Document, Flag, read_document
from houseway.law.problems import Problem
from houseway.law.rule_sets import rule_set, rule_sets

READING_FILES: Final = Path(__file__).parent / "data" / "readings"


class ReadingChoice(Document):
    """A disputed point that is worth money, as a choice; every choice can be played by."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    default: str
    choices: dict[str, str] = Field(min_length=2)

    @model_validator(mode="after")
    def _default_is_a_choice(self) -> ReadingChoice:
        if self.default not in self.choices:
            raise DataError("the default is not one of the choices", value=self.default)
        return self


class Reading(Document):
    """One ambiguity of the law and how it is taken."""

    id: str
    rule_sets: tuple[str, ...] = Field(min_length=1)
    title: str
    question: str
    reading: str
    because: str
    effect: str = ""
    clauses: tuple[ClauseId, ...] = ()
    confirm: Flag
    option: ReadingChoice | None = None


class _ReadingFile(Document):
    reading: tuple[Reading, ...]


@cache
def readings() -> tuple[Reading, ...]:
    """Return every reading, file by file, in the order of the text."""
    all_readings = tuple(r for path in sorted(READING_FILES.glob("*.toml")) for r in read_readings(path))
    _only_once([r.id for r in all_readings], "reading")
    _only_once([r.option.name for r in all_readings if r.option], "option")
    return all_readings


def readings_of(rule_set_id: str) -> tuple[Reading, ...]:
    """Return the readings that bear on one rule set."""
    rule_set(rule_set_id)
    return tuple(r for r in readings() if rule_set_id in r.rule_sets)


def read_readings(path: Path) -> tuple[Reading, ...]:
    """Read one file of readings; every clause and rule set it names must exist."""
    entries = read_document(_ReadingFile, path).reading
    known = {rules.id for rules in rule_sets()}
    for entry in entries:
        for name in entry.rule_sets:
            if name not in known:
                raise DataError("no such rule set", value=name, where=f"{path.name}: {entry.id}")
    return entries


def options_of(rule_set_id: str) -> dict[str, ReadingChoice]:
    """Return the options of one rule set by name."""
    return {r.option.name: r.option for r in readings_of(rule_set_id) if r.option}


def choose_readings(rule_set_id: str, choices: Mapping[str, str]) -> dict[str, str]:
    """Return the choice for every option of a rule set: the one given, or the default.

    >>> choose_readings("pa-659a", {})["progressive_royal"]
    'any_joker'
    """
    known = options_of(rule_set_id)
    for name in choices:
        if name not in known:
            raise UnknownNameError(f"{rule_set_id} has no such reading to choose", value=name)
    return {name: choices.get(name, option.default) for name, option in known.items()}


def option_fault(rule_set_id: str | None, name: str, choice: str | None = None) -> str | None:
    """Return what is wrong with a document that leaves a point to a reading by this name, if anything is."""
    known = options_of(rule_set_id) if rule_set_id else {}
    if name not in known:
        return "names no reading to choose"
    if choice is not None and choice not in known[name].choices:
        return f"the reading {name} has no such choice"
    return None


def verify_choices(rule_set_id: str, choices: Mapping[str, str]) -> tuple[Problem, ...]:
    """Return what is wrong with a submission's choice of readings."""
    known = options_of(rule_set_id)
    problems = []
    for name, choice in choices.items():
        if name not in known:
            problems.append(Problem(f"readings.{name}", f"{rule_set_id} has no such reading", choice))
        elif choice not in known[name].choices:
            may = ", ".join(known[name].choices)
            problems.append(Problem(f"readings.{name}", f"must be one of {may}", choice))
    return tuple(problems)


def _only_once(names: list[str], what: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise DataError(f"{what} given twice", value=name)

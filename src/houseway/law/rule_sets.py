"""The rule sets: which law each is, and the days on which it is in force."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from houseway.errors import UnknownNameError
from houseway.law.citations import UNCITED, Cite
from houseway.law.documents import Day, Document, Flag, Whole, read_document
from houseway.law.problems import Problem

RULE_SET_FILES: Final = Path(__file__).parent / "data" / "rule_sets"


class Standing(StrEnum):
    """How a rule set stands on a day."""

    NOT_YET = "not yet in force"
    IN_FORCE = "in force"
    LAPSED = "lapsed"
    OTHER_TEXT = "in force with a text that is not held"


class Begins(Document):
    """The first day of a rule set."""

    date: Day
    clause: Cite | None = None
    assumed: Flag = False


class Lapses(Document):
    """When a temporary rule set ends: this many years after it was published."""

    published: Day
    years: Whole
    clause: Cite


class TextFrom(Document):
    """The first day of the text held here, where an earlier text was amended."""

    date: Day
    cite: str


class RuleSet(Document):
    """One body of law."""

    id: str
    name: str
    law: str
    prefixes: tuple[str, ...]
    begins: Begins | None = None
    lapses: Lapses | None = None
    text_from: TextFrom | None = None
    note: str = ""

    @property
    def assumed(self) -> bool:
        """Whether the first day is our assumption, not the document's word."""
        return self.begins is None or self.begins.assumed

    @property
    def last_day_excluded(self) -> date | None:
        """The first day on which the rule set has lapsed, if it lapses."""
        ends = self.lapses
        if ends is None or not ends.clause.stands:
            return None
        return ends.published.replace(year=ends.published.year + ends.years)

    def standing(self, day: date) -> Standing:
        """Return how the rule set stands on a day."""
        begins = self.begins
        if begins and (begins.clause is None or begins.clause.stands) and day < begins.date:
            return Standing.NOT_YET
        end = self.last_day_excluded
        if end is not None and day >= end:
            return Standing.LAPSED
        if self.text_from and day < self.text_from.date:
            return Standing.OTHER_TEXT
        return Standing.IN_FORCE

    def verify_date(self, day: date) -> tuple[Problem, ...]:
        """Return why no round may be played under this rule set on a day."""
        standing = self.standing(day)
        if standing is Standing.IN_FORCE:
            return ()
        cited = {
            Standing.NOT_YET: self.begins.clause if self.begins else None,
            Standing.LAPSED: self.lapses.clause if self.lapses else None,
        }.get(standing)
        clauses = cited.cites if cited else UNCITED
        return (Problem("law_as_of", f"{self.law} is {standing}", day.isoformat(), clauses),)


@cache
def rule_sets() -> tuple[RuleSet, ...]:
    """Return every rule set."""
    return tuple(read_document(RuleSet, path) for path in sorted(RULE_SET_FILES.glob("*.toml")))


def rule_set(rule_set_id: str) -> RuleSet:
    """Return the rule set of this id."""
    for candidate in rule_sets():
        if candidate.id == rule_set_id:
            return candidate
    raise UnknownNameError("no such rule set", value=rule_set_id)

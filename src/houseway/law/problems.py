"""Reasons, not booleans: everything that is wrong with a thing, each with the clause that says so."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from houseway.errors import (
    LONGEST_CAUSE,
    LONGEST_NAME,
    LONGEST_VALUE,
    IllegalError,
    reason_as_dict,
    shortened,
)

MOST_REASONS: Final = 12
"""The most that are written out in one line; an exception has them all."""


class Severity(StrEnum):
    """Whether a problem stops the matter or is only put on record."""

    ERROR = "error"
    WARNING = "warning"


class Problem(Struct, frozen=True, gc=False):
    """One thing wrong: where, why, with what value, by which clauses.

    >>> print(Problem("table.positions", "at most six players", "7", ("pa575.2.a.s1",)))
    table.positions: at most six players: 7 [pa575.2.a.s1]
    """

    field: str
    reason: str
    value: str | None = None
    clauses: tuple[str, ...] = ()
    severity: Severity = Severity.ERROR

    @property
    def blocks(self) -> bool:
        """Whether it stops the matter."""
        return self.severity is Severity.ERROR

    def as_dict(self) -> dict[str, Any]:
        """Return plain data, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        value = "" if self.value is None else f": {shortened(self.value, LONGEST_VALUE)}"
        law = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        return f"{shortened(self.field, LONGEST_NAME)}: {shortened(self.reason, LONGEST_CAUSE)}{value}{law}"


class RefusedError(IllegalError):
    """Refused for all of these reasons at once."""

    def __init__(self, what: str, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        clauses = dict.fromkeys(c for p in self.problems for c in p.clauses)
        texts = [str(problem) for problem in self.problems[:MOST_REASONS]]
        if len(self.problems) > MOST_REASONS:
            texts.append(f"and {len(self.problems) - MOST_REASONS:,} more")
        super().__init__(f"{shortened(what, LONGEST_NAME)} refused: {'; '.join(texts)}")
        self.clauses = tuple(clauses)

    def __str__(self) -> str:
        return self.cause

    def as_dicts(self) -> list[dict[str, Any]]:
        """Return every reason as plain data, for JSON."""
        return [reason_as_dict(p.reason, p.value, p.field, p.clauses) for p in self.problems]


def refuse(what: str, problems: Iterable[Problem]) -> None:
    """Raise ``RefusedError`` if any of the problems blocks."""
    blocking = tuple(problem for problem in problems if problem.blocks)
    if blocking:
        raise RefusedError(what, blocking)

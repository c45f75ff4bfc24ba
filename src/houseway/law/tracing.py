"""Where each clause is implemented and tested, read off the source and the test tree."""

from __future__ import annotations

import ast
import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

import houseway
from houseway.errors import DataError
from houseway.law.clauses import Clause, ClauseKind, all_clauses, clauses_of, looks_like_clause
from houseway.law.documents import Document, read_document

PACKAGE: Final = Path(houseway.__file__).parent
REASONS: Final = PACKAGE / "law" / "data" / "reasons.toml"
_QUOTED: Final = re.compile(r'"([^"\n]+)"')
_NOT_CLAIMS: Final = {"clauses", "readings", "reasons.toml"}


class TraceState(StrEnum):
    """How far a clause has come."""

    DONE = "done"
    CHECKLIST = "checklist"
    REASON = "reason"
    UNTESTED = "untested"
    OPEN = "open"


@dataclass
class ClausePlaces:
    """The places at which each clause is named in a tree of files, and the ids no clause bears."""

    places: dict[str, list[str]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)

    def add(self, text: str, place: str) -> None:
        """Note a text that has a clause's shape."""
        if text in all_clauses():
            self.places.setdefault(text, []).append(place)
        elif looks_like_clause(text):
            self.unknown.append(f"{place}: {text}")


@dataclass(frozen=True)
class Traced:
    """One clause, where it is implemented and where it is tested."""

    clause: Clause
    code: tuple[str, ...]
    tests: tuple[str, ...]
    reason: str | None
    doors: tuple[str, ...] = ()
    """By which doors its tests come in: table, floor, http, command line, library."""

    @property
    def state(self) -> TraceState:
        """Return how far the clause has come."""
        if self.code and self.tests:
            return TraceState.DONE
        if self.clause.kind is ClauseKind.PHYSICAL:
            return TraceState.CHECKLIST
        if self.reason:
            return TraceState.REASON
        return TraceState.UNTESTED if self.code else TraceState.OPEN


class TraceReason(Document):
    """Why there is nothing to compute for some definitions."""

    reason: str
    clauses: tuple[str, ...]


class _Reasons(Document):
    reason: tuple[TraceReason, ...] = ()


def trace(rule_set_id: str) -> tuple[Traced, ...]:
    """Trace every clause of a rule set."""
    code, tests = scan(PACKAGE), scan(tests_folder())
    reasons, doors = read_reasons(REASONS), doors_of_tests()
    return tuple(
        Traced(
            clause,
            tuple(code.places.get(clause.id, ())),
            tuple(tests.places.get(clause.id, ())),
            reasons.get(clause.id),
            doors.get(clause.id, ()),
        )
        for clause in clauses_of(rule_set_id).values()
    )


def tests_folder() -> Path | None:
    """Return the test tree next to the source, if this is a checkout."""
    folder = PACKAGE.parents[1] / "tests"
    return folder if (folder / "support" / "clauses.py").exists() else None


def doors_of_tests() -> dict[str, tuple[str, ...]]:
    """Return by which doors the tests of each clause came in when they were last recorded."""
    folder = tests_folder()
    record = folder / "support" / "doors.json" if folder else None
    if record is None or not record.exists():
        return {}
    doors: dict[str, list[str]] = json.loads(record.read_text(encoding="utf-8"))
    return {clause: tuple(names) for clause, names in doors.items()}


def read_reasons(path: Path) -> dict[str, str]:
    """Read why some rows need no code; only physical and definition rows may be excused."""
    reasons: dict[str, str] = {}
    for entry in read_document(_Reasons, path).reason:
        for name in entry.clauses:
            clause = all_clauses().get(name)
            if clause is None:
                raise DataError("no such clause", value=name, where=path.name)
            if clause.kind not in (ClauseKind.PHYSICAL, ClauseKind.DEFINITION):
                raise DataError(f"a {clause.kind} clause needs code and a test", value=name, where=path.name)
            reasons[name] = entry.reason
    return reasons


@cache
def scan(root: Path | None) -> ClausePlaces:
    """Find every clause id that code, data or tests name as a whole string."""
    tree = ClausePlaces()
    for path in sorted(root.rglob("*")) if root else ():
        if path.name in _NOT_CLAIMS or path.parent.name in _NOT_CLAIMS or "bad" in path.parts:
            continue
        reader = _READERS.get(path.suffix)
        if reader and root:
            for line, text in reader(path):
                tree.add(text, f"{path.relative_to(root)}:{line}")
    return tree


def _python_strings(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def _toml_strings(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        for match in _QUOTED.finditer("" if line.lstrip().startswith("#") else line):
            yield number, match[1]


def _csv_strings(path: Path) -> Iterator[tuple[int, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        for row in reader:
            for cell in row:
                yield reader.line_num, cell


_READERS: Final = {".py": _python_strings, ".toml": _toml_strings, ".csv": _csv_strings}

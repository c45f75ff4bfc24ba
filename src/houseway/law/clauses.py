"""The law as testable clauses: one file per rule set, one row per clause, read strictly."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema

from houseway.errors import DataError, UnknownNameError
from houseway.law.citations import Cite, Cites
from houseway.law.rule_sets import RuleSet, rule_set, rule_sets

CLAUSE_FILES: Final = Path(__file__).parent / "data" / "clauses"


class ClauseKind(StrEnum):
    """What sort of thing a clause asks for."""

    COMPUTE = "compute"
    PROCEDURE = "procedure"
    CONFIG = "config"
    RECORD = "record"
    PHYSICAL = "physical"
    DEFINITION = "definition"


@dataclass(frozen=True)
class Clause:
    """One testable sentence of the law, in our own words."""

    id: str
    cite: str
    kind: ClauseKind
    actor: str
    rule: str
    software: str
    verify: str

    @property
    def carried_over(self) -> bool:
        """Whether the text in force leaves it as it was and does not print it."""
        return self.rule.startswith(_CARRIED_OVER)

    @property
    def cited(self) -> str:
        """How it is cited to a reader, who does not find it in the text if it is carried over.

        >>> cite("pa659a.5.b.2").cited
        '58 Pa. Code § 659a.5(b)(2), carried over'
        """
        return f"{self.cite}, carried over" if self.carried_over else self.cite

    @property
    def says(self) -> str:
        """What it says, for a reader whom its citation tells that it is carried over.

        >>> cite("pa659a.5.d").rule[:14], cite("pa659a.5.d").says.startswith("[")
        ('[carried over]', False)
        """
        return self.rule.removeprefix(_CARRIED_OVER).lstrip()


_CARRIED_OVER: Final = "[carried over]"
_SHAPE: Final = re.compile(r"[a-z0-9]+(\.[a-z0-9_]+)+")
_ROW: Final = re.compile(r" \([^()]*(?:\([^()]*\)[^()]*)*row\)")
_LINES: Final = re.compile(r" \[lines [^]]*\]")
_NUMBER: Final = re.compile(r"\d+")
_COLUMNS: Final = [f.name for f in fields(Clause)]


def cite(clause_id: str) -> Clause:
    """Return the clause of this id.

    >>> cite("pa659a.11.f.1.ii").cite
    '58 Pa. Code § 659a.11(f)(1)(ii)'
    """
    clause = find_clause(clause_id)
    if clause is None:
        raise UnknownNameError("no such clause", value=clause_id)
    return clause


def find_clause(clause_id: str) -> Clause | None:
    """Return the clause of this id, if there is one; only the rule set that it would belong to is read."""
    for rules in rule_sets():
        if clause_id.startswith(rules.prefixes):
            return clauses_of(rules.id).get(clause_id)
    return None


def cite_together(clause_ids: Iterable[str]) -> str:
    """Return the citations of a table's lines as one: the rows of a section, or lines of a text, once.

    >>> cite_together(["pa659a.12.b.pta.sf7", "pa659a.12.b.pta.rfrm"])
    '58 Pa. Code § 659a.12(b)'
    >>> cite_together(["ca.fpgp.paytable.pay.3k", "ca.fpgp.paytable.pay.straight"])
    'CA Casino 99 Fortune Pai Gow Poker, Bonus Bet Paytable [lines 180-181]'
    """
    lines: dict[str, list[int]] = {}
    for clause_id in clause_ids:
        text = _ROW.sub("", cite(clause_id).cited)
        match = _LINES.search(text)
        lines.setdefault(_LINES.sub("", text), []).extend(
            map(int, _NUMBER.findall(match[0])) if match else ()
        )
    return "; ".join(text + _between(numbers) for text, numbers in lines.items())


def _between(numbers: Sequence[int]) -> str:
    if not numbers:
        return ""
    first, last = min(numbers), max(numbers)
    return f" [lines {first}-{last}]" if first < last else f" [lines {first}]"


def _known(clause_id: str) -> str:
    if find_clause(clause_id) is None:
        raise DataError("no such clause", value=clause_id)
    return clause_id


ClauseId = Annotated[str, AfterValidator(_known)]
"""The id of a clause that exists; a document that cites another is refused."""


class _Known:
    """Makes citations be read clause by clause, so that one that does not exist is refused at its place."""

    def __init__(self, least: int = 0) -> None:
        self.least = least

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401
        listed = Annotated[tuple[ClauseId, ...], Field(min_length=self.least)]
        clauses: Any = ClauseId if source is Cite else listed
        return source.read_as(handler.generate_schema(clauses))  # type: ignore[no-any-return]


KnownCite = Annotated[Cite, _Known()]
"""The citation of a clause that exists."""
KnownCites = Annotated[Cites, _Known()]
"""Citations of clauses that exist."""
GroundedCites = Annotated[Cites, _Known(least=1)]
"""Citations of at least one clause, for what there would not be without the law."""


def looks_like_clause(text: str) -> bool:
    """Whether a text has the shape of a clause id, known or not.

    >>> looks_like_clause("pa575.9.a.1"), looks_like_clause("pa575 and more")
    (True, False)
    """
    return bool(_SHAPE.fullmatch(text)) and text.startswith(_prefixes())


def clauses_of(rule_set_id: str) -> dict[str, Clause]:
    """Return the clauses of one rule set, by id, in the order of the text."""
    return _read(rule_set(rule_set_id))


@cache
def _prefixes() -> tuple[str, ...]:
    return tuple(prefix for r in rule_sets() for prefix in r.prefixes)


@cache
def all_clauses() -> dict[str, Clause]:
    """Return every clause of every rule set, by id."""
    return {c.id: c for r in rule_sets() for c in clauses_of(r.id).values()}


@cache
def _read(rules: RuleSet) -> dict[str, Clause]:
    return read_clauses(CLAUSE_FILES / f"{rules.id}.csv", rules)


def read_clauses(path: Path, rules: RuleSet) -> dict[str, Clause]:
    """Read one clause table; an error names the file and the line."""
    clauses: dict[str, Clause] = {}
    try:
        for where, row in _rows(path):
            clause = _clause(where, row, rules)
            if clause.id in clauses:
                raise DataError("clause id given twice", value=clause.id, where=where)
            clauses[clause.id] = clause
    except (csv.Error, OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot be read as a table: {error}", where=path.name) from None
    return clauses


def _rows(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file, strict=True)
        header = next(reader, [])
        if header != _COLUMNS:
            odd = sorted(set(header) ^ set(_COLUMNS)) or header
            raise DataError(
                f"columns must be {','.join(_COLUMNS)}",
                value=", ".join(odd),
                where=f"{path.name}:1",
            )
        begin = reader.line_num + 1
        for values in reader:
            where, begin = f"{path.name}:{begin}", reader.line_num + 1
            if len(values) != len(header):
                raise DataError(f"{len(header)} fields needed", value=len(values), where=where)
            yield where, dict(zip(header, values, strict=True))


def _clause(where: str, row: dict[str, str], rules: RuleSet) -> Clause:
    for column, value in row.items():
        if not value or value != value.strip():
            raise DataError("field is empty or has stray blanks", value=column, where=where)
    if not (row["id"].startswith(rules.prefixes) and _SHAPE.fullmatch(row["id"])):
        raise DataError(f"clause id does not belong to {rules.id}", value=row["id"], where=where)
    if row["kind"] not in set(ClauseKind):
        raise DataError("unknown kind of clause", value=row["kind"], where=where)
    return Clause(**{**row, "kind": ClauseKind(row["kind"])})  # type: ignore[arg-type]

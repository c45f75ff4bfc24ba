"""The clauses behind a rule, as a value: which of them are in force, and which have been struck.

Documents hold citations and rules hold documents, so the clauses in force are part of the rules that a
table is played by, like every other choice. ``strike`` returns a document with some clauses less. A
condition none of whose clauses is in force does not bind; a computation one of whose clauses has been
struck has no answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from pydantic import BaseModel, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from houseway.errors import IllegalError


class Cite(str):
    """The one clause behind a rule; ``stands`` says whether it is in force.

    >>> Cite("pa575.5.g").stands, Cite("pa575.5.g").without("pa575.5.g").stands
    (True, False)
    """

    stands: bool

    def __new__(cls, clause: str, *, stands: bool = True) -> Cite:
        """Return the citation of a clause."""
        cite = super().__new__(cls, clause)
        cite.stands = stands
        return cite

    @property
    def cites(self) -> Cites:
        """The clause as citations."""
        return Cites((str(self),)) if self.stands else Cites((), (str(self),))

    def require(self) -> None:
        """Refuse to answer by a rule whose clause has been struck."""
        if not self.stands:
            self.cites.require()

    def without(self, *clauses: str) -> Cite:
        """Return the citation with its clause struck, if it is one of these."""
        return Cite(self, stands=False) if self in clauses else self

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401
        return cls.read_as(handler(str))

    @classmethod
    def read_as(cls, schema: CoreSchema) -> CoreSchema:
        """Return how a citation is read from a document whose text is read like this."""
        return core_schema.no_info_after_validator_function(cls, schema)


class Cites(tuple[str, ...]):
    """The clauses behind a rule that are in force; ``struck`` are those that no longer are.

    >>> both = Cites(("pa575.9.a.1", "pa575.5.g"))
    >>> half = both.without("pa575.5.g")
    >>> half, half.struck, half.binds, half.stands
    (('pa575.9.a.1',), ('pa575.5.g',), True, False)
    >>> half.without("pa575.9.a.1").binds, Cites().binds
    (False, True)
    """

    struck: tuple[str, ...]

    def __new__(cls, clauses: Iterable[str] = (), struck: Iterable[str] = ()) -> Cites:
        """Return citations of some clauses, and of some that have been struck."""
        cites = super().__new__(cls, clauses)
        cites.struck = tuple(struck)
        return cites

    @property
    def binds(self) -> bool:
        """Whether the rule binds: a clause of it is in force, or it never needed one."""
        return bool(self) or not self.struck

    @property
    def stands(self) -> bool:
        """Whether every clause of the rule is in force."""
        return not self.struck

    def require(self) -> None:
        """Refuse to answer by a rule of which a clause has been struck."""
        if self.struck:
            raise IllegalError("not in force", clauses=self.struck)

    def without(self, *clauses: str) -> Cites:
        """Return the citations with some clauses struck."""
        gone = tuple(clause for clause in self if clause in clauses)
        if not gone:
            return self
        return Cites((clause for clause in self if clause not in clauses), (*self.struck, *gone))

    def leave_out(self, beginnings: tuple[str, ...]) -> Cites:
        """Return the citations as they are where clauses that begin so do not apply at all."""
        return Cites((clause for clause in self if not clause.startswith(beginnings)), self.struck)

    def __add__(self, other: tuple[Any, ...]) -> Cites:
        """Return the citations of two rules together, each clause once."""
        return join_cites(self, other)

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self), self.struck

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401
        return cls.read_as(handler(tuple[str, ...]))

    @classmethod
    def read_as(cls, schema: CoreSchema) -> CoreSchema:
        """Return how citations are read from a document whose list of texts is read like this."""
        return core_schema.no_info_after_validator_function(cls._read, schema)

    @classmethod
    def _read(cls, clauses: tuple[str, ...]) -> Cites:
        return cls(clauses)


UNCITED: Final = Cites()
"""No clause at all: what is so by the nature of the thing."""


def join_cites(*rules: Iterable[str]) -> Cites:
    """Return the citations of several rules together, each clause once."""
    if len(rules) == 1 and isinstance(rules[0], Cites):
        return rules[0]
    clauses: dict[str, None] = {}
    struck: dict[str, None] = {}
    for rule in rules:
        cites = rule.cites if type(rule) is Cite else rule
        clauses |= dict.fromkeys(cites)
        if type(cites) is Cites and cites.struck:
            struck |= dict.fromkeys(cites.struck)
    return Cites(clauses, struck)


def strike(value: Any, clauses: tuple[str, ...]) -> Any:  # noqa: ANN401 - a document, or part of one
    """Return a document in which some clauses are no longer in force, wherever it cites them."""
    return _strike(value, clauses) if clauses else value


def _strike(value: Any, clauses: tuple[str, ...]) -> Any:  # noqa: ANN401 - a document, or part of one
    if isinstance(value, Cite | Cites):
        return value.without(*clauses)
    if isinstance(value, BaseModel):
        parts = {name: getattr(value, name) for name in type(value).model_fields}
        left = {name: _strike(part, clauses) for name, part in parts.items()}
        if all(left[name] is parts[name] for name in parts):
            return value
        return type(value).model_construct(**left)  # a copy would bring along what was worked out before
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        items = tuple(_strike(part, clauses) for part in value)
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    if isinstance(value, dict):
        entries = {key: _strike(part, clauses) for key, part in value.items()}
        return value if all(entries[key] is value[key] for key in value) else entries
    return value

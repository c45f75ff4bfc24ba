"""The clauses behind a rule, as a value: which of them are in force, and which have been struck.

Documents hold citations, rules hold documents: so the clauses in force are part of the rules that a table is
played by, like every other choice. ``strike`` returns the same document with one clause less.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from houseway.errors import IllegalError


class Cites(tuple[str, ...]):
    """The clauses behind a rule that are in force; ``struck`` are those that no longer are.

    >>> both = Cites(("pa575.9.a.1", "pa575.5.g"))
    >>> one = both.without("pa575.5.g")
    >>> one, one.struck, one.binds, one.stands
    (('pa575.9.a.1',), ('pa575.5.g',), True, False)
    >>> one.without("pa575.9.a.1").binds, Cites().binds
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

    def __add__(self, other: tuple[Any, ...]) -> Cites:
        """Return the citations of two rules together."""
        struck = other.struck if isinstance(other, Cites) else ()
        return Cites((*self, *other), (*self.struck, *struck))

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401
        """Read a list of clauses, or one clause, from a document."""
        # filled in with ClauseId by whoever converts the documents: a clause that nobody knows is refused
        return core_schema.no_info_after_validator_function(cls, handler(tuple[str, ...]))

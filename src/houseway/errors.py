"""What houseway says when it refuses: the cause, the value and, where one applies, the clause."""

from __future__ import annotations


class HousewayError(Exception):
    """Base of every refusal; ``str()`` is one line fit to show a person.

    >>> str(HousewayError("no such card", value="Zz"))
    "no such card: 'Zz'"
    >>> str(HousewayError("at most six players", value=7, clauses=("pa575.2.a.s1",)))
    'at most six players: 7 [pa575.2.a.s1]'
    """

    def __init__(
        self, cause: str, *, value: object = None, clauses: tuple[str, ...] = (), where: str = ""
    ) -> None:
        self.cause = cause
        self.value = value
        self.clauses = clauses
        self.where = where
        super().__init__(cause)

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        value = "" if self.value is None else f": {self.value!r}"
        law = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        return f"{place}{self.cause}{value}{law}"


class InvalidInputError(HousewayError, ValueError):
    """The input cannot be read: it means nothing."""


class IllegalError(HousewayError):
    """The input can be read, and the law or the game forbids it."""


class UnknownNameError(HousewayError):
    """A name that nothing bears: a game, a clause, a paytable, a schedule."""


class DataError(HousewayError, ValueError):
    """A document of the law or of an operator is not what it must be; ``where`` is file and line."""

"""What houseway says when it refuses: the cause, the value and, where one applies, the clause.

The message is always one short line, in which control characters do nothing.
"""

from __future__ import annotations

import re
from typing import Any, Final

LONGEST_VALUE: Final = 120
"""The most characters of a value that a message repeats."""
LONGEST_NAME: Final = 50
"""The most characters of a user's name for a thing, where it stands within a sentence."""
LONGEST_PLACE: Final = 100
LONGEST_CAUSE: Final = 600
_HIDDEN: Final = r"\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff"
_OBEYED: Final = re.compile(rf"[\x00-\x08\x0b-\x1f{_HIDDEN}]")
_OBEYED_OR_LINE: Final = re.compile(rf"[\x00-\x1f{_HIDDEN}]")
"""Control characters, marks that turn the direction of writing, and halves of characters."""


def has_control_characters(text: str, *, lines: bool = False) -> bool:
    """Whether a text holds what a terminal would obey; ends of lines and tabs may be let pass."""
    if text.isprintable():
        return False
    return (_OBEYED if lines else _OBEYED_OR_LINE).search(text) is not None


def printable(text: str, *, lines: bool = False) -> str:
    r"""Return a text with its control characters written as escapes, so that no terminal obeys them.

    >>> printable("gone\x1b[2J")
    'gone\\x1b[2J'
    """
    obeyed = _OBEYED if lines else _OBEYED_OR_LINE
    return obeyed.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def shortened(text: str, most: int = LONGEST_VALUE) -> str:
    """Return a text as a message can bear it: one line, printable, and if it is long how long it was.

    >>> shortened("A" * 5000, 4)
    'AAAA… (5,000 characters)'
    """
    line = printable(text[: most + 1])
    return line if len(line) <= most else f"{line[:most]}… ({len(text):,} characters)"


def _show(value: object) -> str:
    """Write a value as it was given, or the beginning of it."""
    if isinstance(value, str):
        whole = repr(value[: LONGEST_VALUE + 1])
        if len(whole) <= LONGEST_VALUE + 2:  # with its quotes
            return whole
        return f"{whole[:LONGEST_VALUE]}… ({len(value):,} characters)"
    try:
        return shortened(repr(value))
    except (RecursionError, ValueError):  # nested too deeply, or a number of too many digits
        return f"a very large {type(value).__name__}"


def reason_as_dict(cause: str, value: object, where: str, clauses: tuple[str, ...]) -> dict[str, Any]:
    """Return one reason of a refusal as plain data, each text as short as in a message."""
    if value is not None:
        value = shortened(value) if isinstance(value, str) else _show(value)
    return {
        "cause": shortened(cause, LONGEST_CAUSE),
        "value": value,
        "where": shortened(where, LONGEST_PLACE) if where else None,
        "clauses": list(clauses),
    }


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
        place = f"{shortened(self.where, LONGEST_PLACE)}: " if self.where else ""
        value = "" if self.value is None else f": {_show(self.value)}"
        law = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        return f"{place}{shortened(self.cause, LONGEST_CAUSE)}{value}{law}"

    def as_dicts(self) -> list[dict[str, Any]]:
        """Return every reason as plain data, for JSON: cause, value, where and clauses.

        >>> HousewayError("no such card", value="Zz", where="line 3").as_dicts()
        [{'cause': 'no such card', 'value': 'Zz', 'where': 'line 3', 'clauses': []}]
        """
        return [reason_as_dict(self.cause, self.value, self.where, self.clauses)]


class InvalidInputError(HousewayError, ValueError):
    """The input cannot be read: it means nothing."""


class IllegalError(HousewayError):
    """The input can be read, and the law or the game forbids it."""


class UnknownNameError(HousewayError):
    """A name that nothing bears: a game, a clause, a paytable, a schedule."""


class DataError(HousewayError, ValueError):
    """A document of the law or of an operator is not what it must be; ``where`` is file and line."""

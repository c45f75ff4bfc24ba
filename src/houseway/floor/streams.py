"""The names of a floor's streams, and what all of their events have."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Final

from msgspec import Struct

from houseway.rounds.state import MeterId, PersonId
from houseway.rounds.step import Actor
from houseway.store.entries import StreamId

SETUP: Final[StreamId] = "floor"
"""The stream of setup: programs, submissions, tables, meters, links, proposals, keys."""
PEOPLE: Final[StreamId] = "people"
"""The stream of who may sign in, and as what."""
TABLES: Final = "table/"
PRACTICE: Final = "practice-"
"""The prefix of the names of practice tables and of their meters, so that every record shows it."""
BRANCH: Final = "~"
"""Separates a practice table's name from the number of its branch, in logs of earlier versions."""
METERS: Final = "meter/"
BOOKMARKS: Final = "bookmarks/"
ACCESS: Final[StreamId] = "access"
"""The stream of who signed in and out, from where, who failed, and who was refused what."""
TableId = str
Fingerprint = str


def table_stream(table: TableId) -> StreamId:
    """Return the stream of a table."""
    return f"{TABLES}{table}"


def meter_stream(meter: MeterId) -> StreamId:
    """Return the stream of a meter."""
    return f"{METERS}{meter}"


def bookmark_stream(person: PersonId) -> StreamId:
    """Return the stream of a person's bookmarks."""
    return f"{BOOKMARKS}{person}"


def is_practice(name: TableId | MeterId) -> bool:
    """Whether a table, or a meter, is for practice.

    >>> is_practice("practice-1"), is_practice("t1")
    (True, False)
    """
    return name.startswith(PRACTICE)


class FloorEvent(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """An event that an entry stores: when it was, and by whom."""

    at: datetime
    by: Actor


class RedactedStruct(Struct, frozen=True):
    """A struct whose ``hidden`` fields are left out wherever it is printed: in logs, errors and debuggers."""

    hidden: ClassVar[frozenset[str]] = frozenset()

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        shown = [name for name in self.__struct_fields__ if name not in self.hidden]
        return [(name, getattr(self, name)) for name in shown]

    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name, value in self.__rich_repr__()]
        return f"{type(self).__name__}({', '.join([*shown, '...'])})"

"""The names of a floor's streams, and what all of their events have."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Final

from msgspec import Struct

from houseway.rounds.state import MeterId, PersonId
from houseway.rounds.step import Actor
from houseway.store.entries import StreamId

SETUP: Final[StreamId] = "floor"
"""The stream of what was set up: programs, submissions, tables, meters, links."""
PEOPLE: Final[StreamId] = "people"
"""The stream of who may sign in, and as what."""
TABLES: Final = "table/"
PRACTICE: Final = "practice-"
"""What the names of practice tables and of their meters begin with, so that every record of them says so."""
BRANCH: Final = "~"
"""What stands between a practice table's name and the number of its branch, in logs of earlier versions."""
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
    """Return the stream of what somebody has marked for themselves."""
    return f"{BOOKMARKS}{person}"


def is_practice(name: TableId | MeterId) -> bool:
    """Whether a table, or a meter, is for practice.

    >>> is_practice("practice-1"), is_practice("t1")
    (True, False)
    """
    return name.startswith(PRACTICE)


class FloorEvent(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What one entry says was done: by whom, and when."""

    at: datetime
    by: Actor


class RedactedStruct(Struct, frozen=True):
    """Something of which not everything is shown, whoever looks at it in a log, an error or a debugger."""

    hidden: ClassVar[frozenset[str]] = frozenset()

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        shown = [name for name in self.__struct_fields__ if name not in self.hidden]
        return [(name, getattr(self, name)) for name in shown]

    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name, value in self.__rich_repr__()]
        return f"{type(self).__name__}({', '.join([*shown, '...'])})"

"""Bookmarks and the access log, decided again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from houseway.errors import IllegalError
from houseway.floor.access_events import AccessCounted, Accessed, AccessEvent, AddressCounts
from houseway.floor.audit.persons import Persons
from houseway.floor.bookmarks import Bookmarks, bookmark, evolve_bookmarks, remove_bookmark
from houseway.floor.people_events import Bookmarked, BookmarkEvent
from houseway.floor.running_table import RunningTable
from houseway.floor.streams import bookmark_stream, is_practice, table_stream
from houseway.rounds.state import PersonId
from houseway.store.entries import StreamId

_COUNTS: Final = ("guests", "failed", "unknown", "paused", "refused")


class Marks:
    """The bookmarks of all people, as far as the walk has come."""

    def __init__(self) -> None:
        self._marks: dict[PersonId, Bookmarks] = {}

    def decide(
        self, stream: StreamId, event: BookmarkEvent, tables: Mapping[StreamId, RunningTable]
    ) -> BookmarkEvent:
        """Return the event that is decided for what a recorded event asks for."""
        by, marks = event.by, self._marks.get(event.by.id, {})
        if stream != bookmark_stream(by.id):
            raise IllegalError("people mark rounds for themselves", value=by.id)
        if not isinstance(event, Bookmarked):
            return remove_bookmark(marks, event.table, event.round, by, event.at)
        running = tables.get(table_stream(event.table))
        if not is_practice(event.table) and (running is None or not 0 < event.round <= running.table.rounds):
            raise IllegalError("a round that is over is marked", value=f"{event.table} {event.round}")
        return bookmark(marks, event.table, event.round, event.note, by, event.at)

    def take(self, event: BookmarkEvent) -> None:
        """Apply an event of a person's bookmarks."""
        self._marks[event.by.id] = evolve_bookmarks(self._marks.get(event.by.id, {}), event)


def check_access(event: AccessEvent, persons: Persons) -> None:
    """Refuse access events that cannot be right: of unknown people, or with impossible counts."""
    if isinstance(event, Accessed):
        _check_count(event.count)
        persons.check_known(event.by)
        return
    rows = (*event.addresses, *([event.others] if event.others is not None else ()))
    for row in rows:
        _check_row(row, persons)
    _check_whole(event)


def _check_row(row: AddressCounts, persons: Persons) -> None:
    for name in _COUNTS:
        if getattr(row, name) < 0:
            raise IllegalError("a count is never negative", value=f"{name} {getattr(row, name)}")
    for person, count in row.users.items():
        _check_count(count)
        if persons.known and not persons.is_user(person):
            raise IllegalError("only names of users are counted", value=person)


def _check_whole(event: AccessCounted) -> None:
    if event.unwritten < 0 or event.at.second or event.at.microsecond:
        raise IllegalError("access is counted by whole minutes", value=str(event.at))


def _check_count(count: int) -> None:
    if count < 1:
        raise IllegalError("a count is at least 1", value=count)

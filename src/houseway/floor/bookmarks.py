"""A person's bookmarks: rounds marked with a note, in a stream of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from msgspec import Struct

from houseway.errors import IllegalError, InvalidInputError, UnknownNameError, has_control_characters
from houseway.floor.bodies import entries_after, read_body
from houseway.floor.people_events import Bookmarked, BookmarkEvent, BookmarkRemoved
from houseway.floor.streams import TableId, bookmark_stream
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor
from houseway.store.entries import EMPTY, Head
from houseway.store.protocol import Batch, Store
from houseway.store.reliable_append import append_reliably
from houseway.store.store_errors import StaleError

LONGEST_NOTE: Final = 500
MOST: Final = 1_000
"""The maximum number of bookmarks of a person."""
RoundKey = tuple[TableId, int]


class Bookmark(Struct, frozen=True):
    """A round that a person marked: when, and their note."""

    table: TableId
    round: int
    note: str
    at: datetime


Bookmarks = Mapping[RoundKey, Bookmark]


def evolve_bookmarks(marks: Bookmarks, event: BookmarkEvent) -> Bookmarks:
    """Return a person's bookmarks after an event."""
    others = {key: mark for key, mark in marks.items() if key != (event.table, event.round)}
    if isinstance(event, BookmarkRemoved):
        return others
    return {**others, (event.table, event.round): Bookmark(event.table, event.round, event.note, event.at)}


def bookmark(
    marks: Bookmarks, table: TableId, number: int, note: str, by: Actor, now: datetime
) -> Bookmarked:
    """Mark a round, or change the note of one that is marked."""
    if len(note) > LONGEST_NOTE or has_control_characters(note, lines=True):
        raise InvalidInputError(f"a note has at most {LONGEST_NOTE} plain characters")
    if len(marks) >= MOST and (table, number) not in marks:
        raise IllegalError(f"{MOST:,} rounds are marked already", value=by.id)
    return Bookmarked(table=table, round=number, note=note, by=by, at=now)


def remove_bookmark(
    marks: Bookmarks, table: TableId, number: int, by: Actor, now: datetime
) -> BookmarkRemoved:
    """Remove a bookmark."""
    if (table, number) not in marks:
        raise UnknownNameError("the round is not marked", value=f"{table} {number}")
    return BookmarkRemoved(table=table, round=number, by=by, at=now)


def bookmarks_of(store: Store, person: PersonId) -> Bookmarks:
    """Return a person's bookmarks, the oldest first."""
    return _read(store, person)[0]


def record_bookmark(
    store: Store, person: PersonId, decide: Callable[[Bookmarks], BookmarkEvent]
) -> Bookmarks:
    """Store a decision about bookmarks, decided again if the person has changed them meanwhile."""
    stream = bookmark_stream(person)
    while True:
        marks, head = _read(store, person)
        event = decide(marks)
        try:
            append_reliably(store, Batch(entries=entries_after(stream, head, [event])))
        except StaleError:
            continue
        return evolve_bookmarks(marks, event)


def _read(store: Store, person: PersonId) -> tuple[Bookmarks, Head]:
    marks: Bookmarks = {}
    head = EMPTY
    for entry in store.tails({bookmark_stream(person): 0}):
        event = read_body(entry)
        assert isinstance(event, BookmarkEvent)
        marks, head = evolve_bookmarks(marks, event), entry.head
    return marks, head

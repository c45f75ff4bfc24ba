"""The access log: who signed in and out or was refused, in a stream that is read from its end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from houseway.floor.access_events import AccessEvent
from houseway.floor.bodies import entries_after, read_body
from houseway.floor.streams import ACCESS
from houseway.store.entries import EMPTY, Head
from houseway.store.protocol import Batch, Store
from houseway.store.reliable_append import append_reliably
from houseway.store.store_errors import StaleError


class AccessEntry(Struct, frozen=True):
    """What one entry says, and its number."""

    number: int
    event: AccessEvent


class AccessLog:
    """The stream of access events."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._head: Head | None = None

    def add(self, events: Iterable[AccessEvent]) -> None:
        """Store events once, after those that other servers have stored."""
        events = tuple(events)
        while True:
            entries = entries_after(ACCESS, self._end(), events)
            try:
                append_reliably(self._store, Batch(entries=entries))
            except StaleError:
                continue
            self._head = entries[-1].head
            return

    def page(self, before: int | None, limit: int) -> Sequence[AccessEntry]:
        """Return the latest entries before a number, the latest first."""
        last = self._end().version
        end = last if before is None else max(0, min(before - 1, last))
        begin = max(0, end - limit)
        if begin == end:
            return ()
        entries = [
            AccessEntry(entry.version, _event(read_body(entry)))
            for entry in self._store.tails({ACCESS: begin}, end - begin)
        ]
        return entries[::-1]

    def _end(self) -> Head:
        """Return the end of the stream, with the entries of other servers read."""
        if self._head is None:
            self._head = self._store.heads().get(ACCESS, EMPTY)
        for entry in self._store.tails({ACCESS: self._head.version}):
            self._head = entry.head
        return self._head


def _event(body: object) -> AccessEvent:
    assert isinstance(body, AccessEvent)
    return body

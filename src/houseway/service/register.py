"""The register of people: their stream read, decided upon and added to, on any store."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from houseway.floor.bodies import entries_after, read_body
from houseway.floor.streams import PEOPLE, OfUser, PeopleEvent
from houseway.service.people import People, ends_sessions, evolve_people
from houseway.service.sessions import Sessions
from houseway.store.appending import append_surely
from houseway.store.entries import EMPTY
from houseway.store.outcomes import StaleError
from houseway.store.protocol import Batch, Store

Clock = Callable[[], datetime]
Decide = Callable[[People, datetime], Iterable[PeopleEvent]]


class Register:
    """Everybody on a floor, as far as this process has read; what is decided is stored before it holds."""

    def __init__(self, store: Store, sessions: Sessions, clock: Clock) -> None:
        self._store, self._sessions, self._clock = store, sessions, clock
        self._head = EMPTY
        self.people = People()
        self.refresh()

    def refresh(self) -> None:
        """Learn what other servers have recorded."""
        for entry in self._store.tails({PEOPLE: self._head.version}):
            event = read_body(entry)
            assert isinstance(event, PeopleEvent)
            self.people, self._head = evolve_people(self.people, event), entry.head

    def record(self, decide: Decide) -> People:
        """Record what is decided, again if another server was first; whoever it signs out is signed out."""
        while True:
            self.refresh()
            events = list(decide(self.people, self._clock()))
            try:
                append_surely(self._store, Batch(entries=entries_after(PEOPLE, self._head, events)))
            except StaleError:
                continue
            break
        self.refresh()
        about_users = (event for event in events if isinstance(event, OfUser))
        for user in sorted({event.user for event in about_users if ends_sessions(event)}):
            self._sessions.end_all(user)
        return self.people

"""The register of people: reads their stream, and adds decided events to it, on any store."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from houseway.floor.bodies import entries_after, read_body
from houseway.floor.core import Floor, Part
from houseway.floor.duties import Closing
from houseway.floor.people_events import PeopleEvent, UserEvent
from houseway.floor.streams import PEOPLE
from houseway.rounds.state import PersonId
from houseway.service.people import People, barred_from_play, ends_sessions, evolve_people
from houseway.service.sessions import Sessions
from houseway.store.entries import EMPTY
from houseway.store.protocol import Batch, Store
from houseway.store.reliable_append import append_reliably
from houseway.store.store_errors import StaleError

Clock = Callable[[], datetime]
Decide = Callable[[People, datetime], Iterable[PeopleEvent]]


class Register:
    """The people of a floor as far as this process has read; events are stored before they take effect."""

    def __init__(self, store: Store, sessions: Sessions, clock: Clock) -> None:
        self._store, self._sessions, self._clock = store, sessions, clock
        self._head = EMPTY
        self.people = People()
        self.refresh()

    def refresh(self) -> None:
        """Read what other servers have recorded."""
        for entry in self._store.tails({PEOPLE: self._head.version}):
            event = read_body(entry)
            assert isinstance(event, PeopleEvent)
            self.people, self._head = evolve_people(self.people, event), entry.head

    def bar_reason(self, person: PersonId, now: datetime) -> str | None:
        """Return why a person is barred from play now, or None, as far as this process has read."""
        return barred_from_play(self.people, person, now)

    def record(self, decide: Decide) -> People:
        """Record the decided events, deciding again if another server was first; end sessions they end."""
        while True:
            self.refresh()
            events = list(decide(self.people, self._clock()))
            try:
                append_reliably(self._store, Batch(entries=entries_after(PEOPLE, self._head, events)))
            except StaleError:
                continue
            break
        self._sign_out(events)
        return self.people

    def record_beside(self, floor: Floor, decide: Decide, set_up: Closing) -> People:
        """Record the decided events together with events of the floor, all or none."""
        events: list[PeopleEvent] = []

        def beside() -> list[Part]:
            self.refresh()
            events[:] = decide(self.people, self._clock())
            return [(PEOPLE, self._head, events)]

        floor.set_up(set_up, beside)
        self._sign_out(events)
        return self.people

    def _sign_out(self, events: Iterable[PeopleEvent]) -> None:
        """End the sessions of users whose events end them."""
        self.refresh()
        about_users = (event for event in events if isinstance(event, UserEvent))
        for user in sorted({event.user for event in about_users if ends_sessions(event)}):
            self._sessions.end_all(user)

"""Presence of people: noted by every server of a floor, and announced to the one that drives its tables."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from houseway.floor.bus import Bus, PeopleHint
from houseway.floor.streams import TableId
from houseway.rounds.state import PersonId
from houseway.runtime import Pool, Runtime
from houseway.service.driver import Driver
from houseway.service.live_views import Hub

ANNOUNCE_INTERVAL: Final = 5.0
"""Seconds between two announcements, well below the time that a table waits for a person."""


class PresenceTracker:
    """Notes the people that this server hears of, by a request or an open live view."""

    def __init__(self, driver: Driver, hub: Hub, bus: Bus, runtime: Runtime) -> None:
        self._driver, self._hub, self._bus, self._runtime = driver, hub, bus, runtime
        self._seen: set[PersonId] = set()
        self._ready: list[tuple[TableId, PersonId]] = []
        self._somebody_ready = asyncio.Event()

    def note_seen(self, person: PersonId) -> None:
        """Note that a person is present."""
        self._driver.note_seen(person, self._driver.clock())
        self._seen.add(person)

    def note_ready(self, table: TableId, person: PersonId) -> None:
        """Note that a person has placed all the bets they want in this round, and announce it at once."""
        self._driver.note_ready(table, person)
        self._ready.append((table, person))
        self._somebody_ready.set()

    def take_hint(self, hint: PeopleHint) -> None:
        """Note what another server has announced."""
        for person in hint.seen:
            self._driver.note_seen(person, self._driver.clock())
        for table, person in hint.ready:
            self._driver.note_ready(table, person)

    async def announce(self) -> None:
        """Announce who is present regularly, and who is ready at once."""
        while True:
            for person in self._hub.people:
                self.note_seen(person)
            hint = PeopleHint(tuple(sorted(self._seen)), tuple(self._ready))
            self._seen, self._ready = set(), []
            self._somebody_ready.clear()
            if hint != PeopleHint():
                await self._runtime.in_thread(Pool.WAITING, lambda: self._bus.tell(hint))  # noqa: B023 - awaited
            with suppress(TimeoutError):
                await asyncio.wait_for(self._somebody_ready.wait(), ANNOUNCE_INTERVAL)

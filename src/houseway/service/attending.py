"""Who is there: people heard of by any server of a floor, told to whichever of them drives its tables."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from houseway.floor.bus import Bus, PeopleHint
from houseway.floor.streams import TableId
from houseway.rounds.state import PersonId
from houseway.runtime import Pool, Runtime
from houseway.service.driver import Driver
from houseway.service.live import Hub

EVERY: Final = 5.0
"""Seconds between two times that others are told who is there: well below what a table waits for somebody."""


class Attendance:
    """Whom this server hears of: by a request, or by a live connection that stands."""

    def __init__(self, driver: Driver, hub: Hub, bus: Bus, runtime: Runtime) -> None:
        self._driver, self._hub, self._bus, self._runtime = driver, hub, bus, runtime
        self._seen: set[PersonId] = set()
        self._ready: list[tuple[TableId, PersonId]] = []
        self._somebody_ready = asyncio.Event()

    def seen(self, person: PersonId) -> None:
        """Take note that a person is there."""
        self._driver.seen(person, self._driver.clock())
        self._seen.add(person)

    def ready(self, table: TableId, person: PersonId) -> None:
        """Take note that a person has bet what they want in this round, and tell others at once."""
        self._driver.ready(table, person)
        self._ready.append((table, person))
        self._somebody_ready.set()

    def heard(self, heard: PeopleHint) -> None:
        """Take note of what another server has told."""
        for person in heard.seen:
            self._driver.seen(person, self._driver.clock())
        for table, person in heard.ready:
            self._driver.ready(table, person)

    async def tell(self) -> None:
        """Tell others from time to time who is there, and at once who is ready."""
        while True:
            for person in self._hub.people:
                self.seen(person)
            heard = PeopleHint(tuple(sorted(self._seen)), tuple(self._ready))
            self._seen, self._ready = set(), []
            self._somebody_ready.clear()
            if heard != PeopleHint():
                await self._runtime.in_thread(Pool.WAITING, lambda: self._bus.tell(heard))  # noqa: B023 - awaited
            with suppress(TimeoutError):
                await asyncio.wait_for(self._somebody_ready.wait(), EVERY)

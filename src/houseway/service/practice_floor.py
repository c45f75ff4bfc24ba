"""Practice as it is served: a floor of its own beside the licensed one, which never waits for it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from houseway.floor.batches import Answer
from houseway.floor.bodies import FOLDING_ERRORS, read_body
from houseway.floor.bus import Bus, NoBus, PostgresBus
from houseway.floor.core import Clock, Floor
from houseway.floor.running_table import RunningTable
from houseway.floor.streams import TableId
from houseway.rounds.state import PersonId
from houseway.runtime import Pool, Runtime
from houseway.service.attending import Attendance
from houseway.service.clock import pace_clock
from houseway.service.driver import AnyCommand, Driver, RefusedStep
from houseway.service.leading import Alone, Leading, PostgresLead
from houseway.service.live import Hub
from houseway.service.loop import FloorLoop
from houseway.service.plans import Pace
from houseway.service.practice import PRACTICE_PACE, company, practice_plan
from houseway.service.practice_tables import ENDED, UNTOUCHED, PracticeTables, people_at
from houseway.service.tasks import Task, tasks_of
from houseway.store.postgres import PostgresStore
from houseway.store.practice_storage import InUseError, PracticeStore, Storage, storage_beside
from houseway.store.safe import DeckSafe
from houseway.store.sql import OtherVersionError
from houseway.store.store_errors import StoreError

LOG: Final = logging.getLogger("houseway.service")
CHANNEL: Final = "houseway_practice"
"""Where servers hint at what was done at practice tables."""
LOCK: Final = 7_460_307
"""The advisory lock of whoever drives the practice tables of a database."""
_CLOSED_TO_US: Final = (OtherVersionError, StoreError)
"""What opening raises over storage of another version, or damaged storage."""


@dataclass(frozen=True)
class Practice:
    """What serves practice tables."""

    loop: FloorLoop
    hub: Hub
    driver: Driver
    attendance: Attendance
    tables: PracticeTables
    tasks: Sequence[Task]
    closing: Sequence[Callable[[], None]]

    @property
    def said_ready(self) -> Callable[[TableId, PersonId], None]:
        """What is told of everybody who has bet what they want at a table."""
        return self.attendance.ready


class PracticeDriver(Driver):
    """Drives the practice tables that are open here, as long as anybody is there."""

    def __init__(self, floor: Floor, clock: Clock, pace: Pace) -> None:
        super().__init__(floor, {}, clock)
        self._pace = pace

    def due(self, now: datetime) -> list[tuple[TableId, AnyCommand]]:
        """Return what automated people do now, one thing at a table."""
        self._plan(now)
        return super().due(now)

    def next_at(self, now: datetime) -> datetime | None:
        """Return when something is due next, if nothing else happens before; nothing if it never is."""
        self._plan(now)
        return super().next_at(now)

    def ready(self, table: TableId, person: PersonId) -> None:
        """Take note that a person has bet what they want in this round."""
        self._plan(self.clock())
        super().ready(table, person)

    def answered(self, answer: Answer) -> RefusedStep | None:
        """Take what became of a command; of a table that is no more there is nothing to report."""
        return super().answered(answer) if answer.table in self.floor.house.tables else None

    def _plan(self, now: datetime) -> None:
        """Run the tables that are used, and no others."""
        used = {running.table.id for running in self.floor.open_tables() if self._is_used(running, now)}
        for table in self.plans.keys() - used:
            del self.plans[table]
            self._watched.pop(table, None)
        for table in used - self.plans.keys():
            self.plans[table] = practice_plan(company(table), self._pace)

    def _is_used(self, running: RunningTable, now: datetime) -> bool:
        """Whether a table was taken lately, or somebody who has it or sits there was seen lately."""
        taken = self.floor.house.taken.get(running.table.id)
        if taken is None:
            return False
        if self.floor.clock() - taken.at < UNTOUCHED:
            return True
        people = {taken.by.id, *people_at(running)} & self._seen.keys()
        return any(now - self._seen[person] < UNTOUCHED for person in people)


class PracticeLoop(FloorLoop):
    """The loop of practice: it opens what other servers give to people, so that it can be driven here."""

    def __init__(self, floor: Floor, bus: Bus, hub: Hub, runtime: Runtime) -> None:
        super().__init__(floor, bus, hub.show, runtime, Pool.PRACTICE)
        self._begun = floor.clock()

    async def look_around(self) -> None:
        """Read whatever others have done at any table that is open here, or was taken since."""
        taken = [name for name, one in self.floor.house.taken.items() if one.at >= self._begun]
        for table in taken:
            await self.table(table)
        await super().look_around()


# --- opened -------------------------------------------------------------------------------------------


class _Opened(NamedTuple):
    floor: Floor
    store: PracticeStore


def open_practice(
    licensed: Floor,
    runtime: Runtime,
    storage: Storage | None = None,
    *,
    pace: Pace = PRACTICE_PACE,
    clock: Clock | None = None,
) -> Practice:
    """Open the practice that belongs to a licensed floor; what has ended is begun anew.

    Its people are paced by a clock that only goes forward, unless they are given another.
    """
    floor, store = _open(storage or storage_beside(licensed.store), licensed)
    bus: Bus = NoBus()
    leading: Leading = Alone()
    if isinstance(store, PostgresStore):
        bus, leading = PostgresBus(store.url, CHANNEL), PostgresLead(store.url, LOCK)
    hub, driver = Hub(floor, runtime.monotonic), PracticeDriver(floor, clock or pace_clock(runtime), pace)
    loop, attendance = PracticeLoop(floor, bus, hub, runtime), Attendance(driver, hub, bus, runtime)
    return Practice(
        loop=loop,
        hub=hub,
        driver=driver,
        attendance=attendance,
        tables=PracticeTables(floor, store, lambda: licensed.house),
        tasks=tasks_of(loop, hub, None, bus, None, None, driver, leading, attendance),
        closing=(bus.close, leading.close, store.close),
    )


def _open(storage: Storage, licensed: Floor) -> _Opened:
    """Open storage whatever it holds: what is over, damaged or of another version is thrown away."""
    opened = _usable(storage, licensed)
    if opened is not None:
        return opened
    try:
        storage.clear()
    except InUseError as error:
        LOG.warning("practice is not begun anew: %s", error)
    store = storage.open()
    return _Opened(_floor_on(store, licensed), store)


def _usable(storage: Storage, licensed: Floor) -> _Opened | None:
    """Return what a storage holds, or nothing if that is of no use any more."""
    try:
        store = storage.open()
    except _CLOSED_TO_US as error:
        LOG.warning("practice begins anew: %s", type(error).__name__)
        return None
    try:
        opened = _Opened(_floor_on(store, licensed), store)
        _check_key(store, licensed.safe)
        last = store.last_entry()
        if last is None or licensed.clock() - read_body(last).at < ENDED:
            return opened
    except FOLDING_ERRORS as error:
        LOG.warning("practice begins anew: %s", type(error).__name__)
    store.close()
    return None


def _check_key(store: PracticeStore, safe: DeckSafe) -> None:
    """Refuse decks that another key has locked: the floor's was changed, and rounds cannot go on."""
    with store.picture() as picture:
        deck = next(picture.every_sealed(), None)
    if deck is not None:
        safe.unlock(deck.stream, deck.commitment, deck.sealed)


def _floor_on(store: PracticeStore, licensed: Floor) -> Floor:
    return Floor(store, licensed.clock, licensed.entropy, licensed.safe, licensed.chips)

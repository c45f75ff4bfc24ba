"""Practice as it is served: a floor of its own, so that the licensed floor never waits for it."""

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
from houseway.service.background import BackgroundTask, background_tasks
from houseway.service.clock import pace_clock
from houseway.service.driver import AnyCommand, Driver, RefusedStep
from houseway.service.leader import Leader, PostgresLeader, SoleLeader
from houseway.service.live_views import Hub
from houseway.service.loop import FloorLoop
from houseway.service.practice_rules import PRACTICE_PACE, practice_plan, practice_players
from houseway.service.practice_tables import ENDED, UNTOUCHED, PracticeTables, people_at
from houseway.service.presence import PresenceTracker
from houseway.service.table_plans import Pace
from houseway.store.postgres import PostgresStore
from houseway.store.practice_storage import InUseError, PracticeStore, Storage, storage_beside
from houseway.store.safe import DeckSafe
from houseway.store.sql import OtherVersionError
from houseway.store.store_errors import StoreError

LOG: Final = logging.getLogger("houseway.service")
CHANNEL: Final = "houseway_practice"
"""The channel of hints between servers about practice tables."""
LOCK: Final = 7_460_307
"""The advisory lock of the server that drives the practice tables of a database."""
_UNUSABLE: Final = (OtherVersionError, StoreError)
"""Errors of opening storage that is damaged or of another version."""


@dataclass(frozen=True)
class Practice:
    """The parts that serve practice tables."""

    loop: FloorLoop
    hub: Hub
    driver: Driver
    presence: PresenceTracker
    tables: PracticeTables
    tasks: Sequence[BackgroundTask]
    on_close: Sequence[Callable[[], None]]

    @property
    def note_ready(self) -> Callable[[TableId, PersonId], None]:
        """Called when a person has placed all the bets they want at a table."""
        return self.presence.note_ready


class PracticeDriver(Driver):
    """Drives the open practice tables while people are there."""

    def __init__(self, floor: Floor, clock: Clock, pace: Pace) -> None:
        super().__init__(floor, {}, clock)
        self._pace = pace

    def due(self, now: datetime) -> list[tuple[TableId, AnyCommand]]:
        """Return the commands due now, one for each table."""
        self._plan(now)
        return super().due(now)

    def next_at(self, now: datetime) -> datetime | None:
        """Return when the next command is due if nothing else happens; None if none ever is."""
        self._plan(now)
        return super().next_at(now)

    def note_ready(self, table: TableId, person: PersonId) -> None:
        """Note that a person has placed all the bets they want in this round."""
        self._plan(self.clock())
        super().note_ready(table, person)

    def take_answer(self, answer: Answer) -> RefusedStep | None:
        """Take the answer to a command; answers about tables that no longer exist are ignored."""
        return super().take_answer(answer) if answer.table in self.floor.house.tables else None

    def _plan(self, now: datetime) -> None:
        """Keep plans for the tables in use, and for no others."""
        used = {running.table.id for running in self.floor.open_tables() if self._is_used(running, now)}
        for table in self.plans.keys() - used:
            del self.plans[table]
            self._watched.pop(table, None)
        for table in used - self.plans.keys():
            self.plans[table] = practice_plan(practice_players(table), self._pace)

    def _is_used(self, running: RunningTable, now: datetime) -> bool:
        """Whether a table was taken recently, or its owner or a person at it was seen recently."""
        taken = self.floor.house.taken.get(running.table.id)
        if taken is None:
            return False
        if self.floor.clock() - taken.at < UNTOUCHED:
            return True
        people = {taken.by.id, *people_at(running)} & self._seen.keys()
        return any(now - self._seen[person] < UNTOUCHED for person in people)


class PracticeLoop(FloorLoop):
    """The loop of practice, which also opens tables that other servers gave to people, to drive them here."""

    def __init__(self, floor: Floor, bus: Bus, hub: Hub, runtime: Runtime) -> None:
        super().__init__(floor, bus, hub.show, runtime, Pool.PRACTICE)
        self._begun = floor.clock()

    async def look_around(self) -> None:
        """Read other servers' changes at any table that is open here, or was taken since the start."""
        taken = [name for name, event in self.floor.house.taken.items() if event.at >= self._begun]
        for table in taken:
            await self.table(table)
        await super().look_around()


# --- opening ------------------------------------------------------------------------------------------


class _OpenStorage(NamedTuple):
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
    """Open the practice beside a licensed floor; storage that has ended is replaced.

    People are paced by a monotonic clock, unless another one is given.
    """
    floor, store = _open(storage or storage_beside(licensed.store), licensed)
    bus: Bus = NoBus()
    leader: Leader = SoleLeader()
    if isinstance(store, PostgresStore):
        bus, leader = PostgresBus(store.url, CHANNEL), PostgresLeader(store.url, LOCK)
    hub, driver = Hub(floor, runtime.monotonic), PracticeDriver(floor, clock or pace_clock(runtime), pace)
    loop, presence = PracticeLoop(floor, bus, hub, runtime), PresenceTracker(driver, hub, bus, runtime)
    return Practice(
        loop=loop,
        hub=hub,
        driver=driver,
        presence=presence,
        tables=PracticeTables(floor, store, lambda: licensed.house),
        tasks=background_tasks(loop, hub, None, bus, None, None, driver, leader, presence),
        on_close=(bus.close, leader.close, store.close),
    )


def _open(storage: Storage, licensed: Floor) -> _OpenStorage:
    """Open storage; if it is too old, damaged or of another version, it is cleared first."""
    opened = _open_usable(storage, licensed)
    if opened is not None:
        return opened
    try:
        storage.clear()
    except InUseError as error:
        LOG.warning("practice is not begun anew: %s", error)
    store = storage.open()
    return _OpenStorage(_floor_on(store, licensed), store)


def _open_usable(storage: Storage, licensed: Floor) -> _OpenStorage | None:
    """Return the open storage, or None if it is of no more use."""
    try:
        store = storage.open()
    except _UNUSABLE as error:
        LOG.warning("practice begins anew: %s", type(error).__name__)
        return None
    try:
        opened = _OpenStorage(_floor_on(store, licensed), store)
        _check_key(store, licensed.safe)
        last = store.last_entry()
        if last is None or licensed.clock() - read_body(last).at < ENDED:
            return opened
    except FOLDING_ERRORS as error:
        LOG.warning("practice begins anew: %s", type(error).__name__)
    store.close()
    return None


def _check_key(store: PracticeStore, safe: DeckSafe) -> None:
    """Refuse storage whose decks are locked with a former key of the floor: their rounds cannot continue."""
    with store.picture() as picture:
        deck = next(picture.every_sealed(), None)
    if deck is not None:
        safe.unlock(deck.stream, deck.commitment, deck.sealed)


def _floor_on(store: PracticeStore, licensed: Floor) -> Floor:
    return Floor(store, licensed.clock, licensed.entropy, licensed.safe, licensed.chips)

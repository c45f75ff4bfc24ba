"""A floor opened to be served: its store verified, its people known, everything that runs put together."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from houseway.errors import IllegalError
from houseway.floor.bus import Bus, NoBus, PostgresBus
from houseway.floor.core import Floor
from houseway.floor.readmodels import ReadModels
from houseway.floor.streams import TableId
from houseway.floor.verifying import verify_start
from houseway.rng import Entropy
from houseway.runtime import Runtime
from houseway.service.accounts import Accounts
from houseway.service.api import Server
from houseway.service.attending import Attendance
from houseway.service.clock import FloorClock, latest_moment, pace_clock
from houseway.service.demo import demo_floor
from houseway.service.door import Door
from houseway.service.driver import Driver
from houseway.service.health import Health
from houseway.service.leading import Alone, Leading, PostgresLead
from houseway.service.live import Hub
from houseway.service.loop import FloorLoop
from houseway.service.metrics import Metrics
from houseway.service.network import Network
from houseway.service.passwords import Passwords
from houseway.service.plans import USUAL, TablePlan
from houseway.service.register import Register
from houseway.service.sessions import Sessions
from houseway.service.tasks import tasks_of
from houseway.store.opening import POSTGRES, SQLITE, open_store
from houseway.store.postgres import PostgresStore
from houseway.store.protocol import Store
from houseway.store.sealing import DeckSafe, key_path, read_key

KEY_VARIABLE: Final = "HOUSEWAY_DECK_KEY"
"""Where the key of sealed decks is given to several servers of one database, in hex."""
MEASURED: Final = 2.0
"""Seconds after which what a process measures is known to the others."""


class Serving(Struct, frozen=True, kw_only=True):
    """What a server process is told."""

    database: str
    demo: bool = False
    pace: float = 1.0
    key: str = ""
    """The file of the key of sealed decks, if it is not where it is usually kept."""
    secure: bool = False
    json_logs: bool = False
    counts: str = ""
    """The folder in which processes leave what they measure for each other."""
    network: Network = Network()


def key_of(url: str) -> Path:
    """Return where the key of sealed decks is kept unless another place is named."""
    if url.startswith(POSTGRES):
        return key_path(Path.home() / ".houseway-decks")
    return key_path(Path(url.removeprefix(SQLITE)))


def safe_of(url: str, store: Store, entropy: Entropy, key: Path | None = None) -> DeckSafe:
    """Return what locks decks away: by the key in the environment, or in a file."""
    given = os.environ.get(KEY_VARIABLE)
    if given:
        return DeckSafe(bytes.fromhex(given), entropy)
    place = key or key_of(url)
    if not url.startswith(POSTGRES) and not store.heads() and place.exists():
        raise IllegalError(
            "the database is empty, and yet there is a key of its decks: restore the database, "
            "or take the key away to begin a new floor",
            value=str(place),
        )
    return DeckSafe(read_key(place, entropy), entropy)


def open_floor(url: str, runtime: Runtime, key: Path | None = None) -> Floor:
    """Open the floor of a database and verify it, or refuse to serve it."""
    store = open_store(url)
    try:
        clock = FloorClock(runtime, latest_moment(store))
        floor = Floor(store, clock, runtime.entropy, safe_of(url, store, runtime.entropy, key))
        verify_start(floor)
    except BaseException:
        store.close()
        raise
    return floor


def register_of(floor: Floor) -> Register:
    """Return the register of a floor's people."""
    return Register(floor.store, Sessions(floor.store, floor.entropy), floor.clock)


def serve(
    floor: Floor,
    plans: Mapping[TableId, TablePlan],
    runtime: Runtime,
    *,
    secure: bool = False,
    network: Network = Network(),  # noqa: B008 - frozen
) -> Server:
    """Return a server of a floor: tables with a plan, and those for practice, run by themselves."""
    for table in floor.tables:
        floor.table(table)  # from now on nobody who only looks reads the database
    bus: Bus = NoBus()
    leading: Leading = Alone()
    if isinstance(floor.store, PostgresStore):
        bus, leading = PostgresBus(floor.store.url), PostgresLead(floor.store.url)
    clock = floor.clock if isinstance(floor.clock, FloorClock) else None
    metrics = Metrics()
    hub, models = Hub(floor, runtime.monotonic), ReadModels(floor.store)
    loop = FloorLoop(floor, bus, hub.show, runtime)
    entropy = runtime.entropy
    sessions = Sessions(floor.store, entropy)
    register = Register(floor.store, sessions, floor.clock)
    floor.barred = register.barred
    passwords = Passwords(entropy)
    door = Door(loop, register, sessions, passwords, floor.clock)
    accounts = Accounts(loop, register, passwords, door.limits, entropy)
    driver = Driver(floor, plans, pace_clock(runtime))
    attendance = Attendance(driver, hub, bus, runtime)
    health = Health(loop, clock, runtime)
    tasks = tasks_of(loop, hub, models, bus, health, clock, driver, leading, attendance)
    return Server(
        loop,
        hub,
        door,
        models,
        accounts,
        health,
        driver,
        tasks,
        seen=attendance.seen,
        said_ready=attendance.ready,
        closing=(bus.close, leading.close, floor.store.close),
        secure=secure,
        network=network,
        metrics=metrics,
    )


def open_server(told: Serving, runtime: Runtime, floor: Floor | None = None) -> Server:
    """Open a floor, unless it is open, as a process was told to serve it."""
    floor = floor or open_floor(told.database, runtime, Path(told.key) if told.key else None)
    plans = demo_floor(floor, USUAL.times(told.pace)) if told.demo else {}
    server = serve(floor, plans, runtime, secure=told.secure, network=told.network)
    if told.counts:
        server.metrics.share(Path(told.counts), runtime.monotonic)
        server.tasks = [*server.tasks, lambda: leave_metrics(server)]
    return server


async def leave_metrics(server: Server) -> None:
    """Leave what this process measures where the others find it, from time to time."""
    while True:
        server.metrics.leave()
        await server.runtime.sleep(MEASURED)

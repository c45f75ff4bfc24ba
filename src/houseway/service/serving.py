"""A floor opened to be served: its store verified, its people known, everything that runs put together."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from msgspec import Struct

from houseway.floor.bus import Bus, NoBus, PostgresBus
from houseway.floor.core import Floor
from houseway.floor.readmodels import ReadModels
from houseway.floor.streams import TableId
from houseway.floor.verifying import verify_start
from houseway.rng import SystemEntropy
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.runtime import Runtime
from houseway.service.accounts import Accounts
from houseway.service.api import Server
from houseway.service.attending import Attendance
from houseway.service.demo import demo_floor
from houseway.service.door import Door
from houseway.service.driver import Driver
from houseway.service.leading import Alone, Leading, PostgresLead
from houseway.service.live import Hub
from houseway.service.loop import FloorLoop
from houseway.service.metrics import Metrics
from houseway.service.network import Network
from houseway.service.passwords import Passwords
from houseway.service.people import first_administrator
from houseway.service.plans import USUAL, TablePlan
from houseway.service.register import Register
from houseway.service.sessions import Sessions
from houseway.service.tasks import tasks_of
from houseway.store.opening import SQLITE, open_store
from houseway.store.postgres import PostgresStore
from houseway.store.protocol import Store
from houseway.store.sealing import DeckSafe, key_beside

ADMINISTRATOR: Final = Actor("administrator", Role.ADMINISTRATOR, "Administrator")
"""The first to be signed up on a floor."""
PASSWORD_BYTES: Final = 12
KEY_VARIABLE: Final = "HOUSEWAY_DECK_KEY"
"""Where the key of sealed decks is given to several servers of one database, in hex."""
MEASURED: Final = 2.0
"""Seconds after which what a process measures is known to the others."""


class Serving(Struct, frozen=True, kw_only=True):
    """What a server process is told."""

    database: str
    demo: bool = False
    pace: float = 1.0
    secure: bool = False
    json_logs: bool = False
    counts: str = ""
    """The folder in which processes leave what they measure for each other."""
    network: Network = Network()


def now() -> datetime:
    """Return this moment, in universal time."""
    return datetime.now(UTC)


def safe_of(url: str, store: Store) -> DeckSafe:
    """Return what locks decks away: by the key beside a SQLite file, or the one in the environment."""
    given = os.environ.get(KEY_VARIABLE)
    if given:
        return DeckSafe(bytes.fromhex(given))
    if isinstance(store, PostgresStore):
        return DeckSafe(key_beside(Path.home() / ".houseway-decks"))
    return DeckSafe(key_beside(Path(url.removeprefix(SQLITE))))


def open_floor(url: str) -> Floor:
    """Open the floor of a database and verify it, or refuse to serve it."""
    store = open_store(url)
    floor = Floor(store, now, SystemEntropy(), safe_of(url, store))
    verify_start(floor)
    return floor


def register_of(floor: Floor) -> Register:
    """Return the register of a floor's people."""
    return Register(floor.store, Sessions(floor.store, SystemEntropy()), floor.clock)


def sign_up_first(register: Register) -> str | None:
    """Add an administrator where there is nobody yet; return their password, told this once."""
    if register.people.users:
        return None
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    hashed = Passwords(SystemEntropy()).hash(password, ADMINISTRATOR.id, ADMINISTRATOR.shown)
    register.record(
        lambda people, at: first_administrator(people, ADMINISTRATOR.id, ADMINISTRATOR.shown, hashed, at)
    )
    return password


def serve(
    floor: Floor,
    plans: Mapping[TableId, TablePlan],
    *,
    runtime: Runtime,
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
    metrics = Metrics()
    hub, models = Hub(floor, runtime.monotonic), ReadModels(floor.store)
    loop = FloorLoop(floor, bus, hub.show)
    entropy = SystemEntropy()
    sessions = Sessions(floor.store, entropy)
    register = Register(floor.store, sessions, floor.clock)
    passwords = Passwords(entropy)
    door = Door(loop, register, sessions, passwords, floor.clock)
    accounts = Accounts(loop, register, passwords, door.limits, entropy)
    driver = Driver(floor, plans, floor.clock)
    attendance = Attendance(driver, hub, bus, floor.clock)
    tasks = tasks_of(loop, hub, models, floor.clock, bus, driver, leading, attendance)
    return Server(
        loop,
        hub,
        door,
        models,
        accounts,
        runtime,
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
    floor = floor or open_floor(told.database)
    plans = demo_floor(floor, USUAL.times(told.pace)) if told.demo else {}
    server = serve(floor, plans, runtime=runtime, secure=told.secure, network=told.network)
    if told.counts:
        server.metrics.share(Path(told.counts), runtime.monotonic)
        server.tasks = [*server.tasks, lambda: leave_metrics(server)]
    return server


async def leave_metrics(server: Server) -> None:
    """Leave what this process measures where the others find it, from time to time."""
    while True:
        server.metrics.leave()
        await server.runtime.sleep(MEASURED)

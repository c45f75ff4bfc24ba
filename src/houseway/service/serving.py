"""A floor opened to be served: its store verified, its people known, everything that runs put together."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from houseway.errors import HousewayError, IllegalError
from houseway.floor.bus import Bus, NoBus, PostgresBus
from houseway.floor.core import Floor
from houseway.floor.readmodels import ReadModels
from houseway.floor.streams import TableId
from houseway.floor.verifying import verify_start
from houseway.rng import Entropy
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
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
from houseway.service.passwords import Passwords, secret_text
from houseway.service.people import first_administrator
from houseway.service.plans import USUAL, TablePlan
from houseway.service.register import Register
from houseway.service.sessions import Sessions
from houseway.service.tasks import tasks_of
from houseway.store.opening import SQLITE, open_store
from houseway.store.postgres import PostgresStore
from houseway.store.protocol import Store
from houseway.store.sealing import DeckSafe, key_beside, key_path

ADMINISTRATOR: Final = Actor("administrator", Role.ADMINISTRATOR, "Administrator")
"""The first to be signed up on a floor."""
PASSWORD_CHARACTERS: Final = 16
KEY_VARIABLE: Final = "HOUSEWAY_DECK_KEY"
"""Where the key of sealed decks is given to several servers of one database, in hex."""
COUNTED: Final = 2.0
"""Seconds after which the counts of a process are known to the others."""


class DamagedError(IllegalError):
    """A database that holds something else than what was written."""


class Serving(Struct, frozen=True, kw_only=True):
    """What a server process is told."""

    database: str
    demo: bool = False
    pace: float = 1.0
    secure: bool = False
    json_logs: bool = False
    counts: str = ""
    """The folder in which processes leave their counts for each other."""


def safe_of(url: str, store: Store, entropy: Entropy) -> DeckSafe:
    """Return what locks decks away: by the key beside a SQLite file, or the one in the environment."""
    given = os.environ.get(KEY_VARIABLE)
    if given:
        return DeckSafe(bytes.fromhex(given), entropy)
    if isinstance(store, PostgresStore):
        return DeckSafe(key_beside(Path.home() / ".houseway-decks", entropy), entropy)
    place = Path(url.removeprefix(SQLITE)).resolve()  # beside the file itself, by whatever name it is opened
    if not store.heads() and key_path(place).exists():
        raise IllegalError(
            "the database is empty, and yet the key of its decks lies beside it: restore the database, "
            "or take the key away to begin a new floor",
            value=str(key_path(place)),
        )
    return DeckSafe(key_beside(place, entropy), entropy)


def open_floor(url: str, runtime: Runtime) -> Floor:
    """Open the floor of a database and verify it, or refuse to serve it."""
    try:
        return _opened(url, runtime)
    except HousewayError:
        raise
    except Exception as error:  # what reading a damaged file may raise has no end
        raise DamagedError(f"what is stored cannot be read: {type(error).__name__}") from error


def _opened(url: str, runtime: Runtime) -> Floor:
    store = open_store(url)
    try:
        clock = FloorClock(runtime, latest_moment(store))
        floor = Floor(store, clock, runtime.entropy, safe_of(url, store, runtime.entropy))
        verify_start(floor)
    except BaseException:
        store.close()
        raise
    return floor


def register_of(floor: Floor) -> Register:
    """Return the register of a floor's people."""
    return Register(floor.store, Sessions(floor.store, floor.entropy), floor.clock)


def sign_up_first(register: Register, entropy: Entropy) -> str | None:
    """Add an administrator where there is nobody yet; return their password, told this once."""
    if register.people.users:
        return None
    password = secret_text(entropy)[:PASSWORD_CHARACTERS]
    hashed = Passwords(entropy).hash(password, ADMINISTRATOR.id, ADMINISTRATOR.shown)
    register.record(
        lambda people, at: first_administrator(people, ADMINISTRATOR.id, ADMINISTRATOR.shown, hashed, at)
    )
    return password


def serve(
    floor: Floor, plans: Mapping[TableId, TablePlan], runtime: Runtime, *, secure: bool = False
) -> Server:
    """Return a server of a floor: tables with a plan, and those for practice, run by themselves."""
    for table in floor.tables:
        floor.table(table)  # from now on nobody who only looks reads the database
    bus: Bus = NoBus()
    leading: Leading = Alone()
    if isinstance(floor.store, PostgresStore):
        bus, leading = PostgresBus(floor.store.url), PostgresLead(floor.store.url)
    clock = floor.clock if isinstance(floor.clock, FloorClock) else None
    hub, models = Hub(floor), ReadModels(floor.store)
    loop = FloorLoop(floor, bus, hub.show, runtime)
    entropy = runtime.entropy
    sessions = Sessions(floor.store, entropy)
    register = Register(floor.store, sessions, floor.clock)
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
    )


def open_server(told: Serving, runtime: Runtime, floor: Floor | None = None) -> Server:
    """Open a floor, unless it is open, as a process was told to serve it."""
    floor = floor or open_floor(told.database, runtime)
    plans = demo_floor(floor, USUAL.times(told.pace)) if told.demo else {}
    server = serve(floor, plans, runtime, secure=told.secure)
    if told.counts:
        server.counts.share(Path(told.counts))
        server.tasks = [*server.tasks, lambda: leave_counts(server, runtime)]
    return server


async def leave_counts(server: Server, runtime: Runtime) -> None:
    """Leave this process's counts where the others find them, from time to time."""
    while True:
        server.counts.leave(server.gauges)
        await runtime.sleep(COUNTED)

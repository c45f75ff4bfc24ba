"""A floor opened to be served: its store verified, its people known, everything that runs put together."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from houseway.errors import HousewayError, IllegalError
from houseway.floor.bus import Bus, NoBus, PostgresBus
from houseway.floor.core import Floor
from houseway.floor.floor_keys import first_key, keys_on_record, periods_of, record_key, safe_on_record
from houseway.floor.readmodels import ReadModels
from houseway.floor.streams import TableId
from houseway.floor.verification import verify_start
from houseway.rng import Entropy
from houseway.rounds.state import PersonId
from houseway.runtime import Runtime
from houseway.service.access import keep_access
from houseway.service.accounts import Accounts
from houseway.service.api import Server
from houseway.service.attending import Attendance
from houseway.service.auditing import FloorPersons
from houseway.service.clock import FloorClock, latest_moment, pace_clock
from houseway.service.credentials import Credentials
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
from houseway.service.plans import USUAL, Pace, TablePlan
from houseway.service.practice import PRACTICE_PACE
from houseway.service.practice_floor import Practice, open_practice
from houseway.service.register import Register
from houseway.service.sessions import Sessions
from houseway.service.sweeping import sweep
from houseway.service.tasks import tasks_of
from houseway.service.tree_upkeep import keep_tree
from houseway.store.key_changes import Period
from houseway.store.log_check import verify_log
from houseway.store.postgres import PostgresStore
from houseway.store.protocol import Store
from houseway.store.safe import DeckSafe, key_path, read_key
from houseway.store.signed_notes import Verifier
from houseway.store.sqlite import SqliteStore
from houseway.store.store_url import POSTGRES, SQLITE, open_store
from houseway.store.tree_log import Notary, check_extends, check_tree, head_path

LOG: Final = logging.getLogger("houseway.service")
KEY_VARIABLE: Final = "HOUSEWAY_DECK_KEY"
"""Where the key of sealed decks is given to several servers of one database, in hex."""
MEASURED: Final = 2.0
"""Seconds after which what a process measures is known to the others."""


class DamagedError(IllegalError):
    """A database that holds something else than what was written."""


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
    return key_path(Path(url.removeprefix(SQLITE)).resolve())  # beside the file, by whatever name


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
    recorded = keys_on_record(store)
    if recorded and not place.exists():
        cause = (
            f"the floor's key is not there: it signs by {recorded[-1].verifier}. Bring it back, or say --key"
        )
        raise IllegalError(cause, value=str(place))
    return DeckSafe(read_key(place, entropy), entropy)


def open_floor(url: str, runtime: Runtime, key: Path | None = None, seen: Sequence[bytes] = ()) -> Floor:
    """Open the floor of a database and verify it, or refuse to serve it.

    Where somebody has ``seen`` signed heads of it, all of it is checked against them.
    """
    try:
        return _opened(url, runtime, key, seen)
    except HousewayError:
        raise
    except Exception as error:  # what reading a damaged file may raise has no end
        raise DamagedError(f"what is stored cannot be read: {type(error).__name__}") from error


def _opened(url: str, runtime: Runtime, key: Path | None, seen: Sequence[bytes]) -> Floor:
    store = open_store(url)
    try:
        if isinstance(store, SqliteStore):
            store.check_pages(whole=False)
        keys = keys_on_record(store)
        safe = safe_on_record(keys, safe_of(url, store, runtime.entropy, key))
        first = first_key(keys, Notary(safe).verifier)
        _check_heads(store, first, periods_of(keys, store.tree), seen)
        clock = FloorClock(runtime, latest_moment(store))
        floor = Floor(store, clock, runtime.entropy, safe)
        floor.follow = clock.follow
        verify_start(floor, FloorPersons())
    except BaseException:
        store.close()
        raise
    return floor


def _check_heads(
    store: Store, verifier: Verifier | None, periods: Sequence[Period], seen: Sequence[bytes]
) -> None:
    """Refuse a log that does not go on from what was signed of it: its file was cut back, or exchanged."""
    beside = head_path(store.path) if isinstance(store, SqliteStore) else None
    if beside is not None and beside.exists():
        try:
            check_extends(store.tree, beside.read_bytes(), verifier, periods)
        except HousewayError as error:
            cause = f"this is not the log that was served last: {error}. Restore it, or take the head away"
            raise IllegalError(cause, value=str(beside)) from None
    if seen:
        with store.picture() as picture:
            verify_log(picture)
            check_tree(picture, verifier, seen, periods)


def record_floor_key(floor: Floor) -> None:
    """Put the key on record by which a floor signs its log, at its first start."""
    key = str(Notary(floor.safe).verifier)
    floor.set_up(lambda house, now: record_key(house, key, now))


def register_of(floor: Floor) -> Register:
    """Return the register of a floor's people."""
    return Register(floor.store, Sessions(floor.store, floor.entropy), floor.clock)


def serve(
    floor: Floor,
    plans: Mapping[TableId, TablePlan],
    runtime: Runtime,
    *,
    secure: bool = False,
    practice_pace: Pace = PRACTICE_PACE,
    network: Network = Network(),  # noqa: B008 - frozen
) -> Server:
    """Return a server of a floor: tables with a plan, and those for practice, run by themselves."""
    for table in floor.house.licensed_tables:
        floor.table(table)  # from now on nobody who only looks reads the database
    bus: Bus = NoBus()
    leading: Leading = Alone()
    if isinstance(floor.store, PostgresStore):
        bus, leading = PostgresBus(floor.store.url), PostgresLead(floor.store.url)
    clock = floor.clock if isinstance(floor.clock, FloorClock) else None
    metrics = Metrics()
    hub, models = Hub(floor, runtime.monotonic), ReadModels(floor.store)
    loop = FloorLoop(floor, bus, hub.show, runtime)
    sessions = Sessions(floor.store, runtime.entropy)
    register = Register(floor.store, sessions, floor.clock)
    floor.barred = register.barred
    credentials = Credentials(loop, register, Passwords(runtime.entropy), runtime)
    door = Door(loop, register, sessions, credentials)
    accounts = Accounts(loop, register, credentials, runtime)
    driver = Driver(floor, plans, pace_clock(runtime))
    attendance = Attendance(driver, hub, bus, runtime)
    health = Health(loop, clock, runtime)
    tasks = [
        *tasks_of(loop, hub, models, bus, health, clock, driver, leading, attendance),
        lambda: keep_access(credentials.access, loop, runtime),
        lambda: sweep(sessions, credentials, loop, runtime),
        lambda: keep_tree(loop, Notary(floor.safe)),
    ]
    practice = practice_beside(floor, runtime, practice_pace)

    def seen(person: PersonId) -> None:
        attendance.seen(person)
        if practice is not None:
            practice.attendance.seen(person)

    return Server(
        loop,
        hub,
        door,
        models,
        accounts,
        health,
        driver,
        [*tasks, *(practice.tasks if practice else ())],
        seen=seen,
        said_ready=attendance.ready,
        closing=(*(practice.closing if practice else ()), bus.close, leading.close, floor.store.close),
        secure=secure,
        practice=practice,
        network=network,
        metrics=metrics,
    )


def practice_beside(floor: Floor, runtime: Runtime, pace: Pace) -> Practice | None:
    """Open the practice of a floor; where it cannot be opened at all, the floor is served without."""
    try:
        return open_practice(floor, runtime, pace=pace)
    except (HousewayError, OSError) as error:
        LOG.warning("nobody can practise here: %s", error)
        return None


def open_server(told: Serving, runtime: Runtime, floor: Floor | None = None) -> Server:
    """Open a floor, unless it is open, as a process was told to serve it."""
    floor = floor or open_floor(told.database, runtime, Path(told.key) if told.key else None)
    plans = demo_floor(floor, USUAL.times(told.pace)) if told.demo else {}
    pace = PRACTICE_PACE.times(told.pace)
    server = serve(floor, plans, runtime, secure=told.secure, practice_pace=pace, network=told.network)
    if told.counts:
        server.metrics.share(Path(told.counts), runtime.monotonic)
        server.tasks = [*server.tasks, lambda: leave_metrics(server)]
    return server


async def leave_metrics(server: Server) -> None:
    """Leave what this process measures where the others find it, from time to time."""
    while True:
        server.metrics.leave()
        await server.runtime.sleep(MEASURED)

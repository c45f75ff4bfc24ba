"""Assembly of a server: the store opened and verified, the people read, all parts connected."""

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
from houseway.service.access_notes import write_access_notes
from houseway.service.api import Server
from houseway.service.background import background_tasks
from houseway.service.cleanup import clean_up
from houseway.service.clock import FloorClock, latest_moment, pace_clock
from houseway.service.credentials import Credentials
from houseway.service.demo import demo_floor
from houseway.service.driver import Driver
from houseway.service.health import Health
from houseway.service.leader import Leader, PostgresLeader, SoleLeader
from houseway.service.live_views import Hub
from houseway.service.loop import FloorLoop
from houseway.service.metrics import Metrics
from houseway.service.network_limits import NetworkLimits
from houseway.service.passwords import Passwords
from houseway.service.people_audit import FloorPersons
from houseway.service.practice_floor import Practice, open_practice
from houseway.service.practice_rules import PRACTICE_PACE
from houseway.service.presence import PresenceTracker
from houseway.service.register import Register
from houseway.service.session_auth import SessionAuth
from houseway.service.sessions import Sessions
from houseway.service.table_plans import USUAL, Pace, TablePlan
from houseway.service.tree_upkeep import keep_tree
from houseway.service.user_accounts import UserAccounts
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
"""The environment variable with the key of sealed decks in hex, for several servers of one database."""
PUBLISH_INTERVAL: Final = 2.0
"""Seconds between two times that a process publishes its metrics."""


class DamagedError(IllegalError):
    """A database whose content is not what was written."""


class ServerOptions(Struct, frozen=True, kw_only=True):
    """The options of a server process."""

    database: str
    demo: bool = False
    pace: float = 1.0
    key: str = ""
    """The file of the key of sealed decks, if it is not the default one."""
    secure: bool = False
    json_logs: bool = False
    metrics_folder: str = ""
    """The folder in which processes share their metrics."""
    network: NetworkLimits = NetworkLimits()


def default_key_path(url: str) -> Path:
    """Return the default path of the key of sealed decks for a database."""
    if url.startswith(POSTGRES):
        return key_path(Path.home() / ".houseway-decks")
    return key_path(Path(url.removeprefix(SQLITE)).resolve())  # beside the file, whatever its name


def open_safe(url: str, store: Store, entropy: Entropy, key: Path | None = None) -> DeckSafe:
    """Return the safe for decks, with the key from the environment or from a file; refuse a missing key."""
    hex_key = os.environ.get(KEY_VARIABLE)
    if hex_key:
        return DeckSafe(bytes.fromhex(hex_key), entropy)
    place = key or default_key_path(url)
    if not url.startswith(POSTGRES) and not store.heads() and place.exists():
        raise IllegalError(
            "the database is empty, but a key of its decks exists: restore the database, "
            "or remove the key to begin a new floor",
            value=str(place),
        )
    recorded = keys_on_record(store)
    if recorded and not place.exists():
        signed_by = recorded[-1].verifier
        cause = f"the floor's key is missing: it signs by {signed_by}. Restore it, or name it with --key"
        raise IllegalError(cause, value=str(place))
    return DeckSafe(read_key(place, entropy), entropy)


def open_floor(url: str, runtime: Runtime, key: Path | None = None, seen: Sequence[bytes] = ()) -> Floor:
    """Open the floor of a database and verify it; raise if it must not be served.

    If a witness has ``seen`` signed heads of it, the whole log is checked against them.
    """
    try:
        return _open(url, runtime, key, seen)
    except HousewayError:
        raise
    except Exception as error:  # reading a damaged file may raise anything
        raise DamagedError(f"what is stored cannot be read: {type(error).__name__}") from error


def _open(url: str, runtime: Runtime, key: Path | None, seen: Sequence[bytes]) -> Floor:
    store = open_store(url)
    try:
        if isinstance(store, SqliteStore):
            store.check_pages(whole=False)
        keys = keys_on_record(store)
        safe = safe_on_record(keys, open_safe(url, store, runtime.entropy, key))
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
    """Refuse a log that does not extend its signed heads: its file was truncated or replaced."""
    beside = head_path(store.path) if isinstance(store, SqliteStore) else None
    if beside is not None and beside.exists():
        try:
            check_extends(store.tree, beside.read_bytes(), verifier, periods)
        except HousewayError as error:
            cause = f"this is not the log that was served last: {error}. Restore it, or remove the head"
            raise IllegalError(cause, value=str(beside)) from None
    if seen:
        with store.picture() as picture:
            verify_log(picture)
            check_tree(picture, verifier, seen, periods)


def record_floor_key(floor: Floor) -> None:
    """Record the key by which the floor signs its log, at its first start."""
    key = str(Notary(floor.safe).verifier)
    floor.set_up(lambda house, now: record_key(house, key, now))


def open_register(floor: Floor) -> Register:
    """Open the register of a floor's people."""
    return Register(floor.store, Sessions(floor.store, floor.entropy), floor.clock)


def build_server(
    floor: Floor,
    plans: Mapping[TableId, TablePlan],
    runtime: Runtime,
    *,
    secure: bool = False,
    practice_pace: Pace = PRACTICE_PACE,
    network: NetworkLimits = NetworkLimits(),  # noqa: B008 - frozen
) -> Server:
    """Return a server of a floor that drives the tables with a plan, and practice tables."""
    for table in floor.house.licensed_tables:
        floor.table(table)  # open all tables now, so that no view has to read the database
    bus: Bus = NoBus()
    leader: Leader = SoleLeader()
    if isinstance(floor.store, PostgresStore):
        bus, leader = PostgresBus(floor.store.url), PostgresLeader(floor.store.url)
    clock = floor.clock if isinstance(floor.clock, FloorClock) else None
    metrics = Metrics()
    hub, models = Hub(floor, runtime.monotonic), ReadModels(floor.store)
    loop = FloorLoop(floor, bus, hub.show, runtime)
    sessions = Sessions(floor.store, runtime.entropy)
    register = Register(floor.store, sessions, floor.clock)
    floor.barred = register.bar_reason
    credentials = Credentials(loop, register, Passwords(runtime.entropy), runtime)
    door = SessionAuth(loop, register, sessions, credentials)
    accounts = UserAccounts(loop, register, credentials, runtime)
    driver = Driver(floor, plans, pace_clock(runtime))
    presence = PresenceTracker(driver, hub, bus, runtime)
    health = Health(loop, clock, runtime)
    tasks = [
        *background_tasks(loop, hub, models, bus, health, clock, driver, leader, presence),
        lambda: write_access_notes(credentials.access, loop, runtime),
        lambda: clean_up(sessions, credentials, loop, runtime),
        lambda: keep_tree(loop, Notary(floor.safe)),
    ]
    practice = open_practice_beside(floor, runtime, practice_pace)

    def note_seen(person: PersonId) -> None:
        presence.note_seen(person)
        if practice is not None:
            practice.presence.note_seen(person)

    return Server(
        loop,
        hub,
        door,
        models,
        accounts,
        health,
        driver,
        [*tasks, *(practice.tasks if practice else ())],
        note_seen=note_seen,
        note_ready=presence.note_ready,
        on_close=(*(practice.on_close if practice else ()), bus.close, leader.close, floor.store.close),
        secure=secure,
        practice=practice,
        network=network,
        metrics=metrics,
    )


def open_practice_beside(floor: Floor, runtime: Runtime, pace: Pace) -> Practice | None:
    """Open the practice beside a floor; return None if that fails, since the floor is served anyway."""
    try:
        return open_practice(floor, runtime, pace=pace)
    except (HousewayError, OSError) as error:
        LOG.warning("nobody can practise here: %s", error)
        return None


def open_server(options: ServerOptions, runtime: Runtime, floor: Floor | None = None) -> Server:
    """Open a server by its options; the floor is opened too unless it is given."""
    floor = floor or open_floor(options.database, runtime, Path(options.key) if options.key else None)
    plans = demo_floor(floor, USUAL.times(options.pace)) if options.demo else {}
    pace = PRACTICE_PACE.times(options.pace)
    server = build_server(
        floor, plans, runtime, secure=options.secure, practice_pace=pace, network=options.network
    )
    if options.metrics_folder:
        server.metrics.share(Path(options.metrics_folder), runtime.monotonic)
        server.tasks = [*server.tasks, lambda: publish_metrics(server)]
    return server


async def publish_metrics(server: Server) -> None:
    """Publish the metrics of this process regularly, forever."""
    while True:
        server.metrics.publish()
        await server.runtime.sleep(PUBLISH_INTERVAL)

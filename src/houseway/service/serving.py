"""A floor opened to be served: its store verified, its people known, everything that runs put together."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from houseway.floor.bus import Bus, NoBus, PostgresBus
from houseway.floor.core import Floor
from houseway.floor.readmodels import ReadModels
from houseway.floor.streams import PeopleEvent, TableId
from houseway.floor.verifying import verify_start
from houseway.rng import SystemEntropy
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.api import Server
from houseway.service.door import Door
from houseway.service.driver import Driver
from houseway.service.live import Hub
from houseway.service.loop import FloorLoop
from houseway.service.passwords import Passwords
from houseway.service.people import People, add_user, evolve_people, first_administrator, set_password
from houseway.service.plans import TablePlan
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


def sign_up(floor: Floor, members: Iterable[Actor]) -> list[tuple[Actor, str]]:
    """Add whoever is not there yet, an administrator first of all; return their passwords, told this once."""
    register, passwords = register_of(floor), Passwords(SystemEntropy())
    made: list[tuple[Actor, str]] = []
    for actor in (ADMINISTRATOR, *members):
        if actor.id in register.people.users or actor.role is Role.GUEST:
            continue
        if actor is ADMINISTRATOR and register.people.users:
            continue  # somebody else administers this floor
        password = secrets.token_urlsafe(PASSWORD_BYTES)
        register.record(partial(_added, actor, passwords.hash(password, actor.id, actor.shown)))
        made.append((actor, password))
    return made


def _added(actor: Actor, hashed: str, people: People, at: datetime) -> list[PeopleEvent]:
    if not people.users:
        return first_administrator(people, actor.id, actor.shown, hashed, at)
    added = add_user(people, actor.id, actor.shown, frozenset({actor.role}), ADMINISTRATOR, at)
    after = evolve_people(people, added)
    return [added, set_password(after, actor.id, hashed, ADMINISTRATOR, at)]


def serve(floor: Floor, plans: Mapping[TableId, TablePlan], *, secure: bool = False) -> Server:
    """Return a server of a floor, some of whose tables run by themselves."""
    bus: Bus = PostgresBus(floor.store.url) if isinstance(floor.store, PostgresStore) else NoBus()
    hub, models = Hub(floor), ReadModels(floor.store)
    loop = FloorLoop(floor, bus, hub.show)
    entropy = SystemEntropy()
    sessions = Sessions(floor.store, entropy)
    register = Register(floor.store, sessions, floor.clock)
    door = Door(loop, register, sessions, Passwords(entropy), floor.clock)
    driver = Driver(floor, plans, floor.clock) if plans else None
    tasks = tasks_of(loop, models, floor.clock, bus, driver)
    server = Server(loop, hub, door, models, tasks, secure=secure)
    if driver is not None:
        server.seen = lambda person: driver.seen(person, floor.clock())
    return server

"""Lines that break and servers that die in the middle of rounds: nothing is lost, done twice or seen wrongly.

Somebody who gets no answer sends the same command again to whatever server there is next. At every end each
viewer's hash is the server's, each command that was ever sent is in the log once, at the version answered.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.types import ASGIApp

from houseway.cli.system import SystemRuntime
from houseway.floor.bus import NoBus
from houseway.floor.core import Floor
from houseway.floor.readmodels import ReadModels
from houseway.floor.streams import table_stream
from houseway.floor.verification import verify_floor
from houseway.games import example_submission
from houseway.rng import SeededEntropy
from houseway.rounds.roles import Role
from houseway.rounds.state import IN_ROUND
from houseway.rounds.step import Actor, Proposal
from houseway.rounds.steps.players import Sit
from houseway.service.api import Server, make_app
from houseway.service.credentials import Credentials
from houseway.service.health import Health
from houseway.service.live_views import Hub, SharedView
from houseway.service.loop import FloorLoop
from houseway.service.passwords import Passwords
from houseway.service.register import Register
from houseway.service.sessions import Sessions
from houseway.service.user_accounts import UserAccounts
from houseway.store.postgres import PostgresStore
from houseway.store.protocol import Point, Store
from houseway.store.sqlite import SqliteStore
from tests.floor.support import PEOPLE, SAFE, make_table, new_floor, next_move
from tests.service.asgi import SOON, OpenDoor, Viewer, post
from tests.service.crowd import CHEAP, NOON
from tests.service.support import step_of
from tests.store.support import DATABASES, fresh_database
from tests.support.runtime import TestRuntime

TABLES = {"t1": "pa-659a", "t2": "ca-fpgp"}
VIEWERS = (Actor("Ann", Role.PLAYER), Actor("Dan", Role.PLAYER), Actor("Sam", Role.SURVEILLANCE))


class Killed(BaseException):
    """The process dies here."""


class Trap:
    """Kills the server when its next append gets to some point."""

    def __init__(self) -> None:
        self.at: Point | None = None

    def __call__(self, point: Point) -> None:
        if point is self.at:
            self.at = None
            raise Killed


class World:
    """A database, the server that serves it now, and people who send commands and watch."""

    def __init__(self, reopen: Callable[[Trap], Store], seed: str) -> None:
        self.reopen, self.chance, self.trap, self.door = reopen, random.Random(seed), Trap(), OpenDoor()
        self.sent: dict[str, int] = {}
        self.viewers = [Viewer(self.door.let_in(who), table) for who in VIEWERS for table in TABLES]
        self.counts = {"broken": 0, "killed": 0, "restarted": 0, "in a round": 0}
        self.server: Server
        self.app: ASGIApp
        self.run: asyncio.Task[None]

    # --- servers that come and go ---------------------------------------------------------------------

    async def start(self) -> None:
        """Open the floor anew, knowing nothing but what is stored."""
        store = self.reopen(self.trap)
        floor = Floor(store, lambda: NOON, SeededEntropy(str(self.chance.random())), SAFE)
        for table in TABLES:
            floor.table(table)
        runtime, system = TestRuntime(floor.clock), SystemRuntime()
        hub = Hub(floor, system.monotonic)
        loop = FloorLoop(floor, NoBus(), hub.show, system)
        register = Register(store, Sessions(store, runtime.entropy), floor.clock)
        credentials = Credentials(loop, register, Passwords(runtime.entropy, CHEAP), runtime)
        accounts = UserAccounts(loop, register, credentials, runtime)
        health = Health(loop, None, loop.runtime)
        self.server = Server(loop, hub, self.door, ReadModels(store), accounts, health)
        self.app = make_app(self.server)
        self.run = asyncio.create_task(loop.run())
        for viewer in self.viewers:
            viewer.connect(self.app)

    async def stop(self) -> None:
        """End the server as a crash does: every line breaks, and nobody is told."""
        for viewer in self.viewers:
            await viewer.break_off()
        self.run.cancel()
        await asyncio.gather(self.run, return_exceptions=True)
        self.server.loop.floor.store.close()

    # --- what people do -------------------------------------------------------------------------------

    async def play(self, table: str) -> None:
        """Send the next command of a table until it is answered, whatever happens to the server meanwhile."""
        move = self.next_move(table)
        name, token = f"c{len(self.sent)}", self.door.let_in(move.by)
        body = {"id": name, "action": step_of(move)}
        while True:
            answer = asyncio.create_task(post(self.app, f"/api/v1/tables/{table}/commands", token, body))
            await asyncio.wait({answer, self.run}, timeout=SOON, return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                break
            answer.cancel()
            assert self.run.done(), "the server neither answers nor is dead"
            self.counts["killed"] += 1
            await self.stop()
            await self.start()
        status, said = await answer
        assert status == 200, said
        assert f"{move.by.id}/{name}" not in self.sent
        self.sent[f"{move.by.id}/{name}"] = said["version"]

    def next_move(self, table: str) -> Proposal:
        floor = self.server.loop.floor
        running = floor.table(table)
        self.counts["in a round"] += running.table.phase in IN_ROUND
        for at, person in PEOPLE.items():
            if at not in running.table.seats:
                return Proposal(Actor(person, Role.PLAYER), Sit(at))
        return next_move(floor, table)

    async def mishap(self) -> None:
        """Let something go wrong: a line breaks, or the server ends, or it dies at the next command."""
        kind = self.chance.choices(("broken", "killed", "restarted"), (8, 1, 1))[0]
        if kind == "killed":
            self.trap.at = self.chance.choice(list(Point))
            return
        self.counts[kind] += 1
        if kind == "restarted":
            await self.stop()
            await self.start()
            return
        viewer = self.chance.choice(self.viewers)
        await viewer.break_off()
        for _ in range(self.chance.randrange(3)):
            await self.play(viewer.table)
        viewer.connect(self.app)

    async def check(self) -> None:
        """Compare what every viewer has with how the table looks to them."""
        floor = self.server.loop.floor
        for viewer in self.viewers:
            await viewer.shown(floor.table(viewer.table).head.version)
            assert await viewer.is_up_to_date()
            who = await self.door.find(viewer.token)
            assert who is not None
            seen = SharedView(floor, viewer.table).message_for(who.actor)
            assert (viewer.version, viewer.hash) == (seen.version, seen.hash)


async def through_mishaps(reopen: Callable[[Trap], Store], seed: str, mishaps: int) -> World:
    """Play at two tables while so many things go wrong, then look at the log."""
    world = World(reopen, seed)
    await world.start()
    while sum(world.counts[kind] for kind in ("broken", "killed", "restarted")) < mishaps:
        await world.play(world.chance.choice(list(TABLES)))
        await world.mishap()
        if not world.chance.randrange(10):
            world.trap.at = None
            await world.check()
    world.trap.at = None
    await world.check()
    store = world.server.loop.floor.store
    stored = [entry for table in TABLES for entry in store.tails({table_stream(table): 0})]
    assert len({entry.command for entry in stored}) == len(stored), "no command is carried out twice"
    assert {e.command: e.version for e in stored} == world.sent, "none is lost, each is where it was answered"
    with store.picture() as picture:
        assert verify_floor(picture).total == 0
    await world.stop()
    return world


def run(kind: str, folder: Path, seed: str, mishaps: int) -> None:
    def prepare(store: Store) -> None:
        floor = new_floor(store)
        for table, game in TABLES.items():
            make_table(floor, table, example_submission(game))
        store.close()

    def played(reopen: Callable[[Trap], Store]) -> None:
        prepare(reopen(Trap()))
        world = asyncio.run(through_mishaps(reopen, seed, mishaps))
        assert all(world.counts.values()), world.counts
        assert world.counts["in a round"] > mishaps / 3

    if kind == "sqlite":
        played(lambda trap: SqliteStore(folder / "floor.db", at_point=trap))
    else:
        with fresh_database() as url:
            played(lambda trap: PostgresStore(url, at_point=trap))


@pytest.mark.parametrize("kind", DATABASES)
def test_a_hundred_mishaps_lose_nothing(kind: str, tmp_path: Path) -> None:
    run(kind, tmp_path, "tests", 100)


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", DATABASES)
def test_a_thousand_mishaps_lose_nothing(kind: str, tmp_path: Path) -> None:
    run(kind, tmp_path, "prove", 1000)

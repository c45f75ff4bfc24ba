"""A server at work: tables that run by themselves, servers that hear of each other, batches that fail."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from houseway.cli.system import SystemRuntime
from houseway.floor.bus import NoBus, PostgresBus
from houseway.floor.core import Floor
from houseway.floor.readmodels import ReadModels
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.players import Leave, Sit
from houseway.service.background import background_tasks, read_hints, run_beside
from houseway.service.health import Health
from houseway.service.live_views import Hub
from houseway.service.loop import FloorLoop, StoppingError
from houseway.store.log_check import verify_log
from houseway.store.memory import MemoryStore
from houseway.store.postgres import PostgresStore
from houseway.store.protocol import Batch
from houseway.store.sqlite import SqliteStore
from houseway.store.store_errors import OutcomeUnknownError, StaleError, StoreGoneError
from tests.floor.support import command, new_floor, two_tables
from tests.store.support import fresh_database

EVE = Actor("Eve", Role.PLAYER)
SOON = 10.0
"""Seconds after which a test gives up waiting."""


class Failing(MemoryStore):
    """A store that fails some times before it stores."""

    def __init__(self) -> None:
        super().__init__()
        self.failures: list[Exception] = []

    def append_batch(self, batch: Batch) -> None:
        if self.failures:
            raise self.failures.pop(0)
        super().append_batch(batch)


async def carried_out(floor: Floor, *commands: object) -> list[object]:
    loop = FloorLoop(floor, NoBus(), lambda _: None, SystemRuntime())
    work = asyncio.create_task(loop.run())
    answers = await asyncio.wait_for(asyncio.gather(*(loop.command("t1", one) for one in commands)), SOON)  # type: ignore[arg-type]
    loop.stop()
    await asyncio.wait_for(work, SOON)
    return [*answers]


def test_commands_that_arrive_together_are_one_batch() -> None:
    stored: list[int] = []

    class Counting(MemoryStore):
        def append_batch(self, batch: Batch) -> None:
            stored.append(len(batch.entries))
            super().append_batch(batch)

    floor = two_tables(new_floor(Counting()))
    stored.clear()
    sitting = [
        command(Actor(name, Role.PLAYER), Sit(at)) for at, name in ((3, "Bob"), (4, "Cleo"), (6, "Eve"))
    ]
    assert len(asyncio.run(carried_out(floor, *sitting))) == 3
    assert stored == [3]


@pytest.mark.parametrize(
    "failures",
    [
        [StaleError("somebody else was first")],
        [StoreGoneError("the database does not answer")],
        [OutcomeUnknownError("the connection was lost")],
        [StaleError("first"), StoreGoneError("then"), StaleError("again")],
    ],
)
def test_a_batch_that_fails_is_tried_again_and_answered_once(failures: list[Exception]) -> None:
    store = Failing()
    floor = two_tables(new_floor(store))
    version = floor.table("t1").head.version
    store.failures = failures
    (answer,) = asyncio.run(carried_out(floor, command(EVE, Sit(6))))
    assert answer.version == version + 1 == floor.table("t1").head.version  # type: ignore[attr-defined]


def test_who_comes_after_the_server_stops_is_told_so() -> None:
    async def late() -> None:
        loop = FloorLoop(two_tables(new_floor(MemoryStore())), NoBus(), lambda _: None, SystemRuntime())
        loop.stop()
        with pytest.raises(StoppingError):
            await loop.command("t1", command(EVE, Sit(6)))

    asyncio.run(late())


def test_a_slow_viewer_is_sent_the_latest_view_and_holds_nobody_up() -> None:
    async def watched() -> None:
        floor = two_tables(new_floor(MemoryStore()))
        hub = Hub(floor, SystemRuntime().monotonic)
        watching = hub.watch(EVE, "t1")
        first = await watching.next()
        loop = FloorLoop(floor, NoBus(), hub.show, SystemRuntime())
        work = asyncio.create_task(loop.run())
        for at, name in ((3, "Bob"), (4, "Cleo"), (6, "Eve")):
            await loop.command("t1", command(Actor(name, Role.PLAYER), Sit(at)))
        latest = await watching.next()
        assert latest.version == first.version + 3
        hub.leave(watching)
        assert not hub.viewers
        loop.stop()
        await work

    asyncio.run(watched())


def test_what_one_server_does_the_viewers_of_another_see() -> None:
    async def both(url: str) -> None:
        stores = [PostgresStore(url), PostgresStore(url)]
        floors = [two_tables(new_floor(stores[0], "one")), new_floor(stores[1], "other")]
        hub = Hub(floors[1], SystemRuntime().monotonic)
        buses = [PostgresBus(url), PostgresBus(url)]
        one = FloorLoop(floors[0], buses[0], lambda _: None, SystemRuntime())
        other = FloorLoop(floors[1], buses[1], hub.show, SystemRuntime())
        watching = hub.watch(EVE, "t1")
        before = await watching.next()
        work = asyncio.create_task(one.run())
        async with run_beside([one.send_hints, lambda: read_hints(buses[1], other)], SystemRuntime()):
            await one.command("t1", command(EVE, Sit(6)))
            after = await asyncio.wait_for(watching.next(), SOON)
            while after.version == before.version:
                after = await asyncio.wait_for(watching.next(), SOON)
            assert after.version == before.version + 1
        one.stop()
        await work
        for store in stores:
            store.close()

    with fresh_database() as url:
        asyncio.run(both(url))


def test_a_task_that_fails_is_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.service.background.LATE", 0.01)
    begun: list[int] = []

    async def failing() -> None:
        begun.append(len(begun))
        if len(begun) < 3:
            raise OSError("gone")
        await asyncio.sleep(SOON)

    async def watched() -> None:
        async with run_beside([failing], SystemRuntime()):
            while len(begun) < 3:
                await asyncio.sleep(0.01)

    asyncio.run(watched())
    assert begun == [0, 1, 2]


def test_read_models_are_kept_up_and_checkpoints_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.service.background.MODEL_INTERVAL", 0.01)
    monkeypatch.setattr("houseway.service.background.CHECKPOINT_INTERVAL", 0.05)
    store = MemoryStore()
    floor = two_tables(new_floor(store))
    models = ReadModels(store)

    async def tidied() -> None:
        loop = FloorLoop(floor, NoBus(), lambda _: None, SystemRuntime())
        hub, health = Hub(floor, loop.runtime.monotonic), Health(loop, None, loop.runtime)
        async with run_beside(background_tasks(loop, hub, models, NoBus(), health), loop.runtime):
            while not store.checkpoints():
                await asyncio.sleep(0.01)

    asyncio.run(tidied())
    assert models.catch_up() == 0


def test_models_that_fail_keep_no_checkpoint_from_being_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.service.background.MODEL_INTERVAL", 0.01)
    monkeypatch.setattr("houseway.service.background.CHECKPOINT_INTERVAL", 0.05)
    store = MemoryStore()
    floor = two_tables(new_floor(store))
    models = ReadModels(store)

    def failing(most: int | None = None) -> int:
        raise OSError("the rows of the models cannot be written", most)

    async def tidied() -> None:
        loop = FloorLoop(floor, NoBus(), lambda _: None, SystemRuntime())
        hub, health = Hub(floor, loop.runtime.monotonic), Health(loop, None, loop.runtime)
        async with run_beside(background_tasks(loop, hub, models, NoBus(), health), loop.runtime):
            while not store.checkpoints():
                await asyncio.sleep(0.01)

    monkeypatch.setattr(models, "catch_up", failing)
    asyncio.run(asyncio.wait_for(tidied(), SOON))


def test_reading_while_batches_are_stored_undoes_and_sees_nothing_halfway(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db")
    floor = two_tables(new_floor(store))
    models = ReadModels(store)

    async def both() -> None:
        loop = FloorLoop(floor, NoBus(), lambda _: None, SystemRuntime())
        work = asyncio.create_task(loop.run())

        async def coming_and_going(table: str, at: int) -> None:
            who = Actor(f"{table} {at}", Role.PLAYER)
            for _ in range(15):
                for action in (Sit(at), Leave(at)):
                    answer = await loop.command(table, command(who, action))
                    assert answer.version, answer

        async def reading() -> None:
            while not done.is_set():
                await loop.between(models.catch_up)
                await loop.between(lambda: verify_log(store))
                await asyncio.sleep(0)

        done = asyncio.Event()
        readers = asyncio.create_task(reading())
        await asyncio.gather(*(coming_and_going(table, at) for table in floor.tables for at in (3, 4, 6)))
        done.set()
        await readers
        loop.stop()
        await work

    asyncio.run(both())
    before = {name: floor.table(name).head for name in floor.tables}
    store.close()
    again = SqliteStore(tmp_path / "floor.db")
    verify_log(again)
    assert {name: new_floor(again).table(name).head for name in before} == before
    again.close()

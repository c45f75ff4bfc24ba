"""Every command is answered, in time or not at all; what a server cannot do, it says."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from houseway.cli.system import SystemRuntime
from houseway.floor.batches import Fault
from houseway.floor.bus import NoBus
from houseway.floor.core import Floor
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.players import Sit
from houseway.service.api import Server
from houseway.service.clock import FloorClock
from houseway.service.health import READ_WITHIN, STORED_WITHIN, TURNED_WITHIN, Health
from houseway.service.loop import TIME_LIMIT, FloorLoop
from houseway.store.entries import CommandId, Entry
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Batch
from houseway.store.store_errors import OutcomeUnknownError, StoreGoneError
from tests.floor.support import command, new_floor, two_tables
from tests.service.support import Person, served
from tests.support.runtime import NOON, TestRuntime

SIT = {"step": "sit", "position": 6}
ANN = Actor("Ann", Role.PLAYER)


class Unplugged(MemoryStore):
    """A store whose database can be away, or store a batch and not say so."""

    def __init__(self) -> None:
        super().__init__()
        self.away = self.full = self.mute = False

    def append_batch(self, batch: Batch) -> None:
        if self.away or self.full:
            raise StoreGoneError("the database does not answer")
        super().append_batch(batch)
        if self.mute:
            self.away = True
            raise OutcomeUnknownError("the connection was lost")

    def entries_of(self, commands: Sequence[CommandId]) -> Sequence[Entry]:
        if self.away:
            raise StoreGoneError("the database does not answer")
        return super().entries_of(commands)


@contextmanager
def unplugged() -> Iterator[tuple[Unplugged, Floor, TestClient, Server]]:
    store = Unplugged()
    floor = two_tables(new_floor(store))
    with served(floor) as (client, server):
        yield store, floor, client, server


def send(person: Person, name: str, action: Mapping[str, Any] = SIT, within: float = TIME_LIMIT) -> Any:
    body = {"id": name, "action": action, "within": within}
    return person.send("POST", "/api/v1/tables/t1/commands", body)


def test_a_command_whose_time_has_passed_is_refused_and_never_carried_out() -> None:
    with unplugged() as (store, floor, client, _):
        eve = Person(client, "Eve", Role.PLAYER)
        before, store.full = floor.table("t1").head, True
        late = send(eve, "one", within=0.1)
        assert late.status_code == 503 and "was not carried out" in late.json()["title"]
        assert late.headers["retry-after"]
        store.full = False
        assert send(eve, "two", {"step": "sit", "position": 99}).status_code in (400, 409)
        assert floor.table("t1").head == before and 6 not in floor.table("t1").table.seats
        again = send(eve, "one")
        assert again.status_code == 200 and again.json()["version"] == before.version + 1


def test_a_command_that_may_have_been_sent_before_is_not_said_to_be_undone() -> None:
    with unplugged() as (store, floor, client, _):
        eve = Person(client, "Eve", Role.PLAYER)
        first = send(eve, "one")
        store.away = True
        again = send(eve, "one", within=0.1)
        assert again.status_code == 504 and "ask again with this id" in again.json()["title"]
        store.away = False
        assert send(eve, "one").json() == first.json()
        assert floor.table("t1").head.version == first.json()["version"]


def test_a_command_of_which_nobody_knows_is_answered_so_and_asked_again_has_its_first_answer() -> None:
    with unplugged() as (store, floor, client, _):
        eve = Person(client, "Eve", Role.PLAYER)
        version, store.mute = floor.table("t1").head.version, True
        unknown = send(eve, "one", within=0.1)
        assert unknown.status_code == 504 and "ask again with this id" in unknown.json()["title"]
        store.away = store.mute = False
        again = send(eve, "one")
        assert again.status_code == 200 and again.json()["version"] == version + 1
        assert floor.table("t1").head.version == version + 1


@pytest.mark.parametrize(("within", "status"), [(-0.001, 400), (0, 503), (TIME_LIMIT, 200), (10.001, 400)])
def test_the_time_of_a_command_is_between_nothing_and_ten_seconds(within: float, status: int) -> None:
    assert TIME_LIMIT == 10
    with unplugged() as (_, _, client, _):
        assert send(Person(client, "Eve", Role.PLAYER), "one", within=within).status_code == status


def test_more_commands_than_can_wait_are_turned_away_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.service.loop.MOST_WAITING", 0)
    with unplugged() as (_, floor, client, _):
        before = floor.table("t1").head
        busy = send(Person(client, "Eve", Role.PLAYER), "one")
        assert busy.status_code == 503 and busy.headers["retry-after"] == "1"
        assert floor.table("t1").head == before


def test_a_thousand_commands_wait_and_no_more() -> None:
    async def waiting() -> None:
        loop = FloorLoop(two_tables(new_floor(MemoryStore())), NoBus(), lambda _: None, SystemRuntime())
        tasks = [asyncio.create_task(loop.command("t1", command(ANN, Sit(6)))) for _ in range(1_001)]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        assert loop.waiting == 1_000
        assert sum(task.done() for task in tasks) == 1 and tasks[-1].exception() is not None
        for task in tasks:
            task.cancel()

    asyncio.run(waiting())


def test_a_command_is_answered_though_the_database_hangs() -> None:
    runtime = TestRuntime()

    async def hanging() -> None:
        loop = FloorLoop(two_tables(new_floor(MemoryStore())), NoBus(), lambda _: None, runtime)
        pulse = asyncio.create_task(loop.pulse())
        answer = asyncio.create_task(loop.command("t1", command(ANN, Sit(6)), within=3))
        for _ in range(5):
            await asyncio.sleep(0.02)
            assert not answer.done()
            runtime.advance(1)
        assert (await answer).kind is Fault.UNKNOWN
        pulse.cancel()

    asyncio.run(hanging())


# --- whether a server is ready ------------------------------------------------------------------------


def failing(health: Health) -> list[str]:
    return [condition.name for condition in health.conditions() if not condition.holds]


def test_a_server_is_ready_only_while_every_condition_holds() -> None:
    runtime = TestRuntime()
    loop = FloorLoop(two_tables(new_floor(MemoryStore())), NoBus(), lambda _: None, runtime)
    health = Health(loop, None, runtime)
    assert failing(health) == ["serving"]
    health.serving = True
    assert health.ready
    for seconds, name in ((TURNED_WITHIN, "loop"), (STORED_WITHIN, "storage"), (READ_WITHIN, "read_models")):
        before = failing(health)
        runtime.passed = seconds - 0.01
        assert name not in failing(health)
        runtime.passed = seconds
        assert failing(health) == [*before, name]
    loop.turned_at = runtime.monotonic()
    health.note_write()
    health.note_models_current()
    assert health.ready
    health.note_write_failure("the disk is full")
    assert failing(health) == ["storage"]
    health.note_write()
    health.note_models_failure("no")
    assert health.ready, "read models may lag for a while"


@pytest.mark.parametrize(("behind", "ready"), [(59.9, True), (60, False), (60.1, False)])
def test_a_wall_clock_that_lies_a_minute_behind_the_floors_time_is_told(behind: float, ready: bool) -> None:
    runtime = TestRuntime()
    loop = FloorLoop(two_tables(new_floor(MemoryStore())), NoBus(), lambda _: None, runtime)
    clock = FloorClock(runtime, NOON + timedelta(seconds=behind))
    clock()
    health = Health(loop, clock, runtime)
    assert ("clock" not in failing(health)) is ready


def test_the_limits_of_a_ready_server_are_those_of_the_manual() -> None:
    runtime = TestRuntime()
    health = Health(FloorLoop(new_floor(MemoryStore()), NoBus(), lambda _: None, runtime), None, runtime)
    failures: dict[str, float] = {}
    for tenths in range(700):
        runtime.passed = tenths / 10
        for name in failing(health):
            failures.setdefault(name, runtime.passed)
    assert failures == {"serving": 0, "loop": 5, "storage": 15, "read_models": 60}


def test_a_server_that_cannot_store_says_so_and_is_ready_again_once_it_can() -> None:
    with unplugged() as (store, _, client, server):
        assert client.get("/ready").status_code == 200
        store.away = True
        send(Person(client, "Eve", Role.PLAYER), "one", within=0.1)
        unready = client.get("/ready")
        assert unready.status_code == 503 and unready.json()["failing"] == ["storage"]
        conditions = {one["name"]: one for one in client.get("/health").json()["conditions"]}
        assert "does not answer" in conditions["storage"]["says"]
        store.away = False
        assert send(Person(client, "Eve", Role.PLAYER), "two").status_code == 200
        assert client.get("/ready").status_code == 200 and server.health.ready
        text = Person(client, "Adi", Role.ADMINISTRATOR).send("GET", "/metrics").text
        assert 'houseway_batches_total{outcome="gone"}' in text
        assert 'houseway_batches_total{outcome="stored"} 1' in text
        assert 'houseway_condition{name="storage"} 1' in text


def test_a_server_whose_loop_has_ended_gives_itself_up() -> None:
    with unplugged() as (_, _, client, server):
        reasons: list[str] = []
        server.give_up = reasons.append
        server.loop.stop()
        for _ in range(300):
            if reasons:
                break
            client.get("/health")
            client.portal.call(asyncio.sleep, 0.02) if client.portal else None
        assert reasons[:1] == ["the loop has ended"]


def test_a_command_waits_for_few_of_those_who_read_between_two_batches() -> None:
    """However many strangers try to sign in at once, each of which reads and writes what is counted."""
    floor = two_tables(new_floor(MemoryStore()))
    order: list[str] = []

    async def play() -> None:
        loop = FloorLoop(floor, NoBus(), lambda _: None, TestRuntime())
        running = asyncio.create_task(loop.run())
        crowd = [asyncio.create_task(loop.between(lambda: order.append("stranger"))) for _ in range(100)]
        await asyncio.sleep(0)
        await loop.command("t1", command(ANN, Sit(6)))
        order.append("command")
        await asyncio.gather(*crowd)
        loop.stop()
        await running

    asyncio.run(play())
    assert order.index("command") <= 4
    assert order.count("stranger") == 100

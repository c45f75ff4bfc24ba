"""Every kind of work has threads of its own, so that none takes another's share."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import pytest

from houseway.cli.system import SystemRuntime
from houseway.floor.bus import NoBus
from houseway.floor.core import Floor
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.players import Sit
from houseway.runtime import Pool
from houseway.service.background import drive, read_hints
from houseway.service.driver import Driver
from houseway.service.leader import SoleLeader
from houseway.service.live_views import Hub
from houseway.service.loop import FloorLoop
from houseway.service.presence import PresenceTracker
from houseway.store.memory import MemoryStore
from tests.floor.support import command, new_floor, play, two_tables
from tests.service.crowd import PASSWORD
from tests.service.doors import API, Guarded, guarded
from tests.service.practising import PracticeWorld
from tests.support.runtime import TestRuntime

T = TypeVar("T")
HAND = {"cards": "As Ah Jk 9c 8d 7h 2s"}
NEW = {"id": "zoe", "name": "Zoe", "roles": ["manager"]}


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> list[Pool]:
    """Return the pools that are worked in from now on."""
    noted: list[Pool] = []
    for runtime in (SystemRuntime, TestRuntime):
        monkeypatch.setattr(runtime, "in_thread", _noting(noted, runtime.in_thread))
    return noted


def _noting(noted: list[Pool], real: Callable[..., Awaitable[T]]) -> Callable[..., Awaitable[T]]:
    async def in_thread(self: object, pool: Pool, work: Callable[[], T]) -> T:
        noted.append(pool)
        return await real(self, pool, work)

    return in_thread


ASKED: dict[str, tuple[set[Pool], Callable[[Guarded], Any]]] = {
    "sign in": ({Pool.FLOOR, Pool.PASSWORDS}, lambda floor: floor.anybody().sign_in("The Ann")),
    "come as a guest": ({Pool.FLOOR}, lambda floor: floor.anybody().send("POST", f"{API}/session/guest")),
    "choose a password": (
        {Pool.FLOOR, Pool.PASSWORDS},
        lambda floor: floor.somebody(Role.PLAYER, "Ann").send(
            "POST", f"{API}/me/password", {"old": PASSWORD, "new": "a staple of horses"}
        ),
    ),
    "add somebody": (
        {Pool.FLOOR, Pool.PASSWORDS},
        lambda floor: floor.add(floor.somebody(Role.ADMINISTRATOR, "ada"), NEW),
    ),
    "explain a hand": (
        {Pool.SLOW},
        lambda floor: floor.anybody().send("POST", f"{API}/games/pa-659a/hand", HAND),
    ),
    "replay a round": (
        {Pool.FLOOR, Pool.SLOW},
        lambda floor: floor.somebody(Role.SURVEILLANCE).send("GET", f"{API}/tables/t1/rounds/1/replay"),
    ),
}


@pytest.mark.parametrize("asked", ASKED)
def test_what_is_asked_is_worked_out_where_it_keeps_nobody_else_waiting(
    asked: str, pools: list[Pool]
) -> None:
    floor = two_tables(new_floor(MemoryStore()))
    play(floor, "t1", 1)
    expected, ask = ASKED[asked]
    with guarded(floor) as served:
        answer = ask(served)
        assert isinstance(answer, str) or answer.status_code < 300, answer.text
    assert expected <= set(pools) <= expected | {Pool.FLOOR, Pool.WAITING}


class AnotherLeads(SoleLeader):
    """Another server drives the tables."""

    def leads(self) -> bool:
        return False


def first_work(of: Callable[[FloorLoop, Floor], Coroutine[Any, Any, None]], pools: list[Pool]) -> Pool:
    """Return the pool in which a task works first."""

    async def work() -> Pool:
        floor = two_tables(new_floor(MemoryStore()))
        task = asyncio.create_task(of(FloorLoop(floor, NoBus(), lambda _: None, TestRuntime()), floor))
        for _ in range(100):
            await asyncio.sleep(0)
            if pools:
                break
        task.cancel()
        return pools[0]

    return asyncio.run(work())


def _tell_attendance(loop: FloorLoop, floor: Floor) -> Coroutine[Any, Any, None]:
    driver = Driver(floor, {}, floor.clock)
    presence = PresenceTracker(driver, Hub(floor, loop.runtime.monotonic), NoBus(), loop.runtime)
    presence.note_seen("Ann")
    return presence.announce()


TASKS: dict[str, Callable[[FloorLoop, Floor], Coroutine[Any, Any, None]]] = {
    "drive": lambda loop, floor: drive(Driver(floor, {}, floor.clock), loop, AnotherLeads()),
    "hear": lambda loop, _: read_hints(NoBus(), loop),
    "tell who is there": _tell_attendance,
}


@pytest.mark.parametrize("task", TASKS)
def test_what_mostly_waits_keeps_no_command_waiting(task: str, pools: list[Pool]) -> None:
    assert first_work(TASKS[task], pools) is Pool.WAITING


def test_commands_are_carried_out_in_one_thread_and_told_to_others_from_another(pools: list[Pool]) -> None:
    async def work() -> None:
        loop = FloorLoop(two_tables(new_floor(MemoryStore())), NoBus(), lambda _: None, TestRuntime())
        running, telling = asyncio.create_task(loop.run()), asyncio.create_task(loop.send_hints())
        await loop.command("t1", command(Actor("Ann", Role.PLAYER), Sit(6)))
        for _ in range(100):
            await asyncio.sleep(0)
        loop.stop()
        await running
        telling.cancel()

    asyncio.run(work())
    assert set(pools) == {Pool.FLOOR, Pool.WAITING}


def test_practice_keeps_nobody_waiting_at_a_licensed_table(pools: list[Pool]) -> None:
    world = PracticeWorld(plans={})
    asyncio.run(world.practice.loop.between(lambda: None))
    assert pools == [Pool.PRACTICE]

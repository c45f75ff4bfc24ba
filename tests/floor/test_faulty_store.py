"""A floor on a store that fails at every method, by chance: all is answered in time, and truly."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.floor.batches import LATE, Answer, Fault
from houseway.floor.bus import NoBus
from houseway.floor.core import Floor
from houseway.floor.streams import TableId
from houseway.floor.verification import verify_floor
from houseway.games import example_submission
from houseway.rng import SeededEntropy
from houseway.rounds.deciding import act
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor, Command
from houseway.rounds.steps.players import Leave, Sit
from houseway.runtime import BusyError, Pool
from houseway.service.health import Health
from houseway.service.loop import ANSWER_MARGIN, TIME_LIMIT, FloorLoop
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Batch, Store
from houseway.store.sqlite import SqliteStore
from houseway.store.store_errors import UnstorableError
from tests.floor.faulty_store import (
    SEATS,
    Client,
    Faults,
    FaultyStore,
    Figures,
    check_stored,
    faulty_sqlite,
    quiet,
    with_loops,
)
from tests.floor.support import NOON, SAFE, make_table, new_floor
from tests.support.runtime import PassingRuntime, run_in_passing_time

TABLES = ("t1", "t2")
LONG = 3600.0
"""Seconds of the passing time after which a test gives up waiting."""
AT_ONCE = 1.0
"""Seconds in which a command is answered that nothing stands in the way of."""


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with quiet():
        yield


# --- failures by chance -------------------------------------------------------------------------------


async def through_faults(store: Store, faults: Faults, commands: int, rate: float, servers: int) -> Figures:
    """Let clients command while the store fails, then without failures; check all that was answered.

    One server alone is slow too, now and then; of two, what one has not begun the other may be asked for.
    """
    chance, figures = faults.chance, Figures()

    def spent(_: Pool) -> tuple[float, float]:
        slow = servers == 1 and chance.random() < 0.02
        return (chance.random() * 5, chance.random() * 5) if slow else (chance.random() / 100, 0.0)

    runtime = PassingRuntime(spent)
    for table in TABLES:
        make_table(new_floor(store), table, example_submission("pa-575"))
    loops = [loop_on(store, runtime, str(number)) for number in range(servers)]
    clients = [Client(table, at, chance, figures) for table in TABLES for at in SEATS]

    async def scene() -> None:
        faults.rate = rate
        await asyncio.gather(*(client.go_on(loops, commands, patience=0.7) for client in clients))
        faults.end()
        async with asyncio.timeout(60):  # what is left of the failures passes soon
            await asyncio.gather(*(client.go_on(loops, 2, patience=1.0) for client in clients))

    async with asyncio.timeout(LONG * commands):
        await with_loops(loops, scene())
    check_stored(store, TABLES, figures)
    with store.picture() as picture:
        assert verify_floor(picture).total == 0
    figures.counts += faults.failures
    return figures


def loop_on(store: Store, runtime: PassingRuntime, seed: str = "1") -> FloorLoop:
    floor = Floor(store, lambda: NOON, SeededEntropy(seed), SAFE)
    return FloorLoop(floor, NoBus(), lambda _: None, runtime)


def through_faults_in_memory(seed: str, commands: int, rate: float, servers: int) -> Figures:
    faults = Faults(random.Random(seed))
    return run_in_passing_time(through_faults(FaultyStore(faults), faults, commands, rate, servers))


def through_faults_on_disk(path: Path, patch: pytest.MonkeyPatch, commands: int, rate: float) -> Figures:
    faults = Faults(random.Random(str(commands)))
    store = faulty_sqlite(path, faults, patch)
    try:
        return run_in_passing_time(through_faults(store, faults, commands, rate, 1))
    finally:
        store.close()


@pytest.mark.parametrize("servers", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_whatever_the_store_fails_at_every_command_is_answered_once_and_truly(
    seed: int, servers: int
) -> None:
    figures = through_faults_in_memory(str(seed), 60, 0.1, servers)
    assert len(figures.answers) > 500 and figures.counts["unknown"]


def test_whatever_the_disk_fails_at_every_command_is_answered_once_and_truly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = through_faults_on_disk(tmp_path / "floor.db", monkeypatch, 36, 0.05)
    assert len(figures.answers) > 200 and figures.counts["unknown"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("servers", [1, 2])
@pytest.mark.parametrize("rate", [0.02, 0.1, 0.3])
def test_a_hundred_thousand_commands_on_stores_that_fail(rate: float, servers: int) -> None:
    total = Figures()
    for seed in range(30):
        total.counts += through_faults_in_memory(f"{rate} {seed}", 60, rate, servers).counts
    print(dict(total.counts))
    assert total.counts["sent"] == 30 * 620


@pytest.mark.exhaustive
def test_thousands_of_commands_on_a_disk_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figures = through_faults_on_disk(tmp_path / "floor.db", monkeypatch, 36, 0.05)
    print(dict(figures.counts))
    assert figures.counts["sent"] == 5020


@pytest.mark.parametrize(
    ("pragma", "undone"),
    [("max_page_count = 1", "max_page_count = 1000000"), ("query_only = on", "query_only = off")],
)
def test_on_a_full_or_read_only_disk_commands_are_answered_in_time_and_never_carried_out(
    tmp_path: Path, pragma: str, undone: str
) -> None:
    store = SqliteStore(tmp_path / "floor.db")
    make_table(new_floor(store), "t0", example_submission("pa-575"))

    async def scene() -> None:
        runtime = PassingRuntime()
        loop = loop_on(store, runtime)
        health = Health(loop, None, runtime)
        health.serving = True

        async def send() -> None:
            command = sit("t0", 2)[1]
            assert (await loop.command("t0", command)).version
            for number in range(100):  # until there is no room in the pages there are
                store._connection.execute(f"PRAGMA {pragma}")
                begun = runtime.monotonic()
                action = Sit(2) if number % 2 else Leave(2)
                answer = await loop.command("t0", Command(command.by, action, id=f"full {number}"))
                if not answer.version:
                    break
            assert (answer.kind, answer.fault) == (Fault.LATE, LATE)
            assert runtime.monotonic() - begun <= TIME_LIMIT + ANSWER_MARGIN
            failing = {
                condition.name: condition.says for condition in health.conditions() if not condition.holds
            }
            assert "storage" in failing and "OperationalError" in failing["storage"]
            store._connection.execute(f"PRAGMA {undone}")
            assert (await loop.command(*sit("t0", 3))).version
            assert answer.command not in {entry.command for _, entry in store.everything()}
            assert not loop.failure

        await with_loops([loop], send())

    run_in_passing_time(scene())
    store.close()


# --- one command that goes wrong ----------------------------------------------------------------------


class Particular(MemoryStore):
    """A store that takes everything but a batch with the command ``poison``."""

    def append_batch(self, batch: Batch) -> None:
        if any(entry.command == "poison" for entry in batch.entries):
            raise UnstorableError("the database cannot hold this")
        super().append_batch(batch)


def among_others(store: MemoryStore, poison: Callable[[FloorLoop], Command]) -> tuple[Answer, float]:
    """Send something at which the program fails before eighty good commands; return its answer.

    Also how many seconds the last of the others waited for theirs.
    """
    tables = [f"t{number}" for number in range(16)]
    for table in tables:
        make_table(new_floor(store), table, example_submission("pa-575"))

    async def scene() -> tuple[Answer, float]:
        loop = loop_on(store, PassingRuntime(lambda _: (0.01, 0.0)))
        bad = poison(loop)
        answers: list[Answer] = []
        waits: list[float] = []

        async def send() -> None:
            begun = loop.runtime.monotonic()
            first = asyncio.ensure_future(loop.command("t0", bad))
            rest = [sit(table, at) for table in tables for at in SEATS if (table, at) != ("t0", SEATS[0])]
            for answer in await asyncio.gather(*(loop.command(*one) for one in rest)):
                assert answer.version, answer
            waits.append(loop.runtime.monotonic() - begun)
            answers.append(await first)

        await with_loops([loop], send())
        return answers[0], waits[0]

    return run_in_passing_time(scene())


def sit(table: TableId, at: int, name: str = "") -> tuple[TableId, Command]:
    by = Actor(f"{table} {at}", Role.PLAYER)
    return table, Command(by, Sit(at), id=name or f"{by.id} sits")


POISON = sit("t0", SEATS[0], "poison")[1]


def test_a_command_the_program_fails_over_is_answered_and_nobody_else_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(*what: Any) -> Any:
        if what[2].id == "poison":
            raise ZeroDivisionError
        return act(*what)

    monkeypatch.setattr("houseway.floor.turns.act", failing)
    answer, waited = among_others(MemoryStore(), lambda _: POISON)
    assert answer.kind is Fault.BROKEN and answer.fault and waited < AT_ONCE


def test_a_command_that_cannot_be_stored_is_answered_and_nobody_else_waits() -> None:
    answer, waited = among_others(Particular(), lambda _: POISON)
    assert answer.kind is Fault.BROKEN and answer.fault and waited < AT_ONCE


@pytest.mark.parametrize("emptied", [b"", b"null", b"\xff", b'{"command":"poison"}'])
def test_an_answer_in_the_log_that_is_none_stops_nobody(emptied: bytes) -> None:
    store = MemoryStore()

    def carried_out_before(loop: FloorLoop) -> Command:
        loop.floor.submit("t0", POISON)
        loop.floor.run()
        last = store._entries[-1]
        assert last.command == "poison"
        store._entries[-1] = replace(last, answer=emptied)
        return POISON

    answer, waited = among_others(store, carried_out_before)
    assert (answer.kind, answer.version) == (Fault.UNREADABLE, 0) and waited < AT_ONCE
    assert "was carried out" in answer.fault


def test_a_table_whose_decks_cannot_be_read_for_a_moment_is_opened_at_the_next_command() -> None:
    class Once(MemoryStore):
        failures = 1

        def sealed_decks(self, stream: str) -> Any:
            self.failures -= 1
            if self.failures >= 0:
                raise RuntimeError("a mistake of the program")
            return super().sealed_decks(stream)

    answer, _ = among_others(Once(), lambda _: POISON)
    assert answer.kind is Fault.UNKNOWN or answer.version


def test_a_view_that_fails_does_not_end_the_loop() -> None:
    store = MemoryStore()
    make_table(new_floor(store), "t0", example_submission("pa-575"))

    def fail(_: object) -> None:
        raise ZeroDivisionError

    async def scene() -> None:
        floor = Floor(store, lambda: NOON, SeededEntropy("1"), SAFE)
        loop = FloorLoop(floor, NoBus(), fail, PassingRuntime())

        async def send() -> None:
            for at in SEATS:
                assert (await loop.command(*sit("t0", at))).version
            by = Actor(f"t0 {SEATS[0]}", Role.PLAYER)
            assert (await loop.command("t0", Command(by, Leave(SEATS[0]), id="leave"))).version

        await with_loops([loop], send())

    run_in_passing_time(scene())


def test_without_threads_commands_wait_and_the_event_loop_goes_on() -> None:
    store = MemoryStore()
    make_table(new_floor(store), "t0", example_submission("pa-575"))

    class Crowded(PassingRuntime):
        refusals = 20

        async def in_thread(self, pool: Pool, work: Callable[[], Any]) -> Any:
            self.refusals -= 1
            if self.refusals >= 0:
                raise BusyError("too much waits") if self.refusals % 2 else RuntimeError("no new threads")
            return await super().in_thread(pool, work)

    async def scene() -> None:
        loop = loop_on(store, Crowded())

        async def send() -> None:
            assert (await loop.command(*sit("t0", 3))).kind is Fault.LATE
            async with asyncio.timeout(LONG):
                while not (await loop.command(*sit("t0", 3))).version:
                    pass

        await with_loops([loop], send())

    run_in_passing_time(scene())

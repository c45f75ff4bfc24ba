"""The way of a command: it is queued once, decided once, and each of its events is folded once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from houseway.cli.system import SystemRuntime
from houseway.floor.bus import NoBus
from houseway.floor.core import Floor
from houseway.money import cents
from houseway.rounds import deciding
from houseway.rounds.roles import Role
from houseway.rounds.state import Table
from houseway.rounds.step import Actor, AnEvent, Command
from houseway.rounds.steps.wagers import PlaceWagers
from houseway.service.loop import FloorLoop
from houseway.store.memory import MemoryStore
from tests.floor.support import new_floor, play, two_tables

WAGERS = {"main": cents("$10"), "progressive": cents("$1")}


def floor_and_wager() -> tuple[Floor, Command]:
    """Return a floor whose table t1 waits for bets, and a wager there."""
    floor = two_tables(new_floor(MemoryStore()))
    play(floor, "t1", 1)
    at, seat = min(floor.table("t1").table.seats.items())
    return floor, Command(Actor(seat.person, Role.PLAYER), PlaceWagers(at, WAGERS), id="a wager")


def test_each_command_of_a_round_is_decided_once_and_each_event_folded_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    floor, _ = floor_and_wager()
    decided, folded = Counter[str](), Counter[int]()
    carry_out: Callable[..., Any] = deciding._carry_out
    evolve = deciding.evolve

    def count_decisions(rules: object, table: Table, command: Command, moment: object) -> object:
        decided[command.id] += 1
        return carry_out(rules, table, command, moment)

    def count_folds(table: Table, event: AnEvent) -> Table:
        folded[event.seq] += 1
        return evolve(table, event)

    monkeypatch.setattr(deciding, "_carry_out", count_decisions)
    monkeypatch.setattr(deciding, "evolve", count_folds)
    before = floor.table("t1")
    play(floor, "t1", 1)
    after = floor.table("t1")
    assert len(decided) == after.head.version - before.head.version and set(decided.values()) == {1}
    assert len(folded) == after.table.seq - before.table.seq and set(folded.values()) == {1}


def test_a_command_that_is_served_waits_in_the_queue_of_the_floor_and_in_no_other() -> None:
    async def served() -> None:
        floor, wager = floor_and_wager()
        loop = FloorLoop(floor, NoBus(), lambda _: None, SystemRuntime())
        answer = asyncio.create_task(loop.command("t1", wager))
        await asyncio.sleep(0)
        assert (floor.waiting, loop.waiting) == (1, 1)
        loop.stop()
        await loop.run()
        assert (await answer).done
        assert floor.waiting == 0

    asyncio.run(served())

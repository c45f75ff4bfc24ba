"""A wall clock that is set: tables go on, no stream runs backwards, and it is put on record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from houseway.cli.system import SystemRuntime
from houseway.floor.bodies import read_body
from houseway.floor.core import Floor
from houseway.floor.setup_events import ClockStepped
from houseway.floor.streams import SETUP
from houseway.floor.verification import verify_floor
from houseway.games import example_submission
from houseway.rng import SeededEntropy
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.players import Sit
from houseway.service.alerts import clock_alerts, thresholds
from houseway.service.api import make_app
from houseway.service.clock import STEP, FloorClock, latest_moment, pace_clock
from houseway.service.server_setup import build_server
from houseway.service.table_plans import HousePlayer, Pace, TablePlan
from houseway.store.memory import MemoryStore
from tests.floor.support import SAFE, command, make_table
from tests.support.runtime import NOON, TestRuntime

HOUR = timedelta(hours=1)
PLAN = TablePlan(players={2: HousePlayer("Bea"), 5: HousePlayer("Cal")}, pace=Pace(0, 0, 0))


class Wall:
    """A wall clock and one that only goes forward, each set by hand."""

    def __init__(self) -> None:
        self.offset = timedelta()
        self.runtime = TestRuntime()
        self.runtime.clock = lambda: NOON + timedelta(seconds=self.runtime.passed) + self.offset

    def pass_by(self, seconds: float) -> None:
        self.runtime.advance(seconds)


def test_the_time_of_a_floor_is_the_walls_as_long_as_nobody_sets_it() -> None:
    wall = Wall()
    clock = FloorClock(wall.runtime)
    for seconds in (0, 1, 3600, 0.001):
        wall.pass_by(seconds)
        assert clock() == wall.runtime.now()
    assert clock.steps == []


def test_after_a_step_back_time_goes_on_at_half_its_speed_until_the_wall_has_caught_up() -> None:
    wall = Wall()
    clock = FloorClock(wall.runtime)
    wall.offset = -HOUR
    assert clock() == NOON
    wall.pass_by(3600)
    assert clock() == NOON + HOUR / 2
    assert clock.apart == HOUR / 2
    wall.pass_by(3600)
    assert clock() == NOON + HOUR == wall.runtime.now()
    (step,) = clock.steps
    assert step.expected - step.shown == HOUR


def test_after_a_step_forward_time_goes_with_the_wall() -> None:
    wall = Wall()
    clock = FloorClock(wall.runtime)
    wall.offset = HOUR
    assert clock() == NOON + HOUR
    clock()
    assert len(clock.steps) == 1


@pytest.mark.parametrize(("seconds", "steps"), [(4.9, 0), (5.0, 0), (5.1, 1), (-5.0, 0), (-5.1, 1)])
def test_a_step_is_more_than_five_seconds_either_way(seconds: float, steps: int) -> None:
    assert timedelta(seconds=5) == STEP
    wall = Wall()
    clock = FloorClock(wall.runtime)
    wall.offset = timedelta(seconds=seconds)
    clock()
    assert len(clock.steps) == steps


def test_a_server_that_starts_with_its_clock_set_back_goes_on_from_the_last_entry() -> None:
    store = MemoryStore()
    make_table(
        Floor(store, lambda: NOON + HOUR, SeededEntropy("clock"), SAFE), "t", example_submission("pa-575")
    )
    wall = Wall()
    clock = FloorClock(wall.runtime, latest_moment(store))
    assert clock() == NOON + HOUR and len(clock.steps) == 1


def test_of_two_servers_whose_clocks_differ_neither_writes_before_the_other() -> None:
    store, ahead, behind = MemoryStore(), Wall(), Wall()
    ahead.offset = timedelta(seconds=3)
    first = Floor(store, FloorClock(ahead.runtime), SeededEntropy("first"), SAFE)
    make_table(first, "t", example_submission("pa-575"))
    clock = FloorClock(behind.runtime)
    second = Floor(store, clock, SeededEntropy("second"), SAFE)
    second.follow = clock.follow
    second.table("t")
    for floor, person, at in ((first, "Ann", 2), (second, "Bob", 3), (first, "Cat", 4), (second, "Dan", 5)):
        floor.submit("t", command(Actor(person, Role.PLAYER), Sit(at)))
        (answer,) = floor.run()
        assert answer.done, answer
    with store.picture() as picture:
        verify_floor(picture)


def test_pacing_never_looks_at_the_wall() -> None:
    wall = Wall()
    pace = pace_clock(wall.runtime)
    before = pace()
    wall.offset = -HOUR
    wall.pass_by(2)
    assert pace() - before == timedelta(seconds=2)


class Jumping(SystemRuntime):
    """The real clocks, but somebody sets the wall's."""

    offset = timedelta()

    def now(self) -> datetime:
        return super().now() + self.offset


def test_automated_tables_play_on_when_the_clock_is_set_back_an_hour_and_it_is_on_record() -> None:
    runtime, store = Jumping(), MemoryStore()
    floor = Floor(store, FloorClock(runtime), SeededEntropy("clock"), SAFE)
    make_table(floor, "t", example_submission("pa-575"))
    server = build_server(floor, {"t": PLAN}, runtime)
    app = make_app(server)

    async def until(holds: Callable[[], bool]) -> None:
        for _ in range(1_000):
            if holds():
                return
            await asyncio.sleep(0.02)
        raise AssertionError("it never comes to that")

    def rounds() -> int:
        return floor.table("t").table.rounds

    async def played() -> None:
        async with app.router.lifespan_context(app):
            await until(lambda: rounds() >= 1)
            runtime.offset, before = -HOUR, rounds()
            await until(lambda: rounds() >= before + 2)
            await until(lambda: floor.house.stepped is not None)

    asyncio.run(played())
    bodies = [read_body(entry) for entry in store.tails({SETUP: 0})]
    steps = [body for body in bodies if isinstance(body, ClockStepped)]
    assert len(steps) == 1 and HOUR - STEP < steps[0].expected - steps[0].shown < HOUR + STEP
    now = steps[0].at
    (alert,) = clock_alerts(steps, thresholds(), now)
    assert alert.alert == "clock_set" and alert.since == now
    hours = timedelta(hours=thresholds().clock_set.hours)
    assert list(clock_alerts(steps, thresholds(), now + hours - STEP))
    assert not list(clock_alerts(steps, thresholds(), now + hours))
    for stream in store.heads():
        moments = [read_body(entry).at for entry in store.tails({stream: 0})]
        assert moments == sorted(moments)

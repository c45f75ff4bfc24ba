"""What a server does besides answering: driving tables, hearing of other servers, keeping read models up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

from houseway.floor.bus import Bus, NoBus, PeopleHint, StreamHint
from houseway.floor.core import Floor
from houseway.floor.house import note_clock
from houseway.floor.readmodels import ReadModels
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.runtime import BusyError, Pool, Runtime
from houseway.service.attending import Attendance
from houseway.service.clock import ClockStep, FloorClock
from houseway.service.driver import Driver
from houseway.service.health import Health
from houseway.service.leading import Leading
from houseway.service.live import Hub
from houseway.service.loop import FloorLoop, StoppedError
from houseway.service.model_upkeep import caught_up
from houseway.store.checkpoints import take_checkpoint
from houseway.store.store_errors import StoreError

LOG: Final = logging.getLogger("houseway.service")
Task = Callable[[], Coroutine[Any, Any, None]]
SOON: Final = 0.02
"""Seconds between two looks at what is due, at least."""
LATE: Final = 1.0
"""Seconds after which a driver looks again though nothing was due; others may have changed a table."""
HEARING: Final = 1.0
"""Seconds after which the floor itself is asked what has changed: a hint that was lost only delays."""
METERS: Final = 1.0
TIDYING: Final = 2.0
CHECKPOINTS: Final = 15 * 60.0
"""Seconds between two checkpoints."""
PROBING: Final = 5.0
"""Seconds between two writes that say nothing, so that it is known whether the database takes any."""
WATCHING: Final = 1.0
CLOCK_KEEPER: Final = Actor("houseway clock", Role.SENSOR)
"""By whom it is put on record that the wall clock was set."""


async def drive(driver: Driver, loop: FloorLoop, leading: Leading) -> None:
    """Carry out what automated people do, when it is due, as long as no other server does."""
    runtime, asked, leads = loop.runtime, -LATE, False
    while True:
        if runtime.monotonic() - asked >= LATE:
            asked, leads = runtime.monotonic(), await runtime.in_thread(Pool.WAITING, leading.leads)
        wait = await _driven(driver, loop) if leads else LATE
        await runtime.sleep(min(LATE, max(SOON, wait)))


async def _driven(driver: Driver, loop: FloorLoop) -> float:
    """Do what is due now, all of it in one batch; return after how many seconds something is due again."""
    due = driver.due(driver.clock())
    for answer in await asyncio.gather(*(loop.command(table, command) for table, command in due)):
        refusal = driver.answered(answer)
        if refusal is not None:
            LOG.warning("an automatic step was refused: %s %s", refusal.table, refusal.command.action.step)
    at = driver.next_at(driver.clock())
    return LATE if at is None else (at - driver.clock()).total_seconds()


async def hear(bus: Bus, loop: FloorLoop, attendance: Attendance | None = None) -> None:
    """Read what other servers have done: as they hint at it, and anyway from time to time."""
    runtime = loop.runtime
    looked = runtime.monotonic()
    while True:
        began = runtime.monotonic()
        hints = await runtime.in_thread(Pool.WAITING, lambda: list(bus.listen(HEARING)))
        changed = [hint for hint in hints if isinstance(hint, StreamHint)]
        if changed:
            await loop.heard(changed)
        if attendance is not None:
            for hint in hints:
                if isinstance(hint, PeopleHint):
                    attendance.heard(hint)
        if runtime.monotonic() - looked >= HEARING:
            looked = runtime.monotonic()
            await loop.look_around()
        if not hints and runtime.monotonic() - began < HEARING / 2:
            await runtime.sleep(HEARING)  # nobody was listened to: the database is away


async def show_meters(hub: Hub, runtime: Runtime) -> None:
    """Show how meters stand at all the tables that share them, a few times in the time of a round."""
    while True:
        await runtime.sleep(METERS)
        hub.show_meters()


async def keep_models(models: ReadModels, loop: FloorLoop, health: Health) -> None:
    """Keep read models up, a few entries at a time: commands that wait are carried out meanwhile."""
    while True:
        await loop.runtime.sleep(TIDYING)
        try:
            await caught_up(models, loop)
        except (StoreError, BusyError) as error:
            health.failed_to_read_up(str(error))
        except Exception:
            health.failed_to_read_up("read models cannot be kept up: see the log")
            raise
        else:
            health.read_up()


async def keep_checkpoints(loop: FloorLoop) -> None:
    """Write a checkpoint now and then, whatever becomes of read models."""
    while True:
        await loop.runtime.sleep(CHECKPOINTS)
        await loop.between(lambda: take_checkpoint(loop.floor.store, loop.floor.clock()))


async def probe_storage(loop: FloorLoop, health: Health) -> None:
    """See whether the database takes writes, also while nobody commands anything."""
    while True:
        try:
            await loop.between(loop.floor.store.probe)
        except (StoreError, BusyError) as error:
            health.failed_to_write(str(error))
        else:
            health.wrote()
        await loop.runtime.sleep(PROBING)


async def watch_clock(clock: FloorClock, loop: FloorLoop) -> None:
    """Put on record that the wall clock was set."""
    while True:
        clock()
        for step in [*clock.steps]:
            LOG.error("the wall clock was set from %s to %s", step.expected, step.shown)
            await loop.between(partial(_note_step, loop.floor, step))
            clock.steps.remove(step)  # a database that is away is told later
        await loop.runtime.sleep(WATCHING)


def _note_step(floor: Floor, step: ClockStep) -> None:
    floor.set_up(lambda house, now: note_clock(house, step.expected, step.shown, CLOCK_KEEPER, now))


def tasks_of(
    loop: FloorLoop,
    hub: Hub,
    models: ReadModels | None,
    bus: Bus,
    health: Health | None,
    clock: FloorClock | None = None,
    driver: Driver | None = None,
    leading: Leading | None = None,
    attendance: Attendance | None = None,
) -> list[Task]:
    """Return what a server of a floor does besides answering."""
    tasks: list[Task] = [loop.pulse, lambda: show_meters(hub, loop.runtime)]
    if models is not None and health is not None:
        tasks += [
            lambda: keep_models(models, loop, health),
            lambda: keep_checkpoints(loop),
            lambda: probe_storage(loop, health),
        ]
    if clock is not None:
        tasks.append(lambda: watch_clock(clock, loop))
    if not isinstance(bus, NoBus):
        tasks += [loop.tell, lambda: hear(bus, loop, attendance)]
    if driver is not None and leading is not None:
        tasks.append(lambda: drive(driver, loop, leading))
    if attendance is not None:
        tasks.append(attendance.tell)
    return tasks


@asynccontextmanager
async def running(tasks: Sequence[Task], runtime: Runtime) -> AsyncIterator[None]:
    """Run tasks beside whatever is done meanwhile; one that fails is begun again, and is heard of."""
    begun = [asyncio.create_task(_again_and_again(task, runtime)) for task in tasks]
    try:
        yield
    finally:
        for one in begun:
            one.cancel()
        await asyncio.gather(*begun, return_exceptions=True)


async def _again_and_again(task: Task, runtime: Runtime) -> None:
    while True:
        try:
            await task()
        except StoppedError:
            return
        except (StoreError, BusyError) as error:
            LOG.warning("a task of the server waits: %s", error)
        except Exception:
            LOG.exception("a task of the server failed and is begun again")
        await runtime.sleep(LATE)

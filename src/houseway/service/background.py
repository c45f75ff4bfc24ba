"""Background tasks of a server: driving tables, reading other servers' changes, updating read models."""

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
from houseway.service.clock import ClockStep, FloorClock
from houseway.service.driver import Driver
from houseway.service.health import Health
from houseway.service.leader import Leader
from houseway.service.live_views import Hub
from houseway.service.loop import FloorLoop, StoppingError
from houseway.service.model_upkeep import catch_up_models
from houseway.service.presence import PresenceTracker
from houseway.store.checkpoints import take_checkpoint
from houseway.store.store_errors import StoreError

LOG: Final = logging.getLogger("houseway.service")
BackgroundTask = Callable[[], Coroutine[Any, Any, None]]
SOON: Final = 0.02
"""The shortest time, in seconds, between two looks at what is due."""
LATE: Final = 1.0
"""Seconds after which the driver looks again though nothing was due: other servers may change tables."""
HINT_INTERVAL: Final = 1.0
"""Seconds between two looks at the floor itself for changes, since hints may be lost."""
METER_INTERVAL: Final = 1.0
MODEL_INTERVAL: Final = 2.0
CHECKPOINT_INTERVAL: Final = 15 * 60.0
"""Seconds between two checkpoints."""
PROBE_INTERVAL: Final = 5.0
"""Seconds between two empty writes that test the database."""
CLOCK_INTERVAL: Final = 1.0
CLOCK_KEEPER: Final = Actor("houseway clock", Role.SENSOR)
"""The actor who records that the wall clock was set."""


async def drive(driver: Driver, loop: FloorLoop, leader: Leader) -> None:
    """Carry out the commands of automated actors when they are due, while this server leads."""
    runtime, checked_at, leads = loop.runtime, -LATE, False
    while True:
        if runtime.monotonic() - checked_at >= LATE:
            checked_at, leads = runtime.monotonic(), await runtime.in_thread(Pool.WAITING, leader.leads)
        wait = await _drive_once(driver, loop) if leads else LATE
        await runtime.sleep(min(LATE, max(SOON, wait)))


async def _drive_once(driver: Driver, loop: FloorLoop) -> float:
    """Carry out what is due now in one batch; return the seconds until the next command is due."""
    due = driver.due(driver.clock())
    for answer in await asyncio.gather(*(loop.command(table, command) for table, command in due)):
        refusal = driver.take_answer(answer)
        if refusal is not None:
            LOG.warning("an automatic step was refused: %s %s", refusal.table, refusal.command.action.step)
    at = driver.next_at(driver.clock())
    return LATE if at is None else (at - driver.clock()).total_seconds()


async def read_hints(bus: Bus, loop: FloorLoop, presence: PresenceTracker | None = None) -> None:
    """Read what other servers have done: after each of their hints, and regularly in case one is lost."""
    runtime = loop.runtime
    looked_at = runtime.monotonic()
    while True:
        began = runtime.monotonic()
        hints = await runtime.in_thread(Pool.WAITING, lambda: list(bus.listen(HINT_INTERVAL)))
        changed = [hint for hint in hints if isinstance(hint, StreamHint)]
        if changed:
            await loop.read_changes(changed)
        if presence is not None:
            for hint in hints:
                if isinstance(hint, PeopleHint):
                    presence.take_hint(hint)
        if runtime.monotonic() - looked_at >= HINT_INTERVAL:
            looked_at = runtime.monotonic()
            await loop.look_around()
        if not hints and runtime.monotonic() - began < HINT_INTERVAL / 2:
            await runtime.sleep(HINT_INTERVAL)  # listening failed at once: the database is away


async def show_meters(hub: Hub, runtime: Runtime) -> None:
    """Show changed meters at all tables that share them, every second."""
    while True:
        await runtime.sleep(METER_INTERVAL)
        hub.show_meters()


async def keep_models(models: ReadModels, loop: FloorLoop, health: Health) -> None:
    """Keep read models up to date, a few entries at a time, so that commands are not delayed."""
    while True:
        await loop.runtime.sleep(MODEL_INTERVAL)
        try:
            await catch_up_models(models, loop)
        except (StoreError, BusyError) as error:
            health.note_models_failure(str(error))
        except Exception:
            health.note_models_failure("read models cannot be kept up: see the log")
            raise
        else:
            health.note_models_current()


async def keep_checkpoints(loop: FloorLoop) -> None:
    """Write a checkpoint regularly, even while read models fail."""
    while True:
        await loop.runtime.sleep(CHECKPOINT_INTERVAL)
        await loop.between(lambda: take_checkpoint(loop.floor.store, loop.floor.clock()))


async def probe_storage(loop: FloorLoop, health: Health) -> None:
    """Test regularly whether the database takes writes, also while no command arrives."""
    while True:
        try:
            await loop.between(loop.floor.store.probe)
        except (StoreError, BusyError) as error:
            health.note_write_failure(str(error))
        else:
            health.note_write()
        await loop.runtime.sleep(PROBE_INTERVAL)


async def watch_clock(clock: FloorClock, loop: FloorLoop) -> None:
    """Record each time that the wall clock was set."""
    while True:
        clock()
        for step in [*clock.steps]:
            LOG.error("the wall clock was set from %s to %s", step.expected, step.shown)
            await loop.between(partial(_note_step, loop.floor, step))
            clock.steps.remove(step)  # only once it is recorded: the database may be away
        await loop.runtime.sleep(CLOCK_INTERVAL)


def _note_step(floor: Floor, step: ClockStep) -> None:
    floor.set_up(lambda house, now: note_clock(house, step.expected, step.shown, CLOCK_KEEPER, now))


def background_tasks(
    loop: FloorLoop,
    hub: Hub,
    models: ReadModels | None,
    bus: Bus,
    health: Health | None,
    clock: FloorClock | None = None,
    driver: Driver | None = None,
    leader: Leader | None = None,
    presence: PresenceTracker | None = None,
) -> list[BackgroundTask]:
    """Return the background tasks of a server, for those of its parts that are given."""
    tasks: list[BackgroundTask] = [loop.pulse, lambda: show_meters(hub, loop.runtime)]
    if models is not None and health is not None:
        tasks += [
            lambda: keep_models(models, loop, health),
            lambda: keep_checkpoints(loop),
            lambda: probe_storage(loop, health),
        ]
    if clock is not None:
        tasks.append(lambda: watch_clock(clock, loop))
    if not isinstance(bus, NoBus):
        tasks += [loop.send_hints, lambda: read_hints(bus, loop, presence)]
    if driver is not None and leader is not None:
        tasks.append(lambda: drive(driver, loop, leader))
    if presence is not None:
        tasks.append(presence.announce)
    return tasks


@asynccontextmanager
async def run_beside(tasks: Sequence[BackgroundTask], runtime: Runtime) -> AsyncIterator[None]:
    """Run tasks in the background within the context; one that fails is logged and restarted."""
    started = [asyncio.create_task(_restart_forever(task, runtime)) for task in tasks]
    try:
        yield
    finally:
        for task in started:
            task.cancel()
        await asyncio.gather(*started, return_exceptions=True)


async def _restart_forever(task: BackgroundTask, runtime: Runtime) -> None:
    while True:
        try:
            await task()
        except StoppingError:
            return
        except (StoreError, BusyError) as error:
            LOG.warning("a task of the server waits: %s", error)
        except Exception:
            LOG.exception("a task of the server failed and is begun again")
        await runtime.sleep(LATE)

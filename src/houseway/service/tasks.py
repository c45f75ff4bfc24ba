"""What a server does besides answering: driving tables, hearing of other servers, keeping read models up."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from houseway.floor.bus import Bus, Changed, Heard, NoBus
from houseway.floor.readmodels import ReadModels
from houseway.service.attending import Attendance
from houseway.service.driver import Driver
from houseway.service.leading import Alone, Leading
from houseway.service.live import Hub
from houseway.service.loop import FloorLoop, StoppedError
from houseway.service.model_upkeep import caught_up
from houseway.store.checkpoints import take_checkpoint

LOG: Final = logging.getLogger("houseway.service")
Clock = Callable[[], datetime]
Task = Callable[[], Coroutine[Any, Any, None]]
SOON: Final = 0.02
"""Seconds between two looks at what is due, at least."""
LATE: Final = 1.0
"""Seconds after which a driver looks again though nothing was due; others may have changed a table."""
HEARING: Final = 1.0
"""Seconds after which the floor itself is asked what has changed: a hint that was lost only delays."""
METERS: Final = 1.0
TIDYING: Final = 2.0
CHECKPOINTS: Final = timedelta(minutes=15)


async def drive(driver: Driver, loop: FloorLoop, clock: Clock, leading: Leading) -> None:
    """Carry out what automated people do, when it is due, as long as no other server does."""
    asked, leads = 0.0, False
    while True:
        if time.monotonic() - asked >= LATE:
            asked, leads = time.monotonic(), await asyncio.to_thread(leading.leads)
        wait = await _driven(driver, loop, clock) if leads else LATE
        await asyncio.sleep(min(LATE, max(SOON, wait)))


async def _driven(driver: Driver, loop: FloorLoop, clock: Clock) -> float:
    """Do what is due now, all of it in one batch; return after how many seconds something is due again."""
    due = driver.due(clock())
    for answer in await asyncio.gather(*(loop.command(table, command) for table, command in due)):
        refusal = driver.answered(answer)
        if refusal is not None:
            LOG.warning("an automatic step was refused: %s %s", refusal.table, refusal.command.action.step)
    at = driver.next_at(clock())
    return LATE if at is None else (at - clock()).total_seconds()


async def hear(bus: Bus, loop: FloorLoop, attendance: Attendance | None = None) -> None:
    """Read what other servers have done: as they hint at it, and anyway from time to time."""
    looked = time.monotonic()
    while True:
        hinted = await asyncio.to_thread(lambda: list(bus.listen(HEARING)))
        changed = [one for one in hinted if isinstance(one, Changed)]
        if changed:
            await loop.heard(changed)
        if attendance is not None:
            for one in hinted:
                if isinstance(one, Heard):
                    attendance.heard(one)
        if time.monotonic() - looked >= HEARING:
            looked = time.monotonic()
            await loop.look_around()


async def show_meters(hub: Hub) -> None:
    """Show how meters stand at all the tables that share them, a few times in the time of a round."""
    while True:
        await asyncio.sleep(METERS)
        hub.show_meters()


async def keep_models_up(models: ReadModels, loop: FloorLoop) -> None:
    """Keep read models up, a few entries at a time: commands that wait are carried out in between."""
    while True:
        await asyncio.sleep(TIDYING)
        await caught_up(models, loop)


async def write_checkpoints(loop: FloorLoop, clock: Clock) -> None:
    """Write a checkpoint now and then, whatever becomes of read models."""
    last = clock()
    while True:
        await asyncio.sleep(TIDYING)
        if clock() - last >= CHECKPOINTS:
            last = clock()
            await loop.between(partial(take_checkpoint, loop.floor.store, last))


def tasks_of(
    loop: FloorLoop,
    hub: Hub,
    models: ReadModels,
    clock: Clock,
    bus: Bus,
    driver: Driver | None = None,
    leading: Leading | None = None,
    attendance: Attendance | None = None,
) -> list[Task]:
    """Return what a server of a floor does besides answering."""
    tasks: list[Task] = [
        lambda: keep_models_up(models, loop),
        lambda: write_checkpoints(loop, clock),
        lambda: show_meters(hub),
    ]
    if not isinstance(bus, NoBus):
        tasks += [loop.tell, lambda: hear(bus, loop, attendance)]
    if driver is not None:
        tasks.append(lambda: drive(driver, loop, clock, leading or Alone()))
    if attendance is not None:
        tasks.append(attendance.tell)
    return tasks


@asynccontextmanager
async def running(tasks: Sequence[Task]) -> AsyncIterator[None]:
    """Run tasks beside whatever is done meanwhile; one that fails is begun again, and is heard of."""
    begun = [asyncio.create_task(_again_and_again(task)) for task in tasks]
    try:
        yield
    finally:
        for one in begun:
            one.cancel()
        await asyncio.gather(*begun, return_exceptions=True)


async def _again_and_again(task: Task) -> None:
    while True:
        try:
            await task()
        except StoppedError:
            return
        except Exception:
            LOG.exception("a task of the server failed and is begun again")
            await asyncio.sleep(LATE)

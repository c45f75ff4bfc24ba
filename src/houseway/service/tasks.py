"""What a server does besides answering: driving tables, hearing of other servers, keeping read models up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from houseway.floor.bus import Bus, NoBus, changed_since
from houseway.floor.readmodels import ReadModels
from houseway.service.driver import Driver
from houseway.service.loop import FloorLoop, StoppedError
from houseway.store.checkpoints import take_checkpoint

LOG: Final = logging.getLogger("houseway.service")
Clock = Callable[[], datetime]
Task = Callable[[], Coroutine[Any, Any, None]]
SOON: Final = 0.02
"""Seconds between two looks at what is due, at least."""
LATE: Final = 1.0
"""Seconds after which a driver looks again though nothing was due; others may have changed a table."""
HEARING: Final = 1.0
"""Seconds for which hints are listened to before the floor itself is asked: a lost one only delays."""
TIDYING: Final = 2.0
CHECKPOINTS: Final = timedelta(minutes=15)


async def drive(driver: Driver, loop: FloorLoop, clock: Clock) -> None:
    """Carry out what automated people do, when it is due."""
    while True:
        for table, command in driver.due(clock()):
            refusal = driver.answered(await loop.command(table, command))
            if refusal is not None:
                LOG.warning("an automatic step was refused: %s %s", table, refusal.command.action.step)
        at = driver.next_at(clock())
        wait = LATE if at is None else (at - clock()).total_seconds()
        await asyncio.sleep(min(LATE, max(SOON, wait)))


async def hear(bus: Bus, loop: FloorLoop) -> None:
    """Read what other servers have done: as they hint at it, and anyway from time to time."""
    while True:
        hinted = await asyncio.to_thread(lambda: list(bus.listen(HEARING)))
        known = {running.stream: running.head.version for running in loop.floor.opened()}
        longer = await loop.between(partial(changed_since, loop.floor.store, known))
        missed = [one for one in longer if one.stream in known]
        await loop.heard([*hinted, *missed])


async def tidy(models: ReadModels, loop: FloorLoop, clock: Clock) -> None:
    """Keep read models up, and write a checkpoint now and then."""
    last = clock()
    while True:
        await asyncio.sleep(TIDYING)
        await loop.between(models.catch_up)
        if clock() - last >= CHECKPOINTS:
            last = clock()
            await loop.between(partial(take_checkpoint, loop.floor.store, last))


def tasks_of(
    loop: FloorLoop, models: ReadModels, clock: Clock, bus: Bus, driver: Driver | None
) -> list[Task]:
    """Return what a server of a floor does besides answering."""
    tasks: list[Task] = [lambda: tidy(models, loop, clock)]
    if not isinstance(bus, NoBus):
        tasks.append(lambda: hear(bus, loop))
    if driver is not None:
        tasks.append(lambda: drive(driver, loop, clock))
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

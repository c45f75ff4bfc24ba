"""The operating system's clocks, threads and random bytes."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final, NamedTuple, TypeVar

from houseway.rng import Entropy, SystemEntropy
from houseway.runtime import BusyError, Pool

T = TypeVar("T")


class Size(NamedTuple):
    """The size of a pool: its threads, the length of its queue, and its niceness."""

    threads: int
    waiting: int
    nice: int = 0


SIZES: Final[Mapping[Pool, Size]] = {
    Pool.FLOOR: Size(threads=1, waiting=10_000),
    Pool.PRACTICE: Size(threads=1, waiting=1_000, nice=5),
    Pool.PASSWORDS: Size(threads=1, waiting=16, nice=19),
    Pool.SLOW: Size(threads=1, waiting=16, nice=10),
    Pool.WAITING: Size(threads=6, waiting=64),
}


class _Threads:
    """The threads of one pool, and the number of waiting tasks."""

    def __init__(self, pool: Pool, size: Size) -> None:
        self.pool, self.size, self.waiting = pool, size, 0
        self.executor = ThreadPoolExecutor(size.threads, f"houseway-{pool}", lambda: _stand_back(size.nice))


class SystemRuntime:
    """Real clocks, real threads, real chance."""

    def __init__(self, sizes: Mapping[Pool, Size] = SIZES) -> None:
        self.entropy: Entropy = SystemEntropy()
        self._pools = {pool: _Threads(pool, size) for pool, size in sizes.items()}

    def now(self) -> datetime:
        """Return the time, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)

    async def in_thread(self, pool: Pool, work: Callable[[], T]) -> T:
        """Run work in a thread of a pool; raise ``BusyError`` if its queue is full."""
        threads = self._pools[pool]
        if threads.waiting >= threads.size.waiting + threads.size.threads:
            raise BusyError("too much waits for this already: ask again", value=threads.waiting)
        threads.waiting += 1
        future = asyncio.get_running_loop().run_in_executor(threads.executor, work)
        future.add_done_callback(lambda _: _one_less(threads))
        return await future


def _one_less(threads: _Threads) -> None:
    threads.waiting -= 1


def _stand_back(nice: int) -> None:
    """Lower the priority of the current thread: on Linux each thread has its own."""
    if nice:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), nice)

"""A world for tests: a clock that is set by hand, chance with a seed, and threads that are none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from houseway.rng import Entropy, SeededEntropy
from houseway.runtime import Pool

T = TypeVar("T")
NOON = datetime(2026, 1, 4, 12, tzinfo=UTC)


class TestRuntime:
    """Time that goes on only when somebody sleeps or sets the clock; work in a thread is done at once."""

    __test__ = False

    def __init__(self, clock: datetime = NOON, seed: str = "runtime") -> None:
        self.clock, self.begun = clock, clock
        self.entropy: Entropy = SeededEntropy(seed)

    def now(self) -> datetime:
        return self.clock

    def monotonic(self) -> float:
        return (self.clock - self.begun).total_seconds()

    async def sleep(self, seconds: float) -> None:
        self.clock += timedelta(seconds=seconds)
        await asyncio.sleep(0)

    async def in_thread(self, pool: Pool, work: Callable[[], T]) -> T:
        del pool
        return work()

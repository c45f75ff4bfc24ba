"""A runtime for tests: a clock that is passed in, chance from a seed, and threads that are none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from houseway.rng import Entropy, SeededEntropy
from houseway.runtime import Pool

T = TypeVar("T")


class TestRuntime:
    """Goes by a clock of the test's; whatever is done in a thread is done at once."""

    __test__ = False

    def __init__(self, clock: Callable[[], datetime], seed: str = "runtime") -> None:
        self.clock = clock
        self.entropy: Entropy = SeededEntropy(seed)
        self.slept = 0.0
        self._latest = clock()

    def now(self) -> datetime:
        """Return the moment of the test's clock."""
        return self.clock()

    def monotonic(self) -> float:
        """Return seconds that only ever go forward, though the clock may jump back."""
        self._latest = max(self._latest, self.clock())
        return self._latest.timestamp() + self.slept

    async def sleep(self, seconds: float) -> None:
        """Let others go on, and count how long that would have taken."""
        self.slept += timedelta(seconds=seconds).total_seconds()
        await asyncio.sleep(0)

    async def in_thread(self, pool: Pool, work: Callable[[], T]) -> T:
        """Do something at once."""
        del pool
        return work()

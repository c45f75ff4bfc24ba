"""A runtime for tests: a clock that is set by hand, seeded chance, and threads that are none."""

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
    """Time that passes when the test says so."""

    __test__ = False

    def __init__(self, clock: Callable[[], datetime] | None = None, entropy: Entropy | None = None) -> None:
        self.entropy: Entropy = entropy or SeededEntropy("runtime")
        self.passed = 0.0
        self.clock = clock or (lambda: NOON + timedelta(seconds=self.passed))

    def now(self) -> datetime:
        return self.clock()

    def monotonic(self) -> float:
        return self.passed

    def advance(self, seconds: float) -> None:
        """Let time pass: whoever sleeps until then wakes up."""
        self.passed += seconds

    async def sleep(self, seconds: float) -> None:
        until = self.passed + seconds
        while self.passed < until:
            await asyncio.sleep(0.002)

    async def in_thread(self, pool: Pool, work: Callable[[], T]) -> T:
        del pool
        await asyncio.sleep(0)
        return work()

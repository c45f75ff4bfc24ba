"""Runtimes for tests: a clock set by hand, or one that passes by itself; seeded chance, no threads."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
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


# --- time that passes by itself -----------------------------------------------------------------------


class _Jumps(selectors.DefaultSelector):
    """Waits for nothing: whenever everybody sleeps, the clock is set to when the first of them wakes up."""

    def __init__(self) -> None:
        super().__init__()
        self.passed = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "everybody waits, and nobody for a time: this would never end"
        self.passed += max(0.0, timeout)
        return super().select(0)


class PassingTime(asyncio.SelectorEventLoop):
    """An event loop in which hours pass at once: nobody ever really waits."""

    def __init__(self) -> None:
        self._jumps = _Jumps()
        super().__init__(self._jumps)

    def time(self) -> float:
        return self._jumps.passed


class PassingRuntime:
    """The time of the event loop, which passes by itself; threads that take their turn in each pool.

    ``spent`` says how many seconds a piece of work takes before it begins, and before its result is handed
    over.
    """

    def __init__(self, spent: Callable[[Pool], tuple[float, float]] = lambda _: (0.0, 0.0)) -> None:
        self.entropy: Entropy = SeededEntropy("passing")
        self._spent = spent
        self._turns = {pool: asyncio.Lock() for pool in Pool}

    def now(self) -> datetime:
        return NOON + timedelta(seconds=self.monotonic())

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def in_thread(self, pool: Pool, work: Callable[[], T]) -> T:
        before, after = self._spent(pool)
        async with self._turns[pool]:
            await asyncio.sleep(before)
            try:
                return work()
            finally:
                await asyncio.sleep(after)


def run_in_passing_time(scene: Coroutine[object, object, T]) -> T:
    """Run something to its end in an event loop in which nobody really waits."""
    with asyncio.Runner(loop_factory=PassingTime) as runner:
        return runner.run(scene)

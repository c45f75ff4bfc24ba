"""What a floor is given of the world: time, threads and random bytes, passed in from the command line.

Below the command line nothing looks at a clock, starts a thread or draws a byte by itself. So a test, or a
simulation, can run the same code on a clock that jumps and with threads that never come back.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import Protocol, TypeVar

from houseway.errors import HousewayError
from houseway.rng import Entropy

T = TypeVar("T")


class Pool(StrEnum):
    """Threads of their own for each kind of work, so that none takes another's share."""

    FLOOR = "floor"
    """Commands decided and stored, and everything else that touches the floor, one at a time."""
    PRACTICE = "practice"
    """The same for practice: no one at a licensed table waits for play money."""
    PASSWORDS = "passwords"
    """Hashes that are slow on purpose."""
    SLOW = "slow"
    """Answers that take long: replays, packets, sheets."""
    WAITING = "waiting"
    """What mostly waits: for hints of other servers, for a lock."""


class BusyError(HousewayError):
    """So much waits already that more would only make everyone wait: ask again."""

    wait: int = 1
    """Seconds to wait before asking again."""


class Runtime(Protocol):
    """Time, threads and chance."""

    @property
    def entropy(self) -> Entropy:
        """The source of random bytes."""
        ...

    def now(self) -> datetime:
        """Return this moment, in universal time, as the wall clock has it: it may jump."""
        ...

    def monotonic(self) -> float:
        """Return seconds that only ever go forward: for pacing, deadlines and throttling."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...

    async def in_thread(self, pool: Pool, work: Callable[[], T]) -> T:
        """Do something in a thread of a pool; raise ``BusyError`` if too much waits there already."""
        ...

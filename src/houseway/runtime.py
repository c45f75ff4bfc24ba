"""The runtime of a floor: time, threads and random bytes, passed in from the command line.

No code below the command line reads a clock, starts a thread or draws random bytes by itself. So tests and
simulations can run the same code with a clock that jumps and with threads that never return.
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
    """Thread pools, one for each kind of work, so that no kind starves another."""

    FLOOR = "floor"
    """Everything that touches the floor or its database, one task at a time."""
    PRACTICE = "practice"
    """The same for practice, so that licensed tables never wait for it."""
    PASSWORDS = "passwords"
    """Password hashes, which are slow on purpose."""
    SLOW = "slow"
    """Long answers: replays, packets, sheets."""
    WAITING = "waiting"
    """Work that mostly waits: for hints of other servers, for a lock."""


class BusyError(HousewayError):
    """The queue is full: try again later."""

    wait: int = 1
    """Seconds to wait before trying again."""


class Runtime(Protocol):
    """Time, threads and chance."""

    @property
    def entropy(self) -> Entropy:
        """The source of random bytes."""
        ...

    def now(self) -> datetime:
        """Return the time of the wall clock in UTC; it may jump."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never run backwards: for pacing, deadlines and throttling."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait this many seconds."""
        ...

    async def in_thread(self, pool: Pool, work: Callable[[], T]) -> T:
        """Run work in a thread of a pool; raise ``BusyError`` if its queue is full."""
        ...

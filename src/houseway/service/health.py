"""The conditions under which a server is ready, as ``/ready`` and ``/health`` report them.

Tasks report their successes and failures here; conditions compare the times. Nothing is tried here.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from msgspec import Struct

from houseway.runtime import Runtime
from houseway.service.clock import FloorClock
from houseway.service.loop import FloorLoop

TURNED_WITHIN: Final = 5.0
"""Seconds within which the loop must go round, under any load."""
STORED_WITHIN: Final = 15.0
"""Seconds within which the database must take a write: a batch, or an empty write."""
READ_WITHIN: Final = 60.0
"""Seconds by which read models may lag behind the log."""
CLOCKS_APART: Final = timedelta(minutes=1)
"""The most that the wall clock may lag behind the floor's clock."""


SERVED: Final = {True: "requests are taken", False: "the server starts or stops"}


class Condition(Struct, frozen=True):
    """A condition of readiness: its name, whether it holds, and its state in words."""

    name: str
    holds: bool
    says: str


class Health:
    """The times of the last successes, from which the conditions follow."""

    def __init__(self, loop: FloorLoop, clock: FloorClock | None, runtime: Runtime) -> None:
        self._loop, self._clock, self._runtime = loop, clock, runtime
        self.serving = False
        """Whether the floor is verified and requests are answered."""
        self._stored_at = self._models_read_at = runtime.monotonic()
        self._write_failure = ""
        self._model_failure = ""

    # --- reported by tasks ----------------------------------------------------------------------------

    def note_write(self) -> None:
        """Note that the database took a write."""
        self._stored_at, self._write_failure = self._runtime.monotonic(), ""

    def note_write_failure(self, reason: str) -> None:
        """Note that the database refused a write."""
        self._write_failure = reason

    def note_models_current(self) -> None:
        """Note that read models are at the end of the log."""
        self._models_read_at, self._model_failure = self._runtime.monotonic(), ""

    def note_models_failure(self, reason: str) -> None:
        """Note that read models could not be updated."""
        self._model_failure = reason

    # --- conditions -----------------------------------------------------------------------------------

    @property
    def silent_for(self) -> float:
        """Seconds since the loop last went round."""
        return self._runtime.monotonic() - self._loop.turned_at

    def conditions(self) -> list[Condition]:
        """Return every condition with its state."""
        now = self._runtime.monotonic()
        silent, stored, behind = self.silent_for, now - self._stored_at, now - self._models_read_at
        lately = now - self._loop.failed_at < STORED_WITHIN  # while no command arrives, only probes tell
        failure = str(self._loop.failure or "") if lately else ""
        failure = failure or self._write_failure
        conditions = [
            Condition("serving", self.serving, SERVED[self.serving]),
            Condition("loop", silent < TURNED_WITHIN, f"commands were looked at {silent:.1f} s ago"),
            Condition(
                "storage",
                not failure and stored < STORED_WITHIN,
                failure or f"the database took a write {stored:.0f} s ago",
            ),
            Condition(
                "read_models",
                behind < READ_WITHIN,
                self._model_failure or f"search and accounting were at the end of the log {behind:.0f} s ago",
            ),
        ]
        if self._clock is not None:
            apart = self._clock.apart
            says = f"the wall clock lies {max(0.0, apart.total_seconds()):.0f} s behind the floor's time"
            conditions.append(Condition("clock", apart < CLOCKS_APART, says))
        return conditions

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the conditions."""
        return tuple(condition.name for condition in self.conditions())

    def holds(self, name: str) -> bool:
        """Whether a condition holds."""
        return any(condition.holds for condition in self.conditions() if condition.name == name)

    @property
    def ready(self) -> bool:
        """Whether every condition holds."""
        return all(condition.holds for condition in self.conditions())

"""The clock of a floor: the wall clock, except that it never runs backwards.

If the wall clock is set back, the floor's clock runs at half speed until the wall clock has caught up; if it
is set forward, the floor's clock follows. Either way the step is noted, to be recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from houseway.floor.bodies import read_body
from houseway.runtime import Runtime
from houseway.store.protocol import Store

STEP: Final = timedelta(seconds=5)
"""A wall clock that differs by more from the time that passed was set, or stood still."""
SLEW: Final = 2
"""How many times slower the floor's clock runs while the wall clock catches up."""
EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)


class ClockStep(NamedTuple):
    """A step of the wall clock: the time it should have shown, and the time it showed."""

    expected: datetime
    shown: datetime


class FloorClock:
    """A clock that never runs backwards, even if the wall clock is set back."""

    def __init__(self, runtime: Runtime, not_before: datetime | None = None) -> None:
        self._runtime = runtime
        self._wall, self._monotonic = runtime.now(), runtime.monotonic()
        self._last = max(self._wall, not_before or self._wall)
        self.steps: list[ClockStep] = []
        """The steps of the wall clock that were noticed and are not recorded yet."""
        if self._last - self._wall > STEP:
            self.steps.append(ClockStep(self._last, self._wall))

    def __call__(self) -> datetime:
        """Return this moment."""
        wall, monotonic = self._runtime.now(), self._runtime.monotonic()
        passed = timedelta(seconds=max(0.0, monotonic - self._monotonic))
        if abs(wall - self._wall - passed) > STEP:
            self.steps.append(ClockStep(self._wall + passed, wall))
        self._wall, self._monotonic = wall, monotonic
        self._last = max(wall, self._last + passed / SLEW)
        return self._last

    def follow(self, moment: datetime) -> None:
        """Continue from a moment that another server recorded, whose clock may be ahead of this one."""
        self._last = max(self._last, moment)

    @property
    def apart(self) -> timedelta:
        """How far the floor's clock is ahead of the wall clock."""
        return self() - self._runtime.now()


def pace_clock(runtime: Runtime) -> Callable[[], datetime]:
    """Return a monotonic clock for pacing and patience; its date has no meaning."""
    return lambda: EPOCH + timedelta(seconds=runtime.monotonic())


def latest_moment(store: Store) -> datetime | None:
    """Return the moment of the latest entry of any stream; the floor's clock must not be before it."""
    ends = {stream: head.version - 1 for stream, head in store.heads().items()}
    return max((read_body(entry).at for entry in store.tails(ends)), default=None)

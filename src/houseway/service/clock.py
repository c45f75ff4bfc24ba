"""The time of a floor: the wall clock's, except that it never runs backwards.

Where the wall clock is set back, the floor's time goes on at half its speed until the wall has caught up;
where it is set forward, the floor's time goes with it. Either way the step is noted, to be put on record.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from houseway.floor.bodies import read_body
from houseway.runtime import Runtime
from houseway.store.protocol import Store

STEP: Final = timedelta(seconds=5)
"""A wall clock that differs by more from what went by was set, or stood still."""
SLEW: Final = 2
"""How many times slower the floor's time goes while the wall catches up."""
EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)


class ClockStep(NamedTuple):
    """That the wall clock was set: what it should have said, and what it said."""

    expected: datetime
    shown: datetime


class FloorClock:
    """Moments that never run backwards, whatever is done to the wall clock."""

    def __init__(self, runtime: Runtime, not_before: datetime | None = None) -> None:
        self._runtime = runtime
        self._wall, self._monotonic = runtime.now(), runtime.monotonic()
        self._last = max(self._wall, not_before or self._wall)
        self.steps: list[ClockStep] = []
        """The steps of the wall clock that were noticed and are not on record yet."""
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
        """Go on from a moment that another server has put on record: its clock may be ahead of this one's."""
        self._last = max(self._last, moment)

    @property
    def apart(self) -> timedelta:
        """How far the floor's time is ahead of the wall clock."""
        return self() - self._runtime.now()


def pace_clock(runtime: Runtime) -> Callable[[], datetime]:
    """Return a clock for pacing and patience: it only goes forward, and its date means nothing."""
    return lambda: EPOCH + timedelta(seconds=runtime.monotonic())


def latest_moment(store: Store) -> datetime | None:
    """Return the latest moment at which anything was added to a stream: no time before it comes again."""
    ends = {stream: head.version - 1 for stream, head in store.heads().items()}
    return max((read_body(entry).at for entry in store.tails(ends)), default=None)

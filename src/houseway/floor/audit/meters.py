"""What turns tell of a meter is what it held then: each telling is compared with the meter's own stream."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from houseway.floor.audit.judging import EntryJudge
from houseway.meters import MeterState
from houseway.rounds.state import MeterId
from houseway.store.entries import Entry

SLACK: Final = timedelta(seconds=30)
"""So long before a turn is stored may it have been decided, by a server that did not know of the others."""


class _Told(NamedTuple):
    at: datetime
    state: MeterState
    entry: Entry


class MeterTimes:
    """What meters held when, as far back as something that was told of them is still to be compared."""

    def __init__(self) -> None:
        self._held: dict[MeterId, deque[tuple[datetime, MeterState]]] = {}
        self._told: dict[MeterId, deque[_Told]] = {}
        self._wrong = list[_Told]()

    def moved(self, meter: MeterId, at: datetime, state: MeterState) -> None:
        """Take what a meter holds from a moment on."""
        self._held.setdefault(meter, deque()).append((at, state))
        self._compare(meter, at)

    def told(self, meter: MeterId, at: datetime, state: MeterState, entry: Entry) -> None:
        """Take what a turn tells of a meter."""
        held = self._held.get(meter)
        if held and held[-1][1] == state and held[-1][0] <= at:
            return
        self._told.setdefault(meter, deque()).append(_Told(at, state, entry))

    def _compare(self, meter: MeterId, now: datetime) -> None:
        """Compare what was told so long ago that nothing of that time is still to come."""
        waiting, held = self._told.get(meter, deque()), self._held[meter]
        while waiting and waiting[0].at < now - SLACK:
            told = waiting.popleft()
            if not self._was_held(meter, told):
                self._wrong.append(told)
        since = (waiting[0].at if waiting else now) - SLACK
        while len(held) > 1 and held[1][0] < since:
            held.popleft()

    def _was_held(self, meter: MeterId, told: _Told) -> bool:
        held = self._held.get(meter, deque())
        moments = [at for at, _ in held]
        first = max(0, bisect_right(moments, told.at - SLACK) - 1)
        return any(state == told.state for at, state in list(held)[first:] if at <= told.at + SLACK)

    def finish(self, judge: EntryJudge) -> None:
        """Compare the rest, and name what a meter never held."""
        for meter, waiting in self._told.items():
            self._wrong += [told for told in waiting if not self._was_held(meter, told)]
        for told in self._wrong:
            judge.differs(told.entry, f"the meter is told to hold {told.state}, which it did not then")

"""Compares what turns say of a meter with the meter's own stream at that time."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from houseway.floor.audit.entry_judge import EntryJudge
from houseway.meters import MeterState
from houseway.rounds.state import MeterId
from houseway.store.entries import Entry

SLACK: Final = timedelta(seconds=30)
"""How long before it is stored a turn may be decided, by a server that did not know of the others."""


class _Claim(NamedTuple):
    at: datetime
    state: MeterState
    entry: Entry


class MeterTimes:
    """What meters held when, as far back as claims about them are still to be compared."""

    def __init__(self) -> None:
        self._states: dict[MeterId, deque[tuple[datetime, MeterState]]] = {}
        self._claims: dict[MeterId, deque[_Claim]] = {}
        self._wrong = list[_Claim]()

    def take_state(self, meter: MeterId, at: datetime, state: MeterState) -> None:
        """Record what a meter holds from a moment on."""
        self._states.setdefault(meter, deque()).append((at, state))
        self._compare(meter, at)

    def take_claim(self, meter: MeterId, at: datetime, state: MeterState, entry: Entry) -> None:
        """Record what a turn says that a meter holds."""
        states = self._states.get(meter)
        if states and states[-1][1] == state and states[-1][0] <= at:
            return
        self._claims.setdefault(meter, deque()).append(_Claim(at, state, entry))

    def _compare(self, meter: MeterId, now: datetime) -> None:
        """Compare the claims that are old enough for all entries of their time to be read."""
        waiting, states = self._claims.get(meter, deque()), self._states[meter]
        while waiting and waiting[0].at < now - SLACK:
            claim = waiting.popleft()
            if not self._holds_true(meter, claim):
                self._wrong.append(claim)
        since = (waiting[0].at if waiting else now) - SLACK
        while len(states) > 1 and states[1][0] < since:
            states.popleft()

    def _holds_true(self, meter: MeterId, claim: _Claim) -> bool:
        states = self._states.get(meter, deque())
        moments = [at for at, _ in states]
        first = max(0, bisect_right(moments, claim.at - SLACK) - 1)
        return any(state == claim.state for at, state in list(states)[first:] if at <= claim.at + SLACK)

    def finish(self, judge: EntryJudge) -> None:
        """Compare the remaining claims, and report those that never held."""
        for meter, waiting in self._claims.items():
            self._wrong += [claim for claim in waiting if not self._holds_true(meter, claim)]
        for claim in self._wrong:
            judge.report_difference(
                claim.entry, f"the turn says that the meter holds {claim.state}, which it did not then"
            )

"""What is noted at the door: who came, went, failed or was refused, bounded however many try.

Notes are gathered in memory and written every few seconds, all in one batch. What known people do is written
singly, so much of it at a time; guests and failures are counted by address, one entry for each minute.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final

from houseway.floor.access_events import AccessCounted, Accessed, AccessEvent, AccessKind, AddressCounts
from houseway.floor.access_log import AccessLog
from houseway.rounds.roles import Role
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor
from houseway.runtime import Runtime
from houseway.service.limits import network_of
from houseway.service.loop import FloorLoop
from houseway.store.protocol import Store

WRITTEN_EVERY: Final = 5.0
"""Seconds between two times that notes are written."""
MOST_AT_ONCE: Final = 100
"""So much of what known people did is written singly at a time."""
MOST_WAITING: Final = 1_000
"""So many notes wait at most while the database does not answer."""
MOST_ADDRESSES: Final = 50
"""So many addresses are counted singly within a minute."""
MOST_USERS: Final = 10
"""So many users whose names were tried are told of an address."""
OTHERS: Final = "others"
_LONGEST: Final = 100
"""So much of an address is written."""


class CountedAccess(StrEnum):
    """What is only counted."""

    GUESTS = "guests"
    FAILED = "failed"
    UNKNOWN = "unknown"
    PAUSED = "paused"
    REFUSED = "refused"


class _Minute:
    """What came within a minute, counted."""

    def __init__(self, begun: datetime) -> None:
        self.begun = begun
        self.counts: dict[str, Counter[CountedAccess]] = {}
        self.users: dict[str, Counter[PersonId]] = {}
        self.unwritten = 0

    def count(self, what: CountedAccess, address: str, user: PersonId | None) -> None:
        """Count something that came from an address."""
        if address not in self.counts and len(self.counts) >= MOST_ADDRESSES:
            address = OTHERS
        self.counts.setdefault(address, Counter())[what] += 1
        tried = self.users.setdefault(address, Counter())
        if user is not None and (user in tried or len(tried) < MOST_USERS):
            tried[user] += 1

    def event(self) -> AccessCounted | None:
        """Return what is written of the minute, if anything came."""
        rows = {address: self._row(address) for address in self.counts}
        others = rows.pop(OTHERS, None)
        if not rows and not self.unwritten:
            return None
        addresses = tuple(rows[address] for address in sorted(rows))
        return AccessCounted(at=self.begun, addresses=addresses, others=others, unwritten=self.unwritten)

    def _row(self, address: str) -> AddressCounts:
        counts = {what.value: count for what, count in self.counts[address].items()}
        return AddressCounts(address=address, users=dict(self.users[address]), **counts)


class Access:
    """What is noted at the door of a server, and the log that it is written to."""

    def __init__(self, store: Store) -> None:
        self.log = AccessLog(store)
        self._singly: dict[tuple[AccessKind, Actor, str, str], Accessed] = {}
        self._minute: _Minute | None = None
        self._ready: list[AccessEvent] = []

    # --- what is noted --------------------------------------------------------------------------------

    def note(self, kind: AccessKind, by: Actor, address: str, now: datetime, route: str = "") -> None:
        """Note what somebody did; guests are only counted."""
        if by.role is Role.GUEST:
            if kind is AccessKind.REFUSED:
                self.count(CountedAccess.REFUSED, address, now)
            return
        key = (kind, by, address[:_LONGEST], route)
        before = self._singly.get(key)
        if before is None and len(self._singly) >= MOST_AT_ONCE:
            self._current(now).unwritten += 1
            return
        at, count = (before.at, before.count) if before else (now, 0)
        self._singly[key] = Accessed(
            kind=kind, by=by, at=at, address=address[:_LONGEST], route=route, count=count + 1
        )

    def count(self, what: CountedAccess, address: str, now: datetime, user: PersonId | None = None) -> None:
        """Count what came from an address; of a failed try also whose name it was, if it is somebody's."""
        self._current(now).count(what, network_of(address)[:_LONGEST], user)

    def _current(self, now: datetime) -> _Minute:
        """Return the minute that is counted now; the one before, if any, is over."""
        begun = now.replace(second=0, microsecond=0)
        if self._minute is None:
            self._minute = _Minute(begun)
        return self._minute

    # --- how it is written ----------------------------------------------------------------------------

    def gather(self, now: datetime, *, ending: bool = False) -> Sequence[AccessEvent]:
        """Return what is to be written: at the end also what the minute came to that is not over yet."""
        if len(self._ready) < MOST_WAITING:
            self._ready += self._singly.values()
            self._singly = {}
            over = self._minute is not None and self._minute.begun != now.replace(second=0, microsecond=0)
            if self._minute is not None and (over or ending):
                event, self._minute = self._minute.event(), None
                self._ready += [event] if event is not None else []
        return tuple(self._ready)

    def written(self, events: Sequence[AccessEvent]) -> None:
        """Forget what is written."""
        del self._ready[: len(events)]

    async def write(self, loop: FloorLoop, now: datetime, *, ending: bool = False) -> None:
        """Write whatever was noted, in one batch."""
        events = self.gather(now, ending=ending)
        if events:
            await loop.between(lambda: self.log.add(events))
            self.written(events)


async def keep_access(access: Access, loop: FloorLoop, runtime: Runtime) -> None:
    """Write what is noted, every few seconds."""
    while True:
        await runtime.sleep(WRITTEN_EVERY)
        await access.write(loop, loop.floor.clock())

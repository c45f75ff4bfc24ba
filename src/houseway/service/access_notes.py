"""Notes for the access log: who signed in or out, failed or was refused, bounded under any load.

Notes are gathered in memory and written every few seconds in one batch. Acts of known users are written one
by one, up to a limit; guests and failures are counted by address, with one entry for each minute.
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
from houseway.service.loop import FloorLoop
from houseway.service.sign_in_limits import network_of
from houseway.store.protocol import Store

WRITTEN_EVERY: Final = 5.0
"""Seconds between two writes."""
MOST_AT_ONCE: Final = 100
"""The most acts of known users in one write; more are only counted."""
MOST_WAITING: Final = 1_000
"""The most notes that wait while the database does not answer."""
MOST_ADDRESSES: Final = 50
"""The most addresses that are counted separately within a minute."""
MOST_USERS: Final = 10
"""The most users listed for an address whose names were tried."""
OTHERS: Final = "others"
_LONGEST: Final = 100
"""The most characters of an address that are written."""


class CountedAccess(StrEnum):
    """What is counted by address and not written one by one."""

    GUESTS = "guests"
    FAILED = "failed"
    UNKNOWN = "unknown"
    PAUSED = "paused"
    REFUSED = "refused"


class _Minute:
    """The counts of one minute."""

    def __init__(self, start: datetime) -> None:
        self.start = start
        self.counts: dict[str, Counter[CountedAccess]] = {}
        self.users: dict[str, Counter[PersonId]] = {}
        self.unwritten = 0

    def count(self, kind: CountedAccess, address: str, user: PersonId | None) -> None:
        """Count an event from an address."""
        if address not in self.counts and len(self.counts) >= MOST_ADDRESSES:
            address = OTHERS
        self.counts.setdefault(address, Counter())[kind] += 1
        tried = self.users.setdefault(address, Counter())
        if user is not None and (user in tried or len(tried) < MOST_USERS):
            tried[user] += 1

    def event(self) -> AccessCounted | None:
        """Return the entry for the minute, or none if nothing was counted."""
        rows = {address: self._row(address) for address in self.counts}
        others = rows.pop(OTHERS, None)
        if not rows and not self.unwritten:
            return None
        addresses = tuple(rows[address] for address in sorted(rows))
        return AccessCounted(at=self.start, addresses=addresses, others=others, unwritten=self.unwritten)

    def _row(self, address: str) -> AddressCounts:
        counts = {kind.value: count for kind, count in self.counts[address].items()}
        return AddressCounts(address=address, users=dict(self.users[address]), **counts)


class AccessNotes:
    """The access notes of a server, and the log that they are written to."""

    def __init__(self, store: Store) -> None:
        self.log = AccessLog(store)
        self._singly: dict[tuple[AccessKind, Actor, str, str], Accessed] = {}
        self._minute: _Minute | None = None
        self._ready: list[AccessEvent] = []

    # --- notes ----------------------------------------------------------------------------------------

    def note(self, kind: AccessKind, by: Actor, address: str, now: datetime, route: str = "") -> None:
        """Note an act of a user; guests are only counted."""
        if by.role is Role.GUEST:
            if kind is AccessKind.REFUSED:
                self.count(CountedAccess.REFUSED, address, now)
            return
        key = (kind, by, address[:_LONGEST], route)
        before = self._singly.get(key)
        if before is None and len(self._singly) >= MOST_AT_ONCE:
            self._current_minute(now).unwritten += 1
            return
        at, count = (before.at, before.count) if before else (now, 0)
        self._singly[key] = Accessed(
            kind=kind, by=by, at=at, address=address[:_LONGEST], route=route, count=count + 1
        )

    def count(self, kind: CountedAccess, address: str, now: datetime, user: PersonId | None = None) -> None:
        """Count an event from an address; for a failed try also the user whose name was tried, if any."""
        self._current_minute(now).count(kind, network_of(address)[:_LONGEST], user)

    def _current_minute(self, now: datetime) -> _Minute:
        """Return the minute that is being counted."""
        start = now.replace(second=0, microsecond=0)
        if self._minute is None:
            self._minute = _Minute(start)
        return self._minute

    # --- writing --------------------------------------------------------------------------------------

    def gather(self, now: datetime, *, ending: bool = False) -> Sequence[AccessEvent]:
        """Return the events to be written; with ``ending``, the unfinished minute too."""
        if len(self._ready) < MOST_WAITING:
            self._ready += self._singly.values()
            self._singly = {}
            over = self._minute is not None and self._minute.start != now.replace(second=0, microsecond=0)
            if self._minute is not None and (over or ending):
                event, self._minute = self._minute.event(), None
                self._ready += [event] if event is not None else []
        return tuple(self._ready)

    def forget(self, events: Sequence[AccessEvent]) -> None:
        """Remove events that have been written."""
        del self._ready[: len(events)]

    async def write(self, loop: FloorLoop, now: datetime, *, ending: bool = False) -> None:
        """Write all notes in one batch."""
        events = self.gather(now, ending=ending)
        if events:
            await loop.between(lambda: self.log.add(events))
            self.forget(events)


async def write_access_notes(access: AccessNotes, loop: FloorLoop, runtime: Runtime) -> None:
    """Write the notes every few seconds, forever."""
    while True:
        await runtime.sleep(WRITTEN_EVERY)
        await access.write(loop, loop.floor.clock())

"""The floor as far as a walk has come, and as it was shortly before: servers learn of changes late."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from houseway.floor.audit.persons import Persons
from houseway.floor.house import House

TOGETHER: Final = timedelta(seconds=30)
"""What several servers decide within this time, none of them may have known of the others."""


@dataclass(frozen=True)
class Context:
    """What the rest of the floor was when an entry came, as far as decisions depend on it."""

    house: House
    persons: Persons


class RecentContexts:
    """The floor as it is now, with what it was within the last moments."""

    def __init__(self, persons: Persons) -> None:
        self.now = Context(House(), persons)
        self._before = deque[tuple[datetime, Context]]()
        """How the floor was, each with the moment at which it became otherwise."""

    def change(self, at: datetime, *, house: House | None = None, persons: Persons | None = None) -> None:
        """Set what the floor is from now on."""
        self._before.append((at, self.now))
        self.now = Context(house or self.now.house, persons or self.now.persons)
        while self._before[0][0] < at - TOGETHER:
            self._before.popleft()

    def at(self, moment: datetime) -> tuple[Context, ...]:
        """Return how the floor was at a moment, and shortly before and after it, the latest first."""
        since: datetime | None = None
        contexts = list[Context]()
        for until, context in self._before:
            if until >= moment - TOGETHER and (since is None or since <= moment + TOGETHER):
                contexts.append(context)
            since = until
        if not contexts or since is None or since <= moment + TOGETHER:
            contexts.append(self.now)
        return tuple(reversed(contexts))

"""Who may do what on a floor at a moment of its log, as far as the walk has come.

People are decided about above the floor: whoever walks a log with its people passes in how.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from houseway.floor.people_events import PeopleEvent
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor


class Persons(Protocol):
    """Everybody on a floor at one moment of its log: a value, never changed."""

    @property
    def known(self) -> bool:
        """Whether there is anybody: else everybody may act."""
        ...

    def after(self, event: PeopleEvent) -> Persons:
        """Return everybody after an event, whoever decided it."""
        ...

    def check(self, event: PeopleEvent) -> None:
        """Refuse an event that would not be decided so now."""
        ...

    def check_acts(self, by: Actor, now: datetime) -> None:
        """Refuse somebody who may not act in their role now."""
        ...

    def check_known(self, by: Actor) -> None:
        """Refuse somebody whom nobody knows, or knows under another name."""
        ...

    def is_user(self, person: PersonId) -> bool:
        """Whether somebody signs in."""
        ...

    def barred(self, person: PersonId, now: datetime) -> str | None:
        """Return why somebody is not to play, if so."""
        ...


class Anybody:
    """Everybody, where nothing is known of people."""

    known = False

    def after(self, _: PeopleEvent) -> Persons:
        """Return the same: what becomes of people is only read."""
        return self

    def check(self, event: PeopleEvent) -> None:
        """Refuse nothing."""

    def check_acts(self, by: Actor, now: datetime) -> None:
        """Refuse nobody."""

    def check_known(self, by: Actor) -> None:
        """Refuse nobody."""

    def is_user(self, _: PersonId) -> bool:
        """Say no: nobody is known."""
        return False

    def barred(self, _: PersonId, __: datetime) -> str | None:
        """Bar nobody."""
        return None


ANYBODY: Persons = Anybody()

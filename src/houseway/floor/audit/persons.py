"""Who may do what on a floor at a moment of its log, as far as the walk has come.

People are managed above the floor, so the caller of a walk passes in an implementation of ``Persons``.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from houseway.floor.people_events import PeopleEvent
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor


class Persons(Protocol):
    """The people of a floor at one moment of its log: an immutable value."""

    @property
    def known(self) -> bool:
        """Whether any person is on record: without people, anyone may act."""
        ...

    def after(self, event: PeopleEvent) -> Persons:
        """Return the people after an event, without checking it."""
        ...

    def check(self, event: PeopleEvent) -> None:
        """Refuse an event that would not be decided like that now."""
        ...

    def check_acts(self, by: Actor, now: datetime) -> None:
        """Refuse an actor who may not act in their role now."""
        ...

    def check_known(self, by: Actor) -> None:
        """Refuse an actor who is not on record, or is on record under another name."""
        ...

    def is_user(self, person: PersonId) -> bool:
        """Whether a person is a user, who signs in."""
        ...

    def barred(self, person: PersonId, now: datetime) -> str | None:
        """Return why a person is not to play, if so."""
        ...


class Anybody:
    """The people of a log of which no person is known: anyone may act."""

    known = False

    def after(self, _: PeopleEvent) -> Persons:
        """Return the same: events of people change nothing here."""
        return self

    def check(self, event: PeopleEvent) -> None:
        """Accept any event."""

    def check_acts(self, by: Actor, now: datetime) -> None:
        """Accept any actor."""

    def check_known(self, by: Actor) -> None:
        """Accept any actor."""

    def is_user(self, _: PersonId) -> bool:
        """Return False: no user is known."""
        return False

    def barred(self, _: PersonId, __: datetime) -> str | None:
        """Return None: no one is barred."""
        return None


ANYBODY: Persons = Anybody()

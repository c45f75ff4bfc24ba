"""The audit of people: each event about them is decided again as the log is walked."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from houseway.errors import IllegalError
from houseway.floor.audit import Persons
from houseway.floor.people_events import (
    FactorRemoved,
    FactorsDemanded,
    FactorSet,
    KeySet,
    PasswordSet,
    PeopleEvent,
    RolesChanged,
    SelfExcluded,
    TimeOut,
    UserAdded,
    UserDisabled,
    UserEnabled,
    UserEvent,
)
from houseway.floor.rights import COMMAND_LINE, Duty, check_two
from houseway.rounds.roles import Role
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor
from houseway.service import people as duties
from houseway.service.factors import demand_factors, remove_factor, set_factor, void_factor
from houseway.service.people import People, barred_from_play, evolve_people


class FloorPersons(Struct, frozen=True):
    """The people of a floor at one moment of its log."""

    people: People = People()

    @property
    def known(self) -> bool:
        """Whether there are any users."""
        return bool(self.people.users)

    def after(self, event: PeopleEvent) -> Persons:
        """Return the people after an event."""
        return FloorPersons(evolve_people(self.people, event))

    def check(self, event: PeopleEvent) -> None:
        """Refuse an event that would not be decided the same way."""
        decided = _decide_again(self.people, event)
        second = event.second if isinstance(event, UserEvent) else None
        for who in (event.by, *([second] if second is not None else ())):
            if who != COMMAND_LINE:
                self.check_known(who)
        if decided != event:
            raise IllegalError(
                "the event differs from the decision about the person", value=type(event).__name__
            )

    def check_acts(self, by: Actor, now: datetime) -> None:
        """Refuse an actor who may not act in their role now, or under this name."""
        if not self.known or by == COMMAND_LINE:
            return
        duties.check_acts(self.people, by, now)
        self.check_known(by)

    def check_known(self, by: Actor) -> None:
        """Refuse an actor who is no user, or has another name."""
        if self.known and by.name not in ("", self.people.user(by.id).name):
            raise IllegalError("the user has another name", value=by.name)

    def is_user(self, person: PersonId) -> bool:
        """Whether a person is a user."""
        return person in self.people.users

    def barred(self, person: PersonId, now: datetime) -> str | None:
        """Return why a person is barred from play, or None."""
        return barred_from_play(self.people, person, now)


def _decide_again(people: People, event: PeopleEvent) -> PeopleEvent:  # noqa: PLR0911 - one for each kind
    by, now = event.by, event.at
    match event:
        case UserAdded() | RolesChanged() | KeySet() | UserEnabled():
            return _decide_by_two(people, event)
        case PasswordSet():
            return _set_password_again(people, event)
        case FactorRemoved() if event.by.id != event.user:
            return _decide_by_two(people, event)
        case UserDisabled():
            return duties.disable_user(people, event.user, by, now, event.reason)
        case SelfExcluded():
            return duties.exclude_self(people, by, now, event.until)
        case TimeOut():
            return duties.take_time_out(people, by, now, event.until)
        case FactorSet():
            return set_factor(people, event.sealed, by, now)
        case FactorRemoved():
            return remove_factor(people, by, now)
        case FactorsDemanded():
            return demand_factors(people, event.roles, by, now)


def _set_password_again(people: People, event: PasswordSet) -> PeopleEvent:
    by, now, user = event.by, event.at, people.user(event.user)
    if event.rehashed:
        (hashed,) = duties.rehash_password(people, event.user, user.secret, event.hash, now)
        return hashed
    if by.id != event.user and by != COMMAND_LINE:
        return _decide_by_two(people, event)
    return duties.set_password(people, event.user, event.hash, by, now, halves=event.halves)


def _decide_by_two(
    people: People, event: UserAdded | RolesChanged | KeySet | UserEnabled | PasswordSet | FactorRemoved
) -> PeopleEvent:
    """Decide an act of two administrators again; the first administrator and the command line act alone."""
    by, second, now = event.by, event.second, event.at
    if isinstance(event, UserAdded) and second is None and by != COMMAND_LINE:
        return _add_first(people, event)
    if isinstance(event, RolesChanged) and second is None:
        return duties.take_roles(people, event.user, event.roles, by, now)
    if by != COMMAND_LINE:
        if second is None:
            raise IllegalError("it needs two administrators", value=event.user)
        check_two(Duty.MANAGE_PEOPLE, by, second)
        for who in (by, second):
            duties.check_acts(people, who, now)
            if who.id == event.user:
                raise IllegalError(
                    "administrators cannot take part in a decision about themselves", value=who.id
                )
    match event:
        case UserAdded():
            decided: PeopleEvent = duties.add_user(people, event.user, event.name, event.roles, by, now)
        case RolesChanged():
            decided = duties.change_roles(people, event.user, event.roles, by, now)
        case UserEnabled():
            decided = duties.enable_user(people, event.user, by, now, event.reason)
        case KeySet():
            decided = duties.set_key(people, event.user, event.hash, by, now, halves=event.halves)
        case PasswordSet():
            decided = duties.set_password(people, event.user, event.hash, by, now, halves=event.halves)
        case FactorRemoved():
            decided = void_factor(people, event.user, by, now, event.reason)
    return replace(decided, second=second)


def _add_first(people: People, event: UserAdded) -> PeopleEvent:
    """Decide the first administrator again, on a floor without users."""
    if people.users:
        raise IllegalError("adding a user needs two administrators", value=event.user)
    if event.roles != frozenset({Role.ADMINISTRATOR}):
        raise IllegalError("the first user must be an administrator", value=event.user)
    by = Actor(event.user, Role.ADMINISTRATOR, event.name)
    return UserAdded(user=event.user, name=event.name, roles=event.roles, by=by, at=event.at)

"""People decided about again, for whoever walks the log of a floor with its people."""

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
    """Everybody on a floor at one moment of its log."""

    people: People = People()

    @property
    def known(self) -> bool:
        """Whether there is anybody."""
        return bool(self.people.users)

    def after(self, event: PeopleEvent) -> Persons:
        """Return everybody after an event."""
        return FloorPersons(evolve_people(self.people, event))

    def check(self, event: PeopleEvent) -> None:
        """Refuse an event that would not be decided so now."""
        decided = _decided(self.people, event)
        second = event.second if isinstance(event, UserEvent) else None
        for who in (event.by, *([second] if second is not None else ())):
            if who != COMMAND_LINE:
                self.check_known(who)
        if decided != event:
            raise IllegalError("something else is decided about a person", value=type(event).__name__)

    def check_acts(self, by: Actor, now: datetime) -> None:
        """Refuse somebody who may not act in their role now, or under this name."""
        if not self.known or by == COMMAND_LINE:
            return
        duties.check_acts(self.people, by, now)
        self.check_known(by)

    def check_known(self, by: Actor) -> None:
        """Refuse somebody whom nobody knows, or knows under another name."""
        if self.known and by.name not in ("", self.people.user(by.id).name):
            raise IllegalError("the user has another name", value=by.name)

    def is_user(self, person: PersonId) -> bool:
        """Whether somebody signs in."""
        return person in self.people.users

    def barred(self, person: PersonId, now: datetime) -> str | None:
        """Return why somebody is not to play, if so."""
        return barred_from_play(self.people, person, now)


def _decided(people: People, event: PeopleEvent) -> PeopleEvent:  # noqa: PLR0911 - one for each kind
    by, now = event.by, event.at
    match event:
        case UserAdded() | RolesChanged() | KeySet() | UserEnabled():
            return _decided_by_two(people, event)
        case PasswordSet():
            return _password_set(people, event)
        case FactorRemoved() if event.by.id != event.user:
            return _decided_by_two(people, event)
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


def _password_set(people: People, event: PasswordSet) -> PeopleEvent:
    by, now, user = event.by, event.at, people.user(event.user)
    if event.rehashed:
        (hashed,) = duties.hash_anew(people, event.user, user.secret, event.hash, now)
        return hashed
    if by.id != event.user and by != COMMAND_LINE:
        return _decided_by_two(people, event)
    return duties.set_password(people, event.user, event.hash, by, now, halves=event.halves)


def _decided_by_two(
    people: People, event: UserAdded | RolesChanged | KeySet | UserEnabled | PasswordSet | FactorRemoved
) -> PeopleEvent:
    """Return what two administrators decide; the first of all, and the command line, decide alone."""
    by, second, now = event.by, event.second, event.at
    if isinstance(event, UserAdded) and second is None and by != COMMAND_LINE:
        return _first_added(people, event)
    if isinstance(event, RolesChanged) and second is None:
        return duties.take_roles(people, event.user, event.roles, by, now)
    if by != COMMAND_LINE:
        if second is None:
            raise IllegalError("two administrators decide it", value=event.user)
        check_two(Duty.MANAGE_PEOPLE, by, second)
        for who in (by, second):
            duties.check_acts(people, who, now)
            if who.id == event.user:
                raise IllegalError("nobody takes part in what is decided about them", value=who.id)
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


def _first_added(people: People, event: UserAdded) -> PeopleEvent:
    """Return the first administrator, added where there is nobody."""
    if people.users:
        raise IllegalError("two administrators add somebody", value=event.user)
    if event.roles != frozenset({Role.ADMINISTRATOR}):
        raise IllegalError("the first of all is an administrator", value=event.user)
    by = Actor(event.user, Role.ADMINISTRATOR, event.name)
    return UserAdded(user=event.user, name=event.name, roles=event.roles, by=by, at=event.at)

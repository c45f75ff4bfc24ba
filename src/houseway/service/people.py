"""Users and what they may do, folded from the stream of people, and decisions about them. Pure functions.

A user is a person with a password or a device with a key. Only hashes of these are stored, and hashes appear
neither in a representation nor in an error.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace

from houseway.errors import IllegalError, InvalidInputError, UnknownNameError
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
)
from houseway.floor.rights import COMMAND_LINE, Duty, check_reason, check_right
from houseway.floor.streams import RedactedStruct
from houseway.names import check_id, check_name, check_unreserved, look_of
from houseway.rounds.roles import DEVICES, Role
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor
from houseway.service.passwords import is_key_hash, is_password_hash

FOR_GOOD: Final = datetime.max.replace(tzinfo=UTC)
"""The end of an exclusion that has none."""


class User(RedactedStruct, frozen=True, kw_only=True):
    """A person or a device that may sign in."""

    hidden: ClassVar[frozenset[str]] = frozenset({"secret", "factor"})
    id: PersonId
    name: str
    roles: frozenset[Role]
    secret: str = ""
    """The hash of the password or the key, if one is set."""
    since: datetime | None = None
    """When the password or key was set: sessions begun with an older one are over."""
    temporary: bool = False
    """Whether another person set the password, and so knows it."""
    halves: bool = False
    """Whether the password or key has two halves, of which the first is hashed by itself."""
    disabled: str | None = None
    """Why they may not sign in, if they may not."""
    excluded: datetime | None = None
    timed_out: datetime | None = None
    factor: str = ""
    """The encrypted secret of their second factor, if they have one."""

    @property
    def device(self) -> bool:
        """Whether it is a device, which proves itself by a key."""
        return self.roles <= DEVICES

    def barred_until(self, now: datetime) -> datetime | None:
        """Return until when a player is barred from play, or None."""
        ends = [end for end in (self.excluded, self.timed_out) if end is not None and now < end]
        return max(ends, default=None)


class People(Struct, frozen=True):
    """All users ever added, by id."""

    users: Mapping[PersonId, User] = {}
    names: Mapping[str, PersonId] = {}
    """The user of each name, by its key."""
    factor_roles: frozenset[Role] = frozenset()
    """The roles in which people need a second factor."""

    def user(self, user: PersonId) -> User:
        """Return a user; raise ``UnknownNameError`` if there is none."""
        if user not in self.users:
            raise UnknownNameError("no such user", value=user)
        return self.users[user]

    def find_by_name(self, name: str) -> User | None:
        """Return the user of a name, in any spelling, or None."""
        user = self.names.get(name_key(name))
        return None if user is None else self.users[user]

    @property
    def administrators(self) -> list[PersonId]:
        """The users who can sign in as administrators."""
        able = (user for user in self.users.values() if user.secret and user.disabled is None)
        return sorted(user.id for user in able if Role.ADMINISTRATOR in user.roles)


def name_key(name: str) -> str:
    """Return a key that is equal for two spellings of one name.

    >>> name_key(" Ann\u00a0LEE") == name_key("ann lee")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


# --- checks -------------------------------------------------------------------------------------------


def check_acts(people: People, by: Actor, now: datetime) -> User:
    """Return the user who acts; refuse one who is disabled, lacks the role or is barred from play."""
    user = people.user(by.id)
    if user.disabled is not None:
        raise IllegalError("the user is disabled", value=by.id)
    if by.role not in user.roles:
        raise IllegalError(f"the user has no role {by.role}", value=by.id)
    if by.role is Role.PLAYER:
        check_may_play(people, by.id, now)
    return user


def check_may_play(people: People, person: PersonId, now: datetime) -> None:
    """Refuse a player who is excluded or in a time-out; people who are not users pass."""
    why = barred_from_play(people, person, now)
    if why is not None:
        raise IllegalError(why.removeprefix("is "), value=person)


def barred_from_play(people: People, person: PersonId, now: datetime) -> str | None:
    """Return until when a person is barred from play, in words, or None."""
    user = people.users.get(person)
    until = user.barred_until(now) if user else None
    return None if until is None else f"is not to play {end_in_words(until)}"


def end_in_words(until: datetime) -> str:
    """Return in words until when something lasts."""
    return "any more" if until == FOR_GOOD else f"until {until.isoformat()}"


def check_own_history(people: People, by: Actor, person: PersonId) -> None:
    """Refuse a history to anyone but its player, and administrators, who give it to players on request."""
    if by.id != person or by.role is not Role.PLAYER:
        check_right(Duty.MANAGE_PEOPLE, by)
    people.user(person)


# --- decisions ----------------------------------------------------------------------------------------


def add_first_administrator(
    people: People, user: PersonId, name: str, password_hash: str, now: datetime
) -> list[PeopleEvent]:
    """Add the first administrator, with a password of their own, on a floor without users."""
    if people.users:
        raise IllegalError("there are users already: administrators must add others")
    _check_named(people, user, name)
    _check_hash(is_password_hash(password_hash))
    by = Actor(user, Role.ADMINISTRATOR, name)
    added = UserAdded(user=user, name=name, roles=frozenset({Role.ADMINISTRATOR}), by=by, at=now)
    return [added, PasswordSet(user=user, hash=password_hash, by=by, at=now)]


def add_administrator(
    people: People, user: PersonId, name: str, password_hash: str, now: datetime
) -> list[PeopleEvent]:
    """Add an administrator at the command line, with a temporary password."""
    added = add_user(people, user, name, frozenset({Role.ADMINISTRATOR}), COMMAND_LINE, now)
    return [added, set_password(evolve_people(people, added), user, password_hash, COMMAND_LINE, now)]


def add_user(
    people: People, user: PersonId, name: str, roles: frozenset[Role], by: Actor, now: datetime
) -> UserAdded:
    """Add a person or a device; until a password or a key is set they cannot sign in."""
    _check_manages(people, by, now)
    _check_named(people, user, name)
    _check_roles(roles)
    return UserAdded(user=user, name=name, roles=roles, by=by, at=now)


def change_roles(
    people: People, user: PersonId, roles: frozenset[Role], by: Actor, now: datetime
) -> RolesChanged:
    """Give a user other roles; it needs two administrators, and you cannot give yourself a role."""
    _check_manages(people, by, now)
    _check_roles(roles)
    subject = people.user(user)
    if by.id == user and roles - subject.roles:
        raise IllegalError("you cannot give yourself a role", value=user)
    if subject.device != (roles <= DEVICES):
        raise IllegalError("a person cannot become a device, nor a device a person", value=user)
    if subject.roles == roles:
        raise IllegalError("the user has these roles already", value=user)
    event = RolesChanged(user=user, roles=roles, by=by, at=now)
    _check_administrator_left(people, event)
    return event


def take_roles(
    people: People, user: PersonId, roles: frozenset[Role], by: Actor, now: datetime
) -> RolesChanged:
    """Take roles from a user; one administrator may do so, since it grants nothing."""
    new = roles - people.user(user).roles
    if new:
        raise IllegalError("giving a role needs two administrators", value=", ".join(sorted(new)))
    return change_roles(people, user, roles, by, now)


def set_password(
    people: People, user: PersonId, password_hash: str, by: Actor, now: datetime, *, halves: bool = False
) -> PasswordSet:
    """Set a person's password: their own, or, as an administrator, a temporary one for another."""
    subject = people.user(user)
    if by.id != user:
        _check_manages(people, by, now)
    elif subject.disabled is not None or by.role not in subject.roles:
        raise IllegalError("the user may not sign in in this role", value=user)
    if subject.device:
        raise IllegalError("a device has a key, and no password", value=user)
    _check_hash(is_password_hash(password_hash))
    return PasswordSet(user=user, hash=password_hash, halves=halves, by=by, at=now)


def rehash_password(
    people: People, user: PersonId, was: str, password_hash: str, now: datetime
) -> list[PeopleEvent]:
    """Store a password under new hash parameters, unless another one was set meanwhile."""
    subject = people.user(user)
    if subject.secret != was or subject.device:
        return []
    _check_hash(is_password_hash(password_hash))
    by = Actor(user, min(subject.roles), subject.name)
    return [PasswordSet(user=user, hash=password_hash, rehashed=True, by=by, at=now)]


def set_key(
    people: People, user: PersonId, key_hash: str, by: Actor, now: datetime, *, halves: bool = False
) -> KeySet:
    """Give a device a new key, which replaces the former one."""
    _check_manages(people, by, now)
    if not people.user(user).device:
        raise IllegalError("a person has a password, and no key", value=user)
    _check_hash(is_key_hash(key_hash))
    return KeySet(user=user, hash=key_hash, halves=halves, by=by, at=now)


def disable_user(people: People, user: PersonId, by: Actor, now: datetime, reason: str) -> UserDisabled:
    """Disable a user's sign-in."""
    _check_manages(people, by, now)
    check_reason(reason)
    if people.user(user).disabled is not None:
        raise IllegalError("the user is disabled already", value=user)
    event = UserDisabled(user=user, reason=reason, by=by, at=now)
    _check_administrator_left(people, event)
    return event


def enable_user(people: People, user: PersonId, by: Actor, now: datetime, reason: str) -> UserEnabled:
    """Enable a user's sign-in again; exclusions stay as they are."""
    _check_manages(people, by, now)
    check_reason(reason)
    if people.user(user).disabled is None:
        raise IllegalError("the user is not disabled", value=user)
    return UserEnabled(user=user, reason=reason, by=by, at=now)


def exclude_self(people: People, by: Actor, now: datetime, until: datetime | None = None) -> SelfExcluded:
    """Exclude the actor from play until a moment or for good; it cannot be shortened."""
    before = _player(people, by).excluded
    _check_longer("a self-exclusion", before, until or FOR_GOOD, now)
    return SelfExcluded(user=by.id, until=until, by=by, at=now)


def take_time_out(people: People, by: Actor, now: datetime, until: datetime) -> TimeOut:
    """Start the actor's time-out from play until a moment; it cannot be shortened."""
    before = _player(people, by).timed_out
    _check_longer("a time-out", before, until, now)
    return TimeOut(user=by.id, until=until, by=by, at=now)


def _player(people: People, by: Actor) -> User:
    user = people.user(by.id)
    if by.role is not Role.PLAYER or Role.PLAYER not in user.roles:
        raise IllegalError("only a player can exclude themselves", value=str(by))
    return user


def _check_longer(what: str, before: datetime | None, until: datetime, now: datetime) -> None:
    if until.tzinfo is None:
        raise InvalidInputError("the moment needs a time zone", value=until.isoformat())
    if until <= now:
        raise IllegalError(f"{what} must end in the future", value=until.isoformat())
    if before is not None and until <= before:
        raise IllegalError(f"{what} can only be made longer", value=until.isoformat())


def _check_manages(people: People, by: Actor, now: datetime) -> None:
    check_right(Duty.MANAGE_PEOPLE, by)
    if by != COMMAND_LINE:
        check_acts(people, by, now)


def _check_named(people: People, user: PersonId, name: str) -> None:
    """Refuse an id or name that is taken, reserved, or looks like that of another user."""
    check_id(user)
    check_name(name)
    taken = people.names.keys() | {name_key(other) for other in people.users}
    looks = {look_of(text) for other in people.users.values() for text in (other.id, other.name)}
    for text in (user, name):
        check_unreserved(text)
        if name_key(text) in taken:
            raise IllegalError("the id or name is taken", value=text)
        if look_of(text) in looks:
            raise IllegalError("the id or name looks the same as another user's", value=text)


def _check_roles(roles: frozenset[Role]) -> None:
    if not roles:
        raise IllegalError("a user needs at least one role")
    if Role.GUEST in roles:
        raise IllegalError("guests are not users", value=str(Role.GUEST))
    if roles & DEVICES and roles - DEVICES:
        raise IllegalError(
            "a user cannot have roles of both people and devices", value=", ".join(sorted(map(str, roles)))
        )


def _check_administrator_left(people: People, event: RolesChanged | UserDisabled) -> None:
    if people.administrators and not evolve_people(people, event).administrators:
        raise IllegalError("at least one administrator must be able to sign in", value=event.user)


def _check_hash(is_hash: bool) -> None:
    """Refuse to record anything but a hash; the error does not repeat it, since it may be the secret."""
    if not is_hash:
        raise InvalidInputError("only the hash of a password or a key is recorded")


# --- evolution ----------------------------------------------------------------------------------------


def evolve_people(people: People, event: PeopleEvent) -> People:
    """Return the people after an event."""
    if isinstance(event, FactorsDemanded):
        return replace(people, factor_roles=event.roles)
    if isinstance(event, UserAdded):
        user = User(id=event.user, name=event.name, roles=event.roles)
    else:
        user = _evolve_user(people.users[event.user], event)
    names = {**people.names, name_key(user.name): user.id}
    return replace(people, users={**people.users, user.id: user}, names=names)


def _evolve_user(user: User, event: PeopleEvent) -> User:  # noqa: PLR0911 - one for each kind
    match event:
        case RolesChanged():
            return replace(user, roles=event.roles)
        case PasswordSet() if event.rehashed:
            return replace(user, secret=event.hash)
        case PasswordSet():
            temporary = event.by.id != user.id
            return replace(user, secret=event.hash, since=event.at, temporary=temporary, halves=event.halves)
        case KeySet():
            return replace(user, secret=event.hash, since=event.at, halves=event.halves)
        case UserDisabled():
            return replace(user, disabled=event.reason)
        case UserEnabled():
            return replace(user, disabled=None)
        case SelfExcluded():
            return replace(user, excluded=_later(user.excluded, event.until or FOR_GOOD))
        case TimeOut():
            return replace(user, timed_out=_later(user.timed_out, event.until))
        case FactorSet():
            return replace(user, factor=event.sealed)
        case FactorRemoved():
            return replace(user, factor="")
    raise AssertionError(f"not what becomes of a user: {type(event).__name__}")


def _later(before: datetime | None, until: datetime) -> datetime:
    """Return the later of two ends: no event shortens what a player has chosen."""
    return until if before is None else max(before, until)


def ends_sessions(event: PeopleEvent) -> bool:
    """Whether an event signs its user out of all their sessions."""
    if isinstance(event, PasswordSet):
        return not event.rehashed
    if isinstance(event, FactorRemoved):
        return event.by.id != event.user
    return not isinstance(event, UserAdded | UserEnabled | FactorSet | FactorsDemanded)

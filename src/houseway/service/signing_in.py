"""Signing in: tries are limited, a secret proves who it is, and one role is chosen for the session.

Whoever proved nothing is told the same, whether there is such a user or not. ``sign_in`` does all of it;
a server that must not wait does ``Limits.take``, ``prove`` in another thread, and ``admit`` one by one.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from math import ceil
from typing import ClassVar

from msgspec import Struct

from houseway.errors import HousewayError
from houseway.floor.streams import Hiding, PasswordSet
from houseway.rounds.roles import Role
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor
from houseway.service.halves import joined
from houseway.service.limits import Limits
from houseway.service.passwords import Passwords
from houseway.service.people import FOR_GOOD, People, User, check_acts, end_in_words, name_key, set_password
from houseway.service.sessions import Begun, Session, Sessions, Token


class Why(StrEnum):
    """Why somebody is not signed in."""

    WAIT = "wait"
    WRONG = "wrong"
    DISABLED = "disabled"
    BARRED = "barred"
    NO_SUCH_ROLE = "no_such_role"
    CHOOSE_ROLE = "choose_role"
    SAME_PERSON = "same_person"


class Refusal(Struct, frozen=True, kw_only=True):
    """Why somebody is not signed in; more than ``WAIT`` and ``WRONG`` is said only to whoever proved it."""

    why: Why
    wait: timedelta | None = None
    until: datetime | None = None
    roles: tuple[Role, ...] = ()
    """The roles there are to choose from."""

    @property
    def said(self) -> str:
        """The refusal in words."""
        seconds = ceil(self.wait.total_seconds()) if self.wait else 0
        return {
            Why.WAIT: f"too many tries: wait {seconds} seconds",
            Why.WRONG: "the name or the password is wrong",
            Why.DISABLED: "the user is disabled",
            Why.BARRED: f"not to play {end_in_words(self.until or FOR_GOOD)}",
            Why.NO_SUCH_ROLE: "the user does not have this role",
            Why.CHOOSE_ROLE: f"one role is chosen: {', '.join(map(str, self.roles))}",
            Why.SAME_PERSON: "two different people are needed",
        }[self.why]


class Rehash(Hiding, frozen=True, kw_only=True):
    """A password to be kept under new parameters, with ``people.hash_anew``."""

    hidden: ClassVar[frozenset[str]] = frozenset({"was", "hash"})

    user: PersonId
    was: str
    hash: str


class SignedIn(Struct, frozen=True, kw_only=True):
    """Somebody who is signed in: their session, and what is still to be done about their password."""

    begun: Begun
    user: User
    rehash: Rehash | None = None

    @property
    def must_change_password(self) -> bool:
        """Whether somebody else has set the password, and knows it."""
        return self.user.temporary


class Proved(Struct, frozen=True, kw_only=True):
    """A user who has proved who they are."""

    user: User
    rehash: Rehash | None = None


def sign_in(
    people: People,
    sessions: Sessions,
    limits: Limits,
    passwords: Passwords,
    name: str,
    password: str,
    role: Role | None,
    address: str,
    now: datetime,
    *,
    before: Token | None = None,
) -> SignedIn | Refusal:
    """Sign somebody in under a fresh token; the session the client came with, if any, is over."""
    wait = limits.take(address, name_key(name), now)
    if wait:
        return Refusal(why=Why.WAIT, wait=wait)
    proved = prove(people, passwords, name, password)
    return admit(people, sessions, proved, role, address, now, before=before)


def prove(people: People, passwords: Passwords, name: str, secret: str) -> Proved | None:
    """Return the user who has a name and knows its secret; slow, and as slow if there is no such user."""
    user = people.named(name)
    if user is not None and user.halves:
        secret = joined(secret)
    if user is not None and user.device:
        return Proved(user=user) if passwords.knows_key(secret, user.secret) else None
    if not passwords.knows_password(secret, user.secret if user else "") or user is None:
        return None
    if not passwords.is_outdated(user.secret):
        return Proved(user=user)
    again = Rehash(user=user.id, was=user.secret, hash=passwords.hash_again(secret))
    return Proved(user=user, rehash=again)


def admit(
    people: People,
    sessions: Sessions,
    proved: Proved | None,
    role: Role | None,
    address: str,
    now: datetime,
    *,
    before: Token | None = None,
) -> SignedIn | Refusal:
    """Begin the session of somebody who has proved who they are, if they may have one in the role."""
    chosen = _role_of(people, proved, role, now)
    if isinstance(chosen, Refusal) or proved is None:
        return chosen if isinstance(chosen, Refusal) else Refusal(why=Why.WRONG)
    previous = sessions.find(before, now) if before else None
    begun = sessions.begin(proved.user.id, chosen, address, now, previous)
    if before:
        sessions.end(before)
    return SignedIn(begun=begun, user=proved.user, rehash=proved.rehash)


def _role_of(people: People, proved: Proved | None, role: Role | None, now: datetime) -> Role | Refusal:
    """Return the role somebody acts in, or why they may not: by what is on record now."""
    user = people.users.get(proved.user.id) if proved else None
    if proved is None or user is None or user.secret != proved.user.secret:
        return Refusal(why=Why.WRONG)
    if user.disabled is not None:
        return Refusal(why=Why.DISABLED)
    if role is None and len(user.roles) > 1:
        return Refusal(why=Why.CHOOSE_ROLE, roles=tuple(sorted(user.roles)))
    chosen = role if role is not None else next(iter(user.roles))
    if chosen not in user.roles:
        return Refusal(why=Why.NO_SUCH_ROLE, roles=tuple(sorted(user.roles)))
    until = user.barred(now) if chosen is Role.PLAYER else None
    return chosen if until is None else Refusal(why=Why.BARRED, until=until)


def second_person(
    people: People,
    limits: Limits,
    passwords: Passwords,
    first: Actor,
    name: str,
    password: str,
    role: Role | None,
    address: str,
    now: datetime,
) -> Actor | Refusal:
    """Return whoever stands by the first person and proves it, for what needs two people."""
    wait = limits.take(address, name_key(name), now)
    if wait:
        return Refusal(why=Why.WAIT, wait=wait)
    proved = prove(people, passwords, name, password)
    chosen = _role_of(people, proved, role, now)
    if isinstance(chosen, Refusal) or proved is None:
        return chosen if isinstance(chosen, Refusal) else Refusal(why=Why.WRONG)
    if name_key(proved.user.id) == name_key(first.id):
        return Refusal(why=Why.SAME_PERSON)
    return Actor(proved.user.id, chosen, proved.user.name)


def change_password(
    people: People,
    limits: Limits,
    passwords: Passwords,
    by: Actor,
    old: str,
    new: str,
    address: str,
    now: datetime,
) -> PasswordSet | Refusal:
    """Return somebody's own new password, to be recorded; they prove that they know the old one."""
    user = people.user(by.id)
    wait = limits.take(address, name_key(user.name), now)
    if wait:
        return Refusal(why=Why.WAIT, wait=wait)
    if prove(people, passwords, user.name, old) is None:
        return Refusal(why=Why.WRONG)
    return set_password(people, user.id, passwords.hash(new, user.id, user.name), by, now)


def who_acts(people: People, session: Session | None, now: datetime) -> Actor | None:
    """Return who acts by a session, if they still may: whatever became of them since it began.

    Sessions are ended when somebody is disabled, bars themselves or gets another password; this holds even
    where that was recorded by a server that then stopped.
    """
    if session is None or session.user is None:
        return session.actor() if session else None
    try:
        user = check_acts(people, session.actor(), now)
    except HousewayError:
        return None
    if user.since is None or session.begun < user.since:
        return None
    return session.actor(user.name)

"""Rules of signing in: a secret proves the user, and the session is for one of their roles.

Users who prove nothing get the same answer whether the name exists or not. Tries are limited, and hashes are
computed, by ``credentials``; the sessions are those of ``session_auth``.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from math import ceil
from typing import ClassVar

from msgspec import Struct

from houseway.errors import HousewayError
from houseway.floor.streams import RedactedStruct
from houseway.rounds.roles import Role
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor
from houseway.service.passwords import Passwords
from houseway.service.people import FOR_GOOD, People, User, check_acts, end_in_words
from houseway.service.sessions import NewSession, Session, Sessions, Token
from houseway.service.split_secrets import join_typed


class RefusalReason(StrEnum):
    """Why a user is not signed in."""

    WAIT = "wait"
    WRONG = "wrong"
    DISABLED = "disabled"
    BARRED = "barred"
    NO_SUCH_ROLE = "no_such_role"
    CHOOSE_ROLE = "choose_role"
    CODE = "code"
    WRONG_CODE = "wrong_code"


class SignInRefusal(Struct, frozen=True, kw_only=True):
    """A refusal to sign in; only users who are proved get reasons other than ``WAIT`` and ``WRONG``."""

    reason: RefusalReason
    wait: timedelta | None = None
    until: datetime | None = None
    roles: tuple[Role, ...] = ()
    """The roles to choose from."""

    @property
    def seconds(self) -> int:
        """The number of seconds to wait."""
        return ceil(self.wait.total_seconds()) if self.wait else 0

    @property
    def message(self) -> str:
        """The refusal in words."""
        return {
            RefusalReason.WAIT: f"too many tries: wait {self.seconds} seconds",
            RefusalReason.WRONG: "the name or the password is wrong",
            RefusalReason.DISABLED: "the user is disabled",
            RefusalReason.BARRED: f"not to play {end_in_words(self.until or FOR_GOOD)}",
            RefusalReason.NO_SUCH_ROLE: "the user does not have this role",
            RefusalReason.CHOOSE_ROLE: f"choose one role: {', '.join(map(str, self.roles))}",
            RefusalReason.CODE: "the code of the second factor is needed too",
            RefusalReason.WRONG_CODE: "the code is wrong, or was used already",
        }[self.reason]


class NotProvedError(HousewayError):
    """A signed-in user did not prove once more who they are."""

    def __init__(self, refusal: SignInRefusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class Rehash(RedactedStruct, frozen=True, kw_only=True):
    """A password hash under new parameters, to be stored with ``people.rehash_password``."""

    hidden: ClassVar[frozenset[str]] = frozenset({"was", "hash"})

    user: PersonId
    was: str
    hash: str


class Admission(Struct, frozen=True, kw_only=True):
    """A user who was signed in: the new session, and the rehash of their password, if any."""

    new_session: NewSession
    user: User
    rehash: Rehash | None = None


class ProvedUser(Struct, frozen=True, kw_only=True):
    """A user who has proved who they are."""

    user: User
    rehash: Rehash | None = None


def prove(people: People, passwords: Passwords, name: str, secret: str) -> ProvedUser | None:
    """Return the user of a name who knows its secret; takes as long for an unknown name."""
    user = people.find_by_name(name)
    if user is not None and user.halves:
        secret = join_typed(secret)
    if user is not None and user.device:
        return ProvedUser(user=user) if passwords.knows_key(secret, user.secret) else None
    if not passwords.knows_password(secret, user.secret if user else "") or user is None:
        return None
    if not passwords.is_outdated(user.secret):
        return ProvedUser(user=user)
    rehash = Rehash(user=user.id, was=user.secret, hash=passwords.hash_unchecked(secret))
    return ProvedUser(user=user, rehash=rehash)


def admit(
    people: People,
    sessions: Sessions,
    proved: ProvedUser | None,
    role: Role | None,
    address: str,
    now: datetime,
    *,
    before: Token | None = None,
) -> Admission | SignInRefusal:
    """Begin a session for a user who is proved, or return why they may not have one in the role."""
    chosen = choose_role(people, proved, role, now)
    if isinstance(chosen, SignInRefusal) or proved is None:
        return chosen if isinstance(chosen, SignInRefusal) else SignInRefusal(reason=RefusalReason.WRONG)
    previous = sessions.find(before, now) if before else None
    new_session = sessions.begin(proved.user.id, chosen, address, now, previous)
    if before:
        sessions.end(before)
    return Admission(new_session=new_session, user=proved.user, rehash=proved.rehash)


def choose_role(
    people: People, proved: ProvedUser | None, role: Role | None, now: datetime
) -> Role | SignInRefusal:
    """Return the role of a session for a user, or why they may not have it, by what is recorded now."""
    user = people.users.get(proved.user.id) if proved else None
    if proved is None or user is None or user.secret != proved.user.secret:
        return SignInRefusal(reason=RefusalReason.WRONG)
    if user.disabled is not None:
        return SignInRefusal(reason=RefusalReason.DISABLED)
    if role is None and len(user.roles) > 1:
        return SignInRefusal(reason=RefusalReason.CHOOSE_ROLE, roles=tuple(sorted(user.roles)))
    chosen = role if role is not None else next(iter(user.roles))
    if chosen not in user.roles:
        return SignInRefusal(reason=RefusalReason.NO_SUCH_ROLE, roles=tuple(sorted(user.roles)))
    until = user.barred_until(now) if chosen is Role.PLAYER else None
    return chosen if until is None else SignInRefusal(reason=RefusalReason.BARRED, until=until)


def session_actor(people: People, session: Session | None, now: datetime) -> Actor | None:
    """Return the actor of a session, or None if the user may not act any more.

    Sessions are ended when a user is disabled, bars themselves or gets another password; this holds even
    if the server that recorded it stopped before it ended them.
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

"""Signing in: a secret proves who it is, and one role is chosen for the session. All but the hash is quick.

Whoever proved nothing is told the same, whether there is such a user or not. Tries are limited, and hashes
computed, by ``credentials``; what a server does at its door is in ``door``.
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
from houseway.service.halves import joined
from houseway.service.passwords import Passwords
from houseway.service.people import FOR_GOOD, People, User, check_acts, end_in_words
from houseway.service.sessions import Begun, Session, Sessions, Token


class SignInRefusal(StrEnum):
    """Why somebody is not signed in."""

    WAIT = "wait"
    WRONG = "wrong"
    DISABLED = "disabled"
    BARRED = "barred"
    NO_SUCH_ROLE = "no_such_role"
    CHOOSE_ROLE = "choose_role"
    CODE = "code"
    WRONG_CODE = "wrong_code"


class Refusal(Struct, frozen=True, kw_only=True):
    """Why somebody is not signed in; more than ``WAIT`` and ``WRONG`` is said only to whoever proved it."""

    why: SignInRefusal
    wait: timedelta | None = None
    until: datetime | None = None
    roles: tuple[Role, ...] = ()
    """The roles there are to choose from."""

    @property
    def seconds(self) -> int:
        """How many seconds to wait."""
        return ceil(self.wait.total_seconds()) if self.wait else 0

    @property
    def said(self) -> str:
        """The refusal in words."""
        return {
            SignInRefusal.WAIT: f"too many tries: wait {self.seconds} seconds",
            SignInRefusal.WRONG: "the name or the password is wrong",
            SignInRefusal.DISABLED: "the user is disabled",
            SignInRefusal.BARRED: f"not to play {end_in_words(self.until or FOR_GOOD)}",
            SignInRefusal.NO_SUCH_ROLE: "the user does not have this role",
            SignInRefusal.CHOOSE_ROLE: f"one role is chosen: {', '.join(map(str, self.roles))}",
            SignInRefusal.CODE: "the code of the second factor is needed too",
            SignInRefusal.WRONG_CODE: "the code is wrong, or was used already",
        }[self.why]


class NotProvedError(HousewayError):
    """Somebody who is signed in did not prove once more who they are."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.said)
        self.refusal = refusal


class Rehash(RedactedStruct, frozen=True, kw_only=True):
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


class Proved(Struct, frozen=True, kw_only=True):
    """A user who has proved who they are."""

    user: User
    rehash: Rehash | None = None


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
    again = Rehash(user=user.id, was=user.secret, hash=passwords.hash_unchecked(secret))
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
    chosen = chosen_role(people, proved, role, now)
    if isinstance(chosen, Refusal) or proved is None:
        return chosen if isinstance(chosen, Refusal) else Refusal(why=SignInRefusal.WRONG)
    previous = sessions.find(before, now) if before else None
    begun = sessions.begin(proved.user.id, chosen, address, now, previous)
    if before:
        sessions.end(before)
    return SignedIn(begun=begun, user=proved.user, rehash=proved.rehash)


def chosen_role(people: People, proved: Proved | None, role: Role | None, now: datetime) -> Role | Refusal:
    """Return the role somebody acts in, or why they may not: by what is on record now."""
    user = people.users.get(proved.user.id) if proved else None
    if proved is None or user is None or user.secret != proved.user.secret:
        return Refusal(why=SignInRefusal.WRONG)
    if user.disabled is not None:
        return Refusal(why=SignInRefusal.DISABLED)
    if role is None and len(user.roles) > 1:
        return Refusal(why=SignInRefusal.CHOOSE_ROLE, roles=tuple(sorted(user.roles)))
    chosen = role if role is not None else next(iter(user.roles))
    if chosen not in user.roles:
        return Refusal(why=SignInRefusal.NO_SUCH_ROLE, roles=tuple(sorted(user.roles)))
    until = user.barred(now) if chosen is Role.PLAYER else None
    return chosen if until is None else Refusal(why=SignInRefusal.BARRED, until=until)


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

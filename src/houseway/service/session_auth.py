"""The door of a served floor: people by name and password, known afterwards by the token of their session.

What they prove themselves by is checked by ``credentials``; what touches the database is done between two
batches. A session that was found is believed for a few seconds, and then all that are in use are looked up
together; whoever was disabled, barred or got another password is not, at once.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Final

from houseway.errors import InvalidInputError
from houseway.floor.streams import AccessKind
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.api.auth import Identity, Precondition, Proof, SignInError, SignInResult
from houseway.service.credentials import Credentials
from houseway.service.factors import needs_factor
from houseway.service.loop import FloorLoop
from houseway.service.people import rehash_password
from houseway.service.register import Register
from houseway.service.sessions import LONGEST, Session, Sessions
from houseway.service.sign_in_rules import (
    Admission,
    ProvedUser,
    RefusalReason,
    SignInRefusal,
    admit,
    choose_role,
    session_actor,
)
from houseway.store.outcomes import StoreError

CACHED_FOR: Final = timedelta(seconds=5)
"""So long a session that was found is not looked up again."""
MOST_CACHED: Final = 10_000


@dataclass
class _CachedSession:
    """A session that was found, when, and whether anybody has come with it since."""

    session: Session
    looked_up: datetime
    used: bool = False


class SessionAuth:
    """Lets people in, knows them by their token, and lets them go."""

    def __init__(
        self,
        loop: FloorLoop,
        register: Register,
        sessions: Sessions,
        credentials: Credentials,
    ) -> None:
        self._loop, self.register, self._sessions = loop, register, sessions
        self.credentials, self._clock = credentials, loop.floor.clock
        self._cache: dict[bytes, _CachedSession] = {}
        self._refreshing = asyncio.Lock()

    async def sign_in(
        self,
        name: str,
        password: str,
        role: str,
        address: str,
        *,
        before: str = "",
        code: str | None = "",
    ) -> SignInResult:
        """Sign somebody in, or refuse; the session of the token before, if any, is over."""
        chosen = _read_role(role)

        def objection(proved: ProvedUser) -> SignInRefusal | None:
            choice = choose_role(self.register.people, proved, chosen, self._clock())
            return choice if isinstance(choice, SignInRefusal) else None

        proved = await self.credentials.check(name, password, address, code=code, objection=objection)
        if isinstance(proved, SignInRefusal):
            raise sign_in_error(proved)
        admitted = await self._loop.between(
            lambda: admit(
                self.register.people,
                self._sessions,
                proved,
                chosen,
                address,
                self._clock(),
                before=before or None,
            )
        )
        if isinstance(admitted, SignInRefusal):
            raise sign_in_error(admitted)
        if admitted.rehash is not None:
            await self._store_rehash(admitted)
        session = admitted.new_session.session
        actor = session.actor(admitted.user.name)
        self.credentials.access.note(AccessKind.SIGNED_IN, actor, address, self._clock())
        return SignInResult(
            admitted.new_session.token, self._identity_of(session, actor), int(LONGEST.total_seconds())
        )

    def _identity_of(self, session: Session, actor: Actor) -> Identity:
        """Return who is signed in, and what they do first.

        A temporary password is changed; a factor that the house demands is set up.
        """
        people, must = self.register.people, None
        user = people.users.get(session.user) if session.user is not None else None
        if user is not None and user.temporary:
            must = Precondition.CHANGE_PASSWORD
        elif user is not None and not user.factor and needs_factor(people, actor.role):
            must = Precondition.ENROL
        return Identity(actor, session.csrf, must)

    async def prove(self, token: str, password: str, address: str) -> None:
        """Take the password of whoever a token stands for once more, or refuse."""
        key, now = _key(token), self._clock()
        session = await self._loop.between(lambda: self._look_up([key], now).get(key))
        user = self.register.people.users.get(session.user or "") if session is not None else None
        if session is None or user is None:
            raise SignInError("sign in first")
        proved = await self.credentials.check(user.name, password, address)
        if isinstance(proved, SignInRefusal):
            raise sign_in_error(proved)
        await self._loop.between(lambda: self._sessions.renew_proof(session, self._clock()))

    async def proof(self, token: str) -> Proof | None:
        """Return how whoever a token stands for has proved who they are, looked up anew.

        A session that another server has renewed a moment ago is not believed to be as it was.
        """
        key, now = _key(token), self._clock()
        session = await self._loop.between(lambda: self._look_up([key], now).get(key))
        if session is None or session_actor(self.register.people, session, now) is None:
            return None
        return Proof(hashlib.sha256(session.browser).hexdigest(), session.proved_lately(now))

    async def _store_rehash(self, admitted: Admission) -> None:
        """Keep a password under the parameters that hold now."""
        again = admitted.rehash
        assert again is not None
        await self._loop.between(
            lambda: self.register.record(
                lambda people, now: rehash_password(people, again.user, again.was, again.hash, now)
            )
        )

    async def sign_in_guest(self, address: str) -> SignInResult:
        """Let somebody in as a guest."""
        wait = await self.credentials.take_guest(address)
        if wait:
            seconds = ceil(wait.total_seconds())
            raise SignInError(f"too many guests from there: wait {seconds} seconds", wait=seconds)
        begun = await self._loop.between(lambda: self._sessions.begin_guest(address, self._clock()))
        signed = Identity(begun.session.actor(), begun.session.csrf)
        return SignInResult(begun.token, signed, int(LONGEST.total_seconds()))

    async def find(self, token: str) -> Identity | None:
        """Return who a token stands for, if it still does."""
        if not token:
            return None
        now, key = self._clock(), _key(token)
        known = self._cache.get(key)
        if known is not None:
            known.used = True
            if now - known.looked_up >= CACHED_FOR or known.session.ends <= now:
                await self._refresh_cache()
                known = self._cache.get(key)  # forgotten if somebody asked again just before it was used
        session = known.session if known else None
        if session is None:
            session = await self._loop.between(lambda: self._look_up([key], now).get(key))
            self._remember(key, session, now)
        actor = session_actor(self.register.people, session, now)
        return self._identity_of(session, actor) if actor is not None and session is not None else None

    def _look_up(self, keys: Sequence[bytes], now: datetime) -> dict[bytes, Session]:
        self.register.refresh()
        sessions = self._sessions.find_all(keys, now)
        with suppress(StoreError):  # that somebody was heard is no reason to refuse who only looks
            self._sessions.touch(sessions.values(), now)
        return sessions

    async def _refresh_cache(self) -> None:
        """Look up all sessions that are in use in one question, whoever asks first; the rest is forgotten."""
        async with self._refreshing:
            now = self._clock()
            old = {
                key: cached
                for key, cached in self._cache.items()
                if now - cached.looked_up >= CACHED_FOR / 2 or cached.session.ends <= now
            }
            used = [key for key, cached in old.items() if cached.used]
            sessions = await self._loop.between(lambda: self._look_up(used, now)) if used else {}
            for key in old:
                still_here = self._cache.pop(key, None) is not None  # not signed out meanwhile
                if still_here and key in sessions:
                    self._remember(key, sessions[key], now)

    def _remember(self, key: bytes, session: Session | None, now: datetime) -> None:
        if len(self._cache) >= MOST_CACHED:
            self._cache.clear()
        if session is not None:
            self._cache[key] = _CachedSession(session, now)

    async def sign_out(self, token: str) -> None:
        """End a session."""
        self._cache.pop(_key(token), None)
        await self._loop.between(lambda: self._sessions.end(token))


def sign_in_error(refusal: SignInRefusal) -> SignInError:
    """Return a refusal as whoever asks is told."""
    must = Precondition.CODE if refusal.reason in (RefusalReason.CODE, RefusalReason.WRONG_CODE) else None
    return SignInError(refusal.message, wait=refusal.seconds, must=must)


def _key(token: str) -> bytes:
    """Return what a token is remembered by: the token itself is kept nowhere."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def _read_role(name: str) -> Role | None:
    if not name:
        return None
    try:
        return Role(name)
    except ValueError:
        raise InvalidInputError("no such role", value=name) from None

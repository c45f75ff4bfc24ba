"""Authentication by sessions: people sign in by name and password, and are known by a token afterwards.

Secrets are checked by ``credentials``; the database is used between two batches. A session that was looked up
is cached for a few seconds, and then all sessions in use are looked up together. What is recorded about users
who were disabled, barred or given another password takes effect at once, cached or not.
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
"""How long a session is served from the cache."""
MOST_CACHED: Final = 10_000


@dataclass
class _CachedSession:
    """A cached session: when it was looked up, and whether it was used since."""

    session: Session
    looked_up: datetime
    used: bool = False

    def is_old(self, now: datetime, age: timedelta = CACHED_FOR) -> bool:
        """Whether the session must be looked up again: it was cached for too long, or it has ended."""
        return now - self.looked_up >= age or self.session.ends <= now


class SessionAuth:
    """Signs people in, knows them by their token, and signs them out."""

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
        """Sign a user in, or refuse; the session of the token ``before``, if any, is replaced."""
        chosen = _read_role(role)

        def objection(proved: ProvedUser) -> SignInRefusal | None:
            choice = choose_role(self.register.people, proved, chosen, self._clock())
            return choice if isinstance(choice, SignInRefusal) else None

        proved = await self.credentials.check(name, password, address, code=code, objection=objection)
        if isinstance(proved, SignInRefusal):
            raise sign_in_error(proved)
        admission = await self._loop.between(
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
        if isinstance(admission, SignInRefusal):
            raise sign_in_error(admission)
        if admission.rehash is not None:
            await self._store_rehash(admission)
        session = admission.new_session.session
        actor = session.actor(admission.user.name)
        self.credentials.access.note(AccessKind.SIGNED_IN, actor, address, self._clock())
        return SignInResult(
            admission.new_session.token, self._identity_of(session, actor), int(LONGEST.total_seconds())
        )

    def _identity_of(self, session: Session, actor: Actor) -> Identity:
        """Return the identity of a session, with what the user must do first.

        A temporary password must be changed; a required second factor must be set up.
        """
        people, must = self.register.people, None
        user = people.users.get(session.user) if session.user is not None else None
        if user is not None and user.temporary:
            must = Precondition.CHANGE_PASSWORD
        elif user is not None and not user.factor and needs_factor(people, actor.role):
            must = Precondition.ENROL
        return Identity(actor, session.csrf, must)

    async def prove(self, token: str, password: str, address: str) -> None:
        """Check the password of a token's user once more and renew their proof, or refuse."""
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
        """Return how recently a token's user has proved who they are, looked up without the cache.

        Another server may have renewed the session a moment ago.
        """
        key, now = _key(token), self._clock()
        session = await self._loop.between(lambda: self._look_up([key], now).get(key))
        if session is None or session_actor(self.register.people, session, now) is None:
            return None
        return Proof(hashlib.sha256(session.browser).hexdigest(), session.is_freshly_proved(now))

    async def _store_rehash(self, admission: Admission) -> None:
        """Store a password's hash under the current parameters."""
        rehash = admission.rehash
        assert rehash is not None
        await self._loop.between(
            lambda: self.register.record(
                lambda people, now: rehash_password(people, rehash.user, rehash.was, rehash.hash, now)
            )
        )

    async def sign_in_guest(self, address: str) -> SignInResult:
        """Sign a guest in, or refuse if too many come from their address."""
        wait = await self.credentials.take_guest(address)
        if wait:
            seconds = ceil(wait.total_seconds())
            raise SignInError(f"too many guests from there: wait {seconds} seconds", wait=seconds)
        guest = await self._loop.between(lambda: self._sessions.begin_guest(address, self._clock()))
        identity = Identity(guest.session.actor(), guest.session.csrf)
        return SignInResult(guest.token, identity, int(LONGEST.total_seconds()))

    async def find(self, token: str) -> Identity | None:
        """Return the identity of a token, or None if its session is over."""
        if not token:
            return None
        now, key = self._clock(), _key(token)
        cached = self._cache.get(key)
        if cached is not None:
            cached.used = True
            if cached.is_old(now):
                await self._refresh_cache(key)
                cached = self._cache.get(key)  # it may be gone if another call refreshed the cache meanwhile
        session = cached.session if cached else None
        if session is None:
            session = await self._loop.between(lambda: self._look_up([key], now).get(key))
            self._remember(key, session, now)
        actor = session_actor(self.register.people, session, now)
        return self._identity_of(session, actor) if actor is not None and session is not None else None

    def _look_up(self, keys: Sequence[bytes], now: datetime) -> dict[bytes, Session]:
        self.register.refresh()
        sessions = self._sessions.find_all(keys, now)
        with suppress(StoreError):  # a failed touch must not refuse a read
            self._sessions.touch(sessions.values(), now)
        return sessions

    async def _refresh_cache(self, key: bytes) -> None:
        """Look up all used sessions in one query, once for all callers; drop the unused ones."""
        async with self._refreshing:
            now, known = self._clock(), self._cache.get(key)
            if known is None or not known.is_old(now):  # refreshed while this call waited
                return
            old = {each: cached for each, cached in self._cache.items() if cached.is_old(now, CACHED_FOR / 2)}
            used = [each for each, cached in old.items() if cached.used]
            sessions = await self._loop.between(lambda: self._look_up(used, now)) if used else {}
            for each in old:
                still_here = self._cache.pop(each, None) is not None  # not signed out meanwhile
                if still_here and each in sessions:
                    self._remember(each, sessions[each], now)

    def _remember(self, key: bytes, session: Session | None, now: datetime) -> None:
        if len(self._cache) >= MOST_CACHED:
            self._cache.clear()
        if session is not None:
            self._cache[key] = _CachedSession(session, now)

    async def sign_out(self, token: str) -> None:
        """End the session of a token."""
        self._cache.pop(_key(token), None)
        await self._loop.between(lambda: self._sessions.end(token))


def sign_in_error(refusal: SignInRefusal) -> SignInError:
    """Return the error to raise for a refusal."""
    must = Precondition.CODE if refusal.reason in (RefusalReason.CODE, RefusalReason.WRONG_CODE) else None
    return SignInError(refusal.message, wait=refusal.seconds, must=must)


def _key(token: str) -> bytes:
    """Return the cache key of a token, which itself is stored nowhere."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def _read_role(name: str) -> Role | None:
    if not name:
        return None
    try:
        return Role(name)
    except ValueError:
        raise InvalidInputError("no such role", value=name) from None

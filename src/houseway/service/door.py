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
from houseway.service.api.gate import Entered, Identity, Must, NotLetInError, Proof
from houseway.service.credentials import Credentials
from houseway.service.factors import needs_factor
from houseway.service.loop import FloorLoop
from houseway.service.people import hash_anew
from houseway.service.register import Register
from houseway.service.sessions import LONGEST, Session, Sessions
from houseway.service.signing_in import Proved, Refusal, SignedIn, SignInRefusal, admit, chosen_role, who_acts
from houseway.store.outcomes import StoreError

BELIEVED: Final = timedelta(seconds=5)
"""So long a session that was found is not looked up again."""
MOST_BELIEVED: Final = 10_000


@dataclass
class _Believed:
    """A session that was found, when, and whether anybody has come with it since."""

    session: Session
    asked: datetime
    used: bool = False

    def is_old(self, now: datetime, believed: timedelta = BELIEVED) -> bool:
        """Whether it is to be looked up again: it was found a while ago, or it has ended."""
        return now - self.asked >= believed or self.session.ends <= now


class Door:
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
        self._found: dict[bytes, _Believed] = {}
        self._asking = asyncio.Lock()

    async def enter(
        self,
        name: str,
        password: str,
        role: str,
        address: str,
        *,
        before: str = "",
        code: str | None = "",
    ) -> Entered:
        """Sign somebody in, or refuse; the session of the token before, if any, is over."""
        chosen = _role(role)

        def objection(proved: Proved) -> Refusal | None:
            found = chosen_role(self.register.people, proved, chosen, self._clock())
            return found if isinstance(found, Refusal) else None

        proved = await self.credentials.check(name, password, address, code=code, objection=objection)
        if isinstance(proved, Refusal):
            raise not_let_in(proved)
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
        if isinstance(admitted, Refusal):
            raise not_let_in(admitted)
        if admitted.rehash is not None:
            await self._keep_anew(admitted)
        session = admitted.begun.session
        actor = session.actor(admitted.user.name)
        self.credentials.access.note(AccessKind.SIGNED_IN, actor, address, self._clock())
        return Entered(admitted.begun.token, self._signed(session, actor), int(LONGEST.total_seconds()))

    def _signed(self, session: Session, actor: Actor) -> Identity:
        """Return who is signed in, and what they do first.

        A temporary password is changed; a factor that the house demands is set up.
        """
        people, must = self.register.people, None
        user = people.users.get(session.user) if session.user is not None else None
        if user is not None and user.temporary:
            must = Must.CHANGE_PASSWORD
        elif user is not None and not user.factor and needs_factor(people, actor.role):
            must = Must.ENROL
        return Identity(actor, session.csrf, must)

    async def prove(self, token: str, password: str, address: str) -> None:
        """Take the password of whoever a token stands for once more, or refuse."""
        key, now = _key(token), self._clock()
        session = await self._loop.between(lambda: self._look_up([key], now).get(key))
        user = self.register.people.users.get(session.user or "") if session is not None else None
        if session is None or user is None:
            raise NotLetInError("sign in first")
        proved = await self.credentials.check(user.name, password, address)
        if isinstance(proved, Refusal):
            raise not_let_in(proved)
        await self._loop.between(lambda: self._sessions.renew_proof(session, self._clock()))

    async def proof(self, token: str) -> Proof | None:
        """Return how whoever a token stands for has proved who they are, looked up anew.

        A session that another server has renewed a moment ago is not believed to be as it was.
        """
        key, now = _key(token), self._clock()
        session = await self._loop.between(lambda: self._look_up([key], now).get(key))
        if session is None or who_acts(self.register.people, session, now) is None:
            return None
        return Proof(hashlib.sha256(session.browser).hexdigest(), session.proved_lately(now))

    async def _keep_anew(self, admitted: SignedIn) -> None:
        """Keep a password under the parameters that hold now."""
        again = admitted.rehash
        assert again is not None
        await self._loop.between(
            lambda: self.register.record(
                lambda people, now: hash_anew(people, again.user, again.was, again.hash, now)
            )
        )

    async def enter_as_guest(self, address: str) -> Entered:
        """Let somebody in as a guest."""
        wait = await self.credentials.take_guest(address)
        if wait:
            seconds = ceil(wait.total_seconds())
            raise NotLetInError(f"too many guests from there: wait {seconds} seconds", wait=seconds)
        begun = await self._loop.between(lambda: self._sessions.begin_guest(address, self._clock()))
        signed = Identity(begun.session.actor(), begun.session.csrf)
        return Entered(begun.token, signed, int(LONGEST.total_seconds()))

    async def find(self, token: str) -> Identity | None:
        """Return who a token stands for, if it still does."""
        if not token:
            return None
        now, key = self._clock(), _key(token)
        known = self._found.get(key)
        if known is not None:
            known.used = True
            if known.is_old(now):
                await self._ask_again(key)
                known = self._found.get(key)  # forgotten if somebody asked again just before it was used
        session = known.session if known else None
        if session is None:
            session = await self._loop.between(lambda: self._look_up([key], now).get(key))
            self._believe(key, session, now)
        actor = who_acts(self.register.people, session, now)
        return self._signed(session, actor) if actor is not None and session is not None else None

    def _look_up(self, keys: Sequence[bytes], now: datetime) -> dict[bytes, Session]:
        self.register.refresh()
        found = self._sessions.find_all(keys, now)
        with suppress(StoreError):  # that somebody was heard is no reason to refuse who only looks
            self._sessions.touch(found.values(), now)
        return found

    async def _ask_again(self, key: bytes) -> None:
        """Look up all sessions that are in use in one question, for all who wait for it; forget the rest."""
        async with self._asking:
            now, known = self._clock(), self._found.get(key)
            if known is None or not known.is_old(now):  # it was looked up while this one waited
                return
            old = {key: one for key, one in self._found.items() if one.is_old(now, BELIEVED / 2)}
            used = [key for key, one in old.items() if one.used]
            found = await self._loop.between(lambda: self._look_up(used, now)) if used else {}
            for each in old:
                still_here = self._found.pop(each, None) is not None  # not signed out meanwhile
                if still_here and each in found:
                    self._believe(each, found[each], now)

    def _believe(self, key: bytes, session: Session | None, now: datetime) -> None:
        if len(self._found) >= MOST_BELIEVED:
            self._found.clear()
        if session is not None:
            self._found[key] = _Believed(session, now)

    async def leave(self, token: str) -> None:
        """End a session."""
        self._found.pop(_key(token), None)
        await self._loop.between(lambda: self._sessions.end(token))


def not_let_in(refusal: Refusal) -> NotLetInError:
    """Return a refusal as whoever asks is told."""
    must = Must.CODE if refusal.why in (SignInRefusal.CODE, SignInRefusal.WRONG_CODE) else None
    return NotLetInError(refusal.said, wait=refusal.seconds, must=must)


def _key(token: str) -> bytes:
    """Return what a token is remembered by: the token itself is kept nowhere."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def _role(name: str) -> Role | None:
    if not name:
        return None
    try:
        return Role(name)
    except ValueError:
        raise InvalidInputError("no such role", value=name) from None

"""The door of a served floor: people by name and password, known afterwards by the token of their session.

What is slow is done in a thread, and what touches the database between two batches. A session that was
found is believed for a few seconds; whoever was disabled, barred or got another password is not, at once.
"""

from __future__ import annotations

import asyncio
import hashlib
from datetime import datetime, timedelta
from math import ceil
from typing import Final

from houseway.errors import InvalidInputError
from houseway.floor.core import Clock
from houseway.rounds.roles import Role
from houseway.service.api.gate import Begun, NotLetInError, Signed
from houseway.service.limits import Limits
from houseway.service.loop import FloorLoop
from houseway.service.passwords import Passwords
from houseway.service.people import hash_anew, name_key
from houseway.service.register import Register
from houseway.service.sessions import LONGEST, Session, Sessions
from houseway.service.signing_in import Refusal, SignedIn, admit, prove, who_acts

BELIEVED: Final = timedelta(seconds=5)
"""So long a session that was found is not looked up again."""
MOST_BELIEVED: Final = 10_000


class Door:
    """Lets people in, knows them by their token, and lets them go."""

    def __init__(
        self, loop: FloorLoop, register: Register, sessions: Sessions, passwords: Passwords, clock: Clock
    ) -> None:
        self._loop, self.register, self._sessions = loop, register, sessions
        self._passwords, self._clock, self._limits = passwords, clock, Limits()
        self._found: dict[bytes, tuple[Session, datetime]] = {}

    async def enter(self, name: str, password: str, role: str, address: str) -> Begun:
        """Sign somebody in, or refuse."""
        now = self._clock()
        wait = self._limits.take(address, name_key(name), now)
        if wait:
            seconds = ceil(wait.total_seconds())
            raise NotLetInError(f"too many tries: wait {seconds} seconds", wait=seconds)
        chosen = _role(role)
        await self._loop.between(self.register.refresh)
        people = self.register.people
        proved = await asyncio.to_thread(prove, people, self._passwords, name, password)
        admitted = await self._loop.between(
            lambda: admit(self.register.people, self._sessions, proved, chosen, address, now)
        )
        if isinstance(admitted, Refusal):
            raise NotLetInError(admitted.said)
        if admitted.rehash is not None:
            await self._keep_anew(admitted)
        session = admitted.begun.session
        signed = Signed(session.actor(admitted.user.name), session.csrf)
        return Begun(admitted.begun.token, signed, int(LONGEST.total_seconds()))

    async def _keep_anew(self, admitted: SignedIn) -> None:
        """Keep a password under the parameters that hold now."""
        again = admitted.rehash
        assert again is not None
        await self._loop.between(
            lambda: self.register.record(
                lambda people, now: hash_anew(people, again.user, again.was, again.hash, now)
            )
        )

    async def enter_as_guest(self, address: str) -> Begun:
        """Let somebody in as a guest."""
        wait = self._limits.take(address, "", self._clock())
        if wait:
            seconds = ceil(wait.total_seconds())
            raise NotLetInError(f"too many guests from there: wait {seconds} seconds", wait=seconds)
        begun = await self._loop.between(lambda: self._sessions.begin_guest(address, self._clock()))
        signed = Signed(begun.session.actor(), begun.session.csrf)
        return Begun(begun.token, signed, int(LONGEST.total_seconds()))

    async def find(self, token: str) -> Signed | None:
        """Return who a token stands for, if it still does."""
        if not token:
            return None
        now, key = self._clock(), _key(token)
        session, asked = self._found.get(key, (None, now))
        if session is None or now - asked >= BELIEVED or session.ends <= now:
            session = await self._loop.between(lambda: self._look_up(token, now))
            self._believe(key, session, now)
        actor = who_acts(self.register.people, session, now)
        return Signed(actor, session.csrf) if actor is not None and session is not None else None

    def _look_up(self, token: str, now: datetime) -> Session | None:
        self.register.refresh()
        session = self._sessions.find(token, now)
        if session is not None:
            self._sessions.touch(session, now)
        return session

    def _believe(self, key: bytes, session: Session | None, now: datetime) -> None:
        if len(self._found) >= MOST_BELIEVED:
            self._found.clear()
        if session is None:
            self._found.pop(key, None)
        else:
            self._found[key] = (session, now)

    async def leave(self, token: str) -> None:
        """End a session."""
        self._found.pop(_key(token), None)
        await self._loop.between(lambda: self._sessions.end(token))


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

"""Checks of passwords, keys and codes, under the limits on sign-in tries.

A pause is looked up before a hash is computed; hashes have threads of their own. Tries of one name at one
address run one at a time, so that simultaneous tries gain nothing. Tries and codes go by the wall clock,
which the servers and people's devices share.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Final
from weakref import WeakValueDictionary

from houseway.rounds.state import PersonId
from houseway.runtime import Pool, Runtime
from houseway.service.access_notes import AccessNotes, CountedAccess
from houseway.service.factor_codes import FactorCodes
from houseway.service.factors import factor_safe, step_at, step_of
from houseway.service.loop import FloorLoop
from houseway.service.passwords import Passwords
from houseway.service.register import Register
from houseway.service.sign_in_limits import Key, Tries
from houseway.service.sign_in_rules import ProvedUser, RefusalReason, SignInRefusal, prove

TRIES_KEY: Final = "houseway tries to sign in"
"""The purpose that keys are derived for; it must never change."""
FAILURES: Final = frozenset({RefusalReason.WRONG, RefusalReason.WRONG_CODE})
Objection = Callable[[ProvedUser], SignInRefusal | None]


def no_objection(_: ProvedUser) -> SignInRefusal | None:
    """Accept every user who is proved."""
    return None


class Credentials:
    """Checks of what people prove themselves by, used by everything that asks for it."""

    def __init__(self, loop: FloorLoop, register: Register, passwords: Passwords, runtime: Runtime) -> None:
        self._loop, self._register, self._passwords, self._runtime = loop, register, passwords, runtime
        store, safe = loop.floor.store, loop.floor.safe
        self.tries = Tries(store, safe.derive(TRIES_KEY))
        self.codes = FactorCodes(store)
        self.factors = factor_safe(safe, runtime.entropy)
        self.access = AccessNotes(store)
        self._turns: WeakValueDictionary[Key, asyncio.Lock] = WeakValueDictionary()

    async def check(
        self,
        name: str,
        secret: str,
        address: str,
        *,
        code: str | None = None,
        objection: Objection = no_objection,
    ) -> ProvedUser | SignInRefusal:
        """Return the user of a name who knows its secret, or the reason for refusal.

        ``code`` is that of the second factor; None skips that check. A code is only used up if there is no
        objection to the user.
        """
        key = self.tries.pair_key(name, address)
        turn = self._turns.setdefault(key, asyncio.Lock())
        async with turn:
            pause = await self._loop.between(lambda: self._pause(name, address))
            if pause is not None:
                self._count(CountedAccess.PAUSED, address)
                return pause
            people = self._register.people
            proved = await self._runtime.in_thread(
                Pool.PASSWORDS, lambda: prove(people, self._passwords, name, secret)
            )
            outcome = await self._loop.between(
                lambda: self._count_try(self._judge(proved, code, objection), name, address)
            )
        self._note(outcome, name, address)
        return outcome

    async def take_guest(self, address: str) -> timedelta:
        """Count a guest and return no wait; or count nothing, and return how long to wait."""
        wait = await self._loop.between(lambda: self.tries.take_guest(address, self._runtime.now()))
        self._count(CountedAccess.PAUSED if wait else CountedAccess.GUESTS, address)
        return wait

    async def hash(self, password: str, *names: str) -> str:
        """Return the hash of a new password, or refuse the password."""
        return await self._runtime.in_thread(Pool.PASSWORDS, lambda: self._passwords.hash(password, *names))

    async def hash_drawn(self, password: str) -> str:
        """Return the hash of a generated password."""
        return await self._runtime.in_thread(Pool.PASSWORDS, lambda: self._passwords.hash_unchecked(password))

    def _pause(self, name: str, address: str) -> SignInRefusal | None:
        """Read what other servers have recorded; return the refusal of a name that must wait, if any."""
        self._register.refresh()
        wait = self.tries.wait(name, address, self._runtime.now())
        return SignInRefusal(reason=RefusalReason.WAIT, wait=wait) if wait else None

    def _judge(
        self, proved: ProvedUser | None, code: str | None, objection: Objection
    ) -> ProvedUser | SignInRefusal:
        """Return the user if everything needed is proved, or the reason for refusal."""
        if proved is None:
            return SignInRefusal(reason=RefusalReason.WRONG)
        user, now = proved.user, self._runtime.now()
        if code is None or not user.factor:
            return objection(proved) or proved
        if not code.strip():
            return SignInRefusal(reason=RefusalReason.CODE)
        step = step_of(self.factors.unlock(user.id, user.factor), code, now)
        if step is None:
            return SignInRefusal(reason=RefusalReason.WRONG_CODE)
        refusal = objection(proved)
        if refusal is not None:
            return refusal
        return (
            proved
            if self.codes.use(user.id, step, step_at(now))
            else SignInRefusal(reason=RefusalReason.WRONG_CODE)
        )

    def _count_try(
        self, outcome: ProvedUser | SignInRefusal, name: str, address: str
    ) -> ProvedUser | SignInRefusal:
        """Count a try by its outcome: a failure, or a success; other refusals count as neither."""
        now = self._runtime.now()
        if isinstance(outcome, ProvedUser):
            self.tries.succeed(name, address, now)
        elif outcome.reason in FAILURES:
            self.tries.fail(name, address, now)
        return outcome

    def _note(self, outcome: ProvedUser | SignInRefusal, name: str, address: str) -> None:
        """Note a failed try in the access log; an unknown name is not kept."""
        if isinstance(outcome, SignInRefusal) and outcome.reason in FAILURES:
            user = self._register.people.find_by_name(name)
            kind = CountedAccess.UNKNOWN if user is None else CountedAccess.FAILED
            self._count(kind, address, user.id if user else None)

    def _count(self, kind: CountedAccess, address: str, user: PersonId | None = None) -> None:
        self.access.count(kind, address, self._loop.floor.clock(), user)

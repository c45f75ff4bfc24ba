"""Management of second factors over the network: enrolment, removal, voiding, required roles."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar

from houseway.errors import IllegalError
from houseway.floor.access_events import AccessKind
from houseway.floor.streams import RedactedStruct
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.runtime import Runtime
from houseway.service import factors
from houseway.service.credentials import Credentials
from houseway.service.loop import FloorLoop
from houseway.service.register import Decide, Register
from houseway.service.sign_in_rules import NotProvedError, SignInRefusal


class NewFactor(RedactedStruct, frozen=True):
    """The secret of a new second factor, shown only once, and the URI by which a device takes it up."""

    hidden: ClassVar[frozenset[str]] = frozenset({"secret", "uri"})
    secret: str
    uri: str


class UserFactors:
    """Enrolment and removal of second factors, and the roles that require one."""

    def __init__(
        self, loop: FloorLoop, register: Register, credentials: Credentials, runtime: Runtime
    ) -> None:
        self._loop, self._register = loop, register
        self._credentials, self._runtime = credentials, runtime

    # --- by themselves --------------------------------------------------------------------------------

    async def begin(self, by: Actor) -> NewFactor:
        """Return a new secret for a user without a factor; its first code must confirm it."""
        secret = factors.new_secret(self._runtime.entropy)
        sealed, now = self._credentials.factors.lock(by.id, secret), self._runtime.now()

        def begin() -> NewFactor:
            self._register.refresh()
            user = factors.check_may_enrol(self._register.people, by, now)
            self._credentials.codes.begin(by.id, sealed, now)
            return NewFactor(secret, factors.uri_of(secret, user.name))

        return await self._loop.between(begin)

    async def confirm(self, by: Actor, code: str, address: str) -> None:
        """Record a factor, confirmed by the first code of its secret."""
        now = self._runtime.now()
        await self._loop.between(lambda: self._confirm(by, code, now))
        self._note(AccessKind.FACTOR_SET, by, address)

    def _confirm(self, by: Actor, code: str, now: datetime) -> None:
        codes = self._credentials.codes
        sealed = codes.pending(by.id, now)
        if not sealed:
            raise IllegalError("no second factor waits for its first code: begin again", value=by.id)
        step = factors.step_of(self._credentials.factors.unlock(by.id, sealed), code, now)
        if step is None:
            raise IllegalError("the code is wrong: look at the clock of the device")
        self._register.record(lambda people, at: [factors.set_factor(people, sealed, by, at)])
        codes.end(by.id)
        codes.use(by.id, step, factors.step_at(now))

    async def remove(self, by: Actor, password: str, code: str, address: str) -> None:
        """Remove the actor's own factor, proved by the password and a code."""
        factors.remove_factor(self._register.people, by, self._runtime.now())
        name = self._register.people.user(by.id).name
        proved = await self._credentials.check(name, password, address, code=code)
        if isinstance(proved, SignInRefusal):
            raise NotProvedError(proved)
        await self._record(lambda people, now: [factors.remove_factor(people, by, now)])
        self._note(AccessKind.FACTOR_REMOVED, by, address)

    def _note(self, kind: AccessKind, by: Actor, address: str) -> None:
        self._credentials.access.note(kind, by, address, self._loop.floor.clock())

    # --- by administrators ----------------------------------------------------------------------------

    async def roles(self) -> list[Role]:
        """Return the roles that require a second factor."""
        await self._loop.between(self._register.refresh)
        return sorted(self._register.people.factor_roles)

    async def demand(self, roles: Iterable[Role], by: Actor) -> list[Role]:
        """Require a second factor of people in these roles, and in no others."""
        wanted = frozenset(roles)
        await self._record(lambda people, now: [factors.demand_factors(people, wanted, by, now)])
        return sorted(wanted)

    async def _record(self, decide: Decide) -> None:
        await self._loop.between(lambda: self._register.record(decide))

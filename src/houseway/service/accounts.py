"""What is done about people over the network: users managed, own passwords, exclusions, own history.

What is decided is in ``people``; here it is recorded between two batches. Hashes are made by ``credentials``.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar

from msgspec import Struct

from houseway.errors import IllegalError
from houseway.floor.rights import Duty, check_right
from houseway.floor.streams import AccessKind, Hiding, PasswordSet, PeopleEvent
from houseway.rounds.roles import DEVICES, Role
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor
from houseway.runtime import Runtime
from houseway.service import people as duties
from houseway.service.access import Access
from houseway.service.credentials import Credentials
from houseway.service.factor_desk import FactorDesk
from houseway.service.loop import FloorLoop
from houseway.service.passwords import new_key, secret_text
from houseway.service.people import People, User, evolve_people
from houseway.service.register import Decide, Register
from houseway.service.signing_in import NotProvedError, Refusal

_TEMPORARY = 16
"""So many characters has a password that an administrator gives somebody for the first time."""


class ToldUser(Struct, frozen=True, kw_only=True):
    """A user as an administrator, and they themselves, may see them: nothing that proves who they are."""

    id: PersonId
    name: str
    roles: tuple[Role, ...]
    device: bool
    can_sign_in: bool
    must_change_password: bool
    """Whether somebody else has set the password, and knows it."""
    disabled: str | None
    excluded: datetime | None
    timed_out: datetime | None
    factor: bool = False
    """Whether they have a second factor."""


class NewSecret(Hiding, frozen=True):
    """A user, and the password or key that is told this once."""

    hidden: ClassVar[frozenset[str]] = frozenset({"secret"})
    user: ToldUser
    secret: str


def tell(user: User) -> ToldUser:
    """Return a user as they may be seen."""
    return ToldUser(
        id=user.id,
        name=user.name,
        roles=tuple(sorted(user.roles)),
        device=user.device,
        can_sign_in=bool(user.secret) and user.disabled is None,
        must_change_password=user.temporary,
        disabled=user.disabled,
        excluded=user.excluded,
        timed_out=user.timed_out,
        factor=bool(user.factor),
    )


class Accounts:
    """The people of a floor, as they are managed and as they manage themselves."""

    def __init__(
        self, loop: FloorLoop, register: Register, credentials: Credentials, runtime: Runtime
    ) -> None:
        self._loop, self._register, self._credentials = loop, register, credentials
        self._runtime = runtime
        self.factors = FactorDesk(loop, register, credentials, runtime)

    @property
    def access(self) -> Access:
        """What is noted of who comes and goes."""
        return self._credentials.access

    @property
    def people(self) -> People:
        """Everybody, as far as this server has read."""
        return self._register.people

    async def every(self, by: Actor) -> list[ToldUser]:
        """Return everybody, to whoever manages people."""
        check_right(Duty.MANAGE_PEOPLE, by)
        await self._loop.between(self._register.refresh)
        return [tell(user) for _, user in sorted(self.people.users.items())]

    async def one(self, person: PersonId) -> ToldUser:
        """Return one user."""
        await self._loop.between(self._register.refresh)
        return tell(self.people.user(person))

    # --- by administrators ----------------------------------------------------------------------------

    async def add(self, user: PersonId, name: str, roles: Iterable[Role], by: Actor) -> NewSecret:
        """Add somebody with a temporary password, or a device with a key."""
        wanted = frozenset(roles)
        duties.add_user(self.people, user, name, wanted, by, self._loop.floor.clock())
        secret, hashed = await self._new_secret(device=wanted <= DEVICES)

        def decide(people: People, now: datetime) -> list[PeopleEvent]:
            added = duties.add_user(people, user, name, wanted, by, now)
            return [added, _secret_set(evolve_people(people, added), user, hashed, by, now)]

        await self._record(decide)
        return NewSecret(tell(self.people.user(user)), secret)

    async def reset(self, user: PersonId, by: Actor) -> NewSecret:
        """Give somebody a temporary password, or a device another key; what they had is void."""
        check_right(Duty.MANAGE_PEOPLE, by)
        if user == by.id:
            raise IllegalError("one's own password is changed by whoever knows it", value=user)
        device = self.people.user(user).device
        secret, hashed = await self._new_secret(device=device)
        await self._record(lambda people, now: [_secret_set(people, user, hashed, by, now)])
        return NewSecret(tell(self.people.user(user)), secret)

    async def change_roles(self, user: PersonId, roles: Iterable[Role], by: Actor) -> ToldUser:
        """Give a user other roles."""
        wanted = frozenset(roles)
        await self._record(lambda people, now: [duties.change_roles(people, user, wanted, by, now)])
        return tell(self.people.user(user))

    async def disable(self, user: PersonId, reason: str, by: Actor) -> ToldUser:
        """Let a user sign in no more."""
        await self._record(lambda people, now: [duties.disable_user(people, user, by, now, reason)])
        return tell(self.people.user(user))

    async def enable(self, user: PersonId, reason: str, by: Actor) -> ToldUser:
        """Let a user sign in again."""
        await self._record(lambda people, now: [duties.enable_user(people, user, by, now, reason)])
        return tell(self.people.user(user))

    # --- by themselves --------------------------------------------------------------------------------

    async def change_password(self, by: Actor, old: str, new: str, address: str) -> None:
        """Change one's own password; every session of theirs is over."""
        user = self.people.user(by.id)
        proved = await self._credentials.check(user.name, old, address)
        if isinstance(proved, Refusal):
            raise NotProvedError(proved)
        hashed = await self._credentials.hash(new, user.id, user.name)
        await self._record(lambda people, now: [_own_password(people, hashed, by, now)])
        self.access.note(AccessKind.PASSWORD_CHANGED, by, address, self._loop.floor.clock())

    async def exclude(self, by: Actor, until: datetime | None) -> ToldUser:
        """Exclude oneself from play until a moment, or for good."""
        await self._record(lambda people, now: [duties.exclude_self(people, by, now, until)])
        return tell(self.people.user(by.id))

    async def time_out(self, by: Actor, until: datetime) -> ToldUser:
        """Take a time-out from play."""
        await self._record(lambda people, now: [duties.take_time_out(people, by, now, until)])
        return tell(self.people.user(by.id))

    # --- how it is recorded ---------------------------------------------------------------------------

    async def _record(self, decide: Decide) -> None:
        await self._loop.between(lambda: self._register.record(decide))

    async def _new_secret(self, *, device: bool) -> tuple[str, str]:
        """Return a fresh secret and its hash."""
        entropy = self._runtime.entropy
        if device:
            made = new_key(entropy)
            return made.key, made.hash
        secret = secret_text(entropy)[:_TEMPORARY]
        return secret, await self._credentials.hash_drawn(secret)


def _secret_set(people: People, user: PersonId, hashed: str, by: Actor, now: datetime) -> PeopleEvent:
    if people.user(user).device:
        return duties.set_key(people, user, hashed, by, now)
    return duties.set_password(people, user, hashed, by, now)


def _own_password(people: People, hashed: str, by: Actor, now: datetime) -> PasswordSet:
    """Return one's own new password as it is recorded now, by whoever may still act."""
    duties.check_acts(people, by, now)
    return duties.set_password(people, by.id, hashed, by, now)

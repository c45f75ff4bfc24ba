"""What is done about people over the network: users managed, own passwords, exclusions, own history.

What is decided is in ``people``; here it is recorded between two batches, and hashed in a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar

from msgspec import Struct

from houseway.errors import IllegalError, InvalidInputError
from houseway.floor.rights import Duty, check_right
from houseway.floor.streams import Hiding, PasswordSet, PeopleEvent
from houseway.rng import Entropy
from houseway.rounds.roles import DEVICES, Role
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor
from houseway.service import people as duties
from houseway.service.limits import Limits
from houseway.service.loop import FloorLoop
from houseway.service.passwords import Passwords, new_key, secret_text
from houseway.service.people import People, User, evolve_people
from houseway.service.register import Decide, Register
from houseway.service.signing_in import Refusal, change_password

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
    )


class Accounts:
    """The people of a floor, as they are managed and as they manage themselves."""

    def __init__(
        self, loop: FloorLoop, register: Register, passwords: Passwords, limits: Limits, entropy: Entropy
    ) -> None:
        self._loop, self._register = loop, register
        self._passwords, self._limits, self._entropy = passwords, limits, entropy

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
        if old.strip().casefold() == new.strip().casefold():
            raise InvalidInputError("the new password is the same as the old one")
        await self._loop.between(self._register.refresh)
        now = self._loop.floor.clock()
        changed = await asyncio.to_thread(
            change_password, self.people, self._limits, self._passwords, by, old, new, address, now
        )
        if isinstance(changed, Refusal):
            raise IllegalError(changed.said)
        await self._record(lambda people, now: [_unless_changed(people, changed, by, now)])

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
        if device:
            made = new_key(self._entropy)
            return made.key, made.hash
        secret = secret_text(self._entropy)[:_TEMPORARY]
        return secret, await asyncio.to_thread(self._passwords.hash, secret)


def _secret_set(people: People, user: PersonId, hashed: str, by: Actor, now: datetime) -> PeopleEvent:
    if people.user(user).device:
        return duties.set_key(people, user, hashed, by, now)
    return duties.set_password(people, user, hashed, by, now)


def _unless_changed(people: People, changed: PasswordSet, by: Actor, now: datetime) -> PasswordSet:
    """Return one's own new password as it is recorded now, by whoever may still act."""
    duties.check_acts(people, by, now)
    return duties.set_password(people, changed.user, changed.hash, by, now)

"""Management of users over the network: by administrators, and by users of their own account.

Decisions are made by ``people`` and recorded here between two batches; ``credentials`` makes the hashes.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar, Final

from msgspec import Struct

from houseway.errors import IllegalError, InvalidInputError
from houseway.floor.access_events import AccessKind
from houseway.floor.duties import ask, check_not_proposed, close, people_proposal
from houseway.floor.house import House
from houseway.floor.people_events import PasswordSet, PeopleEvent
from houseway.floor.setup_events import SetupEvent
from houseway.floor.streams import RedactedStruct
from houseway.floor.tasks import AddUser, ChangeRoles, EnableUser, PeopleTask, ResetSecret, VoidFactor
from houseway.rounds.roles import Role
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor
from houseway.runtime import Runtime
from houseway.service import people as duties
from houseway.service.access_notes import AccessNotes
from houseway.service.credentials import Credentials
from houseway.service.loop import FloorLoop
from houseway.service.passwords import hash_of_key
from houseway.service.people import People, User
from houseway.service.people_proposals import carry_out, check_proposal, is_for_device
from houseway.service.register import Decide, Register
from houseway.service.sign_in_rules import NotProvedError, SignInRefusal
from houseway.service.split_secrets import hash_of_half, join_halves, new_half
from houseway.service.user_factors import UserFactors

_NAME_BYTES: Final = 8
"""Bytes of the random part of a proposal's name."""


class UserView(Struct, frozen=True, kw_only=True):
    """A user as shown to administrators and to themselves, without secrets."""

    id: PersonId
    name: str
    roles: tuple[Role, ...]
    device: bool
    can_sign_in: bool
    must_change_password: bool
    """Whether another person set the password, and so knows it."""
    disabled: str | None
    excluded: datetime | None
    timed_out: datetime | None
    factor: bool = False
    """Whether they have a second factor."""


class PendingProposal(RedactedStruct, frozen=True):
    """A proposal that waits for a second administrator, with the first half of a secret, shown only once."""

    hidden: ClassVar[frozenset[str]] = frozenset({"half"})
    proposal: str
    device: bool
    half: str = ""


class Confirmation(RedactedStruct, frozen=True):
    """The subject of a confirmed proposal, with the second half of a secret, shown only once."""

    hidden: ClassVar[frozenset[str]] = frozenset({"half"})
    user: UserView
    half: str = ""


def user_view(user: User) -> UserView:
    """Return a user as they may be shown."""
    return UserView(
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


class UserAccounts:
    """The users of a floor, managed by administrators and by themselves."""

    def __init__(
        self, loop: FloorLoop, register: Register, credentials: Credentials, runtime: Runtime
    ) -> None:
        self._loop, self._register, self._credentials = loop, register, credentials
        self._runtime = runtime
        self.factors = UserFactors(loop, register, credentials, runtime)

    @property
    def access(self) -> AccessNotes:
        """The access notes of the server."""
        return self._credentials.access

    @property
    def people(self) -> People:
        """All users, as far as this server has read."""
        return self._register.people

    async def list_users(self) -> list[UserView]:
        """Return all users."""
        await self._loop.between(self._register.refresh)
        return [user_view(user) for _, user in sorted(self.people.users.items())]

    async def find_user(self, person: PersonId) -> UserView:
        """Return one user."""
        await self._loop.between(self._register.refresh)
        return user_view(self.people.user(person))

    # --- by administrators ----------------------------------------------------------------------------

    async def add(
        self, user: PersonId, name: str, roles: Iterable[Role], by: Actor, browser: str
    ) -> PendingProposal:
        """Propose to add a user with a temporary password, or a device with a key."""
        half = new_half(self._runtime.entropy)
        task = AddUser(user=user, name=name, roles=_in_order(roles), first_half=hash_of_half(half))
        return await self._propose(task, by, browser, half)

    async def reset(self, user: PersonId, by: Actor, browser: str) -> PendingProposal:
        """Propose to give a user a temporary password, or a device another key."""
        if user == by.id:
            raise IllegalError("you cannot reset your own password: change it instead", value=user)
        half = new_half(self._runtime.entropy)
        return await self._propose(ResetSecret(user=user, first_half=hash_of_half(half)), by, browser, half)

    async def give_roles(
        self, user: PersonId, roles: Iterable[Role], by: Actor, browser: str
    ) -> PendingProposal:
        """Propose to give a user roles."""
        return await self._propose(ChangeRoles(user=user, roles=_in_order(roles)), by, browser)

    async def enable(self, user: PersonId, reason: str, by: Actor, browser: str) -> PendingProposal:
        """Propose to let a user sign in again."""
        return await self._propose(EnableUser(user=user, reason=reason), by, browser)

    async def void_factor(self, user: PersonId, reason: str, by: Actor, browser: str) -> PendingProposal:
        """Propose to void the second factor of a user whose device is lost."""
        return await self._propose(VoidFactor(user=user, reason=reason), by, browser)

    def only_takes(self, user: PersonId, roles: Iterable[Role]) -> bool:
        """Whether roles are fewer than a user's and none is new: one administrator may decide that alone."""
        return frozenset(roles) < self.people.user(user).roles

    async def take_roles(self, user: PersonId, roles: Iterable[Role], by: Actor) -> UserView:
        """Take roles from a user, leaving these."""
        wanted = frozenset(roles)
        await self._record(lambda people, now: [duties.take_roles(people, user, wanted, by, now)])
        return user_view(self.people.user(user))

    async def disable(self, user: PersonId, reason: str, by: Actor) -> UserView:
        """Disable a user's sign-in."""
        await self._record(lambda people, now: [duties.disable_user(people, user, by, now, reason)])
        return user_view(self.people.user(user))

    async def confirm(self, name: str, second: Actor, browser: str) -> Confirmation:
        """Carry out another administrator's proposal; the second half of a secret is shown only once."""
        await self._loop.between(self._register.refresh)
        floor, half = self._loop.floor, new_half(self._runtime.entropy)
        proposal, task = people_proposal(floor, name, second, browser)
        hashed = await self._hash(task, half)

        def decide(people: People, now: datetime) -> list[PeopleEvent]:
            return carry_out(people, task, hashed, proposal.by, second, now)

        def close_proposal(house: House, now: datetime) -> list[SetupEvent]:
            return [close(house, name, second, now, done=True)]

        await self._loop.between(lambda: self._register.record_beside(floor, decide, close_proposal))
        return Confirmation(user_view(self.people.user(task.user)), half if hashed else "")

    async def _propose(self, task: PeopleTask, by: Actor, browser: str, half: str = "") -> PendingProposal:
        name = f"{by.id}/{self._runtime.entropy.read(_NAME_BYTES).hex()}"
        floor = self._loop.floor

        def propose() -> None:
            self._register.refresh()
            floor.refresh()
            check_not_proposed(floor.house, task)
            check_proposal(self.people, task, by, floor.clock())
            ask(floor, task, by, name, browser)

        await self._loop.between(propose)
        return PendingProposal(name, is_for_device(self.people, task), half)

    async def _hash(self, task: PeopleTask, half: str) -> str:
        """Return the hash of both halves of a secret, or "" for a task without one."""
        if not isinstance(task, AddUser | ResetSecret):
            return ""
        whole = join_halves(task.first_half, half)
        if is_for_device(self.people, task):
            return hash_of_key(whole)
        return await self._credentials.hash_drawn(whole)

    # --- by themselves --------------------------------------------------------------------------------

    async def change_password(self, by: Actor, old: str, new: str, address: str) -> None:
        """Change the actor's own password; all their sessions end."""
        if old.strip().casefold() == new.strip().casefold():
            raise InvalidInputError("the new password is the same as the old one")
        user = self.people.user(by.id)
        proved = await self._credentials.check(user.name, old, address)
        if isinstance(proved, SignInRefusal):
            raise NotProvedError(proved)
        hashed = await self._credentials.hash(new, user.id, user.name)
        await self._record(lambda people, now: [_own_password(people, hashed, by, now)])
        self.access.note(AccessKind.PASSWORD_CHANGED, by, address, self._loop.floor.clock())

    async def exclude(self, by: Actor, until: datetime | None) -> UserView:
        """Exclude the actor from play until a moment, or for good."""
        await self._record(lambda people, now: [duties.exclude_self(people, by, now, until)])
        return user_view(self.people.user(by.id))

    async def time_out(self, by: Actor, until: datetime) -> UserView:
        """Start the actor's time-out from play."""
        await self._record(lambda people, now: [duties.take_time_out(people, by, now, until)])
        return user_view(self.people.user(by.id))

    # --- recording ------------------------------------------------------------------------------------

    async def _record(self, decide: Decide) -> None:
        await self._loop.between(lambda: self._register.record(decide))


def _in_order(roles: Iterable[Role]) -> tuple[Role, ...]:
    return tuple(sorted(frozenset(roles)))


def _own_password(people: People, hashed: str, by: Actor, now: datetime) -> PasswordSet:
    """Return the event that sets the actor's own password; refuse an actor who may not act any more."""
    duties.check_acts(people, by, now)
    return duties.set_password(people, by.id, hashed, by, now)

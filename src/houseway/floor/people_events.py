"""The events of people: who may sign in and as what, who is not to play, and what they mark for themselves."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from houseway.floor.streams import FloorEvent, RedactedStruct, TableId
from houseway.rounds.roles import Role
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor


class UserEvent(FloorEvent, frozen=True, kw_only=True):
    """What one entry says of a user: a person or a device that signs in."""

    user: PersonId
    second: Actor | None = None
    """Who confirmed it, where two people were needed."""


class SecretEvent(RedactedStruct, UserEvent, frozen=True):
    """What one entry says of how a user proves who they are; the hash is not shown."""

    hidden: ClassVar[frozenset[str]] = frozenset({"hash"})
    hash: str
    halves: bool = False
    """Whether the secret has two halves, each told to one of two people; the first is hashed by itself."""


class UserAdded(UserEvent, frozen=True):
    """Somebody, or a device, was added; without a password or a key they cannot sign in."""

    name: str
    """What they are called, and sign in by."""
    roles: frozenset[Role]


class RolesChanged(UserEvent, frozen=True):
    """A user has other roles from now on."""

    roles: frozenset[Role]


class PasswordSet(SecretEvent, frozen=True):
    """A person has a new password, or the same one hashed anew."""

    rehashed: bool = False


class KeySet(SecretEvent, frozen=True):
    """A device has a new key."""


class UserDisabled(UserEvent, frozen=True):
    """A user may not sign in any more."""

    reason: str


class UserEnabled(UserEvent, frozen=True):
    """A user may sign in again."""

    reason: str


class SelfExcluded(UserEvent, frozen=True):
    """A player excluded themselves from play until a moment, or for good."""

    until: datetime | None = None


class TimeOut(UserEvent, frozen=True):
    """A player took a time-out from play."""

    until: datetime


class FactorSet(RedactedStruct, UserEvent, frozen=True):
    """A person has a second factor from now on: the secret of their codes, encrypted."""

    hidden: ClassVar[frozenset[str]] = frozenset({"sealed"})
    sealed: str


class FactorRemoved(UserEvent, frozen=True):
    """A person has no second factor any more: they removed it, or an administrator voided it for a reason."""

    reason: str = ""


class FactorsDemanded(FloorEvent, frozen=True):
    """From now on people in these roles need a second factor, and nobody else."""

    roles: frozenset[Role]


PeopleEvent = (
    UserAdded
    | RolesChanged
    | PasswordSet
    | KeySet
    | UserDisabled
    | UserEnabled
    | SelfExcluded
    | TimeOut
    | FactorSet
    | FactorRemoved
    | FactorsDemanded
)


# --- the stream of a person's bookmarks ---------------------------------------------------------------


class Bookmarked(FloorEvent, frozen=True):
    """Somebody marked a round for themselves, with a note; marked again, it has another note."""

    table: TableId
    round: int
    note: str = ""


class BookmarkRemoved(FloorEvent, frozen=True):
    """Somebody marks a round no more."""

    table: TableId
    round: int


BookmarkEvent = Bookmarked | BookmarkRemoved

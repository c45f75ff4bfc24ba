"""The events of people: who may sign in and as what, who is not to play, and people's bookmarks."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from houseway.floor.streams import FloorEvent, RedactedStruct, TableId
from houseway.rounds.roles import Role
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor


class UserEvent(FloorEvent, frozen=True, kw_only=True):
    """An event about a user: a person or a device that signs in."""

    user: PersonId
    second: Actor | None = None
    """Who confirmed it, where two people were needed."""


class SecretEvent(RedactedStruct, UserEvent, frozen=True):
    """An event about the secret by which a user signs in; the hash is never printed."""

    hidden: ClassVar[frozenset[str]] = frozenset({"hash"})
    hash: str
    halves: bool = False
    """Whether the secret has two halves, each shown to one of two people; the first is hashed by itself."""


class UserAdded(UserEvent, frozen=True):
    """A person or a device was added; without a password or a key they cannot sign in."""

    name: str
    """What they are called, and sign in by."""
    roles: frozenset[Role]


class RolesChanged(UserEvent, frozen=True):
    """A user has other roles from now on."""

    roles: frozenset[Role]


class PasswordSet(SecretEvent, frozen=True):
    """A person has a new password, or the same one with a new hash."""

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
    """From now on people in these roles, and only they, need a second factor."""

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
    """A person bookmarked a round, with a note; a second bookmark of it replaces the note."""

    table: TableId
    round: int
    note: str = ""


class BookmarkRemoved(FloorEvent, frozen=True):
    """A person removed a bookmark."""

    table: TableId
    round: int


BookmarkEvent = Bookmarked | BookmarkRemoved

"""The events of the access log: who signed in and out, from where, who failed, and who was refused what."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from houseway.floor.streams import FloorEvent
from houseway.rounds.state import PersonId


class AccessKind(StrEnum):
    """The kinds of access events."""

    SIGNED_IN = "signed_in"
    SIGNED_OUT = "signed_out"
    REFUSED = "refused"
    PASSWORD_CHANGED = "password_changed"
    FACTOR_SET = "factor_set"
    FACTOR_REMOVED = "factor_removed"


class Accessed(FloorEvent, frozen=True):
    """A user signed in or out, was refused a route, or changed a password or second factor."""

    kind: AccessKind
    address: str
    route: str = ""
    count: int = 1
    """How often, within the few seconds that are stored together."""


class AddressCounts(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What came from one address within a minute."""

    address: str
    guests: int = 0
    """Guests who came in."""
    failed: int = 0
    """Failed tries for names of users."""
    unknown: int = 0
    """Failed tries for unknown names: the names are not kept, for people type passwords there."""
    paused: int = 0
    """Tries that were refused because of those before them."""
    refused: int = 0
    """Requests refused to guests, or without a session."""
    users: Mapping[PersonId, int] = {}
    """Whose names were tried, and how often."""


class AccessCounted(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What came within a minute, counted by address."""

    at: datetime
    """When the minute began."""
    addresses: tuple[AddressCounts, ...] = ()
    others: AddressCounts | None = None
    """What came from more addresses than are counted singly."""
    unwritten: int = 0
    """How much of what known people did is not written singly, for there was too much of it."""


AccessEvent = Accessed | AccessCounted

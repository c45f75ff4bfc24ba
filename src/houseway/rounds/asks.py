"""What the fields of an action take at a table, now: choices, the least, the most, what is usual.

A step says only what depends on the table; the rest follows from the types of its fields. No value here is a
card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET, Struct

from houseway.games import Rules
from houseway.rounds.state import Table


class FieldRule(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a field takes at this table, now."""

    choices: tuple[Any, ...] | None = None
    """What it is chosen from; if that is nothing, there is nothing to do."""
    least: int | None = None
    most: int | None = None
    default: Any = UNSET
    needed: bool | None = None
    """Whether it must be filled in; unless said here, as the action says."""
    each: Mapping[str, FieldRule] = {}
    """The amounts or numbers that it is made of, by name."""


NOT_ASKED: Final = FieldRule(needed=False)
"""A field that no one fills in at this table: chance, a device or the table itself gives its value."""
UNPROMPTED: Final = FieldRule(needed=False)
"""A field that no form shows, and that may be given all the same: by a device, or where a person erred."""
MUST: Final = FieldRule(needed=True)
Asks = Mapping[str, FieldRule]
Asking = Callable[[Rules, Table, int], Asks]
"""The fields that a step asks for, at a position if it has one, or 0."""


def unprompted(*fields: str) -> Asking:
    """Let fields be given for which no form asks."""
    return lambda *_: dict.fromkeys(fields, UNPROMPTED)


def in_form(rule: FieldRule | None) -> bool:
    """Whether a form shows a field that takes this."""
    return rule is not NOT_ASKED and rule is not UNPROMPTED

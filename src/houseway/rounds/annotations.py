"""What a field of an action or an outcome says of itself: its label in forms and logs, and who may read it.

Decoders and schemas pass over these notes; what people see is derived from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar, get_type_hints

from msgspec import Struct

N = TypeVar("N")


class Ask(Struct, frozen=True):
    """The label of a field of an action, and what a log prints where its value is the usual one."""

    label: str
    usual: str = ""


class Shown(Struct, frozen=True):
    """That a log tells of a field of an outcome, and what it calls it; the record has everything else."""

    name: str


class Readers(Enum):
    """Who may read a field that holds cards, or tells of them. A field without such a note does neither."""

    NOBODY = auto()
    """Cards that lie face down: the person who may look sees them in a view, when the time has come."""
    OWNER = auto()
    """Only the player of the hand that the event is about, who has looked at it, and the person who acted."""
    ADVISED = auto()
    """The player, and the dealer who sets the hand for them or tells them."""
    DISPLAY = auto()
    """The player, and the person who watches the display: surveillance has it mirrored."""
    TYPED = auto()
    """Cards that the dealer reads off the table and types in; open when they are confirmed."""
    AUDIT = auto()
    """The order of a deck once its round is over: it tells also of hands that were never shown."""
    EVERYBODY = auto()
    """Cards that lie open when the event happens."""


def notes_of(kind: type[Struct], note: type[N]) -> Mapping[str, N]:
    """Return the notes of one sort on the fields of a struct, by field."""
    hints = _hints(kind)
    notes = {name: _note(hints[name], note) for name in kind.__struct_fields__}
    return MappingProxyType({name: value for name, value in notes.items() if value is not None})


@cache
def _hints(kind: type[Struct]) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _note(hint: Any, note: type[N]) -> N | None:  # noqa: ANN401 - an annotation
    notes = getattr(hint, "__metadata__", ())
    return next((item for item in notes if isinstance(item, note)), None)

"""The events of a table's stream besides turns of play and of chips, and a table's stored state."""

from __future__ import annotations

from msgspec import Struct

from houseway.chips import NO_CHIPS, ChipTurn, Tray
from houseway.floor.streams import FloorEvent, TableId
from houseway.games import Submission
from houseway.rounds.record import Turn
from houseway.rounds.state import Table


class TableSnapshot(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table as it stood after some version of its stream, and the submission it plays by."""

    submission: Submission
    table: Table
    tray: Tray = NO_CHIPS


class Undone(FloorEvent, frozen=True):
    """A practice table stands again as it did after an earlier version; what came since is undone."""

    version: int
    hash: str
    """The hash of the stream at that version."""
    state: TableSnapshot
    """The table as it stood there: nothing else is needed to go on from it."""


class Branched(FloorEvent, frozen=True):
    """The first entry of a branch: of which stream, after which entry; how undoing was written once."""

    of: TableId
    version: int
    hash: str


TableEntry = Turn | ChipTurn | Undone | Branched

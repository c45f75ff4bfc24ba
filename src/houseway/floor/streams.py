"""What the streams of a floor hold: the turns of its tables, the moves of its meters, and what was set up."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from msgspec import Struct

from houseway.games import Submission
from houseway.meters import MeterState
from houseway.rounds.state import CardOrigin, MeterId, Table
from houseway.rounds.step import Actor
from houseway.store.entries import StreamId

SETUP: Final[StreamId] = "floor"
"""The stream of tables made and meters opened."""
TableId = str


def table_stream(table: TableId) -> StreamId:
    """Return the stream of a table."""
    return f"table/{table}"


def meter_stream(meter: MeterId) -> StreamId:
    """Return the stream of a meter."""
    return f"meter/{meter}"


class TableMade(Struct, frozen=True, forbid_unknown_fields=True, tag="table_made", kw_only=True):
    """A table was made to play by a submission; it is closed, and nobody sits at it."""

    table: TableId
    submission: Submission
    origin: CardOrigin
    meter: MeterId | None
    automated: frozenset[str]
    by: Actor
    at: datetime


class MeterOpened(Struct, frozen=True, forbid_unknown_fields=True, tag="meter_opened", kw_only=True):
    """A meter was opened at what its submission says."""

    meter: MeterId
    state: MeterState
    submission: str
    by: Actor
    at: datetime


class MeterTurn(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a command moved a meter: at which table, by which of its events, from what to what."""

    meter: MeterId
    before: MeterState | None
    after: MeterState
    table: TableId
    seq: int
    at: datetime


class TableSnapshot(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table as it stood after some version of its stream, and the submission it plays by."""

    submission: Submission
    table: Table


SetUp = TableMade | MeterOpened


class SetUpEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """What was set up."""

    event: SetUp

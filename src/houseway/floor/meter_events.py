"""The events of the stream of a shared meter: how it was moved, read and adjusted, and the slips of wins."""

from __future__ import annotations

from houseway.floor.streams import FloorEvent, TableId
from houseway.ledger import Movement
from houseway.meters import MeterState
from houseway.money import Cents
from houseway.rounds.state import MeterId
from houseway.rounds.step import Actor


class MeterTurn(FloorEvent, frozen=True):
    """How a command at a table moved a meter: by which of its events, from what to what."""

    meter: MeterId
    before: MeterState | None
    after: MeterState
    table: TableId
    seq: int
    round: int = 0
    step: str = ""
    moved: tuple[Movement, ...] = ()
    """What went into the meter and its reserve and out of them."""


class MeterAdjusted(FloorEvent, frozen=True):
    """Two people adjusted a meter by hand, with a reason."""

    meter: MeterId
    before: MeterState
    after: MeterState
    second: Actor
    reason: str
    moved: tuple[Movement, ...]


class MeterRead(FloorEvent, frozen=True):
    """A person read the meter's display; a difference is explained."""

    meter: MeterId
    shown: Cents
    expected: Cents
    explained: str = ""


class SlipVoided(FloorEvent, frozen=True):
    """Two people voided the slip of a win; its serial is never used again."""

    meter: MeterId
    serial: str
    second: Actor
    reason: str


class SlipPrinted(FloorEvent, frozen=True):
    """The slip of a win was printed: the first time as it is, later marked as a reprint."""

    meter: MeterId
    serial: str
    copy: int


MeterEntry = MeterTurn | MeterAdjusted | MeterRead | SlipVoided | SlipPrinted

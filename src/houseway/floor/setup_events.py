"""The events of the stream ``floor``: what is set up, what two people propose, what becomes of the log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from houseway.floor.streams import Fingerprint, FloorEvent, TableId
from houseway.games import Submission
from houseway.meters import MeterState
from houseway.money import Cents
from houseway.rounds.state import CardOrigin, MeterId
from houseway.rounds.step import Actor


class Program(Struct, frozen=True, forbid_unknown_fields=True):
    """What decides on a floor besides its submissions: the version of the program, and its law."""

    version: str
    law: Fingerprint


class ProgramApproved(FloorEvent, frozen=True):
    """Two people approved a program: from now on tables open under it."""

    program: Program
    second: Actor


class SubmissionFiled(FloorEvent, frozen=True):
    """Rules for a table were filed; they are not in effect."""

    submission: Submission


class SubmissionApproved(FloorEvent, frozen=True):
    """Rules were approved from a moment on, by another person than the one who filed them."""

    submission: Fingerprint
    effective: datetime


class SubmissionEnded(FloorEvent, frozen=True):
    """Rules ended: no table is made to play by them any more."""

    submission: Fingerprint
    reason: str


class TableMade(FloorEvent, frozen=True):
    """A table was made to play by a submission; it is closed and empty."""

    table: TableId
    submission: Submission
    origin: CardOrigin
    meter: MeterId | None
    automated: frozenset[str]
    rules: Fingerprint = ""
    """The fingerprint of the submission as it was approved; what an older version made has none."""
    chips: bool = False
    """Whether the table's chips are followed: then no player wagers more than they have on the table."""
    practice: bool = False
    """Whether the table is for practice: play money, in no books, and what was done there can be undone."""


class TableTaken(FloorEvent, frozen=True):
    """A person has a practice table for themselves, until another person takes it."""

    table: TableId


class TableForgotten(FloorEvent, frozen=True):
    """A practice table is no more: its streams are deleted, and no table ever has its name again."""

    table: TableId


class TableBranched(FloorEvent, frozen=True):
    """A practice table went on from an earlier version in another stream: how undoing was written once."""

    table: TableId
    of: TableId
    version: int
    hash: str
    """The hash of the stream at that version."""


class MeterTermsRecord(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The parameters of a meter, and the chance to win it: the same at every table that shares it."""

    seed: Cents
    contribution: str
    reserve: str
    limit: Cents | None = None
    rounding: str = "down"
    reseeds: str = "on_whole_award"
    wager: Cents = Cents(0)
    cards: int = 0
    """How many cards a player is dealt."""
    joker: str = ""
    shares: Mapping[str, str] = {}
    """What each winning hand gets of the meter."""


class MeterOpened(FloorEvent, frozen=True):
    """A meter was opened at what its submission says."""

    meter: MeterId
    state: MeterState
    submission: Fingerprint
    terms: MeterTermsRecord | None = None


class ClockStepped(FloorEvent, frozen=True):
    """The wall clock of a server was set, or stood still: what it should have said, and what it said."""

    expected: datetime
    shown: datetime


class LinkChanged(FloorEvent, frozen=True):
    """The link of one table to its meter, or of all if none is named, went down or came back."""

    meter: MeterId
    table: TableId | None
    up: bool
    reason: str


class Proposed(FloorEvent, frozen=True):
    """Something that two people do was proposed by the first of them."""

    proposal: str
    task: dict[str, Any]
    browser: str = ""
    """The same for all sessions begun one over another: the second person's is none of them."""


class ProposalClosed(FloorEvent, frozen=True):
    """A proposal was carried out with a second person, or turned down."""

    proposal: str
    done: bool
    reason: str = ""


# --- what became of the log itself --------------------------------------------------------------------


class Restored(FloorEvent, frozen=True):
    """The log was brought back from a backup; all before this entry is what the backup held."""

    entries: int
    """How many entries the backup held."""
    ends: str
    """A hash over the ends of all of its streams."""
    operator: str = ""
    """Who did it, as they said at the command line."""
    build: str = ""
    """The build of the program that made its last entry; an earlier one did not say."""
    size: int = 0
    """How many entries the last signed head in it counts; none if nothing was signed."""
    root: str = ""
    """The root that this head signs."""


class FloorKeyRecorded(FloorEvent, frozen=True):
    """The key that the floor signs its log by, as it was first served: the public half."""

    key: str


class FloorKeyChanged(FloorEvent, frozen=True):
    """Another key came in the place of the one on record, which signed that it does."""

    before: str
    after: str
    size: int
    """How many leaves the tree had by then: this entry is the next one."""
    sealed: str
    """What is still needed of former keys, encrypted with the new one."""
    note: str
    """The change as both keys signed it."""
    operator: str = ""
    """Who did it, as they said at the command line."""


SetupEvent = (
    ProgramApproved
    | SubmissionFiled
    | SubmissionApproved
    | SubmissionEnded
    | TableMade
    | TableTaken
    | TableForgotten
    | TableBranched
    | MeterOpened
    | LinkChanged
    | Proposed
    | ProposalClosed
    | ClockStepped
    | Restored
    | FloorKeyRecorded
    | FloorKeyChanged
)

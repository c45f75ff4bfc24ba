"""What the streams of a floor hold: what was set up, people, turns of tables and chips, moves of meters."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar, Final

from msgspec import Struct

from houseway.chips import NO_CHIPS, ChipTurn, Tray
from houseway.games import Submission
from houseway.ledger import Movement
from houseway.meters import MeterState
from houseway.money import Cents
from houseway.rounds.record import Turn
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin, MeterId, PersonId, Table
from houseway.rounds.step import Actor
from houseway.store.entries import StreamId

SETUP: Final[StreamId] = "floor"
"""The stream of what was set up: programs, submissions, tables, meters, links."""
PEOPLE: Final[StreamId] = "people"
"""The stream of who may sign in, and as what."""
TABLES: Final = "table/"
PRACTICE: Final = "practice-"
"""What the names of practice tables and of their meters begin with, so that every record of them says so."""
BRANCH: Final = "~"
"""What stands between a practice table's name and the number of its branch, in logs of earlier versions."""
METERS: Final = "meter/"
BOOKMARKS: Final = "bookmarks/"
ACCESS: Final[StreamId] = "access"
"""The stream of who signed in and out, from where, who failed, and who was refused what."""
TableId = str
Fingerprint = str


def table_stream(table: TableId) -> StreamId:
    """Return the stream of a table."""
    return f"{TABLES}{table}"


def meter_stream(meter: MeterId) -> StreamId:
    """Return the stream of a meter."""
    return f"{METERS}{meter}"


def bookmark_stream(person: PersonId) -> StreamId:
    """Return the stream of what somebody has marked for themselves."""
    return f"{BOOKMARKS}{person}"


class Hiding(Struct, frozen=True):
    """Something of which not everything is shown, whoever looks at it in a log, an error or a debugger."""

    hidden: ClassVar[frozenset[str]] = frozenset()

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        shown = [name for name in self.__struct_fields__ if name not in self.hidden]
        return [(name, getattr(self, name)) for name in shown]

    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name, value in self.__rich_repr__()]
        return f"{type(self).__name__}({', '.join([*shown, '...'])})"


def is_practice(name: TableId | MeterId) -> bool:
    """Whether a table, or a meter, is for practice.

    >>> is_practice("practice-1"), is_practice("t1")
    (True, False)
    """
    return name.startswith(PRACTICE)


class Kept(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What one entry says was done: by whom, and when."""

    at: datetime
    by: Actor


# --- what was set up ----------------------------------------------------------------------------------


class Program(Struct, frozen=True, forbid_unknown_fields=True):
    """What decides on a floor besides its submissions: the version of the program, and its law."""

    version: str
    law: Fingerprint


class ProgramApproved(Kept, frozen=True):
    """Two people approved a program: from now on tables open under it."""

    program: Program
    second: Actor


class SubmissionFiled(Kept, frozen=True):
    """Rules for a table were filed; they are not in effect."""

    submission: Submission


class SubmissionApproved(Kept, frozen=True):
    """Somebody other than who filed them approved rules, from a moment on."""

    submission: Fingerprint
    effective: datetime


class SubmissionEnded(Kept, frozen=True):
    """Rules ended: no table is made to play by them any more."""

    submission: Fingerprint
    reason: str


class TableMade(Kept, frozen=True):
    """A table was made to play by a submission; it is closed, and nobody sits at it."""

    table: TableId
    submission: Submission
    origin: CardOrigin
    meter: MeterId | None
    automated: frozenset[str]
    rules: Fingerprint = ""
    """The fingerprint of the submission as it was approved; what an older version made has none."""
    chips: bool = False
    """Whether the table's chips are followed: then nobody wagers more than they have in front of them."""
    practice: bool = False
    """Whether the table is for practice: play money, in no books, and what was done there can be undone."""


class TableTaken(Kept, frozen=True):
    """Somebody has a practice table for themselves from now on, until somebody else takes it."""

    table: TableId


class TableForgotten(Kept, frozen=True):
    """A practice table is no more: its streams are deleted, and no table ever has its name again."""

    table: TableId


class TableBranched(Kept, frozen=True):
    """A practice table went on from an earlier version in another stream: how undoing was written once."""

    table: TableId
    of: TableId
    version: int
    hash: str
    """The hash of the stream at that version."""


class MeterTermsKept(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
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


class MeterOpened(Kept, frozen=True):
    """A meter was opened at what its submission says."""

    meter: MeterId
    state: MeterState
    submission: Fingerprint
    terms: MeterTermsKept | None = None


class ClockStepped(Kept, frozen=True):
    """The wall clock of a server was set, or stood still: what it should have said, and what it said."""

    expected: datetime
    shown: datetime


class LinkChanged(Kept, frozen=True):
    """The link of one table to its meter, or of all if none is named, went down or came back."""

    meter: MeterId
    table: TableId | None
    up: bool
    reason: str


class Proposed(Kept, frozen=True):
    """Something that two people do was proposed by the first of them."""

    proposal: str
    task: dict[str, Any]
    browser: str = ""
    """The same for all sessions begun one over another: the second person's is none of them."""


class ProposalClosed(Kept, frozen=True):
    """A proposal was carried out with a second person, or turned down."""

    proposal: str
    done: bool
    reason: str = ""


# --- what became of the log itself --------------------------------------------------------------------


class Restored(Kept, frozen=True):
    """The log was brought back from a backup; all before this entry is what the backup held."""

    entries: int
    """How many entries the backup held."""
    ends: str
    """A hash over the ends of all of its streams."""
    operator: str = ""
    """Who said at the command line that they did it."""
    build: str = ""
    """The build of the program that made its last entry; an earlier one did not say."""
    size: int = 0
    """How many entries the last signed head in it counts; none if nothing was signed."""
    root: str = ""
    """The root that this head signs."""


class FloorKeyRecorded(Kept, frozen=True):
    """The key that the floor signs its log by, as it was first served: the public half."""

    key: str


class FloorKeyChanged(Kept, frozen=True):
    """Another key came in the place of the one on record, which signed that it does."""

    before: str
    after: str
    size: int
    """How many leaves the tree had by then: this entry is the next one."""
    sealed: str
    """What is still needed of former keys, encrypted for whoever has the new one."""
    note: str
    """The change as both keys signed it."""
    operator: str = ""
    """Who said at the command line that they did it."""


# --- what became of a meter ---------------------------------------------------------------------------


class MeterTurn(Kept, frozen=True):
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


class MeterAdjusted(Kept, frozen=True):
    """Two people adjusted a meter by hand, with a reason."""

    meter: MeterId
    before: MeterState
    after: MeterState
    second: Actor
    reason: str
    moved: tuple[Movement, ...]


class MeterRead(Kept, frozen=True):
    """Somebody read the meter's display; a difference is explained."""

    meter: MeterId
    shown: Cents
    expected: Cents
    explained: str = ""


class SlipVoided(Kept, frozen=True):
    """Two people voided the slip of a win; its serial is never used again."""

    meter: MeterId
    serial: str
    second: Actor
    reason: str


class SlipPrinted(Kept, frozen=True):
    """The slip of a win was printed: the first time as it is, later marked as a reprint."""

    meter: MeterId
    serial: str
    copy: int


# --- people -------------------------------------------------------------------------------------------


class OfUser(Kept, frozen=True, kw_only=True):
    """What one entry says of a user: a person or a device that signs in."""

    user: PersonId
    second: Actor | None = None
    """Who confirmed it, where two people were needed."""


class OfSecret(Hiding, OfUser, frozen=True):
    """What one entry says of how a user proves who they are; the hash is not shown."""

    hidden: ClassVar[frozenset[str]] = frozenset({"hash"})
    hash: str
    halves: bool = False
    """Whether the secret has two halves, each told to one of two people; the first is hashed by itself."""


class UserAdded(OfUser, frozen=True):
    """Somebody, or a device, was added; without a password or a key they cannot sign in."""

    name: str
    """What they are called, and sign in by."""
    roles: frozenset[Role]


class RolesChanged(OfUser, frozen=True):
    """A user has other roles from now on."""

    roles: frozenset[Role]


class PasswordSet(OfSecret, frozen=True):
    """A person has a new password, or the same one hashed anew."""

    rehashed: bool = False


class KeySet(OfSecret, frozen=True):
    """A device has a new key."""


class UserDisabled(OfUser, frozen=True):
    """A user may not sign in any more."""

    reason: str


class UserEnabled(OfUser, frozen=True):
    """A user may sign in again."""

    reason: str


class SelfExcluded(OfUser, frozen=True):
    """A player excluded themselves from play until a moment, or for good."""

    until: datetime | None = None


class TimeOut(OfUser, frozen=True):
    """A player took a time-out from play."""

    until: datetime


class FactorSet(Hiding, OfUser, frozen=True):
    """A person has a second factor from now on: the secret of their codes, encrypted."""

    hidden: ClassVar[frozenset[str]] = frozenset({"sealed"})
    sealed: str


class FactorRemoved(OfUser, frozen=True):
    """A person has no second factor any more: they removed it, or an administrator voided it for a reason."""

    reason: str = ""


class FactorsDemanded(Kept, frozen=True):
    """From now on people in these roles need a second factor, and nobody else."""

    roles: frozenset[Role]


# --- what somebody marks for themselves ---------------------------------------------------------------


class Bookmarked(Kept, frozen=True):
    """Somebody marked a round for themselves, with a note; marked again, it has another note."""

    table: TableId
    round: int
    note: str = ""


class BookmarkRemoved(Kept, frozen=True):
    """Somebody marks a round no more."""

    table: TableId
    round: int


# --- who came and went --------------------------------------------------------------------------------


class AccessKind(StrEnum):
    """What somebody did at the door."""

    SIGNED_IN = "signed_in"
    SIGNED_OUT = "signed_out"
    REFUSED = "refused"
    PASSWORD_CHANGED = "password_changed"
    FACTOR_SET = "factor_set"
    FACTOR_REMOVED = "factor_removed"


class Accessed(Kept, frozen=True):
    """Somebody who is known came, went, was refused a route, or changed how they prove who they are."""

    kind: AccessKind
    address: str
    route: str = ""
    count: int = 1
    """How often, within the few seconds that are written together."""


class AddressCounts(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What came from one address within a minute."""

    address: str
    guests: int = 0
    """Guests who came in."""
    failed: int = 0
    """Failed tries for names that are somebody's."""
    unknown: int = 0
    """Failed tries for names that are nobody's: the names are not kept, for people type passwords there."""
    paused: int = 0
    """Tries that were refused because of those before them."""
    refused: int = 0
    """Requests refused to guests, or to nobody in particular."""
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


# --- what a table is opened from ----------------------------------------------------------------------


class TableSnapshot(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table as it stood after some version of its stream, and the submission it plays by."""

    submission: Submission
    table: Table
    tray: Tray = NO_CHIPS


# --- what became of a practice table ------------------------------------------------------------------


class Undone(Kept, frozen=True):
    """A practice table stands again as it did after an earlier version; what came since is undone."""

    version: int
    hash: str
    """The hash of the stream at that version."""
    state: TableSnapshot
    """The table as it stood there: nothing else is needed to go on from it."""


class Branched(Kept, frozen=True):
    """The first entry of a branch: of which stream, after which entry; how undoing was written once."""

    of: TableId
    version: int
    hash: str


SetUp = (
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
MeterEntry = MeterTurn | MeterAdjusted | MeterRead | SlipVoided | SlipPrinted
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
BookmarkEvent = Bookmarked | BookmarkRemoved
TableEntry = Turn | ChipTurn | Undone | Branched
AccessEvent = Accessed | AccessCounted
Body = SetUp | MeterEntry | TableEntry | PeopleEvent | BookmarkEvent | AccessEvent
KINDS: Final[Mapping[str, type[Body]]] = {
    "program_approved": ProgramApproved,
    "submission_filed": SubmissionFiled,
    "submission_approved": SubmissionApproved,
    "submission_ended": SubmissionEnded,
    "table_made": TableMade,
    "table_taken": TableTaken,
    "table_forgotten": TableForgotten,
    "table_branched": TableBranched,
    "meter_opened": MeterOpened,
    "link_changed": LinkChanged,
    "proposed": Proposed,
    "proposal_closed": ProposalClosed,
    "clock_stepped": ClockStepped,
    "restored": Restored,
    "floor_key_recorded": FloorKeyRecorded,
    "floor_key_changed": FloorKeyChanged,
    "meter_turn": MeterTurn,
    "meter_adjusted": MeterAdjusted,
    "meter_read": MeterRead,
    "slip_voided": SlipVoided,
    "slip_printed": SlipPrinted,
    "user_added": UserAdded,
    "roles_changed": RolesChanged,
    "password_set": PasswordSet,
    "key_set": KeySet,
    "user_disabled": UserDisabled,
    "user_enabled": UserEnabled,
    "self_excluded": SelfExcluded,
    "time_out": TimeOut,
    "factor_set": FactorSet,
    "factor_removed": FactorRemoved,
    "factors_demanded": FactorsDemanded,
    "accessed": Accessed,
    "access_counted": AccessCounted,
    "bookmarked": Bookmarked,
    "bookmark_removed": BookmarkRemoved,
    "turn": Turn,
    "chips": ChipTurn,
    "undone": Undone,
    "branched": Branched,
}
"""Every kind of thing that an entry says, by the name it is written under."""

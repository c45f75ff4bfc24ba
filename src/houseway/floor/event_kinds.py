"""The kinds of events that entries store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from houseway.chips import ChipTurn
from houseway.floor.access_events import AccessCounted, Accessed, AccessEvent
from houseway.floor.meter_events import (
    MeterAdjusted,
    MeterEntry,
    MeterRead,
    MeterTurn,
    SlipPrinted,
    SlipVoided,
)
from houseway.floor.people_events import (
    Bookmarked,
    BookmarkEvent,
    BookmarkRemoved,
    FactorRemoved,
    FactorsDemanded,
    FactorSet,
    KeySet,
    PasswordSet,
    PeopleEvent,
    RolesChanged,
    SelfExcluded,
    TimeOut,
    UserAdded,
    UserDisabled,
    UserEnabled,
)
from houseway.floor.setup_events import (
    ClockStepped,
    FloorKeyChanged,
    FloorKeyRecorded,
    LinkChanged,
    MeterOpened,
    ProgramApproved,
    ProposalClosed,
    Proposed,
    Restored,
    SetupEvent,
    SubmissionApproved,
    SubmissionEnded,
    SubmissionFiled,
    TableBranched,
    TableForgotten,
    TableMade,
    TableTaken,
)
from houseway.floor.table_events import Branched, TableEntry, Undone
from houseway.rounds.record import Turn

Body = SetupEvent | MeterEntry | TableEntry | PeopleEvent | BookmarkEvent | AccessEvent
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
"""The types of events by the names they are stored under, which never change."""

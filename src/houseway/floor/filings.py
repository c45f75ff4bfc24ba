"""The filed rules: approved by whom, in effect from when, why they ended, and where they are played."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from houseway.floor.bodies import read_body
from houseway.floor.setup_events import (
    SetupEvent,
    SubmissionApproved,
    SubmissionEnded,
    SubmissionFiled,
    TableMade,
)
from houseway.floor.streams import SETUP, Fingerprint, TableId
from houseway.games import Submission
from houseway.rounds.step import Actor
from houseway.store.protocol import Store


class FilingState(StrEnum):
    """Where filed rules stand."""

    FILED = "filed"
    APPROVED = "approved"
    """In effect from a later moment."""
    EFFECTIVE = "effective"
    ENDED = "ended"


class FiledRules(Struct, frozen=True, kw_only=True):
    """Rules that were filed, with their approval and end."""

    rules: Fingerprint
    submission: Submission
    filed_by: Actor
    filed_at: datetime
    approved_by: Actor | None = None
    approved_at: datetime | None = None
    effective: datetime | None = None
    ended_by: Actor | None = None
    ended_at: datetime | None = None
    reason: str = ""
    """Why they ended: another submission supersedes them, or they are not used any more."""
    tables: tuple[TableId, ...] = ()
    """The tables that were made to play by them."""

    def state(self, now: datetime) -> FilingState:
        """Return where the rules stand at a moment."""
        if self.ended_at is not None:
            return FilingState.ENDED
        if self.effective is None:
            return FilingState.FILED
        return FilingState.EFFECTIVE if self.effective <= now else FilingState.APPROVED


def filings(events: Iterable[SetupEvent]) -> dict[Fingerprint, FiledRules]:
    """Return all filed rules by fingerprint, the oldest first."""
    filed: dict[Fingerprint, FiledRules] = {}
    for event in events:
        if isinstance(event, SubmissionFiled):
            rules = event.submission.fingerprint()
            filed[rules] = FiledRules(
                rules=rules, submission=event.submission, filed_by=event.by, filed_at=event.at
            )
        elif isinstance(event, SubmissionApproved):
            approved = replace(filed[event.submission], approved_by=event.by, approved_at=event.at)
            filed[event.submission] = replace(
                approved, effective=event.effective, ended_by=None, ended_at=None, reason=""
            )
        elif isinstance(event, SubmissionEnded):
            filed[event.submission] = replace(
                filed[event.submission], ended_by=event.by, ended_at=event.at, reason=event.reason
            )
        elif isinstance(event, TableMade) and event.rules in filed:
            row = filed[event.rules]
            filed[event.rules] = replace(row, tables=(*row.tables, event.table))
    return filed


def setup_events(store: Store) -> list[SetupEvent]:
    """Return every event of the setup stream."""
    bodies = map(read_body, store.tails({SETUP: 0}))
    return [body for body in bodies if isinstance(body, SetupEvent)]

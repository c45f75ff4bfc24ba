"""The life of a rules submission: draft, approved, effective, superseded. No silent change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from houseway.errors import IllegalError
from houseway.games.collection import schedule
from houseway.games.game import game
from houseway.games.submission import Submission, differences
from houseway.games.verify import verify_submission
from houseway.law.problems import Problem, refuse


class SubmissionState(StrEnum):
    """Where a submission stands in its life."""

    DRAFT = "draft"
    APPROVED = "approved"
    EFFECTIVE = "effective"
    SUPERSEDED = "superseded"


@dataclass(frozen=True)
class Filing:
    """A submission and what has become of it."""

    submission: Submission
    state: SubmissionState = SubmissionState.DRAFT
    approved_by: str | None = None
    approved_at: datetime | None = None
    effective_from: datetime | None = None
    superseded_at: datetime | None = None


def approve(filing: Filing, *, by: str, at: datetime) -> Filing:
    """Approve a draft that the law does not forbid."""
    _must_be(filing, SubmissionState.DRAFT)
    refuse("submission", verify_submission(filing.submission))
    return replace(filing, state=SubmissionState.APPROVED, approved_by=by, approved_at=at)


def put_into_effect(
    filing: Filing, *, at: datetime, replacing: Filing | None = None, round_open: bool = False
) -> tuple[Filing, ...]:
    """Make an approved filing effective from a moment on; what it replaces is superseded there.

    Rounds begun before the moment are played, and replayed, by the filing that was effective then.
    """
    _must_be(filing, SubmissionState.APPROVED)
    now = replace(filing, state=SubmissionState.EFFECTIVE, effective_from=at)
    if replacing is None:
        return (now,)
    _must_be(replacing, SubmissionState.EFFECTIVE)
    changed = verify_change(replacing.submission, filing.submission, round_open=round_open)
    refuse("change of submission", changed)
    return replace(replacing, state=SubmissionState.SUPERSEDED, superseded_at=at), now


def verify_change(before: Submission, after: Submission, *, round_open: bool) -> tuple[Problem, ...]:
    """Return what is wrong with changing from one submission to another."""
    fields = [path for path, _, _ in differences(before, after) if path != "reference"]
    if not fields:
        return ()
    problems = []
    law = game(after.game).change_clauses
    if before.reference == after.reference and law.binds:
        reason = f"{', '.join(fields)} changed without a new reference"
        problems.append(Problem("reference", reason, after.reference, law))
    if round_open:
        problems += [_mid_round(field, before, after) for field in fields]
    return tuple(problems)


def _mid_round(field: str, before: Submission, after: Submission) -> Problem:
    law: tuple[str, ...] = ()
    if field == "collection_schedule" and before.collection_schedule:
        law = schedule(before.collection_schedule).group.predetermined.cites
    elif field.endswith(".paytable"):
        law = game(after.game).wager_terms(field.split(".")[1]).paytable_clauses
    return Problem(field, "nothing changes while a round is open", str(after.find(field)), law)


def in_effect(filings: Sequence[Filing], at: datetime) -> Filing:
    """Return the filing that a round begun at a moment is played by."""
    for filing in filings:
        begun = filing.effective_from is not None and filing.effective_from <= at
        ended = filing.superseded_at is not None and filing.superseded_at <= at
        if begun and not ended:
            return filing
    raise IllegalError("no submission is effective at this moment", value=at.isoformat())


def _must_be(filing: Filing, state: SubmissionState) -> None:
    if filing.state is not state:
        raise IllegalError(
            f"the submission is {filing.state}, not {state}", value=filing.submission.reference
        )

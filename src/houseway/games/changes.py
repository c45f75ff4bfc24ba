"""What may change from one rules submission to the next: nothing silently, and no terms within a round."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from houseway.games.collection import schedule
from houseway.games.game import game
from houseway.games.submission import Submission, differences
from houseway.law.citations import UNCITED, Cites
from houseway.law.problems import Problem


def reference_problems(
    earlier: Iterable[Submission], submission: Submission, apart: Collection[str] = ()
) -> list[Problem]:
    """Return why a submission may not bear its reference: other rules of its game bear it already.

    Fields that are set ``apart`` may differ.
    """
    law = game(submission.game).change_clauses
    if not law.binds:
        return []
    problems = []
    for other in earlier:
        fields = [field for field in _list_changes(other, submission) if field not in apart]
        if fields and _same_reference(other, submission):
            reason = f"{', '.join(fields)} changed without a new reference"
            problems.append(Problem("reference", reason, submission.reference, law))
    return problems


def round_problems(before: Submission, after: Submission) -> list[Problem]:
    """Return which terms that the law fixes for a round would change within it."""
    return [
        Problem(field, "this does not change while a round is open", str(after.find(field)), law)
        for field in _list_changes(before, after)
        if (law := _fixed_by(field, before, after))
    ]


def _same_reference(before: Submission, after: Submission) -> bool:
    same = before.reference.strip().casefold() == after.reference.strip().casefold()
    return same and before.game == after.game


def _list_changes(before: Submission, after: Submission) -> list[str]:
    return [path for path, _, _ in differences(before, after) if path != "reference"]


def _fixed_by(field: str, before: Submission, after: Submission) -> Cites:
    """Return the clauses by which a field stays as it is for a round."""
    if field == "collection_schedule" and before.collection_schedule:
        return schedule(before.collection_schedule).group.predetermined.cites
    if field.endswith(".paytable"):
        return game(after.game).wager_terms(field.split(".")[1]).paytable_clauses
    return UNCITED

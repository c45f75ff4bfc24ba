"""What may change in a submission, and under which reference: in every game, clause or not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from houseway.errors import IllegalError
from houseway.games import game, games
from houseway.games.lifecycle import (
    Filing,
    SubmissionState,
    approve,
    in_effect,
    put_into_effect,
    verify_change,
)
from tests.games.support import submission

LICENSED = [found.id for found in games() if found.licensed]


@pytest.mark.parametrize("game_id", LICENSED)
def test_nothing_changes_under_the_same_reference_in_any_game(game_id: str) -> None:
    first = submission(game_id)
    silent = submission(game_id, {"holder": "Another Hall"})
    (problem,) = verify_change(first, silent, round_open=False)
    assert (problem.field, problem.reason) == ("reference", "holder changed without a new reference")
    assert problem.clauses == game(game_id).change_clauses
    named = submission(game_id, {"holder": "Another Hall", "reference": "RS-2"})
    assert verify_change(first, named, round_open=False) == ()
    assert verify_change(first, submission(game_id, {"reference": "RS-2"}), round_open=True) == ()


@pytest.mark.parametrize("game_id", LICENSED)
def test_nothing_changes_while_a_round_is_open(game_id: str) -> None:
    named = submission(game_id, {"holder": "Another Hall", "reference": "RS-2"})
    (problem,) = verify_change(submission(game_id), named, round_open=True)
    assert (problem.field, problem.value) == ("holder", "Another Hall")


def test_a_round_begun_at_the_moment_of_a_change_is_played_by_the_new_submission() -> None:
    begun = datetime(2026, 1, 5, 12, tzinfo=UTC)
    change, instant = begun + timedelta(days=1), timedelta(microseconds=1)
    first, second = (
        approve(Filing(submission("pa-575", {"reference": name})), by="Board", at=begun - instant)
        for name in ("RS-1", "RS-2")
    )
    (first,) = put_into_effect(first, at=begun)
    old, new = put_into_effect(second, at=change, replacing=first)
    assert (old.state, new.state) == (SubmissionState.SUPERSEDED, SubmissionState.EFFECTIVE)
    filings = (old, new)
    assert in_effect(filings, begun) is in_effect(filings, change - instant) is old
    assert in_effect(filings, change) is new
    with pytest.raises(IllegalError, match="no submission is effective at this moment"):
        in_effect(filings, begun - instant)

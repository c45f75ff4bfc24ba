"""What may change in a submission, and under which reference: in every game, clause or not."""

from __future__ import annotations

import pytest

from houseway.games import game, games
from houseway.games.lifecycle import verify_change
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

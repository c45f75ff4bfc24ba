"""Submissions at random: a lawful one can be played to its last posted line, an unlawful one is told why."""

from __future__ import annotations

from random import Random

import pytest

from houseway.errors import DataError
from houseway.games import rules_for, verify_submission
from tests.games.random_submissions import draw
from tests.games.support import submission
from tests.rounds.every_line import play_every_line

EVERY = 5_000
LAWFUL = 2_000
SAMPLE = 50
PARTS = 50


def try_out(seed: str) -> bool:
    """Try a submission out; return whether it is lawful."""
    game, changes = draw(Random(seed))
    try:
        drawn = submission(game, changes)
    except DataError as error:  # not a submission at all: the field and the value say why
        assert error.where and error.cause, (seed, changes)
        return False
    found = verify_submission(drawn)
    for problem in found:
        assert problem.field and problem.reason, (seed, changes, problem)
    if any(problem.blocks for problem in found):
        return False
    try:
        faults = play_every_line(rules_for(drawn))
    except Exception as error:
        raise AssertionError(f"{seed}: {game} {changes}") from error
    assert not faults, (seed, game, changes, faults)
    return True


def test_a_sample_of_submissions_at_random_is_refused_or_played() -> None:
    lawful = sum(try_out(f"submission {number}") for number in range(SAMPLE))
    assert SAMPLE // 4 < lawful < SAMPLE


@pytest.mark.exhaustive
@pytest.mark.parametrize("part", range(PARTS))
def test_every_submission_at_random_is_refused_or_played(part: int) -> None:
    each = EVERY // PARTS
    lawful = sum(try_out(f"submission {number}") for number in range(part * each, (part + 1) * each))
    assert lawful >= LAWFUL // PARTS

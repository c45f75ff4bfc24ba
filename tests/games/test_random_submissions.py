"""Submissions at random: a lawful one can be played to its last posted line, an unlawful one is told why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest

from houseway.errors import DataError
from houseway.games import Rules, Submission, rules_for, verify_submission
from houseway.law.problems import Problem
from houseway.odds.sides import SideOdds, side_odds
from tests.games.random_submissions import draw
from tests.games.support import submission
from tests.rounds.every_line import play_every_line
from tests.support.shards import in_parts

EVERY, LAWFUL = 5_000, 2_000
SHARD = 50
"""So many submissions are tried by one process: each paytable that is counted keeps tables in memory."""
SAMPLE = 50
WITH_SHEET = 10
"""In the sample the sheet is made of one submission in so many: it counts every hand."""
NAMED = {*Submission.model_fields, "derived"}
"""What a contradiction is in: a field of the submission, or what follows from several."""


def sheets(rules: Rules) -> dict[str, SideOdds]:
    """Return what the PAR sheet says of each side wager on offer, every hand counted."""
    return {wager: side_odds(rules, wager) for wager in rules.side_wagers if rules.offers(wager)}


def refused_for(problems: Iterable[Problem]) -> bool:
    """Whether a submission is refused; each reason is a clause, or a field that contradicts something."""
    blocking = [problem for problem in problems if problem.blocks]
    for problem in blocking:
        named = problem.field.split(".")[0] in NAMED
        assert problem.reason and (problem.clauses or named), problem
    return bool(blocking)


def try_out(seed: str, *, with_sheet: bool) -> str:
    """Try a submission out; return what became of it."""
    game, changes = draw(Random(seed))
    try:
        drawn = submission(game, changes)
    except DataError as error:  # not a submission at all: the field and the value say why
        assert error.where and error.cause, (seed, changes)
        return "refused"
    if refused_for(verify_submission(drawn)):
        return "refused"
    try:
        rules = rules_for(drawn)
        faults = play_every_line(rules, sheets(rules) if with_sheet else {})
    except Exception as error:
        raise AssertionError(f"{seed}: {game} {changes}") from error
    assert not faults, (seed, game, changes, faults)
    return "lawful"


def test_a_sample_of_submissions_at_random_is_refused_or_played() -> None:
    met = Counter(try_out(f"submission {n}", with_sheet=n % WITH_SHEET == 0) for n in range(SAMPLE))
    assert SAMPLE // 4 < met["lawful"] < SAMPLE


def shard(index: int) -> Counter[str]:
    """Try one part of the submissions out."""
    numbers = range(index * SHARD, (index + 1) * SHARD)
    return Counter(try_out(f"submission {number}", with_sheet=True) for number in numbers)


@pytest.mark.exhaustive
@pytest.mark.parted
def test_five_thousand_submissions_at_random_are_refused_or_played_as_their_sheets_say(
    capfd: pytest.CaptureFixture[str],
) -> None:
    met = in_parts(shard, EVERY // SHARD, f"{EVERY:,} submissions at random", capfd, each=1)
    assert met.total() == EVERY and met["lawful"] >= LAWFUL

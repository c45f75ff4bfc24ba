"""What each step waits for: the reasons told in an ordinary round, and when, are those written out."""

from __future__ import annotations

import pytest

from houseway.rounds.steps import STEPS
from tests.rounds.test_words import faults
from tests.rounds.waiting import TABLES, found, rows_of


@pytest.mark.parametrize("name", TABLES)
def test_a_step_is_refused_in_a_round_for_the_reasons_and_as_long_as_is_written_out(name: str) -> None:
    assert found(name) == rows_of(name)


def test_whatever_is_told_in_a_round_can_be_read_aloud() -> None:
    rows = [row for name in TABLES for row in rows_of(name)]
    assert {row.step for row in rows} <= set(STEPS)
    assert not {row.reason: faults(row.reason) for row in rows if faults(row.reason)}

"""A meter that two people lower by hand although nobody has won: to its seed, or by the other reading."""

from __future__ import annotations

import pytest

from houseway.ledger import units
from houseway.meters import MeterState
from houseway.money import Cents, cents
from houseway.rounds.state import Phase
from tests.games.support import Changes
from tests.rounds.table import TestTable
from tests.rounds.washington import PLAIN_METER, SAM, adjust, not_adjusted

clause = pytest.mark.clause
MISCOUNTED = {"second": "Sue", "reason": "a drop was counted twice"}
SEED = "$10,000"


def shown(table: TestTable) -> Cents:
    """Return what the meter shows now, also where another table moved it."""
    return table.live.meters["progressive"].showing


def standing_at(amount: str, reading: str = "not_below_the_seed") -> TestTable:
    """Return an open table whose meter, seeded with $10,000, shows an amount."""
    changes: Changes = {**PLAIN_METER, "readings.wa_meter_adjusted_down": reading}
    table = TestTable("wa-fap", changes).opened()
    assert shown(table) == cents(SEED)
    table.live.meters = {"progressive": MeterState(units(cents(amount)), 0)}
    return table


@clause("wa.prog.3", "wa.prog.8.i")
@pytest.mark.parametrize("down", ["$50.01", "$5,000", "$10,050"])
def test_without_a_win_nobody_lowers_the_meter_below_its_seed(down: str) -> None:
    table = standing_at("$10,050")
    assert not_adjusted(table, Cents(-cents(down)), SAM, **MISCOUNTED) == ("wa.prog.3", "wa.prog.8.i")
    assert shown(table) == cents("$10,050")


@pytest.mark.parametrize("down", ["$49.99", "$50"])
def test_what_was_put_in_by_mistake_is_taken_out_by_hand(down: str) -> None:
    table = standing_at("$10,050")
    adjust(table, Cents(-cents(down)), SAM, **MISCOUNTED)
    assert shown(table) == cents("$10,050") - cents(down)


@clause("wa.prog.3")
def test_a_meter_that_awards_left_below_its_seed_is_raised_by_hand_and_not_lowered() -> None:
    table = standing_at("$400")
    assert "wa.prog.3" in not_adjusted(table, Cents(-1), SAM, **MISCOUNTED)
    adjust(table, Cents(1), SAM, **MISCOUNTED)
    assert shown(table) == cents("$400.01")


def test_by_the_other_reading_two_people_empty_the_meter() -> None:
    table = standing_at("$10,050", "to_nothing")
    not_adjusted(table, Cents(-cents("$10,050.01")), SAM, **MISCOUNTED)
    adjust(table, Cents(-cents("$10,050")), SAM, **MISCOUNTED)
    assert shown(table) == 0 and table.state.phase is Phase.BETTING

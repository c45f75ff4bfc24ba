"""The dealer's joker in 670a: the readings about it change who wins, and the record keeps to the choice."""

from __future__ import annotations

import pytest

from houseway.cards import show_setting
from houseway.money import cents
from houseway.rounds.explain import explain
from tests.rounds.books import agrees_with_settlement, gained, recorded
from tests.rounds.table import TestTable

RUN = "4s 5h 6s 7d 8c Jk"
FULL_HOUSE = "Ah Ad As Kd Ks 9c"  # AhAdAsKdKs / 9c


def played(dealer: str, player: str, **readings: str) -> TestTable:
    """Play a round at $10 between the dealer's six cards and a player's, both set the house way."""
    table = TestTable("pa-670a", {f"readings.{name}": choice for name, choice in readings.items()})
    table.dealt({1: dealer, 2: player}, {2: {"main": "$10"}}).play_on(rounds=1)
    assert agrees_with_settlement(table) and table.live.record is not None
    recorded(table.live.record)
    return table


def dealers(table: TestTable) -> str:
    """Return how the dealer set the hand of the round that is over."""
    last = table.state.last
    assert last is not None and last.dealer_setting is not None
    return show_setting(last.dealer_setting)


@pytest.mark.parametrize(
    ("choice", "setting", "back"),
    [("joker_low_as_ace", "8c7d6s5h4s / Jk", "$10"), ("lowest_straight", "Jk7d6s5h4s / 8c", "$20")],
)
def test_with_the_joker_low_a_nine_loses_and_with_the_eight_low_it_wins(
    choice: str, setting: str, back: str
) -> None:
    table = played(RUN, FULL_HOUSE, six_natural_run_plus_joker=choice)
    assert dealers(table) == setting
    assert gained(table, 2) == cents(back)


@pytest.mark.parametrize(("choice", "back"), [("best_value", "$10"), ("as_completed", "$20")])
def test_a_joker_that_counts_as_the_six_loses_to_a_ten_high_straight(choice: str, back: str) -> None:
    table = played("2s 3h 4s 5d 7c Jk", "6d 7s 8h 9c Td Kh", six_dealer_joker_value=choice)
    assert dealers(table) == "Jk5d4s3h2s / 7c"
    assert gained(table, 2) == cents(back)
    assert table.live.record is not None
    story = "\n".join(explain(table.live.record))
    against = {"best_value": "straight, ace to five", "as_completed": "straight, six to two"}[choice]
    assert f"high: straight, ten to six, against {against}" in story


@pytest.mark.parametrize(("choice", "back"), [("best_value", "$10"), ("as_completed", "$20")])
def test_both_readings_together_lower_the_run_and_the_low_card(choice: str, back: str) -> None:
    readings = {"six_natural_run_plus_joker": "lowest_straight", "six_dealer_joker_value": choice}
    table = played(RUN, "4d 5c 6h 7h 8h Td", **readings)  # an eight-high straight, and a ten low
    assert dealers(table) == "Jk7d6s5h4s / 8c"
    assert gained(table, 2) == cents(back)

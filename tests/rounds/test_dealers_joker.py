"""The dealer's joker in 670a: the readings about it change who wins, and the record keeps to the choice."""

from __future__ import annotations

import pytest

from houseway.cards import show_setting
from houseway.money import cents
from tests.rounds.support import Floor
from tests.rounds.watch import recorded
from tests.rounds.worked import agrees_with_settlement, gained

RUN = "4s 5h 6s 7d 8c Jk"
FULL_HOUSE = "Ah Ad As Kd Ks 9c"  # AhAdAsKdKs / 9c


def played(dealer: str, player: str, **readings: str) -> Floor:
    """Play a round at $10 between the dealer's six cards and a player's, both set the house way."""
    floor = Floor("pa-670a", {f"readings.{name}": choice for name, choice in readings.items()})
    floor.dealt({1: dealer, 2: player}, {2: {"main": "$10"}}).play_on(rounds=1)
    assert agrees_with_settlement(floor) and floor.live.record is not None
    recorded(floor.live.record)
    return floor


def dealers(floor: Floor) -> str:
    """Return how the dealer set the hand of the round that is over."""
    last = floor.table.last
    assert last is not None and last.dealer_setting is not None
    return show_setting(last.dealer_setting)


@pytest.mark.parametrize(
    ("choice", "setting", "back"),
    [("joker_low_as_ace", "8c7d6s5h4s / Jk", "$10"), ("lowest_straight", "Jk7d6s5h4s / 8c", "$20")],
)
def test_with_the_joker_low_a_nine_loses_and_with_the_eight_low_it_wins(
    choice: str, setting: str, back: str
) -> None:
    floor = played(RUN, FULL_HOUSE, six_natural_run_plus_joker=choice)
    assert dealers(floor) == setting
    assert gained(floor, 2) == cents(back)

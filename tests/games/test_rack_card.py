"""What a rack card says of each wager: its limits, and the Envy Bonuses that it may earn."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.games.rack_card import card_data
from tests.games.support import NOTHING, Changes, rules


def wager(game: str, name: str, changes: Changes | None = None) -> Any:
    """Return what the card says of one wager."""
    (found,) = (one for one in card_data(rules(game, changes))["wagers"] if one["id"] == name)
    return found


def envy(game: str, name: str, changes: Changes | None = None) -> dict[str, dict[str, str]]:
    """Return the Envy Bonuses of a wager by the stake that they are for."""
    tables = wager(game, name, changes)["envy"]
    return {table["for"]: {line["hand"]: line["pays"] for line in table["lines"]} for table in tables}


@pytest.mark.parametrize(
    ("least", "most", "said"),
    [
        ("$1", "$100", "$1 to $100"),
        ("$1", "$1", "$1"),
        ("$1", NOTHING, "from $1"),
        (NOTHING, "$100", "$0 to $100"),
        (NOTHING, NOTHING, ""),
    ],
)
def test_a_wagers_limits_are_said_as_far_as_there_are_any(least: Any, most: Any, said: str) -> None:
    changes: Changes = {"wagers.fortune.min": least, "wagers.fortune.max": most}
    assert wager("pa-659a", "fortune", changes)["limits"] == said


def test_670a_each_wager_is_shown_its_own_envy_for_stakes_that_earn_any() -> None:
    def five_aces(name: str, changes: Changes | None = None) -> dict[str, str]:
        return {stake: paid["Five aces"] for stake, paid in envy("pa-670a", name, changes).items()}

    five: Changes = {
        "progressive.amount": "$5",
        "progressive.initial": "$25,000",
        "progressive.reset": "$25,000",
    }
    from_one: Changes = {"readings.six_fortune_envy_minimum": "one_dollar"}
    assert five_aces("fortune") == {"$5": "$5,000"}
    assert five_aces("fortune", from_one) == {"$1": "$1,000", "$5": "$5,000"}
    assert five_aces("fortune", from_one | {"wagers.fortune.max": "$4"}) == {"$1": "$1,000"}
    assert (five_aces("progressive"), five_aces("progressive", five)) == ({"$1": "$100"}, {"$5": "$500"})
    assert envy("pa-670a", "main") == {}


def test_a_line_that_a_reading_takes_off_the_list_or_makes_lose_is_not_on_the_card() -> None:
    def hands(game: str, name: str, changes: Changes) -> set[str]:
        return {line["hand"] for line in wager(game, name, changes)["lines"]}

    rarely: Changes = {"readings.bonus_win_condition": "nine_high_or_better"}
    assert hands("pa-575", "bonus", {}) - hands("pa-575", "bonus", rarely) == {
        "Full house",
        "Flush",
        "Three-of-a-kind",
        "Straight",
    }
    on_c: Changes = {"wagers.fortune.paytable": "C"}
    lost: Changes = on_c | {"readings.three_pair_paytable_c": "lose"}
    assert hands("pa-659a", "fortune", on_c) - hands("pa-659a", "fortune", lost) == {"Three pair"}


@pytest.mark.parametrize("game", ["pa-659a", "wa-fap", "ca-fpgp"])
def test_an_envy_table_that_names_no_stake_is_shown_without_one(game: str) -> None:
    (found,) = envy(game, "fortune").items()
    assert found[0] == "" and found[1]["Four-of-a-kind"] == "$5"

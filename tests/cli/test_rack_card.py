"""The rack card of a cardroom posts the collection in force, every line of it."""

from __future__ import annotations

import csv
import re

import pytest

from houseway.games.collection import schedules
from houseway.games.submission import EXAMPLES
from houseway.money import cents, dollars
from houseway.web.cards import card_data, card_page
from tests.games.support import rules
from tests.rounds.cardroom import CA, on_schedule

clause = pytest.mark.clause
GROUPS = {"s1_32": range(1, 33), "s33_36": range(33, 37), "s37_43": range(37, 44)}


def printed(number: int) -> list[tuple[str, str]]:
    """Return the lines of a schedule as its document prints them: from what amount, and the fee."""
    with (EXAMPLES / CA / "collection-bands.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if int(row["schedule"]) == number]
    return [(dollars(cents(row["low"])), dollars(cents(row["fee"]))) for row in rows]


@pytest.mark.parametrize(
    "group", [pytest.param(group, marks=clause(f"ca.fpgp.collect.{group}.posted")) for group in GROUPS]
)
def test_the_card_posts_every_fee_of_the_schedule_that_was_chosen(group: str) -> None:
    for number in GROUPS[group]:
        played_by = rules(CA, on_schedule(number))
        posted, page = card_data(played_by)["collection"], card_page(played_by)
        assert posted["schedule"] == number
        assert f"ca.fpgp.collect.{group}.posted" in posted["clauses"]
        lines = [(line["wagers"], line["fee"]) for column in posted["columns"] for line in column["lines"]]
        assert sorted((re.findall(r"\$[\d,]+", wagers)[0], fee) for wagers, fee in lines) == sorted(
            printed(number)
        )
        for wagers, fee in lines:
            assert f'<th scope="row">{wagers}</th><td>{fee}</td>' in page
        assert ("No collection is taken from players" in page) is (group == "s1_32")
        assert "before any card is dealt" in page
        assert f"table limit {dollars(schedules()[number].table_min)} to" in page


def test_by_the_other_reading_the_card_says_that_each_wager_is_charged() -> None:
    for basis, said in (("sum_of_wagers", "together"), ("each_wager", "game or bonus wager")):
        posted = card_data(rules(CA, on_schedule(40, ca_player_fee_basis=basis)))["collection"]
        assert said in posted["columns"][0]["on"]


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a", "wa-fap"])
def test_where_no_collection_is_taken_the_card_says_nothing_of_one(game: str) -> None:
    assert card_data(rules(game))["collection"] is None
    assert "Collection" not in card_page(rules(game))

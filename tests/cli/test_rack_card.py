"""The rack card: the order of hands, how they are set and won, and a cardroom's fees, every line of them."""

from __future__ import annotations

import csv
import re
from html import unescape
from itertools import product

import pytest

from houseway.cards import parse_cards
from houseway.games.collection import schedules
from houseway.games.hand_order import order_data
from houseway.games.hands import spoken
from houseway.games.rack_card import card_data
from houseway.games.submission import EXAMPLES
from houseway.law import cite
from houseway.money import cents, dollars
from houseway.ranking import RaceResult
from houseway.web.cards import card_page
from tests.games.support import rules
from tests.ranking.test_ranking import raced
from tests.rounds.california import CA, on_schedule

clause = pytest.mark.clause
GAMES = ["pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp"]
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
        assert posted is not None, "nothing is posted"
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


def test_the_fees_stand_first_on_the_card_and_in_a_frame_of_their_own() -> None:
    page = card_page(rules(CA))
    assert page.index('<div class="fees">') < page.index("How it is played") < page.index("Order of hands")
    assert ".fees {" in page and "border: 4px double" in page


# --- the hands --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_hand_of_the_order_is_shown_by_cards_that_make_it_best_first(game: str) -> None:
    played_by = rules(game)
    ranking, shown = played_by.ranking(), order_data(played_by)
    part = ranking.document.part[0]
    hands = [parse_cards(" ".join(row["cards"])) for row in shown["hands"]]
    ranked = [ranking.rank(part.name, cards) for cards in hands]
    assert [spoken(one.category) for one in ranked] == [row["hand"] for row in shown["hands"]]
    assert [spoken(one.name) for one in part.category if one.applies(ranking.readings)] == [
        row["hand"] for row in shown["hands"]
    ]
    strengths = [one.strength for one in ranked]
    assert strengths == sorted(strengths, reverse=True) and len(set(strengths)) == len(strengths)
    page = card_page(played_by)
    assert all(f'<use href="#card-{card}"/>' in page for cards in hands for card in cards)
    assert all(f'<symbol id="card-{card}"' in page for cards in hands for card in cards)


@pytest.mark.parametrize("game", GAMES)
def test_the_card_says_how_hands_are_set_won_and_fouled_and_what_the_joker_is(game: str) -> None:
    said = {one["name"]: one for one in order_data(rules(game))["says"]}
    assert list(said) == ["Setting", "Foul", "Winning", "Straights", "Joker"]
    text = unescape(card_page(rules(game)))
    for one in said.values():
        assert one["text"] in text
        assert all(cite(clause) for clause in one["clauses"])
    assert "joker" in said["Joker"]["text"].lower() and said["Joker"]["clauses"]


@pytest.mark.parametrize("game", GAMES)
def test_what_the_card_says_of_winning_and_copies_is_what_a_race_decides(game: str) -> None:
    played_by = rules(game)
    said = next(one["text"] for one in order_data(played_by)["says"] if one["name"] == "Winning")
    parts = len(played_by.ranking().split)
    least = 2 if "two of your three" in said else parts
    for results in product(RaceResult, repeat=parts):
        outcome = raced(game, results)
        won = results.count(RaceResult.HIGHER)
        expected = "win" if won >= least else "push" if "push" in said and won else "lose"
        assert outcome == expected, results


@pytest.mark.parametrize(
    ("chosen", "says"), [(False, "second-highest straight"), (True, "A-2-3-4 is the lowest straight")]
)
def test_the_card_follows_the_operators_choice_of_the_lowest_straight(chosen: bool, says: str) -> None:
    text = card_page(rules("pa-575", {"options.a234_straight_low": chosen}))
    assert says in text


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a", "wa-fap"])
def test_where_no_collection_is_taken_the_card_says_nothing_of_one(game: str) -> None:
    assert card_data(rules(game))["collection"] is None
    assert "Collection" not in card_page(rules(game))

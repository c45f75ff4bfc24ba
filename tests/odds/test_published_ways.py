"""The published ways for five and two cards: their sources, what these tell, and a second program."""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from houseway.cards import parse_cards, show_setting
from houseway.games import game
from houseway.houseways import compile_way, decide, house_way, house_ways
from houseway.houseways.batch import set_hands as set_by_document
from houseway.odds.maingame import main_game
from houseway.ranking import describe
from tests.odds.independent.simulate import Count, set_hands, simulate, sorted_hands, weigh
from tests.support.hands import Array, cards_of, random_hands

KEPT = Path(__file__).parents[2] / "docs" / "published.json"
COUNTED: list[dict[str, Any]] = json.loads(KEPT.read_text(encoding="utf-8"))["counts"]
EXACT = {one["player"]: Count(*one["counts"]) for one in COUNTED if one["player"] == one["dealer"]}
CASINOS = [way.id for way in house_ways() if way.ranking == "ref-pgp" and way.id != "foxwoods"]
COMMISSION = float(game("ref-pgp").commission or 0)
HANDS = 12_000
SHORT = 250_000
LONG = 100_000_000

every_casino = pytest.mark.parametrize("way", CASINOS)


def test_there_are_seven_ways_for_the_reference_game_and_each_names_its_source() -> None:
    assert len(CASINOS) == 6
    for name in ("foxwoods", *CASINOS):
        assert house_way(name).source, name


# --- what the sources tell ----------------------------------------------------------------------------

TOLD = {
    "trump-plaza": [
        "9s 9h 5d 5c Kd 7s 2h", "Kd7s", "low and middle pair with a king: together",
        "9s 9h 5d 5c Qd 7s 2h", "5d5c", "low and middle pair without: split",
        "Js Jh 5d 5c Ad 7s 2h", "Ad7s", "low and high pair with an ace: together",
        "Js Jh 5d 5c Kd 7s 2h", "5d5c", "low and high pair with a king: split",
        "Js Jh 7d 7c Ad 8s 2h", "7d7c", "middle and high pair: always split",
        "Qs Qh Qd 2s 2h Ac Kd", "AcKd", "full house of twos with ace and king",
        "8s 8h 8d 8c Kd 5s 2h", "Kd5s", "four eights with a king: together",
        "Js Jh Jd Jc Kd 5s 2h", "JsJh", "four jacks without an ace: split",
        "Js Jh Jd Jc Kd Ks Kh", "KsKh", "four of a kind and trips: a pair of the trips",
    ],
    "claridge": [
        "Qs Qh Qd 2s 2h Ac Kd", "2s2h", "full house of twos: the pair in front all the same",
        "8s 8h 8d 8c Kd 5s 2h", "8s8h", "four eights with a king: split",
        "Js Jh Jd Jc Ad 5s 2h", "JsJh", "four jacks with an ace: split",
    ],
    "ballys-atlantic-city": [
        "Jk As Kd Qh Jc 5s 2h", "KdQh", "ace-high straight with the joker: the aces behind",
        "Jk As Kd Qh Jc 9s 2h", "As2h", "a lower straight can be played: it is",
        "9s 9h 9d 9c Kd 5s 2h", "Kd5s", "four nines: never split",
        "As Ah Ad Ac Qs Qh 2d", "AsAh", "four aces and queens: split",
        "As Ah Ad Ac Ks Kh 2d", "KsKh", "four aces and kings: the kings in front",
    ],
    "flamingo-hilton": [
        "6s 6h 3d 3c Qd 9s 8h", "Qd9s", "both sixes or lower: together",
        "Js Jh 5d 5c Ad 9s 2h", "Ad9s", "a face pair, fives and an ace: together",
        "Js Jh 6d 6c Ad 9s 2h", "6d6c", "a face pair and sixes: split",
        "9s 9h 8d 8c 7d 6s 5h", "9s8d", "a straight beats two pairs without an ace",
        "Qs Qh Jd Jc Ts 9d 8h", "JdJc", "both pairs tens or higher: split for all the straight",
        "Qd 9d 8d 7d 2d 6s 5h", "6s5h", "straight or flush and no king for the front: the flush",
        "Kd 9d 8d 7d 2d 6s 5h", "Kd2d", "straight or flush and a king for the front: the straight",
        "8s 8h 8d 8c Ad Ts 2h", "8s8h", "four eights with an ace and no face card: split",
        "Qs Qh Qd Qc 9d 9s 2h", "QsQh", "four queens and nines: split",
    ],
    "golden-nugget": [
        "Js Jh 6d 6c Ad 9s 2h", "6d6c", "jacks and sixes with an ace: split",
        "Js Jh 5d 5c Ad 9s 2h", "Ad9s", "jacks and fives with an ace: together",
        "8s 8h 3d 3c Kd 9s 2h", "3d3c", "sevens or greater and no ace: split",
        "8s 8h 8d 8c Ad Ts 2h", "AdTs", "four eights with an ace: together",
        "Ks Qs Js Ts 9s 8d 2h", "Ks2h", "a straight over the straight flush for a king in front",
        "Ts 9s 8s 7s 6s 5d 2h", "5d2h", "no straight over the straight flush for a ten in front",
        "As Ah Ad Ac 6s 6h 2d", "AsAh", "four aces and sixes: split",
    ],
    "mgm-grand": [
        "6s 3s 7s 5s 4s 4d 7c", "4s4d", "sevens and fours with a straight flush: split",
        "6s 3s 2s 5s 4s 4d 2c", "4d2c", "fours and twos without an ace: the straight flush",
        "As 3s 2s 5s 4s 4d 2c", "As5s", "fours and twos with an ace: together",
        "7d Ks Js Ts Qs As Jc", "AsKs", "jacks and an ace that the royal flush needs: the pair behind",
        "7s 8s Js Ts 9s Ad Jc", "AdJc", "jacks and an ace to spare: the straight flush behind",
        "7s 8s Js Ts 9s Qd 7c", "7s7c", "a straight that leaves the pair free: the pair in front",
        "Jk As Ah Ad Jc Jh Kd", "JkAs", "four aces and jacks: split",
        "Kc 5s 6h 6c 9d 9h Qs", "6h6c", "nines and sixes without an ace: split",
    ],
}  # fmt: skip
CASES = [(way, *told[i : i + 3]) for way, told in TOLD.items() for i in range(0, len(told), 3)]


@pytest.mark.parametrize(("way", "cards", "front", "why"), CASES, ids=[f"{c[0]}: {c[3]}" for c in CASES])
def test_a_way_sets_hands_as_its_source_tells(way: str, cards: str, front: str, why: str) -> None:
    found = decide(compile_way(house_way(way)), parse_cards(cards)).setting[1]
    wanted = parse_cards(front)
    assert sorted(card.rank for card in found) == sorted(card.rank for card in wanted), why


def test_at_ballys_ace_and_joker_still_make_the_second_highest_straight() -> None:
    program = compile_way(house_way("ballys-atlantic-city"))
    behind = decide(program, parse_cards("Jk As 2d 3h 4c 9s 8h")).setting[0]
    assert describe(program.ranking.rank("high", behind)).startswith("straight")


# --- a second program ---------------------------------------------------------------------------------


def check_equal_strength(way: str, hands: Array) -> None:
    """Compare how the document and the second program set hands, by strength."""
    program = compile_way(house_way(way))
    front = set_by_document(program, hands).parts(1)
    hands = sorted_hands(hands)
    places = [np.argmax(hands == front[:, card : card + 1], axis=1) for card in (0, 1)]
    by_document, by_hand = 1 << places[0] | 1 << places[1], set_hands(way, hands)
    mine, theirs = (weigh(way, hands, some, as_player=True) for some in (by_hand, by_document))
    differing = np.flatnonzero((mine != theirs).any(axis=1))
    shown = [show_setting(decide(program, cards_of(hands[row])).setting) for row in differing[:10]]
    assert not shown, f"{len(differing)} hands, among them {'; '.join(shown)}"


@every_casino
def test_the_document_and_the_second_program_set_hands_of_equal_strength(way: str) -> None:
    check_equal_strength(way, random_hands(31, 7, HANDS))


@pytest.mark.exhaustive
@every_casino
def test_both_set_a_million_hands_of_equal_strength(way: str) -> None:
    for seed in range(10):
        check_equal_strength(way, random_hands(seed, 7, 100_000))


def off(found: Count, exact: Count) -> tuple[float, float]:
    """Return how many standard errors the edge with commission and the push lie from the exact ones."""

    def shares(count: Count) -> tuple[float, float, float]:
        return count.wins / count.deals, count.pushes / count.deals, count.losses / count.deals

    win, push, lose = shares(exact)
    edge = lose - win * (1 - COMMISSION)
    error = sqrt((lose + win * (1 - COMMISSION) ** 2 - edge**2) / found.deals)
    won, pushed, lost = shares(found)
    edges = (lost - won * (1 - COMMISSION) - edge) / error
    return edges, (pushed - push) / sqrt(push * (1 - push) / found.deals)


@every_casino
def test_a_short_simulation_meets_the_exact_edge_and_push(way: str) -> None:
    assert max(map(abs, off(simulate(way, SHORT, seed=5), EXACT[way]))) < 4


@pytest.mark.exhaustive
@every_casino
def test_a_long_simulation_meets_the_exact_edge_and_push(way: str) -> None:
    program = compile_way(house_way(way))
    exact = main_game(program, program)
    assert EXACT[way] == (exact.wins, exact.pushes, exact.losses)
    errors = off(simulate(way, LONG, seed=6), EXACT[way])
    print(f"{way}: {errors[0]:+.2f} and {errors[1]:+.2f} standard errors from exact")
    assert max(map(abs, errors)) < 4

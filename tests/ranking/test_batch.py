"""Hands by the million are what the readable reference says of each one."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from houseway.cards import Deck
from houseway.errors import InvalidInputError, UnknownNameError
from houseway.ranking import Ranking, ranking
from houseway.ranking.batch import bonus_categories, check_hands, count_categories, strengths
from houseway.ranking.held import AceLow
from houseway.ranking.listing import Among, JokerMode
from houseway.ranking.tables import binomials, hand_numbers, part_table
from tests.support.hands import Array, cards_of, random_hands

RANKINGS = ["pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp", "ref-pgp"]
LISTINGS = [(r, listing.id) for r in RANKINGS for listing in ranking(r).document.listing]
PARTS = [(r, part) for r in RANKINGS for part in ranking(r).part_names]
READ_LISTINGS = [
    ("pa-575", "bonus", {"trips_and_four_eights_joker": "natural_only"}),
    ("pa-575", "bonus", {"bonus_win_condition": "nine_high_or_better"}),
    ("pa-670a", "fortune", {"six_joker_royal": "listed_only"}),
    ("wa-fap", "fortune", {"wa_trips_and_straight": "poker_order"}),
]
READ_PARTS = [
    ("pa-575", {"joker_flush_with_ace": "second_ace"}),
    ("pa-659a", {"tie_break": "top_card_only"}),
    ("pa-659a", {"four_aces_with_joker": "natural_only"}),
]
POSTED = [("pa-659a", "fortune"), ("pa-670a", "insurance"), ("wa-fap", "progressive")]
RARE = {
    "three_of_a_kind_and_four_8s",
    "seven_card_straight_flush",
    "seven_card_straight_flush_joker",
    "royal_flush_royal_match",
    "five_aces",
}
"""Not met by chance; the small decks below are full of them."""


# --- categories of all the dealt cards ----------------------------------------------------------


def check_bonus(
    r: Ranking, listing: str, hands: Array, mode: JokerMode = "semi", among: Among = None
) -> set[str]:
    """Compare every hand with the reference; return the categories met."""
    names, found = bonus_categories(r, listing, hands, mode, among)
    answers = [names[index] for index in found]
    assert answers == [r.bonus(listing, cards_of(hand), mode, among) for hand in hands]
    return set(answers)


@pytest.mark.parametrize(("ranking_id", "listing"), LISTINGS)
def test_categories_in_bulk_are_the_references(ranking_id: str, listing: str) -> None:
    r = ranking(ranking_id)
    met = check_bonus(r, listing, random_hands(11, sum(r.split), 2000))
    everything = {c.name for c in r.listing(listing).standing(r.readings)}
    assert met >= everything - RARE


def test_washington_reads_a_fully_wild_joker_in_bulk_too() -> None:
    r, hands = ranking("wa-fap"), random_hands(12, 7, 4000)
    check_bonus(r, "progressive", hands, "full")
    one, other = (bonus_categories(r, "progressive", hands, mode)[1] for mode in ("semi", "full"))
    assert (one != other).any()
    assert (one == other)[~(hands == 52).any(axis=1)].all()


@pytest.mark.parametrize(("ranking_id", "listing"), POSTED)
def test_only_the_hands_of_a_posted_paytable_are_named(ranking_id: str, listing: str) -> None:
    r, chance = ranking(ranking_id), random.Random(13)
    hands = random_hands(14, sum(r.split), 1000)
    names = [c.name for c in r.listing(listing).standing(r.readings)]
    some = {*chance.sample(names, len(names) * 2 // 3), *({"royal_flush"} & set(names))}
    among = tuple(name for name in dict.fromkeys(names) if name in some)
    assert set(among) < set(names)
    assert set(among) >= check_bonus(r, listing, hands, among=among) - {"none"}


@pytest.mark.parametrize(("ranking_id", "listing", "readings"), READ_LISTINGS)
def test_each_reading_of_a_listing_in_bulk_is_the_references(
    ranking_id: str, listing: str, readings: dict[str, str]
) -> None:
    r = ranking(ranking_id, readings=readings)
    check_bonus(r, listing, random_hands(15, sum(r.split), 2000))


def test_an_unknown_listing_is_refused_in_bulk_too() -> None:
    with pytest.raises(UnknownNameError, match="pa-575 lists the hands of bonus: 'fortune'"):
        bonus_categories(ranking("pa-575"), "fortune", np.arange(7, dtype=np.uint8).reshape(1, 7))


# --- counts over whole decks --------------------------------------------------------------------

SMALL_DECKS = [("AKQJT98", "sh"), ("A23456", "sh"), ("8A9", "shdc")]


def check_counts(r: Ranking, listing: str, deck: Deck, mode: JokerMode = "semi", among: Among = None) -> None:
    """Compare every hand of a deck with the reference, one by one and counted."""
    hands = np.array(list(combinations(deck.cards, sum(r.split))), dtype=np.uint8)
    one_by_one = Counter(r.bonus(listing, cards_of(hand), mode, among) for hand in hands)
    names, found = bonus_categories(r, listing, hands, mode, among)
    assert Counter(names[index] for index in found) == one_by_one
    counted = count_categories(r, listing, sum(r.split), deck, mode, among)
    assert {name: count for name, count in counted.items() if count} == one_by_one


@pytest.mark.parametrize(("ranking_id", "listing"), LISTINGS)
def test_counts_over_small_decks_are_those_of_brute_force(ranking_id: str, listing: str) -> None:
    r = ranking(ranking_id)
    for ranks, suits in SMALL_DECKS:
        check_counts(r, listing, Deck.reduced(ranks, suits))


@pytest.mark.parametrize(("ranking_id", "listing"), [("pa-659a", "fortune"), ("pa-670a", "best")])
def test_counts_over_a_larger_deck_are_those_of_brute_force(ranking_id: str, listing: str) -> None:
    check_counts(ranking(ranking_id), listing, Deck.reduced("AKQJT9", "shd"))


def test_counts_with_a_wild_joker_and_without_a_joker_are_those_of_brute_force() -> None:
    check_counts(ranking("wa-fap"), "progressive", Deck.reduced("AKQJT9", "sh"), "full")
    check_counts(ranking("pa-659a"), "fortune", Deck.reduced("AKQJT98", "sh", joker=False))


MATCH = "royal_flush_royal_match"


@pytest.mark.parametrize(
    "among",
    [
        (MATCH,),
        (MATCH, "straight_flush"),
        (MATCH, "seven_card_straight_flush_joker", "flush", "straight"),
        ("seven_card_straight_flush", MATCH, "five_aces", "full_house", "three_of_a_kind"),
    ],
)
@pytest.mark.parametrize("ranking_id", ["pa-659a", "wa-fap"])
def test_a_list_may_have_the_royal_match_and_not_the_royal_flush(
    ranking_id: str, among: tuple[str, ...]
) -> None:
    r = ranking(ranking_id)
    for ranks, suits in (("AKQJT98", "sh"), ("AKQJT", "shd")):
        check_counts(r, "fortune", Deck.reduced(ranks, suits), among=among)


def test_only_hands_of_six_and_seven_cards_are_counted() -> None:
    with pytest.raises(InvalidInputError, match="hands have six or seven cards: 5"):
        count_categories(ranking("pa-659a"), "fortune", 5)


# --- strengths of parts -------------------------------------------------------------------------


def check_strengths(r: Ranking, part: str, count: int) -> None:
    hands = random_hands(16, r.judge(part).part.cards, count)
    expected = [r.rank(part, cards_of(hand)).strength for hand in hands]
    assert strengths(r, part, hands).tolist() == expected


@pytest.mark.parametrize(("ranking_id", "part"), PARTS)
def test_the_strengths_of_a_part_in_bulk_are_the_references(ranking_id: str, part: str) -> None:
    check_strengths(ranking(ranking_id), part, 1000)


@pytest.mark.parametrize(("ranking_id", "readings"), READ_PARTS)
def test_each_reading_of_a_part_in_bulk_is_the_references(ranking_id: str, readings: dict[str, str]) -> None:
    check_strengths(ranking(ranking_id, readings=readings), "high", 2000)


@pytest.mark.parametrize("ace_low", ["second", "lowest"])
def test_the_place_of_the_ace_low_straight_shows_in_bulk(ace_low: AceLow) -> None:
    chosen = ranking("pa-575", ace_low_straight=ace_low, ace_low_straight_flush=ace_low)
    check_strengths(chosen, "high", 2000)
    ace_four = Deck.reduced("A234", "s", joker=False).cards, Deck.reduced("KQJT", "s", joker=False).cards
    low, king = strengths(chosen, "high", np.array(ace_four, dtype=np.uint8))
    assert (low < king) == (ace_low == "lowest")


TWO_CARDS = [(r, p.name) for r in RANKINGS for p in ranking(r).document.part if p.cards == 2]


@pytest.mark.parametrize(("ranking_id", "part"), TWO_CARDS)
def test_a_part_table_orders_all_two_card_hands_like_the_reference(ranking_id: str, part: str) -> None:
    r = ranking(ranking_id)
    hands = [tuple(cards_of(hand)) for hand in hand_numbers(2)]
    table = part_table(r, part).tolist()
    assert len(hands) == len(set(hands)) == len(table) == 53 * 52 // 2
    assert table == [r.rank(part, hand).strength for hand in hands]
    by_hand = [sorted((card.rank for card in hand), reverse=True) for hand in hands]
    plainly = [(high == low, high, low) for high, low in by_hand]
    order = {value: place for place, value in enumerate(sorted(set(plainly)))}
    levels = {value: place for place, value in enumerate(sorted(set(table)))}
    assert [levels[value] for value in table] == [order[value] for value in plainly]


def test_every_hand_has_a_number_of_its_own() -> None:
    for size in (1, 2, 3):
        hands = hand_numbers(size)
        places = binomials()
        numbers = sum(places[place][hands[:, place]] for place in range(size))
        assert np.array_equal(numbers, np.arange(len(hands)))
        assert len(hands) == len(list(combinations(range(53), size)))


# --- what is no array of hands ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "said"),
    [
        (np.zeros((2, 7), dtype=np.int64), "hands are a two-dimensional array of uint8: 'int64(2, 7)'"),
        (np.zeros((2, 7)), "hands are a two-dimensional array of uint8: 'float64(2, 7)'"),
        (np.arange(7, dtype=np.uint8), "hands are a two-dimensional array of uint8: 'uint8(7,)'"),
        (np.zeros((1, 1, 7), dtype=np.uint8), "hands are a two-dimensional array of uint8: 'uint8(1, 1, 7)'"),
        (np.arange(47, 54, dtype=np.uint8).reshape(1, 7), "no card has this number: 53"),
        (np.array([[0, 1], [7, 7], [3, 3]], dtype=np.uint8), "the same card twice in row: 1"),
        (np.array([[52, 5, 52]], dtype=np.uint8), "the same card twice in row: 0"),
    ],
    ids=["whole numbers", "floats", "one hand", "three dimensions", "card 53", "card twice", "joker twice"],
)
def test_what_is_no_array_of_hands_is_refused(hands: Array, said: str) -> None:
    with pytest.raises(InvalidInputError) as refusal:
        check_hands(hands)
    assert str(refusal.value) == said


def test_bulk_answers_refuse_what_is_no_array_of_hands() -> None:
    r, twice = ranking("pa-659a"), np.zeros((1, 7), dtype=np.uint8)
    with pytest.raises(InvalidInputError, match="same card twice"):
        bonus_categories(r, "fortune", twice)
    with pytest.raises(InvalidInputError, match="same card twice"):
        strengths(r, "high", twice[:, :4])


def test_hands_of_another_number_of_cards_are_refused_by_it() -> None:
    r, hands = ranking("pa-659a"), np.arange(14, dtype=np.uint8).reshape(2, 7)
    with pytest.raises(InvalidInputError, match="^hands of 4 cards are needed: 7$"):
        strengths(r, "high", hands)


def test_no_hands_at_all_have_no_categories_and_no_strengths() -> None:
    r, none = ranking("pa-659a"), np.empty((0, 7), dtype=np.uint8)
    assert len(bonus_categories(r, "fortune", none)[1]) == 0
    assert len(strengths(r, "high", none[:, :4])) == 0


# --- one hand needs no kernel -------------------------------------------------------------------

ONE_HAND = """
import sys
from houseway.cards import parse_cards
from houseway.houseways import compile_way, decide, house_way
from houseway.ranking import ranking
cards = parse_cards("As Ks Qs Js Ts Kh Qh")
print(ranking("pa-659a").bonus("fortune", cards), decide(compile_way(house_way("houseway-421")), cards).rule)
assert "numba" not in sys.modules
"""


def test_one_hand_is_answered_without_numba() -> None:
    words = [sys.executable, "-c", ONE_HAND]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "royal_flush_royal_match pair-in-the-middle\n"

"""Over every hand there is. Most of it is quick enough for every run; the rest belongs to make prove."""

from __future__ import annotations

import numpy as np
import pytest

from houseway.cards import Deck
from houseway.houseways import compile_way, house_way, house_ways
from houseway.houseways.proof import HAND_COUNTS, Comparison, prove_way, suit_classes
from houseway.ranking import ranking
from houseway.ranking.batch import bonus_categories, count_categories
from houseway.ranking.listing import DealtHand, first_made

CLASS_COUNTS = {6: 1_097_447, 7: 6_972_147}

CARDS = Deck.standard().cards

FORTUNE = {
    "seven_card_straight_flush": 32,
    "royal_flush_royal_match": 72,
    "seven_card_straight_flush_joker": 196,
    "five_aces": 1_128,
    "royal_flush": 26_020,
    "straight_flush": 184_644,
    "four_of_a_kind": 307_472,
    "full_house": 4_188_528,
    "flush": 6_172_088,
    "three_of_a_kind": 7_672_500,
    "straight": 11_034_204,
}
GOLDEN = [
    ("pa-659a", "fortune", 7, FORTUNE | {"three_pair": 2_862_000}),
    ("wa-fap", "fortune", 7, FORTUNE),
    ("ca-fpgp", "fortune", 7, FORTUNE),
    (
        "pa-659a",
        "insurance",
        7,
        {
            "nine_high": 31_080,
            "ten_high": 248_640,
            "jack_high": 963_480,
            "queen_high": 2_719_500,
            "king_high": 6_386_940,
            "ace_high": 14_430_780,
            "none": 129_362_660,
        },
    ),
    (
        "pa-659a",
        "progressive",
        7,
        {
            "seven_card_straight_flush": 228,
            "five_aces": 1_128,
            "royal_flush": 26_092,
            "straight_flush": 184_644,
            "four_of_a_kind": 307_472,
            "full_house": 4_188_528,
        },
    ),
    (
        "pa-575",
        "bonus",
        7,
        {
            "three_of_a_kind_and_four_8s": 54,
            "five_aces": 1_128,
            "royal_flush": 26_132,
            "natural_straight_flush": 38_728,
            "straight_flush_joker": 146_104,
            "four_of_a_kind": 307_418,
            "nine_high": 32_768,
            "full_house": 4_188_528,
            "flush": 6_170_400,
            "three_of_a_kind": 7_672_500,
            "straight": 11_034_204,
        },
    ),
    (
        "pa-670a",
        "best",
        6,
        {
            "five_aces": 48,
            "royal_flush": 1_132,
            "straight_flush": 8_248,
            "four_of_a_kind": 19_752,
            "full_house": 196_896,
            "flush": 314_944,
            "straight": 696_228,
            "three_of_a_kind": 853_264,
            "two_pair": 2_873_952,
            "pair": 10_809_876,
            "high_card": 7_183_140,
            "none": 0,
        },
    ),
    (
        "pa-670a",
        "insurance",
        6,
        {
            "eight_high": 12_060,
            "nine_high": 64_320,
            "ten_high": 196_980,
            "jack_high": 470_340,
            "queen_high": 968_820,
            "king_high": 1_804_980,
        },
    ),
]


@pytest.mark.parametrize(
    ("game", "listing", "size", "golden"), GOLDEN, ids=[f"{g}-{w}" for g, w, _, _ in GOLDEN]
)
def test_the_categories_of_every_hand_are_the_published_counts(
    game: str, listing: str, size: int, golden: dict[str, int]
) -> None:
    counts = count_categories(ranking(game), listing, size)
    assert sum(counts.values()) == HAND_COUNTS[size]
    assert {name: counts[name] for name in golden} == golden


SIX_CARD_RULES = {
    "five-aces": 48,
    "six-card-straight-flush": 220,
    "royal-flush": 1_100,
    "straight-flush": 8_060,
    "four-of-a-kind": 19_752,
    "two-trips": 1_536,
    "full-house": 195_360,
    "six-card-flush": 10_588,
    "flush": 304_356,
    "straight": 696_228,
    "three-of-a-kind": 853_264,
    "three-pairs": 71_280,
    "two-pair": 2_802_672,
    "pair": 10_809_876,
    "no-pair": 7_183_140,
}
CALIFORNIA_ROWS = {
    "no pair": (24_780_420, ["no-pair"]),
    "one pair": (64_221_960, ["pair"]),
    "three of a kind": (7_470_676, ["three-aces", "trips"]),
    "three of a kind twice": (68_640, ["two-trips"]),
    "five aces": (1_128, ["five-aces"]),
    "complete, no pair": (7_119_228, ["complete-no-pair"]),
    "complete, one pair": (8_363_256, ["complete-with-pair"]),
    "complete, trips": (385_964, ["complete-with-trips", "complete-with-trip-aces"]),
    "needing the joker for both": (140_400, ["complete-with-trip-aces"]),
    "three pairs": (2_862_000 + 36_720, ["three-pairs"]),
    "full house": (4_070_544 + 50_496, ["golden-rule", "full-house"]),
}


def test_670a_every_rule_decides_as_many_hands_as_the_table_of_its_reading_says() -> None:
    report = prove_way(compile_way(house_way("pa-670a")))
    assert report.sound
    assert (report.hands, report.classes) == (HAND_COUNTS[6], CLASS_COUNTS[6])
    assert report.by_rule == SIX_CARD_RULES


PROVEN_LATER = [pytest.param(name, marks=pytest.mark.exhaustive) for name in ("foxwoods", "houseway-421")]
"""House ways of seven cards that are proven whole by make prove; their samples are proven here."""


@pytest.mark.parametrize("name", ["ca-fpgp", *PROVEN_LATER])
def test_every_seven_card_hand_is_decided_by_one_rule_and_no_rule_is_idle(name: str) -> None:
    report = prove_way(compile_way(house_way(name)))
    assert report.faults == []
    assert (report.hands, report.classes) == (HAND_COUNTS[7], CLASS_COUNTS[7])
    if name == "ca-fpgp":
        for row, (hands, rules) in CALIFORNIA_ROWS.items():
            assert sum(report.by_rule[rule] for rule in rules) == hands, row


@pytest.mark.parametrize("name", [w.id for w in house_ways()])
def test_the_interpreters_agree_and_nothing_is_foul_on_a_sample_of_every_kind_of_class(name: str) -> None:
    program = compile_way(house_way(name))
    chance = np.random.default_rng(421)
    most = 48 // len(house_ways())
    for hands, _ in suit_classes(sum(program.split)):
        some = hands[chance.choice(len(hands), min(len(hands), most), replace=False)]
        assert Comparison(program).first_difference(some) is None


@pytest.mark.exhaustive
@pytest.mark.parametrize(("game", "listing", "size"), [(g, w, n) for g, w, n, _ in GOLDEN])
def test_the_listing_kernel_equals_the_reference_on_every_suit_class(
    game: str, listing: str, size: int
) -> None:
    order = ranking(game)
    categories = order.listing(listing).standing(order.readings)
    for hands, _ in suit_classes(size):
        names, found = bonus_categories(order, listing, hands)
        for hand, number in zip(hands.tolist(), found.tolist(), strict=True):
            assert first_made(DealtHand([CARDS[c] for c in hand]), categories) == names[number], hand

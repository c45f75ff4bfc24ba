"""Rankings beyond the examples: options, readings, results, and mistakes that public code has made."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import houseway as hw
from houseway.cards import Card, Cards, Deck, parse_cards, parse_setting
from houseway.errors import DataError, IllegalError, UnknownNameError
from houseway.games import game
from houseway.houseways import compile_way, decide, house_way
from houseway.law.documents import as_document
from houseway.money import Basis
from houseway.ranking import (
    RaceResult,
    Ranking,
    Setting,
    all_settings,
    describe,
    legal_settings,
    race,
    ranking,
    verify_setting,
)
from houseway.ranking.batch import count_categories
from houseway.ranking.held import AceLow, runs, show_ranks
from houseway.ranking.listing import Listing

clause = pytest.mark.clause
DECK = Deck.standard().cards


def rank(game_id: str, part: str, cards: str) -> str:
    return ranking(game_id).rank(part, parse_cards(cards)).value


# --- mistakes seen in public pai gow code -------------------------------------------------------


def test_a_3_4_5_is_not_a_2_3_4() -> None:
    assert rank("pa-659a", "high", "As 3h 4d 5c") == "high_card A543"


def test_ties_go_to_the_dealer_and_are_not_pushed() -> None:
    same = parse_setting("Ks Kh 7d 4c / Ad 9c / Qs"), parse_setting("Kd Kc 7h 4s / Ac 9d / Qd")
    found = race(ranking("pa-659a"), *same)
    assert ("".join(found.parts), found.result) == ("TTT", "lose")


def test_the_joker_is_no_second_ace_in_an_ace_high_flush() -> None:
    assert rank("pa-659a", "high", "As Ks 5s Jk") == "flush AKQ5"
    assert rank("ca-fpgp", "five-card", "As Ks Jk 9s 4s") == "flush AKQ94"


def test_a_flush_is_seen_although_a_pair_exists() -> None:
    assert ranking("pa-659a").bonus("fortune", parse_cards("Ks Js 8s 5s 3s 5d 2h")) == "flush"


def test_a_joker_does_not_leak_into_hands_without_one() -> None:
    for cards in ("Ks Kh 9d 5c", "Qs Js 9s 4s"):
        assert "A" not in rank("pa-659a", "high", cards)


def test_ace_and_joker_in_front_are_a_pair_of_aces_and_foul_over_less() -> None:
    r = ranking("ca-fpgp")
    assert verify_setting(r, parse_setting("Ks Kh 9d 5c 2h / As Jk"))
    assert rank("ca-fpgp", "two-card", "As Jk") == "pair A"
    found = decide(compile_way(house_way("ca-fpgp")), parse_cards("As Jk Kh Qd 9c 5s 3h"))
    assert found.setting[0][0].is_joker


def test_a_front_that_outranks_the_back_is_foul_where_no_law_says_so_either() -> None:
    (problem,) = verify_setting(ranking("ref-pgp"), parse_setting("Ks 9h 7d 4c 2s / As Ad"))
    assert (problem.reason, problem.clauses) == ("the low hand outranks the high hand", ())
    assert verify_setting(ranking("ref-pgp"), parse_setting("As Ad 7d 4c 2s / Ks 9h")) == ()


def test_a_list_of_hands_names_at_least_one() -> None:
    one = as_document(Listing, {"id": "lucky", "category": [{"name": "flush"}]}, "toy")
    assert [category.name for category in one.standing({})] == ["flush"]
    with pytest.raises(DataError, match="category"):
        as_document(Listing, {"id": "lucky", "category": []}, "toy")


def test_the_wrong_number_of_cards_is_an_error_and_never_an_empty_answer() -> None:
    with pytest.raises(IllegalError, match="the high hand has 4 cards"):
        ranking("pa-659a").rank("high", parse_cards("As Ks"))
    with pytest.raises(UnknownNameError, match="the parts of pa-659a are high, medium, low"):
        ranking("pa-659a").rank("front", parse_cards("As Ks"))


# --- results ------------------------------------------------------------------------------------


HIGHER, COPY, LOWER = "WTL"
IN_FRONT = {HIGHER: "9c 9d", COPY: "8h 8s", LOWER: "7c 7d"}
BEHIND = {HIGHER: "Ac Ad 6c 2c", COPY: "Kh Ks 6h 2h", LOWER: "Qc Qd 6c 2c"}
ALONE = {HIGHER: "Jc", COPY: "Th", LOWER: "5c"}
"""Parts that win, copy and lose against those of a dealer who holds kings behind, eights and a ten."""


def raced(game_id: str, parts: Sequence[str]) -> str:
    """Race a setting whose parts compare so against the dealer's; return how it ends."""
    order = ranking(game_id)

    def part(size: int, letter: str) -> Cards:
        cards = {1: ALONE, 2: IN_FRONT}.get(size, BEHIND)[letter]
        return parse_cards(f"{cards} 3s" if size == 5 else cards)

    def setting(of: Sequence[str]) -> Setting:
        return tuple(map(part, order.split, of))

    race_of = race(order, setting(parts), setting([COPY] * len(parts)))
    assert not race_of.fouls and "".join(race_of.parts) == "".join(parts)
    return race_of.result


@pytest.mark.parametrize("game_id", ["pa-575", "pa-659a", "wa-fap"])
def test_of_the_27_comparisons_7_win_20_lose_and_none_is_a_push(game_id: str) -> None:
    results = [raced(game_id, parts) for parts in product("WTL", repeat=3)]
    assert (results.count("win"), results.count("lose"), results.count("push")) == (7, 20, 0)


@pytest.mark.parametrize("game_id", ["pa-670a", "ca-fpgp", "ref-pgp"])
def test_both_must_win_and_one_each_is_a_push(game_id: str) -> None:
    results = ["".join(parts) + raced(game_id, parts)[0] for parts in product("WTL", repeat=2)]
    assert sorted(results) == sorted(["WWw", "WTp", "WLp", "TWp", "TTl", "TLl", "LWp", "LTl", "LLl"])


WA_WINS = ["wa.fap.iverify.11", "wa.fap.iverify_nohwv.9", "wa.fap.led.10", "wa.fap.dice.10"]
WA_LOSES = ["wa.fap.iverify.12", "wa.fap.iverify_nohwv.10", "wa.fap.led.11", "wa.fap.dice.11"]
DEALER = "8s 8h 5d 3c / Ks 7c / Kc"


@pytest.mark.parametrize(
    "law",
    [
        pytest.param(c, marks=clause(c))
        for c in [*WA_WINS, "wa.fap.overview.main_wins", "wa.fap.overview.head_to_head"]
    ],
)
def test_washington_two_matchups_win(law: str) -> None:
    found = race(ranking("wa-fap"), parse_setting("9s 9h 4d 2c / Kd 8c / Qh"), parse_setting(DEALER))
    assert (found.result, "".join(found.parts)) == ("win", "WWL")
    assert law in found.clauses


@pytest.mark.parametrize("law", [pytest.param(c, marks=clause(c)) for c in WA_LOSES])
def test_washington_two_matchups_lost_lose(law: str) -> None:
    found = race(ranking("wa-fap"), parse_setting("7s 7h 4d 2c / Kd 8c / Qh"), parse_setting(DEALER))
    assert (found.result, "".join(found.parts)) == ("lose", "LWL")
    assert law in found.clauses


@pytest.mark.parametrize(
    ("name", "law"),
    [
        pytest.param("pa-575", "pa575.11.f.1.v", marks=clause("pa575.11.f.1.v")),
        pytest.param("pa-659a", "pa659a.11.f.1.v", marks=clause("pa659a.11.f.1.v")),
    ],
)
def test_a_race_with_wrongly_split_cards_is_lost_by_a_foul(name: str, law: str) -> None:
    found = race(ranking(name), parse_setting("Ks Kh 7d / Ad 9c 4c / Qs"), parse_setting(DEALER))
    assert (found.result, found.parts, len(found.fouls)) == ("lose", (), 1)
    assert law in found.clauses and law in found.fouls[0].clauses


def test_670a_wrongly_split_cards_are_no_setting() -> None:
    dealer = parse_setting("9s 6d 5c 3s 2h / 8h")
    with pytest.raises(IllegalError, match="parts of 5-1 cards needed") as refused:
        race(ranking("pa-670a"), parse_setting("Kh Qd 9d 5s / Ac 2c"), dealer)
    assert "pa670a.11.b.s1" in refused.value.clauses


# --- listings -----------------------------------------------------------------------------------


@clause("pa575.7.e.s2")
def test_575_any_of_the_listed_hands_wins_the_bonus_unless_read_otherwise() -> None:
    cards = parse_cards("9s 8h 7d 6c 4s 3h 2d")
    assert ranking("pa-575").bonus("bonus", cards) == "nine_high"
    strict = ranking("pa-575", readings={"bonus_win_condition": "nine_high_or_better"})
    full = parse_cards("Ks Kh Kd 9c 9d 5s 4d")
    assert (ranking("pa-575").bonus("bonus", full), strict.bonus("bonus", full)) == ("full_house", "none")


@clause("ca.fpgp.settle.bonus_best_seven", "ca.fpgp.bonus.no_tie")
def test_california_the_bonus_looks_at_all_seven_cards_and_at_nobody_elses() -> None:
    assert ranking("ca-fpgp").bonus("fortune", parse_cards("Qh Qd Qs Ks Js 9s 4s")) == "flush"


@clause("ca.fpgp.settle.envy_trigger", "ca.fpgp.envy.first_seven")
def test_california_four_of_a_kind_or_better_of_seven_cards_triggers_envy() -> None:
    r = ranking("ca-fpgp")
    assert r.qualifies("envy", parse_cards("8s 8h 8d 8c Kd 5h 2s"))
    assert r.qualifies("envy", parse_cards("9h 8h 7h 6h 5h Kd 2c"))
    assert not r.qualifies("envy", parse_cards("9s 9h 9d 4c 4h Kd 2s"))


@clause("pa670a.11.d.s2")
def test_670a_every_hand_has_one_rule_and_one_legal_setting() -> None:
    chance, program = random.Random(670), compile_way(house_way("pa-670a"))
    for _ in range(300):
        found = decide(program, chance.sample(DECK, 6))
        assert verify_setting(program.ranking, found.setting) == ()


@clause("ca.fpgp.houseway.golden.complete")
def test_a_complete_hand_is_a_straight_or_better() -> None:
    law = "ca.fpgp.houseway.golden.complete"
    found = hw.game("ca-fpgp").set("Kh Kd Ks 9c 9d 5h 5c")
    assert [made for _, made in found.parts.values()] == ["full house, kings over fives", "pair of nines"]
    assert law in found.clauses
    trips = hw.game("ca-fpgp").set("9s 9h 9d 4c 4h Kd 2s")  # three nines behind are no complete hand
    assert [made for _, made in trips.parts.values()][1] == "pair of fours" and law not in trips.clauses


def holds(game_id: str, wager: str, counts: dict[str, int]) -> dict[str, str]:
    """Return the hold of each paytable, as the share of the wager that stays with the house."""
    total = sum(counts.values())
    found = {}
    for table in game(game_id).paytables_of(wager):
        back = Fraction(0)
        for hand, count in counts.items():
            pays = table.line(hand).pays
            stake_back = Fraction(pays.basis is not Basis.LOSE)
            back += count * (pays.ratio + stake_back)
        found[table.id] = f"{float(100 * (1 - back / total)):.4f}"
    return found


HOLDS = [
    ("pa-659a", "insurance", 7, {"A": "3.9079", "B": "6.4384", "C": "8.0514"}),
    ("pa-659a", "fortune", 7, {"A": "7.7656", "B": "7.8279", "C": "8.0008", "D": "8.4900"}),
    ("pa-575", "bonus", 7, {"A": "5.7891", "B": "6.5429", "C": "7.5401"}),
    ("pa-670a", "fortune", 6, {"fortune": "12.1291"}),
    ("pa-670a", "insurance", 6, {"insurance": "7.6314"}),
]


@pytest.mark.parametrize(("game_id", "wager", "size", "expected"), HOLDS)
def test_holds_from_the_counts_of_every_hand(
    game_id: str, wager: str, size: int, expected: dict[str, str]
) -> None:
    assert holds(game_id, wager, count_categories(ranking(game_id), wager, size)) == expected


# --- settings -----------------------------------------------------------------------------------

RANKINGS = ["pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp", "ref-pgp"]


def hand_of(r: Ranking) -> st.SearchStrategy[list[Card]]:
    return st.permutations(DECK).map(lambda cards: list(cards[: sum(r.split)]))


@pytest.mark.parametrize("game_id", RANKINGS)
@given(data=st.data())
def test_some_setting_is_always_legal_and_each_uses_every_card_once(
    game_id: str, data: st.DataObject
) -> None:
    r = ranking(game_id)
    cards = data.draw(hand_of(r))
    found = list(all_settings(cards, r.split))
    assert len(found) == len(set(found)) == {(4, 2, 1): 105, (5, 2): 21, (5, 1): 6}[r.split]
    assert all(sorted(c for part in s for c in part) == sorted(cards) for s in found)
    assert any(True for _ in legal_settings(r, cards))


@pytest.mark.parametrize("game_id", RANKINGS)
@given(data=st.data())
def test_a_race_turned_round_turns_its_parts_round(game_id: str, data: st.DataObject) -> None:
    r = ranking(game_id)
    size = sum(r.split)
    cards = data.draw(st.permutations(DECK))
    mine = next(legal_settings(r, cards[:size]))
    theirs = next(legal_settings(r, cards[size : 2 * size]))
    one, other = race(r, mine, theirs).parts, race(r, theirs, mine).parts
    turned = {"W": "L", "L": "W", "T": "T"}
    joker_low = any(c.is_joker for s in (mine, theirs) for c in s[-1])
    assert [turned[p] for p in one] == [str(p) for p in other] or (game_id == "pa-670a" and joker_low)


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("9s 9h As Qd", "pair of nines, ace-queen"),
        ("6s 6h 6d 2c", "three sixes, two"),
        ("Ks Kh Qd Qc", "two pair, kings and queens"),
        ("As 2h 3d 4c", "straight, ace to four"),
        ("Ks 9s 4s Jk", "flush, ace-king-nine-four"),
        ("As Ah Ad Jk", "four aces"),
        ("Ks Qh 9d 3c", "king-high, queen-nine-three"),
        ("7s 7h 7d 7c", "four sevens"),
        ("2s 2h 9d 4c", "pair of twos, nine-four"),
        ("As Ah Kd 2c", "pair of aces, king-two"),
    ],
)
def test_hands_are_described_in_plain_language(cards: str, said: str) -> None:
    assert describe(ranking("pa-659a").rank("high", parse_cards(cards))) == said


def test_five_card_hands_are_described_too() -> None:
    assert describe(ranking("ca-fpgp").rank("five-card", parse_cards("9s 9h 9d As Jk"))) == (
        "full house, nines over aces"
    )


@pytest.mark.parametrize(
    ("ace_low", "best", "lowest"),
    [
        ("second", ["AKQ", "A23", "KQJ"], "432"),
        ("lowest", ["AKQ", "KQJ", "QJT"], "A23"),
        (None, ["AKQ", "KQJ", "QJT"], "432"),
    ],
)
def test_straights_are_in_order_with_the_ace_low_one_in_its_place(
    ace_low: AceLow | None, best: list[str], lowest: str
) -> None:
    found = [show_ranks(run) for run in runs(3, ace_low)]
    assert (found[:3], found[-1]) == (best, lowest)


def test_straights_that_go_round_the_corner_come_last_where_nothing_forbids_them() -> None:
    found = [show_ranks(run) for run in runs(3, None, wrap=True)]
    assert found == [*map(show_ranks, runs(3, None)), "32A", "2AK"]


# --- readings -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "result"),
    [
        ("As Js 8s 3s", "Kh Jh 8h 3h", RaceResult.HIGHER),
        ("9s 9h Ad 2c", "9d 9c Kd 3c", RaceResult.HIGHER),
        ("9s 9h Ad 4c", "9d 9c As 3c", RaceResult.COPY),
    ],
)
def test_where_only_the_top_card_breaks_a_tie_it_still_does(
    first: str, second: str, result: RaceResult
) -> None:
    top = ranking("pa-659a", readings={"tie_break": "top_card_only"})
    assert top.compare("high", parse_cards(first), parse_cards(second)) is result


def test_each_reading_of_a_disputed_hand_is_a_choice() -> None:
    top = ranking("pa-659a", readings={"tie_break": "top_card_only"})
    two = parse_cards("As Js 8s 3s"), parse_cards("Ah Jh 8h 2h")
    assert ranking("pa-659a").compare("high", *two) is RaceResult.HIGHER
    assert top.compare("high", *two) is RaceResult.COPY
    second = ranking("pa-659a", readings={"joker_flush_with_ace": "second_ace"})
    better = parse_cards("As Ks 5s Jk"), parse_cards("Ah Kh Qh 9h")
    assert second.compare("high", *better) is RaceResult.HIGHER
    assert ranking("pa-659a").compare("high", *better) is RaceResult.LOWER
    natural = ranking("pa-659a", readings={"four_aces_with_joker": "natural_only"})
    assert natural.rank("high", parse_cards("As Ah Ad Jk")).category == "three_of_a_kind"
    listed = ranking("pa-670a", readings={"six_joker_royal": "listed_only"})
    assert listed.rank("high", parse_cards("As Ks Qs Js Jk")).category == "flush"
    assert listed.rank("high", parse_cards("Ks Qs Js Ts Jk")).category == "royal_flush"
    poker = ranking("wa-fap", readings={"wa_trips_and_straight": "poker_order"})
    both = parse_cards("9s 9h 9d 8c 7h 6s 5d")
    assert (ranking("wa-fap").bonus("fortune", both), poker.bonus("fortune", both)) == (
        "three_of_a_kind",
        "straight",
    )
    eights = ranking("pa-575", readings={"trips_and_four_eights_joker": "natural_only"})
    assert eights.bonus("bonus", parse_cards("8s 8h 8d 8c As Ah Jk")) == "four_of_a_kind"

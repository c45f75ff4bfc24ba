"""What an operator may and must choose under chapters 575, 659a and 670a, clause by clause."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from houseway.games import Rules, game, verify_areas, verify_wagers
from houseway.games.opening import Opening, Pack, verify_open
from houseway.houseways.document import HOUSE_WAY_FILES
from houseway.law import Standing, rule_set
from houseway.money import Cents, cents
from tests.games.support import (
    NOTHING,
    OWN_FORTUNE,
    Changes,
    accepted,
    problems,
    refused,
    rules,
    submission,
)

clause = pytest.mark.clause
HAND = {"table.dealing": "hand"}


def each(*rows: tuple[str, str]) -> pytest.MarkDecorator:
    """Parametrize over (game, clause), each row marked with its clause."""
    return pytest.mark.parametrize(
        ("game_id", "law"), [pytest.param(g, c, marks=pytest.mark.clause(c), id=c) for g, c in rows]
    )


# --- when the law is in force -------------------------------------------------------------------


@clause("pa575.order.2")
def test_chapter_575_begins_on_1_october_2011() -> None:
    assert refused("pa-575", {"law_as_of": date(2011, 9, 30)}, "pa575.order.2")
    assert accepted("pa-575", {"law_as_of": date(2011, 10, 1)})


@clause("pa575.preamble.expiry")
def test_chapter_575_lapses_two_years_after_publication_but_can_still_be_replayed() -> None:
    law = rule_set("pa-575")
    assert law.standing(date(2013, 9, 30)) is Standing.IN_FORCE
    assert law.standing(date(2013, 10, 1)) is Standing.LAPSED
    assert refused("pa-575", {"law_as_of": date(2013, 10, 1)}, "pa575.preamble.expiry")
    assert accepted("pa-575", {"law_as_of": date(2013, 9, 30)})


@clause("pa659a.order.3")
def test_chapter_659a_needs_its_effective_date_entered() -> None:
    assert any(
        p.reason == "effective date required" and p.clauses == ("pa659a.order.3",)
        for p in problems("pa-659a", {"law_effective": NOTHING})
    )
    assert rule_set("pa-659a").assumed
    assert refused("pa-659a", {"law_as_of": date(2015, 12, 31)}, "pa659a.order.3")


def test_chapter_670a_is_refused_for_days_whose_text_is_not_held() -> None:
    law = rule_set("pa-670a")
    assert law.standing(date(2016, 8, 26)) is Standing.NOT_YET
    assert law.standing(date(2016, 8, 27)) is Standing.OTHER_TEXT
    assert law.standing(date(2019, 11, 1)) is Standing.OTHER_TEXT
    assert law.standing(date(2019, 11, 2)) is Standing.IN_FORCE
    assert not accepted("pa-670a", {"law_as_of": date(2019, 11, 1)})


# --- the table and its cards --------------------------------------------------------------------


@each(("pa-575", "pa575.2.a.s1"), ("pa-659a", "pa659a.2.a.s1"), ("pa-670a", "pa670a.2.a.s1"))
def test_at_most_six_player_positions(game_id: str, law: str) -> None:
    fewer = {} if game_id == "pa-670a" else {"readings.fewer_than_six_positions": "missing_are_empty"}
    assert accepted(game_id, {"table.positions": 5} | fewer)
    assert accepted(game_id, {"table.positions": 6})
    assert refused(game_id, {"table.positions": 7}, law)


@each(
    ("pa-575", "pa575.8.d.s1"),
    ("pa-575", "pa575.9.c.s1"),
    ("pa-575", "pa575.10.c.s1"),
    ("pa-659a", "pa659a.8.d.s1"),
    ("pa-659a", "pa659a.9.c.s1"),
    ("pa-659a", "pa659a.10.c.s1"),
)
def test_seven_stacks_leave_four_cards_only_with_six_positions(game_id: str, law: str) -> None:
    assert refused(game_id, {"table.positions": 5}, law)


@each(("pa-575", "pa575.2.c"), ("pa-659a", "pa659a.2.c"), ("pa-670a", "pa670a.2.d.s1"))
def test_only_the_listed_devices_find_the_starting_position(game_id: str, law: str) -> None:
    assert accepted(game_id, {"table.start_methods": ["shaker"]})
    assert accepted(game_id, {"table.start_methods": ["rng"]})
    assert refused(game_id, {"table.start_methods": ["coin"]}, law)


@each(
    ("pa-659a", "pa659a.2.c.3.deleted"),
    ("pa-659a", "pa659a.5.g.3.deleted"),
    ("pa-659a", "pa659a.2.c"),
    ("pa-670a", "pa670a.2.d.s1"),
)
def test_the_flat_button_is_refused_after_chapter_575(game_id: str, law: str) -> None:
    assert refused(game_id, {"table.start_methods": ["button"]}, law)
    assert accepted("pa-575", {"table.start_methods": ["button"]})


@each(("pa-575", "pa575.5.g"), ("pa-659a", "pa659a.5.g"), ("pa-670a", "pa670a.5.i.s1"))
def test_exactly_one_method_finds_the_starting_position(game_id: str, law: str) -> None:
    assert refused(game_id, {"table.start_methods": []}, law)
    assert accepted(game_id, {"table.start_methods": ["rng"]})
    assert refused(game_id, {"table.start_methods": ["rng", "shaker"]}, law)


@clause("pa575.5.g.3.s1")
def test_the_button_needs_automated_shuffler_and_shoe() -> None:
    button = {"table.start_methods": ["button"]}
    assert accepted("pa-575", button)
    assert refused("pa-575", {**button, **HAND}, "pa575.5.g.3.s1")
    assert refused("pa-575", {**button, "table.shuffler": "manual"}, "pa575.5.g.3.s1")


@each(("pa-575", "pa575.3.a.s1"), ("pa-659a", "pa659a.3.a.s1"), ("pa-670a", "pa670a.3.a.s1"))
def test_one_deck_and_two_cover_cards_without_an_automated_shuffler(game_id: str, law: str) -> None:
    by_hand: Changes = {"table.shuffler": "manual", "table.dealing": "manual_shoe"}
    assert accepted(game_id, {**by_hand, "table.decks": 1, "table.cover_cards": 2})
    assert refused(game_id, {**by_hand, "table.cover_cards": 1}, law)
    assert refused(game_id, {**by_hand, "table.cover_cards": 3}, law)
    assert refused(game_id, {**by_hand, "table.decks": 2}, law)


@each(("pa-575", "pa575.3.b"), ("pa-659a", "pa659a.3.b"), ("pa-670a", "pa670a.3.b.s1"))
def test_two_decks_need_an_automated_shuffler_and_three_are_never_used(game_id: str, law: str) -> None:
    assert accepted(game_id, {"table.decks": 2})
    by_hand: Changes = {"table.shuffler": "manual", "table.dealing": "manual_shoe", "table.decks": 2}
    assert refused(game_id, by_hand, law)
    assert refused(game_id, {"table.decks": 3}, law)


@each(("pa-575", "pa575.3.a.s3"), ("pa-659a", "pa659a.3.a.s3"), ("pa-670a", "pa670a.3.a.s3"))
def test_a_pack_with_two_jokers_needs_the_second_ones_removal_on_record(game_id: str, law: str) -> None:
    assert law in _pack_refusals(game_id, Pack(cards=54, jokers=2))
    assert not _pack_refusals(game_id, Pack(cards=54, jokers=2, second_joker_removed=True))
    assert accepted(game_id, {"table.pack_jokers": 2})
    assert refused(game_id, {"table.pack_jokers": 3}, law)


def _pack_refusals(game_id: str, pack: Pack) -> set[str]:
    found = verify_open(rules(game_id), Opening(packs=(pack,)))
    return {c for p in found if p.blocks for c in p.clauses}


def test_as_many_packs_as_the_submission_has_decks() -> None:
    pack = Pack(cards=53, jokers=1)
    assert verify_open(rules("pa-575"), Opening(packs=(pack, pack)))
    assert not verify_open(rules("pa-575", {"table.decks": 2}), Opening(packs=(pack, pack)))


@clause("pa575.5.f")
def test_575_a_reshuffling_device_and_its_procedures_need_approval() -> None:
    device: Changes = {"table.reshuffle_device": True}
    one, both = device | {"approvals.reshuffle_device": "L-1"}, {"approvals.reshuffle_procedures": "L-2"}
    assert refused("pa-575", device, "pa575.5.f")
    assert refused("pa-575", one, "pa575.5.f")
    assert accepted("pa-575", one | both)


@each(("pa-659a", "pa659a.5.f"), ("pa-670a", "pa670a.5.h.s1"))
def test_a_reshuffling_device_needs_approval(game_id: str, law: str) -> None:
    device: Changes = {"table.reshuffle_device": True}
    assert refused(game_id, device, law)
    assert accepted(game_id, device | {"approvals.reshuffle_device": "L-1"})


@each(("pa-575", "pa575.5.h"), ("pa-659a", "pa659a.5.h"))
def test_the_start_marker_is_a_cover_card_or_approved(game_id: str, law: str) -> None:
    assert accepted(game_id, {"table.start_marker": "cover_card"})
    assert refused(game_id, {"table.start_marker": "brass lion"}, law)
    assert accepted(game_id, {"table.start_marker": "brass lion", "approvals.start_marker": "G-1"})


@clause("pa670a.5.j")
def test_670a_lets_the_start_be_marked_with_a_cover_card_button_or_the_like() -> None:
    assert accepted("pa-670a", {"table.start_marker": "flat_button"})


@clause("pa670a.11.d.s2")
@pytest.mark.parametrize(
    "way", ["foxwoods", "houseway-421", "ca-fpgp", "no such way", "../pa-670a.toml", "", NOTHING, "own"]
)
def test_670a_has_the_laws_own_house_way_and_no_other(way: object, tmp_path: Path) -> None:
    own = tmp_path / "pa-670a.toml"
    own.write_text((HOUSE_WAY_FILES / "pa-670a.toml").read_text(encoding="utf-8"), encoding="utf-8")
    assert refused("pa-670a", {"house_way": str(own) if way == "own" else way}, "pa670a.11.d.s2")
    assert accepted("pa-670a", {"house_way": "pa-670a"})


@clause("pa670a.5.a.s6")
def test_670a_lets_the_shuffler_load_the_shoe() -> None:
    assert accepted("pa-670a", {"table.direct_to_shoe": True})


@each(("pa-575", "pa575.9.a.1"), ("pa-659a", "pa659a.9.a.1"), ("pa-670a", "pa670a.9.a.1"))
def test_dealing_from_the_hand_needs_an_automated_shuffler(game_id: str, law: str) -> None:
    assert accepted(game_id, HAND)
    assert refused(game_id, {**HAND, "table.shuffler": "manual"}, law)


@each(("pa-575", "pa575.11.c.s2"), ("pa-659a", "pa659a.11.c.s2"))
def test_no_table_without_a_house_way(game_id: str, law: str) -> None:
    assert refused(game_id, {"house_way": NOTHING}, law)
    assert accepted(game_id, {"house_way": "houseway-421"})


@each(("pa-575", "pa575.7.f.s1"), ("pa-659a", "pa659a.7.f.s1"), ("pa-670a", "pa670a.7.f.s1"))
def test_two_adjacent_areas_only_if_submitted(game_id: str, law: str) -> None:
    on = rules(game_id, {"table.adjacent_areas": True})
    assert not verify_areas(on, (3, 4))
    assert not verify_areas(on, (3,))
    for areas in ((3, 5), (2, 7), (3, 4, 5), (1, 2)):
        assert [p.clauses for p in verify_areas(on, areas)] == [(law,)], areas
    assert [p.clauses for p in verify_areas(rules(game_id), (3, 4))] == [(law,)]


# --- options of the rankings --------------------------------------------------------------------


@clause("pa575.6.b.3.s3")
def test_575_may_make_suited_a234_the_lowest_straight_flush() -> None:
    assert rules("pa-575").option("a234_sf_low") is False
    assert rules("pa-575", {"options.a234_sf_low": True}).option("a234_sf_low") is True


@clause("pa575.6.b.6.s2")
def test_575_may_make_a234_the_lowest_straight_independently() -> None:
    chosen = rules("pa-575", {"options.a234_straight_low": True})
    assert chosen.option("a234_straight_low") is True
    assert chosen.option("a234_sf_low") is False


@clause("pa659a.6.b.2.option.deleted")
def test_659a_refuses_the_low_straight_flush_option() -> None:
    assert refused("pa-659a", {"options.a234_sf_low": True}, "pa659a.6.b.2.option.deleted")


@clause("pa659a.6.b.5.option.deleted")
def test_659a_refuses_the_low_straight_option() -> None:
    assert refused("pa-659a", {"options.a234_straight_low": True}, "pa659a.6.b.5.option.deleted")


# --- wagers and paytables -----------------------------------------------------------------------


def wager_clauses(r: Rules, **amounts: str) -> set[str]:
    placed: dict[str, Cents] = {name: cents(amount) for name, amount in amounts.items()}
    return {c for p in verify_wagers(r, placed) for c in p.clauses}


@clause("pa670a.7.e.1")
def test_670a_double_down_equals_the_base_wager_to_the_cent() -> None:
    r = rules("pa-670a")
    assert wager_clauses(r, main="$25", double_down="$25") == set()
    assert wager_clauses(r, main="$25", double_down="$24.99") == {"pa670a.7.e.1"}
    assert wager_clauses(r, main="$25", double_down="$25.01") == {"pa670a.7.e.1"}


def test_wagers_keep_to_the_limits_of_the_submission() -> None:
    r = rules("pa-575")
    for amount, fine in (("$4.99", False), ("$5", True), ("$500", True), ("$500.01", False)):
        assert (verify_wagers(r, {"main": cents(amount)}) == ()) is fine, amount


@clause("pa575.12.b")
def test_575_bonus_paytable_is_a_b_or_c() -> None:
    for table in "ABC":
        assert accepted("pa-575", {"wagers.bonus.paytable": table})
    assert refused("pa-575", {"wagers.bonus.paytable": "D"}, "pa575.12.b")
    assert refused("pa-575", {"wagers.bonus.paytable": NOTHING}, "pa575.12.b")


@clause("pa659a.12.b")
def test_659a_fortune_paytable_is_a_to_d_and_its_envy_column_goes_with_it() -> None:
    for table in "ABCD":
        assert accepted("pa-659a", {"wagers.fortune.paytable": table})
    assert refused("pa-659a", {"wagers.fortune.paytable": "E"}, "pa659a.12.b")
    mixed = rules("pa-659a", {"wagers.fortune.paytable": "C"})
    envy = mixed.envy_table("fortune", cents("$5"))
    assert envy is not None
    assert (envy.paytable, envy.line("five_aces").pays) == ("C", cents("$50"))


@clause("pa659a.12.b.x.deleted")
def test_659a_refuses_a_chapter_575_bonus_table() -> None:
    own = OWN_FORTUNE | {"lines": [{"hand": "nine_high", "pays": "10 to 1"}]}
    changes = {"wagers.fortune.paytable": NOTHING, "wagers.fortune.own_paytable": own}
    assert refused("pa-659a", changes, "pa659a.12.b.x.deleted")


@clause("pa659a.12.c")
def test_659a_insurance_paytable_is_a_b_or_c_whatever_the_fortune_table() -> None:
    for table in "ABC":
        assert accepted("pa-659a", {"wagers.insurance.paytable": table, "wagers.fortune.paytable": "D"})
    assert refused("pa-659a", {"wagers.insurance.paytable": "D"}, "pa659a.12.c")


def test_an_own_paytable_is_lawful_only_if_the_law_lists_it_line_by_line() -> None:
    listed = game("pa-659a").find_paytable("fortune", "A")
    envy = next(e for e in game("pa-659a").envy if e.paytable == "A")
    lines = [{"hand": x.hand, "pays": str(x.pays)} for x in listed.lines]
    same = OWN_FORTUNE | {
        "lines": lines,
        "envy": [{"hand": x.hand, "pays": f"${x.pays // 100}"} for x in envy.lines],
    }

    def posted(own: Changes) -> Changes:
        return {"wagers.fortune.paytable": NOTHING, "wagers.fortune.own_paytable": own}

    assert accepted("pa-659a", posted(same))
    assert rules("pa-659a", posted(same)).paytable("fortune") == listed
    assert rules("pa-659a", posted(same)).envy_table("fortune", cents("$5")) == envy
    assert not accepted("pa-659a", posted(same) | {"wagers.fortune.paytable": "B"})
    assert not accepted("pa-659a", posted(same | {"wager": "insurance"}))
    assert not accepted("pa-659a", posted(same | {"envy": []}))
    richer = [{"hand": "flush", "pays": "5 to 1"} if x["hand"] == "flush" else x for x in lines]
    assert not accepted("pa-659a", posted(same | {"lines": richer}))


# --- the progressive ----------------------------------------------------------------------------


@each(("pa-659a", "pa659a.2.d"), ("pa-670a", "pa670a.2.c.s1"))
def test_the_progressive_needs_a_system(game_id: str, law: str) -> None:
    assert refused(game_id, {"progressive.system": NOTHING}, law)
    assert accepted(game_id, {"progressive.system": "PTG-2"})


@clause("pa659a.12.d.1")
def test_659a_has_one_progressive_paytable_to_choose_from() -> None:
    assert accepted("pa-659a")
    assert refused("pa-659a", {"wagers.progressive.paytable": "B"}, "pa659a.12.d.1")
    assert refused("pa-659a", {"wagers.progressive.paytable": "progressive"}, "pa659a.12.d.1")


@clause("pa659a.12.d.2.s1")
def test_659a_initial_and_reset_amounts_are_stated() -> None:
    assert refused("pa-659a", {"progressive.initial": NOTHING}, "pa659a.12.d.2.s1")
    assert refused("pa-659a", {"progressive.reset": NOTHING}, "pa659a.12.d.2.s1")


@clause("pa659a.12.d.2.s2")
@pytest.mark.parametrize("field", ["progressive.initial", "progressive.reset"])
def test_659a_initial_and_reset_are_at_least_2000_dollars(field: str) -> None:
    assert refused("pa-659a", {field: "$1,999.99"}, "pa659a.12.d.2.s2")
    assert accepted("pa-659a", {field: "$2,000"})
    assert accepted("pa-659a", {field: "$2,000.01"})


@clause("pa670a.12.d.2.rate")
def test_670a_21_per_cent_of_each_progressive_wager_goes_to_the_meter() -> None:
    for rate, fine in (("20.99%", False), ("21%", True), ("21.01%", False)):
        assert refused("pa-670a", {"progressive.contribution": rate}, "pa670a.12.d.2.rate") is not fine


@clause("pa670a.12.d.2.basis")
def test_670a_one_and_five_dollar_meters_with_their_own_seeds() -> None:
    five: Changes = {"progressive.amount": "$5", "progressive.initial": "$25,000"}
    five |= {"progressive.reset": "$25,000"}
    assert accepted("pa-670a", five)
    assert refused("pa-670a", {"progressive.amount": "$5"}, "pa670a.12.d.2.basis")
    assert refused("pa-670a", {"progressive.amount": "$2"}, "pa670a.12.d.2.basis")
    assert refused("pa-670a", {"progressive.amount": NOTHING}, "pa670a.12.d.2.basis")
    assert refused("pa-670a", {"progressive.initial": "$4,999.99"}, "pa670a.12.d.2.basis")


# --- the payout limit ---------------------------------------------------------------------------


@clause("pa575.12.c.s1")
def test_575_may_limit_the_payout_on_a_hand() -> None:
    assert accepted("pa-575", {"payout_limit": "$50,000"})
    assert accepted("pa-575")


@clause("pa575.12.c.s2")
def test_575_the_limit_is_at_least_50000_and_the_best_win_on_the_smallest_wagers() -> None:
    assert refused("pa-575", {"payout_limit": "$49,999.99"}, "pa575.12.c.s2")
    assert accepted("pa-575", {"payout_limit": "$50,000"})
    fifteen: Changes = {"wagers.main.min": "$15", "wagers.bonus.min": "$15"}
    assert refused("pa-575", fifteen | {"payout_limit": "$75,014.99"}, "pa575.12.c.s2")
    assert accepted("pa-575", fifteen | {"payout_limit": "$75,015"})


@clause("pa659a.12.c.x.deleted")
def test_659a_refuses_a_payout_limit() -> None:
    assert refused("pa-659a", {"payout_limit": "$50,000"}, "pa659a.12.c.x.deleted")
    table = rules("pa-659a").paytable("fortune")
    assert table.line("seven_card_straight_flush").pays.won(cents("$10")) == cents("$80,000")


@clause("pa659a.2.b.7.deleted")
def test_659a_prints_no_payout_limit_line_and_575_does() -> None:
    limit = {"payout_limit": "$50,000"}
    assert Rules.of(submission("pa-659a", limit)).inscriptions() == ()
    assert rules("pa-575", limit).inscriptions() == ("Payout limit $50,000 on a single hand",)

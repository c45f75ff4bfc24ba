"""What a rule is worth: the edge with it, less that of a dealer who does not know it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from houseway.cards import parse_cards
from houseway.errors import UnknownNameError
from houseway.houseways import CompiledWay, compile_way, decide, house_way, house_ways
from houseway.odds.maingame import MainGame
from houseway.odds.worth import rule_worths, without

OURS = house_way("houseway-421")


@pytest.mark.parametrize("way", house_ways(), ids=lambda way: way.id)
def test_a_way_without_any_one_rule_still_sets_every_hand(way: object) -> None:
    found = house_way(str(getattr(way, "id", "")))
    hand = parse_cards("As Ah Kd Kc Qs Jk 2h")[: sum(compile_way(found).split)]
    for rule in found.rule:
        decided = decide(compile_way(without(found, rule.id)), hand)
        assert decided.rule != rule.id


def test_hands_fall_to_the_rules_after_it_and_at_last_to_the_plainest() -> None:
    pairs, nothing = parse_cards("Ks Kh 9d 8c 5h 4d 2c"), parse_cards("As Kh Jd 9c 7h 5d 3c")
    assert decide(compile_way(OURS), pairs).rule == "high-pair-split"
    assert decide(compile_way(without(OURS, "high-pair-split")), pairs).rule == "pair"
    assert decide(compile_way(without(OURS, "nothing")), nothing).rule == "plain"


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="no-such-rule"):
        without(OURS, "no-such-rule")


def test_each_rule_is_measured_against_a_player_who_knows_them_all() -> None:
    program = compile_way(OURS)
    asked: list[tuple[bool, str, str]] = []

    def count(player: CompiledWay, dealer: CompiledWay, what: str) -> MainGame:
        assert isinstance(dealer, CompiledWay)
        asked.append((player is program, dealer.way.id, what))
        return MainGame(45, 0, 55) if dealer is program else MainGame(46, 0, 54)

    worths = list(rule_worths(program, count))
    assert [one.rule for one in worths] == [rule.id for rule in OURS.rule]
    assert {one.worth for one in worths} == {Fraction(2, 100)}
    assert asked[0] == (True, "houseway-421", "the whole way")
    assert asked[1:] == [
        (True, f"houseway-421 without {rule.id}", f"without {rule.id}") for rule in OURS.rule
    ]


def test_the_document_says_what_each_of_our_rules_is_worth() -> None:
    assert all(rule.worth for rule in OURS.rule)


def test_what_the_document_says_is_what_was_counted() -> None:
    counted = json.loads((Path(__file__).parents[2] / "docs" / "ways.json").read_text(encoding="utf-8"))
    edges = {(one["player"], one["dealer"]): MainGame(*one["counts"]).edge() for one in counted}
    whole = edges["houseway-421", "houseway-421"]
    worths = {rule.id: whole - edges["houseway-421", f"houseway-421 without {rule.id}"] for rule in OURS.rule}
    assert {rule.id: rule.worth for rule in OURS.rule} == {
        rule: f"{float(100 * worth):.4f}" for rule, worth in worths.items()
    }

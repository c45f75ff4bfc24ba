"""What a house way cites for a hand: the row, or the paragraph, that decides it, and no other."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from houseway.cards import parse_cards
from houseway.houseways import compile_way, decide, house_way
from houseway.houseways.document import HouseWay

SIX = compile_way(house_way("pa-670a"))
CALIFORNIA = compile_way(house_way("ca-fpgp"))


@pytest.mark.parametrize(
    ("hand", "law"),
    [
        ("4s 5h 6s 7d 8c Kh", "1.s1 1.s2"),
        ("4s 5h 6s 7d 8c 8h", "1.s1 1.s2 pairrun"),
        ("4s 5h 6s 7d 8c 9s", "2.straight"),
        ("4s 5h 6s 7d 9c Jk", "2.straight jokervalue"),
        ("4s 5h 6s 7d 8c Jk", "2.straight jokerlow"),
        ("4s 6h 7s 8s Td Jk", "1.s1 1.s2 tworuns jokervalue"),
        ("4s 6h 7s 8s Kd Jk", "1.s1 1.s2 jokervalue"),
        ("Ks 9s 7s 4s 2s Qh", "1.s1 1.s2"),
        ("Ks 9s 7s 4s 2s Kh", "1.s1 1.s2 pairrun"),
        ("4s 5s 6s 7s Ks 8h", "3"),
        ("As Ks 9s 7s 4s 2s", "2.flush"),
        ("5s 6s 7s 8s 9s 2h", "1.s1 1.s2"),
        ("4h 5s 6s 7s 8s 9s", "4"),
        ("5s 6s 7s 8s 9s Ks", "5"),
        ("4s 6s 7s 8s Ts Jk", "5 tworuns"),
        ("4s 5s 6s 7s 8s 9s", "2.sf"),
        ("As Ks Qs Js Ts Jk", "2.sf jokerlow"),
        ("As Ks Qs Js Ts 4h", "1.royal"),
        ("8s Ts Js Qs As Jk", "1.royal tworuns"),
        ("Ks Kh 7s 7h 9d 3c", "1.s1 1.s2"),
        ("Ks Kh 7s 7h Jk 3c", "1.s1 1.s2 jokerlow"),
    ],
)
def test_the_dealers_six_cards_cite_the_paragraph_that_decides_them(hand: str, law: str) -> None:
    wanted = tuple(f"pa670a.11.d.{one}" for one in law.split())
    assert decide(SIX, parse_cards(hand)).clauses == wanted


@pytest.mark.parametrize(
    ("hand", "law"),
    [
        ("Qh Qd 2s 2c Ad Kh 7c", "two_pairs.1"),
        ("Jh Jd 5s 5c Ad 8h 3c", "two_pairs.2"),
        ("Jh Jd 5s 5c Kd 8h 3c", "two_pairs.2"),
        ("8h 8d 4s 4c Qd Jh 3c", "two_pairs.3"),
        ("5h 5d 3s 3c Jd 9h 8c", "two_pairs.4"),
        ("9h 9d 8s 8c 7d 6h 5s", "two_pairs.2 sf.two_pairs"),
        ("Ks 8s 7s 4s 2s 8h 7d", "two_pairs.3 sf.two_pairs"),
        ("Kh Kd Ks Kc Ad Qh 9s", "four_kind.1"),
        ("Jh Jd Js Jc Qd 8h 3s", "four_kind.2"),
        ("8h 8d 8s 8c Jd 9h 3s", "four_kind.3"),
        ("5h 5d 5s 5c Jd 9h 3s", "four_kind.4"),
    ],
)
def test_pairs_and_fours_kept_or_split_in_california_cite_their_own_row(hand: str, law: str) -> None:
    wanted = tuple(f"ca.fpgp.houseway.{one}" for one in law.split())
    assert decide(CALIFORNIA, parse_cards(hand)).clauses == wanted


def test_a_rule_cites_nothing_that_it_does_not_rest_on() -> None:
    plain = house_way("pa-670a").model_dump()
    plain["rule"][-1]["cites"] = [{"clauses": ["pa670a.11.d.3"]}]
    with pytest.raises(ValidationError, match="rests on"):
        HouseWay.model_validate(plain)


def test_which_hand_cites_what_changes_no_setting() -> None:
    way = house_way("pa-670a")
    bare = way.model_copy(update={"rule": tuple(rule.model_copy(update={"cites": ()}) for rule in way.rule)})
    assert bare.rules_text() == way.rules_text()
    assert compile_way(bare).code == SIX.code

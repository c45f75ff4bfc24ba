"""Five natural cards in a row and the joker, set by 670a's way under both readings of six:A10."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from houseway.cards import JOKER, RANKS, SUITS, parse_cards, parse_setting
from houseway.houseways import CompiledWay, compile_way, decide, house_way
from houseway.houseways.batch import set_hands
from tests.support.hands import Array, cards_of

RUNS = ("A2345", *(RANKS[low : low + 5] for low in range(9)))
STRAIGHTS, STRAIGHT_FLUSHES = 960, 4
"""Of the 1,024 ways to suit a run so many are straights; with the joker 60 more make a flush or better."""


def program(choice: str) -> CompiledWay:
    return compile_way(house_way("pa-670a"), {"six_natural_run_plus_joker": choice})


def every_run() -> Array:
    """Return every natural run of five cards, with the joker."""
    suited = product(RUNS, product(SUITS, repeat=5))
    hands = [
        sorted(parse_cards(" ".join(map("".join, zip(run, suits, strict=True))))) for run, suits in suited
    ]
    return np.array([[*hand, JOKER] for hand in hands], dtype=np.uint8)


@pytest.mark.parametrize(
    ("cards", "default", "lowest"),
    [
        ("4s 5h 6s 7d 8c Jk", "4s5h6s7d8c / Jk", "4s5h6s7dJk / 8c"),
        ("9s Th Jd Qc Kc Jk", "9sThJdQcKc / Jk", "9sThJdQcJk / Kc"),
        ("Ts Jh Qd Kc As Jk", "TsJhQdKcAs / Jk", "TsJhQdKcJk / As"),
        ("As 2h 3s 4s 5d Jk", "2h3s4s5dAs / Jk", "2h3s4s5dJk / As"),
        ("2s 3h 4s 5d 6c Jk", "2s3h4s5d6c / Jk", "2s3h4s5d6c / Jk"),
        ("3s 4h 5s 6d 7c Jk", "3s4h5s6d7c / Jk", "3s4h5s6dJk / 7c"),
        ("As Ks Qs Js Ts Jk", "TsJsQsKsAs / Jk", "TsJsQsKsJk / As"),
        ("4s 5s 6s 7s 8s Jk", "4s5s6s7s8s / Jk", "4s5s6s7sJk / 8s"),
        ("4s 5s 6s 7s 8h Jk", "4s5s6s7sJk / 8h", "4s5s6s7sJk / 8h"),
        ("4s 5s 6s 7s 9h Jk", "4s5s6s7sJk / 9h", "4s5s6s7sJk / 9h"),
        ("2s 3h 4s 5d 7c Jk", "2s3h4s5dJk / 7c", "2s3h4s5dJk / 7c"),
    ],
)
def test_the_joker_goes_low_or_makes_the_lowest_straight(cards: str, default: str, lowest: str) -> None:
    found = [
        decide(program(choice), parse_cards(cards)).setting
        for choice in ("joker_low_as_ace", "lowest_straight")
    ]
    for setting, expected in zip(found, (default, lowest), strict=True):
        assert [*map(set, setting)] == [*map(set, parse_setting(expected))]


def test_nine_runs_of_ten_are_set_otherwise_and_nothing_else_is() -> None:
    hands = every_run()
    low = [
        set_hands(program(choice), hands).parts(1)[:, 0] for choice in ("joker_low_as_ace", "lowest_straight")
    ]
    otherwise = low[0] != low[1]
    assert int(otherwise.sum()) == 9 * (STRAIGHTS + STRAIGHT_FLUSHES)
    assert set(low[0][otherwise]) == {JOKER}


def test_both_interpreters_set_a_run_and_the_joker_alike() -> None:
    way = program("lowest_straight")
    hands = every_run()[::37]
    found = set_hands(way, hands)
    for row, hand in enumerate(hands):
        plain = decide(way, cards_of(hand))
        assert [list(part) for part in plain.setting] == [
            found.parts(part)[row].tolist() for part in range(2)
        ]
        assert plain.rule == way.rules[found.rules[row]].rule.id

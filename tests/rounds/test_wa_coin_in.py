"""Washington's progressive wagers: sensors, COIN IN, and the chips off the table before the deal."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.money import cents
from houseway.rounds.state import CardOrigin, Phase
from tests.games.support import Changes
from tests.rounds.books import agrees_with_settlement
from tests.rounds.commands import value_of
from tests.rounds.table import DEALER, FLOOR, KEYPAD, money, player
from tests.rounds.washington import WAYS, bets_down, lights, opened, ready, reasons, showing, spot, start

clause = pytest.mark.clause
WITH = {"main": "$10", "progressive": "$1"}
THREE = {spot(1): WITH, spot(3): WITH, spot(4): WITH, spot(2): {"main": "$10"}}
"""Spots 1, 3 and 4 with a progressive wager, spot 2 without."""
LIT = {spot(1), spot(3), spot(4)}
SEVENTY: Changes = {"progressive.contribution": "70%", "progressive.change_reason": "a growing meter"}


@clause("wa.prog.4.sensor")
def test_a_chip_beside_its_sensor_is_no_wager() -> None:
    table = opened().seat((spot(2), spot(3))).bet(spot(3), **WITH)
    at = spot(2)
    (event,) = table.do("wager", player(at), at, wagers=money(**WITH), off_sensor=True)
    assert [alert.clauses for alert in event.alerts] == [("wa.prog.4.sensor",)]
    assert dict(table.state.round.hands[at].wagers) == money(main="$10")
    (booked,) = table.do("coin_in")
    assert value_of(booked, "accepted") == 1 and {p.position for p in value_of(booked, "payments")} == {
        spot(3)
    }
    on = opened().seat((at,))
    assert not on.do("wager", player(at), at, wagers=money(**WITH), off_sensor=False)[0].alerts
    assert value_of(on.do("coin_in")[0], "accepted") == 1


@clause("wa.prog.4.light")
def test_a_sensor_is_lit_while_a_chip_lies_on_it() -> None:
    at = spot(2)
    table = opened().seat((at,)).bet(at, main="$10")
    assert lights(table) == {}
    table.bet(at, **WITH)
    assert lights(table) == {at: "detected"}
    table.bet(at, main="$10")
    assert lights(table) == {}


@clause("wa.prog.5.coin_in")
def test_coin_in_books_each_lit_seat_and_closes_the_progressive() -> None:
    law = "wa.prog.5.coin_in"
    table = bets_down(THREE, changes=SEVENTY).seat((spot(5),))
    for by in (player(spot(1)), FLOOR, KEYPAD):
        table.refused("coin_in", by)
    (event,) = table.do("coin_in")
    assert law in event.clauses and value_of(event, "accepted") == 3
    assert showing(table) == cents("$10,002.10")
    table.refused("coin_in")
    late = spot(5)
    assert law in table.refused("wager", player(late), late, wagers=money(**WITH))
    assert law in table.refused("wager", player(spot(2)), spot(2), wagers=money(**WITH))
    assert law in table.refused("wager", player(spot(1)), spot(1), wagers=money(main="$10"))
    table.bet(late, main="$10").bet(spot(1), **{**WITH, "main": "$20"})
    assert lights(table) == dict.fromkeys(LIT, "accepted")
    assert showing(table) == cents("$10,002.10")
    assert agrees_with_settlement(table.play_on(rounds=1))


@clause("wa.prog.5.lit")
def test_after_coin_in_the_accepted_seats_are_lit_until_game_over() -> None:
    table = bets_down(THREE)
    assert lights(table) == dict.fromkeys(LIT, "detected")
    table.do("coin_in")
    assert lights(table) == dict.fromkeys(LIT, "accepted")
    table.play_on(without=["game_over"])
    assert table.state.phase is Phase.SETTLING and set(lights(table)) == LIT
    table.do("game_over")
    assert lights(table) == {}


@clause("wa.prog.5.remove")
def test_as_many_chips_are_removed_as_wagers_were_accepted() -> None:
    law = "wa.prog.5.remove"
    table = bets_down(THREE)
    table.refused("remove_progressive", chips=3)
    table.do("coin_in")
    for chips in (0, 2, 4):
        assert law in table.refused("remove_progressive", chips=chips)
        assert "floor is called" in reasons(table, "remove_progressive", chips=chips)
    assert law in table.do("remove_progressive", chips=3)[0].clauses
    table.refused("remove_progressive", chips=3)


@clause("wa.prog.6")
@pytest.mark.parametrize("way", WAYS)
def test_the_deal_waits_for_coin_in_and_for_the_chips_to_be_gone(way: str) -> None:
    step = "shake_cup" if way == "dice_cup" else "press_start"
    table = bets_down(THREE, way).play_on(without=["coin_in", step, "press_start"])
    assert "wa.prog.6" in table.refused(step)
    table.do("coin_in")
    assert "wa.prog.6" in table.refused(step)
    table.do("remove_progressive", chips=3)
    start(table).do("deal")
    none = start(ready({spot(2): {"main": "$10"}}, way))
    none.do("deal")
    assert "coin_in" not in none.steps()


BOOKED = {2: {"main": "$10", "progressive": "$1"}, 3: {"main": "$10", "progressive": "$1"}}


@pytest.mark.parametrize(("at", "sides"), [(4, {"progressive": "$1"}), (2, {})], ids=["added", "dropped"])
def test_a_correction_does_not_touch_the_progressive_after_coin_in(at: int, sides: dict[str, str]) -> None:
    table = bets_down({**BOOKED, 4: {"main": "$10"}})
    table.do("coin_in")
    table.refused("wager", player(at), at, wagers=money(main="$10", **sides))
    table.refused("correct_wager", DEALER, at, wagers=money(main="$10", **sides), reason="misread")


def test_a_player_who_leaves_after_coin_in_leaves_his_booked_wager_accounted_for() -> None:
    table = bets_down(BOOKED)
    table.do("coin_in")
    table.do("leave", player(3), 3)
    table.refused("remove_progressive", chips=2)
    table.do("rule_round", FLOOR, ruling="play on", reason="his chips are down")
    table.do("remove_progressive", chips=2)


def test_the_floor_can_rule_when_the_chips_do_not_agree_with_coin_in() -> None:
    table = bets_down(BOOKED)
    table.do("coin_in")
    table.refused("remove_progressive", chips=1)
    ways_out: dict[str, dict[str, Any]] = {
        "stop_round": {"reason": "a chip is missing"},
        "rule_count": {"without": (3,), "reason": "a chip is missing"},
    }
    assert any(not table.problems(step, FLOOR, **how) for step, how in ways_out.items())


def test_wagers_of_somebody_who_left_after_coin_in_are_ruled_about_and_not_written_anew() -> None:
    table = bets_down(BOOKED)
    table.do("coin_in")
    table.do("leave", player(3), 3)
    wagers = table.state.round.hands[3].wagers
    table.refused("wager", DEALER, 3, wagers=dict(wagers))
    table.refused("correct_wager", DEALER, 3, wagers=dict(wagers), reason="he is gone")
    assert table.state.round.hands[3].has("left")


NUMBERED = {"iverify_hwv": "iverify", "iverify": "iverify_nohwv", "led": "led"}
SHOWN = {way: f"wa.fap.{said}.3.random" for way, said in NUMBERED.items()}


@pytest.mark.parametrize(
    ("way", "law"), [pytest.param(*pair, marks=clause(pair[1])) for pair in SHOWN.items()]
)
def test_a_number_that_no_display_shows_is_refused_by_the_clause_that_says_1_to_7(way: str, law: str) -> None:
    table = ready({3: {"main": "$10"}}, way).force(source=CardOrigin.TYPED)
    for number in (0, 8):
        assert table.refused("press_start", number=number) == (law,)
    for number in (1, 7):
        assert not table.problems("press_start", number=number)

"""The keypad of Washington's progressive: a win by its hand button and its key, and Game Over."""

from __future__ import annotations

import pytest

from houseway.ledger import units
from houseway.money import Cents, cents, dollars
from houseway.rounds.state import Phase
from tests.rounds.books import agrees_with_settlement
from tests.rounds.commands import value_of
from tests.rounds.table import DEALER, FLOOR, KEYPAD, player
from tests.rounds.washington import (
    PLAIN_METER,
    SAM,
    SUE,
    WAYS,
    adjust,
    awards,
    claim,
    dealt,
    jackpot,
    lights,
    not_adjusted,
    opened_up,
    payables,
    record,
    showing,
    spot,
    whole,
)

clause = pytest.mark.clause
WITH = {"main": "$10", "progressive": "$1"}


# --- a winner ----------------------------------------------------------------------------------------


@clause("wa.prog.7.percentage")
@pytest.mark.parametrize("way", WAYS)
def test_a_share_of_the_meter_pauses_settlement_for_the_jackpot_procedure(way: str) -> None:
    law = "wa.prog.7.percentage"
    held = "seven_card_straight_flush"
    sides = {"progressive": "$1", "fortune": "$5"}
    table = dealt({4: held, 5: "loser"}, {4: sides, 5: sides}, way).play_on(Phase.SETTLING)
    opened_up(table, 4)
    table.do("settle", at=4, wager="all")
    assert table.state.round.hands[4].settled == {"main", "fortune"}
    assert law in table.refused("settle", at=4, wager="progressive")
    for step, at in (("reveal", 5), ("rack", 4), ("game_over", None)):
        table.refused(step, at=at)
    table.refused("settle", at=5, wager="main")
    assert showing(table) == cents("$10,000.48")
    fixed = opened_up(dealt({4: "quads"}, {4: sides}, way).play_on(Phase.SETTLING), 4)
    fixed.do("settle", at=4, wager="all")
    assert "progressive" in fixed.state.round.hands[4].settled
    record(claim(table, hand=held))
    table.play_on(rounds=1)
    assert whole(table) and agrees_with_settlement(table)


@clause("wa.prog.8.d")
def test_the_dealer_presses_the_button_of_the_winning_hand() -> None:
    for held in ("straight_flush", "five_aces"):
        table = dealt({4: held, 5: "Jc 9h 7h 6c 5h 3c 2h"}, {4: {"progressive": "$1"}}).play_on(
            Phase.SETTLING
        )
        opened_up(table, 4)
        for by in (player(4), FLOOR, KEYPAD):
            table.refused("press_hand", by, 4, hand=held)
        table.refused("press_hand", at=5, hand=held)  # no progressive wager there
        table.refused("press_hand", at=6, hand=held)  # nobody plays there
        (event,) = table.do("press_hand", at=4, hand=held)
        assert "wa.prog.8.d" in event.clauses
        assert table.state.round.hands[4].claim == held
        table.refused("game_over")


@clause("wa.prog.8.d.toggle")
def test_the_same_button_again_takes_the_press_back_and_both_are_on_record() -> None:
    table = jackpot()
    for presses in (1, 2, 3):
        (event,) = table.do("press_hand", at=4, hand="five_aces")
        assert "wa.prog.8.d.toggle" in event.clauses
        assert table.state.round.hands[4].claim == ("five_aces" if presses % 2 else None)
        assert table.steps().count("press_hand") == presses
    table.do("acknowledge_claim", SAM, 4)
    table.do("verify_jackpot", SAM, 4)
    table.do("press_hand", at=4, hand="five_aces")
    table.do("turn_key", SAM, to="JPH")
    table.refused("press_jpot", SAM, 4)
    table.refused("acknowledge_claim", SAM, 4)
    table.do("press_hand", at=4, hand="seven_card_straight_flush")
    table.do("press_hand", at=4, hand="five_aces")  # another button replaces the claim
    assert table.state.round.hands[4].claim == "five_aces"
    table.refused("press_jpot", SAM, 4)  # and asks for the supervisor anew
    table.play_on(rounds=1)
    assert table.state.last is not None and len(table.state.last.wins) == 1 and whole(table)


@clause("wa.prog.8.e")
def test_no_win_is_recorded_before_a_supervisor_has_come() -> None:
    table = jackpot()
    table.refused("acknowledge_claim", SAM, 4)  # nothing is claimed
    table.do("press_hand", at=4, hand="five_aces")
    table.do("verify_jackpot", SAM, 4)
    table.do("turn_key", SAM, to="JPH")
    assert "wa.prog.8.e" in table.refused("press_jpot", SAM, 4)
    for by in (DEALER, player(4), KEYPAD):
        table.refused("acknowledge_claim", by, 4)
    (event,) = table.do("acknowledge_claim", SUE, 4)
    assert "wa.prog.8.e" in event.clauses and event.by == SUE
    table.do("press_jpot", SAM, 4)


@clause("wa.prog.8.f.verify")
def test_a_win_is_verified_against_the_cards_before_it_is_recorded() -> None:
    law = "wa.prog.8.f.verify"
    table = jackpot()
    for wrong in ("seven_card_straight_flush", "royal_flush", "four_of_a_kind"):
        table.do("press_hand", at=4, hand=wrong)
        assert law in table.refused("verify_jackpot", SAM, 4)
    table.do("press_hand", at=4, hand="five_aces")
    table.do("acknowledge_claim", SAM, 4)
    table.do("turn_key", SAM, to="JPH")
    assert law in table.refused("press_jpot", SAM, 4)
    for by in (DEALER, player(4), KEYPAD):
        table.refused("verify_jackpot", by, 4)
    (event,) = table.later(minutes=3).do("verify_jackpot", SUE, 4)
    assert law in event.clauses and (event.by, event.at) == (SUE, table.now)
    assert (
        value_of(event, "line") == "five_aces"
        and value_of(event, "cards") == table.state.round.hands[4].cards
    )
    table.do("press_jpot", SAM, 4)


@clause("wa.prog.8.f.key")
def test_jpot_works_only_with_the_key_at_jph() -> None:
    law = "wa.prog.8.f.key"
    table = claim(jackpot())
    assert law in table.refused("press_jpot", SAM, 4)
    for by in (DEALER, player(4), KEYPAD):
        table.refused("turn_key", by, to="JPH")
        table.refused("press_jpot", by, 4)
    table.refused("turn_key", SAM, to="OFF")
    table.do("turn_key", SAM, to="JPH")
    table.do("turn_key", SUE, to="RUN")
    assert law in table.refused("press_jpot", SAM, 4)
    table.do("turn_key", SUE, to="JPH")
    table.do("press_jpot", SAM, 4)


@clause("wa.prog.8.f.record", "wa.prog.8.f.monitor")
@pytest.mark.parametrize(
    ("held", "share", "shown"),
    [("five_aces", "$1,000", "$1,000"), ("seven_card_straight_flush", "$10,000", "$10,000")],
)
def test_jpot_records_the_win_once_and_the_monitor_shows_the_prize(held: str, share: str, shown: str) -> None:
    table = claim(jackpot({4: held}, PLAIN_METER), hand=held)
    event = record(table.later(minutes=5))
    assert {"wa.prog.8.f.record", "wa.prog.8.f.monitor"} <= set(event.clauses)
    assert dollars(event.outcome.win.amount) == shown
    (win,) = table.state.round.wins
    assert (win.position, win.person, win.hand, win.amount) == (4, "Cleo", held, cents(share))
    assert (win.meter_before, win.supervisor, win.at) == (cents("$10,000"), "Sam", table.now)
    assert showing(table) == cents("$10,000") and not awards(table.state.round.payments)
    for by in (SAM, SUE):
        table.refused("press_jpot", by, 4)
    assert table.state.round.wins == (win,)


@clause("wa.prog.8.f.house_pay")
def test_a_win_recorded_and_not_yet_paid_is_an_open_payable() -> None:
    table = claim(jackpot())
    assert payables(table) == []
    table.refused("pay_jackpot", SAM, 4, reference="too early")
    record(table)
    assert [win.position for win in payables(table)] == [4]
    table.do("turn_key", SAM, to="RUN")
    assert [win.position for win in payables(table)] == [4]
    table.refused("rack", at=4)
    table.refused("pay_jackpot", DEALER, 4, reference="HP-1")
    (event,) = table.do("pay_jackpot", SUE, 4, reference="HP-1")
    assert "wa.prog.8.f.house_pay" in event.clauses
    assert payables(table) == [] and table.state.round.wins[0].paid == "HP-1"
    table.refused("pay_jackpot", SUE, 4, reference="HP-2")
    assert whole(table.play_on(rounds=1))


@clause("wa.prog.8.f.print")
def test_the_win_page_says_what_was_recorded() -> None:
    table = claim(jackpot())
    table.refused("print_win", SAM, 4)
    record(table.later(hours=1))
    (win,) = table.state.round.wins
    pages = []
    for after in ((), ("RUN",)):
        for to in after:
            table.later(minutes=1).do("turn_key", SAM, to=to)
        (event,) = table.do("print_win", SUE, 4)
        assert "wa.prog.8.f.print" in event.clauses
        pages.append(value_of(event, "page"))
    assert len(set(pages)) == 1
    for said in ("position 4", "Cleo", "five aces", "$1,000.02", "$10,000.24", win.at.isoformat(), "Sam"):
        assert said in pages[0]


@clause("wa.prog.8.g.run")
def test_game_over_waits_for_the_key_at_run_which_moves_the_meter_once() -> None:
    law = "wa.prog.8.g.run"
    table = claim(jackpot(changes=PLAIN_METER))
    record(table)
    assert law in table.refused("game_over")
    (event,) = table.do("turn_key", SAM, to="RUN")
    assert law in event.clauses and showing(table) == cents("$9,000")
    for to in ("RUN", "JPH", "RUN"):
        assert not value_of(table.do("turn_key", SUE, to=to)[0], "payments")
        assert showing(table) == cents("$9,000")
    (award,) = awards(table.state.round.payments)
    assert award.units == units(table.state.round.wins[0].amount)
    table.do("turn_key", SUE, to="JPH")
    assert law in table.refused("game_over")
    table.do("turn_key", SUE, to="RUN")
    table.do("game_over")
    assert whole(table.play_on(rounds=1))


@clause("wa.prog.8.h")
def test_game_over_comes_when_every_seat_is_settled_and_resets_the_sensors() -> None:
    law = "wa.prog.8.h"
    hands = {spot(6): "loser", spot(2): "two_pair"}
    table = dealt(hands, {at: {"progressive": "$1"} for at in hands}).play_on(Phase.SETTLING)
    for at in sorted(hands):
        assert law in table.refused("game_over")
        opened_up(table, at)
        assert law in table.refused("game_over")
        table.do("settle", at=at, wager="progressive")
        table.do("rack", at=at)
    for by in (SAM, player(2), KEYPAD):
        table.refused("game_over", by)
    table.play_on(without=["game_over"]).refused("close_round")
    assert set(lights(table)) == set(hands)
    (event,) = table.do("game_over")
    assert law in event.clauses and lights(table) == {}
    table.refused("game_over")
    table.play_on(rounds=1)
    table.bet(spot(6), **WITH)
    assert lights(table) == {spot(6): "detected"}


@clause("wa.prog.8.i")
def test_a_recorded_win_is_taken_back_only_by_a_manual_adjustment() -> None:
    law = "wa.prog.8.i"
    table = claim(jackpot(changes=PLAIN_METER))
    record(table)
    for hand in ("five_aces", "royal_flush"):
        assert law in table.refused("press_hand", at=4, hand=hand)
    table.do("turn_key", SAM, to="RUN")
    back = cents("$1,000")
    said = {"reason": "the joker was a seven", "win": 4}
    assert law in not_adjusted(table, back, SAM, second="Sue", reason=" ", win=4)
    for second in ("", "Sam", " sam "):
        assert law in not_adjusted(table, back, SAM, second=second, **said)
    for by in (DEALER, player(4), KEYPAD):
        not_adjusted(table, back, by, second="Sue", **said)
    not_adjusted(table, Cents(-cents("$9,000.01")), SAM, second="Sue", **said)
    event = adjust(table, back, SAM, second="Sue", **said)
    assert law in event.clauses and showing(table) == cents("$10,000")
    (payment,) = value_of(event, "payments")
    assert all(word in payment.reason for word in ("Sam", "Sue", "joker")) and value_of(event, "win") == 4
    assert [win.position for win in table.state.round.wins] == [4]
    assert len(awards(table.state.round.payments)) == 1
    table.play_on(rounds=1)
    assert table.state.last is not None and len(table.state.last.wins) == 1


def test_a_button_pressed_for_a_fixed_award_does_not_keep_the_round_from_ending() -> None:
    table = dealt({4: "straight_flush"}, {4: {"progressive": "$1"}}).play_on(Phase.SETTLING)
    table.do("press_hand", at=4, hand="straight_flush")
    table.play_on(rounds=1)
    assert table.state.rounds == 1


def test_only_a_hand_of_the_posted_paytable_has_a_button() -> None:
    jackpot().refused("press_hand", at=4, hand="banana")


def test_what_the_key_pays_is_what_jpot_recorded() -> None:
    table = claim(jackpot(changes=PLAIN_METER))
    record(table)
    not_adjusted(table, cents("$5,000"), SAM, second="Sue", reason="a drop was missed")
    table.do("turn_key", SAM, to="RUN")
    (award,) = awards(table.state.round.payments)
    assert award.units == units(table.state.round.wins[0].amount) == units(cents("$1,000"))


def test_the_table_stands_still_until_the_key_is_back_at_run() -> None:
    table = dealt({4: "loser"}, {4: {"progressive": "$1"}}).play_on(without=["close_round"])
    table.do("turn_key", SAM, to="JPH")
    if not table.problems("close_round"):
        table.do("close_round")
        table.bet(4, main="$10").play_on(without=["press_start"]).refused("press_start")


def test_an_adjustment_names_a_win_that_was_recorded() -> None:
    table = claim(jackpot())
    record(table)
    not_adjusted(table, cents("$1,000"), SAM, second="Sue", reason="wrong seat", win=7)


def test_a_manual_adjustment_outlives_a_void_round() -> None:
    table = claim(jackpot(changes=PLAIN_METER))
    record(table)
    table.do("turn_key", SAM, to="RUN")
    adjust(table, cents("$250"), SAM, second="Sue", reason="a drop was missed")
    table.do("stop_round", SAM, reason="a card too many")
    table.do("rule_round", SAM, ruling="void", reason="a card too many")
    assert showing(table) == cents("$10,250")

"""What the state machines and the driver met that was amiss, each as a test of how it should be."""

from __future__ import annotations

import json
from typing import Any

import pytest

from houseway.games import game
from houseway.money import Cents, cents
from houseway.rounds.live import due_moves
from houseway.rounds.record import Record, parse_record, write_record
from houseway.rounds.replay import difference
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from tests.games.support import Changes
from tests.rounds.books import fitted, recorded, void_event
from tests.rounds.commands import NamedStep, proposed
from tests.rounds.pennsylvania import GAMES, HANDS, house_way
from tests.rounds.pennsylvania import dealt as dealt_in_pennsylvania
from tests.rounds.play.chance import WITHOUT_PROGRESSIVE
from tests.rounds.play.watch import PACK
from tests.rounds.table import DEALER, FLOOR, MANUAL, TestTable, money, player, setting
from tests.rounds.washington import (
    SAM,
    WAYS,
    adjust,
    bets_down,
    dealt,
    looked,
    screen,
    set_own,
    showing,
    whole,
)

BOTH = {"main": "$10", "progressive": "$1"}
TWO = {2: BOTH, 3: BOTH}


def record_of(table: TestTable) -> Record:
    """Return the record of the round that ended last: it reads back, and replays without a difference."""
    assert table.live.record is not None
    return recorded(table.live.record)


def last_turn(record: Record) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a record as plain data, and the last turn in it."""
    data: dict[str, Any] = json.loads(write_record(record))
    return data, data["turns"][-1]


def voided(table: TestTable) -> None:
    """Stop the round, and let the floor rule it void."""
    table.do("stop_round", reason="something is wrong")
    table.do("rule_round", FLOOR, ruling="void", reason="nothing else is fair")


# --- the keypad ---------------------------------------------------------------------------------------


def test_a_booked_wager_stays_booked_whatever_is_said_of_its_chip() -> None:
    table = bets_down(TWO)
    table.do("coin_in")
    command = NamedStep("wager", player(3), 3, {"wagers": money(**BOTH), "off_sensor": True})
    if table.live.may(proposed(command, table.rules)):
        table.do(command.step, command.by, command.position, **command.details)
    assert table.state.round.hands[3].amount("progressive") == cents("$1")
    table.play_on(rounds=1)
    record_of(table)
    assert whole(table)


def test_a_void_round_moves_nothing_for_a_wager_that_was_ruled_out() -> None:
    table = bets_down(TWO)
    table.do("coin_in")
    table.do("rule_count", FLOOR, without=(3,), reason="no chip lies there")
    table.play_on(Phase.SETTING)
    voided(table)
    void_event(table)


def test_a_hand_button_is_refused_where_no_keypad_is() -> None:
    table = dealt({4: "loser"}, changes=WITHOUT_PROGRESSIVE).play_on(Phase.SETTLING)
    table.refused("press_hand", at=4, hand="five_aces")


def test_what_a_round_put_in_stays_in_the_meter_until_it_is_over() -> None:
    changes: Changes = {"readings.wa_meter_adjusted_down": "to_nothing"}
    table = dealt({4: "loser"}, {4: {"progressive": "$1"}}, changes=changes).play_on(without=["game_over"])
    table.refused("adjust_meter", SAM, amount=Cents(-showing(table)), second="Sue", reason="counted again")
    voided(table)
    adjust(table, Cents(-showing(table)), SAM, second="Sue", reason="counted again")
    assert showing(table) == 0


def test_with_the_key_at_jph_the_table_stands_still() -> None:
    table = dealt({4: "loser"}, {4: {"progressive": "$1"}}).play_on(Phase.SETTLING)
    table.do("turn_key", SAM, to="JPH")
    assert "wa.prog.8.g.run" in table.refused("reveal", at=4)


# --- rounds that end early ----------------------------------------------------------------------------


def test_after_a_round_void_before_its_start_the_rack_holds_one_deck() -> None:
    table = dealt({4: "loser"}).play_on(rounds=1)
    table.bet(4, main="$10")
    voided(table)
    table.bet(4, main="$10").play_on(rounds=1)
    assert table.state.rounds == 3
    assert sum(racked.count for racked in table.state.rack) == PACK


def test_after_a_round_void_before_its_start_another_can_be_played() -> None:
    table = bets_down({4: {"main": "$10"}}).play_on(without=["press_start"])
    voided(table)
    table.bet(4, main="$10").play_on(rounds=1)
    assert table.state.rounds == 2 and table.state.last is not None and table.state.last.void is None


@pytest.mark.parametrize("game", GAMES.values())
def test_a_round_that_ends_with_its_last_hand_voided_replays_from_its_record(game: str) -> None:
    table = dealt_in_pennsylvania(game, {4: "loser"})
    table.do("expose_card", at=4)
    table.do("choose_hand", player(4), 4, choice="void")
    assert table.state.last is not None
    record_of(table)


@pytest.mark.parametrize("game", GAMES.values())
def test_a_round_whose_last_hand_is_voided_while_cards_are_dealt_replays_from_its_record(game: str) -> None:
    table = TestTable(game, MANUAL).starting(2, main="$10").play_on(without=["deal"])
    table.do("deal", cards=9)
    table.do("expose_card", at=2)
    events = table.do("choose_hand", player(2), 2, choice="void")
    assert events[-1].step == "end_round"
    assert table.state.last is not None and not table.state.last.dealer_cards
    data, turn = last_turn(record_of(table))
    for told in (turn["command"], turn["events"][0]):
        told["action"]["choice"] = "play"  # and the round goes on: the dealer has no cards yet
    found = difference(parse_record(fitted(data)))
    assert found is not None and "choose_hand: 1 events come of it, and 2 are recorded" in found


@pytest.mark.parametrize("game", GAMES.values())
def test_a_round_void_before_a_wrong_dealers_hand_is_reset_replays_from_its_record(game: str) -> None:
    table = dealt_in_pennsylvania(game, {4: "loser"}).play_on(Phase.DEALER)
    cards = HANDS[game]["dealer"].split()
    wrong = "3d2c7c8d / QsQh / 8h" if len(cards) == 7 else "QsQh8hJd4c / 6s"
    table.do("set_dealer", setting=setting(wrong))
    size = table.state.rules.game.hand_cards
    table.do("count_hands", counts={**dict.fromkeys(range(1, 8), size), 4: size + 1})
    assert table.state.last is not None and table.state.last.void is not None
    record_of(table)


def test_a_round_void_when_the_last_wager_was_taken_back_replays_from_its_record() -> None:
    table = bets_down({3: {"main": "$10"}})
    table.do("wager", player(3), 3, wagers={})
    assert not table.state.round.hands
    voided(table)
    assert table.state.last is not None and not table.state.last.hands
    data, turn = last_turn(record_of(table))
    turn["events"][-1] |= {"action": {"step": "end_round"}, "outcome": {"kind": "round_ended"}}
    found = difference(parse_record(fitted(data)))  # nobody has a hand, and the round is not void
    assert found is not None and "void_round is decided, end_round is recorded" in found


# --- the table and its people -------------------------------------------------------------------------


def test_with_two_decks_the_rack_holds_the_cards_of_one() -> None:
    table = dealt({4: "loser"}, changes={"table.decks": 2}).play_on(rounds=1)
    table.bet(4, main="$10").play_on(rounds=1, without=["shuffle"])
    assert sum(racked.count for racked in table.state.rack) == PACK


def test_a_deck_to_be_cut_again_is_the_dealers_to_cut_when_the_cutter_has_left() -> None:
    table = TestTable("pa-670a", MANUAL).opened().seat((2, 3)).bet(3, main="$25")
    table.play_on(without=["no_more_bets"])
    assert table.last("cut").position == 2
    table.do("leave", player(2), 2)
    table.play_on(without=["deal"]).do("recut", FLOOR, deck="A", reason="badly cut")
    assert table.play_on(rounds=1).state.rounds == 1


@pytest.mark.parametrize("way", ["led", "dice_cup"])
def test_what_a_table_does_not_have_nobody_attests(way: str) -> None:
    changes: Changes = {**WAYS[way], **WITHOUT_PROGRESSIVE}
    table = TestTable("wa-fap", changes).play_on(without=["open_table"])
    table.do("open_table", FLOOR, checklist=())


STEPS_OF = {"iverify_hwv": "iverify.", "iverify": "iverify_nohwv.", "led": "led.", "dice_cup": "dice."}
"""How the clauses of each procedure begin, after ``wa.fap.``."""


@pytest.mark.parametrize("way", WAYS)
def test_a_round_is_recorded_by_the_procedure_that_the_table_follows(way: str) -> None:
    assert len(game("wa-fap").paytables_of("main")[0].line("win").clauses) == len(WAYS)  # and kept so
    table = dealt({4: "winner", 5: "loser"}, {4: {"fortune": "$5"}}, way).play_on(rounds=1)
    others = tuple(f"wa.fap.{begins}" for other, begins in STEPS_OF.items() if other != way)
    cited = {clause for event in table.log for clause in event.clauses}
    assert sorted(clause for clause in cited if clause.startswith(others)) == []


def test_nobody_who_left_is_asked_to_set_his_hand() -> None:
    table = looked({4: "loser", 5: "two_pair"}, way="led")
    table.do("leave", player(4), 4)
    table.do("rule_round", FLOOR, ruling="play on", reason="the dealer sets his hand")
    due = [command for command in due_moves(table.rules, table.live.table) if table.live.may(command)]
    assert {command.by.role for command in due if command.position == 4} == {Role.DEALER}


STRICT: Changes = {"readings.wa_house_way_requests": "strict"}


def test_by_hand_or_by_display_who_asked_gets_the_house_way() -> None:
    table = looked({4: "loser", 5: "two_pair"}, changes=STRICT)
    for at in (4, 5):
        table.do("ask_help", player(at), at)
    table.refused("set", DEALER, 4, setting=setting("Jc9d7h6c / 5h3c / 2h"))


def test_the_display_is_left_before_the_dealers_cards_are_turned_over() -> None:
    table = set_own(looked({4: "loser", 5: "two_pair"}, changes=STRICT), 5)
    table.do("ask_help", player(4), 4)
    table.do("show_player_way", at=4)
    how = {"setting": house_way(table, 4)}
    if not table.problems("set", DEALER, 4, **how):
        table.do("set", DEALER, 4, **how)
        table.do("turn_over")
    else:
        table.do("exit_display")
    assert screen(table) == "DEALER HOUSE WAY"

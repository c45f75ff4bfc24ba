"""A table of real cards: what the dealer keys in, puts right before confirming, and plays to the end."""

from __future__ import annotations

import pytest

from houseway.cards import parse_cards
from houseway.money import cents
from houseway.rounds.deciding import suggestions
from houseway.rounds.state import CardOrigin, Phase
from tests.rounds.books import agrees_with_settlement, gained
from tests.rounds.commands import value_of
from tests.rounds.pennsylvania import Bets, entered_at_the_table
from tests.rounds.table import DEALER, TestTable, money, player, setting

GAMES = ["pa-575", "pa-659a", "pa-670a"]
SEVEN = {1: "QsQh3d2c / 8h8d / 7c", 2: "Jc4h3s2h / 9s6c / 8c", 4: "AsAh6h5d / JdJh / Kc"}
SIX = {1: "QsQh8h6s4c / Jd", 2: "Th7c4h3d2s / 9d", 4: "AsAh9c6h3h / Kd"}
SET = {"pa-575": SEVEN, "pa-659a": SEVEN, "pa-670a": SIX}
EVERYTHING: dict[str, dict[str, str]] = {
    "pa-575": {"bonus": "$5"},
    "pa-659a": {"fortune": "$5", "insurance": "$5", "progressive": "$1"},
    "pa-670a": {"fortune": "$5", "insurance": "$5", "progressive": "$1"},
}


def enter(table: TestTable, at: int, how: str) -> TestTable:
    """Key a hand in and confirm it."""
    table.do("enter_hand", at=at, setting=setting(how))
    table.do("confirm_entry", at=at)
    return table


def to_players(game: str, bets: Bets) -> TestTable:
    """Play a round of real cards to the moment the players' hands are to be opened."""
    return enter(entered_at_the_table(game, bets), 1, SET[game][1]).play_on(Phase.SETTLING)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_round_of_real_cards_is_played_to_its_end(game: str) -> None:
    table = entered_at_the_table(game, {2: EVERYTHING[game], 4: EVERYTHING[game]})
    assert table.state.round.dealer_cards == ()
    assert all(hand.cards == () and hand.setting is None for hand in table.state.round.hands.values())
    table.refused("set_dealer")
    enter(table, 1, SET[game][1]).play_on(Phase.SETTLING)
    for at in (2, 4):
        table.refused("reveal", at=at)
        enter(table, at, SET[game][at])
        table.play_on(without=["close_round"])
    assert table.sees(player(2), 4) == tuple(c for part in setting(SET[game][4]) for c in part)
    table.do("close_round")
    assert table.state.rounds == 1 and agrees_with_settlement(table)
    racked = {one.position: one.setting for one in table.state.rack if one.setting}
    assert racked == {at: setting(how) for at, how in SET[game].items()}
    jack_or_ten_high = {"pa-575": "$0", "pa-659a": "$55", "pa-670a": "$55"}[game]
    assert gained(table, 2) == cents(jack_or_ten_high)
    assert gained(table, 4) == cents("$20")


def test_670a_a_doubled_hand_of_real_cards_is_settled_with_its_double_down() -> None:
    table = TestTable("pa-670a", source=CardOrigin.TYPED).opened().seat([2]).bet(2, main="$10")
    table.play_on(without=["draw_number", "deal"])
    table.do("draw_number", number=1)
    table.play_on(without=["count_stub"])
    table.do("count_stub", left=11)
    table.play_on(without=["turn_over"])
    table.refused("ask_help", player(2), 2)
    table.do("double_down", player(2), 2)
    table.do("turn_over")
    enter(table, 1, SIX[1]).play_on(Phase.SETTLING)
    enter(table, 2, SIX[4]).play_on(rounds=1)
    assert gained(table, 2) == cents("$40") and agrees_with_settlement(table)


@pytest.mark.parametrize("game", GAMES)
def test_no_card_is_keyed_in_before_it_lies_open(game: str) -> None:
    table = entered_at_the_table(game, {2: {}, 4: {}})
    table.refused("enter_hand", at=2, setting=setting(SET[game][2]))
    enter(table, 1, SET[game][1]).play_on(Phase.SETTLING)
    table.refused("enter_hand", at=3, setting=setting(SET[game][2]))
    table.refused("enter_hand", at=1, setting=setting(SET[game][2]))
    table.do("enter_hand", at=2, setting=setting(SET[game][2]))


@pytest.mark.parametrize("game", GAMES)
def test_the_dealers_cards_are_due_to_be_keyed_in_first_then_each_hand_in_its_turn(game: str) -> None:
    table = entered_at_the_table(game, {2: {}, 4: {}})
    for at in (1, 2, 4):
        due = suggestions(table.rules, table.live.table, {"enter_hand"})
        assert [move.position for move in due] == [at]
        enter(table, at, SET[game][at]).play_on(without=["close_round"])


@pytest.mark.parametrize("game", GAMES)
def test_a_table_whose_cards_are_known_takes_no_entry(game: str) -> None:
    table = TestTable(game).setting(2, main="$10").play_on(Phase.DEALER)
    table.refused("enter_hand", at=1, setting=setting(SET[game][1]))


@pytest.mark.parametrize("game", GAMES)
def test_a_miskeyed_card_is_put_right_before_it_is_confirmed_and_both_stay_on_record(game: str) -> None:
    table = to_players(game, {2: {}, 4: {}})
    right, other = setting(SET[game][2]), parse_cards("Kh")[0]
    wrong = ((other, *right[0][1:]), *right[1:])
    table.refused("correct_entry", at=2, setting=right, reason="nothing was keyed in")
    table.refused("confirm_entry", at=2)
    table.do("enter_hand", at=2, setting=wrong)
    table.refused("enter_hand", at=2, setting=right)
    table.refused("correct_entry", at=2, setting=right)
    table.refused("reveal", at=2)
    table.do("correct_entry", at=2, setting=right, reason="a king for a lower card")
    table.do("confirm_entry", at=2)
    entries = [(e.step, value_of(e, "setting")) for e in table.log if e.position == 2 and "entry" in e.step]
    first = next(e for e in table.log if e.step == "enter_hand" and e.position == 2)
    assert value_of(first, "setting") == wrong
    assert entries[0] == ("correct_entry", right)
    assert value_of(table.last("correct_entry"), "reason") == "a king for a lower card"
    assert table.state.round.hands[2].setting == right
    for again in (wrong, right):
        table.refused("correct_entry", at=2, setting=again, reason="too late")
        table.refused("enter_hand", at=2, setting=again)
    table.play_on(without=["enter_hand"])
    enter(table, 4, SET[game][4]).play_on(rounds=1)
    assert agrees_with_settlement(table)


@pytest.mark.parametrize("game", GAMES)
def test_the_dealers_miskeyed_card_is_put_right_before_it_is_confirmed(game: str) -> None:
    table = entered_at_the_table(game, {2: {}, 4: {}})
    right, other = setting(SET[game][1]), parse_cards("Kh")[0]
    table.do("enter_hand", at=1, setting=((other, *right[0][1:]), *right[1:]))
    table.refused("set_dealer")
    table.do("correct_entry", at=1, setting=right, reason="a king for a queen")
    table.do("confirm_entry", at=1)
    table.do("set_dealer")
    assert table.state.round.dealer_setting is not None
    assert [set(part) for part in table.state.round.dealer_setting] == [set(part) for part in right]


@pytest.mark.parametrize("game", GAMES)
def test_a_card_keyed_in_twice_is_refused(game: str) -> None:
    table = to_players(game, {2: {}, 4: {}})
    right = setting(SET[game][2])
    twice = ((right[0][1], *right[0][1:]), *right[1:])
    dealers = ((setting(SET[game][1])[0][0], *right[0][1:]), *right[1:])
    short = (right[0][1:], *right[1:])
    for wrong in (twice, dealers, short):
        table.refused("enter_hand", at=2, setting=wrong)
    table.do("enter_hand", at=2, setting=right)
    for wrong in (twice, dealers, short):
        table.refused("correct_entry", at=2, setting=wrong, reason="no")
    table.do("confirm_entry", at=2)
    four = setting(SET[game][4])
    table.play_on(without=["enter_hand"])
    table.refused("enter_hand", at=4, setting=((right[0][0], *four[0][1:]), *four[1:]))
    table.do("enter_hand", at=4, setting=four)


@pytest.mark.parametrize("game", GAMES)
def test_a_miskeyed_chip_is_put_right_before_no_more_bets(game: str) -> None:
    table = TestTable(game, source=CardOrigin.TYPED).opened().seat([2, 4])
    table.refused("correct_wager", at=2, wagers=money(main="$10"), reason="nothing was keyed in")
    table.do("wager", DEALER, 2, wagers=money(main="$100"))
    table.refused("correct_wager", player(2), 2, wagers=money(main="$10"), reason="a player's wish")
    table.refused("correct_wager", at=2, wagers=money(main="$10"))
    table.do("correct_wager", at=2, wagers=money(main="$10"), reason="one chip, not ten")
    assert table.state.round.hands[2].wagers == money(main="$10")
    keyed = [value_of(e, "wagers") for e in table.log if e.position == 2 and "wager" in e.step]
    assert keyed == [money(main="$100"), money(main="$10")]
    table.play_on(Phase.STARTING)
    law = game.replace("-", "") + ".7.c.s2"
    assert law in table.refused("correct_wager", at=2, wagers=money(main="$100"), reason="too late")
    assert table.state.round.hands[2].wagers == money(main="$10")


@pytest.mark.parametrize(
    ("game", "wrong"),
    [("pa-575", "QsQh8d8h / 7c3d / 2c"), ("pa-659a", "QsQh8d8h / 7c3d / 2c"), ("pa-670a", "QsJd8h6s4c / Qh")],
)
def test_a_wrong_dealers_hand_of_real_cards_is_reset_and_settled_again(game: str, wrong: str) -> None:
    table = enter(entered_at_the_table(game, {2: {}, 4: {}}), 1, SET[game][1])
    table.do("set_dealer", setting=setting(wrong))
    enter(table, 2, SET[game][2]).play_on(without=["reset_dealer"])
    table.do("reset_dealer")
    enter(table, 4, SET[game][4]).play_on(rounds=1)
    assert gained(table, 2) == 0 and gained(table, 4) == cents("$20")
    assert agrees_with_settlement(table)


@pytest.mark.parametrize("game", ["pa-575", "pa-659a"])
def test_a_surrendered_hand_of_real_cards_is_never_keyed_in(game: str) -> None:
    table = to_players(game, {2: {}, 4: {}})
    table.do("surrender", player(4), 4)
    enter(table, 2, SET[game][2]).play_on(rounds=1)
    assert table.state.last is not None and table.state.last.hands[4].cards == ()
    assert gained(table, 4) == 0 and agrees_with_settlement(table)


def test_659a_a_surrendered_hand_kept_for_envy_is_keyed_in_before_it_is_rearranged() -> None:
    table = to_players("pa-659a", {2: {"fortune": "$5"}, 4: {}})
    table.do("surrender", player(4), 4)
    enter(table, 2, SEVEN[2]).play_on(rounds=1)
    assert "pay_envy" not in table.steps()
    enter(table, 4, SEVEN[4]).play_on(rounds=1)
    assert table.state.rounds == 1


@pytest.mark.parametrize("game", GAMES)
def test_a_card_keyed_in_for_two_hands_is_refused_before_either_is_confirmed(game: str) -> None:
    table = to_players(game, {2: {}, 4: {}})
    two, four = setting(SET[game][2]), setting(SET[game][4])
    table.do("enter_hand", at=2, setting=two)
    table.refused("enter_hand", at=4, setting=((two[0][0], *four[0][1:]), *four[1:]))


def test_670a_a_hand_keyed_in_with_two_low_cards_is_refused() -> None:
    table = to_players("pa-670a", {2: {}})
    assert "pa670a.11.b.s1" in table.refused("enter_hand", at=2, setting=setting("Th7c4h3d / 2s9d"))


@pytest.mark.parametrize("game", GAMES)
def test_the_dealers_cards_once_confirmed_are_not_keyed_in_again(game: str) -> None:
    table = enter(entered_at_the_table(game, {4: {}}), 1, SET[game][1])
    table.refused("enter_hand", at=1, setting=setting(SET[game][2]))

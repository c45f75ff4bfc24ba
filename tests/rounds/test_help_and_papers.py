"""What the dealer does for players: the house way and their wagers; and papers that say something."""

from __future__ import annotations

import pytest

from houseway.money import cents
from houseway.ranking import Setting
from houseway.rounds.state import CardOrigin
from tests.games.support import Changes
from tests.rounds import washington
from tests.rounds.books import gained
from tests.rounds.pennsylvania import entered_at_the_table, house_way, looked
from tests.rounds.table import DEALER, FLOOR, TestTable, by_chapter, money, player, setting
from tests.rounds.test_progressive_wins import checked, due
from tests.rounds.test_typed_entry import GAMES, SET, enter, to_players
from tests.rounds.washington import SAM

clause = pytest.mark.clause
SAYS_NOTHING = ("", " ", " - ", "...")
PLAYERS_ONLY: Changes = {"readings.dealer_enters_wagers": "players_only"}


def otherwise(setting: Setting) -> Setting:
    """Return a setting with the first card of the highest hand and the last of the lowest changed round."""
    return ((setting[-1][-1], *setting[0][1:]), *setting[1:-1], (*setting[-1][:-1], setting[0][0]))


# --- the house way for a player -----------------------------------------------------------------------


@by_chapter(pa575="pa575.11.a.1.s2", pa659a="pa659a.11.a.1.s2", pa670a="pa670a.11.a.1.s3")
def test_what_the_dealer_sets_for_a_player_who_asked_is_the_house_way(game: str, law: str) -> None:
    table = looked(game, {2: "winner", 4: "loser"})
    table.do("ask_help", player(4), 4)
    way = house_way(table, 4)
    assert law in table.refused("set", DEALER, 4, setting=otherwise(way))
    table.do("set", DEALER, 4, setting=way)
    assert table.state.round.hands[4].setting == way


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_of_real_cards_that_the_dealer_set_otherwise_is_keyed_in_and_gives_alarm(game: str) -> None:
    table = entered_at_the_table(game, {2: {}, 4: {}}, helped=4)
    enter(table, 1, SET[game][1]).play_on(without=["enter_hand"])
    enter(table, 2, SET[game][2]).play_on(without=["enter_hand"])
    lying = otherwise(setting(SET[game][4]))
    (event,) = table.do("enter_hand", at=4, setting=lying)
    assert [alert.reason for alert in event.alerts] == [
        "the dealer set this hand for its player, and not the house way"
    ]


# --- wagers that the dealer enters --------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_wager_that_the_dealer_enters_for_a_player_gives_alarm(game: str) -> None:
    table = TestTable(game).opened().seat((2,))
    (event,) = table.do("wager", DEALER, 2, wagers=money(main="$25"))
    assert [alert.reason for alert in event.alerts] == ["the dealer enters it for the player"]
    for wagers in (money(main="$50"), money()):
        table.refused("wager", DEALER, 2, wagers=wagers)
        (event,) = table.do("correct_wager", at=2, wagers=wagers or money(main="$10"), reason="misread")
        assert event.alerts == ()  # the reason is on record
    (event,) = table.do("wager", player(2), 2, wagers=money(main="$30"))
    assert event.alerts == ()


@pytest.mark.parametrize("game", GAMES)
def test_by_the_other_reading_only_players_place_their_wagers(game: str) -> None:
    table = TestTable(game, PLAYERS_ONLY).opened().seat((2,))
    table.refused("wager", DEALER, 2, wagers=money(main="$25"))
    table.bet(2, main="$25")
    table.refused("correct_wager", at=2, wagers=money(main="$10"), reason="misread")
    real = TestTable(game, PLAYERS_ONLY, source=CardOrigin.TYPED).opened().seat((2,))
    for wagers in (money(main="$25"), money(main="$30")):
        (event,) = real.do("wager", DEALER, 2, wagers=wagers)
        assert event.alerts == ()


@pytest.mark.parametrize("reading", ["noted", "players_only"])
def test_670a_a_double_down_that_the_dealer_enters_costs_the_player_as_much_as_their_own(
    reading: str,
) -> None:
    changes: Changes = {"readings.dealer_enters_wagers": reading}
    table = looked("pa-670a", {4: "loser"}, changes=changes).play_on(without=["set", "turn_over"])
    if reading == "players_only":
        table.refused("double_down", DEALER, 4)
    else:
        (event,) = table.do("double_down", DEALER, 4)
        assert event.alerts
    table.play_on(rounds=1)
    assert gained(table, 4) == 0 and table.state.last is not None
    lost = sum(table.state.last.hands[4].wagers.values())
    assert lost == (cents("$20") if reading == "noted" else cents("$10"))


# --- papers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["pa-659a", "pa-670a"])
@pytest.mark.parametrize("reference", SAYS_NOTHING)
def test_a_share_of_the_meter_is_documented_by_papers_that_can_be_looked_up(
    game: str, reference: str
) -> None:
    table = checked(due(game, "five_aces"), "five_aces")
    table.do("settle", at=4, wager="progressive")
    table.refused("document_win", FLOOR, 4, reference=reference)
    table.do("document_win", FLOOR, 4, reference="HP-1")


@pytest.mark.parametrize("reference", SAYS_NOTHING)
def test_a_jackpot_is_paid_by_papers_that_can_be_looked_up(reference: str) -> None:
    table = washington.claim(washington.jackpot())
    washington.record(table)
    table.do("turn_key", SAM, to="RUN")
    table.refused("pay_jackpot", SAM, 4, reference=reference)
    table.do("pay_jackpot", SAM, 4, reference="HP-1")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("reason", SAYS_NOTHING)
def test_what_was_entered_is_corrected_for_a_reason(game: str, reason: str) -> None:
    table = to_players(game, {2: {}, 4: {}})
    right = setting(SET[game][2])
    table.do("enter_hand", at=2, setting=right)
    table.refused("correct_entry", at=2, setting=right, reason=reason)
    bets = TestTable(game, source=CardOrigin.TYPED).opened().seat([2])
    bets.do("wager", DEALER, 2, wagers=money(main="$100"))
    bets.refused("correct_wager", at=2, wagers=money(main="$10"), reason=reason)
    bets.do("correct_wager", at=2, wagers=money(main="$10"), reason="misread")

"""What is done is not done again: a step that changed nothing would only put a second word on record."""

from __future__ import annotations

import pytest

from houseway.rounds.step import Actor
from tests.games.support import Changes
from tests.rounds.california import Cardroom
from tests.rounds.pennsylvania import dealt
from tests.rounds.table import (
    AUTOMATED,
    DEALER,
    FLOOR,
    MANUAL,
    SHAKER,
    SHUFFLER,
    TestTable,
    by_chapter,
    player,
)
from tests.rounds.test_progressive_light import PAYS
from tests.rounds.washington import opened

GAMES = ("pa-575", "pa-659a", "pa-670a")
every_game = pytest.mark.parametrize("game", GAMES)
DICE: Changes = MANUAL | SHAKER


@every_game
def test_dice_that_lie_uncovered_are_not_shaken_again(game: str) -> None:
    table = TestTable(game, DICE).starting(2, main="$10").play_on(without=["uncover"])
    table.do("shake", times=2)
    table.do("uncover", dice=(1, 2, 3))
    table.refused("shake", times=3)
    table.do("announce_total")
    assert table.state.round.start == 6


@every_game
def test_dice_that_do_not_count_are_shaken_again(game: str) -> None:
    table = TestTable(game, DICE).starting(2, main="$10").play_on(without=["uncover"])
    table.do("uncover", out=1)
    table.do("shake", times=3)


@every_game
def test_the_shaker_goes_back_once(game: str) -> None:
    table = TestTable(game, DICE).setting(2, main="$10")
    table.play_on(without=["cover_shaker", "close_round"]).do("cover_shaker", at_right=True, times=1)
    table.refused("cover_shaker", at_right=True, times=1)


@pytest.mark.parametrize("game", PAYS)
def test_a_progressive_win_is_verified_and_validated_once(game: str) -> None:
    held = PAYS[game][0]
    table = dealt(game, {4: held}, {4: {"progressive": "$1"}}).play_on(without=["verify_win"])
    table.do("verify_win", at=4, hand=held)
    table.refused("verify_win", at=4, hand=held)
    table.do("verify_light", at=4, lit=True)
    table.do("validate_win", FLOOR, 4)
    table.refused("validate_win", FLOOR, 4)
    table.play_on(without=["rack"])
    table.refused("verify_win", at=4, hand=held)
    table.refused("validate_win", FLOOR, 4)


@pytest.mark.parametrize("game", PAYS)
def test_a_light_seen_dark_after_the_validation_leads_to_another(game: str) -> None:
    held = PAYS[game][0]
    table = dealt(game, {4: held}, {4: {"progressive": "$1"}}).play_on(without=["settle", "validate_win"])
    table.play_on(without=["validate_win"]).do("validate_win", FLOOR, 4)
    table.do("verify_light", at=4, lit=False)
    table.do("rule_light", FLOOR, 4, placed=True, reason="the bulb has failed")
    table.do("validate_win", FLOOR, 4)


@pytest.mark.parametrize("game", ["pa-575", "pa-659a"])
def test_surrendered_cards_are_counted_once(game: str) -> None:
    table = TestTable(game).settling(2, 3, main="$10")
    table.do("surrender", player(2), 2)
    table.do("count_surrendered", at=2, cards=7)
    table.refused("count_surrendered", at=2, cards=7)


@every_game
def test_each_of_the_two_attests_the_one_joker_once(game: str) -> None:
    table = TestTable(game, {"table.pack_jokers": 2})
    table.do("receive_deck", deck="A", jokers=2)
    for by in (DEALER, FLOOR):
        table.do("attest_joker", by, deck="A")
        table.refused("attest_joker", by, deck="A")


def test_670a_the_cut_is_offered_to_a_player_once() -> None:
    table = TestTable("pa-670a", MANUAL).opened(without=["offer_cut"]).seat((2, 3)).play_on(without=["cut"])
    assert table.state.decks["A"].offered == 2
    table.refused("offer_cut", at=2, deck="A")
    table.do("decline_cut", player(2), 2, deck="A")
    table.do("offer_cut", at=3, deck="A")


@every_game
def test_a_failed_device_is_signed_out_of_order_once(game: str) -> None:
    table = TestTable(game, AUTOMATED).opened()
    table.do("shuffler_fault", SHUFFLER, deck="A")
    table.do("sign_out_of_order", device="shuffler", how="sign")
    table.refused("sign_out_of_order", device="shuffler", how="covered")
    table.do("repair", FLOOR, device="shuffler")
    table.do("shuffler_fault", SHUFFLER, deck="A")
    table.do("sign_out_of_order", device="shuffler", how="covered")


@by_chapter(pa575="pa575.13.l", pa659a="pa659a.13.l", pa670a="pa670a.13.l")
def test_a_shuffler_fails_only_on_cards_that_are_to_be_shuffled(game: str, law: str) -> None:
    table = TestTable(game, AUTOMATED)
    for step in ("receive_deck", "spread_deck", "stack"):
        table.play_on(without=[step])
        for by in (DEALER, SHUFFLER):
            if table.state.decks:
                table.refused("shuffler_fault", by, deck="A")
        if step == "spread_deck":
            table.do("spread_deck", deck="A")
            table.do("sit", player(2), 2)
        elif step == "receive_deck":
            table.do("receive_deck", deck="A")
    table.do("stack", deck="A")
    (event,) = table.do("shuffler_fault", SHUFFLER, deck="A")
    assert law in event.clauses
    table.do("shuffle", Actor("shuffler", SHUFFLER.role), deck="A", method="automated", device="shuffler")


# --- at the keypad, and with the lammers --------------------------------------------------------------


def test_coin_in_waits_for_a_wager() -> None:
    table = opened().seat((2,))
    table.refused("coin_in")
    table.bet(2, main="$10").do("coin_in")


@pytest.mark.parametrize("game", ["wa-fap", "ca-fpgp"])
def test_the_lammers_are_cleared_once(game: str) -> None:
    table = (
        TestTable(game).betting(2, main="$10", fortune="$5")
        if game == "wa-fap"
        else Cardroom().banks(6).bets(2, main="$10", fortune="$10")
    )
    table.play_on(without=["clear_lammers", "close_round"]).do("clear_lammers")
    table.refused("clear_lammers")

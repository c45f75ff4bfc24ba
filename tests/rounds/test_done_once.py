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
    floor = TestTable(game, DICE).starting(2, main="$10").play_on(without=["uncover"])
    floor.do("shake", times=2)
    floor.do("uncover", dice=(1, 2, 3))
    floor.refused("shake", times=3)
    floor.do("announce_total")
    assert floor.table.round.start == 6


@every_game
def test_dice_that_do_not_count_are_shaken_again(game: str) -> None:
    floor = TestTable(game, DICE).starting(2, main="$10").play_on(without=["uncover"])
    floor.do("uncover", out=1)
    floor.do("shake", times=3)


@every_game
def test_the_shaker_goes_back_once(game: str) -> None:
    floor = TestTable(game, DICE).setting(2, main="$10")
    floor.play_on(without=["cover_shaker", "close_round"]).do("cover_shaker", at_right=True, times=1)
    floor.refused("cover_shaker", at_right=True, times=1)


@pytest.mark.parametrize("game", PAYS)
def test_a_progressive_win_is_verified_and_validated_once(game: str) -> None:
    held = PAYS[game][0]
    floor = dealt(game, {4: held}, {4: {"progressive": "$1"}}).play_on(without=["verify_win"])
    floor.do("verify_win", at=4, hand=held)
    floor.refused("verify_win", at=4, hand=held)
    floor.do("verify_light", at=4, lit=True)
    floor.do("validate_win", FLOOR, 4)
    floor.refused("validate_win", FLOOR, 4)
    floor.play_on(without=["rack"])
    floor.refused("verify_win", at=4, hand=held)
    floor.refused("validate_win", FLOOR, 4)


@pytest.mark.parametrize("game", PAYS)
def test_a_light_seen_dark_after_the_validation_leads_to_another(game: str) -> None:
    held = PAYS[game][0]
    floor = dealt(game, {4: held}, {4: {"progressive": "$1"}}).play_on(without=["settle", "validate_win"])
    floor.play_on(without=["validate_win"]).do("validate_win", FLOOR, 4)
    floor.do("verify_light", at=4, lit=False)
    floor.do("rule_light", FLOOR, 4, placed=True, reason="the bulb has failed")
    floor.do("validate_win", FLOOR, 4)


@pytest.mark.parametrize("game", ["pa-575", "pa-659a"])
def test_surrendered_cards_are_counted_once(game: str) -> None:
    floor = TestTable(game).settling(2, 3, main="$10")
    floor.do("surrender", player(2), 2)
    floor.do("count_surrendered", at=2, cards=7)
    floor.refused("count_surrendered", at=2, cards=7)


@every_game
def test_each_of_the_two_attests_the_one_joker_once(game: str) -> None:
    floor = TestTable(game, {"table.pack_jokers": 2})
    floor.do("receive_deck", deck="A", jokers=2)
    for by in (DEALER, FLOOR):
        floor.do("attest_joker", by, deck="A")
        floor.refused("attest_joker", by, deck="A")


def test_670a_the_cut_is_offered_to_a_player_once() -> None:
    floor = TestTable("pa-670a", MANUAL).opened(without=["offer_cut"]).seat((2, 3)).play_on(without=["cut"])
    assert floor.table.decks["A"].offered == 2
    floor.refused("offer_cut", at=2, deck="A")
    floor.do("decline_cut", player(2), 2, deck="A")
    floor.do("offer_cut", at=3, deck="A")


@every_game
def test_a_failed_device_is_signed_out_of_order_once(game: str) -> None:
    floor = TestTable(game, AUTOMATED).opened()
    floor.do("shuffler_fault", SHUFFLER, deck="A")
    floor.do("sign_out_of_order", device="shuffler", how="sign")
    floor.refused("sign_out_of_order", device="shuffler", how="covered")
    floor.do("repair", FLOOR, device="shuffler")
    floor.do("shuffler_fault", SHUFFLER, deck="A")
    floor.do("sign_out_of_order", device="shuffler", how="covered")


@by_chapter(pa575="pa575.13.l", pa659a="pa659a.13.l", pa670a="pa670a.13.l")
def test_a_shuffler_fails_only_on_cards_that_are_to_be_shuffled(game: str, law: str) -> None:
    floor = TestTable(game, AUTOMATED)
    for step in ("receive_deck", "spread_deck", "stack"):
        floor.play_on(without=[step])
        for by in (DEALER, SHUFFLER):
            if floor.table.decks:
                floor.refused("shuffler_fault", by, deck="A")
        if step == "spread_deck":
            floor.do("spread_deck", deck="A")
            floor.do("sit", player(2), 2)
        elif step == "receive_deck":
            floor.do("receive_deck", deck="A")
    floor.do("stack", deck="A")
    (event,) = floor.do("shuffler_fault", SHUFFLER, deck="A")
    assert law in event.clauses
    floor.do("shuffle", Actor("shuffler", SHUFFLER.role), deck="A", method="automated", device="shuffler")


# --- at the keypad, and with the lammers --------------------------------------------------------------


def test_coin_in_waits_for_a_wager() -> None:
    floor = opened().seat((2,))
    floor.refused("coin_in")
    floor.bet(2, main="$10").do("coin_in")


@pytest.mark.parametrize("game", ["wa-fap", "ca-fpgp"])
def test_the_lammers_are_cleared_once(game: str) -> None:
    floor = (
        TestTable(game).betting(2, main="$10", fortune="$5")
        if game == "wa-fap"
        else Cardroom().banks(6).bets(2, main="$10", fortune="$10")
    )
    floor.play_on(without=["clear_lammers", "close_round"]).do("clear_lammers")
    floor.refused("clear_lammers")

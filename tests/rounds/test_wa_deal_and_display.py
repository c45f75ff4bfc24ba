"""Washington's deal in packs, and the two screens of the display, clause by clause."""

from __future__ import annotations

import pytest

from houseway.rounds.dealing import dealing_order
from houseway.rounds.state import Phase
from tests.games.support import Changes
from tests.rounds.commands import value_of
from tests.rounds.pennsylvania import house_way
from tests.rounds.table import DEALER, DISPLAY, FLOOR, SHUFFLER, TestTable, money, order_of, player, setting
from tests.rounds.washington import (
    WAYS,
    by_way,
    looked,
    opened,
    ready,
    reasons,
    screen,
    set_own,
    spot,
    start,
    whole,
)

clause = pytest.mark.clause
MAIN = {"main": "$10"}
SEVEN_EACH = dict.fromkeys(range(1, 8), 7)
DEALER_SCREEN = "DEALER HOUSE WAY"
STRICT: Changes = {"readings.wa_house_way_requests": "strict"}
THREE = {spot(1): "winner", spot(2): "loser", spot(3): "two_pair"}


def waiting(*positions: int, way: str = "iverify_hwv") -> TestTable:
    """Start a round with number 4, spot 3: only the deal is left to do."""
    table = start(ready(dict.fromkeys(positions, MAIN), way), number=4)
    assert table.state.round.start == spot(3)
    return table


# --- the deal ----------------------------------------------------------------------------------------


@by_way(
    iverify_hwv="wa.fap.iverify.4.packs",
    iverify="wa.fap.iverify_nohwv.4.packs",
    led="wa.fap.led.4.packs",
    dice_cup="wa.fap.dice.4.packs",
)
def test_a_pack_that_is_not_of_seven_cards_halts_the_round(way: str, law: str) -> None:
    for at in (1, spot(3), spot(6)):  # the dealer's, a player's and an unused one
        for size in (6, 8):
            table = waiting(spot(3), way=way)
            assert law in table.do("deal")[0].clauses
            events = table.do("count_hands", counts={**SEVEN_EACH, at: size})
            assert [event.step for event in events] == ["count_hands", "stop_round"]
            assert law in events[0].clauses
            assert table.state.round.stopped == "a hand has a wrong number of cards"
            assert "ruling" in reasons(table, "collect_empty")
            table.do("rule_round", FLOOR, ruling="void", reason="a misdeal")
            assert table.state.phase is Phase.BETTING
    table = waiting(spot(3), way=way)
    table.do("deal")
    assert len(table.do("count_hands", counts=SEVEN_EACH)) == 1
    table.play_on(Phase.SETTING)
    assert {len(hand.cards) for hand in table.state.round.playing()} == {7}
    assert len(table.state.round.dealer_cards) == 7
    table.refused("count_hands", counts=dict.fromkeys(range(2, 8), 7))


@by_way(
    iverify_hwv="wa.fap.iverify.4.first",
    iverify="wa.fap.iverify_nohwv.4.first",
    led="wa.fap.led.4.first",
    dice_cup="wa.fap.dice.4.first",
)
def test_the_first_pack_goes_to_the_spot_that_was_shown_and_the_rest_in_turn(way: str, law: str) -> None:
    everybody = [spot(number) for number in range(1, 7)]
    table = waiting(*everybody, way=way)
    order = order_of(table)
    (event,) = table.do("deal")
    assert law in event.clauses and value_of(event, "first") == spot(3)
    packs = {at: order[7 * n : 7 * n + 7] for n, at in enumerate(dealing_order(spot(3)))}
    assert list(packs) == [spot(3), spot(4), spot(5), spot(6), 1, spot(1), spot(2)]
    assert {at: hand.cards for at, hand in table.state.round.hands.items()} == {
        at: packs[at] for at in everybody
    }
    assert table.state.round.dealer_cards == packs[1]


@by_way(
    iverify_hwv="wa.fap.iverify.4.every_spot",
    iverify="wa.fap.iverify_nohwv.4.every_spot",
    led="wa.fap.led.4.every_spot",
    dice_cup="wa.fap.dice.4.every_spot",
)
def test_every_spot_gets_a_pack_taken_or_not(way: str, law: str) -> None:
    table = waiting(spot(1), spot(4), way=way)
    table.do("deal", cards=21)
    assert law in table.refused("collect_empty")
    table.do("deal", SHUFFLER, cards=27)
    assert table.state.round.dealt == 48
    assert law in table.refused("collect_empty")
    table.refused("deal", cards=2)
    table.do("deal", cards=1)
    assert table.state.round.dealt == 49
    table.refused("deal", cards=1)
    table.do("collect_empty")
    assert [one.count for one in table.state.rack if one.what == "no wager"] == [7] * 4


@by_way(
    iverify_hwv="wa.fap.iverify.5.unused",
    iverify="wa.fap.iverify_nohwv.5.unused",
    led="wa.fap.led.5.unused",
    dice_cup="wa.fap.dice.5.unused",
)
def test_unused_packs_are_put_away_unseen_before_anybody_looks_or_sets(way: str, law: str) -> None:
    taken = [spot(number) for number in (1, 3, 4, 6)]
    table = waiting(*taken, way=way)
    table.do("deal")
    for at in taken:
        assert law in table.refused("look", player(at), at)
        assert law in table.refused("set", player(at), at, setting=house_way(table, at))
    (event,) = table.do("collect_empty")
    assert law in event.clauses and table.state.phase is Phase.SETTING
    unused = [one for one in table.state.rack if one.what == "no wager"]
    assert {(one.position, one.cards, one.count) for one in unused} == {(spot(2), (), 7), (spot(5), (), 7)}
    for at in (spot(2), spot(5)):
        for by in (DEALER, FLOOR, player(spot(1)), player(at)):
            table.hidden(by, at)
    table.do("look", player(spot(1)), spot(1))


@pytest.mark.parametrize("way", WAYS)
def test_the_four_cards_left_over_are_recorded_as_discarded(way: str) -> None:
    table = waiting(spot(1), way=way).play_on(Phase.SETTING)
    assert sum(one.count for one in table.state.rack) == 5 * 7 + 4


# --- the display -------------------------------------------------------------------------------------


@clause("wa.fap.iverify.5.lcd")
def test_after_the_discards_the_screen_is_the_dealers_and_locked() -> None:
    table = start(ready({spot(1): MAIN, spot(2): MAIN}))
    assert screen(table) == ""
    table.do("deal")
    assert screen(table) == ""
    table.do("collect_empty")
    assert screen(table) == DEALER_SCREEN
    table.play_on(without=["set", "turn_over"])
    set_own(table, spot(1))
    assert "wa.fap.req.ii" in table.refused("turn_over")
    table.refused("set_dealer")
    table.hidden(DEALER, 1)
    assert screen(table) == DEALER_SCREEN
    set_own(table, spot(2)).do("turn_over")


@clause("wa.fap.iverify.7.request")
def test_a_player_who_asks_is_shown_his_own_cards_set_as_the_dealers_would_be() -> None:
    at, other = spot(2), spot(5)
    table = looked({at: "two_pair", other: "loser"})
    table.refused("show_player_way", at=at)  # nobody has asked
    for by in (player(other), DEALER):
        table.refused("ask_help", by, at)
    (asked,) = table.do("ask_help", player(at), at)
    assert "wa.fap.iverify.7.request" in asked.clauses
    assert "wa.fap.req.i" in table.refused("show_player_way", at=at)
    assert table.state.round.hands[at].setting is None
    set_own(table, other)
    table.refused("show_player_way", player(at), at)
    (shown,) = table.do("show_player_way", at=at)
    assert "wa.fap.iverify.7.request" in shown.clauses
    assert value_of(shown, "setting") == house_way(table, at)
    assert sorted(card for part in value_of(shown, "setting") for card in part) == sorted(
        table.state.round.hands[at].cards
    )
    assert screen(table) == f"PLAYER HOUSE WAY {at}"


@clause("wa.fap.iverify.7.request")
def test_with_a_display_the_dealer_sets_no_hand_that_nobody_asked_to_have_set() -> None:
    at = spot(2)
    table = looked({at: "two_pair"})
    assert table.refused("set", DEALER, at, setting=house_way(table, at)) == ("wa.fap.iverify.7.request",)


@pytest.mark.parametrize("way", ["iverify", "led", "dice_cup"])
def test_without_a_display_the_dealer_sets_only_the_hand_of_a_player_who_asked(way: str) -> None:
    at = spot(2)
    table, foul = looked({at: "two_pair"}, way=way), setting("5s4d9h9c / KsKc / Js")
    for wanted in (house_way(table, at), foul):
        assert "has not asked" in reasons(table, "set", DEALER, at, setting=wanted)
    table.do("ask_help", player(at), at)
    table.do("set", DEALER, at, setting=house_way(table, at))


@clause("wa.fap.iverify.7.exit")
def test_exit_brings_the_dealers_screen_back_and_the_shown_hand_is_set() -> None:
    at = spot(2)
    for by in (DEALER, DISPLAY):
        table = looked({at: "two_pair"})
        table.refused("exit_display", by)
        table.do("ask_help", player(at), at)
        table.do("show_player_way", at=at)
        assert not table.state.round.hands[at].has("placed")
        (event,) = table.do("exit_display", by)
        assert "wa.fap.iverify.7.exit" in event.clauses
        hand = table.state.round.hands[at]
        assert screen(table) == DEALER_SCREEN
        assert hand.has("placed") and hand.has("by_display") and hand.setting == house_way(table, at)
        table.refused("exit_display", by)
        table.refused("set", player(at), at, setting=setting("KsKc9h9c / 5s4d / Js"))
        table.refused("show_player_way", at=at)
        assert whole(table.play_on(rounds=1))


@clause("wa.fap.req.i")
def test_no_players_house_way_is_shown_while_another_still_chooses() -> None:
    first, asking, last = (spot(number) for number in (1, 2, 3))
    for before, after in (((first,), (last,)), ((last,), (first,)), ((), (first, last))):
        table = looked(THREE)
        table.do("ask_help", player(asking), asking)
        set_own(table, *before)
        assert "wa.fap.req.i" in table.refused("show_player_way", at=asking)
        for at in after:
            assert "wa.fap.req.i" in table.refused("show_player_way", at=asking)
            set_own(table, at)
        table.do("show_player_way", at=asking)
        for by in (player(first), player(last)):
            table.hidden(by, asking)


@clause("wa.fap.req.i")
@pytest.mark.parametrize("asking", [2, 3])
def test_the_display_does_not_wait_for_another_hand_of_the_player_who_asks(asking: int) -> None:
    table = opened().seat((4,))
    for at in (2, 3):
        table.do("sit", player(2), at)
        table.do("wager", player(2), at, wagers=money(main="$10"))
    table.bet(4, main="$10").play_on(without=["set", "turn_over"])
    table.do("ask_help", player(2), asking)
    assert "wa.fap.req.i" in table.refused("show_player_way", at=asking)  # another player still chooses
    set_own(table, 4)
    table.do("show_player_way", at=asking)
    table.do("exit_display")
    assert whole(table.play_on(rounds=1))


@clause("wa.fap.req.ii")
@pytest.mark.parametrize("way", ["iverify_hwv", "iverify"])
def test_the_dealers_house_way_waits_for_every_player(way: str) -> None:
    table = looked(THREE, way=way)
    for at in THREE:
        assert "wa.fap.req.ii" in table.refused("turn_over")
        table.refused("turn_over", DISPLAY)
        set_own(table, at)
    table.do("turn_over")


@clause("wa.fap.req.ii")
def test_a_house_way_that_is_asked_for_or_only_shown_is_not_yet_set() -> None:
    table = set_own(looked(THREE), spot(1), spot(2))
    table.do("ask_help", player(spot(3)), spot(3))
    assert "wa.fap.req.ii" in table.refused("turn_over")
    table.do("show_player_way", at=spot(3))
    assert "wa.fap.req.ii" in table.refused("turn_over")
    table.do("exit_display")
    table.do("turn_over")


def test_two_who_ask_at_once_are_served_one_after_the_other_when_all_others_are_set() -> None:
    first, second, choosing = (spot(number) for number in (1, 2, 3))
    for order in ((first, second), (second, first)):
        table = looked(THREE)
        for at in order:
            table.do("ask_help", player(at), at)
            for by in (player(at), DEALER):
                assert "display" in reasons(table, "set", by, at, setting=house_way(table, at))
        for at in order:
            assert "wa.fap.req.i" in table.refused("show_player_way", at=at)
        set_own(table, choosing)
        table.do("show_player_way", at=order[0])
        assert "another hand" in reasons(table, "show_player_way", at=order[1])
        own = house_way(table, order[0])
        assert "the display shows the hand: it is left first" in reasons(
            table, "set", at=order[0], setting=own
        )
        table.do("exit_display")
        table.refused("turn_over")
        table.do("show_player_way", at=order[1])
        table.do("exit_display")
        assert whole(table.play_on(rounds=1))


def test_by_the_strict_reading_only_the_last_unset_seat_uses_the_display() -> None:
    table = looked(THREE, changes=STRICT)
    for at in (spot(1), spot(2)):
        table.do("ask_help", player(at), at)
    set_own(table, spot(3))
    for at in (spot(1), spot(2)):
        assert "wa.fap.req.i" in table.refused("show_player_way", at=at)
    alone = set_own(looked(THREE, changes=STRICT), spot(1))
    alone.do("ask_help", player(spot(2)), spot(2))
    assert "wa.fap.req.i" in alone.refused("show_player_way", at=spot(2))
    set_own(alone, spot(3))
    alone.do("show_player_way", at=spot(2))
    assert whole(alone.play_on(rounds=1))


def test_by_the_strict_reading_others_who_ask_are_set_by_hand() -> None:
    table = looked(THREE, changes=STRICT)
    for at in (spot(1), spot(2)):
        table.do("ask_help", player(at), at)
    set_own(table, spot(3))
    table.do("set", DEALER, spot(1), setting=house_way(table, spot(1)))
    table.do("show_player_way", at=spot(2))
    assert whole(table.play_on(rounds=1))


@pytest.mark.parametrize("way", ["led", "dice_cup"])
def test_without_a_display_the_dealer_helps_and_the_player_sets_the_hand(way: str) -> None:
    table = looked({4: "two_pair", 5: "loser"}, way=way)
    (asked,) = table.do("ask_help", player(4), 4)
    assert value_of(asked, "setting") == house_way(table, 4)
    table.refused("show_player_way", at=4)
    table.refused("set", DEALER, 4, setting=setting("KsKc9h9c / Js5s / 4d"))
    table.do("set", player(4), 4, setting=value_of(asked, "setting"))
    assert screen(table) in ("", DEALER_SCREEN)
    assert whole(table.play_on(rounds=1))


def test_without_the_house_way_display_a_player_who_asks_can_still_set_his_hand() -> None:
    table = looked({4: "two_pair", 5: "loser"}, way="iverify")
    table.do("ask_help", player(4), 4)
    table.do("set", player(4), 4, setting=house_way(table, 4))


def test_the_request_itself_does_not_give_the_house_way_away() -> None:
    table = looked(THREE)
    (asked,) = table.do("ask_help", player(spot(2)), spot(2))
    assert value_of(asked, "setting") is None

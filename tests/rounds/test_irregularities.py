"""When things go wrong: each irregularity of (c) to (m), and every cent of a void round back where it was."""

from __future__ import annotations

import pytest

from houseway.ranking import Setting
from houseway.rounds.state import Phase
from houseway.settlement import PaymentKind, Status
from tests.games.support import Changes
from tests.rounds.books import agrees_with_settlement, dollars, net_of_rounds, recorded, void_event
from tests.rounds.commands import value_of
from tests.rounds.pennsylvania import EVERY_WAGER, START, stacks
from tests.rounds.table import (
    AUTOMATED,
    BY_HAND,
    DEALER,
    GENERATOR,
    MANUAL,
    SENSOR,
    SHAKER,
    SHOE,
    SHUFFLER,
    TestTable,
    by_chapter,
    order_of,
    player,
    setting,
)

clause = pytest.mark.clause
BETS = (2, 3, 4)
WAYS = {"manual_shoe": MANUAL, "hand": BY_HAND, "automated_shoe": AUTOMATED}


def dealing(game: str, changes: Changes, cards: int) -> TestTable:
    """Play until so many cards are dealt, with every wager on the layout."""
    return TestTable(game, changes).dealing(*BETS, cards=cards, **EVERY_WAGER[game])


def looking(game: str, changes: Changes = MANUAL) -> TestTable:
    """Play until the players may look at their cards."""
    return TestTable(game, changes).setting(*BETS, **EVERY_WAGER[game])


# --- (c) the wrong starting position ------------------------------------------------------------------


def shaken(game: str, said: int) -> TestTable:
    """Play until dice that total 11, which is position 4, are announced as something else."""
    floor = TestTable(game, SHAKER).starting(*BETS, **EVERY_WAGER[game]).play_on(without=[*START, "deal"])
    floor.do("shake", times=3)
    floor.do("uncover", dice=(6, 3, 2))
    assert floor.do("announce_total", total=said)[0].alerts or said == 11
    return floor


@by_chapter(pa575="pa575.13.c", pa659a="pa659a.13.c")
def test_a_first_card_by_a_wrong_total_to_a_wrong_position_voids_the_round(game: str, law: str) -> None:
    for said in (10, 12):
        floor = shaken(game, said)
        assert value_of(floor.do("deal", cards=1)[0], "first") == said - 7
        event = void_event(floor)
        assert law in event.clauses and value_of(event, "why").reshuffle
    same = shaken(game, 4)
    same.do("deal", cards=1)
    assert (same.table.phase, same.table.round.start) == (Phase.DEALING, 4)
    corrected = shaken(game, 12)
    corrected.do("announce_total", total=11)
    corrected.do("deal")
    assert (corrected.table.phase, corrected.table.round.start) == (Phase.DEALING, 4)


@by_chapter(pa575="pa575.13.c", pa659a="pa659a.13.c", pa670a="pa670a.13.c")
def test_a_first_card_beside_the_number_drawn_voids_the_round(game: str, law: str) -> None:
    for first_to in (3, 5, 4):
        floor = TestTable(game).starting(*BETS, **EVERY_WAGER[game]).play_on(without=[*START, "deal"])
        floor.do("draw_number", GENERATOR, number=4)
        floor.do("deal", cards=1, first_to=first_to)
        if first_to == 4:
            assert floor.table.phase is Phase.DEALING
        else:
            assert law in void_event(floor).clauses


# --- (d) a player's card exposed ------------------------------------------------------------------------


@by_chapter(pa575="pa575.13.d.s1", pa659a="pa659a.13.d.s1", pa670a="pa670a.13.d.s1")
@pytest.mark.parametrize("changes", [MANUAL, AUTOMATED], ids=["manual_shoe", "automated_shoe"])
def test_a_player_whose_card_is_exposed_may_void_the_hand(game: str, law: str, changes: Changes) -> None:
    floor = looking(game, changes)
    assert value_of(floor.do("expose_card", DEALER, 3)[0], "choice")
    for at in (2, 4):
        floor.refused("choose_hand", player(at), at, choice="void")
        floor.refused("choose_hand", player(at), 3, choice="void")
    event = floor.do("choose_hand", player(3), 3, choice="void")[0]
    staked = sum(floor.table.round.hands[3].wagers.values()) * 10_000
    back = [p for p in value_of(event, "payments") if str(p.to) == "player:Bob"]
    assert law in event.clauses and sum(p.units for p in back) == staked
    assert floor.table.round.hands[3].status is Status.VOID and 3 not in floor.table.round.lammers
    floor.play_on(rounds=1)
    assert floor.table.last is not None and floor.table.last.void is None
    assert net_of_rounds(floor)["player:Bob"] == staked
    settled = {p.position for p in floor.table.last.payments if p.wager == "main" and law not in p.clauses}
    assert settled == {2, 4}


@clause("pa670a.13.d.s1")
def test_670a_the_wagers_of_a_voided_hand_are_lost_by_the_other_reading() -> None:
    floor = looking("pa-670a", {**MANUAL, "readings.six_voided_hand_wagers": "stand"})
    before = floor.table.meter
    floor.do("expose_card", DEALER, 3)
    event = floor.do("choose_hand", player(3), 3, choice="void")[0]
    assert "pa670a.13.d.s1" in event.clauses
    taken = {p.wager: p.units for p in value_of(event, "payments")}
    assert taken == {"main": dollars("$25"), "fortune": dollars("$5"), "insurance": dollars("$5")}
    assert {p.kind for p in value_of(event, "payments")} == {PaymentKind.COLLECT}
    assert floor.table.meter == before and 3 not in floor.table.round.lammers
    floor.play_on(rounds=1)
    assert "player:Bob" not in net_of_rounds(floor) and agrees_with_settlement(floor)
    assert floor.live.record is not None
    recorded(floor.live.record)


@by_chapter(pa575="pa575.13.d.s1", pa659a="pa659a.13.d.s1", pa670a="pa670a.13.d.s1")
def test_a_player_whose_card_is_exposed_may_play_the_hand(game: str, law: str) -> None:
    floor = dealing(game, MANUAL, 10)
    floor.do("expose_card", DEALER, 3)
    assert law in floor.do("choose_hand", player(3), 3, choice="play")[0].clauses
    floor.refused("choose_hand", player(3), 3, choice="void")
    floor.play_on(rounds=1)
    assert floor.table.last is not None
    assert floor.table.last.hands[3].status is Status.PLAYED and "main" in floor.table.last.hands[3].settled


@pytest.mark.parametrize("game", EVERY_WAGER)
def test_the_dealer_does_not_turn_over_while_a_player_has_still_to_choose(game: str) -> None:
    floor = looking(game).play_on(without=["turn_over"])
    assert floor.problems("turn_over") == ()
    floor.do("expose_card", DEALER, 3)
    (problem,) = floor.problems("turn_over")
    assert problem.reason == "a player has still to choose about an exposed card"
    floor.do("choose_hand", player(3), 3, choice="play")
    floor.do("turn_over")


@by_chapter(pa575="pa575.13.d.s2", pa659a="pa659a.13.d.s2", pa670a="pa670a.13.d.s2")
def test_the_choice_is_made_without_looking_at_the_other_cards(game: str, law: str) -> None:
    floor = looking(game)
    floor.do("expose_card", DEALER, 3)
    assert law in floor.hidden(player(3), 3)
    assert law in floor.refused("look", player(3), 3)
    floor.do("choose_hand", player(3), 3, choice="void")
    played = looking(game)
    played.do("expose_card", DEALER, 3)
    played.do("choose_hand", player(3), 3, choice="play")
    played.do("look", player(3), 3)
    assert played.sees(player(3), 3) == played.table.round.hands[3].cards
    seen = looking(game)
    seen.do("look", player(3), 3)
    seen.do("expose_card", DEALER, 3)
    assert law in seen.refused("choose_hand", player(3), 3, choice="void")
    seen.do("choose_hand", player(3), 3, choice="play")


# --- (e) a card of the dealer's exposed -----------------------------------------------------------------


@by_chapter(pa575="pa575.13.e", pa659a="pa659a.13.e")
@pytest.mark.parametrize("way", WAYS)
def test_an_exposed_card_of_the_dealers_voids_the_round(game: str, law: str, way: str) -> None:
    by_j = law.replace(".e", ".j")
    for floor, cited in (
        (dealing(game, WAYS[way], 48), by_j if way == "hand" else law),
        (looking(game, WAYS[way]), law),
    ):
        floor.do("expose_card", DEALER, 1)
        event = void_event(floor)
        assert cited in event.clauses and value_of(event, "why").reshuffle
    turned = looking(game, WAYS[way]).play_on(Phase.DEALER)
    turned.refused("expose_card", DEALER, 1)
    turned.play_on(rounds=1)
    assert turned.table.last is not None and turned.table.last.void is None


def test_six_card_a_void_round_gives_the_double_down_back_too() -> None:
    floor = looking("pa-670a").play_on(without=["set"])
    floor.do("double_down", player(3), 3)
    floor.do("expose_card", DEALER, 1)
    void_event(floor)
    assert net_of_rounds(floor)["player:Bob"] == dollars("$61")


# --- (d), (e) where a card lies, and when -----------------------------------------------------------------


@by_chapter(pa575="pa575.13.e", pa659a="pa659a.13.e", pa670a="pa670a.13.e")
def test_a_card_is_exposed_only_where_one_lies(game: str, law: str) -> None:
    floor = TestTable(game, MANUAL).starting(*BETS, **EVERY_WAGER[game]).play_on(without=[*START, "deal"])
    floor.do("draw_number", GENERATOR, number=4)
    floor.do("deal", cards=2)  # to 4 and to 3
    for at in (1, 2, 6):
        assert [problem.reason for problem in floor.problems("expose_card", DEALER, at)] == [
            "no card lies there"
        ]
    assert value_of(floor.do("expose_card", DEALER, 3)[0], "choice")
    floor.do("choose_hand", player(3), 3, choice="void")
    floor.refused("expose_card", DEALER, 3)
    floor.do("deal", cards=2)  # to 2 and to the dealer
    assert value_of(floor.do("expose_card", DEALER, 2)[0], "choice")
    floor.do("expose_card", DEALER, 1)
    assert law in void_event(floor).clauses


@pytest.mark.parametrize("game", ["pa-575", "pa-659a"])
def test_a_stack_that_the_shoe_has_not_dispensed_has_no_card_to_expose(game: str) -> None:
    floor = TestTable(game, AUTOMATED).starting(*BETS, **EVERY_WAGER[game]).play_on(without=[*START, "deal"])
    floor.do("draw_number", GENERATOR, number=4)
    floor.do("deal", cards=8)  # a stack to 4, a card to 3
    for at in (1, 2):
        floor.refused("expose_card", DEALER, at)
    for at in (3, 4):
        assert value_of(floor.do("expose_card", DEALER, at)[0], "choice")


@by_chapter(pa575="pa575.13.d.s2", pa659a="pa659a.13.d.s2", pa670a="pa670a.13.d.s2")
def test_a_card_exposed_before_its_hand_is_opened_is_put_on_record_and_played(game: str, law: str) -> None:
    floor = TestTable(game).settling(*BETS, main="$10")
    assert [p.reason for p in floor.problems("expose_card", DEALER, 2)] == [
        "it is this hand's turn to be opened"
    ]
    floor.do("reveal", at=2)
    assert [p.reason for p in floor.problems("expose_card", DEALER, 2)] == ["the card lies open by law"]
    assert value_of(floor.do("expose_card", DEALER, 3)[0], "choice")
    floor.play_on(without=["choose_hand"])
    assert floor.table.round.hands[2].has("racked")
    floor.refused("reveal", at=3)
    assert floor.refused("choose_hand", player(3), 3, choice="void") == (law,)
    floor.do("choose_hand", player(3), 3, choice="play")
    floor.play_on(rounds=1)
    assert floor.table.last is not None and "main" in floor.table.last.hands[3].settled


@by_chapter(pa575="pa575.11.d.s2", pa659a="pa659a.11.d.s2")
def test_a_card_exposed_out_of_turn_does_not_close_the_surrender(game: str, law: str) -> None:
    floor = TestTable(game).settling(*BETS, main="$10")
    floor.do("expose_card", DEALER, 3)
    floor.do("surrender", player(3), 3)
    assert not floor.table.round.hands[3].has("choosing")
    floor.do("count_surrendered", at=3, cards=7)
    floor.do("rack", at=3)
    floor.do("reveal", at=2)
    assert law in floor.refused("surrender", player(2), 2)
    floor.play_on(rounds=1)
    assert floor.table.rounds == 1


# --- (f) cards found face up ----------------------------------------------------------------------------


@by_chapter(pa575="pa575.13.f.s1", pa659a="pa659a.13.f.s1", pa670a="pa670a.13.f.s1")
def test_a_single_card_found_face_up_is_not_used(game: str, law: str) -> None:
    for left in (-1, 0):
        floor = dealing(game, MANUAL, 22)
        before, stub = order_of(floor), floor.table.rules.game.stub
        assert law in floor.do("boxed_card")[0].clauses
        assert [(one.cards, one.count) for one in floor.table.rack] == [((before[22],), 1)]
        floor.play_on(without=["count_stub"])
        dealt = [card for cards in stacks(floor).values() for card in cards]
        assert before[22] not in dealt and set(dealt) == {*before[:22], *before[23 : len(dealt) + 1]}
        assert value_of(floor.do("count_stub", left=stub + left)[0], "right") is (left == -1)
        hands = dict.fromkeys(range(1, 8), floor.table.rules.game.hand_cards)
        floor.do("count_hands", counts=hands)
        if left == -1:
            floor.do("collect_empty")
            floor.play_on(rounds=1)
            assert floor.table.last is not None and floor.table.last.void is None
        else:
            assert value_of(void_event(floor), "why").deck_removed


@by_chapter(pa575="pa575.13.f.s2", pa659a="pa659a.13.f.s2", pa670a="pa670a.13.f.s2")
def test_a_second_card_found_face_up_voids_the_round(game: str, law: str) -> None:
    floor = dealing(game, MANUAL, 22)
    floor.do("boxed_card")
    floor.do("deal", cards=5)
    assert floor.table.phase is Phase.DEALING
    floor.do("boxed_card")
    assert law in void_event(floor).clauses


# --- (g) a card drawn in error --------------------------------------------------------------------------


@by_chapter(pa575="pa575.13.g", pa659a="pa659a.13.g", pa670a="pa670a.13.g")
def test_a_card_drawn_before_the_start_is_found_is_the_first_card(game: str, law: str) -> None:
    floor = TestTable(game, MANUAL).starting(*BETS, **EVERY_WAGER[game]).play_on(without=[*START, "deal"])
    order = order_of(floor)
    assert floor.do("draw_early")[0].clauses == (law,)
    floor.do("draw_number", GENERATOR, number=4)
    floor.refused("deal", SENSOR, cards=1, read=(order[1],))
    floor.do("deal", SENSOR, cards=1, read=(order[0],))
    floor.play_on(Phase.SETTING)
    assert stacks(floor)[4][0] == order[0]


@by_chapter(pa575="pa575.13.g", pa659a="pa659a.13.g", pa670a="pa670a.13.g")
def test_a_card_drawn_early_unseen_is_the_next_card(game: str, law: str) -> None:
    floor = TestTable(game, MANUAL).starting(*BETS, **EVERY_WAGER[game]).play_on(without=[*START, "deal"])
    floor.do("draw_number", GENERATOR, number=4)
    order = order_of(floor)
    floor.do("deal", cards=21)
    assert law in floor.do("draw_early")[0].clauses
    assert floor.table.round.dealt == 21
    floor.refused("deal", SENSOR, cards=1, read=(order[22],))
    floor.do("deal", SENSOR, cards=1, read=(order[21],))
    floor.do("deal")
    assert stacks(floor)[4] == order[::7][: floor.table.rules.game.hand_cards]
    assert stacks(floor)[4][3] == order[21] and floor.table.round.hands[4].cards[3] == order[21]
    floor.refused("draw_early")
    floor.play_on(rounds=1)
    assert floor.table.last is not None and floor.table.last.void is None


# --- (h), (k) a wrong number of cards -------------------------------------------------------------------


@by_chapter(pa575="pa575.13.h", pa659a="pa659a.13.h")
@pytest.mark.parametrize("wrong", [{4: 8}, {4: 6}, {1: 8}, {2: 6, 4: 8}], ids=str)
def test_a_hand_with_a_wrong_number_of_cards_voids_the_round(
    game: str, law: str, wrong: dict[int, int]
) -> None:
    floor = looking(game)
    hands = dict.fromkeys(range(1, 8), 7)
    floor.do("count_hands", counts=hands)
    assert floor.table.phase is Phase.SETTING and floor.table.round.stub == 4
    floor.do("count_hands", counts=hands | wrong)
    event = void_event(floor)
    assert law in event.clauses and value_of(event, "why").reshuffle


@by_chapter(pa575="pa575.13.h", pa659a="pa659a.13.h", pa670a="pa670a.13.h")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("wrong", [{4: 1}, {4: -1}, {1: 1}, {2: -1, 4: 1}], ids=str)
def test_a_wrong_number_of_cards_found_while_they_are_dealt_voids_the_round(
    game: str, law: str, way: str, wrong: dict[int, int]
) -> None:
    floor = TestTable(game, WAYS[way]).starting(*BETS, **EVERY_WAGER[game]).play_on(without=[*START, "deal"])
    floor.do("draw_number", GENERATOR, number=4)
    size = floor.rules.game.hand_cards
    singly = {4: 3, 3: 3, 2: 3, 1: 3, 7: 3, 6: 2, 5: 2}
    stacked = {4: size, 3: size, 2: size - 2, 1: 0, 7: 0, 6: 0, 5: 0}
    hands = stacked if way == "automated_shoe" else singly
    floor.do("deal", cards=sum(hands.values()))
    floor.do("count_hands", counts=hands)
    assert floor.table.phase is Phase.DEALING
    floor.do("count_hands", counts={at: cards + wrong.get(at, 0) for at, cards in hands.items()})
    event = void_event(floor)
    assert law in event.clauses and value_of(event, "why").reshuffle


@pytest.mark.parametrize("game", EVERY_WAGER)
def test_after_a_card_drawn_early_each_position_has_still_as_many_cards_as_it_was_dealt(game: str) -> None:
    floor = TestTable(game, MANUAL).starting(*BETS, **EVERY_WAGER[game]).play_on(without=[*START, "deal"])
    floor.do("draw_number", GENERATOR, number=4)
    floor.do("deal", cards=16)
    floor.do("draw_early")
    floor.do("count_hands", counts={4: 3, 3: 3, 2: 2, 1: 2, 7: 2, 6: 2, 5: 2})
    assert floor.table.phase is Phase.DEALING


@by_chapter(pa575="pa575.13.k", pa659a="pa659a.13.k")
@pytest.mark.parametrize("count", [6, 8])
def test_a_wrong_number_of_cards_at_an_empty_position_voids_the_round(
    game: str, law: str, count: int
) -> None:
    floor = dealing(game, MANUAL, 49)
    floor.do("count_stub", left=4 + 7 - count)
    floor.do("count_hands", counts=dict.fromkeys(range(1, 8), 7) | {5: count})
    event = void_event(floor)
    assert law in event.clauses and value_of(event, "why").reshuffle


# --- (i) the dealer's hand set wrongly ------------------------------------------------------------------


def otherwise(right: Setting) -> Setting:
    """Return a setting with the first cards of its highest and its lowest part exchanged."""
    return ((right[-1][0], *right[0][1:]), *right[1:-1], (right[0][0],))


@by_chapter(pa575="pa575.13.i", pa659a="pa659a.13.i", pa670a="pa670a.13.i")
@pytest.mark.parametrize("settled", [0, 1, 2, 3])
def test_a_dealers_hand_set_wrongly_is_reset_and_the_round_completed(
    game: str, law: str, settled: int
) -> None:
    right, floor = (looking(game).play_on(Phase.DEALER) for _ in range(2))
    proper: Setting = value_of(right.do("set_dealer")[0], "setting")
    event = floor.do("set_dealer", setting=otherwise(proper))[0]
    assert [alert.clauses for alert in event.alerts] == [(law,)]
    for at in BETS[:settled]:
        floor.do("reveal", DEALER, at)
        floor.play_on(without=["reset_dealer", "reveal", "close_round"])
        assert "main" in floor.table.round.hands[at].settled
    floor.refused("close_round")
    assert law in floor.do("reset_dealer")[0].clauses
    assert floor.table.round.dealer_setting == proper
    floor.refused("reset_dealer")
    for one in (right, floor):
        one.play_on(rounds=1)
    assert floor.table.last is not None and floor.table.last.void is None
    assert net_of_rounds(floor) == net_of_rounds(right) and floor.table.meter == right.table.meter


RESETS = {
    "pa-575": ("JsJh7s2d / Qc8s / 9d", "5c3h3c2h / Kd7h / 9h"),
    "pa-659a": ("8h8d7s4d / 6s6c / As", "QhQc5c3c / Jc7d / Th"),
    "pa-670a": ("QsQh9c6s3s / As", "8s8h7s6d5h / Ac"),
}


@by_chapter(pa575="pa575.13.i", pa659a="pa659a.13.i", pa670a="pa670a.13.i")
def test_a_wager_paid_on_the_wrong_setting_is_settled_again(game: str, law: str) -> None:
    dealers, players = (setting(text) for text in RESETS[game])
    hands = {at: "".join(map(str, sum(one, ()))) for at, one in ((1, dealers), (2, players))}
    floor = TestTable(game, MANUAL).dealt(hands, {2: {"main": "$10"}}).play_on(without=["set"])
    floor.do("set", player(2), 2, setting=players)
    floor.play_on(Phase.DEALER).do("set_dealer", setting=otherwise(dealers))
    floor.play_on(without=["reset_dealer"])
    assert floor.paid_to(2) == 2000 and floor.table.round.hands[2].has("racked")
    undone = value_of(floor.do("reset_dealer")[0], "payments")
    assert [p.kind for p in undone] == [PaymentKind.REVERSAL, PaymentKind.REVERSAL, PaymentKind.COLLECT]
    floor.play_on(rounds=1)
    assert net_of_rounds(floor) == {"pending:2/Ann/main": -dollars("$10"), "inventory": dollars("$10")}
    assert floor.table.last is not None and floor.table.last.hands[2].race is not None
    assert floor.table.last.hands[2].race.result == "lose"


# --- (j) a card exposed while the stacks are dealt from the hand ----------------------------------------


@by_chapter(pa575="pa575.13.j", pa659a="pa659a.13.j")
@pytest.mark.parametrize("at", [1, 3, 6])
def test_a_card_exposed_during_a_hand_deal_voids_the_round(game: str, law: str, at: int) -> None:
    floor = dealing(game, BY_HAND, 20)
    floor.do("expose_card", DEALER, at)
    event = void_event(floor)
    assert law in event.clauses and value_of(event, "why").reshuffle
    for changes in (MANUAL, AUTOMATED):
        shoe = dealing(game, changes, 48)
        assert value_of(shoe.do("expose_card", DEALER, 3)[0], "choice")
        assert (shoe.table.phase, shoe.table.round.hands[3].has("choosing")) == (Phase.DEALING, True)
    complete = dealing(game, BY_HAND, 49)
    assert value_of(complete.do("expose_card", DEALER, 3)[0], "choice")


# --- (m) the automated shoe fails, and the meter --------------------------------------------------------


@by_chapter(pa575="pa575.13.m", pa659a="pa659a.13.m")
@pytest.mark.parametrize("cards", [7, 35, 48])
def test_a_failed_shoe_voids_the_round_and_the_whole_deck_is_reshuffled(
    game: str, law: str, cards: int
) -> None:
    floor = dealing(game, AUTOMATED, cards)
    floor.do("shoe_fault", SHOE)
    assert law in void_event(floor).clauses
    for number in (53 - cards, 52, 54):
        floor.refused("shuffle", SHUFFLER, deck="A", method="automated", device="D1", cards=number)
    floor.do("shuffle", SHUFFLER, deck="A", method="automated", device="D1", cards=53)
    assert len(order_of(floor, "A")) == 53
    dealing(game, AUTOMATED, 49).refused("shoe_fault", SHOE)
    dealing(game, MANUAL, cards).refused("shoe_fault", SHOE)


@by_chapter(pa659a="pa659a.13.x1", pa670a="pa670a.13.x1")
def test_a_void_round_takes_the_contributions_back_out_of_the_meter(game: str, law: str) -> None:
    floor = TestTable(game).setting(2, 3, 4, 5, main="$10", fortune="$5", progressive="$1")
    before, rate = floor.table.round.meter_before, {"pa-659a": "$1.16", "pa-670a": "$0.84"}[game]
    assert before is not None and floor.table.meter is not None
    assert floor.table.meter.value == before.value + dollars(rate)
    assert floor.table.round.lammers == {2, 3, 4, 5}
    floor.do("expose_card", DEALER, 1)
    event = void_event(floor)
    chips = [
        p for p in value_of(event, "payments") if p.wager == "progressive" and str(p.source) == "inventory"
    ]
    assert sum(p.units for p in chips) == dollars("$4")
    out = [p for p in value_of(event, "payments") if str(p.source) == "meter:progressive"]
    assert sum(p.units for p in out) == dollars(rate) and law in event.clauses


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a", "wa-fap"])
def test_no_card_is_exposed_where_the_table_has_no_position(game: str) -> None:
    floor = TestTable(game).setting(2, main="$10")
    for at in (0, 8):
        said = [problem.reason for problem in floor.problems("expose_card", at=at)]
        assert "no cards are dealt to such a position" in said
    for at in (1, 7):
        said = [problem.reason for problem in floor.problems("expose_card", at=at)]
        assert "no cards are dealt to such a position" not in said

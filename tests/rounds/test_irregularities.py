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
    table = TestTable(game, SHAKER).starting(*BETS, **EVERY_WAGER[game]).play_on(without=[*START, "deal"])
    table.do("shake", times=3)
    table.do("uncover", dice=(6, 3, 2))
    assert table.do("announce_total", total=said)[0].alerts or said == 11
    return table


@by_chapter(pa575="pa575.13.c", pa659a="pa659a.13.c")
def test_a_first_card_by_a_wrong_total_to_a_wrong_position_voids_the_round(game: str, law: str) -> None:
    for said in (10, 12):
        table = shaken(game, said)
        assert value_of(table.do("deal", cards=1)[0], "first") == said - 7
        event = void_event(table)
        assert law in event.clauses and value_of(event, "why").reshuffle
    same = shaken(game, 4)
    same.do("deal", cards=1)
    assert (same.state.phase, same.state.round.start) == (Phase.DEALING, 4)
    corrected = shaken(game, 12)
    corrected.do("announce_total", total=11)
    corrected.do("deal")
    assert (corrected.state.phase, corrected.state.round.start) == (Phase.DEALING, 4)


@by_chapter(pa575="pa575.13.c", pa659a="pa659a.13.c", pa670a="pa670a.13.c")
def test_a_first_card_beside_the_number_drawn_voids_the_round(game: str, law: str) -> None:
    for first_to in (3, 5, 4):
        table = TestTable(game).starting(*BETS, **EVERY_WAGER[game]).play_on(without=[*START, "deal"])
        table.do("draw_number", GENERATOR, number=4)
        table.do("deal", cards=1, first_to=first_to)
        if first_to == 4:
            assert table.state.phase is Phase.DEALING
        else:
            assert law in void_event(table).clauses


# --- (d) a player's card exposed ------------------------------------------------------------------------


@by_chapter(pa575="pa575.13.d.s1", pa659a="pa659a.13.d.s1", pa670a="pa670a.13.d.s1")
@pytest.mark.parametrize("changes", [MANUAL, AUTOMATED], ids=["manual_shoe", "automated_shoe"])
def test_a_player_whose_card_is_exposed_may_void_the_hand(game: str, law: str, changes: Changes) -> None:
    table = looking(game, changes)
    assert value_of(table.do("expose_card", DEALER, 3)[0], "choice")
    for at in (2, 4):
        table.refused("choose_hand", player(at), at, choice="void")
        table.refused("choose_hand", player(at), 3, choice="void")
    event = table.do("choose_hand", player(3), 3, choice="void")[0]
    staked = sum(table.state.round.hands[3].wagers.values()) * 10_000
    back = [p for p in value_of(event, "payments") if str(p.to) == "player:Bob"]
    assert law in event.clauses and sum(p.units for p in back) == staked
    assert table.state.round.hands[3].status is Status.VOID and 3 not in table.state.round.lammers
    table.play_on(rounds=1)
    assert table.state.last is not None and table.state.last.void is None
    assert net_of_rounds(table)["player:Bob"] == staked
    settled = {p.position for p in table.state.last.payments if p.wager == "main" and law not in p.clauses}
    assert settled == {2, 4}


@clause("pa670a.13.d.s1")
def test_670a_the_wagers_of_a_voided_hand_are_lost_by_the_other_reading() -> None:
    table = looking("pa-670a", {**MANUAL, "readings.six_voided_hand_wagers": "stand"})
    before = table.state.meter
    table.do("expose_card", DEALER, 3)
    event = table.do("choose_hand", player(3), 3, choice="void")[0]
    assert "pa670a.13.d.s1" in event.clauses
    taken = {p.wager: p.units for p in value_of(event, "payments")}
    assert taken == {"main": dollars("$25"), "fortune": dollars("$5"), "insurance": dollars("$5")}
    assert {p.kind for p in value_of(event, "payments")} == {PaymentKind.COLLECT}
    assert table.state.meter == before and 3 not in table.state.round.lammers
    table.play_on(rounds=1)
    assert "player:Bob" not in net_of_rounds(table) and agrees_with_settlement(table)
    assert table.live.record is not None
    recorded(table.live.record)


@by_chapter(pa575="pa575.13.d.s1", pa659a="pa659a.13.d.s1", pa670a="pa670a.13.d.s1")
def test_a_player_whose_card_is_exposed_may_play_the_hand(game: str, law: str) -> None:
    table = dealing(game, MANUAL, 10)
    table.do("expose_card", DEALER, 3)
    assert law in table.do("choose_hand", player(3), 3, choice="play")[0].clauses
    table.refused("choose_hand", player(3), 3, choice="void")
    table.play_on(rounds=1)
    assert table.state.last is not None
    assert table.state.last.hands[3].status is Status.PLAYED and "main" in table.state.last.hands[3].settled


@pytest.mark.parametrize("game", EVERY_WAGER)
def test_the_dealer_does_not_turn_over_while_a_player_has_still_to_choose(game: str) -> None:
    table = looking(game).play_on(without=["turn_over"])
    assert table.problems("turn_over") == ()
    table.do("expose_card", DEALER, 3)
    (problem,) = table.problems("turn_over")
    assert problem.reason == "a player has still to choose about an exposed card"
    table.do("choose_hand", player(3), 3, choice="play")
    table.do("turn_over")


@by_chapter(pa575="pa575.13.d.s2", pa659a="pa659a.13.d.s2", pa670a="pa670a.13.d.s2")
def test_the_choice_is_made_without_looking_at_the_other_cards(game: str, law: str) -> None:
    table = looking(game)
    table.do("expose_card", DEALER, 3)
    assert law in table.hidden(player(3), 3)
    assert law in table.refused("look", player(3), 3)
    table.do("choose_hand", player(3), 3, choice="void")
    played = looking(game)
    played.do("expose_card", DEALER, 3)
    played.do("choose_hand", player(3), 3, choice="play")
    played.do("look", player(3), 3)
    assert played.sees(player(3), 3) == played.state.round.hands[3].cards
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
    for table, cited in (
        (dealing(game, WAYS[way], 48), by_j if way == "hand" else law),
        (looking(game, WAYS[way]), law),
    ):
        table.do("expose_card", DEALER, 1)
        event = void_event(table)
        assert cited in event.clauses and value_of(event, "why").reshuffle
    turned = looking(game, WAYS[way]).play_on(Phase.DEALER)
    turned.refused("expose_card", DEALER, 1)
    turned.play_on(rounds=1)
    assert turned.state.last is not None and turned.state.last.void is None


def test_six_card_a_void_round_gives_the_double_down_back_too() -> None:
    table = looking("pa-670a").play_on(without=["set"])
    table.do("double_down", player(3), 3)
    table.do("expose_card", DEALER, 1)
    void_event(table)
    assert net_of_rounds(table)["player:Bob"] == dollars("$61")


# --- (d), (e) where a card lies, and when -----------------------------------------------------------------


@by_chapter(pa575="pa575.13.e", pa659a="pa659a.13.e", pa670a="pa670a.13.e")
def test_a_card_is_exposed_only_where_one_lies(game: str, law: str) -> None:
    table = TestTable(game, MANUAL).starting(*BETS, **EVERY_WAGER[game]).play_on(without=[*START, "deal"])
    table.do("draw_number", GENERATOR, number=4)
    table.do("deal", cards=2)  # to 4 and to 3
    for at in (1, 2, 6):
        assert [problem.reason for problem in table.problems("expose_card", DEALER, at)] == [
            "no card lies there"
        ]
    assert value_of(table.do("expose_card", DEALER, 3)[0], "choice")
    table.do("choose_hand", player(3), 3, choice="void")
    table.refused("expose_card", DEALER, 3)
    table.do("deal", cards=2)  # to 2 and to the dealer
    assert value_of(table.do("expose_card", DEALER, 2)[0], "choice")
    table.do("expose_card", DEALER, 1)
    assert law in void_event(table).clauses


@pytest.mark.parametrize("game", ["pa-575", "pa-659a"])
def test_a_stack_that_the_shoe_has_not_dispensed_has_no_card_to_expose(game: str) -> None:
    table = TestTable(game, AUTOMATED).starting(*BETS, **EVERY_WAGER[game]).play_on(without=[*START, "deal"])
    table.do("draw_number", GENERATOR, number=4)
    table.do("deal", cards=8)  # a stack to 4, a card to 3
    for at in (1, 2):
        table.refused("expose_card", DEALER, at)
    for at in (3, 4):
        assert value_of(table.do("expose_card", DEALER, at)[0], "choice")


@by_chapter(pa575="pa575.13.d.s2", pa659a="pa659a.13.d.s2", pa670a="pa670a.13.d.s2")
def test_a_card_exposed_before_its_hand_is_opened_is_put_on_record_and_played(game: str, law: str) -> None:
    table = TestTable(game).settling(*BETS, main="$10")
    assert [p.reason for p in table.problems("expose_card", DEALER, 2)] == [
        "it is this hand's turn to be opened"
    ]
    table.do("reveal", at=2)
    assert [p.reason for p in table.problems("expose_card", DEALER, 2)] == ["the card lies open by law"]
    assert value_of(table.do("expose_card", DEALER, 3)[0], "choice")
    table.play_on(without=["choose_hand"])
    assert table.state.round.hands[2].has("racked")
    table.refused("reveal", at=3)
    assert table.refused("choose_hand", player(3), 3, choice="void") == (law,)
    table.do("choose_hand", player(3), 3, choice="play")
    table.play_on(rounds=1)
    assert table.state.last is not None and "main" in table.state.last.hands[3].settled


@by_chapter(pa575="pa575.11.d.s2", pa659a="pa659a.11.d.s2")
def test_a_card_exposed_out_of_turn_does_not_close_the_surrender(game: str, law: str) -> None:
    table = TestTable(game).settling(*BETS, main="$10")
    table.do("expose_card", DEALER, 3)
    table.do("surrender", player(3), 3)
    assert not table.state.round.hands[3].has("choosing")
    table.do("count_surrendered", at=3, cards=7)
    table.do("rack", at=3)
    table.do("reveal", at=2)
    assert law in table.refused("surrender", player(2), 2)
    table.play_on(rounds=1)
    assert table.state.rounds == 1


# --- (f) cards found face up ----------------------------------------------------------------------------


@by_chapter(pa575="pa575.13.f.s1", pa659a="pa659a.13.f.s1", pa670a="pa670a.13.f.s1")
def test_a_single_card_found_face_up_is_not_used(game: str, law: str) -> None:
    for left in (-1, 0):
        table = dealing(game, MANUAL, 22)
        before, stub = order_of(table), table.state.rules.game.stub
        assert law in table.do("boxed_card")[0].clauses
        assert [(one.cards, one.count) for one in table.state.rack] == [((before[22],), 1)]
        table.play_on(without=["count_stub"])
        dealt = [card for cards in stacks(table).values() for card in cards]
        assert before[22] not in dealt and set(dealt) == {*before[:22], *before[23 : len(dealt) + 1]}
        assert value_of(table.do("count_stub", left=stub + left)[0], "right") is (left == -1)
        hands = dict.fromkeys(range(1, 8), table.state.rules.game.hand_cards)
        table.do("count_hands", counts=hands)
        if left == -1:
            table.do("collect_empty")
            table.play_on(rounds=1)
            assert table.state.last is not None and table.state.last.void is None
        else:
            assert value_of(void_event(table), "why").deck_removed


@by_chapter(pa575="pa575.13.f.s2", pa659a="pa659a.13.f.s2", pa670a="pa670a.13.f.s2")
def test_a_second_card_found_face_up_voids_the_round(game: str, law: str) -> None:
    table = dealing(game, MANUAL, 22)
    table.do("boxed_card")
    table.do("deal", cards=5)
    assert table.state.phase is Phase.DEALING
    table.do("boxed_card")
    assert law in void_event(table).clauses


# --- (g) a card drawn in error --------------------------------------------------------------------------


@by_chapter(pa575="pa575.13.g", pa659a="pa659a.13.g", pa670a="pa670a.13.g")
def test_a_card_drawn_before_the_start_is_found_is_the_first_card(game: str, law: str) -> None:
    table = TestTable(game, MANUAL).starting(*BETS, **EVERY_WAGER[game]).play_on(without=[*START, "deal"])
    order = order_of(table)
    assert table.do("draw_early")[0].clauses == (law,)
    table.do("draw_number", GENERATOR, number=4)
    table.refused("deal", SENSOR, cards=1, read=(order[1],))
    table.do("deal", SENSOR, cards=1, read=(order[0],))
    table.play_on(Phase.SETTING)
    assert stacks(table)[4][0] == order[0]


@by_chapter(pa575="pa575.13.g", pa659a="pa659a.13.g", pa670a="pa670a.13.g")
def test_a_card_drawn_early_unseen_is_the_next_card(game: str, law: str) -> None:
    table = TestTable(game, MANUAL).starting(*BETS, **EVERY_WAGER[game]).play_on(without=[*START, "deal"])
    table.do("draw_number", GENERATOR, number=4)
    order = order_of(table)
    table.do("deal", cards=21)
    assert law in table.do("draw_early")[0].clauses
    assert table.state.round.dealt == 21
    table.refused("deal", SENSOR, cards=1, read=(order[22],))
    table.do("deal", SENSOR, cards=1, read=(order[21],))
    table.do("deal")
    assert stacks(table)[4] == order[::7][: table.state.rules.game.hand_cards]
    assert stacks(table)[4][3] == order[21] and table.state.round.hands[4].cards[3] == order[21]
    table.refused("draw_early")
    table.play_on(rounds=1)
    assert table.state.last is not None and table.state.last.void is None


# --- (h), (k) a wrong number of cards -------------------------------------------------------------------


@by_chapter(pa575="pa575.13.h", pa659a="pa659a.13.h")
@pytest.mark.parametrize("wrong", [{4: 8}, {4: 6}, {1: 8}, {2: 6, 4: 8}], ids=str)
def test_a_hand_with_a_wrong_number_of_cards_voids_the_round(
    game: str, law: str, wrong: dict[int, int]
) -> None:
    table = looking(game)
    hands = dict.fromkeys(range(1, 8), 7)
    table.do("count_hands", counts=hands)
    assert table.state.phase is Phase.SETTING and table.state.round.stub == 4
    table.do("count_hands", counts=hands | wrong)
    event = void_event(table)
    assert law in event.clauses and value_of(event, "why").reshuffle


@by_chapter(pa575="pa575.13.h", pa659a="pa659a.13.h", pa670a="pa670a.13.h")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("wrong", [{4: 1}, {4: -1}, {1: 1}, {2: -1, 4: 1}], ids=str)
def test_a_wrong_number_of_cards_found_while_they_are_dealt_voids_the_round(
    game: str, law: str, way: str, wrong: dict[int, int]
) -> None:
    table = TestTable(game, WAYS[way]).starting(*BETS, **EVERY_WAGER[game]).play_on(without=[*START, "deal"])
    table.do("draw_number", GENERATOR, number=4)
    size = table.rules.game.hand_cards
    singly = {4: 3, 3: 3, 2: 3, 1: 3, 7: 3, 6: 2, 5: 2}
    stacked = {4: size, 3: size, 2: size - 2, 1: 0, 7: 0, 6: 0, 5: 0}
    hands = stacked if way == "automated_shoe" else singly
    table.do("deal", cards=sum(hands.values()))
    table.do("count_hands", counts=hands)
    assert table.state.phase is Phase.DEALING
    table.do("count_hands", counts={at: cards + wrong.get(at, 0) for at, cards in hands.items()})
    event = void_event(table)
    assert law in event.clauses and value_of(event, "why").reshuffle


@pytest.mark.parametrize("game", EVERY_WAGER)
def test_after_a_card_drawn_early_each_position_has_still_as_many_cards_as_it_was_dealt(game: str) -> None:
    table = TestTable(game, MANUAL).starting(*BETS, **EVERY_WAGER[game]).play_on(without=[*START, "deal"])
    table.do("draw_number", GENERATOR, number=4)
    table.do("deal", cards=16)
    table.do("draw_early")
    table.do("count_hands", counts={4: 3, 3: 3, 2: 2, 1: 2, 7: 2, 6: 2, 5: 2})
    assert table.state.phase is Phase.DEALING


@by_chapter(pa575="pa575.13.k", pa659a="pa659a.13.k")
@pytest.mark.parametrize("count", [6, 8])
def test_a_wrong_number_of_cards_at_an_empty_position_voids_the_round(
    game: str, law: str, count: int
) -> None:
    table = dealing(game, MANUAL, 49)
    table.do("count_stub", left=4 + 7 - count)
    table.do("count_hands", counts=dict.fromkeys(range(1, 8), 7) | {5: count})
    event = void_event(table)
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
    right, table = (looking(game).play_on(Phase.DEALER) for _ in range(2))
    proper: Setting = value_of(right.do("set_dealer")[0], "setting")
    event = table.do("set_dealer", setting=otherwise(proper))[0]
    assert [alert.clauses for alert in event.alerts] == [(law,)]
    for at in BETS[:settled]:
        table.do("reveal", DEALER, at)
        table.play_on(without=["reset_dealer", "reveal", "close_round"])
        assert "main" in table.state.round.hands[at].settled
    table.refused("close_round")
    assert law in table.do("reset_dealer")[0].clauses
    assert table.state.round.dealer_setting == proper
    table.refused("reset_dealer")
    for one in (right, table):
        one.play_on(rounds=1)
    assert table.state.last is not None and table.state.last.void is None
    assert net_of_rounds(table) == net_of_rounds(right) and table.state.meter == right.state.meter


RESETS = {
    "pa-575": ("JsJh7s2d / Qc8s / 9d", "5c3h3c2h / Kd7h / 9h"),
    "pa-659a": ("8h8d7s4d / 6s6c / As", "QhQc5c3c / Jc7d / Th"),
    "pa-670a": ("QsQh9c6s3s / As", "8s8h7s6d5h / Ac"),
}


@by_chapter(pa575="pa575.13.i", pa659a="pa659a.13.i", pa670a="pa670a.13.i")
def test_a_wager_paid_on_the_wrong_setting_is_settled_again(game: str, law: str) -> None:
    dealers, players = (setting(text) for text in RESETS[game])
    hands = {at: "".join(map(str, sum(one, ()))) for at, one in ((1, dealers), (2, players))}
    table = TestTable(game, MANUAL).dealt(hands, {2: {"main": "$10"}}).play_on(without=["set"])
    table.do("set", player(2), 2, setting=players)
    table.play_on(Phase.DEALER).do("set_dealer", setting=otherwise(dealers))
    table.play_on(without=["reset_dealer"])
    assert table.paid_to(2) == 2000 and table.state.round.hands[2].has("racked")
    undone = value_of(table.do("reset_dealer")[0], "payments")
    assert [p.kind for p in undone] == [PaymentKind.REVERSAL, PaymentKind.REVERSAL, PaymentKind.COLLECT]
    table.play_on(rounds=1)
    assert net_of_rounds(table) == {"pending:2/Ann/main": -dollars("$10"), "inventory": dollars("$10")}
    assert table.state.last is not None and table.state.last.hands[2].race is not None
    assert table.state.last.hands[2].race.result == "lose"


# --- (j) a card exposed while the stacks are dealt from the hand ----------------------------------------


@by_chapter(pa575="pa575.13.j", pa659a="pa659a.13.j")
@pytest.mark.parametrize("at", [1, 3, 6])
def test_a_card_exposed_during_a_hand_deal_voids_the_round(game: str, law: str, at: int) -> None:
    table = dealing(game, BY_HAND, 20)
    table.do("expose_card", DEALER, at)
    event = void_event(table)
    assert law in event.clauses and value_of(event, "why").reshuffle
    for changes in (MANUAL, AUTOMATED):
        shoe = dealing(game, changes, 48)
        assert value_of(shoe.do("expose_card", DEALER, 3)[0], "choice")
        assert (shoe.state.phase, shoe.state.round.hands[3].has("choosing")) == (Phase.DEALING, True)
    complete = dealing(game, BY_HAND, 49)
    assert value_of(complete.do("expose_card", DEALER, 3)[0], "choice")


# --- (m) the automated shoe fails, and the meter --------------------------------------------------------


@by_chapter(pa575="pa575.13.m", pa659a="pa659a.13.m")
@pytest.mark.parametrize("cards", [7, 35, 48])
def test_a_failed_shoe_voids_the_round_and_the_whole_deck_is_reshuffled(
    game: str, law: str, cards: int
) -> None:
    table = dealing(game, AUTOMATED, cards)
    table.do("shoe_fault", SHOE)
    assert law in void_event(table).clauses
    for number in (53 - cards, 52, 54):
        table.refused("shuffle", SHUFFLER, deck="A", method="automated", device="D1", cards=number)
    table.do("shuffle", SHUFFLER, deck="A", method="automated", device="D1", cards=53)
    assert len(order_of(table, "A")) == 53
    dealing(game, AUTOMATED, 49).refused("shoe_fault", SHOE)
    dealing(game, MANUAL, cards).refused("shoe_fault", SHOE)


@by_chapter(pa659a="pa659a.13.x1", pa670a="pa670a.13.x1")
def test_a_void_round_takes_the_contributions_back_out_of_the_meter(game: str, law: str) -> None:
    table = TestTable(game).setting(2, 3, 4, 5, main="$10", fortune="$5", progressive="$1")
    before, rate = table.state.round.meter_before, {"pa-659a": "$1.16", "pa-670a": "$0.84"}[game]
    assert before is not None and table.state.meter is not None
    assert table.state.meter.value == before.value + dollars(rate)
    assert table.state.round.lammers == {2, 3, 4, 5}
    table.do("expose_card", DEALER, 1)
    event = void_event(table)
    chips = [
        p for p in value_of(event, "payments") if p.wager == "progressive" and str(p.source) == "inventory"
    ]
    assert sum(p.units for p in chips) == dollars("$4")
    out = [p for p in value_of(event, "payments") if str(p.source) == "meter:progressive"]
    assert sum(p.units for p in out) == dollars(rate) and law in event.clauses


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a", "wa-fap"])
def test_no_card_is_exposed_where_the_table_has_no_position(game: str) -> None:
    table = TestTable(game).setting(2, main="$10")
    for at in (0, 8):
        said = [problem.reason for problem in table.problems("expose_card", at=at)]
        assert "no cards are dealt to such a position" in said
    for at in (1, 7):
        said = [problem.reason for problem in table.problems("expose_card", at=at)]
        assert "no cards are dealt to such a position" not in said

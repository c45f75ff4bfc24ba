"""Under ch. 670a: the cover cards, who is offered the cut in turn, and who cuts again."""

from __future__ import annotations

import pytest

from houseway.rounds.state import Phase
from houseway.rounds.step import Actor
from tests.games.support import Changes
from tests.rounds.commands import value_of
from tests.rounds.table import DEALER, FLOOR, GENERATOR, MANUAL, TestTable, order_of, player

clause = pytest.mark.clause
FINDS: dict[str, tuple[str, Actor, Changes]] = {
    "rng": ("draw_number", GENERATOR, {"number": 4}),
    "shaker": ("shake", DEALER, {"times": 3}),
}


def to_be_cut(*arrivals: int, begun: bool = False, without: str = "offer_cut") -> TestTable:
    """Seat players in this order at a table of ch. 670a whose deck waits to be cut."""
    table = TestTable("pa-670a", MANUAL).opened()
    if begun:
        table.seat(arrivals[:1]).bet(arrivals[0], main="$10").play_on(rounds=1)
    return table.seat(arrivals).play_on(without=[without, "no_more_bets"])


def declines(table: TestTable, *positions: int) -> TestTable:
    """Offer the cut to players in turn; each declines."""
    for at in positions:
        table.do("offer_cut", at=at, deck="A")
        table.do("decline_cut", player(at), at, deck="A")
    return table


@clause("pa670a.5.c.s1")
def test_670a_the_stack_lies_on_a_cover_card_before_the_cut_is_offered() -> None:
    table = to_be_cut(3, without="place_cover")
    assert table.refused("offer_cut", at=3, deck="A") == ("pa670a.5.c.s1",)
    table.do("place_cover", deck="A")
    table.do("offer_cut", at=3, deck="A")


def test_670a_no_cover_card_is_placed_under_cards_that_are_not_in_one_stack() -> None:
    table = TestTable("pa-670a", MANUAL).play_on(without=["square"])
    (problem,) = table.problems("place_cover", deck="A")
    assert problem.reason == "the deck is not in one stack"
    table.do("square", deck="A")
    table.do("place_cover", deck="A")


@clause("pa670a.5.c.s1")
def test_670a_the_dealer_too_cuts_a_stack_that_lies_on_a_cover_card() -> None:
    table = TestTable("pa-670a", MANUAL).opened().play_on(without=["place_cover", "cut"])
    assert table.refused("cut", deck="A", depth=20) == ("pa670a.5.c.s1",)
    table.do("place_cover", deck="A")
    table.do("cut", deck="A", depth=20)


@clause("pa670a.5.c.s2")
def test_670a_the_cut_is_offered_to_the_player_whose_turn_it_is_and_made_by_nobody_else() -> None:
    table = to_be_cut(3, 6, begun=True)
    assert "pa670a.5.c.s2" in table.refused("offer_cut", at=6, deck="A")
    table.refused("offer_cut", at=4, deck="A")
    table.do("offer_cut", at=3, deck="A")
    table.refused("cut", player(6), 6, deck="A", depth=20)
    table.refused("cut", player(6), 3, deck="A", depth=20)
    table.do("cut", player(3), 3, deck="A", depth=20)
    assert table.state.decks["A"].cutter == 3


def test_670a_when_the_player_who_was_offered_the_cut_leaves_the_next_is_offered_it() -> None:
    table = to_be_cut(3, 5)
    table.do("offer_cut", at=3, deck="A")
    table.do("leave", player(3), 3)
    table.bet(5, main="$10").play_on(Phase.DEALING)
    assert table.last("cut").by == player(5)


@clause("pa670a.5.c.s3")
def test_670a_the_dealer_cuts_when_every_player_has_declined() -> None:
    table = to_be_cut(2, 4, 5)
    for at in (2, 4, 5):
        assert "pa670a.5.c.s3" in table.refused("cut", deck="A", depth=20)
        declines(table, at)
    table.do("cut", deck="A", depth=20)
    assert (table.last("cut").by, table.state.decks["A"].cutter) == (DEALER, 0)


@clause("pa670a.5.d.1")
def test_670a_when_the_game_begins_the_first_to_arrive_is_offered_the_cut() -> None:
    table = to_be_cut(6, 2)
    assert "pa670a.5.d.1" in table.refused("offer_cut", at=2, deck="A")
    declines(table, 6)
    table.refused("offer_cut", at=6, deck="A")
    declines(table, 2)
    table.do("cut", deck="A", depth=20)


def test_670a_a_table_opened_again_is_a_game_just_beginning() -> None:
    table = to_be_cut(2, begun=True)
    table.do("close_table", FLOOR)
    table.opened().seat((6, 2)).play_on(without=["offer_cut"])
    table.do("offer_cut", at=6, deck="A")


@clause("pa670a.5.d.2.s1")
def test_670a_later_the_player_farthest_to_the_dealers_right_is_offered_the_cut() -> None:
    table = to_be_cut(7, 4, 5, begun=True)
    for at in (7, 5):
        assert "pa670a.5.d.2.s1" in table.refused("offer_cut", at=at, deck="A")
    table.do("offer_cut", at=4, deck="A")


@clause("pa670a.5.d.2.s2")
def test_670a_a_refused_cut_goes_round_counterclockwise_to_the_dealer() -> None:
    table = declines(to_be_cut(4, 5, 7, begun=True), 4)
    assert "pa670a.5.d.2.s2" in table.refused("offer_cut", at=7, deck="A")
    declines(table, 5)
    assert "pa670a.5.d.2.s2" in table.refused("offer_cut", at=5, deck="A")
    declines(table, 7)
    table.do("cut", deck="A", depth=20)


@clause("pa670a.5.e.s2")
def test_670a_the_cards_above_the_second_cover_card_go_to_the_bottom() -> None:
    table = to_be_cut(3, without="cut")
    assert [p.reason for p in table.problems("move_cover", deck="A")] == ["the deck is not cut"]
    before = order_of(table, "A")
    (event,) = table.do("cut", player(3), 3, deck="A", depth=20)
    after = order_of(table, "A")
    assert event.clauses == ("pa670a.5.e.s2",)
    assert (after[0], after[-1], len(after)) == (before[20], before[19], 53)


@clause("pa670a.5.e.s3")
def test_670a_the_first_cover_card_goes_to_the_bottom_before_the_deck_is_loaded() -> None:
    table = to_be_cut(3, without="move_cover").bet(3, main="$10")
    assert "pa670a.5.e.s3" in table.refused("load", deck="A")
    table.refused("spare_cover", deck="A", spare="rack")
    table.refused("no_more_bets")
    (event,) = table.do("move_cover", deck="A")
    assert event.clauses == ("pa670a.5.e.s3",)
    table.play_on(Phase.DEALING)


@clause("pa670a.5.e.s3")
@pytest.mark.parametrize("start", ["rng", "shaker"])
@pytest.mark.parametrize("forgotten", ["moved", "spared"])
def test_670a_no_start_is_found_while_a_cover_card_is_not_in_place(start: str, forgotten: str) -> None:
    step, by, details = FINDS[start]
    table = TestTable("pa-670a", MANUAL | {"table.start_methods": [start]}).starting(3, main="$10")
    table.play_on(without=[step])
    deck = table.state.decks["A"]
    assert deck.has(forgotten)
    table.state = table.state.with_deck("A", marks=deck.marks - {forgotten})
    assert "pa670a.5.e.s3" in table.refused(step, by, None, **details)
    refused_by = table.refused("deal")
    assert forgotten == "spared" or "pa670a.5.e.s3" in refused_by
    table.state = table.state.with_deck("A", marks=deck.marks)
    table.do(step, by, None, **details)


@clause("pa670a.5.e.s4")
@pytest.mark.parametrize("spare", ["rack", "four_from_bottom"])
def test_670a_the_spare_cover_card_is_racked_or_put_in_four_from_the_bottom(spare: str) -> None:
    table = to_be_cut(3, without="spare_cover").bet(3, main="$10")
    for elsewhere in ("left on the table", "three_from_bottom"):
        assert table.refused("spare_cover", deck="A", spare=elsewhere) == ("pa670a.5.e.s4",)
    (event,) = table.do("spare_cover", deck="A", spare=spare)
    assert (event.clauses, value_of(event, "spare")) == (("pa670a.5.e.s4",), spare)
    table.play_on(Phase.DEALING)


@clause("pa670a.5.e.s4")
def test_670a_the_deck_is_not_loaded_before_the_spare_cover_card_is_put_away() -> None:
    table = to_be_cut(3, without="spare_cover").bet(3, main="$10")
    assert "pa670a.5.e.s4" in table.refused("load", deck="A")
    table.play_on(Phase.DEALING, without=["spare_cover"])
    assert table.state.phase is not Phase.DEALING


@clause("pa670a.5.f.s2")
def test_670a_the_last_cutter_or_the_next_in_turn_cuts_again() -> None:
    for last, next_one, others in ((4, 5, (7, None)), (5, 7, (4, None)), (7, None, (4, 5))):
        for again in (last, next_one):
            table = declines(to_be_cut(4, 5, 7), *(at for at in (4, 5) if at < last))
            table.do("offer_cut", at=last, deck="A")
            table.do("cut", player(last), last, deck="A", depth=20)
            table.do("recut", FLOOR, deck="A", reason="cards exposed")
            for at in others:
                who = player(at) if at else DEALER
                assert "pa670a.5.f.s2" in table.refused("cut", who, at, deck="A", depth=20)
            table.do("cut", player(again) if again else DEALER, again, deck="A", depth=20)


def test_670a_nobody_cuts_again_in_another_players_place() -> None:
    table = to_be_cut(4, 5, 7, without="cut")
    table.do("cut", player(4), 4, deck="A", depth=20)
    table.do("recut", FLOOR, deck="A", reason="cards exposed")
    table.refused("cut", player(7), 4, deck="A", depth=20)


def test_670a_after_the_first_arrival_the_player_farthest_right_is_next_to_cut_again() -> None:
    table = to_be_cut(6, 2, without="cut")
    table.do("cut", player(6), 6, deck="A", depth=20)
    table.do("recut", FLOOR, deck="A", reason="cards exposed")
    table.do("cut", player(2), 2, deck="A", depth=20)


@clause("pa670a.5.c.s2")
@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.STARTING])
def test_670a_after_an_ordered_shuffle_the_cut_is_offered_anew_whatever_was_to_be_cut_again(
    phase: Phase,
) -> None:
    table = TestTable("pa-670a", MANUAL).betting(2, 3, main="$10").play_on(without=["no_more_bets"])
    if phase is Phase.STARTING:
        table.play_on(without=["deal"])
    table.do("recut", FLOOR, deck="A", reason="badly cut")
    table.do("direct_shuffle", FLOOR)
    table.play_on(without=["offer_cut", "cut"])
    table.refused("cut", DEALER, deck="A", depth=20)
    assert table.refused("offer_cut", DEALER, 3, deck="A") == ("pa670a.5.c.s2", "pa670a.5.d.1")
    table.do("offer_cut", DEALER, 2, deck="A")
    table.do("decline_cut", player(2), 2, deck="A")
    table.do("offer_cut", DEALER, 3, deck="A")
    table.do("cut", player(3), 3, deck="A", depth=20)
    table.play_on(Phase.DEALING)
    assert table.state.phase is Phase.DEALING

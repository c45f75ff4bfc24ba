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
    floor = TestTable("pa-670a", MANUAL).opened()
    if begun:
        floor.seat(arrivals[:1]).bet(arrivals[0], main="$10").play_on(rounds=1)
    return floor.seat(arrivals).play_on(without=[without, "no_more_bets"])


def declines(floor: TestTable, *positions: int) -> TestTable:
    """Offer the cut to players in turn; each declines."""
    for at in positions:
        floor.do("offer_cut", at=at, deck="A")
        floor.do("decline_cut", player(at), at, deck="A")
    return floor


@clause("pa670a.5.c.s1")
def test_670a_the_stack_lies_on_a_cover_card_before_the_cut_is_offered() -> None:
    floor = to_be_cut(3, without="place_cover")
    assert floor.refused("offer_cut", at=3, deck="A") == ("pa670a.5.c.s1",)
    floor.do("place_cover", deck="A")
    floor.do("offer_cut", at=3, deck="A")


def test_670a_no_cover_card_is_placed_under_cards_that_are_not_in_one_stack() -> None:
    floor = TestTable("pa-670a", MANUAL).play_on(without=["square"])
    (problem,) = floor.problems("place_cover", deck="A")
    assert problem.reason == "the deck is not in one stack"
    floor.do("square", deck="A")
    floor.do("place_cover", deck="A")


@clause("pa670a.5.c.s1")
def test_670a_the_dealer_too_cuts_a_stack_that_lies_on_a_cover_card() -> None:
    floor = TestTable("pa-670a", MANUAL).opened().play_on(without=["place_cover", "cut"])
    assert floor.refused("cut", deck="A", depth=20) == ("pa670a.5.c.s1",)
    floor.do("place_cover", deck="A")
    floor.do("cut", deck="A", depth=20)


@clause("pa670a.5.c.s2")
def test_670a_the_cut_is_offered_to_the_player_whose_turn_it_is_and_made_by_nobody_else() -> None:
    floor = to_be_cut(3, 6, begun=True)
    assert "pa670a.5.c.s2" in floor.refused("offer_cut", at=6, deck="A")
    floor.refused("offer_cut", at=4, deck="A")
    floor.do("offer_cut", at=3, deck="A")
    floor.refused("cut", player(6), 6, deck="A", depth=20)
    floor.refused("cut", player(6), 3, deck="A", depth=20)
    floor.do("cut", player(3), 3, deck="A", depth=20)
    assert floor.table.decks["A"].cutter == 3


def test_670a_when_the_player_who_was_offered_the_cut_leaves_the_next_is_offered_it() -> None:
    floor = to_be_cut(3, 5)
    floor.do("offer_cut", at=3, deck="A")
    floor.do("leave", player(3), 3)
    floor.bet(5, main="$10").play_on(Phase.DEALING)
    assert floor.last("cut").by == player(5)


@clause("pa670a.5.c.s3")
def test_670a_the_dealer_cuts_when_every_player_has_declined() -> None:
    floor = to_be_cut(2, 4, 5)
    for at in (2, 4, 5):
        assert "pa670a.5.c.s3" in floor.refused("cut", deck="A", depth=20)
        declines(floor, at)
    floor.do("cut", deck="A", depth=20)
    assert (floor.last("cut").by, floor.table.decks["A"].cutter) == (DEALER, 0)


@clause("pa670a.5.d.1")
def test_670a_when_the_game_begins_the_first_to_arrive_is_offered_the_cut() -> None:
    floor = to_be_cut(6, 2)
    assert "pa670a.5.d.1" in floor.refused("offer_cut", at=2, deck="A")
    declines(floor, 6)
    floor.refused("offer_cut", at=6, deck="A")
    declines(floor, 2)
    floor.do("cut", deck="A", depth=20)


def test_670a_a_table_opened_again_is_a_game_just_beginning() -> None:
    floor = to_be_cut(2, begun=True)
    floor.do("close_table", FLOOR)
    floor.opened().seat((6, 2)).play_on(without=["offer_cut"])
    floor.do("offer_cut", at=6, deck="A")


@clause("pa670a.5.d.2.s1")
def test_670a_later_the_player_farthest_to_the_dealers_right_is_offered_the_cut() -> None:
    floor = to_be_cut(7, 4, 5, begun=True)
    for at in (7, 5):
        assert "pa670a.5.d.2.s1" in floor.refused("offer_cut", at=at, deck="A")
    floor.do("offer_cut", at=4, deck="A")


@clause("pa670a.5.d.2.s2")
def test_670a_a_refused_cut_goes_round_counterclockwise_to_the_dealer() -> None:
    floor = declines(to_be_cut(4, 5, 7, begun=True), 4)
    assert "pa670a.5.d.2.s2" in floor.refused("offer_cut", at=7, deck="A")
    declines(floor, 5)
    assert "pa670a.5.d.2.s2" in floor.refused("offer_cut", at=5, deck="A")
    declines(floor, 7)
    floor.do("cut", deck="A", depth=20)


@clause("pa670a.5.e.s2")
def test_670a_the_cards_above_the_second_cover_card_go_to_the_bottom() -> None:
    floor = to_be_cut(3, without="cut")
    assert [p.reason for p in floor.problems("move_cover", deck="A")] == ["the deck is not cut"]
    before = order_of(floor, "A")
    (event,) = floor.do("cut", player(3), 3, deck="A", depth=20)
    after = order_of(floor, "A")
    assert event.clauses == ("pa670a.5.e.s2",)
    assert (after[0], after[-1], len(after)) == (before[20], before[19], 53)


@clause("pa670a.5.e.s3")
def test_670a_the_first_cover_card_goes_to_the_bottom_before_the_deck_is_loaded() -> None:
    floor = to_be_cut(3, without="move_cover").bet(3, main="$10")
    assert "pa670a.5.e.s3" in floor.refused("load", deck="A")
    floor.refused("spare_cover", deck="A", spare="rack")
    floor.refused("no_more_bets")
    (event,) = floor.do("move_cover", deck="A")
    assert event.clauses == ("pa670a.5.e.s3",)
    floor.play_on(Phase.DEALING)


@clause("pa670a.5.e.s3")
@pytest.mark.parametrize("start", ["rng", "shaker"])
@pytest.mark.parametrize("forgotten", ["moved", "spared"])
def test_670a_no_start_is_found_while_a_cover_card_is_not_in_place(start: str, forgotten: str) -> None:
    step, by, details = FINDS[start]
    floor = TestTable("pa-670a", MANUAL | {"table.start_methods": [start]}).starting(3, main="$10")
    floor.play_on(without=[step])
    deck = floor.table.decks["A"]
    assert deck.has(forgotten)
    floor.table = floor.table.with_deck("A", marks=deck.marks - {forgotten})
    assert "pa670a.5.e.s3" in floor.refused(step, by, None, **details)
    refused_by = floor.refused("deal")
    assert forgotten == "spared" or "pa670a.5.e.s3" in refused_by
    floor.table = floor.table.with_deck("A", marks=deck.marks)
    floor.do(step, by, None, **details)


@clause("pa670a.5.e.s4")
@pytest.mark.parametrize("spare", ["rack", "four_from_bottom"])
def test_670a_the_spare_cover_card_is_racked_or_put_in_four_from_the_bottom(spare: str) -> None:
    floor = to_be_cut(3, without="spare_cover").bet(3, main="$10")
    for elsewhere in ("left on the table", "three_from_bottom"):
        assert floor.refused("spare_cover", deck="A", spare=elsewhere) == ("pa670a.5.e.s4",)
    (event,) = floor.do("spare_cover", deck="A", spare=spare)
    assert (event.clauses, value_of(event, "spare")) == (("pa670a.5.e.s4",), spare)
    floor.play_on(Phase.DEALING)


@clause("pa670a.5.e.s4")
def test_670a_the_deck_is_not_loaded_before_the_spare_cover_card_is_put_away() -> None:
    floor = to_be_cut(3, without="spare_cover").bet(3, main="$10")
    assert "pa670a.5.e.s4" in floor.refused("load", deck="A")
    floor.play_on(Phase.DEALING, without=["spare_cover"])
    assert floor.table.phase is not Phase.DEALING


@clause("pa670a.5.f.s2")
def test_670a_the_last_cutter_or_the_next_in_turn_cuts_again() -> None:
    for last, next_one, others in ((4, 5, (7, None)), (5, 7, (4, None)), (7, None, (4, 5))):
        for again in (last, next_one):
            floor = declines(to_be_cut(4, 5, 7), *(at for at in (4, 5) if at < last))
            floor.do("offer_cut", at=last, deck="A")
            floor.do("cut", player(last), last, deck="A", depth=20)
            floor.do("recut", FLOOR, deck="A", reason="cards exposed")
            for at in others:
                who = player(at) if at else DEALER
                assert "pa670a.5.f.s2" in floor.refused("cut", who, at, deck="A", depth=20)
            floor.do("cut", player(again) if again else DEALER, again, deck="A", depth=20)


def test_670a_nobody_cuts_again_in_another_players_place() -> None:
    floor = to_be_cut(4, 5, 7, without="cut")
    floor.do("cut", player(4), 4, deck="A", depth=20)
    floor.do("recut", FLOOR, deck="A", reason="cards exposed")
    floor.refused("cut", player(7), 4, deck="A", depth=20)


def test_670a_after_the_first_arrival_the_player_farthest_right_is_next_to_cut_again() -> None:
    floor = to_be_cut(6, 2, without="cut")
    floor.do("cut", player(6), 6, deck="A", depth=20)
    floor.do("recut", FLOOR, deck="A", reason="cards exposed")
    floor.do("cut", player(2), 2, deck="A", depth=20)


@clause("pa670a.5.c.s2")
@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.STARTING])
def test_670a_after_an_ordered_shuffle_the_cut_is_offered_anew_whatever_was_to_be_cut_again(
    phase: Phase,
) -> None:
    floor = TestTable("pa-670a", MANUAL).betting(2, 3, main="$10").play_on(without=["no_more_bets"])
    if phase is Phase.STARTING:
        floor.play_on(without=["deal"])
    floor.do("recut", FLOOR, deck="A", reason="badly cut")
    floor.do("direct_shuffle", FLOOR)
    floor.play_on(without=["offer_cut", "cut"])
    floor.refused("cut", DEALER, deck="A", depth=20)
    assert floor.refused("offer_cut", DEALER, 3, deck="A") == ("pa670a.5.c.s2", "pa670a.5.d.1")
    floor.do("offer_cut", DEALER, 2, deck="A")
    floor.do("decline_cut", player(2), 2, deck="A")
    floor.do("offer_cut", DEALER, 3, deck="A")
    floor.do("cut", player(3), 3, deck="A", depth=20)
    floor.play_on(Phase.DEALING)
    assert floor.table.phase is Phase.DEALING

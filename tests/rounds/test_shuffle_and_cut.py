"""The cards are shuffled, put in one stack, cut where the law wants it, and cut again on order."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from houseway.games import game as game_named
from houseway.rng import SealedDeck, SeededEntropy
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase, Place
from houseway.rounds.step import Actor
from tests.games.support import Changes
from tests.rounds.commands import value_of
from tests.rounds.table import (
    AUTOMATED,
    BY_HAND,
    DEALER,
    FLOOR,
    GENERATOR,
    MANUAL,
    SHUFFLER,
    TWO_DECKS,
    TestTable,
    by_chapter,
    order_of,
    player,
)

clause = pytest.mark.clause
GAMES = ("pa-575", "pa-659a", "pa-670a")
DIRECT: Changes = {"table.direct_to_shoe": True}
SHUFFLES = 53_000
MANAGER = Actor("Mona", Role.MANAGER)


def preshuffled(game: str, **details: Any) -> TestTable:
    """Open a table with a deck that came inspected and shuffled, and place a bet."""
    table = TestTable(game, MANUAL)
    table.do("receive_deck", deck="A", preshuffled="(u)", **details)
    return table.betting(2, main="$10")


# --- the shuffle ----------------------------------------------------------------------------------


@by_chapter(pa575="pa575.5.a.s1", pa659a="pa659a.5.a.s1", pa670a="pa670a.5.a.s1")
def test_cards_are_shuffled_before_play_begins_unless_they_came_shuffled(game: str, law: str) -> None:
    table = TestTable(game).play_on(without=["shuffle"])
    assert law in table.refused("deal")
    table.betting(2, main="$10").play_on(Phase.DEALING)
    assert table.steps().count("shuffle") == 1
    came = preshuffled(game).play_on(without=["cut"])
    came.refused("load", deck="A")
    came.play_on(without=["no_more_bets"])
    assert law not in came.refused("deal")
    came.play_on(Phase.DEALING)
    assert "shuffle" not in came.steps()


@by_chapter(pa575="pa575.5.a.s2", pa659a="pa659a.5.a.s2", pa670a="pa670a.5.a.s2")
@pytest.mark.parametrize("changes", [MANUAL, BY_HAND, AUTOMATED])
def test_cards_are_shuffled_again_after_each_round(game: str, law: str, changes: Changes) -> None:
    table = TestTable(game, changes).betting(2, main="$10").play_on(rounds=1)
    table.bet(2, main="$10").play_on(without=["shuffle"])
    assert table.state.phase is Phase.BETTING
    before_play = law.removesuffix("s2") + "s1"
    assert law in table.refused("deal") and before_play not in table.refused("deal")
    table.refused("no_more_bets")
    table.play_on(Phase.DEALING)
    assert table.steps().count("shuffle") == table.steps().count("deal") == 2


@by_chapter(pa575="pa575.5.a.s2", pa659a="pa659a.5.a.s2", pa670a="pa670a.5.a.s2")
def test_a_deck_that_came_shuffled_is_shuffled_too_after_its_first_round(game: str, law: str) -> None:
    table = preshuffled(game).play_on(rounds=1)
    table.bet(2, main="$10").play_on(without=["shuffle"])
    assert law in table.refused("deal")
    table.play_on(Phase.DEALING)


@by_chapter(pa575="pa575.5.a.s3", pa659a="pa659a.5.a.s3", pa670a="pa670a.5.a.s3")
@pytest.mark.parametrize("who", [FLOOR, MANAGER])
def test_a_shuffle_that_the_floor_orders_comes_before_the_next_deal(game: str, law: str, who: Actor) -> None:
    table = TestTable(game).betting(2, main="$10").play_on(without=["no_more_bets"])
    assert law in table.refused("direct_shuffle", DEALER)
    (event,) = table.do("direct_shuffle", who)
    assert (event.by, event.clauses) == (who, (law,))
    assert law in table.refused("deal")
    table.refused("no_more_bets")
    before = order_of(table, "A")
    table.play_on(without=["square"])
    assert order_of(table, "A") != before
    assert law not in table.refused("deal")
    table.play_on(Phase.DEALING)


@by_chapter(pa575="pa575.5.a.s3", pa659a="pa659a.5.a.s3", pa670a="pa670a.5.a.s3")
@pytest.mark.parametrize("changes", [MANUAL, BY_HAND, AUTOMATED, TWO_DECKS])
def test_the_floor_may_order_a_shuffle_until_the_first_card_is_dealt(
    game: str, law: str, changes: Changes
) -> None:
    table = TestTable(game, changes).starting(2, main="$10").play_on(without=["deal"])
    start, before, events = table.state.round.start, order_of(table, "A"), len(table.log)
    (event,) = table.do("direct_shuffle", FLOOR)
    assert event.clauses == (law,)
    assert law in table.refused("deal")
    for step in ("boxed_card", "draw_early"):
        table.refused(step)
    table.play_on(without=["deal"])
    since = table.steps()[events:]
    assert since.count("no_more_bets") == 0 and since.index("shuffle") < since.index("load")
    assert ("cut" in since) == (changes is MANUAL)
    assert (table.state.round.deck, table.state.round.start) == ("A", start)
    assert order_of(table, "A") != before
    table.do("deal", cards=1)
    table.refused("direct_shuffle", FLOOR)
    table.play_on(rounds=1)
    last = table.state.last
    assert last is not None and last.void is None


def test_washington_deals_no_deck_that_the_floor_ordered_to_be_shuffled() -> None:
    table = TestTable("wa-fap").starting(2, main="$10").play_on(without=["deal"])
    before = order_of(table, "A")
    table.do("direct_shuffle", FLOOR)
    table.refused("deal")
    table.play_on(without=["deal"])
    assert order_of(table, "A") != before
    table.do("deal", cards=6)
    table.refused("shuffle", deck="A", method="automated")
    table.play_on(rounds=1)
    last = table.state.last
    assert last is not None and last.void is None


@pytest.mark.parametrize("game", GAMES)
def test_a_round_has_no_deck_and_no_cut_from_an_ordered_shuffle_until_the_deck_is_loaded(game: str) -> None:
    table = TestTable(game, MANUAL).starting(2, main="$10").play_on(without=["deal"])
    assert table.state.round.cut_at > 0
    table.do("direct_shuffle", FLOOR)
    table.do("shuffle", deck="A", method="manual")
    this_round = table.state.round
    assert (this_round.deck, this_round.commitment, this_round.cut_at) == (None, None, 0)


@pytest.mark.parametrize("game", GAMES)
def test_an_ordered_shuffle_may_go_straight_into_the_shoe_after_bets_are_closed(game: str) -> None:
    table = TestTable(game, AUTOMATED | DIRECT).starting(2, main="$10").play_on(without=["deal"])
    table.refused("shuffle", SHUFFLER, deck="A", method="automated", device="S-1", into="shoe")
    table.do("direct_shuffle", FLOOR)
    table.do("shuffle", SHUFFLER, deck="A", method="automated", device="S-1", into="shoe")
    order = order_of(table, "A")
    table.do("deal")
    assert table.state.round.drawn == order[: len(table.state.round.drawn)]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("step", ["boxed_card", "draw_early"])
def test_no_shuffle_is_ordered_when_a_card_has_come_off_the_deck(game: str, step: str) -> None:
    table = TestTable(game, MANUAL).starting(2, main="$10").play_on(without=["deal"])
    table.do(step)
    table.refused("direct_shuffle", FLOOR)


@pytest.mark.parametrize("game", GAMES)
def test_a_shuffler_that_jams_at_an_ordered_shuffle_does_not_stop_the_round(game: str) -> None:
    table = TestTable(game, AUTOMATED).starting(2, main="$10").play_on(without=["deal"])
    table.do("direct_shuffle", FLOOR)
    table.play_on(without=["square", "deal"]).do("shuffler_fault", SHUFFLER, deck="A")
    table.play_on(rounds=1)
    assert table.state.last is not None and table.state.last.void is None


@pytest.mark.parametrize("game", GAMES)
def test_with_two_decks_the_ordered_shuffle_is_of_the_cards_about_to_be_dealt(game: str) -> None:
    table = TestTable(game, {"table.decks": 2}).betting(2, main="$10").play_on(without=["no_more_bets"])
    table.do("direct_shuffle", FLOOR)
    table.do("shuffle", SHUFFLER, deck="B", method="automated", device="S-1")
    table.refused("no_more_bets")


@by_chapter(pa575="pa575.5.a.s4", pa659a="pa659a.5.a.s4", pa670a="pa670a.5.a.s4")
def test_an_automated_shuffle_names_its_device_and_intermixes_the_cards(game: str, law: str) -> None:
    table = TestTable(game).play_on(without=["shuffle"])
    assert table.refused("shuffle", SHUFFLER, deck="A", method="automated") == (law,)
    (event,) = table.do("shuffle", SHUFFLER, deck="A", method="automated", device="S-1")
    assert (event.clauses, value_of(event, "method"), value_of(event, "device")) == (
        (law,),
        "automated",
        "S-1",
    )
    cards = game_named(game).cards().cards
    order = order_of(table, "A")
    assert order != cards
    assert sorted(order) == sorted(cards) == sorted(set(order))
    joker_at, on_top = many_shuffles()
    expected = SHUFFLES / len(cards)
    assert sum((joker_at[at] - expected) ** 2 / expected for at in range(53)) < 89.27
    assert all(800 <= on_top[card] <= 1200 for card in cards)


@cache
def many_shuffles() -> tuple[Counter[int], Counter[object]]:
    """Shuffle very often; count where the joker ends up and which card comes out on top."""
    cards, source = game_named("pa-670a").cards().cards, SeededEntropy("many shuffles")
    joker_at: Counter[int] = Counter()
    on_top: Counter[object] = Counter()
    for _ in range(SHUFFLES):
        order = SealedDeck.shuffle(cards, source).order
        joker_at[order.index(cards[-1])] += 1
        on_top[order[0]] += 1
    return joker_at, on_top


@by_chapter(pa575="pa575.5.a.s4", pa659a="pa659a.5.a.s4", pa670a="pa670a.5.a.s4")
def test_a_device_does_not_shuffle_by_hand(game: str, law: str) -> None:
    table = TestTable(game).play_on(without=["square"])
    table.do("shuffler_fault", SHUFFLER, deck="A")
    table.do("sign_out_of_order", device="shuffler", how="sign")
    assert table.refused("shuffle", SHUFFLER, deck="A", method="manual") == (law,)
    table.do("shuffle", DEALER, deck="A", method="manual")


@by_chapter(pa575="pa575.5.b.2", pa659a="pa659a.5.b.2", pa670a="pa670a.5.b.2")
@pytest.mark.parametrize("way", ["manual_shoe", "automated_shoe"])
def test_cards_for_a_shoe_may_be_shuffled_by_hand_beside_a_shuffler_and_are_cut_then(
    game: str, law: str, way: str
) -> None:
    table = TestTable(game, {"table.shuffler": "automated", "table.dealing": way}).play_on(
        without=["shuffle"]
    )
    table.do("shuffle", DEALER, deck="A", method="manual")
    table.opened().seat((2,)).bet(2, main="$10").play_on(without=["cut"])
    assert law in table.refused("deal")
    table.play_on(rounds=1)
    assert table.state.rounds == 1 and "cut" in table.steps()


@by_chapter(pa575="pa575.9.a.1", pa659a="pa659a.9.a.1", pa670a="pa670a.9.a.1")
def test_cards_that_are_dealt_from_the_hand_are_shuffled_by_the_device(game: str, law: str) -> None:
    table = TestTable(game, BY_HAND).play_on(without=["shuffle"])
    assert table.refused("shuffle", DEALER, deck="A", method="manual") == (law,)
    table.do("shuffle", SHUFFLER, deck="A", method="automated", device="S-1")


@pytest.mark.parametrize("game", GAMES)
def test_a_table_without_a_shuffler_has_no_automated_shuffle(game: str) -> None:
    table = TestTable(game, MANUAL).play_on(without=["shuffle"])
    table.refused("shuffle", SHUFFLER, deck="A", method="automated", device="S-1")


@pytest.mark.parametrize("game", GAMES)
def test_cards_are_shuffled_by_hand_or_by_a_device_and_no_other_way(game: str) -> None:
    table = TestTable(game, MANUAL).play_on(without=["shuffle"])
    table.refused("shuffle", deck="A", method="wishing")


@by_chapter(pa575="pa575.5.a.s5", pa659a="pa659a.5.a.s5", pa670a="pa670a.5.a.s5")
def test_the_shuffled_deck_is_in_one_stack_before_it_is_cut_or_loaded(game: str, law: str) -> None:
    table = TestTable(game, MANUAL).opened().play_on(without=["square"])
    assert law in table.refused("cut", deck="A", depth=20)
    table.refused("load", deck="A")
    (event,) = table.do("square", deck="A")
    assert event.clauses == (law,)
    table.play_on(without=["cut"]).do("cut", deck="A", depth=20)


@by_chapter(pa575="pa575.5.a.s5", pa659a="pa659a.5.a.s5", pa670a="pa670a.5.a.s6")
def test_only_an_automated_shuffler_puts_the_deck_straight_into_the_shoe(game: str, law: str) -> None:
    by_hand = TestTable(game, MANUAL).play_on(without=["shuffle"])
    assert by_hand.refused("shuffle", deck="A", method="manual", into="shoe") == (law,)
    usual = TestTable(game).play_on(without=["shuffle"])
    assert law in usual.refused("shuffle", SHUFFLER, deck="A", method="automated", device="S-1", into="shoe")
    table = TestTable(game, DIRECT).play_on(without=["shuffle"])
    table.do("shuffle", SHUFFLER, deck="A", method="automated", device="S-1", into="shoe")
    assert table.state.decks["A"].place is Place.PLAY
    table.betting(2, main="$10").play_on(Phase.DEALING)
    assert not {"square", "cut", "load"} & set(table.steps())


# --- whether the deck is cut ----------------------------------------------------------------------


@by_chapter(pa575="pa575.5.b.1", pa659a="pa659a.5.b.1", pa670a="pa670a.5.b.1")
@pytest.mark.parametrize("changes", [BY_HAND, AUTOMATED])
def test_a_deck_that_a_device_shuffled_is_dealt_without_a_cut(game: str, law: str, changes: Changes) -> None:
    table = TestTable(game, changes).dealing(2, main="$10")
    steps = table.steps()
    assert "cut" not in steps
    assert steps.index("shuffle") < steps.index("no_more_bets") < steps.index("draw_number")
    assert table.state.round.dealt == 1


@by_chapter(pa575="pa575.5.b.1", pa659a="pa659a.5.b.1", pa670a="pa670a.5.b.1")
@pytest.mark.parametrize("changes", [BY_HAND, AUTOMATED])
def test_a_deck_that_a_device_shuffled_may_not_be_cut(game: str, law: str, changes: Changes) -> None:
    table = TestTable(game, changes).opened().play_on(without=["load"])
    if game == "pa-670a":
        table.do("place_cover", deck="A")
    assert table.refused("cut", deck="A", depth=20) == (law,)
    table.play_on()
    assert table.state.decks["A"].has("loaded")


def test_670a_the_cut_of_a_deck_that_a_device_shuffled_is_not_offered() -> None:
    table = TestTable("pa-670a").opened().seat((2,)).play_on(without=["load"])
    table.do("place_cover", deck="A")
    table.refused("offer_cut", at=2, deck="A")


@by_chapter(pa575="pa575.5.b.2", pa659a="pa659a.5.b.2", pa670a="pa670a.5.b.2")
def test_a_deck_shuffled_by_hand_is_cut_before_the_deal(game: str, law: str) -> None:
    table = TestTable(game, MANUAL).betting(2, main="$10").play_on(without=["cut"])
    assert law in table.refused("deal")
    table.refused("load", deck="A")
    table.refused("no_more_bets")
    table.play_on(Phase.DEALING)
    assert table.steps().count("cut") == 1


@by_chapter(pa575="pa575.5.b.2", pa659a="pa659a.5.b.2", pa670a="pa670a.5.b.x.preshuffled")
def test_a_deck_that_came_shuffled_is_cut_before_the_deal(game: str, law: str) -> None:
    table = preshuffled(game, reshuffled_by="manual").play_on(without=["cut"])
    assert law in table.refused("deal")
    table.refused("load", deck="A")
    table.play_on(Phase.DEALING)
    assert table.steps().count("cut") == 1


@clause("pa670a.5.b.x.preshuffled")
def test_670a_a_deck_that_came_shuffled_by_a_device_is_not_cut() -> None:
    table = preshuffled("pa-670a", reshuffled_by="automated").play_on(without=["load"])
    table.do("place_cover", deck="A")
    table.refused("offer_cut", at=2, deck="A")
    table.refused("cut", deck="A", depth=20)
    table.play_on(Phase.DEALING)
    assert "cut" not in table.steps()
    unknown = preshuffled("pa-670a").play_on(without=["cut"])
    assert "pa670a.5.b.x.preshuffled" in unknown.refused("deal")


@pytest.mark.parametrize("game", ["pa-575", "pa-659a"])
def test_before_670a_a_deck_that_came_shuffled_is_cut_whoever_shuffled_it(game: str) -> None:
    table = preshuffled(game, reshuffled_by="automated").play_on(Phase.DEALING)
    assert table.steps().count("cut") == 1


# --- the cut --------------------------------------------------------------------------------------


@by_chapter(pa575="pa575.5.c.s1", pa659a="pa659a.5.c.s1")
def test_the_cut_is_ten_cards_deep_and_leaves_a_card_below(game: str, law: str) -> None:
    for depth, fine in ((9, False), (10, True), (11, True), (52, True), (53, False)):
        table = TestTable(game, MANUAL).opened().play_on(without=["cut"])
        before = order_of(table, "A")
        if not fine:
            table.refused("cut", deck="A", depth=depth)
            continue
        (event,) = table.do("cut", deck="A", depth=depth)
        assert event.clauses == (law,)
        assert order_of(table, "A") == before[depth:] + before[:depth]
    table.refused("cut", player(2), 2, deck="A", depth=20)


@pytest.mark.parametrize(("game", "law"), [("pa-575", "pa575.5.c.s1"), ("pa-659a", "pa659a.5.c.s1")])
def test_a_cut_too_shallow_is_refused_by_the_clause_that_says_ten(game: str, law: str) -> None:
    table = TestTable(game, MANUAL).opened().play_on(without=["cut"])
    assert law in table.refused("cut", deck="A", depth=9)


@by_chapter(pa575="pa575.5.c.s2", pa659a="pa659a.5.c.s2")
def test_the_cards_above_the_cut_go_to_the_bottom(game: str, law: str) -> None:
    table = TestTable(game, MANUAL).opened().play_on(without=["cut"])
    before = order_of(table, "A")
    table.do("cut", deck="A", depth=10)
    assert order_of(table, "A") == (*before[10:], *before[:10]), law


@pytest.mark.clause("pa670a.5.e.s1")
def test_670a_the_cut_is_at_least_ten_cards_from_both_ends() -> None:
    for depth, fine in ((9, False), (10, True), (43, True), (44, False)):
        table = TestTable("pa-670a", MANUAL).opened().play_on(without=["cut"])
        if fine:
            table.do("cut", deck="A", depth=depth)
        else:
            assert "pa670a.5.e.s1" in table.refused("cut", deck="A", depth=depth)


@by_chapter(pa575="pa575.5.c.s3", pa659a="pa659a.5.c.s3", pa670a="pa670a.5.e.s5")
def test_after_the_cut_the_starting_position_is_found_before_the_deal(game: str, law: str) -> None:
    table = TestTable(game, MANUAL).betting(2, main="$10").play_on(without=["load"])
    table.refused("no_more_bets")
    (event,) = table.do("load", deck="A")
    assert table.state.decks["A"].place is Place.PLAY
    assert game == "pa-670a" or law in event.clauses
    table.play_on(without=["draw_number"])
    assert law in table.refused("deal")
    table.do("draw_number", GENERATOR, number=4)
    table.do("deal", cards=1)


@by_chapter(pa575="pa575.5.d", pa659a="pa659a.5.d", pa670a="pa670a.5.f.s1")
@pytest.mark.parametrize("who", [FLOOR, MANAGER])
def test_between_cut_and_deal_the_floor_may_order_another_cut(game: str, law: str, who: Actor) -> None:
    table = TestTable(game, MANUAL).betting(2, main="$10").play_on(without=["cut"])
    assert law in table.refused("recut", who, deck="A", reason="too shallow")
    table.play_on(without=["no_more_bets"])
    before = order_of(table, "A")
    assert law in table.refused("recut", DEALER, deck="A", reason="too shallow")
    table.refused("recut", who, deck="A", reason=" ")
    (event,) = table.do("recut", who, deck="A", reason="cards exposed")
    assert (event.by, event.clauses, value_of(event, "reason")) == (who, (law,), "cards exposed")
    table.refused("no_more_bets")
    table.play_on(without=["no_more_bets"])
    assert table.steps().count("cut") == 2
    assert order_of(table, "A") == before[26:] + before[:26]
    table.play_on(without=["deal"]).do("deal", cards=1)
    assert law in table.refused("recut", who, deck="A", reason="too late")


@pytest.mark.parametrize("game", GAMES)
def test_a_recut_may_be_ordered_until_the_first_card(game: str) -> None:
    table = TestTable(game, MANUAL).starting(2, main="$10").play_on(without=["deal"])
    before = order_of(table)
    table.do("recut", FLOOR, deck="A", reason="cards exposed")
    table.refused("deal")
    table.play_on(without=["deal"])
    assert order_of(table) == before[26:] + before[:26]
    table.do("deal", cards=1)
    table.refused("recut", FLOOR, deck="A", reason="too late")

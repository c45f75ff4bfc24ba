"""A deck's life is one path: nothing is done out of its order, and what is undone leaves no mark."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.rounds.deck_life import LIFE, PATH, has_come_to
from houseway.rounds.live import due_moves
from houseway.rounds.marks import DeckMark, RoundMark
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase, Place
from houseway.rounds.step import Actor
from houseway.rounds.steps import STEPS
from tests.games.support import Changes
from tests.rounds.california import Cardroom, person
from tests.rounds.commands import value_of
from tests.rounds.table import (
    AUTOMATED,
    BY_HAND,
    DEALER,
    FLOOR,
    GENERATOR,
    MANUAL,
    SHAKER,
    TestTable,
    by_chapter,
    player,
    setting,
)
from tests.rounds.test_idle_and_devices import jammed_shoe
from tests.rounds.test_typed_entry import SET, enter, to_players

GAMES = ("pa-575", "pa-659a", "pa-670a")
WAYS = {"manual_shoe": MANUAL, "hand": BY_HAND, "automated_shoe": AUTOMATED}
ON_THE_TABLE = ("view_spread", "turn_down", "wash", "stack", "square", "verify_inspection")
STRANGER = Actor("Sid", Role.PLAYER)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_a_deck_in_place_is_not_spread_washed_or_stacked_again(game: str, way: str) -> None:
    table = TestTable(game, WAYS[way]).betting(2, main="$10").play_on(without=["no_more_bets"])
    assert table.state.decks["A"].has(DeckMark.LOADED)
    for step in (*ON_THE_TABLE, "spread_deck"):
        for by in (DEALER, player(2)):
            table.refused(step, by, deck="A")


@pytest.mark.parametrize("game", GAMES)
def test_a_deck_in_the_shuffler_is_not_handled_on_the_table(game: str) -> None:
    table = TestTable(game, AUTOMATED).opened(without=["load"])
    assert table.state.decks["A"].place is Place.SHUFFLER
    for step in ("spread_deck", "view_spread", "turn_down", "wash", "stack"):
        table.refused(step, deck="A")


@pytest.mark.parametrize("game", GAMES)
def test_a_deck_off_the_table_is_neither_inspected_nor_verified(game: str) -> None:
    table = TestTable(game).play_on(without=["inspect_deck"])
    table.do("inspect_deck", deck="A", defects="a bent corner")
    for step in ("inspect_deck", "verify_inspection", "spread_deck"):
        reasons = {problem.reason for problem in table.problems(step, deck="A")}
        assert "the deck is off the table" in reasons and "the deck is spread already" not in reasons


@pytest.mark.parametrize("game", ["pa-670a"])
def test_cover_cards_stay_where_they_are_once_the_deck_is_in_place(game: str) -> None:
    table = TestTable(game, MANUAL).starting(2, main="$10").play_on(without=["deal"])
    assert table.state.round.start is not None
    table.refused("place_cover", deck="A")
    table.refused("move_cover", deck="A")
    table.refused("spare_cover", deck="A", spare="rack")


@by_chapter(pa575="pa575.4.b.s3", pa659a="pa659a.4.b.s3", pa670a="pa670a.4.b.s4")
def test_the_cards_lie_spread_until_a_first_player_arrives_who_may_look(game: str, law: str) -> None:
    table = TestTable(game).play_on(without=["view_spread"])
    for by in (DEALER, STRANGER):
        assert law in table.refused("view_spread", by, deck="A")
    table.do("sit", player(3), 3)
    table.do("sit", player(2), 2)
    assert law in table.refused("view_spread", player(2), deck="A")
    table.do("view_spread", player(3), deck="A")
    assert table.play_on(Phase.BETTING).state.phase is Phase.BETTING


@pytest.mark.parametrize("game", GAMES)
def test_the_dealer_notes_that_the_first_player_had_the_chance_to_look(game: str) -> None:
    table = TestTable(game).play_on(without=["view_spread"]).seat((4,))
    table.do("view_spread", deck="A")
    table.do("turn_down", deck="A")


@pytest.mark.parametrize("game", GAMES)
def test_after_an_idle_spread_nobody_looks_but_who_arrives(game: str) -> None:
    table = TestTable(game, MANUAL).opened().later(hours=1)
    table.do("idle_spread")
    table.refused("view_spread", deck="A")
    table.refused("view_spread", STRANGER, deck="A")
    table.do("sit", player(5), 5)
    table.do("view_spread", player(5), deck="A")


@pytest.mark.parametrize("game", GAMES)
def test_fresh_dice_undo_the_roll_of_the_ones_before_them(game: str) -> None:
    table = TestTable(game, SHAKER).starting(2, main="$10").play_on(without=["announce_total"])
    assert table.state.round.has(RoundMark.UNCOVERED)
    table.do("place_dice")
    assert not table.state.round.dice and not table.state.round.has(RoundMark.UNCOVERED)
    table.refused("announce_total")
    assert table.play_on(Phase.SETTING).state.phase is Phase.SETTING


@pytest.mark.parametrize("out", [-1, 4])
def test_no_more_dice_lie_outside_than_there_are(out: int) -> None:
    table = TestTable("pa-659a", SHAKER).starting(2, main="$10").play_on(without=["uncover"])
    table.refused("uncover", out=out)
    table.do("uncover", out=3)


@by_chapter(pa575="pa575.13.n", pa659a="pa659a.13.n", pa670a="pa670a.13.n")
def test_a_shoe_that_is_signed_out_of_order_is_not_dealt_from_again(game: str, law: str) -> None:
    table = jammed_shoe(game, cards=10).play_on(without=["load"])
    table.do("sign_out_of_order", FLOOR, device="shoe", how="sign")
    table.do("change_dealing", FLOOR, dealing="manual_shoe")
    assert law in table.refused("change_dealing", FLOOR, dealing="automated_shoe")


@pytest.mark.parametrize("game", GAMES)
def test_every_step_of_a_decks_life_is_one_of_the_game_and_its_marks_lie_on_the_path(game: str) -> None:
    for step, passage in LIFE.items():
        assert step in STEPS
        assert passage.before is None or passage.before in PATH, step
    deck = TestTable(game).opened().state.decks["A"]
    assert has_come_to(deck, DeckMark.SHUFFLED) and not has_come_to(deck, DeckMark.SQUARED)


# --- in turn ------------------------------------------------------------------------------------------


@by_chapter(pa575="pa575.11.e.s1", pa659a="pa659a.11.e.s1", pa670a="pa670a.11.e.s1")
def test_hands_are_read_in_turn(game: str, law: str) -> None:
    table = to_players(game, {2: {}, 4: {}})
    assert law in table.refused("enter_hand", at=4, setting=setting(SET[game][4]))
    enter(table, 2, SET[game][2]).play_on(without=["enter_hand"])
    table.do("enter_hand", at=4, setting=setting(SET[game][4]))


@pytest.mark.parametrize("game", ["pa-575", "pa-659a"])
def test_a_hand_that_the_dealer_has_read_is_surrendered_no_more(game: str) -> None:
    table = to_players(game, {2: {}, 4: {}})
    assert not any(problem.blocks for problem in table.problems("surrender", player(2), 2))
    table.do("enter_hand", at=2, setting=setting(SET[game][2]))
    table.refused("surrender", player(2), 2)
    table.do("confirm_entry", at=2)
    table.refused("surrender", player(2), 2)


@pytest.mark.parametrize("game", GAMES)
def test_hands_in_the_discard_rack_need_not_be_counted_again(game: str) -> None:
    table = TestTable(game).setting(2, 3, main="$10")
    size = table.rules.game.hand_cards
    assert table.refused("count_hands", counts={2: size}) == ()
    table.do("count_hands", counts={1: size, 2: size, 3: size})


# --- what nobody fills in -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "changes", "step", "by", "named"),
    [
        ("pa-659a", SHAKER, "uncover", DEALER, {"dice": (6, 6, 6)}),
        ("pa-659a", {}, "draw_number", GENERATOR, {"number": 4}),
        ("pa-575", {}, "draw_number", DEALER, {"number": 4}),
        ("wa-fap", {}, "press_start", DEALER, {"number": 4}),
        ("pa-575", MANUAL, "load", DEALER, {"deck": "A", "hand": "left"}),
    ],
)
def test_nobody_names_at_a_virtual_table_what_chance_or_the_table_gives(
    game: str, changes: Changes, step: str, by: Actor, named: dict[str, Any]
) -> None:
    table = TestTable(game, changes).betting(2, main="$10").play_on(without=[step])
    reasons = {problem.reason for problem in table.problems(step, by, **named)}
    assert any(reason.endswith("is not filled in here: nobody asks for it now") for reason in reasons)
    table.refused(step, by, **named)
    assert not table.problems(step, by, **{name: named[name] for name in named if name == "deck"})


def test_the_player_dealer_does_not_name_the_dice_of_a_virtual_table() -> None:
    room = Cardroom().banks(6).bets(2, 4, main="$20").closed()
    room.refused("shake_dice", person(6), 6, dice=(1, 1, 1))
    (event,) = room.say("shake_dice", person(6), 6)
    assert len(value_of(event, "faces")) == 3


@pytest.mark.parametrize("game", (*GAMES, "wa-fap"))
def test_every_move_that_the_table_suggests_carries_only_what_is_asked_for(game: str) -> None:
    table = TestTable(game).betting(2, 3, main="$10")
    while table.state.rounds == 0:
        for move in due_moves(table.rules, table.live.table):
            reasons = [problem.reason for problem in table.live.verify(move.by, move.action)]
            assert not [reason for reason in reasons if "nobody asks for it now" in reason], move
        due = table.live.due()
        assert due is not None
        table.live.do(due.by, due.action)

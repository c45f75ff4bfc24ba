"""Corners that random play came to: no round gets stuck, no card comes twice, what is wrong is refused."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from houseway.cards import parse_cards
from houseway.money import Cents
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor
from tests.games.support import Changes
from tests.rounds.books import recorded
from tests.rounds.play.drive import PENNSYLVANIA
from tests.rounds.table import AUTOMATED, DEALER, FLOOR, MANUAL, SHOE, SHUFFLER, TestTable, money, player

every_game = pytest.mark.parametrize("game", PENNSYLVANIA)


@every_game
def test_a_card_exposed_of_a_player_who_left_and_plays_on_does_not_stop_the_round(game: str) -> None:
    floor = TestTable(game, MANUAL).setting(2, 3, main="$10")
    floor.do("leave", player(3), 3)
    floor.do("rule_abandoned", FLOOR, 3, lost=False, reason="his cards are played")
    floor.do("expose_card", DEALER, 3)
    floor.play_on(rounds=1)
    assert floor.table.rounds == 1


def test_a_player_who_was_offered_the_cut_may_leave() -> None:
    floor = TestTable("pa-670a", MANUAL).opened(without=["offer_cut"]).seat((2, 3)).play_on(without=["cut"])
    assert floor.table.decks["A"].offered == 2
    floor.do("leave", player(2), 2)
    assert floor.live.due() is not None
    floor.bet(3, main="$10").play_on(rounds=1)
    assert floor.table.rounds == 1


def to_be_cut_again(game: str) -> TestTable:
    """Return a round whose deck was taken out of the shoe before the first card, to be cut again."""
    floor = TestTable(game, MANUAL).starting(2, 3, main="$10").play_on(without=["deal"])
    floor.do("recut", FLOOR, deck="A", reason="badly cut")
    return floor


@pytest.mark.parametrize("step", ["boxed_card", "draw_early"])
@every_game
def test_no_card_is_found_face_up_or_drawn_while_no_deck_is_loaded(game: str, step: str) -> None:
    to_be_cut_again(game).refused(step)


@every_game
def test_the_shuffler_does_not_fail_on_a_deck_that_is_not_in_it(game: str) -> None:
    floor = TestTable(game, {**MANUAL, "table.shuffler": "automated"}).opened().seat((2,))
    floor.do("remove_deck", FLOOR, deck="A")
    floor.do("receive_deck", deck="P", preshuffled="(u)", reshuffled_by="manual")
    floor.bet(2, main="$10").play_on(Phase.STARTING).play_on(without=["deal"])
    floor.do("recut", FLOOR, deck="P", reason="badly cut")
    floor.refused("shuffler_fault", SHUFFLER, deck="P")


@every_game
def test_a_card_found_face_up_is_not_dealt_again_after_a_recut(game: str) -> None:
    floor = TestTable(game, MANUAL).starting(2, 3, main="$10").play_on(without=["deal"])
    floor.do("boxed_card")
    aside = next(racked.cards for racked in floor.table.rack if racked.what == "found face up")
    if not floor.problems("recut", FLOOR, deck="A", reason="badly cut"):
        floor.do("recut", FLOOR, deck="A", reason="badly cut")
    floor.play_on(Phase.SETTING)
    assert floor.table.phase is Phase.SETTING and not set(aside) & set(floor.table.round.drawn)
    assert aside and floor.table.round.stub == floor.rules.game.stub - 1


@pytest.mark.parametrize(
    ("game", "readings"),
    [("pa-659a", {"void_reverses_meter": "keep"}), ("pa-670a", {"six_void_reverses_meter": "keep"})],
)
def test_a_round_void_before_the_chips_are_counted_can_be_written_down(
    game: str, readings: dict[str, str]
) -> None:
    floor = TestTable(game, {**AUTOMATED, "readings": readings}).starting(2, main="$10", progressive="$1")
    floor.do("shoe_fault", SHOE)
    assert floor.table.last is not None and floor.live.record is not None
    recorded(floor.live.record)


def test_who_has_cut_cannot_decline_the_cut_afterwards() -> None:
    floor = (
        TestTable("pa-670a", MANUAL)
        .opened(without=["offer_cut"])
        .seat((2, 3))
        .play_on(without=["move_cover"])
    )
    assert floor.table.decks["A"].has("cut")
    floor.refused("decline_cut", player(2), 2, deck="A")


def test_a_double_down_of_nothing_is_refused() -> None:
    floor = TestTable("pa-670a").setting(2, main="$10").play_on(without=["set"])
    assert "pa670a.7.e.1" in floor.refused("double_down", player(2), 2, amount=Cents(0))


@every_game
@pytest.mark.parametrize("left", [-1, 54, 10**9])
def test_no_deck_has_so_many_cards_left(game: str, left: int) -> None:
    floor = TestTable(game).dealing(2, cards=1, main="$10")
    floor.do("deal")
    floor.refused("count_stub", left=left)


@every_game
@pytest.mark.parametrize("position", ["3", 3.0, [3]])
def test_a_position_is_a_whole_number(game: str, position: Any) -> None:
    floor = TestTable(game).opened()
    floor.refused("sit", Actor("Cleo", player(4).role), position)
    floor.seat((3,))
    floor.refused("wager", player(3), position, wagers=money(main="$10"))
    floor.refused("look", player(3), position)
    floor.refused("expose_card", DEALER, position)


NO_CARDS: tuple[Any, ...] = ((1, 2), (None,))
STRANGE: tuple[Any, ...] = (("As", "Kd"), ((1,), (2,)), (parse_cards("As Ks"),))
ESCAPES: list[tuple[str, Changes]] = [
    ("inspect_deck", {"deck": []}),
    ("load", {"deck": {}}),
    ("open_table", {"checklist": ([],)}),
    ("wager", {"wagers": {"lottery": Cents(500)}}),
    ("wager", {"wagers": {7: Cents(500)}}),
    ("place_lammers", {"positions": (1, "a")}),
    ("reveal", {"parts": ([],)}),
    *((step, {"setting": cards}) for step in ("set", "set_dealer", "enter_hand") for cards in NO_CARDS),
    *(("set_dealer", {"setting": cards}) for cards in STRANGE),
]
REFUSED: list[tuple[str, Changes]] = [
    ("wager", {"wagers": {"main": "ten"}}),
    ("wager", {"wagers": {"main": Cents(-1)}}),
    ("deal", {"read": (1, "a")}),
    *((step, {"setting": cards}) for step in ("set", "enter_hand") for cards in STRANGE),
]
UNREADABLE = [
    *(pytest.param(*one, id=f"{one}") for one in ESCAPES),
    *(pytest.param(*one, id=f"{one}") for one in REFUSED),
]


@pytest.mark.parametrize(("step", "details"), UNREADABLE)
def test_what_cannot_be_read_is_refused_whenever_it_comes(step: str, details: Changes) -> None:
    by = player(2) if step in ("wager", "set") else DEALER
    for game, phase in product(PENNSYLVANIA, (Phase.BETTING, Phase.STARTING, Phase.SETTING, Phase.DEALER)):
        table_in(game, phase).refused(step, by, 2, **details)


def table_in(game: str, phase: Phase) -> TestTable:
    floor = TestTable(game).betting(2, 3, main="$10")
    return floor.play_on(phase)

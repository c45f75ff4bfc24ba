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
    table = TestTable(game, MANUAL).setting(2, 3, main="$10")
    table.do("leave", player(3), 3)
    table.do("rule_abandoned", FLOOR, 3, lost=False, reason="his cards are played")
    table.do("expose_card", DEALER, 3)
    table.play_on(rounds=1)
    assert table.state.rounds == 1


def test_a_player_who_was_offered_the_cut_may_leave() -> None:
    table = TestTable("pa-670a", MANUAL).opened(without=["offer_cut"]).seat((2, 3)).play_on(without=["cut"])
    assert table.state.decks["A"].offered == 2
    table.do("leave", player(2), 2)
    assert table.live.due() is not None
    table.bet(3, main="$10").play_on(rounds=1)
    assert table.state.rounds == 1


def to_be_cut_again(game: str) -> TestTable:
    """Return a round whose deck was taken out of the shoe before the first card, to be cut again."""
    table = TestTable(game, MANUAL).starting(2, 3, main="$10").play_on(without=["deal"])
    table.do("recut", FLOOR, deck="A", reason="badly cut")
    return table


@pytest.mark.parametrize("step", ["boxed_card", "draw_early"])
@every_game
def test_no_card_is_found_face_up_or_drawn_while_no_deck_is_loaded(game: str, step: str) -> None:
    to_be_cut_again(game).refused(step)


@every_game
def test_the_shuffler_does_not_fail_on_a_deck_that_is_not_in_it(game: str) -> None:
    table = TestTable(game, {**MANUAL, "table.shuffler": "automated"}).opened().seat((2,))
    table.do("remove_deck", FLOOR, deck="A")
    table.do("receive_deck", deck="P", preshuffled="(u)", reshuffled_by="manual")
    table.bet(2, main="$10").play_on(Phase.STARTING).play_on(without=["deal"])
    table.do("recut", FLOOR, deck="P", reason="badly cut")
    table.refused("shuffler_fault", SHUFFLER, deck="P")


@every_game
def test_a_card_found_face_up_is_not_dealt_again_after_a_recut(game: str) -> None:
    table = TestTable(game, MANUAL).starting(2, 3, main="$10").play_on(without=["deal"])
    table.do("boxed_card")
    aside = next(racked.cards for racked in table.state.rack if racked.what == "found face up")
    if not table.problems("recut", FLOOR, deck="A", reason="badly cut"):
        table.do("recut", FLOOR, deck="A", reason="badly cut")
    table.play_on(Phase.SETTING)
    assert table.state.phase is Phase.SETTING and not set(aside) & set(table.state.round.drawn)
    assert aside and table.state.round.stub == table.rules.game.stub - 1


@pytest.mark.parametrize(
    ("game", "readings"),
    [("pa-659a", {"void_reverses_meter": "keep"}), ("pa-670a", {"six_void_reverses_meter": "keep"})],
)
def test_a_round_void_before_the_chips_are_counted_can_be_written_down(
    game: str, readings: dict[str, str]
) -> None:
    table = TestTable(game, {**AUTOMATED, "readings": readings}).starting(2, main="$10", progressive="$1")
    table.do("shoe_fault", SHOE)
    assert table.state.last is not None and table.live.record is not None
    recorded(table.live.record)


def test_who_has_cut_cannot_decline_the_cut_afterwards() -> None:
    table = (
        TestTable("pa-670a", MANUAL)
        .opened(without=["offer_cut"])
        .seat((2, 3))
        .play_on(without=["move_cover"])
    )
    assert table.state.decks["A"].has("cut")
    table.refused("decline_cut", player(2), 2, deck="A")


def test_a_double_down_of_nothing_is_refused() -> None:
    table = TestTable("pa-670a").setting(2, main="$10").play_on(without=["set"])
    assert "pa670a.7.e.1" in table.refused("double_down", player(2), 2, amount=Cents(0))


@every_game
@pytest.mark.parametrize("left", [-1, 54, 10**9])
def test_no_deck_has_so_many_cards_left(game: str, left: int) -> None:
    table = TestTable(game).dealing(2, cards=1, main="$10")
    table.do("deal")
    table.refused("count_stub", left=left)


@every_game
@pytest.mark.parametrize("position", ["3", 3.0, [3]])
def test_a_position_is_a_whole_number(game: str, position: Any) -> None:
    table = TestTable(game).opened()
    table.refused("sit", Actor("Cleo", player(4).role), position)
    table.seat((3,))
    table.refused("wager", player(3), position, wagers=money(main="$10"))
    table.refused("look", player(3), position)
    table.refused("expose_card", DEALER, position)


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
    table = TestTable(game).betting(2, 3, main="$10")
    return table.play_on(phase)

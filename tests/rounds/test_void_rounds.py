"""After a void round, whatever voided it: everybody as before, and the next round on a reshuffled deck."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from houseway.rounds.state import CardOrigin, Phase, Place
from tests.games.support import Changes
from tests.rounds.books import dollars, net_of_rounds, void_event
from tests.rounds.commands import value_of
from tests.rounds.pennsylvania import EVERY_WAGER, START
from tests.rounds.table import (
    AUTOMATED,
    BY_HAND,
    DEALER,
    FLOOR,
    GENERATOR,
    MANUAL,
    SHOE,
    TWO_DECKS,
    TestTable,
    order_of,
    player,
)

BETS = (2, 3, 4)
WAYS: dict[str, Changes] = {"manual_shoe": MANUAL, "hand": BY_HAND, "automated_shoe": AUTOMATED}
EXPOSURE_VOIDS_IN = {"pa-575": "hand", "pa-659a": "hand", "pa-670a": "automated_shoe"}
"""The way of dealing in which any exposed card voids the round."""


def prepared(game: str, changes: Changes, source: CardOrigin = CardOrigin.VIRTUAL_DECK) -> TestTable:
    """Play until the first card may be dealt, to position 4, with every wager on the layout."""
    table = TestTable(game, changes, source=source).starting(*BETS, **EVERY_WAGER[game])
    table.play_on(without=[*START, "deal"])
    table.do("draw_number", GENERATOR, number=4)
    return table


def counts(table: TestTable, **wrong: int) -> dict[int, int]:
    """Return the count of a proper deal but for some positions: ``counts(table, p3=1)``, one card more."""
    found = dict.fromkeys(range(1, 8), table.state.rules.game.hand_cards)
    for name, more in wrong.items():
        found[int(name[1:])] += more
    return found


def wrong_start(table: TestTable) -> None:
    table.do("deal", cards=1, first_to=5)


def dealer_exposed_in_the_deal(table: TestTable) -> None:
    table.do("deal", cards=7 * table.state.rules.game.hand_cards - 1)
    table.do("expose_card", DEALER, 1)


def dealer_exposed_after_the_deal(table: TestTable) -> None:
    table.play_on(Phase.SETTING)
    table.do("look", player(2), 2)
    table.do("expose_card", DEALER, 1)


def any_exposed(table: TestTable) -> None:
    table.do("deal", cards=7 * table.state.rules.game.hand_cards - 1)
    table.do("expose_card", DEALER, 3)


def face_up_twice(table: TestTable) -> None:
    table.do("boxed_card")
    if table.state.phase is not Phase.BETTING:  # in a stack of the automated shoe one is enough
        table.do("deal", cards=1)
        table.do("boxed_card")


def misdealt(table: TestTable) -> None:
    table.do("deal")
    table.do("count_stub", left=table.state.rules.game.stub + 1)
    table.do("count_hands", counts=counts(table, p3=-1))


def misdealt_found_late(table: TestTable) -> None:
    table.play_on(Phase.DEALER)
    table.do("count_hands", counts=counts(table, p6=1, p2=-1))


def wrong_remainder(table: TestTable) -> None:
    table.do("deal")
    table.do("count_stub", left=table.state.rules.game.stub - 1)
    table.do("count_hands", counts=counts(table))


def shoe_failed(table: TestTable) -> None:
    table.do("deal", cards=20)
    table.do("shoe_fault", SHOE)


Irregular = Callable[[TestTable], None]
ANYWHERE: list[Irregular] = [
    wrong_start,
    dealer_exposed_in_the_deal,
    dealer_exposed_after_the_deal,
    face_up_twice,
    misdealt,
    misdealt_found_late,
    wrong_remainder,
]
CASES = [(game, way, irregular) for game in EVERY_WAGER for way in WAYS for irregular in ANYWHERE]
CASES += [(game, EXPOSURE_VOIDS_IN[game], any_exposed) for game in EVERY_WAGER]
CASES += [(game, "automated_shoe", shoe_failed) for game in EVERY_WAGER]


@pytest.mark.parametrize(
    ("game", "way", "irregular"),
    [pytest.param(*case, id=f"{case[0]}-{case[1]}-{case[2].__name__}") for case in CASES],
)
def test_everybody_is_as_before_and_the_next_round_is_played_on_a_reshuffled_deck(
    game: str, way: str, irregular: Irregular
) -> None:
    table = prepared(game, WAYS[way])
    irregular(table)
    why = value_of(void_event(table), "why")
    assert why.clauses and why.reshuffle is not why.deck_removed
    assert set(table.state.seats) == set(BETS)
    for at in BETS:
        table.bet(at, **EVERY_WAGER[game])
    table.refused("no_more_bets")
    table.refused("deal")
    if irregular is wrong_remainder:
        assert table.state.decks["A"].place is Place.REMOVED and not table.state.rack
        table.play_on().refused("no_more_bets")
        table.do("receive_deck", deck="B")
    since = len(table.log)
    table.play_on(rounds=1)
    assert (table.state.rounds, table.state.phase) == (2, Phase.BETTING)
    assert table.state.last is not None and table.state.last.void is None
    assert table.state.last.deck == ("B" if irregular is wrong_remainder else "A")
    steps = [event.step for event in table.log]
    assert steps.index("shuffle", steps.index("void_round")) < steps.index("no_more_bets", since)


@pytest.mark.parametrize("game", EVERY_WAGER)
def test_a_hand_voided_before_the_round_is_void_gets_its_wagers_back_once(game: str) -> None:
    table = prepared(game, MANUAL).play_on(Phase.SETTING)
    table.do("expose_card", DEALER, 3)
    table.do("choose_hand", player(3), 3, choice="void")
    staked = net_of_rounds(table)["player:Bob"]
    table.do("expose_card", DEALER, 1)
    void_event(table)
    assert net_of_rounds(table)["player:Bob"] == staked == net_of_rounds(table)["player:Ann"]


def test_670a_a_void_round_gives_back_what_a_voided_hand_had_lost() -> None:
    table = prepared("pa-670a", {**MANUAL, "readings.six_voided_hand_wagers": "stand"}).play_on(Phase.SETTING)
    table.do("expose_card", DEALER, 3)
    table.do("choose_hand", player(3), 3, choice="void")
    assert "player:Bob" not in net_of_rounds(table)
    table.do("expose_card", DEALER, 1)
    void_event(table)
    assert net_of_rounds(table)["player:Bob"] == net_of_rounds(table)["player:Ann"]


@pytest.mark.parametrize("game", EVERY_WAGER)
def test_when_every_hand_is_voided_the_round_is_over(game: str) -> None:
    table = prepared(game, MANUAL)
    table.do("deal", cards=20)
    for at in BETS:
        table.do("expose_card", DEALER, at)
    for at in BETS:
        assert table.state.phase is Phase.DEALING
        table.do("choose_hand", player(at), at, choice="void")
    assert (table.state.phase, table.steps()[-1]) == (Phase.BETTING, "end_round")
    found = net_of_rounds(table)
    assert not {"inventory", "meter:progressive"} & found.keys()
    assert {found[f"player:{player(at).id}"] for at in BETS} == {
        sum(dollars(amount) for amount in EVERY_WAGER[game].values())
    }
    table.bet(2, main="$10").refused("no_more_bets")
    table.play_on(rounds=1)
    assert table.state.rounds == 2


@pytest.mark.parametrize("game", EVERY_WAGER)
@pytest.mark.parametrize("irregular", [misdealt, wrong_remainder], ids=["misdealt", "wrong_remainder"])
def test_with_two_decks_the_other_one_is_dealt_next(game: str, irregular: Irregular) -> None:
    table = prepared(game, TWO_DECKS)
    irregular(table)
    void_event(table)
    used = table.state.last_deck
    table.bet(2, main="$10").play_on(rounds=1)
    assert table.state.last is not None and table.state.last.void is None
    assert table.state.last.deck not in (None, used)


@pytest.mark.parametrize("game", EVERY_WAGER)
@pytest.mark.parametrize("irregular", [wrong_start, any_exposed, misdealt, wrong_remainder])
def test_a_table_that_does_not_know_its_cards_gives_the_same_back(game: str, irregular: Irregular) -> None:
    way = EXPOSURE_VOIDS_IN[game] if irregular is any_exposed else "manual_shoe"
    table = prepared(game, WAYS[way], CardOrigin.TYPED)
    assert not order_of(table)
    irregular(table)
    void_event(table)


@pytest.mark.parametrize("game", ["pa-659a", "pa-670a"])
def test_a_shoe_that_fails_before_the_progressive_is_counted_costs_the_house_nothing(game: str) -> None:
    table = TestTable(game, AUTOMATED).starting(*BETS, **EVERY_WAGER[game])
    table.do("shoe_fault", SHOE)
    void_event(table)


@pytest.mark.parametrize("game", EVERY_WAGER)
def test_a_wrong_number_of_cards_found_when_hands_are_opened_voids_the_round(game: str) -> None:
    table = prepared(game, MANUAL).play_on(Phase.SETTLING)
    table.do("count_hands", counts=counts(table, p4=1))
    void_event(table)


@pytest.mark.parametrize("game", EVERY_WAGER)
def test_the_choice_of_a_player_who_left_ends_with_the_ruling_of_the_floor(game: str) -> None:
    table = prepared(game, MANUAL).play_on(Phase.SETTING)
    table.do("expose_card", DEALER, 3)
    table.do("leave", player(3), 3)
    table.do("rule_abandoned", FLOOR, 3, lost=True, reason="did not come back")
    table.refused("choose_hand", player(3), 3, choice="void")
    table.play_on(rounds=1, without=["choose_hand"])
    assert table.state.rounds == 1

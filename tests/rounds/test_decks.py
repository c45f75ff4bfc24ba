"""Two decks used in turn, one deck in the rack, and decks changed in time."""

from __future__ import annotations

import pytest

from houseway.rounds.state import Phase, Place
from tests.games.support import Changes
from tests.rounds.california import banked
from tests.rounds.pennsylvania import stacks
from tests.rounds.table import (
    AUTOMATED,
    BY_HAND,
    MANUAL,
    SHUFFLER,
    TWO_DECKS,
    TestTable,
    by_chapter,
    order_of,
)

clause = pytest.mark.clause
GAMES = ("pa-575", "pa-659a", "pa-670a")


def after_a_round(game: str, changes: Changes | None = None) -> TestTable:
    """Play one round, after which the cards lie in the rack."""
    return TestTable(game, changes).betting(2, main="$10").play_on(rounds=1)


def again(table: TestTable) -> TestTable:
    """Bet again and go on until no more bets."""
    return table.bet(2, main="$10").play_on(Phase.STARTING)


# --- two decks ------------------------------------------------------------------------------------


@by_chapter(pa575="pa575.3.b.2", pa659a="pa659a.3.b.2", pa670a="pa670a.3.b.2")
def test_while_one_deck_is_in_play_the_other_is_in_the_shuffler(game: str, law: str) -> None:
    table = TestTable(game, TWO_DECKS).opened().play_on(without=["load"])
    table.do("load", deck="A")
    assert table.refused("load", deck="B") == (law,)
    places = {name: deck.place for name, deck in table.state.decks.items()}
    assert places == {"A": Place.PLAY, "B": Place.SHUFFLER}
    table = after_a_round(game, TWO_DECKS).play_on(without=["shuffle"])
    assert law in table.refused("load", deck="B")
    table.play_on()
    assert {name: deck.place for name, deck in table.state.decks.items()} == {
        "A": Place.SHUFFLER,
        "B": Place.PLAY,
    }


@by_chapter(pa575="pa575.3.b.3", pa659a="pa659a.3.b.3", pa670a="pa670a.3.b.3")
def test_two_decks_are_used_in_turn(game: str, law: str) -> None:
    table, used = TestTable(game, TWO_DECKS).opened().seat((2,)), []
    for _ in range(4):
        used.append(again(table).state.round.deck)
        table.play_on(rounds=1)
    assert used == ["A", "B", "A", "B"]
    table.play_on(without=["load"])
    assert table.refused("load", deck="B") == (law,)
    table.do("load", deck="A")
    assert again(table).state.round.deck == "A"


@by_chapter(pa575="pa575.3.b.3", pa659a="pa659a.3.b.3", pa670a="pa670a.3.b.3")
def test_a_table_of_two_decks_does_not_play_on_with_one(game: str, law: str) -> None:
    table = after_a_round(game, TWO_DECKS)
    table.do("remove_deck", deck="B", reason="a marked card")
    table.play_on(without=["load", "receive_deck"])
    assert law in table.refused("load", deck="A")
    table.bet(2, main="$10").refused("no_more_bets")
    table.do("receive_deck", deck="C")
    again = table.play_on(Phase.STARTING)
    assert again.state.round.deck == "C"
    again.play_on(rounds=1)
    assert table.bet(2, main="$10").play_on(Phase.STARTING).state.round.deck == "A"


@pytest.mark.parametrize("game", GAMES)
def test_the_other_of_two_decks_may_be_dealt_once_before_the_new_one_is_there(game: str) -> None:
    table = after_a_round(game, TWO_DECKS).play_on()
    table.do("remove_deck", deck="A", reason="a marked card")
    assert again(table).state.round.deck == "B"


@pytest.mark.parametrize("game", GAMES)
def test_without_its_shuffler_a_table_of_two_decks_is_played_with_one(game: str) -> None:
    table = TestTable(game, TWO_DECKS).dealing(2, main="$10")
    table.do("shuffler_fault", SHUFFLER, deck="B")
    table.do("sign_out_of_order", device="shuffler", how="sign")
    table.play_on(without=["shuffle", "close_round"]).do("close_round")
    table.do("remove_deck", deck="B", reason="the shuffler holds it")
    assert again(table).state.round.deck == "A"


@pytest.mark.parametrize("game", GAMES)
def test_two_decks_are_used_in_turn_even_if_the_shuffler_loads_the_shoe(game: str) -> None:
    table = after_a_round(game, TWO_DECKS | {"table.direct_to_shoe": True})
    assert table.state.last_deck == "A"
    table.refused("shuffle", SHUFFLER, deck="A", method="automated", device="S-1", into="shoe")


@by_chapter(pa575="pa575.3.b.4", pa659a="pa659a.3.b.4", pa670a="pa670a.3.b.4")
def test_the_discard_rack_holds_the_cards_of_one_deck(game: str, law: str) -> None:
    table = TestTable(game, TWO_DECKS).settling(2, main="$10").play_on(without=["rack"])
    assert table.state.rack_deck == table.state.round.deck == "A"
    table.force(rack_deck="B")
    assert table.refused("rack", at=2) == (law,)
    table.force(rack_deck="A")
    table.do("rack", at=2)


@pytest.mark.parametrize("game", GAMES)
def test_the_rack_is_emptied_before_the_other_deck_is_dealt(game: str) -> None:
    table = after_a_round(game, TWO_DECKS)
    assert table.state.rack and table.state.rack_deck == "A"
    again(table)
    assert (len(table.state.rack), table.state.round.deck) == (0, "B")


@pytest.mark.parametrize("game", GAMES)
def test_bets_are_not_closed_while_the_rack_holds_cards_of_another_deck(game: str) -> None:
    table = after_a_round(game, TWO_DECKS).bet(2, main="$10")
    full = "the cards in the rack go to the shuffler first"
    assert full in [problem.reason for problem in table.problems("no_more_bets")]
    table.play_on(without=["no_more_bets"])
    assert not table.problems("no_more_bets")


# --- the life of a deck ---------------------------------------------------------------------------


LIVES: list[tuple[str, Changes, int, str]] = [
    ("pa-575", BY_HAND, 4, "pa575.3.c.1"),
    ("pa-575", MANUAL, 8, "pa575.3.c.2"),
    ("pa-575", AUTOMATED, 8, "pa575.3.c.2"),
    ("pa-659a", BY_HAND, 4, "pa659a.3.c.1"),
    ("pa-659a", MANUAL, 8, "pa659a.3.c.2"),
    ("pa-659a", AUTOMATED, 8, "pa659a.3.c.2"),
    ("pa-670a", BY_HAND, 4, "pa670a.3.c.1"),
    ("pa-670a", MANUAL, 8, "pa670a.3.c.2"),
    ("pa-670a", AUTOMATED, 8, "pa670a.3.c.2"),
]


@pytest.mark.parametrize(
    ("game", "changes", "hours", "law"), [pytest.param(*row, marks=clause(row[3])) for row in LIVES]
)
def test_no_round_begins_with_a_deck_that_has_reached_its_life_until_it_is_changed(
    game: str, changes: Changes, hours: int, law: str
) -> None:
    table = TestTable(game, changes).betting(2, main="$10").play_on(without=["no_more_bets"])
    table.later(hours=hours, minutes=-1)
    assert table.problems("no_more_bets") == ()
    for minutes in (1, 1):
        table.later(minutes=minutes)
        assert table.refused("no_more_bets") == (law,)
    table.do("remove_deck", deck="A", reason="time")
    table.do("receive_deck", deck="new")
    table.play_on(Phase.DEALING)
    assert table.state.round.deck == "new"
    assert table.steps().count("inspect_deck") == table.steps().count("shuffle") == 2


@pytest.mark.parametrize(("game", "changes", "hours"), [row[:3] for row in LIVES])
def test_a_round_begun_in_time_is_played_out(game: str, changes: Changes, hours: int) -> None:
    table = TestTable(game, changes).betting(2, main="$10").play_on(without=["no_more_bets"])
    table.later(hours=hours, minutes=-1).do("no_more_bets")
    table.later(minutes=5).play_on(rounds=1)
    assert table.state.rounds == 1


# --- the cards of a deck --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "law"),
    [
        pytest.param("wa-fap", "wa.fap.overview.deck", marks=clause("wa.fap.overview.deck")),
        pytest.param("ca-fpgp", "ca.fpgp.deck.cards", marks=clause("ca.fpgp.deck.cards")),
    ],
)
def test_seven_hands_of_seven_come_from_53_cards_with_one_joker_and_four_are_left(
    game: str, law: str
) -> None:
    if game == "ca-fpgp":
        table: TestTable = banked("$200", {2: {"main": "$20"}}).closed()
        table.play_on(Phase.SETTING)
    else:
        table = TestTable(game).setting(2, main="$10")
    deck = [str(card) for card in order_of(table)]
    assert sorted(deck) == sorted([rank + suit for rank in "23456789TJQKA" for suit in "cdhs"] + ["Jk"]), law
    hands = stacks(table)
    assert {at: len(cards) for at, cards in hands.items()} == dict.fromkeys(range(1, 8), 7)
    assert len(deck) - len({card for cards in hands.values() for card in cards}) == 4

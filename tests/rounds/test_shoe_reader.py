"""A table whose shoe reads the cards: what it has read is what everybody holds."""

from __future__ import annotations

import pytest

from houseway.cards import Cards
from houseway.rounds.dealing import dealing_order
from houseway.rounds.state import CardOrigin, Phase
from tests.games.support import Changes
from tests.rounds.books import agrees_with_settlement, books_closed
from tests.rounds.table import AUTOMATED, BY_HAND, DEALER, GENERATOR, MANUAL, SENSOR, SHOE, TestTable, setting

GAMES = ("pa-575", "pa-659a", "pa-670a")
WAYS: dict[str, Changes] = {"shoe": AUTOMATED, "by hand": BY_HAND, "manual shoe": MANUAL}


def about_to_deal(game: str, changes: Changes, source: CardOrigin = CardOrigin.SHOE_READER) -> TestTable:
    """Play until the cards are to be dealt, the dealer first."""
    table = TestTable(game, changes, source=source).starting(2, 4, main="$10")
    table.play_on(without=["draw_number", "deal"])
    table.do("draw_number", GENERATOR, number=1)
    return table.play_on(without=["deal"])


def deck(table: TestTable) -> Cards:
    """Return the cards in some order."""
    return table.rules.game.cards().cards


def read_all(table: TestTable, device: str = "shoe") -> Cards:
    """Let the reader read the whole deal, seven cards at a time; return what it read."""
    by = SHOE if device == "shoe" else SENSOR
    whole = deck(table)[: 7 * table.rules.game.hand_cards]
    for first in range(0, len(whole), 7):
        table.do("deal", by, cards=7, read=whole[first : first + 7])
    return whole


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("way", WAYS)
def test_the_hands_are_what_the_reader_has_read(game: str, way: str) -> None:
    table = about_to_deal(game, WAYS[way])
    whole, size = read_all(table, way), table.rules.game.hand_cards
    order = dealing_order(1)
    for at in (1, 2, 4):
        place = order.index(at)
        stack = whole[place * size : (place + 1) * size] if way == "shoe" else whole[place::7]
        this_round = table.state.round
        assert (this_round.dealer_cards if at == 1 else this_round.hands[at].cards) == stack
    table.play_on(without=["count_stub"]).do("count_stub", left=table.rules.game.stub)
    table.play_on(rounds=1)
    assert agrees_with_settlement(table) and books_closed(table)
    assert "enter_hand" not in table.steps()


@pytest.mark.parametrize("game", GAMES)
def test_no_card_is_read_twice_and_none_that_the_deck_has_not(game: str) -> None:
    table = about_to_deal(game, AUTOMATED)
    two, *others = deck(table)
    table.refused("deal", SHOE, cards=7, read=(two,) * 7)
    table.do("deal", SHOE, cards=2, read=(two, others[0]))
    table.refused("deal", SHOE, cards=1, read=(two,))
    table.refused("deal", SHOE, cards=3, read=(others[1],))
    table.refused("deal", DEALER, cards=1, read=(others[1],))
    (event,) = table.do("deal", SHOE, cards=1, read=(others[1],))
    assert event.outcome.cards == (others[1],)


@pytest.mark.parametrize("game", GAMES)
def test_where_the_reader_missed_a_card_the_hands_are_typed_in(game: str) -> None:
    table = about_to_deal(game, AUTOMATED)
    seven = 7 * table.rules.game.hand_cards
    table.do("deal", SHOE, cards=seven - 1, read=deck(table)[: seven - 1])
    table.do("deal", DEALER, cards=1)
    assert all(not hand.cards for hand in table.state.round.hands.values())
    table.play_on(without=["count_stub"]).do("count_stub", left=table.rules.game.stub)
    table.play_on(Phase.DEALER)
    hands = {
        1: "QsQh3d2c / 8h8d / 7c" if game != "pa-670a" else "QsQh8h6s4c / Jd",
        2: "Jc4h3s2h / 9s6c / 8c" if game != "pa-670a" else "Th7c4h3d2s / 9d",
        4: "AsAh6h5d / JdJh / Kc" if game != "pa-670a" else "AsAh9c6h3h / Kd",
    }
    for at, how in hands.items():
        table.do("enter_hand", at=at, setting=setting(how))
        table.do("confirm_entry", at=at)
        table.play_on(without=["close_round"])
    table.play_on(rounds=1)
    assert agrees_with_settlement(table) and books_closed(table)


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_read_where_the_cards_are_typed_in(game: str) -> None:
    table = about_to_deal(game, AUTOMATED, CardOrigin.TYPED)
    table.refused("deal", SHOE, cards=1, read=deck(table)[:1])
    table.do("deal", cards=1)

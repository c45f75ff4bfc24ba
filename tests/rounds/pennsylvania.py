"""Tables of ch. 575, 659a and 670a: every way of dealing, and hands whose results are known, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from houseway.cards import Cards, distinct, parse_cards
from houseway.ranking import Setting
from houseway.rounds.dealing import SEATS
from houseway.rounds.houseway import house_setting
from houseway.rounds.state import CardOrigin, Hand, Racked
from houseway.rounds.steps.stacks import hands_of
from tests.games.support import Changes
from tests.rounds.table import AUTOMATED, BY_HAND, DEALER, MANUAL, TestTable, player

GAMES = {"pa575": "pa-575", "pa659a": "pa-659a", "pa670a": "pa-670a"}
START = ("draw_number", "shake", "uncover", "announce_total", "read_button")
"""The steps that find the starting position."""


def game_of(law: str) -> str:
    """Return the game whose chapter a clause belongs to."""
    return GAMES[law.split(".", maxsplit=1)[0]]


def by_way(
    *, manual_shoe: Iterable[str] = (), hand: Iterable[str] = (), automated_shoe: Iterable[str] = ()
) -> Any:
    """Run a test once for each clause, dealing the way it speaks of: gives ``game, changes, law``."""
    ways = ((MANUAL, manual_shoe), (BY_HAND, hand), (AUTOMATED, automated_shoe))
    return pytest.mark.parametrize(
        ("game", "changes", "law"),
        [
            pytest.param(game_of(law), changes, law, marks=pytest.mark.clause(law), id=law)
            for changes, laws in ways
            for law in laws
        ],
    )


EVERY_WAGER = {
    "pa-575": {"main": "$10", "bonus": "$5"},
    "pa-659a": {"main": "$10", "fortune": "$5", "insurance": "$5", "progressive": "$1"},
    "pa-670a": {"main": "$25", "fortune": "$5", "insurance": "$5", "progressive": "$1"},
}
"""One of each wager that is placed before the cards."""


def left_over(table: TestTable) -> list[str]:
    """Return the cards that are left over when every hand is dealt."""
    dealt = {card for cards in stacks(table).values() for card in cards}
    return [str(card) for card in table.rules.game.cards().cards if card not in dealt]


def rebuilt(table: TestTable, position: int) -> Racked | None:
    """Find a hand again in the discard rack: its cards and how they were set."""
    return next((racked for racked in table.state.rack if racked.position == position and racked.cards), None)


def stacks(table: TestTable) -> Mapping[int, Cards]:
    """Return the cards dealt to every position, those of the dealer and of empty positions too."""
    everywhere = {at: Hand(at, "anybody") for at in range(1, SEATS + 1)}
    state = table.live.table.with_round(hands=everywhere)
    return hands_of(table.rules, state, state.round.drawn, state.round.start)


SEVEN = {
    "dealer": "Qs Qh 8d 8h 7c 3d 2c",  # set QsQh3d2c / 8d8h / 7c
    "winner": "As Ah Jd Jh Kc 6h 5d",  # AsAh6h5d / JdJh / Kc: wins all three
    "loser": "Jc 9s 8c 6c 4h 3s 2h",  # Jc4h3s2h / 9s6c / 8c: loses the first two
    "full_house": "Ks Kh Kd 9c 9d 5s 4d",  # wins all three
    "quads": "Tc Td Th Ts 6s 3c 2d",  # TcTd3c2d / ThTs / 6s: loses the first and the last
    "straight_flush": "9s 8s 7s 6s 5s Kc 2d",
    "seven_card_straight_flush": "9s 8s 7s 6s 5s 4s 3s",
    "five_aces": "As Ah Ad Ac Jk 7h 3h",
}
SIX = {
    "dealer": "Qs Qh Jd 8h 6s 4c",  # set QsQh8h6s4c / Jd
    "winner": "As Ah Kd 9c 6h 3h",  # AsAh9c6h3h / Kd: wins both
    "loser": "Th 9d 7c 4h 3d 2s",  # Th7c4h3d2s / 9d: loses both
    "tie": "Jh Js Ad 8c 6d 4s",  # JhJs8c6d4s / Ad: loses the high, wins the low
    "ace_queen": "As Ah Qc 9c 6h 3h",  # AsAh9c6h3h / Qc: wins both
    "straight": "9h 8c 7h 6c 5d Kd",
    "trips": "Ks Kh Kd Jk Qc 9c",
    "full_house": "Ks Kh Kc 7s 7d 2h",  # wins the high, loses the low
    "quads": "5c 5d 5h 5s 8s 2d",  # wins the high, loses the low
    "straight_flush": "Jc Tc 9c 8c 7c 2c",
    "royal_flush": "Tc Jc Qc Kc Ac 2c",
    "joker_royal": "Ac Kc Qc Jc Jk 2d",  # the joker is the ten: a royal by reading six:B1
    "listed_royal": "Kc Qc Jc Tc Jk 2d",
    "five_aces": "As Ah Ad Ac Jk 2d",
}
HANDS = {"pa-575": SEVEN, "pa-659a": SEVEN, "pa-670a": SIX}
BONUS = {"pa-575": "bonus", "pa-659a": "fortune", "pa-670a": "fortune"}
Bets = dict[int, dict[str, str]]


def dealt(
    game: str, hands: dict[int, str], bets: Bets | None = None, changes: Changes | None = None
) -> TestTable:
    """Deal hands by name to the moment the players may look; each bets $10 on the main wager and ``bets``."""
    cards = {at: HANDS[game][name] for at, name in ({1: "dealer"} | hands).items()}
    distinct(card for text in cards.values() for card in parse_cards(text))
    return TestTable(game, changes).dealt(
        cards, {at: {"main": "$10"} | (bets or {}).get(at, {}) for at in hands}
    )


def looked(
    game: str, hands: dict[int, str], bets: Bets | None = None, changes: Changes | None = None
) -> TestTable:
    """Deal hands by name and let every player look; a Double Down is offered where the table has it."""
    return dealt(game, hands, bets, changes).play_on(without=["set", "turn_over"])


def house_way(table: TestTable, at: int) -> Setting:
    """Return how the house way sets the cards at a position."""
    this_round = table.state.round
    cards = this_round.dealer_cards if at == 1 else this_round.hands[at].cards
    return house_setting(table.state.rules, cards)


def entered_at_the_table(
    game: str, bets: Bets, helped: int | None = None, table: TestTable | None = None
) -> TestTable:
    """Play a round of real cards to the moment the dealer's are turned over: the program knows no card.

    A player who asks for help has their hand set by the dealer.
    """
    table = (table or TestTable(game, source=CardOrigin.TYPED)).opened().seat(bets)
    for at, amounts in bets.items():
        table.bet(at, **({"main": "$10"} | amounts))
    table.play_on(without=["draw_number", "deal"])
    table.do("draw_number", DEALER, number=1)
    table.play_on(without=["count_stub"])
    table.do("count_stub", left=table.state.rules.game.stub)
    if helped is not None:
        table.play_on(without=["set"])
        table.do("ask_help", player(helped), helped)
        table.do("set", DEALER, helped)
    return table.play_on(without=["set_dealer"])


def looks(table: TestTable, at: int) -> TestTable:
    """Let one player look at his cards."""
    table.do("look", player(at), at)
    return table

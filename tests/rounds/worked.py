"""Hands whose results are known, dealt by name, and what the payments of a round come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from houseway.cards import distinct, parse_cards
from houseway.money import Cents
from houseway.ranking import Setting
from houseway.rounds.houseway import house_setting
from houseway.rounds.state import CardOrigin
from houseway.settlement import Payment, settle
from tests.games.support import Changes
from tests.rounds.support import DEALER, NAMES, Floor, player
from tests.rounds.whole import round_whole

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
) -> Floor:
    """Deal hands by name to the moment the players may look; each bets $10 on the main wager and ``bets``."""
    cards = {at: HANDS[game][name] for at, name in ({1: "dealer"} | hands).items()}
    distinct(card for text in cards.values() for card in parse_cards(text))
    return Floor(game, changes).dealt(cards, {at: {"main": "$10"} | (bets or {}).get(at, {}) for at in hands})


def looked(
    game: str, hands: dict[int, str], bets: Bets | None = None, changes: Changes | None = None
) -> Floor:
    """Deal hands by name and let every player look; a Double Down is offered where the table has it."""
    return dealt(game, hands, bets, changes).play_on(without=["set", "turn_over"])


def house_way(floor: Floor, at: int) -> Setting:
    """Return how the house way sets the cards at a position."""
    this_round = floor.table.round
    cards = this_round.dealer_cards if at == 1 else this_round.hands[at].cards
    return house_setting(floor.table.rules, cards)


def entered_at_the_table(
    game: str, bets: Bets, helped: int | None = None, floor: Floor | None = None
) -> Floor:
    """Play a round of real cards to the moment the dealer's are turned over: the program knows no card.

    A player who asks for help has their hand set by the dealer.
    """
    floor = (floor or Floor(game, source=CardOrigin.TYPED)).opened().seat(bets)
    for at, amounts in bets.items():
        floor.bet(at, **({"main": "$10"} | amounts))
    floor.play_on(without=["draw_number", "deal"])
    floor.do("draw_number", DEALER, number=1)
    floor.play_on(without=["count_stub"])
    floor.do("count_stub", left=floor.table.rules.game.stub)
    if helped is not None:
        floor.play_on(without=["set"])
        floor.do("ask_help", player(helped), helped)
        floor.do("set", DEALER, helped)
    return floor.play_on(without=["set_dealer"])


def net(payments: Iterable[Payment]) -> dict[str, int]:
    """Return what each account gained or lost by payments, in the ledger's units; the untouched left out."""
    found: Counter[str] = Counter()
    for payment in payments:
        found[str(payment.source)] -= payment.units
        found[str(payment.to)] += payment.units
    return {account: amount for account, amount in found.items() if amount}


def gained(floor: Floor, at: int) -> Cents:
    """Return what the player at a position got into his hands in the round now over, or in progress."""
    this_round = floor.table.round if floor.table.round.payments else floor.table.last
    assert this_round is not None
    return Cents(net(this_round.payments).get(f"player:{NAMES[at]}", 0) // 10_000)


def agrees_with_settlement(floor: Floor) -> bool:
    """Whether a finished round moved exactly what settling it at once would move, and left the same meter."""
    last, meter = floor.live.table.last, floor.table.meter
    assert last is not None and last.dealer_setting is not None
    assert (meter is None) is (last.meter_before is None)
    whole = settle(round_whole(floor.rules, last))
    assert not sum(net(last.payments).values())
    return net(last.payments) == net(whole.payments) and meter == whole.meter


def looks(floor: Floor, at: int) -> Floor:
    """Let one player look at his cards."""
    floor.do("look", player(at), at)
    return floor

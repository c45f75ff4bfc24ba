"""The three ways of dealing, a test for each; and what must hold of money when a round is void."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from houseway.cards import Cards
from houseway.ledger import units
from houseway.money import cents
from houseway.rounds.dealing import SEATS
from houseway.rounds.state import Hand, Phase, Racked, Round, TableDeck
from houseway.rounds.step import AnEvent
from houseway.rounds.steps.stacks import hands_of
from tests.rounds.support import AUTOMATED, BY_HAND, MANUAL, Floor

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


def balances(floor: Floor) -> dict[str, int]:
    """Return what each account gained or lost in the last round and this one, in the ledger's units."""
    found: Counter[str] = Counter()
    for this_round in (floor.table.last, floor.table.round):
        for payment in this_round.payments if this_round else ():
            found[str(payment.to)] += payment.units
            found[str(payment.source)] -= payment.units
    return {account: gained for account, gained in found.items() if gained}


def dollars(amount: str) -> int:
    """Return an amount in the ledger's units: ``dollars("$36")``."""
    return units(cents(amount))


def order_of(floor: Floor, deck: str | None = None) -> Cards:
    """Return the order that a deck lies in, as it was cut: a deck by its name, or the one in the round."""
    held: TableDeck | Round = floor.live.table.decks[deck] if deck else floor.live.table.round
    if held.commitment is None:
        return ()
    order = floor.live.vault.sealed[held.commitment].order
    at = held.cut_at % len(order)
    return (*order[at:], *order[:at])


def left_over(floor: Floor) -> list[str]:
    """Return the cards that are left over when every hand is dealt."""
    dealt = {card for cards in stacks(floor).values() for card in cards}
    return [str(card) for card in floor.rules.game.cards().cards if card not in dealt]


def rebuilt(floor: Floor, position: int) -> Racked | None:
    """Find a hand again in the discard rack: its cards and how they were set."""
    return next((one for one in floor.table.rack if one.position == position and one.cards), None)


def stacks(floor: Floor) -> Mapping[int, Cards]:
    """Return the cards dealt to every position, those of the dealer and of empty positions too."""
    everywhere = {at: Hand(at, "anybody") for at in range(1, SEATS + 1)}
    table = floor.live.table.with_round(hands=everywhere)
    return hands_of(floor.rules, table, table.round.drawn, table.round.start)


def void(floor: Floor) -> AnEvent:
    """Return how the round was just made void; every wager must be back, house and meter as before it."""
    event, last = floor.log[-1], floor.table.last
    assert event.step == "void_round" and last is not None and last.void is not None
    expected: Counter[str] = Counter()
    for hand in last.hands.values():
        for wager, amount in hand.wagers.items():
            expected[f"pending:{hand.position}/{hand.person}/{wager}"] -= units(amount)
            expected[f"player:{hand.person}"] += units(amount)
    assert balances(floor) == dict(expected)
    assert (floor.table.meter and floor.table.meter.state) == last.meter_before
    assert not last.lammers and floor.table.phase is Phase.BETTING
    return event

"""The three ways of dealing, a test for each; and what must hold of money when a round is void."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from houseway.ledger import units
from houseway.money import cents
from houseway.rounds.state import Phase
from houseway.rounds.step import Event
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
    for play in (floor.table.last, floor.table.play):
        for payment in play.payments if play else ():
            found[str(payment.to)] += payment.units
            found[str(payment.source)] -= payment.units
    return {account: gained for account, gained in found.items() if gained}


def dollars(amount: str) -> int:
    """Return an amount in the ledger's units: ``dollars("$36")``."""
    return units(cents(amount))


def void(floor: Floor) -> Event:
    """Return how the round was just made void; every wager must be back, house and meter as before it."""
    event, last = floor.log[-1], floor.table.last
    assert event.step == "void_round" and last is not None and last.void is not None
    expected: Counter[str] = Counter()
    for hand in last.hands.values():
        for wager, amount in hand.wagers.items():
            expected[f"pending:{hand.position}/{hand.person}/{wager}"] -= units(amount)
            expected[f"player:{hand.person}"] += units(amount)
    assert balances(floor) == dict(expected)
    assert floor.table.meter == last.meter_before
    assert not last.lammers and floor.table.phase is Phase.BETTING
    return event

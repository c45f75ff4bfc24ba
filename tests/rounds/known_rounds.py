"""Whole rounds of known cards, played at a table of any game, and what each wager of them came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from houseway.cards import parse_setting
from houseway.ledger import player, show_units, units
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase, Round
from houseway.rounds.step import Actor
from houseway.settlement import PaymentKind
from tests.games.support import Changes
from tests.rounds import washington
from tests.rounds.cardroom import BANKER, CA, banked
from tests.rounds.support import Floor

DEALER: Final = 1
BANK: Final = 6
"""The seat that banks in a cardroom."""
Hands = Mapping[int, str]
"""Cards by position, the dealer's at 1; one written with strokes is set so by its player."""
Bets = Mapping[int, str]
"""Wagers by position, written out: ``{2: "fortune $5, insurance $5"}``; of a main wager nothing is said."""
STAKE: Final = "$10,000"
MAIN: Final = "$20"
"""What everybody with a hand bets on the main wager, unless it is said."""


def placed(hands: Hands, bets: Bets, dealer: int) -> dict[int, dict[str, str]]:
    """Return the wagers of everybody who is dealt a hand and does not deal."""
    return {at: {"main": MAIN} | wagers(bets.get(at, "")) for at in hands if at != dealer}


def wagers(text: str) -> dict[str, str]:
    """Read wagers that are written out: ``main $10, fortune $5``."""
    return dict(wager.split() for wager in text.split(",") if wager)


def played(game: str, hands: Hands, bets: Bets, changes: Changes | None = None) -> Round:
    """Open a table, play a round with these cards to its end and return it."""
    return finished(dealt(game, hands, bets, changes), hands)


def dealt(game: str, hands: Hands, bets: Bets, changes: Changes | None = None) -> Floor:
    """Open a table and deal these cards; the players may look. In a cardroom seat 6 banks."""
    if game == CA:
        given = {BANK: BANKER, **hands}
        return banked(STAKE, placed(hands, bets, BANK), changes, bank=BANK).deals(given)
    if game == "wa-fap":
        return washington.dealt(without_strokes(hands), placed(hands, bets, DEALER), changes=changes)
    return Floor(game, changes).dealt(without_strokes(hands), placed(hands, bets, DEALER))


def played_on(floor: Floor, hands: Hands, bets: Bets) -> Round:
    """Play another round with these cards at a table."""
    floor.dealt(without_strokes(hands), placed(hands, bets, DEALER))
    return finished(floor, hands)


def without_strokes(hands: Hands) -> dict[int, str]:
    """Return hands as they are dealt, however they are to be set."""
    return {at: text.replace("/", " ") for at, text in hands.items()}


def finished(floor: Floor, hands: Hands) -> Round:
    """Play a round to its end, hands that are written with strokes set so by their players."""
    for at, text in hands.items():
        if "/" in text and at in floor.table.round.hands:
            floor.do("set", looking(floor, at), at, setting=parse_setting(text))
    floor.play_on(rounds=1)
    last = floor.live.table.last
    assert last is not None and last.void is None and floor.table.phase is Phase.BETTING
    return last


def looking(floor: Floor, at: int) -> Actor:
    """Return the player at a position, once they have looked at their cards."""
    person = Actor(floor.table.seats[at].person, Role.PLAYER)
    floor.do("look", person, at)
    return person


def came_to(this_round: Round) -> dict[str, str]:
    """Return what everybody won or lost by position and wager, and Envy Bonuses apart: ``2 fortune envy``."""
    found: Counter[str] = Counter()
    for hand in this_round.active():
        for wager, amount in hand.wagers.items():
            found[f"{hand.position} {wager}"] -= units(amount)
        for payment in this_round.payments:
            if payment.position == hand.position and payment.to == player(hand.person):
                envy = " envy" if payment.kind is PaymentKind.ENVY else ""
                found[f"{hand.position} {payment.wager}{envy}"] += payment.units
    return {name: show_units(amount) for name, amount in found.items()}

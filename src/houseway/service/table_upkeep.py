"""Steps due at an open table by the law's time limits: old decks and dice replaced, idle cards spread."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from houseway.games import Rules
from houseway.rounds.lives import verify_deck_age, verify_dice_age
from houseway.rounds.marks import DeckMark
from houseway.rounds.state import Phase, Table
from houseway.rounds.step import Proposal
from houseway.rounds.steps.common import dealer_of
from houseway.rounds.steps.decks import next_deck
from houseway.rounds.steps.idle import IdleSpread
from houseway.rounds.steps.load import RemoveDeck
from houseway.rounds.steps.players import lain_too_long
from houseway.rounds.steps.shaker import PlaceDice

OUTLIVED: Final = "the deck has been on the table for as long as it may"


def due_upkeep(rules: Rules, table: Table, now: datetime) -> Iterator[Proposal]:
    """Yield the dealer's steps that are due because time has passed."""
    dealer = dealer_of(table)
    if table.dice_since is not None and verify_dice_age(rules, table.dice_since, now):
        yield Proposal(dealer, PlaceDice())
    if table.phase is not Phase.BETTING:
        return
    for deck in table.decks.values():
        if not deck.has(DeckMark.REMOVED) and verify_deck_age(rules, deck.received, now):
            yield Proposal(dealer, RemoveDeck(deck.name, OUTLIVED))
    yield from next_deck(rules, table)
    if not table.seats and not table.round.hands and lain_too_long(rules, table, now):
        yield Proposal(dealer, IdleSpread())

"""Every card that somebody is shown, and whether they may see it, told by other means than the views' own."""

from __future__ import annotations

import re
from typing import Any

from houseway.cards import Cards
from houseway.games import Rules
from houseway.rounds.action import Position
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase, Round, Table
from houseway.rounds.step import Actor
from houseway.settlement import Status

CARD = re.compile(r"\b(?:[2-9TJQKA][cdhs]|Jk)\b")
WATCH_DISPLAY = (Role.DEALER, Role.FLOORPERSON, Role.MANAGER, Role.SURVEILLANCE, Role.DISPLAY)


def cards_in(data: Any) -> list[str]:
    """Return every card that is written anywhere in plain data, also inside words."""
    words: list[str] = []
    inside = [data]
    while inside:
        item = inside.pop()
        if isinstance(item, str):
            words.append(item)
        elif isinstance(item, dict):
            inside += [*item, *item.values()]
        elif isinstance(item, list | tuple):
            inside += item
    return CARD.findall("\n".join(words))


def may_know(rules: Rules, table: Table, viewer: Actor) -> set[str]:
    """Return the cards of the round in progress that a person may know, as the law has it.

    A player's own cards once they have looked; a hand that is revealed, or whose parts are; the dealer's
    once turned over; a card found face up. Nothing before the deal is complete. The dealer tells whoever asks
    the house way, and the display shows it to those who watch it.
    """
    this_round = table.round
    known = {str(card) for racked in table.rack if racked.what == "found face up" for card in racked.cards}
    if viewer.role is Role.DEALER:
        known |= {str(card) for parts in this_round.typed.values() for part in parts for card in part}
    if not this_round.has(RoundMark.COLLECTED):
        return known
    if table.phase in (Phase.DEALER, Phase.SETTLING):
        known |= {str(card) for card in this_round.dealer_cards}
    for at, hand in this_round.hands.items():
        own = viewer.role is Role.PLAYER and viewer.id == hand.person
        looked = hand.has(HandMark.LOOKED) and not hand.has(HandMark.CHOOSING)
        if own and looked and hand.status is not Status.SURRENDERED:
            known |= {str(card) for card in hand.cards}
        helping = hand.has(HandMark.HELPED) and not hand.has(HandMark.PLACED) and viewer.role is Role.DEALER
        if helping or (this_round.display == at and viewer.role in WATCH_DISPLAY):
            known |= {str(card) for card in hand.cards}
        known |= {str(card) for card in open_cards(rules, this_round, at)}
    return known


def open_cards(rules: Rules, this_round: Round, position: Position) -> Cards:
    """Return the cards of a hand that lie open for everybody."""
    hand = this_round.hands[position]
    if hand.has(HandMark.REARRANGED):
        return hand.cards
    names = [part.name for part in rules.game.parts]
    shown = zip(names, hand.setting or (), strict=False)
    if hand.status in (Status.SURRENDERED, Status.VOID):
        return ()
    if len(hand.shown) == len(names):
        return hand.cards
    return tuple(card for name, part in shown if name in hand.shown for card in part)

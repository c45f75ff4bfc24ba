"""The dispute packet as one self-contained page, for a screen, a telephone and paper."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from houseway.cards import Card
from houseway.floor.packets import Packet
from houseway.floor.packets.model import ClauseIds, Move, PacketHand, PacketStep
from houseway.web.card_faces import CARD_STYLE, card_back, card_face, card_sheet
from houseway.web.cards import TEMPLATES

_STAKE: Final = "stake"
_BY_CARDS: Final = frozenset({"setting", "shown"})
"""Details that the cards of a step show already."""
_BY_AMOUNTS: Final = frozenset({"wager", "wagers", "placed"})
"""Details that the amounts of a step show already."""
_LABELS: Final[Mapping[tuple[str, str], str]] = {
    ("deal", "number"): "cards",
    ("deal", "first"): "beginning at position",
    ("count_stub", "left"): "cards left",
}
"""The labels of some details, by step and field."""
PAYMENT_KINDS: Final[Mapping[str, str]] = {
    "stake": "placed",
    "collect": "taken",
    "return": "stake back",
    "pay": "paid",
    "envy": "Envy Bonus paid",
    "contribution": "into the meter",
    "seed": "seed of the meter",
    "reversal": "taken back",
    "fee": "collection",
    "movement": "moved",
}


def packet_page(packet: Packet, *, four_colour: bool = False) -> str:
    """Return a packet as a page; a browser prints it to PDF."""
    return TEMPLATES.get_template("dispute_packet.html").render(
        packet=packet,
        all_hands=(packet.dealer, *packet.hands),
        four_colour=four_colour,
        style=CARD_STYLE,
        sheet=card_sheet(sorted(_cards(packet))),
        face=card_face,
        back=card_back,
        kinds=PAYMENT_KINDS,
        clock=_clock,
        day=_day,
        details=_details,
        cites=lambda ids: _cites(packet, ids),
        title=_title,
        moves_of=lambda hand: _moves_of(packet, hand),
        other_moves=_other_moves(packet),
        stakes=[move for move in packet.moves if move.kind == _STAKE],
    )


def _cards(packet: Packet) -> set[Card]:
    """Return every card that the page draws."""
    named = {
        card for step in packet.steps for lying in step.cards for part in lying.parts for card in part.cards
    }
    for hand in (packet.dealer, *packet.hands):
        named |= {*hand.cards, *(card for part in hand.setting for card in part.cards)}
        if hand.house_way is not None:
            named |= {card for part in hand.house_way.setting for card in part.cards}
    for seal in packet.seals:
        named |= set(seal.order)
    return set(map(Card.parse, named))


def _title(hand: PacketHand) -> str:
    """Return whose hand it is."""
    if not hand.dealer:
        return f"Position {hand.position}, {hand.name}"
    if hand.status == "bank":
        return f"The player-dealer, {hand.name}"
    return "The dealer" if hand.name == "dealer" else f"The dealer, {hand.name}"


def _moves_of(packet: Packet, hand: PacketHand) -> list[Move]:
    """Return what a hand's wagers came to."""
    return [move for move in packet.moves if move.kind != _STAKE and move.position == hand.position]


def _other_moves(packet: Packet) -> list[Move]:
    """Return the other movements: of the bank, the collection, the house and the meters."""
    positions = {hand.position for hand in packet.hands}
    return [move for move in packet.moves if move.kind != _STAKE and move.position not in positions]


def _details(step: PacketStep) -> list[tuple[str, str]]:
    """Return the details of a step that are not shown with it."""
    shown = {*(_BY_CARDS if step.cards else ()), *(_BY_AMOUNTS if step.moves else ())}
    details = ((name, text) for name, text in step.details.items() if name not in shown)
    return [(_LABELS.get((step.step, name), name), text) for name, text in details]


def _cites(packet: Packet, ids: ClauseIds) -> list[tuple[str, str]]:
    """Return clauses with their citations, each citation once: clauses may share one."""
    names: dict[str, str] = {}
    for name in ids:
        names.setdefault(packet.law[name].cite, name)
    return [(name, cite) for cite, name in names.items()]


def _clock(moment: datetime) -> str:
    return f"{moment:%H:%M:%S}.{moment.microsecond // 1000:03d}"


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"

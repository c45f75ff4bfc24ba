"""The rack card: a printable page of what a table offers and pays, by the rules in force."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from houseway.cards import Card
from houseway.games import Rules
from houseway.games.hand_order import order_data
from houseway.games.rack_card import card_data
from houseway.web.card_faces import CARD_STYLE, card_face, card_sheet

TEMPLATES: Final = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def card_page(rules: Rules) -> str:
    """Return the rack card as one self-contained HTML page, which prints on one sheet of paper."""
    order = order_data(rules)
    shown = {card for row in order["hands"] for card in row["cards"]}
    return TEMPLATES.get_template("rack_card.html").render(
        card=card_data(rules),
        order=order,
        face=card_face,
        sheet=card_sheet(sorted(map(Card.parse, shown))),
        card_style=CARD_STYLE,
    )

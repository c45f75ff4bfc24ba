"""Hands drawn for a notebook: each picture carries its card symbols, so that it stands alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from houseway.cards import Card
from houseway.showing import page_part
from houseway.web.card_faces import CARD_STYLE, card_face, card_sheet

_HANDS = """
.houseway .hands { display: flex; flex-wrap: wrap; gap: 1.2em; margin: .3em 0; }
.houseway .hands figure { margin: 0; } .houseway .hands figcaption { font-size: .85em; padding-top: .2em; }
"""


def draw_hands(hands: Iterable[tuple[str, Mapping[str, tuple[Sequence[Card], str]]]], below: str = "") -> str:
    """Draw hands, each with a title and its parts: for each part its cards and their hand in words."""
    given = list(hands)
    cards = [card for _, parts in given for part, _ in parts.values() for card in part]
    html = "".join(_hand(title, parts) for title, parts in given)
    return page_part(f"{card_sheet(cards)}{html}{below}", f".houseway {{ {CARD_STYLE} }}{_HANDS}")


def _hand(title: str, parts: Mapping[str, tuple[Sequence[Card], str]]) -> str:
    figures = "".join(
        f"<figure>{''.join(map(card_face, cards))}"
        f"<figcaption>{escape(name)}: {escape(hand)}</figcaption></figure>"
        for name, (cards, hand) in parts.items()
    )
    head = f"<strong>{escape(title)}</strong>" if title else ""
    return f'{head}<div class="hands">{figures}</div>'


def sentence(text: str) -> str:
    """Return a line of text below the cards."""
    return f"<div>{escape(text)}</div>"

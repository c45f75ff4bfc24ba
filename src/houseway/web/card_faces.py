"""Playing cards as inline SVG: one sheet of symbols for a page, and a small figure for each card.

The pictures load nothing from elsewhere. A figure takes the colour of its suit from the style sheet: inside
an element of the class ``four-colour`` clubs are green and diamonds blue.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from markupsafe import Markup

from houseway.cards import RANK_NAMES, SUITS, Card, Deck

SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")
CARD_STYLE: Final = Markup("""
  .card { --suit-c: #1b1f23; --suit-d: #c4312b; --suit-h: #c4312b; --suit-s: #1b1f23; --suit-joker: #5b3a8c;
    width: var(--card-width, 2.6rem); aspect-ratio: 60 / 84; flex: none;
    display: inline-block; vertical-align: middle;
    print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .card-sheet { position: absolute; }
  .four-colour .card { --suit-c: #1f7a3d; --suit-d: #2a56b0; }
  .suit-c { color: var(--suit-c); } .suit-d { color: var(--suit-d); } .suit-h { color: var(--suit-h); }
  .suit-s { color: var(--suit-s); } .suit-joker { color: var(--suit-joker); }
""")
"""The style that a page needs to show cards."""
_PIPS: Final = {
    "c": '<circle cy="-6" r="5.3"/><circle cx="-5.8" cy="2" r="5.3"/><circle cx="5.8" cy="2" r="5.3"/>'
    '<path d="M-1.6-2C-1.2 6-2 10-5 12H5C2 10 1.2 6 1.6-2Z"/>',
    "d": '<path d="M0-12C3-7 6-3.5 9.5 0 6 3.5 3 7 0 12-3 7-6 3.5-9.5 0-6-3.5-3-7 0-12Z"/>',
    "h": '<path d="M0 11C-15 0-12.5-11-6-11-2.4-11 0-8.6 0-6.2 0-8.6 2.4-11 6-11 12.5-11 15 0 0 11Z"/>',
    "s": '<path d="M0-12C3-6 11.5-2 11.5 4 11.5 8.6 6.5 10 2.2 7 2.4 9.5 3.2 11 5 12H-5C-3.2 11-2.4 9.5-2.2 7'
    '-6.5 10-11.5 8.6-11.5 4-11.5-2-3-6 0-12Z"/>',
}
_STAR: Final = '<path d="M0-15 4-5 15-4.4 6.5 2.6 9.3 13 0 7.2-9.3 13-6.5 2.6-15-4.4-4-5Z"/>'
_PAPER: Final = (
    '<rect x=".75" y=".75" width="58.5" height="82.5" rx="6" fill="#fffdf8" stroke="#8d897e"'
    ' stroke-width="1.2"/>'
)
_FONT: Final = 'font-family="Inter, Helvetica Neue, Arial, Liberation Sans, sans-serif" font-weight="700"'
_HATCH: Final = (
    '<pattern id="card-hatch" width="6" height="6" patternUnits="userSpaceOnUse"'
    ' patternTransform="rotate(45)"><rect width="6" height="6" fill="#7c1f2a"/>'
    '<path d="M0 0H6M0 0V6" stroke="#c98b92" stroke-width="1"/></pattern>'
)


def card_name(card: Card) -> str:
    """Return a card in words.

    >>> card_name(Card.parse("Td")), card_name(Card.parse("Jk"))
    ('ten of diamonds', 'joker')
    """
    if card.suit is None:
        return "joker"
    return f"{RANK_NAMES[card.rank - 2]} of {SUIT_NAMES[card.suit]}"


def card_sheet(cards: Iterable[Card] = Deck.standard().cards) -> Markup:
    """Return the symbols that a page's figures of cards refer to; the sheet itself is invisible."""
    faces = "".join(_symbol(card) for card in cards)
    back = f'<symbol id="card-back" viewBox="0 0 60 84">{_PAPER}{_back()}</symbol>'
    return Markup(
        f'<svg class="card-sheet" width="0" height="0" aria-hidden="true"><defs>{_HATCH}</defs>'
        f"{faces}{back}</svg>"
    )


def _back() -> str:
    return '<rect x="4.5" y="4.5" width="51" height="75" rx="3.5" fill="url(#card-hatch)"/>'


def _symbol(card: Card) -> str:
    return f'<symbol id="card-{card}" viewBox="0 0 60 84" {_FONT}>{_PAPER}{_draw_face(card)}</symbol>'


def _draw_face(card: Card) -> str:
    if card.suit is None:
        label = '<text x="30" y="74" text-anchor="middle" font-size="14">JOKER</text>'
        star = f'<g transform="translate(30 36) scale(1.35)">{_STAR}</g>'
        return f'<g fill="currentColor">{star}{label}</g>'
    suit = SUITS[card.suit]
    rank = str(card)[0].replace("T", "10")
    at = '"18.5" letter-spacing="-2.5"' if len(rank) > 1 else '"16"'
    pip = _PIPS[suit]
    return (
        '<g fill="currentColor">'
        f'<text x={at} y="27" font-size="26" text-anchor="middle">{rank}</text>'
        f'<g transform="translate(16 41) scale(.72)">{pip}</g>'
        f'<g transform="translate(39 60) scale(1.25)">{pip}</g></g>'
    )


def card_face(card: Card | str) -> Markup:
    """Return a card face up, by its symbol on the page's sheet."""
    if isinstance(card, str):
        card = Card.parse(card)
    return _figure(str(card), card_name(card), "joker" if card.suit is None else SUITS[card.suit])


def card_back() -> Markup:
    """Return a card face down."""
    return _figure("back", "a card face down", "none")


def _figure(name: str, label: str, suit: str) -> Markup:
    return Markup(
        '<svg class="card suit-{}" role="img" aria-label="{}" viewBox="0 0 60 84">'
        '<use href="#card-{}"/></svg>'
    ).format(suit, label, name)

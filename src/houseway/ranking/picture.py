"""A hand at a glance: unless five cards could be of one suit, a few counts decide every listed category.

Of 154 million hands all but a few per cent show one of a few hundred pictures, so what a picture makes is
worked out once. A hand that may hold a flush shows none and is looked at card by card.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from houseway.cards import ACE, JOKER, SUITS, Card, Cards

_FIVE: Final = 5
_SUIT_BITS: Final = 16
_SUIT: Final = (1 << _SUIT_BITS) - 1
_PLACE: Final = (
    *(1 << _SUIT_BITS * (card % len(SUITS)) + card // len(SUITS) for card in range(JOKER)),
    1 << _SUIT_BITS * len(SUITS),
)
"""Each card's bit in a word of four suits, the joker's above them."""
_ACES: Final = ACE - 2
_EIGHTS: Final = 6


class Glance(Struct, frozen=True, gc=False):
    """All the cards of a hand with the picture they show, for callers that ask several things about them."""

    cards: Cards
    picture: int | None


def glance(cards: Iterable[Card]) -> Glance:
    """Look at a hand."""
    dealt = tuple(cards)
    return Glance(dealt, picture(dealt))


def _straights(ranks: int) -> int:
    """Return two bits: whether five of the ranks run, and whether four of five do for a joker to fill."""
    a = ranks << 1 | ranks >> _ACES  # the ace stands below the two as well
    b, c, d, e = a >> 1, a >> 2, a >> 3, a >> 4
    low, high = a & b, d & e
    five, four = low & c & high, low & c & (d | e) | high & (low | (a | b) & c)
    return bool(five) | bool(four) << 1


def picture(cards: Cards) -> int | None:
    """Return what is to be seen of a hand as one number, or nothing if its suits may matter.

    It tells the joker; how many ranks are held twice, three and four times; the aces; four eights;
    straights; and, without a pair, the highest natural rank.

    >>> from houseway.cards import parse_cards
    >>> one, other = (picture(parse_cards(x)) for x in ("Ks Kh 9d 7s 5h 4d 2c", "Qs Qh Jd 7s 6h 3d 2c"))
    >>> one == other, picture(parse_cards("Ks 9s 7s 4s Jk 3d 2c"))
    (True, None)
    """
    word = sum(map(_PLACE.__getitem__, cards))
    joker = word >> _SUIT_BITS * 4
    a, b, c, d = word & _SUIT, word >> 16 & _SUIT, word >> 32 & _SUIT, word >> 48 & _SUIT
    if max(a.bit_count(), b.bit_count(), c.bit_count(), d.bit_count()) + joker >= _FIVE:
        return None
    once, twice = a | b | c | d, a & b | c & d | (a | b) & (c | d)
    thrice, four = a & b & (c | d) | (a | b) & c & d, a & b & c & d
    aces = (once >> _ACES & 1) + (twice >> _ACES & 1) + (thrice >> _ACES & 1) + (four >> _ACES & 1)
    top = 0 if twice else once.bit_length()
    counts = twice.bit_count() | thrice.bit_count() << 3 | four.bit_count() << 6 | aces << 8
    return counts | joker << 11 | (four >> _EIGHTS & 1) << 12 | _straights(once) << 13 | top << 15

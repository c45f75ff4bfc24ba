"""Cards, decks and their notation: ``As Td 2c``, the joker ``Jk``, settings ``AsKsQsJs / ThTd / 9c``.

A card is a small integer, so that a hand is a row of bytes to the kernels and a tuple to a reader:
``4 * (rank - 2) + suit`` for the 52 natural cards, 52 for the joker.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from houseway.errors import InvalidInputError

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
LOWEST: Final = 2
ACE: Final = 14
RANK_NAMES: Final = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
]
SUIT_SYMBOLS: Final = dict(zip("cdhs", "♣♦♥♠", strict=True))

_JOKER_INDEX: Final = 52
_NAMES: Final = (*(rank + suit for rank in RANKS for suit in SUITS), "Jk")
_TOKEN: Final = re.compile(r"(?P<joker>joker|jk)|(?P<rank>10|[2-9tjqka])(?P<suit>[cdhs♣♦♥♠])", re.I | re.A)
_BETWEEN: Final = re.compile(r"[\s,]*")
_SUIT_OF_SYMBOL: Final = {symbol: letter for letter, symbol in SUIT_SYMBOLS.items()}


class CardError(InvalidInputError):
    """Cards that cannot be read or cannot be held together; ``value`` is the offender."""


class UnknownCardError(CardError):
    """A token that is no card."""


class DuplicateCardError(CardError):
    """A card named twice."""


class SecondJokerError(DuplicateCardError):
    """The joker named twice: a deck in play has one."""


class WrongCountError(CardError):
    """Too many or too few cards."""


class Card(int):
    """One card; an ``int`` from 0 to 52 that prints as the table says it.

    >>> Card.parse("10s"), Card.parse("jk").is_joker, Card.parse("As").rank
    (Ts, True, 14)
    """

    __slots__ = ()

    def __new__(cls, index: int) -> Card:
        """Refuse any number that is not a card's."""
        if not 0 <= index <= _JOKER_INDEX:
            raise UnknownCardError("no card has this number", value=index)
        return super().__new__(cls, index)

    @classmethod
    def of(cls, rank: int, suit: int) -> Card:
        """Return the natural card of a rank (2 to 14) and a suit (0 to 3)."""
        if not (LOWEST <= rank <= ACE and 0 <= suit < len(SUITS)):
            raise UnknownCardError("no card has this rank and suit", value=(rank, suit))
        return cls(4 * (rank - 2) + suit)

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read exactly one card."""
        (card,) = parse_cards(text, count=1)
        return card

    @property
    def is_joker(self) -> bool:
        """Whether this is the joker."""
        return self == _JOKER_INDEX

    @property
    def rank(self) -> int:
        """2 to 14; the joker, until it completes something, ranks as an ace."""
        return ACE if self == _JOKER_INDEX else self // 4 + 2

    @property
    def suit(self) -> int | None:
        """0 to 3 in the order of ``SUITS``; the joker has none."""
        return None if self == _JOKER_INDEX else self % 4

    def __str__(self) -> str:
        return _NAMES[self]

    __repr__ = __str__


JOKER: Final = Card(_JOKER_INDEX)
Cards = tuple[Card, ...]


def parse_cards(text: str, *, count: int | None = None) -> Cards:
    """Read cards, with or without spaces, in upper or lower case.

    >>> parse_cards("As10d 2C jk")
    (As, Td, 2c, Jk)
    >>> parse_cards("As Ks", count=7)
    Traceback (most recent call last):
    houseway.cards.WrongCountError: 7 cards needed, 2 given: 'As Ks'
    """
    cards: list[Card] = []
    at = _skip(text, 0)
    while at < len(text) and len(cards) <= _JOKER_INDEX + 1:  # of more than there are, one comes twice
        match = _TOKEN.match(text, at)
        if match is None:
            raise UnknownCardError("not a card", value=re.split(r"[\s,]", text[at:], maxsplit=1)[0])
        cards.append(_card_of(match))
        at = _skip(text, match.end())
    hand = distinct(cards)
    if count is not None and len(hand) != count:
        raise WrongCountError(f"{count} cards needed, {len(hand)} given", value=text.strip())
    return hand


def distinct(cards: Iterable[Card]) -> Cards:
    """Return the cards as a tuple, refusing any that appears twice."""
    given = tuple(cards)
    if len(set(given)) < len(given):
        twice = next(card for place, card in enumerate(given) if card in given[:place])
        if twice.is_joker:
            raise SecondJokerError("a deck in play has one joker", value=str(twice))
        raise DuplicateCardError("the same card twice", value=str(twice))
    return given


def highest_first(cards: Iterable[Card]) -> Cards:
    """Return cards as they are written in a hand or in a part of a setting: the joker before all.

    >>> highest_first(parse_cards("9c Jk As Ah"))
    (Jk, As, Ah, 9c)
    """
    return tuple(sorted(cards, reverse=True))


def show(cards: Iterable[Card], between: str = " ") -> str:
    """Write cards as they are read: ``As Td Jk``."""
    return between.join(str(card) for card in cards)


def parse_setting(text: str, sizes: Sequence[int] | None = None) -> tuple[Cards, ...]:
    """Read a setting, high part first, parts divided by a slash.

    >>> parse_setting("AsKsQsJs / ThTd / 9c", sizes=(4, 2, 1))
    ((As, Ks, Qs, Js), (Th, Td), (9c,))
    """
    parts = tuple(parse_cards(part) for part in text.split("/"))
    distinct(card for part in parts for card in part)
    if sizes is not None and tuple(map(len, parts)) != tuple(sizes):
        need = "-".join(map(str, sizes))
        given = "-".join(str(len(part)) for part in parts)
        raise WrongCountError(f"parts of {need} cards needed, {given} given", value=text.strip())
    return parts


def show_setting(parts: Iterable[Sequence[Card]]) -> str:
    """Write a setting as it is read: ``AsKsQsJs / ThTd / 9c``."""
    return " / ".join(show(part, between="") for part in parts)


@dataclass(frozen=True)
class Deck:
    """The cards a game is played with. A parameter everywhere, so that small decks can be proven.

    >>> len(Deck.standard()), len(Deck.standard(joker=False)), len(Deck.reduced("AKQ", "sh"))
    (53, 52, 7)
    """

    cards: Cards

    def __post_init__(self) -> None:
        distinct(self.cards)

    @classmethod
    @cache
    def standard(cls, *, joker: bool = True) -> Deck:
        """Return the 52 cards and by default one joker."""
        return cls(tuple(Card(i) for i in range(_JOKER_INDEX + joker)))

    @classmethod
    def reduced(cls, ranks: str, suits: str, *, joker: bool = True) -> Deck:
        """Return a small deck of the named ranks and suits."""
        for rank in ranks:
            if rank.upper() not in RANKS:
                raise UnknownCardError("no such rank", value=rank)
        for suit in suits:
            if _SUIT_OF_SYMBOL.get(suit, suit.lower()) not in SUITS:
                raise UnknownCardError("no such suit", value=suit)
        natural = parse_cards("".join(r + s for r in ranks for s in suits))
        return cls((*sorted(natural), *([JOKER] if joker else [])))

    @property
    def jokers(self) -> int:
        """How many jokers it holds: none or one."""
        return sum(card.is_joker for card in self.cards)

    def __len__(self) -> int:
        return len(self.cards)


def _skip(text: str, at: int) -> int:
    match = _BETWEEN.match(text, at)
    return match.end() if match else at


def _card_of(match: re.Match[str]) -> Card:
    if match["joker"]:
        return JOKER
    rank = "T" if match["rank"] == "10" else match["rank"].upper()
    suit = _SUIT_OF_SYMBOL.get(match["suit"], match["suit"].lower())
    return Card.of(RANKS.index(rank) + 2, SUITS.index(suit))

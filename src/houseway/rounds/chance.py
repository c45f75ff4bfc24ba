"""What a decision is made with besides the table: the clock, the dice, the sealed decks, shared meters.

All of it is passed in, so that the same command under the same moment is decided the same way for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta
from typing import Protocol

from msgspec import Struct

from houseway.cards import Cards
from houseway.errors import IllegalError, InvalidInputError
from houseway.meters import MeterState
from houseway.rng import Entropy, SealedDeck, below, dice
from houseway.rounds.state import MeterId


class Chance(Protocol):
    """Where dice and numbers come from."""

    def dice(self, count: int) -> tuple[int, ...]:
        """Roll ``count`` dice."""
        ...

    def number(self, most: int) -> int:
        """Draw a number from 1 to ``most``."""
        ...


class CardSource(Protocol):
    """Where the cards of a virtual deck come from: shuffled, sealed, drawn one by one, opened at the end."""

    def shuffle(self, cards: Cards) -> str:
        """Shuffle cards and seal their order; return what it commits to."""
        ...

    def draw(self, commitment: str, at: int, count: int) -> Cards:
        """Return cards of a sealed order, from a place counted round and round."""
        ...

    def open(self, commitment: str) -> SealedDeck:
        """Open a seal."""
        ...


class Moment(Struct, frozen=True):
    """What a decision is made with besides the rules and the table."""

    now: datetime
    chance: Chance
    cards: CardSource
    meters: Mapping[MeterId, MeterState] = {}

    def __post_init__(self) -> None:
        if self.now.tzinfo is not UTC and self.now.utcoffset() != timedelta(0):
            raise InvalidInputError("a moment is an instant of universal time", value=str(self.now))


class EntropyChance:
    """Dice and numbers from random bytes."""

    def __init__(self, entropy: Entropy) -> None:
        self._entropy = entropy

    def dice(self, count: int) -> tuple[int, ...]:
        """Roll ``count`` dice."""
        return dice(count, self._entropy)

    def number(self, most: int) -> int:
        """Draw a number from 1 to ``most``."""
        return below(most, self._entropy) + 1


class Vault:
    """Sealed decks by what they commit to: kept apart from events and tables until they are opened."""

    def __init__(self, entropy: Entropy, sealed: Mapping[str, SealedDeck] | None = None) -> None:
        self.entropy = entropy
        self.sealed = dict(sealed or {})

    def shuffle(self, cards: Cards) -> str:
        """Shuffle cards and seal their order; return what it commits to."""
        return self.keep(SealedDeck.shuffle(cards, self.entropy))

    def keep(self, sealed: SealedDeck) -> str:
        """Keep a sealed deck; return what it commits to."""
        commitment = sealed.commitment
        self.sealed[commitment] = sealed
        return commitment

    def keep_only(self, commitments: AbstractSet[str | None]) -> None:
        """Forget every deck but these."""
        self.sealed = {name: deck for name, deck in self.sealed.items() if name in commitments}

    def draw(self, commitment: str, at: int, count: int) -> Cards:
        """Return cards of a sealed order, from a place counted round and round."""
        return draw_from(self.open(commitment), at, count)

    def open(self, commitment: str) -> SealedDeck:
        """Open a seal."""
        try:
            return self.sealed[commitment]
        except KeyError:
            raise IllegalError("no deck with this seal is kept", value=commitment) from None


def draw_from(sealed: SealedDeck, at: int, count: int) -> Cards:
    """Return cards of a sealed order, from a place counted round and round."""
    order = sealed.order
    if at + count <= len(order):
        return order[at : at + count]
    return tuple([order[(at + turn) % len(order)] for turn in range(count)])


class Given(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What chance gave a command: the dice that fell, the number drawn, what a shuffle committed to."""

    dice: tuple[int, ...] = ()
    number: int | None = None
    commitment: str | None = None


class Noting:
    """Chance and cards that note what they gave."""

    def __init__(self, chance: Chance, cards: CardSource) -> None:
        self._chance, self._cards = chance, cards
        self.given: Given | None = None

    def dice(self, count: int) -> tuple[int, ...]:
        """Roll ``count`` dice."""
        faces = self._chance.dice(count)
        self.given = Given(dice=faces)
        return faces

    def number(self, most: int) -> int:
        """Draw a number from 1 to ``most``."""
        number = self._chance.number(most)
        self.given = Given(number=number)
        return number

    def shuffle(self, cards: Cards) -> str:
        """Shuffle cards and seal their order; return what it commits to."""
        commitment = self._cards.shuffle(cards)
        self.given = Given(commitment=commitment)
        return commitment

    def draw(self, commitment: str, at: int, count: int) -> Cards:
        """Return cards of a sealed order, from a place counted round and round."""
        return self._cards.draw(commitment, at, count)

    def open(self, commitment: str) -> SealedDeck:
        """Open a seal."""
        return self._cards.open(commitment)


def noting(moment: Moment) -> tuple[Moment, Noting]:
    """Return a moment that notes what chance gives in it, and the notes."""
    notes = Noting(moment.chance, moment.cards)
    return Moment(moment.now, notes, notes, moment.meters), notes


def live(
    now: datetime, entropy: Entropy, vault: Vault, meters: Mapping[MeterId, MeterState] | None = None
) -> Moment:
    """Return a moment at a running table."""
    return Moment(now, EntropyChance(entropy), vault, meters or {})

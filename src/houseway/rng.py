"""Randomness that can be audited: unbiased draws, a fair shuffle, a deck order sealed beforehand.

The caller that shuffles passes the source of bytes in. At a table it is the operating system's; in a test
or a simulation it is a seeded one, so that the same seed deals the same cards on any machine.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from houseway.cards import Card, Cards, distinct
from houseway.errors import InvalidInputError

NONCE_BYTES: Final = 32
DIE_FACES: Final = 6
_ONE_BYTE: Final = 256
_CEILINGS: Final = tuple(_ONE_BYTE - _ONE_BYTE % (last + 1) for last in range(_ONE_BYTE))
"""For each number of outcomes less one, the bytes below this favour none of them."""
T = TypeVar("T")


class Entropy(Protocol):
    """A source of random bytes."""

    def read(self, count: int) -> bytes:
        """Return ``count`` fresh bytes."""
        ...


class SystemEntropy:
    """The operating system's cryptographic generator."""

    def read(self, count: int) -> bytes:
        """Return ``count`` fresh bytes."""
        return secrets.token_bytes(count)


class SeededEntropy:
    """The same bytes for the same seed, for ever: SHAKE-256 of the seed and a block number."""

    _BLOCK: Final = 1024

    def __init__(self, seed: str | int) -> None:
        try:
            self._seed = f"houseway:{seed}".encode()
        except UnicodeEncodeError:
            raise InvalidInputError("a seed is a text that can be written down", value=seed) from None
        self._block = 0
        self._buffer = b""
        self._at = 0

    def read(self, count: int) -> bytes:
        """Return the next ``count`` bytes of the stream."""
        end = self._at + count
        if end > len(self._buffer):
            self._buffer, self._at, end = self._buffer[self._at :], 0, count
            while end > len(self._buffer):
                block = self._seed + b":" + str(self._block).encode()
                self._buffer += hashlib.shake_256(block).digest(self._BLOCK)
                self._block += 1
        taken = self._buffer[self._at : end]
        self._at = end
        return taken


def below(limit: int, entropy: Entropy) -> int:
    """Draw a whole number from 0 up to, not including, ``limit``: every one equally likely.

    Bytes that would favour the small numbers are thrown away (rejection sampling).

    >>> source = SeededEntropy("seven")
    >>> {below(7, source) for _ in range(100)} == set(range(7))
    True
    """
    if limit < 1:
        raise InvalidInputError("a draw needs at least one outcome", value=limit)
    if limit <= _ONE_BYTE:
        ceiling = _CEILINGS[limit - 1]
        while (byte := entropy.read(1)[0]) >= ceiling:
            pass
        return byte % limit
    size = ((limit - 1).bit_length() + 7) // 8
    ceiling = 256**size - 256**size % limit
    while True:
        drawn = int.from_bytes(entropy.read(size), "big")
        if drawn < ceiling:
            return drawn % limit


def shuffled(items: Sequence[T], entropy: Entropy) -> tuple[T, ...]:
    """Return the items in an order of which each is equally likely (Fisher–Yates)."""
    order, read = list(items), entropy.read
    for last in range(len(order) - 1, 0, -1):
        if last >= _ONE_BYTE:
            other = below(last + 1, entropy)
        else:  # a deck is short: what ``below`` does with one byte
            while (byte := read(1)[0]) >= _CEILINGS[last]:
                pass
            other = byte % (last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def dice(count: int, entropy: Entropy) -> tuple[int, ...]:
    """Roll dice."""
    return tuple(below(DIE_FACES, entropy) + 1 for _ in range(count))


@dataclass(frozen=True)
class SealedDeck:
    """A deck order fixed before the deal, which anyone can check once it is opened.

    Only ``commitment`` is published before the round; ``order`` and ``nonce`` afterwards.
    """

    order: Cards
    nonce: bytes

    def __post_init__(self) -> None:
        distinct(self.order)
        if len(self.nonce) != NONCE_BYTES:
            raise InvalidInputError("a nonce has 32 bytes", value=len(self.nonce))

    @classmethod
    def shuffle(cls, cards: Sequence[Card], entropy: Entropy) -> SealedDeck:
        """Shuffle the cards and seal their order with a fresh 256-bit nonce."""
        return cls(shuffled(cards, entropy), entropy.read(NONCE_BYTES))

    @property
    def commitment(self) -> str:
        """The hash that binds the order: SHA-256 over the nonce, then a byte for each card."""
        return hashlib.sha256(self.nonce + bytes(self.order)).hexdigest()

    def opens(self, commitment: str) -> bool:
        """Whether this order and nonce are what the commitment was made of."""
        return hmac.compare_digest(self.commitment.encode(), commitment.encode("utf-8", "replace"))

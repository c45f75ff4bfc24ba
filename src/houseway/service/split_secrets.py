"""Secrets of two halves: each is told to one of two people, and only both together let anybody in.

They are typed as ``first-second``. On record is the hash of the first half, from when it is told, and later
the hash of both: so that neither of the two people, nor whoever reads the record, ever has the whole.
"""

from __future__ import annotations

import hashlib
from base64 import b32encode
from typing import Final

from houseway.rng import Entropy

HALF_BYTES: Final = 10
"""80 random bits: a half by itself is guessed by nobody, whose hash is known or not."""
BETWEEN: Final = "-"
"""What stands between two halves; there is none in a half."""


def new_half(entropy: Entropy) -> str:
    """Return a fresh half, in small letters and digits that are not mistaken for letters."""
    return b32encode(entropy.read(HALF_BYTES)).decode().lower()


def hash_of_half(half: str) -> str:
    """Return the hash of a first half, however it was typed."""
    return hashlib.sha256(half.strip().lower().encode("utf-8", "replace")).hexdigest()


def join_halves(first_hash: str, second: str) -> str:
    """Return what is hashed of a secret: the first half as its hash, and the second as it is told."""
    return f"{first_hash}{BETWEEN}{second.strip().lower()}"


def join_typed(typed: str) -> str:
    """Return what is hashed of a secret, from how somebody typed it.

    >>> joined(" Abcd-Efgh ") == join_halves(hash_of_half("abcd"), "efgh")
    True
    """
    first, _, second = typed.partition(BETWEEN)
    return join_halves(hash_of_half(first), second)

"""Secrets of two halves: each is shown to one of two people, and only both together sign a user in.

They are typed as ``first-second``. Recorded is the hash of the first half when it is shown, and later the
hash of both, so that neither of the two people, nor a reader of the record, ever has the whole secret.
"""

from __future__ import annotations

import hashlib
from base64 import b32encode
from typing import Final

from houseway.rng import Entropy

HALF_BYTES: Final = 10
"""80 random bits: a single half cannot be guessed, even if its hash is known."""
BETWEEN: Final = "-"
"""The separator of the halves, which occurs in neither."""


def new_half(entropy: Entropy) -> str:
    """Return a random half, in small letters and digits that are not mistaken for letters."""
    return b32encode(entropy.read(HALF_BYTES)).decode().lower()


def hash_of_half(half: str) -> str:
    """Return the hash of a first half, however it was typed."""
    return hashlib.sha256(half.strip().lower().encode("utf-8", "replace")).hexdigest()


def join_halves(first_hash: str, second: str) -> str:
    """Return the text of a secret that is hashed: the first half's hash, and the second half."""
    return f"{first_hash}{BETWEEN}{second.strip().lower()}"


def join_typed(typed: str) -> str:
    """Return the text of a typed secret that is hashed.

    >>> join_typed(" Abcd-Efgh ") == join_halves(hash_of_half("abcd"), "efgh")
    True
    """
    first, _, second = typed.partition(BETWEEN)
    return join_halves(hash_of_half(first), second)

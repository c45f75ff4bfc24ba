"""Passwords and keys: which are allowed, their hashes, and how they are checked.

Passwords are hashed with Argon2id, which is slow on purpose: about a tenth of a second in a thread.
Device keys have 256 random bits, for which a plain SHA-256 is enough.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct
from zxcvbn import zxcvbn

from houseway.errors import InvalidInputError
from houseway.floor.streams import RedactedStruct
from houseway.rng import Entropy

LEAST_CHARACTERS: Final = 12
MOST_CHARACTERS: Final = 200
LEAST_SCORE: Final = 3
"""The lowest zxcvbn score, of 0 to 4, that a password needs: about a hundred million guesses."""
JUDGED_CHARACTERS: Final = 40
"""The most characters that zxcvbn judges: longer passwords are no worse, and some take seconds."""
SECRET_BYTES: Final = 32
SALT_BYTES: Final = 16
_PASSWORD_HASH: Final = re.compile(r"\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+")
_KEY_HASH: Final = re.compile(r"[0-9a-f]{64}")


class HashParameters(Struct, frozen=True, kw_only=True):
    """The cost parameters of a hash."""

    passes: int
    memory_kib: int
    lanes: int


PARAMETERS: Final = HashParameters(passes=3, memory_kib=65_536, lanes=1)
"""RFC 9106's second recommendation, in one lane, since the other cores serve tables."""


class NewKey(RedactedStruct, frozen=True):
    """A device's new key, to be shown once, and its hash, to be stored."""

    hidden: ClassVar[frozenset[str]] = frozenset({"key", "hash"})
    key: str
    hash: str


class Passwords:
    """Makes and checks hashes, with the given source of salts and cost parameters."""

    def __init__(self, entropy: Entropy, parameters: HashParameters = PARAMETERS) -> None:
        self._entropy = entropy
        self._hasher = PasswordHasher(
            time_cost=parameters.passes,
            memory_cost=parameters.memory_kib,
            parallelism=parameters.lanes,
            salt_len=SALT_BYTES,
            type=Type.ID,
        )
        self._nobodys = self._hash(entropy.read(SECRET_BYTES).hex())

    def hash(self, password: str, *names: str) -> str:
        """Return the hash of a new password; refuse a weak one, or one that is a name of the user."""
        check_password(password, *names)
        return self._hash(_normal(password))

    def hash_unchecked(self, password: str) -> str:
        """Return the hash of a known or generated password, without judging it."""
        return self._hash(_normal(password))

    def _hash(self, text: str) -> str:
        return self._hasher.hash(text, salt=self._entropy.read(SALT_BYTES))

    def knows_password(self, password: str, stored: str) -> bool:
        """Whether a password matches a stored hash; always takes the time of one hash."""
        text = _normal(password) if len(password) <= MOST_CHARACTERS else ""
        real = bool(text) and is_password_hash(stored)
        try:
            return self._hasher.verify(stored if real else self._nobodys, text) and real
        except (VerificationError, InvalidHashError):
            return False

    def knows_key(self, key: str, stored: str) -> bool:
        """Whether a key matches a stored hash; takes as long as a password, so that timing tells nothing."""
        self.knows_password("", "")
        return hmac.compare_digest(hash_of_key(key), stored)

    def is_outdated(self, stored: str) -> bool:
        """Whether a hash was made with other parameters than these."""
        return is_password_hash(stored) and self._hasher.check_needs_rehash(stored)


def check_password(password: str, *names: str) -> None:
    """Refuse a password that is too short, too long, a name or easily guessed; the error never repeats it."""
    text = _normal(password) if len(password) <= MOST_CHARACTERS else password
    if not LEAST_CHARACTERS <= len(text) <= MOST_CHARACTERS:
        raise InvalidInputError(f"a password has {LEAST_CHARACTERS} to {MOST_CHARACTERS} characters")
    if text.strip().casefold() in {_normal(name).strip().casefold() for name in names}:
        raise InvalidInputError("a password must not be the name of its user")
    judged = zxcvbn(text[:JUDGED_CHARACTERS], user_inputs=list(names), max_length=JUDGED_CHARACTERS)
    if judged["score"] < LEAST_SCORE:
        raise InvalidInputError(_advice(judged["feedback"]))


def _advice(feedback: Mapping[str, Any]) -> str:
    """Return why a password is weak and what would be better, in the judge's own fixed sentences."""
    sentences = [str(feedback["warning"]), *map(str, feedback["suggestions"])]
    clauses = [sentence.rstrip(".") for sentence in sentences if sentence]
    return ". ".join(["the password is too easy to guess", *clauses])


def _normal(text: str) -> str:
    """Return a password in the normal form that is hashed; "" if it cannot be encoded."""
    normal = unicodedata.normalize("NFKC", text)
    return normal if not any("\ud800" <= character <= "\udfff" for character in normal) else ""


def new_key(entropy: Entropy) -> NewKey:
    """Return a new random key of a device."""
    key = secret_text(entropy)
    return NewKey(key, hash_of_key(key))


def secret_text(entropy: Entropy) -> str:
    """Return 256 random bits as text."""
    return urlsafe_b64encode(entropy.read(SECRET_BYTES)).rstrip(b"=").decode()


def hash_of_key(key: str) -> str:
    """Return the hash of a device key."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def is_password_hash(text: str) -> bool:
    """Whether a text is the hash of a password."""
    return _PASSWORD_HASH.fullmatch(text) is not None


def is_key_hash(text: str) -> bool:
    """Whether a text is the hash of a key."""
    return _KEY_HASH.fullmatch(text) is not None

"""Passwords and keys: what may be one, its hash, and whether somebody knows it.

Passwords are hashed with Argon2id, which is slow on purpose: about a tenth of a second, in any thread.
Keys of devices have 256 random bits, so that a plain SHA-256 is enough.
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
"""What zxcvbn must judge a password to be, of 0 to 4: a hundred million guesses at least."""
JUDGED_CHARACTERS: Final = 40
"""So much of a password is judged: a longer one is no worse, and some take seconds."""
SECRET_BYTES: Final = 32
SALT_BYTES: Final = 16
_PASSWORD_HASH: Final = re.compile(r"\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+")
_KEY_HASH: Final = re.compile(r"[0-9a-f]{64}")


class Parameters(Struct, frozen=True, kw_only=True):
    """What a hash costs whoever makes or guesses one."""

    passes: int
    memory_kib: int
    lanes: int


PARAMETERS: Final = Parameters(passes=3, memory_kib=65_536, lanes=1)
"""RFC 9106's second choice of passes and memory, in one lane: the other cores serve tables."""


class NewKey(RedactedStruct, frozen=True):
    """A device's new key, to be shown once, and the hash to be kept."""

    hidden: ClassVar[frozenset[str]] = frozenset({"key", "hash"})
    key: str
    hash: str


class Passwords:
    """Makes and checks hashes; where the salts come from and what a hash costs are passed in."""

    def __init__(self, entropy: Entropy, parameters: Parameters = PARAMETERS) -> None:
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
        """Return the hash of a new password, or say why it may not be one; nor may one of these names."""
        check_password(password, *names)
        return self._hash(_normal(password))

    def hash_unchecked(self, password: str) -> str:
        """Return the hash of a password that was one already, or that was drawn by chance."""
        return self._hash(_normal(password))

    def _hash(self, text: str) -> str:
        return self._hasher.hash(text, salt=self._entropy.read(SALT_BYTES))

    def knows_password(self, password: str, found: str) -> bool:
        """Whether a password is the one of a hash; whatever is asked, one hash is computed."""
        text = _normal(password) if len(password) <= MOST_CHARACTERS else ""
        real = bool(text) and is_password_hash(found)
        try:
            return self._hasher.verify(found if real else self._nobodys, text) and real
        except (VerificationError, InvalidHashError):
            return False

    def knows_key(self, key: str, found: str) -> bool:
        """Whether a key is the one of a hash; it takes as long as a password, so that none is told apart."""
        self.knows_password("", "")
        return hmac.compare_digest(hash_of_key(key), found)

    def is_outdated(self, found: str) -> bool:
        """Whether a hash was made under other parameters than these."""
        return is_password_hash(found) and self._hasher.check_needs_rehash(found)


def check_password(password: str, *names: str) -> None:
    """Refuse what is too short, too long, a name or easily guessed; the password is never repeated."""
    text = _normal(password) if len(password) <= MOST_CHARACTERS else password
    if not LEAST_CHARACTERS <= len(text) <= MOST_CHARACTERS:
        raise InvalidInputError(f"a password has {LEAST_CHARACTERS} to {MOST_CHARACTERS} characters")
    if text.strip().casefold() in {_normal(name).strip().casefold() for name in names}:
        raise InvalidInputError("a password is not the name of who has it")
    judged = zxcvbn(text[:JUDGED_CHARACTERS], user_inputs=list(names), max_length=JUDGED_CHARACTERS)
    if judged["score"] < LEAST_SCORE:
        raise InvalidInputError(_advice(judged["feedback"]))


def _advice(feedback: Mapping[str, Any]) -> str:
    """Return why a password is refused, and what would be better: the judge's own fixed sentences."""
    sentences = [str(feedback["warning"]), *map(str, feedback["suggestions"])]
    clauses = [sentence.rstrip(".") for sentence in sentences if sentence]
    return ". ".join(["the password is too easy to guess", *clauses])


def _normal(text: str) -> str:
    """Return a text as it is hashed, however a keyboard wrote it; what cannot be written is nothing."""
    normal = unicodedata.normalize("NFKC", text)
    return normal if not any("\ud800" <= one <= "\udfff" for one in normal) else ""


def new_key(entropy: Entropy) -> NewKey:
    """Return a fresh key of a device."""
    key = secret_text(entropy)
    return NewKey(key, hash_of_key(key))


def secret_text(entropy: Entropy) -> str:
    """Return 256 fresh random bits as text."""
    return urlsafe_b64encode(entropy.read(SECRET_BYTES)).rstrip(b"=").decode()


def hash_of_key(key: str) -> str:
    """Return the hash that a key is known by."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def is_password_hash(text: str) -> bool:
    """Whether a text is the hash of a password."""
    return _PASSWORD_HASH.fullmatch(text) is not None


def is_key_hash(text: str) -> bool:
    """Whether a text is the hash of a key."""
    return _KEY_HASH.fullmatch(text) is not None

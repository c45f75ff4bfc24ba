"""What the floor's key protects: decks at rest, and snapshots.

A reader of the database without the key learns nothing of a card that is not dealt. A snapshot that was
written without the key is not used.
"""

from __future__ import annotations

import hmac
import os
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec import Struct, json
from msgspec.structs import replace

from houseway.cards import parse_cards, show
from houseway.errors import IllegalError
from houseway.rng import Entropy, SealedDeck
from houseway.store.entries import StreamId
from houseway.store.protocol import Snapshot

KEY_BYTES: Final = 32
_FORMER: Final = "former keys"
_IV: Final = 12
_PRIVATE: Final = 0o600


Believes = Callable[[Snapshot], bool]
"""Whether a snapshot was made with the floor's key."""


def believe_none(_: Snapshot) -> bool:
    """Believe no snapshot: without the floor's key, streams are folded from their first entries."""
    return False


class SnapshotSeal:
    """Gives snapshots a code made with the floor's key, and checks it."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def seal(self, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot with its code."""
        return replace(snapshot, mac=self._code(snapshot))

    def believes(self, snapshot: Snapshot) -> bool:
        """Whether a snapshot has the code that this key gives it."""
        return hmac.compare_digest(snapshot.mac, self._code(snapshot))

    def _code(self, snapshot: Snapshot) -> bytes:
        code = hmac.new(self._key, digestmod="sha256")
        parts = (snapshot.stream.encode(), str(snapshot.version).encode(), snapshot.hash, snapshot.body)
        for part in parts:
            code.update(len(part).to_bytes(8, "big"))
            code.update(part)
        return code.digest()


class FormerKey(Struct, frozen=True):
    """What is still needed of a key that a floor had before: keys derived from it, in hex, by purpose."""

    until: int
    """How many leaves the floor's tree had when another key came in its place."""
    derived: dict[str, str]

    def key_for(self, purpose: str) -> bytes:
        """Return the key that was derived for a purpose."""
        return bytes.fromhex(self.derived[purpose])


class DeckSafe:
    """Locks decks away and opens them again, with a key that is kept apart from the database."""

    def __init__(self, key: bytes, entropy: Entropy, former: Sequence[FormerKey] = ()) -> None:
        if len(key) != KEY_BYTES:
            raise IllegalError(f"a key of {KEY_BYTES} bytes is needed", value=len(key))
        self._key, self._cipher, self._entropy = key, AESGCM(key), entropy
        self.snapshots = SnapshotSeal(self.derive("snapshots"))
        self.former = tuple(former)
        """The keys before this one, the first of them first."""

    def as_former(self, until: int, purposes: Iterable[str]) -> tuple[FormerKey, ...]:
        """Return what is still needed once another key comes in the place of this one."""
        derived = {purpose: self.derive(purpose).hex() for purpose in purposes}
        return (*self.former, FormerKey(until, derived))

    def hand_on(self, former: Sequence[FormerKey]) -> str:
        """Return what is needed of former keys, encrypted with this one."""
        iv = self._entropy.read(_IV)
        cipher = AESGCM(self.derive(_FORMER))
        return b64encode(iv + cipher.encrypt(iv, json.encode(former), None)).decode()

    def with_former_keys(self, handed_on: str) -> DeckSafe:
        """Return this safe with the former keys that were handed on to it."""
        try:
            locked = b64decode(handed_on, validate=True)
            text = AESGCM(self.derive(_FORMER)).decrypt(locked[:_IV], locked[_IV:], None)
        except (InvalidTag, ValueError):
            raise IllegalError("what was handed on of former keys cannot be opened with this key") from None
        return DeckSafe(self._key, self._entropy, json.decode(text, type=tuple[FormerKey, ...]))

    def derive(self, purpose: str) -> bytes:
        """Return a derived key for another purpose, which reveals nothing of this one (HKDF)."""
        return HKDF(hashes.SHA256(), KEY_BYTES, salt=None, info=purpose.encode()).derive(self._key)

    def lock(self, stream: StreamId, deck: SealedDeck) -> bytes:
        """Return a deck encrypted, bound to its stream and to what it commits to."""
        iv = self._entropy.read(_IV)
        text = b"\n".join([show(deck.order).encode(), deck.nonce.hex().encode()])
        return iv + self._cipher.encrypt(iv, text, _associated_data(stream, deck.commitment))

    def unlock(self, stream: StreamId, commitment: str, locked: bytes) -> SealedDeck:
        """Return a deck that was locked away, or refuse one that is not it."""
        try:
            text = self._cipher.decrypt(locked[:_IV], locked[_IV:], _associated_data(stream, commitment))
        except (InvalidTag, ValueError):  # another deck's, or nothing that was ever locked
            raise IllegalError("a sealed deck cannot be opened with this key", value=commitment) from None
        order, nonce = text.split(b"\n")
        deck = SealedDeck(parse_cards(order.decode()), bytes.fromhex(nonce.decode()))
        if deck.commitment != commitment:
            raise IllegalError("a sealed deck is not the one it commits to", value=commitment)
        return deck


def _associated_data(stream: StreamId, commitment: str) -> bytes:
    return f"{stream}\n{commitment}".encode()


def key_path(database: Path) -> Path:
    """Return where the key of a database in a file is kept."""
    return database.with_name(f"{database.name}.key")


def copy_key(source: Path, target: Path) -> None:
    """Copy a key, for its owner only; a key that is there is never overwritten."""
    if not source.exists():
        raise IllegalError("there is no key of sealed decks", value=str(source))
    try:
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
    except FileExistsError:
        raise IllegalError("there is a key already", value=str(target)) from None
    with os.fdopen(handle, "wb") as file:
        file.write(source.read_bytes())
        file.flush()
        os.fsync(file.fileno())


def read_key(path: Path, entropy: Entropy) -> bytes:
    """Return the key kept in a file; a new one is made, for its owner only."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
    except FileExistsError:
        return load_key(path)
    except OSError as error:
        raise IllegalError(f"no key can be written there: {error.strerror}", value=str(path)) from None
    key = entropy.read(KEY_BYTES)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(key.hex())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        path.unlink(missing_ok=True)  # half a key would be taken for one
        raise IllegalError(f"no key can be written there: {error.strerror}", value=str(path)) from None
    return key


def load_key(path: Path) -> bytes:
    """Return the key kept in a file that is there."""
    try:
        return bytes.fromhex(path.read_text(encoding="ascii").strip())
    except (OSError, ValueError):
        raise IllegalError("the key of sealed decks cannot be read", value=str(path)) from None

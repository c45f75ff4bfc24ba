"""What a receipt is made of, written and read: JSON, and under it the floor's signature of its bytes.

Hashes and salts are hexadecimal digits. The value of a part is the text of its JSON, for that text is what is
committed to. Nothing is there twice: what a receipt shows of the round is in its parts.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

import msgspec
from msgspec import Struct

from houseway.errors import DataError
from houseway.rounds.roles import Role
from houseway.store.body_parts import Disclosure, SaltedPart
from houseway.store.signed_notes import Note, Signer, read_note, sign_note
from houseway.store.tree import Hash

FORMAT: Final = "houseway-receipt/1"
LARGEST: Final = 8_000_000
"""The most bytes that a receipt may have: the longest we make has a tenth of it."""
_BEGIN: Final = b'{"receipt":'
_BETWEEN: Final = b',\n"signed":'
_END: Final = b"}\n"


class ReceiptPart(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of a receipt."""


class ShownPart(ReceiptPart, frozen=True):
    """What an entry says at one place, with the salt of its commitment."""

    path: str
    value: str
    salt: str


class EntryProof(ReceiptPart, frozen=True):
    """An entry of the table: what of it is shown, commitments to the rest, and its place in the tree."""

    version: int
    leaf: int
    """The number of its leaf."""
    entry: str
    """The hash of the entry and all before it, hidden by a salt."""
    parts: tuple[ShownPart | str, ...]
    proof: tuple[str, ...]
    """The other halves on the way from the leaf to the root."""

    def disclosure(self) -> Disclosure:
        """Return the parts as they are checked."""
        return tuple(
            read_hash(part)
            if isinstance(part, str)
            else SaltedPart(part.path, part.value.encode(), read_hash(part.salt))
            for part in self.parts
        )


class Viewer(ReceiptPart, frozen=True):
    """Whose receipt it is: a player by their id, others by their role."""

    role: Role
    id: str


class Receipt(ReceiptPart, frozen=True):
    """A round as its reader may see it, and the proof of it."""

    format: str
    signed_by: str
    """The public key by which the floor signs."""
    head: str
    """The signed head of the tree: how large it is, and its root."""
    table: str
    round: int
    viewer: Viewer
    game: str
    rules: Any
    """The rules submission that the table played by, as a document."""
    committed: tuple[EntryProof, ...]
    """The entry that committed to the deck, where that was before the round."""
    entries: tuple[EntryProof, ...]
    """Every entry of the round."""
    proven: tuple[str, ...]
    not_proven: tuple[str, ...]


def read_hash(text: str) -> Hash:
    """Read bytes from hexadecimal digits, written in the one way in which they are."""
    try:
        value = bytes.fromhex(text)
    except ValueError:
        value = b""
    if value.hex() != text:
        raise DataError("not written in hexadecimal digits", value=text)
    return value


def statement(body: bytes) -> str:
    """Return what the floor signs of a receipt: no tree head is written so."""
    return f"{FORMAT}\n{hashlib.sha256(body).hexdigest()}\n"


def write_receipt(receipt: Receipt, signer: Signer) -> bytes:
    """Return a receipt as it is handed out, signed."""
    body = msgspec.json.encode(receipt)
    return _encode(body, sign_note(statement(body), signer))


def _encode(body: bytes, note: Note) -> bytes:
    return _BEGIN + body + _BETWEEN + msgspec.json.encode(note.encode().decode()) + _END


def read_receipt(data: bytes) -> tuple[Receipt, bytes, Note]:
    """Return a receipt, the bytes that are signed, and the note under it; no signature is checked yet."""
    if len(data) > LARGEST:
        raise DataError(f"a receipt has at most {LARGEST:,} bytes", value=len(data))
    body, between, rest = data.removeprefix(_BEGIN).rpartition(_BETWEEN)
    if not between or not data.startswith(_BEGIN) or not rest.endswith(_END):
        raise DataError("not a receipt: it is not written as one")
    try:
        receipt = msgspec.json.decode(body, type=Receipt)
        note = read_note(msgspec.json.decode(rest.removesuffix(_END), type=str).encode())
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise DataError(f"not a receipt: {error}") from None
    if receipt.format != FORMAT:
        raise DataError(f"a receipt of the format {FORMAT} is read here", value=receipt.format)
    if _encode(body, note) != data:
        raise DataError("not a receipt: it is not written as one")
    return receipt, body, note

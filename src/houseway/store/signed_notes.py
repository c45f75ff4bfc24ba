"""Signed checkpoints as transparency logs write them: C2SP signed-note, tlog-checkpoint, tlog-cosignature.

A note is a text, an empty line, and a line for each signature::

    floor.example/log                                   where the log is from
    3271                                                how many leaves its tree has
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=        the root
    heads 5f0c…                                         what else is signed with it
    at 2026-01-31T12:00:00Z
    number 7

    — floor.example/log Az3grlgtzPICa5OS8npVmf1…        the log's signature
    — auditor.example/w1 jWbPPwAAAABkGFDLEZMHwS…        that of a witness, with its time

The first three lines of the text are a tree head to any reader; ``Details`` are ours. All keys are
Ed25519. A signature is known by the name of its key and the key's id, and one by an unknown key is passed
over. What is read here is written again to the byte: there are no two ways to write one tree head.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from enum import IntEnum
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from houseway.errors import IllegalError
from houseway.intake import IntakeError, read_moment
from houseway.store.tree import EMPTY_ROOT, HASH_BYTES, Hash

KEY_BYTES: Final = 32
LONGEST_NOTE: Final = 262_144
"""The most bytes that a note has: enough for 32 signatures of the largest kind."""
MOST_SIGNATURES: Final = 32
LARGEST: Final = 2**63 - 1
"""No size, number or time is larger."""
_ID_BYTES: Final = 4
_TIME_BYTES: Final = 8
_LEADER: Final = "\u2014 "
"""What a signature begins with: an em dash."""
_COSIGNED: Final = "cosignature/v1\n"
"""What a cosigned message begins with, and no text that a log signs."""
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f]")
_DECIMAL: Final = re.compile(r"0|[1-9][0-9]{0,18}")
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})*")


class ForgedSignatureError(IllegalError):
    """A signature by a known key is not of the text it stands under."""


class UnknownSignerError(IllegalError):
    """No signature is by a key that counts here."""


class SignatureKind(IntEnum):
    """What a key signs: the number is part of the key's id, so that one kind does not pass for the other."""

    NOTE = 1
    """A text, as it stands."""
    COSIGNATURE = 4
    """That a tree head is, at some time, the largest that a witness has seen of a log."""


# --- keys and signatures ------------------------------------------------------------------------------


class Signature(Struct, frozen=True):
    """A signature under a note; what its value means depends on the kind of its key."""

    name: str
    key_id: bytes
    value: bytes

    def __str__(self) -> str:
        return f"{_LEADER}{self.name} {_base64(self.key_id + self.value)}"

    @property
    def key(self) -> tuple[str, bytes]:
        """What names the key: its name and its id."""
        return self.name, self.key_id


def read_signature(line: str) -> Signature:
    """Read a signature from its line, without the end of the line."""
    if not line.startswith(_LEADER):
        raise IntakeError("a signature begins with an em dash and a space", value=line, where="signature")
    name, space, text = line.removeprefix(_LEADER).partition(" ")
    if not space:
        raise IntakeError("a signature has a name and a value", value=line, where="signature")
    value = _read_base64(text, "signature")
    if len(value) <= _ID_BYTES:
        raise IntakeError("a signature has a key id and a value", value=text, where="signature")
    return Signature(_check_name(name), value[:_ID_BYTES], value[_ID_BYTES:])


class Verifier(Struct, frozen=True):
    """Whose signatures can be checked: a name, a public key, and what it signs.

    ``str()`` is its text: ``name+key id+key``, which a checker is given beforehand.
    """

    name: str
    public_key: bytes
    kind: SignatureKind = SignatureKind.NOTE

    def __post_init__(self) -> None:
        _check_name(self.name)
        if len(self.public_key) != KEY_BYTES:
            raise IntakeError(f"a key has {KEY_BYTES} bytes", value=len(self.public_key), where="key")

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{_base64(bytes([self.kind]) + self.public_key)}"

    @property
    def key_id(self) -> bytes:
        """The short hash of the key that stands before its signatures."""
        text = self.name.encode() + b"\n" + bytes([self.kind]) + self.public_key
        return hashlib.sha256(text).digest()[:_ID_BYTES]

    def check(self, text: str, signature: Signature) -> CheckedSignature:
        """Return the checked signature of a text, or raise that it is forged."""
        time, message, value = None, text, signature.value
        if self.kind is SignatureKind.COSIGNATURE:
            time, value = int.from_bytes(value[:_TIME_BYTES], "big"), value[_TIME_BYTES:]
            message = _cosigned_text(text, time)
            if time > LARGEST:
                raise ForgedSignatureError("there is no such time", value=time)
        try:
            Ed25519PublicKey.from_public_bytes(self.public_key).verify(value, message.encode())
        except (InvalidSignature, ValueError):
            raise ForgedSignatureError("the signature is not of this text", value=self.name) from None
        return CheckedSignature(self, signature, time)


def read_verifier(text: str) -> Verifier:
    """Read a key from its text."""
    name, _, rest = text.partition("+")
    key_id, _, key = rest.partition("+")
    value = _read_base64(key, "key")
    if value[:1] not in {bytes([kind]) for kind in SignatureKind}:
        raise IntakeError("a key of a kind that is not known here", value=text, where="key")
    verifier = Verifier(name, value[1:], SignatureKind(value[0]))
    if key_id != verifier.key_id.hex():
        raise IntakeError("the key id is not of this name and key", value=text, where="key")
    return verifier


class CheckedSignature(Struct, frozen=True):
    """A signature that was checked."""

    by: Verifier
    signature: Signature
    time: int | None = None
    """When a witness saw what it signed, in seconds since 1970; a log does not say."""


class Signer:
    """A log's key: it signs notes."""

    def __init__(self, name: str, secret: bytes) -> None:
        self._secret, public = _keys(secret)
        self.verifier = Verifier(name, public)

    def sign(self, text: str) -> Signature:
        """Return the signature of a text."""
        if text.startswith(_COSIGNED):  # with the same key it would pass for that of a witness
            raise IllegalError("a log does not sign what only a witness signs", value=text)
        value = self._secret.sign(_check_text(text).encode())
        return Signature(self.verifier.name, self.verifier.key_id, value)


class Cosigner:
    """A witness's key: it signs tree heads that the log has signed, with the time."""

    def __init__(self, name: str, secret: bytes) -> None:
        self._secret, public = _keys(secret)
        self.verifier = Verifier(name, public, SignatureKind.COSIGNATURE)

    def sign(self, head: TreeHead, time: int) -> Signature:
        """Return the cosignature of a tree head at a time, in seconds since 1970."""
        if not 0 <= time <= LARGEST:
            raise IllegalError("a time is a number of seconds since 1970", value=time)
        value = self._secret.sign(_cosigned_text(head.text, time).encode())
        value = time.to_bytes(_TIME_BYTES, "big") + value
        return Signature(self.verifier.name, self.verifier.key_id, value)


def _keys(secret: bytes) -> tuple[Ed25519PrivateKey, bytes]:
    if len(secret) != KEY_BYTES:
        raise IllegalError(f"a key of {KEY_BYTES} bytes is needed", value=len(secret))
    private = Ed25519PrivateKey.from_private_bytes(secret)
    return private, private.public_key().public_bytes_raw()


def _cosigned_text(text: str, time: int) -> str:
    return f"{_COSIGNED}time {time}\n{text}"


def _check_name(name: str) -> str:
    if not name or "+" in name or _CONTROL.search(name) or any(char.isspace() for char in name):
        raise IntakeError(
            "the name of a key has no space, no plus, and is not empty", value=name, where="key"
        )
    return name


# --- notes --------------------------------------------------------------------------------------------


class Note(Struct, frozen=True):
    """A text, and the signatures under it."""

    text: str
    signatures: tuple[Signature, ...]

    def encode(self) -> bytes:
        """Return the note as it is written down."""
        return "".join([self.text, "\n", *(f"{item}\n" for item in self.signatures)]).encode()

    def with_signature(self, signature: Signature) -> Note:
        """Return the note with one more signature, in place of an earlier one by the same key."""
        others = (item for item in self.signatures if item.key != signature.key)
        return Note(self.text, (*others, signature))


def sign_note(text: str, *signers: Signer) -> Note:
    """Return a text with the signatures of some keys."""
    return Note(text, tuple(signer.sign(text) for signer in signers))


def read_note(data: bytes) -> Note:
    """Read a note without checking its signatures, or refuse what is not written as notes are."""
    if len(data) > LONGEST_NOTE:
        raise IntakeError(f"a note has at most {LONGEST_NOTE:,} bytes", value=len(data), where="note")
    try:
        whole = data.decode()
    except UnicodeDecodeError as error:
        raise IntakeError("a note is text in UTF-8", value=error.start, where="note") from None
    text, empty, lines = whole.rpartition("\n\n")
    if not empty or not lines.endswith("\n"):
        cause = "a note has a text, an empty line, and signatures to the end"
        raise IntakeError(cause, value=whole, where="note")
    signatures = [read_signature(line) for line in lines.removesuffix("\n").split("\n")]
    if len(signatures) > MOST_SIGNATURES:
        cause = f"a note has at most {MOST_SIGNATURES} signatures"
        raise IntakeError(cause, value=len(signatures), where="note")
    if len({item.key for item in signatures}) < len(signatures):
        raise IntakeError("a key signs a note once", value=len(signatures), where="note")
    return Note(_check_text(f"{text}\n"), tuple(signatures))


def check_note(note: Note, verifiers: Iterable[Verifier]) -> tuple[CheckedSignature, ...]:
    """Return which of some keys signed a note, each once.

    A note signed by none of them is refused, and so is one with a forged signature of any of them.
    """
    by_key = {signature.key: signature for signature in note.signatures}
    known = [
        (verifier, by_key.get((verifier.name, verifier.key_id))) for verifier in dict.fromkeys(verifiers)
    ]
    signed = tuple(verifier.check(note.text, signature) for verifier, signature in known if signature)
    if not signed:
        names = ", ".join(signature.name for signature in note.signatures)
        raise UnknownSignerError("the note is signed by no key that counts here", value=names)
    return signed


def _check_text(text: str) -> str:
    if not text.endswith("\n"):
        raise IntakeError("the text of a note ends with the end of a line", value=text, where="note")
    control = _CONTROL.search(text)
    if control:
        cause = "a note has no control characters but ends of lines"
        raise IntakeError(cause, value=f"U+{ord(control[0]):04X}", where="note")
    return text


# --- tree heads ---------------------------------------------------------------------------------------


class TreeHead(Struct, frozen=True):
    """What a checkpoint says of a log: how large its tree is, and the root."""

    origin: str
    size: int
    root: Hash
    extensions: tuple[str, ...] = ()
    """Further lines, which are signed too and mean something to the log."""

    def __post_init__(self) -> None:
        lines = self.origin, *self.extensions
        if not all(lines) or any("\n" in line or _CONTROL.search(line) for line in lines):
            cause = "a line of a checkpoint is not empty and has no control characters"
            raise IntakeError(cause, value=lines, where="checkpoint")
        if not 0 <= self.size <= LARGEST:
            raise IntakeError(f"a tree has 0 to {LARGEST:,} leaves", value=self.size, where="checkpoint")
        if len(self.root) != HASH_BYTES:
            raise IntakeError(f"a root has {HASH_BYTES} bytes", value=len(self.root), where="checkpoint")
        if self.size == 0 and self.root != EMPTY_ROOT:
            cause = "that is not the root of the empty tree"
            raise IntakeError(cause, value=self.root.hex(), where="checkpoint")

    @property
    def text(self) -> str:
        """The tree head as it is signed."""
        lines = self.origin, str(self.size), _base64(self.root), *self.extensions
        return "".join(f"{line}\n" for line in lines)


def read_tree_head(text: str) -> TreeHead:
    """Read a tree head from the text of a note."""
    lines = _check_text(text).removesuffix("\n").split("\n")
    if len(lines) < 3:  # noqa: PLR2004 - as they are taken apart below
        cause = "a checkpoint has an origin, a size and a root"
        raise IntakeError(cause, value=f"{len(lines)} lines", where="checkpoint")
    origin, size, root, *extensions = lines
    return TreeHead(
        origin=origin,
        size=_read_decimal(size, "size"),
        root=_read_base64(root, "root"),
        extensions=tuple(extensions),
    )


class Details(Struct, frozen=True):
    """What a checkpoint of ours says besides: a hash over the ends of all streams, when, and which it is."""

    heads: Hash
    at: datetime
    number: int

    def lines(self) -> tuple[str, str, str]:
        """Return the details as the further lines of a tree head."""
        return f"heads {self.heads.hex()}", f"at {_moment(self.at)}", f"number {self.number}"


def read_details(lines: Iterable[str]) -> Details:
    """Read the further lines of a tree head of ours: these three, in this order."""
    words = [line.partition(" ") for line in lines]
    if [name for name, _, _ in words] != ["heads", "at", "number"]:
        cause = "the further lines are heads, at and number"
        raise IntakeError(cause, value=" ".join(name for name, _, _ in words), where="checkpoint")
    heads, at, number = (value for _, _, value in words)
    if not _HEX.fullmatch(heads) or len(heads) != 2 * HASH_BYTES:
        raise IntakeError(f"a hash has {2 * HASH_BYTES} hexadecimal digits", value=heads, where="heads")
    moment = read_moment(at, "at")
    if at != _moment(moment):
        raise IntakeError("a moment is written in universal time, with a Z", value=at, where="at")
    return Details(bytes.fromhex(heads), moment, _read_decimal(number, "number"))


def _moment(at: datetime) -> str:
    if at.tzinfo is None:
        raise IllegalError("a moment is in a zone", value=at)
    return f"{at.astimezone(UTC).replace(tzinfo=None).isoformat()}Z"


def _read_decimal(text: str, field: str) -> int:
    if not _DECIMAL.fullmatch(text) or int(text) > LARGEST:
        cause = f"a number from 0 to {LARGEST:,} is needed, without zeros before it"
        raise IntakeError(cause, value=text, where=field)
    return int(text)


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _read_base64(text: str, field: str) -> bytes:
    """Read bytes written in base64, in the one way in which they are."""
    try:
        value = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        value = b""
    if not value or _base64(value) != text:
        raise IntakeError("not written in base64", value=text, where=field)
    return value

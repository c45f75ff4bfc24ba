"""How one key of a log replaces another: by a note that both of them sign.

Who trusts the former key can trust the next one without asking anyone else::

    houseway key change
    from houseway/1f…+5a9d21c3+AZ…          the key before
    to houseway/9c…+77e0b512+AX…            the key from now on
    after 3271                              how many leaves the tree has by then
    at 2026-01-31T12:00:00+00:00
    by Rosa
    secrets 5f0c…                           a hash over what is handed on, sealed

Heads of trees with more leaves than that are the new key's, all others the former one's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

from houseway.store.entries import BrokenChainError
from houseway.store.signed_notes import (
    Note,
    Signer,
    Verifier,
    check_note,
    read_note,
    read_verifier,
    sign_note,
)

_TITLE: Final = "houseway key change"
_FROM, _TO = "from ", "to "
_PARTIES: Final = 3
"""How many lines of the note name its keys."""


class KeyChange(Struct, frozen=True):
    """A change of a log's key: by whom, when, and what is handed on of the former key."""

    before: str
    after: str
    size: int
    at: datetime
    operator: str
    sealed: str

    @property
    def text(self) -> str:
        """The change as both keys sign it."""
        secrets = hashlib.sha256(self.sealed.encode()).hexdigest()
        lines = (
            _TITLE,
            f"{_FROM}{self.before}",
            f"{_TO}{self.after}",
            f"after {self.size}",
            f"at {self.at.astimezone(UTC).isoformat()}",
            f"by {self.operator or 'the command line'}",
            f"secrets {secrets}",
        )
        return "".join(f"{line}\n" for line in lines)

    def sign(self, before: Signer, after: Signer) -> Note:
        """Return the change as a note that both keys have signed."""
        return sign_note(self.text, before, after)

    def check(self, note: bytes) -> None:
        """Refuse a note of another change, or one that the two keys have not both signed."""
        if parties_of(note) != (read_verifier(self.before), read_verifier(self.after)):
            raise BrokenChainError("the change of a key is signed by other keys", value=self.before)
        if read_note(note).text != self.text:
            raise BrokenChainError("the keys have signed another change", value=self.after)


def parties_of(data: bytes) -> tuple[Verifier, Verifier]:
    """Return the former key and the next one, once it is known that both have signed the change."""
    note = read_note(data)
    title, before, after, *_ = (*note.text.split("\n"), *[""] * _PARTIES)
    if title != _TITLE or not before.startswith(_FROM) or not after.startswith(_TO):
        raise BrokenChainError("that is no change of a key", value=title)
    parties = read_verifier(before.removeprefix(_FROM)), read_verifier(after.removeprefix(_TO))
    for verifier in parties:
        check_note(note, [verifier])
    return parties


def follow_changes(keys: Sequence[Verifier], changes: Iterable[bytes]) -> tuple[Verifier, ...]:
    """Return the trusted keys of a log, with those that replaced the last of them."""
    believed = tuple(keys)
    for change in changes:
        before, after = parties_of(change)
        if before == believed[-1]:
            believed = (*believed, after)
    return believed


class Period(Struct, frozen=True):
    """From how many leaves on heads of a tree are signed by a key."""

    begins: int
    """The leaf that puts the key on record: heads that count it are the key's."""
    verifier: Verifier


def key_at(periods: Sequence[Period], size: int) -> Verifier | None:
    """Return the key that signs a head of ``size`` leaves, if that is on record."""
    begun = [period.verifier for period in periods if period.begins < size]
    return begun[-1] if begun else None

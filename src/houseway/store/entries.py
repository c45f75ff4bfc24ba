"""The entries of streams, each chained to the one before it.

An entry is all that came of one command in one stream: its events as canonical JSON, and the answer that
was given. Streams are only ever added to. The hash of an entry covers its place, its text and the hash of
its predecessor, so that nothing can be changed, left out or put in between without all that follows.

It covers the answer too. What an earlier program stored is chained by the rule of that time, which left the
answer out: such entries come first in their streams, and never after one whose answer is covered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from houseway.errors import IllegalError

StreamId = str
"""``table/…`` or ``meter/…`` and the like, with a name."""
CommandId = str
GENESIS: Final = bytes(32)
"""What the first entry of a stream is chained to."""
_WITH_ANSWER: Final = b"houseway-entry/2"
"""Ends what is hashed where an answer is covered, so that neither rule's hash is ever the other's."""


class Entry(Struct, frozen=True, kw_only=True):
    """What one command added to one stream."""

    stream: StreamId
    version: int
    """1 for the first of its stream, and so on without a gap."""
    command: CommandId
    body: bytes
    answer: bytes
    hash: bytes

    @property
    def head(self) -> Head:
        """The stream as it stands after this entry."""
        return Head(self.version, self.hash)


class Head(Struct, frozen=True):
    """The end of a stream: how long it is, and the hash of its last entry."""

    version: int = 0
    hash: bytes = GENESIS


EMPTY: Final = Head()
Heads = dict[StreamId, Head]
"""The ends of streams."""


class BrokenChainError(IllegalError):
    """What is stored is not what was written."""


def hash_of(
    stream: StreamId, version: int, command: CommandId, body: bytes, before: bytes, answer: bytes | None
) -> bytes:
    """Return the hash of an entry that follows one with the hash ``before``.

    Without an answer it is the hash as earlier programs made it, over everything else.
    """
    digest = hashlib.sha256(before)
    parts = (stream.encode(), str(version).encode(), command.encode(), body)
    for part in parts if answer is None else (*parts, answer, _WITH_ANSWER):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.digest()


def covers_answer(entry: Entry, before: Head) -> bool:
    """Whether the hash of an entry covers its answer, or it was chained by an earlier program."""
    return entry.hash == _hash_of(entry, before, entry.answer)


def next_entry(head: Head, stream: StreamId, command: CommandId, body: bytes, answer: bytes) -> Entry:
    """Return the entry that a command adds to a stream after its ``head``."""
    version = head.version + 1
    digest = hash_of(stream, version, command, body, head.hash, answer)
    return Entry(stream=stream, version=version, command=command, body=body, answer=answer, hash=digest)


def check_chain(entries: Iterable[Entry], heads: Mapping[StreamId, Head] | None = None) -> Heads:
    """Return the heads of all streams after some entries, or raise where the first of them is not chained.

    ``heads`` is how the streams stood before; entries of a stream come in the order of their versions.
    """
    ends = dict(heads or {})
    for entry in entries:
        ends[entry.stream] = check_next(entry, ends.get(entry.stream, EMPTY))
    return ends


def check_next(entry: Entry, before: Head) -> Head:
    """Return the head of a stream after an entry, or raise that it is not chained to what was before."""
    for problem in _faults(entry, before):
        raise BrokenChainError(problem, value=f"{entry.stream} version {entry.version}")
    return entry.head


def _faults(entry: Entry, before: Head) -> Iterator[str]:
    if entry.version != before.version + 1:
        yield f"version {before.version + 1} of the stream comes next"
    if not covers_answer(entry, before) and entry.hash != _hash_of(entry, before, None):
        yield "the entry is not the one that was chained here"


def _hash_of(entry: Entry, before: Head, answer: bytes | None) -> bytes:
    return hash_of(entry.stream, entry.version, entry.command, entry.body, before.hash, answer)

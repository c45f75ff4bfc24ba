"""The interface of a store. Every call is synchronous, and nothing is done in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from datetime import datetime
from enum import StrEnum
from typing import Final, Protocol

from msgspec import Struct

from houseway.errors import IllegalError
from houseway.store.entries import CommandId, Entry, Head, StreamId

Place = tuple[int, int]
"""Where an entry lies among all: the transaction that stored it, and its position."""
START: Final[Place] = (0, 0)
"""Before every entry."""


class Snapshot(Struct, frozen=True, kw_only=True):
    """A stream's state at some version, the hash that the stream had there, and a code over all of it."""

    stream: StreamId
    version: int
    hash: bytes
    body: bytes
    mac: bytes = b""
    """Made with the floor's key; empty where the snapshot was not sealed."""


class LockedDeck(Struct, frozen=True, kw_only=True):
    """A sealed deck as it is stored: what it commits to, and its order and nonce encrypted."""

    stream: StreamId
    commitment: str
    sealed: bytes


class Checkpoint(Struct, frozen=True, kw_only=True):
    """The heads of all streams at some moment, chained to the checkpoint before it."""

    number: int
    at: datetime
    body: bytes
    hash: bytes


class Leaf(Struct, frozen=True, kw_only=True):
    """Which entry is a leaf of the tree over all entries; the first is number 0."""

    number: int
    stream: StreamId
    version: int
    salt: bytes
    """Goes into the leaf with its entry, so that the cards in it cannot be guessed by trying hashes."""
    parts: bytes
    """The root over the parts of what the entry says; zeros where it is not taken apart."""


class Tile(Struct, frozen=True, kw_only=True):
    """The hashes of neighbouring nodes of the tree, as many as there are yet; every eighth level is kept."""

    level: int
    number: int
    hashes: bytes


class SignedHead(Struct, frozen=True, kw_only=True):
    """The tree of some size, signed: a note that stands by itself."""

    size: int
    at: datetime
    note: bytes


class Batch(Struct, frozen=True, kw_only=True):
    """What is stored together or not at all."""

    entries: Sequence[Entry] = ()
    snapshots: Sequence[Snapshot] = ()
    sealed: Sequence[LockedDeck] = ()
    opened: Sequence[tuple[StreamId, str]] = ()
    """Sealed decks that need not be kept any longer."""
    checkpoints: Sequence[Checkpoint] = ()
    leaves: Sequence[Leaf] = ()
    tiles: Sequence[Tile] = ()
    """Tiles that the leaves filled, or began: those of the same place are replaced."""
    signed: Sequence[SignedHead] = ()


class Point(StrEnum):
    """The points of an append at which a ``PointHook`` is called, so that tests can interrupt it."""

    BEGUN = "begun"
    WRITTEN = "written"
    """Everything is written, nothing is durable."""
    COMMITTED = "committed"
    """Everything is durable, no command is answered yet."""


PointHook = Callable[[Point], object]


def ignore_point(_: Point) -> None:
    """Do nothing, so that the append goes on."""


class Tree(Protocol):
    """The tree over all entries as it is kept: the order of its leaves, its nodes, its signed heads."""

    def size(self) -> int:
        """Return how many leaves there are."""
        ...

    def end(self) -> Place:
        """Return where the entry of the last leaf lies: entries after it are no leaves yet."""
        ...

    def leaf_of(self, stream: StreamId, version: int) -> Leaf | None:
        """Return the leaf that an entry is, if it is one yet."""
        ...

    def among(self, entries: Sequence[tuple[StreamId, int]]) -> AbstractSet[tuple[StreamId, int]]:
        """Return which of some entries, by stream and version, are leaves already."""
        ...

    def first_outside(self) -> Place | None:
        """Return where the first entry lies that is no leaf, if there is one."""
        ...

    def tile(self, level: int, number: int) -> bytes:
        """Return the hashes of a tile, or nothing if it has not begun."""
        ...

    def tiles(self) -> Iterator[Tile]:
        """Yield every tile, level by level."""
        ...

    def last_signed(self) -> SignedHead | None:
        """Return the last head that was signed, if there is one."""
        ...

    def signed_heads(self) -> Iterator[SignedHead]:
        """Yield every signed head, the smallest first."""
        ...

    def leaves(self) -> Iterator[tuple[Leaf, bytes]]:
        """Yield every leaf in order, with the hash of its entry; nothing where the entry is gone."""
        ...


class Log(Protocol):
    """What can be read from beginning to end, and checked."""

    @property
    def tree(self) -> Tree:
        """The tree over all entries."""
        ...

    def everything(self, after: Place = START) -> Iterator[tuple[Place, Entry]]:
        """Yield every entry with its place, in the order of places, after one; never one out of turn."""
        ...

    def checkpoints(self) -> Sequence[Checkpoint]:
        """Return every checkpoint, in order."""
        ...


class Streams(Log, Protocol):
    """Streams that can be read from any version on, with the snapshots of them."""

    def tails(self, heads: Mapping[StreamId, int], most: int | None = None) -> Iterable[Entry]:
        """Return the entries of each of these streams after a version, in order; at most ``most`` of each."""
        ...

    def part(self, stream: StreamId, after: int, until: int) -> Iterable[Entry]:
        """Return the entries of a stream after a version and up to another, in order; no others are read."""
        ...

    def heads(self) -> Mapping[StreamId, Head]:
        """Return the end of every stream."""
        ...

    def head(self, stream: StreamId) -> Head:
        """Return the end of a stream."""
        ...

    def snapshots(self, streams: Sequence[StreamId]) -> Mapping[StreamId, Snapshot]:
        """Return the last snapshots of streams."""
        ...

    def snapshot_at(self, stream: StreamId, version: int) -> Snapshot | None:
        """Return the last snapshot of a stream at a version or before it, if there is one."""
        ...


class Picture(Streams, Protocol):
    """All that a store holds as it stood at one moment; later writes do not show."""

    def every_snapshot(self) -> Iterator[Snapshot]:
        """Yield every snapshot of every stream, stream by stream in the order of versions."""
        ...

    def every_sealed(self) -> Iterator[LockedDeck]:
        """Yield every sealed deck, still encrypted."""
        ...


Check = Callable[[Picture], object]
"""Raises an error for a copy that must not be kept."""


def accept_all(_: Picture) -> None:
    """Accept any copy."""


class NotEmptyError(IllegalError):
    """Something lies where something else was to be put."""


class Store(Streams, Protocol):
    """Streams that are only added to, in batches that are durable when ``append_batch`` returns."""

    exclusive: bool
    """Whether this process alone adds to the streams, so that what it knows of them is always current."""

    def append_batch(self, batch: Batch) -> None:
        """Store a batch durably, or raise one of the outcomes of ``outcomes``: a closed set.

        All other methods raise ``StoreGoneError`` where the database does not answer.
        """
        ...

    def probe(self) -> None:
        """Make a write that changes nothing, or raise why nothing can be written."""
        ...

    def entries_of(self, commands: Sequence[CommandId]) -> Sequence[Entry]:
        """Return the entries of those commands that were carried out already."""
        ...

    def sealed_decks(self, stream: StreamId) -> Mapping[str, bytes]:
        """Return the sealed decks of a stream, by what they commit to."""
        ...

    def picture(self) -> AbstractContextManager[Picture]:
        """Return all that the store holds at one moment, without blocking writers."""
        ...

    def fill(self, parts: Iterable[Batch], check: Check = accept_all) -> None:
        """Store the contents of another store, in order: all of it or nothing; this one must be empty.

        ``check`` is shown all of it before it is kept.
        """
        ...

    def close(self) -> None:
        """Close the connections to the database."""
        ...

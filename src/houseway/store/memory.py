"""A store in memory, for simulations; it is also the shortest specification of a store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager

from houseway.store.entries import EMPTY, CommandId, Entry, Head, StreamId
from houseway.store.protocol import (
    START,
    Batch,
    Check,
    Checkpoint,
    Leaf,
    LockedDeck,
    NotEmptyError,
    Picture,
    Place,
    SignedHead,
    Snapshot,
    Tile,
    Tree,
    accept_all,
)
from houseway.store.store_errors import StaleError


class MemoryStore:
    """Streams in memory; durable as long as the process is."""

    exclusive = False

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._heads: dict[StreamId, Head] = {}
        self._commands: dict[CommandId, StreamId] = {}
        self._snapshots: dict[tuple[StreamId, int], Snapshot] = {}
        self._sealed: dict[tuple[StreamId, str], LockedDeck] = {}
        self._checkpoints: list[Checkpoint] = []
        self._leaves: list[Leaf] = []
        self._tiles: dict[tuple[int, int], Tile] = {}
        self._signed: list[SignedHead] = []

    @property
    def tree(self) -> Tree:
        """The tree over all entries."""
        return MemoryTree(self._entries, self._leaves, self._tiles, self._signed)

    def append_batch(self, batch: Batch) -> None:
        """Store a batch, or raise ``StaleError`` and store nothing of it."""
        self._add(batch)

    def _add(self, batch: Batch, *, restored: bool = False) -> None:
        """Store a batch; what earlier programs stored under one id in two streams is restored so."""
        heads, commands = dict(self._heads), dict(self._commands)
        for entry in batch.entries:
            if entry.version != heads.get(entry.stream, EMPTY).version + 1:
                raise StaleError("the stream has gone on", value=entry.stream)
            before = commands.get(entry.command)
            if before is not None and (before == entry.stream or not restored):
                raise StaleError("the command is carried out already", value=entry.command)
            heads[entry.stream] = entry.head
            commands[entry.command] = entry.stream
        if any(
            checkpoint.number != len(self._checkpoints) + n
            for n, checkpoint in enumerate(batch.checkpoints, start=1)
        ):
            raise StaleError("another checkpoint was made", value=len(self._checkpoints))
        if any(leaf.number != len(self._leaves) + n for n, leaf in enumerate(batch.leaves)):
            raise StaleError("the tree has grown", value=len(self._leaves))
        if any(head.size == last.size for head in batch.signed for last in self._signed[-1:]):
            raise StaleError("a tree of this size is signed", value=len(self._leaves))
        self._entries += batch.entries
        self._heads, self._commands = heads, commands
        self._snapshots |= {(snapshot.stream, snapshot.version): snapshot for snapshot in batch.snapshots}
        self._sealed |= {(deck.stream, deck.commitment): deck for deck in batch.sealed}
        for key in batch.opened:
            self._sealed.pop(key, None)
        self._checkpoints += batch.checkpoints
        self._leaves += batch.leaves
        self._tiles |= {(tile.level, tile.number): tile for tile in batch.tiles}
        self._signed += batch.signed

    def probe(self) -> None:
        """Do nothing: memory always takes a write."""

    def entries_of(self, commands: Sequence[CommandId]) -> Sequence[Entry]:
        """Return the entries of those commands that were carried out already."""
        ids = set(commands)
        return [entry for entry in self._entries if entry.command in ids]

    def tails(self, heads: Mapping[StreamId, int], most: int | None = None) -> Iterable[Entry]:
        """Return the entries of each of these streams after a version, in order; at most ``most`` of each."""
        after = [entry for entry in self._entries if entry.version > heads.get(entry.stream, entry.version)]
        return [entry for entry in after if most is None or entry.version <= heads[entry.stream] + most]

    def part(self, stream: StreamId, after: int, until: int) -> Iterable[Entry]:
        """Return the entries of a stream after a version and up to another, in order."""
        return [entry for entry in self._entries if entry.stream == stream and after < entry.version <= until]

    def heads(self) -> Mapping[StreamId, Head]:
        """Return the end of every stream."""
        return dict(self._heads)

    def head(self, stream: StreamId) -> Head:
        """Return the end of a stream."""
        return self._heads.get(stream, EMPTY)

    def everything(self, after: Place = START) -> Iterator[tuple[Place, Entry]]:
        """Yield every entry with its place, in the order of places, after one."""
        yield from (((0, n), entry) for n, entry in enumerate(self._entries, start=1) if (0, n) > after)

    def snapshots(self, streams: Sequence[StreamId]) -> Mapping[StreamId, Snapshot]:
        """Return the last snapshots of streams."""
        return {snapshot.stream: snapshot for snapshot in self.every_snapshot() if snapshot.stream in streams}

    def snapshot_at(self, stream: StreamId, version: int) -> Snapshot | None:
        """Return the last snapshot of a stream at a version or before it, if there is one."""
        versions = [at for name, at in self._snapshots if name == stream and at <= version]
        return self._snapshots[stream, max(versions)] if versions else None

    def sealed_decks(self, stream: StreamId) -> Mapping[str, bytes]:
        """Return the sealed decks of a stream, by what they commit to."""
        return {deck.commitment: deck.sealed for (of, _), deck in self._sealed.items() if of == stream}

    def checkpoints(self) -> Sequence[Checkpoint]:
        """Return every checkpoint, in order."""
        return tuple(self._checkpoints)

    def every_snapshot(self) -> Iterator[Snapshot]:
        """Yield every snapshot of every stream, stream by stream in the order of versions."""
        yield from (self._snapshots[key] for key in sorted(self._snapshots))

    def every_sealed(self) -> Iterator[LockedDeck]:
        """Yield every sealed deck, still encrypted."""
        yield from self._sealed.values()

    @contextmanager
    def picture(self) -> Iterator[Picture]:
        """Return all that the store holds now."""
        copy = MemoryStore()
        for name, value in self.__dict__.items():
            copy.__dict__[name] = value.copy()
        yield copy

    def fill(self, parts: Iterable[Batch], check: Check = accept_all) -> None:
        """Store the contents of another store: all of it or nothing, and only while this one is empty."""
        if self._entries or self._checkpoints:
            raise NotEmptyError("there is something in the store already")
        filled = MemoryStore()
        for part in parts:
            filled._add(part, restored=True)
        check(filled)
        self.__dict__.update(filled.__dict__)

    def close(self) -> None:
        """Do nothing: there is no connection."""


class MemoryTree:
    """The tree over the entries of a store in memory."""

    def __init__(
        self,
        entries: list[Entry],
        leaves: list[Leaf],
        tiles: Mapping[tuple[int, int], Tile],
        signed: list[SignedHead],
    ) -> None:
        self._entries, self._leaves, self._tiles, self._signed = entries, leaves, tiles, signed

    def size(self) -> int:
        """Return how many leaves there are."""
        return len(self._leaves)

    def end(self) -> Place:
        """Return where the entry of the last leaf lies: here leaves are in the order of entries."""
        return 0, len(self._leaves)

    def leaf_of(self, stream: StreamId, version: int) -> Leaf | None:
        """Return the leaf that an entry is, if it is one yet."""
        return next((leaf for leaf in self._leaves if (leaf.stream, leaf.version) == (stream, version)), None)

    def among(self, entries: Sequence[tuple[StreamId, int]]) -> AbstractSet[tuple[StreamId, int]]:
        """Return which of some entries, by stream and version, are leaves already."""
        return {(leaf.stream, leaf.version) for leaf in self._leaves} & {*entries}

    def first_outside(self) -> Place | None:
        """Return where the first entry lies that is no leaf, if there is one."""
        return (0, len(self._leaves) + 1) if len(self._leaves) < len(self._entries) else None

    def tile(self, level: int, number: int) -> bytes:
        """Return the hashes of a tile, or nothing if it has not begun."""
        tile = self._tiles.get((level, number))
        return tile.hashes if tile else b""

    def tiles(self) -> Iterator[Tile]:
        """Yield every tile, level by level."""
        yield from (self._tiles[key] for key in sorted(self._tiles))

    def last_signed(self) -> SignedHead | None:
        """Return the last head that was signed, if there is one."""
        return self._signed[-1] if self._signed else None

    def signed_heads(self) -> Iterator[SignedHead]:
        """Yield every signed head, the smallest first."""
        yield from self._signed

    def leaves(self) -> Iterator[tuple[Leaf, bytes]]:
        """Yield every leaf in order, with the hash of its entry; nothing where the entry is gone."""
        hashes = {(entry.stream, entry.version): entry.hash for entry in self._entries}
        yield from ((leaf, hashes.get((leaf.stream, leaf.version), b"")) for leaf in self._leaves)

"""A store in memory: for simulations, and to say in a few lines what every store does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from houseway.store.entries import EMPTY, CommandId, Entry, Head, StreamId
from houseway.store.outcomes import StaleError
from houseway.store.protocol import (
    START,
    Batch,
    Check,
    Checkpoint,
    NotEmptyError,
    Picture,
    Place,
    Sealed,
    Snapshot,
    as_it_is,
)


class MemoryStore:
    """Streams in memory; durable as long as the process is."""

    exclusive = False

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._heads: dict[StreamId, Head] = {}
        self._commands: set[tuple[CommandId, StreamId]] = set()
        self._snapshots: dict[tuple[StreamId, int], Snapshot] = {}
        self._sealed: dict[tuple[StreamId, str], Sealed] = {}
        self._checkpoints: list[Checkpoint] = []

    def append_batch(self, batch: Batch) -> None:
        """Store a batch, or raise ``StaleError`` and store nothing of it."""
        heads, commands = dict(self._heads), set(self._commands)
        for entry in batch.entries:
            if entry.version != heads.get(entry.stream, EMPTY).version + 1:
                raise StaleError("the stream has gone on", value=entry.stream)
            if (entry.command, entry.stream) in commands:
                raise StaleError("the command is carried out already", value=entry.command)
            heads[entry.stream] = entry.head
            commands.add((entry.command, entry.stream))
        if any(one.number != len(self._checkpoints) + n for n, one in enumerate(batch.checkpoints, start=1)):
            raise StaleError("another checkpoint was made", value=len(self._checkpoints))
        self._entries += batch.entries
        self._heads, self._commands = heads, commands
        self._snapshots |= {(one.stream, one.version): one for one in batch.snapshots}
        self._sealed |= {(one.stream, one.commitment): one for one in batch.sealed}
        for key in batch.opened:
            self._sealed.pop(key, None)
        self._checkpoints += batch.checkpoints

    def probe(self) -> None:
        """Take a write that says nothing."""

    def known(self, commands: Sequence[CommandId]) -> Sequence[Entry]:
        """Return the entries of those commands that were carried out already."""
        asked = set(commands)
        return [entry for entry in self._entries if entry.command in asked]

    def tails(self, heads: Mapping[StreamId, int], most: int | None = None) -> Iterable[Entry]:
        """Return what was added to each of these streams after a version, in order; so many at most."""
        after = [entry for entry in self._entries if entry.version > heads.get(entry.stream, entry.version)]
        return [entry for entry in after if most is None or entry.version <= heads[entry.stream] + most]

    def part(self, stream: StreamId, after: int, until: int) -> Iterable[Entry]:
        """Return the entries of a stream after a version and up to another, in order."""
        return [one for one in self._entries if one.stream == stream and after < one.version <= until]

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
        return {one.stream: one for one in self.every_snapshot() if one.stream in streams}

    def snapshot_at(self, stream: StreamId, version: int) -> Snapshot | None:
        """Return the last snapshot of a stream at a version or before it, if there is one."""
        versions = [kept for name, kept in self._snapshots if name == stream and kept <= version]
        return self._snapshots[stream, max(versions)] if versions else None

    def sealed(self, stream: StreamId) -> Mapping[str, bytes]:
        """Return the sealed decks of a stream, by what they commit to."""
        return {one.commitment: one.sealed for (of, _), one in self._sealed.items() if of == stream}

    def checkpoints(self) -> Sequence[Checkpoint]:
        """Return every checkpoint, in order."""
        return tuple(self._checkpoints)

    def every_snapshot(self) -> Iterator[Snapshot]:
        """Yield every snapshot of every stream, stream by stream in the order of versions."""
        yield from (self._snapshots[key] for key in sorted(self._snapshots))

    def every_sealed(self) -> Iterator[Sealed]:
        """Yield every sealed deck, still encrypted."""
        yield from self._sealed.values()

    @contextmanager
    def picture(self) -> Iterator[Picture]:
        """Return all that the store holds now."""
        kept = MemoryStore()
        for name, value in self.__dict__.items():
            kept.__dict__[name] = value.copy()
        yield kept

    def fill(self, parts: Iterable[Batch], check: Check = as_it_is) -> None:
        """Store what another store held; all of it or nothing, and only while there is nothing."""
        if self._entries or self._checkpoints:
            raise NotEmptyError("there is something in the store already")
        filled = MemoryStore()
        for part in parts:
            filled.append_batch(part)
        check(filled)
        self.__dict__.update(filled.__dict__)

    def close(self) -> None:
        """Let go of nothing."""

"""The chain of one stream, checked while it is read, whole or from some version on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, ParamSpec

from msgspec.structs import replace

from houseway.store.checkpoints import (
    CheckpointContents,
    check_against,
    check_checkpoints,
    note_hash,
    places_in,
    read_checkpoint,
)
from houseway.store.entries import EMPTY, BrokenChainError, Entry, Head, StreamId, check_chain
from houseway.store.protocol import Checkpoint, Streams

P = ParamSpec("P")


class CoveringCheckpoint(NamedTuple):
    """A checkpoint, and where it saw a stream end."""

    checkpoint: Checkpoint
    head: Head


class ChainWatch:
    """The chain of a stream, checked entry by entry; faults are noted, and reading goes on."""

    def __init__(self, stream: StreamId, checkpoints: Sequence[Checkpoint], after: int = 0) -> None:
        """Begin after a version; what the first entry there is chained to is then not known."""
        self.stream, self.after, self.head = stream, after, EMPTY
        self.faults: list[str] = []
        self.covers: list[tuple[Checkpoint, CheckpointContents]] = []
        """The checkpoints that tell of the stream, each with what it says of it."""
        self._try(self._read, checkpoints)
        self._wanted = places_in([seen for _, seen in self.covers])
        self._hashes: dict[tuple[StreamId, int], bytes] = {}

    def _read(self, checkpoints: Sequence[Checkpoint]) -> None:
        check_checkpoints(checkpoints)
        for checkpoint in checkpoints:
            seen = read_checkpoint(checkpoint.body)
            if self.stream in seen.heads:
                self.covers.append((checkpoint, replace(seen, heads={self.stream: seen.heads[self.stream]})))

    def entry(self, entry: Entry) -> Entry:
        """Check that an entry is chained to the one before it, and return it."""
        if self.head.version or not self.after or entry.version != self.after + 1:
            self._try(check_chain, [entry], {self.stream: self.head})
        self.head = entry.head
        return note_hash(entry, self._wanted, self._hashes)

    def find_covering(self, version: int) -> CoveringCheckpoint | None:
        """Return the first checkpoint that saw the stream at a version or later."""
        for checkpoint, seen in self.covers:
            end, digest = seen.heads[self.stream]
            if end >= version:
                return CoveringCheckpoint(checkpoint, Head(end, bytes.fromhex(digest)))
        return None

    def check_whole(self) -> list[str]:
        """Check a stream that was read to its end against every checkpoint; return all faults."""
        for _, seen in self.covers:
            self._try(check_against, seen, self._hashes)
        return self.faults

    def check_part(self, streams: Streams, until: int) -> list[str]:
        """Check what was read, up to a version, against the checkpoints that saw the stream end within it.

        Of what lies beyond, only the entry that the last checkpoint saw at the end is checked.
        """
        latest = max((seen.heads[self.stream][0] for _, seen in self.covers), default=0)
        for entry in streams.part(self.stream, latest - 1, latest):
            note_hash(entry, self._wanted, self._hashes)
        for _, seen in self.covers:
            end, _ = seen.heads[self.stream]
            if self.after < end <= until or end == latest:
                self._try(check_against, seen, self._hashes)
        return self.faults

    def _try(self, check: Callable[P, object], *args: P.args, **named: P.kwargs) -> None:
        try:
            check(*args, **named)
        except BrokenChainError as error:
            self.faults.append(str(error))

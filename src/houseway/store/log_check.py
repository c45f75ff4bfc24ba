"""The whole log checked: every chain, every checkpoint, and those exported earlier."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from houseway.store.checkpoints import (
    check_against,
    check_checkpoints,
    note_hash,
    places_in,
    read_checkpoint,
)
from houseway.store.entries import (
    EMPTY,
    BrokenChainError,
    Entry,
    Heads,
    StreamId,
    check_next,
    covers_answer,
)
from houseway.store.protocol import Checkpoint, Log, Snapshot


class LogVerification(Struct, frozen=True):
    """The result of a check of a log: what was found whole."""

    streams: int
    entries: int
    checkpoints: int
    exported: int = 0


class LogCheck:
    """The check of a log, entry by entry in order, while it is read."""

    def __init__(
        self,
        checkpoints: Iterable[Checkpoint],
        exported: Iterable[bytes] = (),
        snapshots: Iterable[Snapshot] = (),
    ) -> None:
        stored, lines = list(checkpoints), list(exported)
        check_checkpoints(stored)
        check_exported(stored, lines)
        self._contents = [
            read_checkpoint(body) for body in (*(checkpoint.body for checkpoint in stored), *lines)
        ]
        self._snapshots = [(snapshot.stream, snapshot.version, snapshot.hash) for snapshot in snapshots]
        of_snapshots = {(stream, version) for stream, version, _ in self._snapshots}
        self._among = places_in(self._contents) | of_snapshots
        self._hashes: dict[tuple[str, int], bytes] = {}
        self._counts = len(stored), len(lines)
        self._entries = 0
        self.heads: Heads = {}
        self.covered: set[StreamId] = set()
        """Streams whose entries have reached the rule by which a hash covers the answer too."""

    def see(self, entry: Entry) -> Entry:
        """Return the next entry, or raise that it is not the one that was chained here."""
        before = self.heads.get(entry.stream, EMPTY)
        self.heads[entry.stream] = check_next(entry, before)
        if covers_answer(entry, before):
            self.covered.add(entry.stream)
        elif entry.stream in self.covered:
            where = f"{entry.stream} version {entry.version}"
            raise BrokenChainError("the hash of the entry leaves its answer out", value=where)
        self._entries += 1
        return note_hash(entry, self._among, self._hashes)

    def finish(self) -> LogVerification:
        """Return the counts of a whole log, or raise what of it is missing or was rewritten."""
        for contents in self._contents:
            check_against(contents, self._hashes)
        for stream, version, digest in self._snapshots:
            if self._hashes.get((stream, version)) != digest:
                raise BrokenChainError("a snapshot is of no entry", value=f"{stream} version {version}")
        return LogVerification(len(self.heads), self._entries, *self._counts)


def verify_log(log: Log, exported: Iterable[bytes] = ()) -> LogVerification:
    """Check every chain and checkpoint, and what was exported; raise where the first fault lies."""
    check = LogCheck(log.checkpoints(), exported)
    for _, entry in log.everything():
        check.see(entry)
    return check.finish()


def check_exported(checkpoints: Iterable[Checkpoint], exported: Iterable[bytes]) -> None:
    """Refuse a store that has other checkpoints than those that were exported."""
    bodies = {checkpoint.number: checkpoint.body for checkpoint in checkpoints}
    for line in exported:
        number = read_checkpoint(line).number
        if bodies.get(number) != line:
            raise BrokenChainError("an exported checkpoint is not the one in the store", value=number)

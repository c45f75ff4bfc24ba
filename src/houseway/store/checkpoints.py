"""Checkpoints: the ends of all streams, stored from time to time, each chained to the one before.

A chain shows what was changed inside it, but not that its end was cut off, that a whole stream is gone, or
that everything was rewritten consistently. A checkpoint does, once it was exported out of reach.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from msgspec import DecodeError, Struct, ValidationError, json

from houseway.store.entries import GENESIS, BrokenChainError, Entry, Head, StreamId
from houseway.store.protocol import Batch, Checkpoint, Store
from houseway.store.store_errors import StaleError


class CheckpointContents(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a checkpoint: number, moment, the one before it, and the end of every stream."""

    number: int
    at: datetime
    before: str
    heads: dict[StreamId, tuple[int, str]]


def make_checkpoint(heads: Mapping[StreamId, Head], last: Checkpoint | None, at: datetime) -> Checkpoint:
    """Return the checkpoint after ``last``, of streams that end at ``heads``."""
    number, before = (last.number + 1, last.hash) if last else (1, GENESIS)
    ends = {stream: (head.version, head.hash.hex()) for stream, head in sorted(heads.items())}
    body = json.encode(CheckpointContents(number, at, before.hex(), ends), order="sorted")
    return Checkpoint(number=number, at=at, body=body, hash=hashlib.sha256(body).digest())


def read_checkpoint(body: bytes) -> CheckpointContents:
    """Return the contents of a checkpoint, or raise that it is none."""
    try:
        return json.decode(body, type=CheckpointContents)
    except (DecodeError, ValidationError) as error:
        raise BrokenChainError("not a checkpoint", value=str(error)) from None


def check_checkpoints(checkpoints: Iterable[Checkpoint]) -> Checkpoint | None:
    """Return the last of all checkpoints, or raise which of them is not the one that was made."""
    last: Checkpoint | None = None
    for checkpoint in checkpoints:
        contents = read_checkpoint(checkpoint.body)
        before = last.hash if last else GENESIS
        expected = (last.number + 1 if last else 1, before.hex())
        if (
            (contents.number, contents.before) != expected
            or checkpoint.number != contents.number
            or checkpoint.at != contents.at
        ):
            raise BrokenChainError(
                "the checkpoint does not follow the one before it", value=checkpoint.number
            )
        if hashlib.sha256(checkpoint.body).digest() != checkpoint.hash:
            raise BrokenChainError("the checkpoint was changed", value=checkpoint.number)
        last = checkpoint
    return last


def check_against(contents: CheckpointContents, stream_hashes: Mapping[tuple[StreamId, int], bytes]) -> None:
    """Refuse entries that are not those which a checkpoint saw: cut off, taken away, or rewritten."""
    for stream, (version, digest) in contents.heads.items():
        stored_hash = stream_hashes.get((stream, version))
        where = f"{stream} version {version}, checkpoint {contents.number}"
        if stored_hash is None:
            raise BrokenChainError("entries are missing that a checkpoint saw", value=where)
        if stored_hash.hex() != digest:
            raise BrokenChainError("entries were rewritten since a checkpoint", value=where)


def places_in(checkpoints: Sequence[CheckpointContents]) -> set[tuple[StreamId, int]]:
    """Return the streams and versions that checkpoints name."""
    return {(stream, version) for contents in checkpoints for stream, (version, _) in contents.heads.items()}


def export_checkpoints(store: Store) -> bytes:
    """Return every checkpoint as lines of text, to be kept out of reach of those who can write the store."""
    return b"".join(checkpoint.body + b"\n" for checkpoint in store.checkpoints())


def take_checkpoint(store: Store, now: datetime) -> Checkpoint:
    """Store a checkpoint of where every stream ends now; of two made at once, each gets its own number."""
    while True:
        checkpoints = store.checkpoints()
        checkpoint = make_checkpoint(store.heads(), checkpoints[-1] if checkpoints else None, now)
        try:
            store.append_batch(Batch(checkpoints=[checkpoint]))
        except StaleError:
            continue
        return checkpoint


def note_hash(
    entry: Entry, places: set[tuple[StreamId, int]], hashes: dict[tuple[StreamId, int], bytes]
) -> Entry:
    """Put the hash of an entry into ``hashes`` if its place is among ``places``; return it."""
    key = entry.stream, entry.version
    if key in places:
        hashes[key] = entry.hash
    return entry

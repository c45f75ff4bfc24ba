"""Checkpoints: the ends of all streams written down from time to time, each chained to the one before.

A chain shows what was changed inside it, but not that its end was cut off, that a whole stream is gone, or
that everything was written anew consistently. A checkpoint does, once it was exported out of reach.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from msgspec import DecodeError, Struct, ValidationError, json

from houseway.store.entries import GENESIS, BrokenChainError, Entry, Head, StreamId
from houseway.store.store_errors import StaleError
from houseway.store.protocol import Batch, Checkpoint, Store


class Heads(Struct, frozen=True, forbid_unknown_fields=True):
    """What a checkpoint says: its number, its moment, the one before it, and the end of every stream."""

    number: int
    at: datetime
    before: str
    heads: dict[StreamId, tuple[int, str]]


def make_checkpoint(heads: Mapping[StreamId, Head], last: Checkpoint | None, at: datetime) -> Checkpoint:
    """Return the checkpoint that follows another, at streams that end so."""
    number, before = (last.number + 1, last.hash) if last else (1, GENESIS)
    ends = {stream: (head.version, head.hash.hex()) for stream, head in sorted(heads.items())}
    body = json.encode(Heads(number, at, before.hex(), ends), order="sorted")
    return Checkpoint(number=number, at=at, body=body, hash=hashlib.sha256(body).digest())


def read_checkpoint(body: bytes) -> Heads:
    """Read what a checkpoint says."""
    try:
        return json.decode(body, type=Heads)
    except (DecodeError, ValidationError) as error:
        raise BrokenChainError("not a checkpoint", value=str(error)) from None


def check_checkpoints(checkpoints: Iterable[Checkpoint]) -> Checkpoint | None:
    """Return the last of all checkpoints, or say which of them is not the one that was made."""
    last: Checkpoint | None = None
    for checkpoint in checkpoints:
        contents = read_checkpoint(checkpoint.body)
        before = last.hash if last else GENESIS
        expected = (last.number + 1 if last else 1, before.hex())
        if (contents.number, contents.before) != expected or checkpoint.number != contents.number or checkpoint.at != contents.at:
            raise BrokenChainError("the checkpoint does not follow the one before it", value=checkpoint.number)
        if hashlib.sha256(checkpoint.body).digest() != checkpoint.hash:
            raise BrokenChainError("the checkpoint was changed", value=checkpoint.number)
        last = checkpoint
    return last


def check_against(contents: Heads, stream_hashes: Mapping[tuple[StreamId, int], bytes]) -> None:
    """Refuse entries that are not those which a checkpoint saw: cut off, taken away, or written anew."""
    for stream, (version, digest) in contents.heads.items():
        stored_hash = stream_hashes.get((stream, version))
        where = f"{stream} version {version}, checkpoint {contents.number}"
        if stored_hash is None:
            raise BrokenChainError("entries are missing that a checkpoint saw", value=where)
        if stored_hash.hex() != digest:
            raise BrokenChainError("entries were written anew since a checkpoint", value=where)


def wanted(checkpoints: Sequence[Heads]) -> set[tuple[StreamId, int]]:
    """Return the versions of streams that checkpoints tell of."""
    return {(stream, version) for contents in checkpoints for stream, (version, _) in contents.heads.items()}


def export_checkpoints(store: Store) -> bytes:
    """Return every checkpoint as lines of text, to be kept where nobody who can write the store can reach."""
    return b"".join(checkpoint.body + b"\n" for checkpoint in store.checkpoints())


def take_checkpoint(store: Store, now: datetime) -> Checkpoint:
    """Write down where every stream ends now; of two that do so at once, each gets a number of its own."""
    while True:
        checkpoints = store.checkpoints()
        checkpoint = make_checkpoint(store.heads(), checkpoints[-1] if checkpoints else None, now)
        try:
            store.append_batch(Batch(checkpoints=[checkpoint]))
        except StaleError:
            continue
        return checkpoint


def noted(entry: Entry, among: set[tuple[StreamId, int]], into: dict[tuple[StreamId, int], bytes]) -> Entry:
    """Note the hash of an entry that a checkpoint tells of, and return it."""
    key = entry.stream, entry.version
    if key in among:
        into[key] = entry.hash
    return entry

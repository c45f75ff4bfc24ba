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
from houseway.store.outcomes import StaleError
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
    for one in checkpoints:
        said = read_checkpoint(one.body)
        before = last.hash if last else GENESIS
        expected = (last.number + 1 if last else 1, before.hex())
        if (said.number, said.before) != expected or one.number != said.number or one.at != said.at:
            raise BrokenChainError("the checkpoint does not follow the one before it", value=one.number)
        if hashlib.sha256(one.body).digest() != one.hash:
            raise BrokenChainError("the checkpoint was changed", value=one.number)
        last = one
    return last


def check_against(said: Heads, stream_hashes: Mapping[tuple[StreamId, int], bytes]) -> None:
    """Refuse entries that are not those which a checkpoint saw: cut off, taken away, or written anew."""
    for stream, (version, found) in said.heads.items():
        kept = stream_hashes.get((stream, version))
        where = f"{stream} version {version}, checkpoint {said.number}"
        if kept is None:
            raise BrokenChainError("entries are missing that a checkpoint saw", value=where)
        if kept.hex() != found:
            raise BrokenChainError("entries were written anew since a checkpoint", value=where)


def wanted(said: Sequence[Heads]) -> set[tuple[StreamId, int]]:
    """Return the versions of streams that checkpoints tell of."""
    return {(stream, version) for one in said for stream, (version, _) in one.heads.items()}


def export_checkpoints(store: Store) -> bytes:
    """Return every checkpoint as lines of text, to be kept where nobody who can write the store can reach."""
    return b"".join(one.body + b"\n" for one in store.checkpoints())


def take_checkpoint(store: Store, now: datetime) -> Checkpoint:
    """Write down where every stream ends now; of two that do so at once, each gets a number of its own."""
    while True:
        kept = store.checkpoints()
        made = make_checkpoint(store.heads(), kept[-1] if kept else None, now)
        try:
            store.append_batch(Batch(checkpoints=[made]))
        except StaleError:
            continue
        return made


def noted(entry: Entry, among: set[tuple[StreamId, int]], into: dict[tuple[StreamId, int], bytes]) -> Entry:
    """Note the hash of an entry that a checkpoint tells of, and return it."""
    key = entry.stream, entry.version
    if key in among:
        into[key] = entry.hash
    return entry

"""Logs to be checked: a floor that has played, and the same written anew with something changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from houseway.floor.core import Floor
from houseway.rounds.codec import canonical
from houseway.store.checkpoints import take_checkpoint
from houseway.store.entries import EMPTY, Entry, Head, StreamId, next_entry
from houseway.store.protocol import Batch, Store
from houseway.store.sqlite import SqliteStore
from tests.floor.support import NOON, command, new_floor, next_move, two_tables

Change = Callable[[Entry, dict[str, Any]], bool]
"""Changes what an entry says, or returns that the entry goes."""


def advance(floor: Floor, times: int) -> None:
    """Do what is due at both tables so many times, both in one batch, the second table first."""
    for _ in range(times):
        for table in reversed(floor.tables):
            move = next_move(floor, table)
            floor.submit(table, command(move.by, move.action))
        for answer in floor.run():
            assert not answer.refused and not answer.fault, answer


def played(store: Store, times: int = 60) -> Floor:
    """Play at two tables on one meter, with a checkpoint and snapshots before the last moves."""
    floor = two_tables(new_floor(store))
    advance(floor, times)
    store.append_batch(Batch(snapshots=[floor.table(name).snapshot() for name in floor.tables]))
    take_checkpoint(store, NOON)
    advance(floor, 4)
    return floor


def written_anew(entries: Iterable[Entry], change: Change) -> list[Entry]:
    """Return entries changed and chained again, so that every chain is whole."""
    heads: dict[StreamId, Head] = {}
    done = []
    for entry in entries:
        body = msgspec.json.decode(entry.body)
        if change(entry, body):
            continue
        head = heads.get(entry.stream, EMPTY)
        done.append(next_entry(head, entry.stream, entry.command, canonical(body), entry.answer))
        heads[entry.stream] = done[-1].head
    return done


def with_change(store: Store, path: Path, change: Change) -> Path:
    """Write a log anew into a file, with something changed and a checkpoint that fits."""
    target = SqliteStore(path)
    with store.picture() as picture:
        entries = written_anew((entry for _, entry in picture.everything()), change)
        target.fill([Batch(entries=entries, sealed=list(picture.every_sealed()))])
    take_checkpoint(target, NOON)
    target.close()
    return path

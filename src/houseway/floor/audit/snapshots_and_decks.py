"""Snapshots and sealed decks, compared with what the entries of their tables come to."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Final

from houseway.errors import IllegalError
from houseway.floor.audit.entry_judge import LieError, RefoldError
from houseway.floor.floor_books import place
from houseway.floor.running_table import RunningTable, open_commitments
from houseway.floor.streams import TABLES, is_practice
from houseway.floor.table_events import TableSnapshot
from houseway.rounds.codec import decode
from houseway.rounds.live import last_seal
from houseway.rounds.state import changed
from houseway.store.entries import StreamId
from houseway.store.protocol import Picture, Snapshot

MISSING: Final = "a sealed deck is missing that the table has committed to"


class MissingDeckError(IllegalError):
    """A deck that a table committed to is missing from the database, so its round cannot go on."""


def check_sealed(
    picture: Picture, tables: Mapping[StreamId, RunningTable], shuffled: Mapping[StreamId, Set[str]]
) -> None:
    """Refuse decks that are not locked away, and those that no table has committed to.

    ``shuffled`` is what shuffles of rounds in progress have committed to.
    """
    locked: dict[StreamId, set[str]] = {}
    for deck in picture.every_sealed():
        locked.setdefault(deck.stream, set()).add(deck.commitment)
    for stream, running in tables.items():
        if is_practice(running.table.id):
            continue
        decks, needed = locked.pop(stream, set()), open_commitments(running.table)
        known = needed | {last_seal(running.table)} | shuffled.get(stream, set())
        where = place(stream, running.head.version)
        for commitment in sorted(needed - decks):
            raise MissingDeckError(MISSING, value=commitment, where=where)
        for commitment in sorted(decks - known):
            raise LieError("no table has committed to this deck", value=commitment, where=where)
    for stream in sorted(locked):
        if not is_practice(stream.removeprefix(TABLES)):
            raise LieError("there are sealed decks of no table", where=stream)


def check_snapshot(running: RunningTable, snapshot: Snapshot, *, law: bool = False) -> None:
    """Refuse a snapshot that is not the table as its stream leaves it.

    What the fingerprint of the ``law`` was is another where an earlier program made the table.
    """
    state = decode(TableSnapshot, snapshot.body)
    table = state.table if law else changed(state.table, law=running.table.law)
    same = table == running.table and state.tray == running.tray
    if snapshot.hash != running.head.hash or state.submission != running.rules.submission or not same:
        raise RefoldError("a snapshot is not the table", where=place(snapshot.stream, snapshot.version))

"""Undo at a practice table: nothing is edited; one more entry restores an earlier state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Final

from houseway.errors import IllegalError
from houseway.floor.batches import SNAPSHOT_EVERY
from houseway.floor.bodies import entries_after, is_of, read_body
from houseway.floor.running_table import RunningTable, open_commitments
from houseway.floor.streams import is_practice
from houseway.floor.table_events import Undone
from houseway.rng import SealedDeck
from houseway.rounds.step import Actor
from houseway.store.entries import Entry
from houseway.store.protocol import Batch

UNDO_WITHIN: Final = 400
"""The maximum number of entries of its stream that a table is undone by."""


def undo_batch(
    now: RunningTable, past: RunningTable, decks: Mapping[str, SealedDeck], by: Actor, at: datetime
) -> Batch:
    """Return what is stored when a table goes back to where it was; its decks are sealed as they were."""
    if not is_practice(now.table.id):
        raise IllegalError("nothing is undone at a licensed table", value=now.table.id)
    if now.head.version - past.head.version > UNDO_WITHIN:
        raise IllegalError(
            "that is too far back to undo", value=past.head.version, where=f"table {now.table.id}"
        )
    _check_decks(past, decks)
    event = Undone(version=past.head.version, hash=past.head.hash.hex(), state=past.state(), by=by, at=at)
    (entry,) = entries_after(now.stream, now.head, [event])
    due = entry.version % SNAPSHOT_EVERY == 0
    return Batch(entries=[entry], snapshots=[now.after(event, entry.head).snapshot()] if due else [])


def _check_decks(past: RunningTable, decks: Mapping[str, SealedDeck]) -> None:
    """Refuse to go back to where a table had a deck that was opened for good meanwhile."""
    if not open_commitments(past.table) <= decks.keys():
        raise IllegalError("the cards of that round are no longer kept", where=f"table {past.table.id}")


def standing_entries(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield those of a practice table's entries that were not undone, the last first."""
    upto: int | None = None
    for entry in reversed([*entries]):
        if upto is not None and entry.version > upto:
            continue
        if is_of(entry, Undone):
            body = read_body(entry)
            assert isinstance(body, Undone)
            upto = body.version
        else:
            yield entry

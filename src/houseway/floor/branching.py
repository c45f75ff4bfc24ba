"""A practice table goes on from an earlier version: nothing is edited, a new stream begins there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from houseway.errors import IllegalError
from houseway.floor.bodies import entries_after
from houseway.floor.running import RunningTable, branched, committed_decks
from houseway.floor.streams import SETUP, Branched, TableBranched, table_stream
from houseway.rng import SealedDeck
from houseway.store.entries import EMPTY, Head
from houseway.store.protocol import Batch, Sealed
from houseway.store.sealing import DeckSafe

BRANCH_WITHIN: Final = 400
"""No further back than so many entries of a stream a branch begins."""


def branch_batch(
    event: TableBranched, set_up: Head, past: RunningTable, decks: Mapping[str, SealedDeck], safe: DeckSafe
) -> Batch:
    """Return what is stored when a table goes on from where it was: its decks are sealed as they were."""
    stream = table_stream(event.table)
    first = Branched(of=event.of, version=event.version, hash=event.hash, by=event.by, at=event.at)
    (begins,) = entries_after(stream, EMPTY, [first])
    (told,) = entries_after(SETUP, set_up, [event])
    after = branched(past, event.table).after(first, begins.head)
    return Batch(
        entries=[told, begins],
        snapshots=[after.snapshot()],
        sealed=[
            Sealed(stream=stream, commitment=name, sealed=safe.lock(stream, deck))
            for name, deck in _decks_of(past, decks).items()
        ],
    )


def _decks_of(past: RunningTable, decks: Mapping[str, SealedDeck]) -> dict[str, SealedDeck]:
    """Return the sealed decks that a table had, or refuse where one was opened for good meanwhile."""
    kept = committed_decks(past.table)
    if not kept <= decks.keys():
        raise IllegalError("the cards of that round are put away for good", where=f"table {past.table.id}")
    return {name: deck for name, deck in decks.items() if name in kept}

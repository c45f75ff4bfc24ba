"""A batch appended for good: where a connection is lost on the way, the store is asked what became of it."""

from __future__ import annotations

from houseway.store.store_errors import OutcomeUnknownError, StaleError, StoreGoneError
from houseway.store.protocol import Batch, Store


def append_surely(store: Store, batch: Batch) -> None:
    """Store a batch; if the database does not say what became of it, find out.

    Raise ``StaleError`` where nothing was stored and it is to be decided again, ``OutcomeUnknownError`` only
    where the database cannot be asked either.
    """
    try:
        store.append_batch(batch)
    except OutcomeUnknownError as unknown:
        try:
            stored = is_stored(store, batch)
        except StoreGoneError:
            raise unknown from None
        if not stored:
            raise StaleError("the connection was lost before the batch was stored") from unknown


def is_stored(store: Store, batch: Batch) -> bool:
    """Whether the entries of a batch are in their streams: all are, or none."""
    if not batch.entries:
        return False
    first = batch.entries[0]
    entries = store.tails({first.stream: first.version - 1})
    there = next((entry for entry in entries if entry.version == first.version), None)
    return there is not None and there.hash == first.hash

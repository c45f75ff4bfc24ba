"""Appends a batch reliably: if the connection is lost, the store is asked whether it was stored."""

from __future__ import annotations

from houseway.store.protocol import Batch, Store
from houseway.store.store_errors import OutcomeUnknownError, StaleError, StoreGoneError


def append_reliably(store: Store, batch: Batch) -> None:
    """Store a batch; if the database does not answer, find out whether it was stored.

    Raise ``StaleError`` if nothing was stored and the batch has to be decided again, ``OutcomeUnknownError``
    only if the database cannot be asked either.
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

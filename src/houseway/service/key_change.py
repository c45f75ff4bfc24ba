"""Replacement of a floor's key: sealed decks and snapshots are sealed again, and the change is recorded."""

from __future__ import annotations

from houseway.floor.bodies import entries_after
from houseway.floor.core import Floor
from houseway.floor.floor_keys import change_key
from houseway.floor.streams import SETUP
from houseway.service.factors import FACTORS_KEY
from houseway.service.server_setup import record_floor_key
from houseway.store.protocol import Batch, LockedDeck, Picture, SignedHead
from houseway.store.reliable_append import append_reliably
from houseway.store.safe import DeckSafe
from houseway.store.tree_log import SALTS, Notary, sign_tree

HANDED_ON = (*SALTS, FACTORS_KEY)
"""The derived keys that are needed later: to show earlier leaves, and to decrypt people's factors."""


def change_floor_key(floor: Floor, safe: DeckSafe, operator: str) -> SignedHead | None:
    """Replace the key of a floor that is not served; return the first head signed with the new key.

    The former key signs everything until now, and the entry that replaces it. In one batch with that entry,
    sealed decks are locked with the new key and snapshots get its code.
    """
    record_floor_key(floor)
    store, before, after = floor.store, Notary(floor.safe), Notary(safe)
    sign_tree(store, before, floor.clock())
    size = store.tree.size()
    handed_on = safe.hand_on(floor.safe.as_former(size, HANDED_ON))
    event = change_key(floor.house, before.signer, after.signer, handed_on, size, operator, floor.clock())
    entries = entries_after(SETUP, store.head(SETUP), [event])
    with store.picture() as picture:
        sealed, snapshots = _relock(picture, floor.safe, safe), picture.every_snapshot()
        believed = [
            safe.snapshots.seal(snapshot) for snapshot in snapshots if floor.safe.snapshots.believes(snapshot)
        ]
    append_reliably(store, Batch(entries=entries, sealed=sealed, snapshots=believed))
    return sign_tree(store, Notary(safe.with_former_keys(handed_on)), floor.clock())


def _relock(picture: Picture, before: DeckSafe, after: DeckSafe) -> list[LockedDeck]:
    """Return every sealed deck, opened with one key and locked with another."""
    return [
        LockedDeck(
            stream=deck.stream,
            commitment=deck.commitment,
            sealed=after.lock(deck.stream, before.unlock(deck.stream, deck.commitment, deck.sealed)),
        )
        for deck in picture.every_sealed()
    ]

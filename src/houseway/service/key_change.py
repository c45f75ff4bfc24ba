"""Another key in the place of a floor's: decks and snapshots locked anew, and the change put on record."""

from __future__ import annotations

from houseway.floor.bodies import entries_after
from houseway.floor.core import Floor
from houseway.floor.floor_keys import change_key
from houseway.floor.streams import SETUP
from houseway.service.factors import FACTORS_KEY
from houseway.service.serving import record_floor_key
from houseway.store.protocol import Batch, LockedDeck, Picture, SignedHead
from houseway.store.reliable_append import append_reliably
from houseway.store.safe import DeckSafe
from houseway.store.tree_log import SALTS, Notary, sign_tree

HANDED_ON = (*SALTS, FACTORS_KEY)
"""What is needed of a key after its time: to show the leaves of then, and to know people's factors."""


def change_floor_key(floor: Floor, safe: DeckSafe, operator: str) -> SignedHead | None:
    """Let a floor that nobody serves go on with another key; return the first head that it signs.

    The former key signs all that was done until then, and that the other one comes in its place. In one batch
    with the entry that says so, sealed decks are locked with the new key and snapshots given its code.
    """
    record_floor_key(floor)
    store, before, after = floor.store, Notary(floor.safe), Notary(safe)
    sign_tree(store, before, floor.clock())
    size = store.tree.size()
    handed_on = safe.hand_on(floor.safe.as_former(size, HANDED_ON))
    event = change_key(floor.house, before.signer, after.signer, handed_on, size, operator, floor.clock())
    entries = entries_after(SETUP, store.head(SETUP), [event])
    with store.picture() as picture:
        sealed, snapshots = _locked_anew(picture, floor.safe, safe), picture.every_snapshot()
        believed = [safe.snapshots.seal(one) for one in snapshots if floor.safe.snapshots.believes(one)]
    append_reliably(store, Batch(entries=entries, sealed=sealed, snapshots=believed))
    return sign_tree(store, Notary(safe.with_former_keys(handed_on)), floor.clock())


def _locked_anew(picture: Picture, before: DeckSafe, after: DeckSafe) -> list[LockedDeck]:
    """Return every sealed deck, opened with one key and locked with another."""
    return [
        LockedDeck(
            stream=deck.stream,
            commitment=deck.commitment,
            sealed=after.lock(deck.stream, before.unlock(deck.stream, deck.commitment, deck.sealed)),
        )
        for deck in picture.every_sealed()
    ]

"""The tree over all entries, grown between commands and signed."""

from __future__ import annotations

import math
from functools import partial
from typing import Final

from houseway.service.loop import FloorLoop
from houseway.store.protocol import SignedHead
from houseway.store.sqlite import SqliteStore
from houseway.store.tree_log import Notary, grow_by, sign_tree, write_head_file

ENTRIES_AT_ONCE: Final = 50
"""The most entries that become leaves at a time, so that no command waits long."""
SIGN_INTERVAL: Final = 60.0
"""Seconds between two signed heads while the log grows."""
SHIFT_CHECK_INTERVAL: Final = 1.0
"""Seconds between two checks for a closed shift."""


async def keep_tree(loop: FloorLoop, notary: Notary) -> None:
    """Sign the tree at the start, when a shift closes, and each minute in which the log has grown."""
    last = -math.inf
    while True:
        now = loop.runtime.monotonic()
        if loop.shift_closed or now - last >= SIGN_INTERVAL:
            loop.shift_closed, last = False, now
            await sign_tree_now(loop, notary)
        await loop.runtime.sleep(SHIFT_CHECK_INTERVAL)


async def sign_tree_now(loop: FloorLoop, notary: Notary) -> SignedHead | None:
    """Sign the tree as it is now, in steps that let commands pass in between."""
    store = loop.floor.store
    while await loop.between(partial(grow_by, store, notary, ENTRIES_AT_ONCE)) == ENTRIES_AT_ONCE:
        pass
    head = await loop.between(lambda: sign_tree(store, notary, loop.floor.clock()))
    if head is not None and isinstance(store, SqliteStore):
        await loop.between(lambda: write_head_file(store.path, head))
    return head

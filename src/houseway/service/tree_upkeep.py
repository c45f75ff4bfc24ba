"""The tree over all entries kept up beside the commands of a floor, and signed."""

from __future__ import annotations

import math
from functools import partial
from typing import Final

from houseway.service.loop import FloorLoop
from houseway.store.protocol import SignedHead
from houseway.store.sqlite import SqliteStore
from houseway.store.tree_log import Notary, grow_by, sign_tree, write_head_file

FEW: Final = 50
"""So many entries become leaves at a time, so that no command waits for long."""
EVERY: Final = 60.0
"""Seconds between two heads that are signed, where the log has grown meanwhile."""
LOOK: Final = 1.0
"""Seconds between two looks at whether a shift was closed."""


async def keep_tree(loop: FloorLoop, notary: Notary) -> None:
    """Sign the tree at once, when a shift closes, and each minute in which the log has grown."""
    last = -math.inf
    while True:
        now = loop.runtime.monotonic()
        if loop.shift_closed or now - last >= EVERY:
            loop.shift_closed, last = False, now
            await signed_now(loop, notary)
        await loop.runtime.sleep(LOOK)


async def signed_now(loop: FloorLoop, notary: Notary) -> SignedHead | None:
    """Sign the tree as it is now; commands that wait are carried out meanwhile."""
    store = loop.floor.store
    while await loop.between(partial(grow_by, store, notary, FEW)) == FEW:
        pass
    head = await loop.between(lambda: sign_tree(store, notary, loop.floor.clock()))
    if head is not None and isinstance(store, SqliteStore):
        await loop.between(lambda: write_head_file(store.path, head))
    return head

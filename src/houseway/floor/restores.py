"""The record that a log was restored from a backup, made and decided again. All pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime

from houseway.errors import IllegalError
from houseway.floor.bodies import build_of, entries_after
from houseway.floor.rights import COMMAND_LINE, check_at_command_line
from houseway.floor.setup_events import Restored
from houseway.floor.streams import SETUP
from houseway.rounds.codec import canonical
from houseway.store.entries import EMPTY, BrokenChainError, Entry, Head, StreamId
from houseway.store.protocol import Tree
from houseway.store.signed_notes import read_note, read_tree_head
from houseway.store.tree_log import check_begins


def entries_of_restore(
    tree: Tree, ends: Mapping[StreamId, Head], last: Entry | None, operator: str, now: datetime
) -> list[Entry]:
    """Return the entry that a restored log gets, after all that the backup held.

    ``tree`` and ``ends`` are those of the backup, and ``last`` is its last entry.
    """
    check_at_command_line(COMMAND_LINE, operator)
    signed, size, root = tree.last_signed(), 0, ""
    if signed is not None:
        head = read_tree_head(read_note(signed.note).text)
        size, root = head.size, head.root.hex()
    restored = record_restore(ends, last, operator, now, size=size, root=root)
    return entries_after(SETUP, ends.get(SETUP, EMPTY), [restored])


def record_restore(
    ends: Mapping[StreamId, Head], last: Entry | None, operator: str, now: datetime, *, size: int, root: str
) -> Restored:
    """Return the record of a restore of streams with these ends; refuse an empty backup."""
    if last is None:
        raise IllegalError("there is nothing in the backup")
    digest = hashlib.sha256(canonical({name: (head.version, head.hash.hex()) for name, head in ends.items()}))
    return Restored(
        entries=sum(head.version for head in ends.values()),
        ends=digest.hexdigest(),
        operator=operator,
        build=build_of(last),
        size=size,
        root=root,
        by=COMMAND_LINE,
        at=now,
    )


def redecide_restore(ends: Mapping[StreamId, Head], last: Entry | None, restored: Restored) -> Restored:
    """Decide a recorded restore again, by how the streams end before it."""
    size, root = restored.size, restored.root
    return record_restore(ends, last, restored.operator, restored.at, size=size, root=root)


def check_head_of(restored: Restored, tree: Tree) -> None:
    """Refuse a restore that names another signed head than one of the log that was brought back."""
    if not restored.size and not restored.root:
        return
    try:
        root = bytes.fromhex(restored.root)
    except ValueError:
        raise BrokenChainError("a restore names no root", value=restored.root) from None
    check_begins(tree, restored.size, root)

"""The whole log checked: every chain, every checkpoint, and those exported earlier."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from houseway.store.checkpoints import (
    check_against,
    check_checkpoints,
    noted,
    read_checkpoint,
    wanted,
)
from houseway.store.entries import BrokenChainError, Entry, Heads, check_chain
from houseway.store.protocol import Store

Look = Callable[[Entry], object]
"""What else an entry is looked at for."""


def _no_more(_: Entry) -> None:
    """Look for nothing else."""


class Verified(Struct, frozen=True):
    """What was checked and found whole."""

    streams: int
    entries: int
    checkpoints: int
    exported: int = 0


def verify_log(store: Store, exported: Iterable[bytes] = (), look: Look = _no_more) -> Verified:
    """Check every chain and checkpoint, and what was exported; say where the first fault lies.

    ``look`` is shown every entry in turn, once it is known to be the one that was chained.
    """
    checkpoints = store.checkpoints()
    check_checkpoints(checkpoints)
    kept = [read_checkpoint(one.body) for one in checkpoints]
    outside = [read_checkpoint(line) for line in exported]
    _same_checkpoints({one.number: one.body for one in checkpoints}, list(exported))
    among, hashes = wanted([*kept, *outside]), dict[tuple[str, int], bytes]()
    heads: Heads = {}
    count = 0
    for _, entry in store.everything():
        heads |= check_chain([entry], heads)
        noted(entry, among, hashes)
        look(entry)
        count += 1
    for said in (*kept, *outside):
        check_against(said, hashes)
    return Verified(len(heads), count, len(kept), len(outside))


def _same_checkpoints(kept: dict[int, bytes], exported: list[bytes]) -> None:
    for line in exported:
        number = read_checkpoint(line).number
        if kept.get(number) != line:
            raise BrokenChainError("an exported checkpoint is not the one in the store", value=number)

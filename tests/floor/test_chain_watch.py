"""A stream watched while it is read, whole or in part: against the checkpoints that saw it end there."""

from __future__ import annotations

import pytest

from houseway.floor.chain_watch import ChainWatch
from houseway.store.checkpoints import take_checkpoint
from houseway.store.entries import EMPTY, Entry, next_entry
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Batch
from tests.floor.support import NOON

SEEN = (3, 5, 8)
"""Where checkpoints saw the stream end."""


def chained(word: str, count: int = 9) -> list[Entry]:
    """Return a stream of entries that say a word."""
    entries: list[Entry] = []
    for number in range(count):
        head = entries[-1].head if entries else EMPTY
        entries.append(next_entry(head, "s", f"c{number}", f'"{word}"'.encode(), b""))
    return entries


def store_of(entries: list[Entry]) -> MemoryStore:
    """Return a store with a stream, and a checkpoint after some of its entries."""
    store = MemoryStore()
    for entry in entries:
        store.append_batch(Batch(entries=[entry]))
        if entry.version in SEEN:
            take_checkpoint(store, NOON)
    return store


def watched(store: MemoryStore, seen: MemoryStore, after: int, until: int) -> ChainWatch:
    watch = ChainWatch("s", seen.checkpoints(), after)
    for entry in store.part("s", after, until):
        assert watch.entry(entry) is entry
    return watch


@pytest.mark.parametrize("until", range(1, 10))
@pytest.mark.parametrize("after", range(9))
def test_a_part_is_checked_against_the_checkpoints_within_it_and_the_last_of_all(
    after: int, until: int
) -> None:
    if after >= until:
        return
    truth, other = store_of(chained("truth")), store_of(chained("another"))
    assert watched(truth, truth, after, until).check_part(truth, until) == []
    faults = watched(other, truth, after, until).check_part(other, until)
    assert len(faults) == len([end for end in SEEN if after < end <= until or end == SEEN[-1]])


def test_a_whole_stream_is_checked_against_every_checkpoint() -> None:
    truth, other = store_of(chained("truth")), store_of(chained("another"))
    assert watched(truth, truth, 0, 9).check_whole() == []
    assert len(watched(other, truth, 0, 9).check_whole()) == len(SEEN)
    short = store_of(chained("truth", 7))
    assert len(watched(short, truth, 0, 9).check_whole()) == 1  # the last checkpoint saw one more


@pytest.mark.parametrize(
    ("version", "end"), [(1, 3), (2, 3), (3, 3), (4, 5), (5, 5), (6, 8), (8, 8), (9, None)]
)
def test_a_version_is_covered_by_the_first_checkpoint_that_saw_it(version: int, end: int | None) -> None:
    store = store_of(chained("truth"))
    covering = watched(store, store, 0, 9).find_covering(version)
    assert (covering.head.version if covering else None) == end
    if covering is not None:
        assert covering.head == chained("truth")[covering.head.version - 1].head
        assert covering.checkpoint in store.checkpoints()


@pytest.mark.parametrize("gone", [1, 2, 5, 8])
@pytest.mark.parametrize("after", [0, 4])
def test_an_entry_that_is_not_chained_to_the_one_before_it_is_a_fault(after: int, gone: int) -> None:
    watch = ChainWatch("s", (), after)
    for entry in chained("truth"):
        if entry.version > after and entry.version != gone:
            watch.entry(entry)
    # what comes first after the beginning of a part is chained to what is not known
    assert len(watch.faults) == (1 if gone > after else 0)


def test_the_first_entry_of_a_part_is_the_one_after_it() -> None:
    for first, faults in ((5, 0), (6, 1), (4, 1)):
        watch = ChainWatch("s", (), 4)
        watch.entry(chained("truth")[first - 1])
        assert len(watch.faults) == faults


def test_checkpoints_of_other_streams_cover_nothing() -> None:
    store = store_of(chained("truth"))
    watch = ChainWatch("other", store.checkpoints())
    assert watch.covers == [] and watch.find_covering(1) is None and watch.check_part(store, 9) == []

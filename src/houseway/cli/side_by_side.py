"""Processes that decide a log's tables again in parallel with the walk, one for each further core."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from houseway.floor.audit import no_decks
from houseway.floor.audit.shares import NO_SHARES, ShareResult, Shares, allot, decide_share
from houseway.floor.verification import decks_in
from houseway.rng import SystemEntropy
from houseway.service.people_audit import FloorPersons
from houseway.store.entries import StreamId
from houseway.store.protocol import Picture
from houseway.store.safe import DeckSafe, load_key
from houseway.store.store_url import open_store

WORTH_IT: Final = 20_000
"""The entries that justify another process: it takes a second to start, and these take some three."""


class _Processes:
    """Shares that are decided by other processes."""

    def __init__(self, streams: Collection[StreamId], results: Sequence[Future[ShareResult]]) -> None:
        self.streams, self._futures = streams, results

    @cached_property
    def _results(self) -> list[ShareResult]:
        return [future.result() for future in self._futures]

    def results(self) -> Sequence[ShareResult]:
        """Return the result of every share, once the last one is ready."""
        return self._results


@contextmanager
def side_by_side(
    url: str, picture: Picture, key: Path | None, processes: int | None = None
) -> Iterator[Shares]:
    """Begin as many processes as there are cores, or as are wanted, where there is enough to decide."""
    ends = {stream: head.version for stream, head in picture.heads().items()}
    worth = min(os.cpu_count() or 1, 1 + sum(ends.values()) // WORTH_IT)
    shares = allot(ends, worth if processes is None else processes)
    if not shares:
        yield NO_SHARES
        return
    with ProcessPoolExecutor(len(shares), mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(_decide, url, share, ends, key) for share in shares]
        yield _Processes(frozenset().union(*shares), futures)


def _decide(
    url: str, streams: frozenset[StreamId], ends: Mapping[StreamId, int], key: Path | None
) -> ShareResult:
    store = open_store(url, read_only=True)
    try:
        with store.picture() as picture:
            decks = decks_in(picture, DeckSafe(load_key(key), SystemEntropy())) if key else no_decks
            return decide_share(picture, streams, ends, FloorPersons(), decks)
    finally:
        store.close()

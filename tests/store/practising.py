"""Storage for practice to try the same things on: in memory, in a file, in a schema."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from houseway.store.practice_storage import MemoryStorage, PostgresStorage, SqliteStorage, Storage
from tests.store.support import fresh_database


@contextmanager
def new_storage(kind: str) -> Iterator[Storage]:
    """Return empty storage of a kind."""
    if kind == "memory":
        yield MemoryStorage()
    elif kind == "sqlite":
        with tempfile.TemporaryDirectory(prefix="houseway-") as folder:
            yield SqliteStorage(Path(folder) / "floor-practice.db")
    else:
        with fresh_database() as url:
            yield PostgresStorage(url)

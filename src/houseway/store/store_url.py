"""A store by its URL: a SQLite file, or a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path

from houseway.errors import InvalidInputError
from houseway.store.postgres import PostgresStore
from houseway.store.protocol import Store
from houseway.store.sqlite import SqliteStore

SQLITE = "sqlite:///"
POSTGRES = ("postgresql://", "postgresql+psycopg://", "postgres://")


def open_store(url: str, *, read_only: bool = False) -> Store:
    """Open the store at a URL, a path counting as a SQLite file; bring its tables up to date."""
    if url.startswith(POSTGRES):
        return PostgresStore(url, read_only=read_only)
    if "://" in url and not url.startswith(SQLITE):
        kind = url.split("://", maxsplit=1)[0]
        raise InvalidInputError("a database is sqlite:///PATH or postgresql://…", value=kind)
    return SqliteStore(Path(url.removeprefix(SQLITE)), read_only=read_only)

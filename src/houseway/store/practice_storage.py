"""Storage for practice tables, apart from the licensed log: it can be thrown away at any time.

Beside a SQLite file it is a file of its own; in PostgreSQL it is a schema of its own, named by the version of
its tables, so that programs of two versions never share one. A licensed store deletes nothing; these do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Protocol
from zlib import crc32

import psycopg
from psycopg import errors, sql
from sqlalchemy import Engine, delete, select

from houseway.errors import IllegalError
from houseway.store.driver_errors import raise_store_errors
from houseway.store.entries import Entry, StreamId
from houseway.store.memory import MemoryStore
from houseway.store.postgres import PATIENCE, PostgresStore
from houseway.store.protocol import Store
from houseway.store.schema import ENTRIES, SEALED, SNAPSHOTS
from houseway.store.sql import COLUMNS, entry_of, newest_version
from houseway.store.sqlite import SqliteStore
from houseway.store.store_errors import StoreGoneError

SCHEMA: Final = "practice_"
"""What the names of schemas for practice begin with."""
_PRESENCE: Final = 7_460_305
"""The lock that every user of a schema for practice shares; who has it exclusively may drop the schema."""
_BEGINNING: Final = 7_460_306
"""The lock under which one process at a time makes a schema for practice."""
_LIGHT: Final = "-c synchronous_commit=off"
"""A commit of practice waits for no disk: a crash of the machine loses only play money."""


class InUseError(IllegalError):
    """Another process practises there."""


class PracticeStore(Store, Protocol):
    """A store whose streams come to an end."""

    def forget(self, streams: Sequence[StreamId]) -> None:
        """Delete streams, with their snapshots and sealed decks."""
        ...

    def last_entry(self) -> Entry | None:
        """Return what was stored last, in whatever stream."""
        ...


class Storage(Protocol):
    """A place for practice."""

    def open(self) -> PracticeStore:
        """Open what is there; make it where nothing is there, or something of another version."""
        ...

    def clear(self) -> None:
        """Throw away all that is there, or raise ``InUseError`` while another process uses it."""
        ...


def storage_beside(store: Store) -> Storage:
    """Return the place for practice that belongs to a licensed store."""
    if isinstance(store, SqliteStore):
        name = f"{store.path.name.removesuffix('.db')}-practice.db"
        return SqliteStorage(store.path.with_name(name))
    if isinstance(store, PostgresStore):
        return PostgresStorage(store.url)
    return MemoryStorage()


def _delete(engine: Engine, streams: Sequence[StreamId]) -> None:
    """Delete streams; what an interruption leaves of them is never read again."""
    with engine.connect() as connection:
        for table in (SEALED, SNAPSHOTS, ENTRIES):
            connection.execute(delete(table).where(table.c.stream.in_(streams)))


def _last(engine: Engine) -> Entry | None:
    with engine.connect() as connection:
        query = select(*COLUMNS).order_by(ENTRIES.c.position.desc()).limit(1)
        row = connection.execute(query).one_or_none()
    return entry_of(row) if row else None


# --- in memory ----------------------------------------------------------------------------------------


class PracticeMemory(MemoryStore):
    """Practice that lasts as long as the process."""

    def forget(self, streams: Sequence[StreamId]) -> None:
        """Delete streams, with their snapshots and sealed decks."""
        gone = set(streams)
        self._entries = [entry for entry in self._entries if entry.stream not in gone]
        self._heads = {name: head for name, head in self._heads.items() if name not in gone}
        self._commands = {name: stream for name, stream in self._commands.items() if stream not in gone}
        self._snapshots = {key: snapshot for key, snapshot in self._snapshots.items() if key[0] not in gone}
        self._sealed = {key: deck for key, deck in self._sealed.items() if key[0] not in gone}

    def last_entry(self) -> Entry | None:
        """Return what was stored last, in whatever stream."""
        return self._entries[-1] if self._entries else None


class MemoryStorage:
    """Practice of a floor that is in memory itself."""

    def __init__(self) -> None:
        self._store = PracticeMemory()

    def open(self) -> PracticeStore:
        """Return what is in memory."""
        return self._store

    def clear(self) -> None:
        """Replace the store by an empty one."""
        self._store = PracticeMemory()


# --- a file -------------------------------------------------------------------------------------------


class PracticeFile(SqliteStore):
    """Practice in a SQLite file: a commit outlives the process, and waits for no disk."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        with self.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA synchronous = NORMAL")
            fault = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        if fault != "ok":
            self.close()
            raise StoreGoneError("the file for practice is damaged", value=str(path))

    def forget(self, streams: Sequence[StreamId]) -> None:
        """Delete streams, with their snapshots and sealed decks."""
        _delete(self.engine, streams)

    def last_entry(self) -> Entry | None:
        """Return what was stored last, in whatever stream."""
        return _last(self.engine)


class SqliteStorage:
    """A file for practice, beside that of the licensed floor, served by the same process."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self) -> PracticeStore:
        """Open the file; one of another version is refused, not brought up to this one."""
        if self.path.exists():
            SqliteStore(self.path, read_only=True).close()
        return PracticeFile(self.path)

    def clear(self) -> None:
        """Remove the file."""
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(f"{self.path.name}{suffix}").unlink(missing_ok=True)


# --- a schema -----------------------------------------------------------------------------------------


class PracticeSchema(PostgresStore):
    """Practice in a schema of its own; a connection says to other processes that it is used."""

    def __init__(self, url: str, schema: str, presence: psycopg.Connection) -> None:
        self._presence = presence
        super().__init__(url, options=f"-c search_path={schema} {_LIGHT}")

    def forget(self, streams: Sequence[StreamId]) -> None:
        """Delete streams, with their snapshots and sealed decks."""
        _delete(self.engine, streams)

    def _note_ends(self, entries: Iterable[Entry]) -> None:
        """Note nothing: a crash may lose what was stored last, and practice goes on."""

    def last_entry(self) -> Entry | None:
        """Return what was stored last, in whatever stream."""
        return _last(self.engine)

    def close(self) -> None:
        """Close the connections; release the lock first, which a closed connection holds a moment longer."""
        super().close()
        with suppress(psycopg.Error):
            self._presence.execute("SELECT pg_advisory_unlock_all()")
        self._presence.close()


class PostgresStorage:
    """A schema for practice in the database of the licensed floor."""

    def __init__(self, url: str) -> None:
        self._url, self._schema = url, f"{SCHEMA}{newest_version()}"

    def open(self) -> PracticeStore:
        """Open the schema, made if there is none; unused ones of other versions are dropped."""
        with raise_store_errors():
            presence = self._connect()
            try:
                presence.execute("SELECT pg_advisory_lock_shared(%s, %s)", _presence_of(self._schema))
                _make(presence, self._schema)
                _drop_others(presence, self._schema)
                return PracticeSchema(self._url, self._schema, presence)
            except BaseException:
                presence.close()
                raise

    def clear(self) -> None:
        """Drop the schema, unless another process uses it."""
        with raise_store_errors(), self._connect() as connection, _alone(connection, self._schema) as alone:
            if not alone:
                raise InUseError("another process practises there", value=self._schema)
            _drop(connection, self._schema)

    def _connect(self) -> psycopg.Connection:
        return psycopg.connect(self._url, autocommit=True, **PATIENCE)


def _presence_of(schema: str) -> tuple[int, int]:
    return _PRESENCE, crc32(schema.encode()) % 2**31


def _make(connection: psycopg.Connection, schema: str) -> None:
    """Make a schema, unless it is there."""
    try:
        connection.execute("SELECT pg_advisory_lock(%s)", [_BEGINNING])
        connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(schema)))
    except errors.InsufficientPrivilege:
        needed = "practice needs a schema of its own: GRANT CREATE ON DATABASE … TO …"
        raise IllegalError(needed, value=schema) from None
    finally:
        connection.execute("SELECT pg_advisory_unlock(%s)", [_BEGINNING])


def _drop(connection: psycopg.Connection, schema: str) -> None:
    connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(schema)))


def _drop_others(connection: psycopg.Connection, schema: str) -> None:
    """Drop the unused schemas of other versions."""
    query = "SELECT nspname FROM pg_namespace WHERE starts_with(nspname, %s) AND nspname <> %s"
    for (name,) in connection.execute(query, [SCHEMA, schema]).fetchall():
        with _alone(connection, name) as alone:
            if alone:
                _drop(connection, name)


@contextmanager
def _alone(connection: psycopg.Connection, schema: str) -> Iterator[bool]:
    """Give whether a schema is unused; if so, it is locked until the end."""
    key = _presence_of(schema)
    row = connection.execute("SELECT pg_try_advisory_lock(%s, %s)", key).fetchone()
    alone = row == (True,)
    try:
        yield alone
    finally:
        if alone:
            connection.execute("SELECT pg_advisory_unlock(%s, %s)", key)

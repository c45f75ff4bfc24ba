"""A store in one SQLite file, which one process writes on one connection.

Releases of SQLite before 3.51.3 can corrupt a write-ahead log when two connections write and checkpoint it,
so a second server on the same file is refused by name. Readers open the file read-only.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import StaticPool

from houseway.errors import IllegalError
from houseway.store.command_index import drop_command_index, make_command_index
from houseway.store.driver_errors import DRIVER_ERRORS, outcome_of, raise_store_errors, translate_errors
from houseway.store.entries import EMPTY, Entry, Heads
from houseway.store.protocol import (
    Batch,
    Check,
    NotEmptyError,
    Point,
    PointHook,
    accept_all,
    ignore_point,
)
from houseway.store.sql import PROBE, SqlPicture, SqlStore, bring_up_to_date, check_up_to_date
from houseway.store.store_errors import OutcomeUnknownError, StaleError, StoreGoneError

_ENTRY: Final = "INSERT INTO entries (stream, version, command, body, answer, hash) VALUES (?, ?, ?, ?, ?, ?)"
_SNAPSHOT: Final = """
INSERT OR REPLACE INTO snapshots (stream, version, hash, body, mac) VALUES (?, ?, ?, ?, ?)
"""
_SEALED: Final = "INSERT OR REPLACE INTO sealed_decks (stream, commitment, sealed) VALUES (?, ?, ?)"
_OPENED: Final = "DELETE FROM sealed_decks WHERE stream = ? AND commitment = ?"
_CHECKPOINT: Final = "INSERT INTO checkpoints (number, at, body, hash) VALUES (?, ?, ?, ?)"
_LEAF: Final = "INSERT INTO leaves (number, stream, version, salt, parts) VALUES (?, ?, ?, ?, ?)"
_TILE: Final = "INSERT OR REPLACE INTO tiles (level, number, hashes) VALUES (?, ?, ?)"
_SIGNED: Final = "INSERT INTO signed_heads (size, at, note) VALUES (?, ?, ?)"
_PRIVATE: Final = 0o600
_DURABLE: Final = ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA temp_store = MEMORY")


class ServedError(IllegalError):
    """Another process serves the file."""


class DamagedFileError(IllegalError):
    """A file whose pages are inconsistent: it was changed by a disk fault, or by hand."""


class SqliteStore(SqlStore):
    """A SQLite file that this process alone writes, or one that it only reads."""

    exclusive = True

    def __init__(self, path: Path, *, read_only: bool = False, at_point: PointHook = ignore_point) -> None:
        self.path = path = path.resolve()  # by whatever name it is opened, it is one file with one lock
        self.read_only, self._at_point = read_only, at_point
        if read_only and not path.exists():
            raise IllegalError("no such database", value=str(path))
        self._lock = None if read_only else _lock(path)
        if not read_only:
            _keep_to_owner(path)
        try:
            self.engine = _engine(path, read_only=read_only)
            if read_only:
                check_up_to_date(self.engine)
            else:
                bring_up_to_date(self.engine)
            self._file = _file_at(path)
            self._heads: Heads | None = dict(self.heads())
        except BaseException:
            self._let_go_of_lock()
            raise

    @property
    def _connection(self) -> sqlite3.Connection:
        connection = self.engine.raw_connection().driver_connection
        assert isinstance(connection, sqlite3.Connection)
        return connection

    def append_batch(self, batch: Batch) -> None:
        """Store a batch durably, or raise one of the closed set of outcomes."""
        if self._heads is None:  # the last batch may be stored or not: read how the streams end
            self._check_file()
            self._heads = dict(self.heads())
        heads = _heads_after(self._heads, batch.entries)
        with raise_store_errors():
            connection = self._connection
        try:
            self._write_through(connection, lambda: _write(connection, batch))
        except OutcomeUnknownError:
            self._heads = None
            self.engine.dispose()  # the file has to be opened again to find out
            raise
        self._heads = heads
        self._at_point(Point.COMMITTED)

    def _write_through(self, connection: sqlite3.Connection, write: Callable[[], object]) -> None:
        """Write something in one durable transaction."""
        committing = False
        try:
            connection.execute("BEGIN IMMEDIATE")
            self._at_point(Point.BEGUN)
            write()
            self._at_point(Point.WRITTEN)
            committing = True
            connection.execute("COMMIT")
        except BaseException as error:
            undone = _undo(connection)
            if isinstance(error, sqlite3.IntegrityError):
                raise StaleError("the command is carried out already, or the stream has gone on") from error
            if not isinstance(error, DRIVER_ERRORS):
                raise
            outcome = outcome_of(error)
            if isinstance(outcome, StoreGoneError) and (committing or not undone):
                raise OutcomeUnknownError("the database failed while it stored a batch") from error
            raise (outcome or error) from error

    def probe(self) -> None:
        """Make a write that changes nothing, or raise why nothing can be written."""
        self._check_file()
        with raise_store_errors():
            connection = self._connection
        self._write_through(connection, lambda: connection.execute(PROBE))

    def _check_file(self) -> None:
        """Refuse to go on with another file than the one that was opened: it was replaced or taken away."""
        if _file_at(self.path) != self._file:
            raise StoreGoneError("the file of the database was replaced or taken away", value=str(self.path))

    @contextmanager
    def apart(self) -> Iterator[Connection]:
        """Give a connection of its own that only reads, all of it as it stands at one moment."""
        engine = _engine(self.path, read_only=True)
        try:
            with engine.connect() as connection:
                connection.exec_driver_sql("BEGIN DEFERRED")
                yield connection
        finally:
            engine.dispose()

    def check_pages(self, *, whole: bool) -> None:
        """Refuse a damaged file; ``whole`` also compares every index with its table."""
        question = "integrity_check" if whole else "quick_check"
        with self.apart() as connection:
            answers = connection.exec_driver_sql(f"PRAGMA {question}(1)").scalars().all()
        if list(answers) != ["ok"]:
            raise DamagedFileError("the file is damaged: restore it", value=str(answers[0]))

    def fill(self, parts: Iterable[Batch], check: Check = accept_all) -> None:
        """Store the contents of another store: all of it or nothing, and only while this one is empty."""
        if self.heads() or self.checkpoints():
            raise NotEmptyError("there is something in the file already", value=str(self.path))
        with self.engine.connect() as transaction:  # let go of only at the end: that would undo everything
            connection = transaction.connection.driver_connection
            assert isinstance(connection, sqlite3.Connection)
            connection.execute("BEGIN IMMEDIATE")
            try:
                drop_command_index(transaction)
                for part in parts:
                    _write(connection, part)
                make_command_index(transaction)
                check(SqlPicture(transaction))
                connection.execute("COMMIT")
            except BaseException:
                connection.execute("ROLLBACK")
                raise
        self._heads = dict(self.heads())

    def without_wal(self) -> None:
        """Go on without a write-ahead log: everything is in the one file from now on."""
        self._connection.execute("PRAGMA journal_mode = DELETE")

    def close(self) -> None:
        """Close the file, and release its lock."""
        super().close()
        self._let_go_of_lock()

    def _let_go_of_lock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def _undo(connection: sqlite3.Connection) -> bool:
    """Undo a transaction that is open; return whether nothing of it is left."""
    if not connection.in_transaction:
        return True
    try:
        connection.execute("ROLLBACK")
    except sqlite3.Error:
        return False
    return True


def _keep_to_owner(path: Path) -> None:
    """Make a file, or change it, so that only its owner can read it; SQLite's own files get the same mode."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, _PRIVATE))
        if path.stat().st_mode & ~_PRIVATE & 0o777:
            path.chmod(_PRIVATE)
    except OSError as error:
        raise StoreGoneError(f"cannot open the database: {error.strerror}", value=str(path)) from None


def _file_at(path: Path) -> tuple[int, int] | None:
    """Return which file lies at a path."""
    try:
        there = path.stat()
    except OSError:
        return None
    return there.st_dev, there.st_ino


def _heads_after(heads: Heads, entries: Sequence[Entry]) -> Heads:
    """Return the heads after entries, or refuse entries that do not follow: no other process writes here."""
    after = dict(heads)
    for entry in entries:
        if entry.version != after.get(entry.stream, EMPTY).version + 1:
            raise StaleError("the stream has gone on", value=entry.stream)
        after[entry.stream] = entry.head
    return after


def _write(connection: sqlite3.Connection, batch: Batch) -> None:
    """Write a batch in the transaction that is open."""
    connection.executemany(
        _ENTRY, [(e.stream, e.version, e.command, e.body, e.answer, e.hash) for e in batch.entries]
    )
    if batch.snapshots:
        rows = [
            (snapshot.stream, snapshot.version, snapshot.hash, snapshot.body, snapshot.mac)
            for snapshot in batch.snapshots
        ]
        connection.executemany(_SNAPSHOT, rows)
    if batch.sealed:
        connection.executemany(_SEALED, [(s.stream, s.commitment, s.sealed) for s in batch.sealed])
    if batch.opened:
        connection.executemany(_OPENED, batch.opened)
    for checkpoint in batch.checkpoints:
        connection.execute(
            _CHECKPOINT, (checkpoint.number, _moment(checkpoint.at), checkpoint.body, checkpoint.hash)
        )
    if batch.leaves:
        leaves = [(leaf.number, leaf.stream, leaf.version, leaf.salt, leaf.parts) for leaf in batch.leaves]
        connection.executemany(_LEAF, leaves)
    if batch.tiles:
        connection.executemany(_TILE, [(tile.level, tile.number, tile.hashes) for tile in batch.tiles])
    for head in batch.signed:
        connection.execute(_SIGNED, (head.size, _moment(head.at), head.note))


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


def _lock(path: Path) -> IO[str]:
    """Lock a file for serving, or raise which process has the lock."""
    try:
        lock = Path(f"{path}.lock").open("a+", encoding="utf-8")  # noqa: SIM115 - held as long as the store
    except OSError as error:
        raise StoreGoneError(f"cannot write beside the database: {error.strerror}", value=str(path)) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.seek(0)
        who = lock.read().strip()
        lock.close()
        raise ServedError(f"another process serves this file ({who})", value=str(path)) from None
    with suppress(OSError):  # the lock holds on a full disk too, and a second server is still refused
        lock.truncate(0)
        lock.write(f"process {os.getpid()}")
        lock.flush()
    return lock


def _engine(path: Path, *, read_only: bool) -> Engine:
    uri = f"file:{quote(str(path))}?mode={'ro' if read_only else 'rwc'}"
    engine = create_engine(
        "sqlite://",
        creator=lambda: sqlite3.connect(uri, uri=True, check_same_thread=False),
        poolclass=StaticPool,
        pool_reset_on_return=None,  # a reader never undoes what is being written on the same connection
        isolation_level="AUTOCOMMIT",
    )

    @event.listens_for(engine, "connect")
    def set_pragmas(connection: sqlite3.Connection, _: object) -> None:
        for pragma in () if read_only else _DURABLE:
            connection.execute(pragma)

    return translate_errors(engine)

"""A store in PostgreSQL: several processes serve the same tables, and none of them is ever out of turn.

A batch is one transaction on one connection, at which threads take turns. The second process to add
to a stream, or to carry out a command, fails on a unique key, and its whole batch with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any, Final

import psycopg
from sqlalchemy import (
    ColumnElement,
    Connection,
    create_engine,
    literal_column,
    select,
    text,
    tuple_,
)

from houseway.store.command_index import drop_command_index, make_command_index
from houseway.store.driver_errors import DRIVER_ERRORS, outcome_of, translate_errors
from houseway.store.entries import EMPTY, Entry, Heads, StreamId
from houseway.store.postgres_url import name_of, parts_of, plain_url
from houseway.store.protocol import (
    Batch,
    Check,
    NotEmptyError,
    Place,
    Point,
    PointHook,
    accept_all,
    ignore_point,
)
from houseway.store.schema import ENTRIES
from houseway.store.sql import (
    COLUMNS,
    PROBE,
    SqlPicture,
    SqlStore,
    bring_up_to_date,
    check_up_to_date,
    entry_of,
)
from houseway.store.store_errors import OutcomeUnknownError, StoreGoneError

_ENTRIES: Final = """
INSERT INTO entries (stream, version, command, body, answer, hash)
SELECT * FROM unnest(%s::text[], %s::int[], %s::text[], %s::bytea[], %s::bytea[], %s::bytea[])
"""
_COPY: Final = "COPY entries (stream, version, command, body, answer, hash) FROM STDIN"
_SNAPSHOT: Final = """
INSERT INTO snapshots (stream, version, hash, body, mac) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (stream, version) DO UPDATE SET hash = excluded.hash, body = excluded.body, mac = excluded.mac
"""
_SEALED: Final = """
INSERT INTO sealed_decks (stream, commitment, sealed) VALUES (%s, %s, %s)
ON CONFLICT (stream, commitment) DO UPDATE SET sealed = excluded.sealed
"""
_OPENED: Final = "DELETE FROM sealed_decks WHERE stream = %s AND commitment = %s"
_CHECKPOINT: Final = "INSERT INTO checkpoints (number, at, body, hash) VALUES (%s, %s, %s, %s)"
_LEAF: Final = "INSERT INTO leaves (number, stream, version, salt, parts) VALUES (%s, %s, %s, %s, %s)"
_TILE: Final = """
INSERT INTO tiles (level, number, hashes) VALUES (%s, %s, %s)
ON CONFLICT (level, number) DO UPDATE SET hashes = excluded.hashes
"""
_SIGNED: Final = "INSERT INTO signed_heads (size, at, note) VALUES (%s, %s, %s)"
_RENUMBERED: Final = text("""
UPDATE entries SET transaction = CASE WHEN EXISTS (
    SELECT FROM leaves WHERE leaves.stream = entries.stream AND leaves.version = entries.version
) THEN 0 ELSE 1 END
""")
_TAILS: Final = """
SELECT e.stream, e.version, e.command, e.body, e.answer, e.hash
FROM unnest(%s::text[], %s::int[]) AS asked (stream, version)
CROSS JOIN LATERAL (
    SELECT * FROM entries WHERE stream = asked.stream AND version > asked.version ORDER BY version LIMIT %s
) AS e
"""
_MISSING: Final = """
SELECT stream FROM unnest(%s::text[], %s::int[], %s::bytea[]) AS seen (stream, version, hash)
LEFT JOIN entries USING (stream, version) WHERE entries.hash IS DISTINCT FROM seen.hash LIMIT 1
"""
"""A stream without the entry that was seen at its end."""
_CLOSED: Final[ColumnElement[int]] = literal_column("pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
"""Every transaction before this one is over."""
_FROM_ELSEWHERE: Final = text("""
SELECT coalesce(max(transaction), 0) >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint FROM entries
""")
"""Whether entries name a transaction that this server has not begun yet."""
PATIENCE: Final[Mapping[str, Any]] = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 8_000,
}
"""A server that stops answering is given up after seconds, not hours."""
SHORT: Final = "-c statement_timeout=8000 -c lock_timeout=5000 -c idle_in_transaction_session_timeout=30000"
"""On the connection that stores batches nothing takes long: what does is given up, and tried again."""
_MIGRATING: Final = 7_460_301
"""The lock under which one process at a time brings the tables up to date."""


class PostgresStore(SqlStore):
    """A PostgreSQL database, by its URL."""

    exclusive = False

    def __init__(
        self, url: str, *, read_only: bool = False, at_point: PointHook = ignore_point, options: str = ""
    ) -> None:
        self._at_point, self.read_only, self._options = at_point, read_only, options
        self.url = plain_url(url)
        self.engine = translate_errors(
            create_engine(
                "postgresql+psycopg://",
                isolation_level="AUTOCOMMIT",
                pool_size=2,
                pool_pre_ping=True,
                connect_args={**parts_of(url), **PATIENCE, **({"options": options} if options else {})},
            )
        )
        if read_only:
            check_up_to_date(self.engine)
        else:
            self._bring_up_to_date()
        self._turn = Lock()
        self._ends: Heads = {}
        """How streams ended that were read or added to: a database without that is another one."""
        self._open: psycopg.Connection | None = None
        with self._turn, self._cursor():
            pass  # a database that takes no connection is refused at once

    def _bring_up_to_date(self) -> None:
        with self.engine.connect() as connection:
            connection.execute(text(f"SELECT pg_advisory_lock({_MIGRATING})"))
            try:
                bring_up_to_date(self.engine.execution_options(isolation_level="READ COMMITTED"))
                self._renumber_if_restored()
            finally:
                connection.execute(text(f"SELECT pg_advisory_unlock({_MIGRATING})"))

    def _renumber_if_restored(self) -> None:
        """Reset the numbers that transactions had on another server: this one's are lower.

        What comes of a dump would wait for this server's transactions to pass those of the old one, and
        readers of everything would not see it. All of it is over: it counts as stored before everything else,
        what is in the tree already first, in the order of positions; and read models are rebuilt.
        """
        with self.engine.execution_options(isolation_level="READ COMMITTED").begin() as connection:
            if connection.scalar(_FROM_ELSEWHERE):
                connection.execute(text("LOCK TABLE entries, read_models IN EXCLUSIVE MODE"))
                connection.execute(_RENUMBERED)
                connection.execute(text("DELETE FROM read_models"))

    # --- the connection on which batches are stored -----------------------------------------------------

    def _connection(self) -> psycopg.Connection:
        """Return the connection, made again if it was lost."""
        if self._open is None or self._open.closed or self._open.broken:
            self._open = None
            options = f"{SHORT} {self._options}".strip()
            connection = psycopg.connect(self.url, autocommit=False, **PATIENCE, options=options)
            connection.read_only = self.read_only
            self._check_same(connection)
            self._open = connection
        return self._open

    def _check_same(self, connection: psycopg.Connection) -> None:
        """Refuse to go on where a standby has taken over that had not got all that was stored."""
        if not self._ends:
            return
        heads = self._ends.values()
        seen = [*self._ends], [head.version for head in heads], [head.hash for head in heads]
        missing = connection.execute(_MISSING, seen).fetchone()
        connection.rollback()
        if missing is not None:
            connection.close()
            cause = "the database is not the one that was served: restart every server"
            raise StoreGoneError(cause, value=missing[0])

    def _note_ends(self, entries: Iterable[Entry]) -> None:
        """Note how streams end that were read or added to."""
        for entry in entries:
            if entry.version > self._ends.get(entry.stream, EMPTY).version:
                self._ends[entry.stream] = entry.head

    @contextmanager
    def _cursor(self) -> Iterator[psycopg.Cursor]:
        """Give a cursor within a transaction; a connection that fails is not used again."""
        try:
            connection = self._connection()
            with connection.transaction(), connection.cursor() as cursor:
                yield cursor
        except DRIVER_ERRORS as error:
            outcome = outcome_of(error)
            if outcome is None:
                raise
            if isinstance(outcome, StoreGoneError):
                self._let_go()
            raise outcome from error

    def _let_go(self) -> None:
        if self._open is not None:
            with suppress(psycopg.Error):
                self._open.close()
            self._open = None

    def append_batch(self, batch: Batch) -> None:
        """Store a batch durably, or raise one of the closed set of outcomes."""
        entries = sorted(batch.entries, key=lambda entry: (entry.stream, entry.version))
        written = False
        try:
            with self._turn, self._cursor() as cursor:
                self._at_point(Point.BEGUN)
                if entries:
                    cursor.execute(_ENTRIES, _by_column(entries))
                _write(cursor, batch)
                self._at_point(Point.WRITTEN)
                written = True
        except StoreGoneError as error:
            if not written:
                raise  # what was never committed is nowhere
            raise OutcomeUnknownError("the connection was lost while a batch was stored") from error
        self._note_ends(entries)
        self._at_point(Point.COMMITTED)

    def probe(self) -> None:
        """Make a write that changes nothing, or raise why nothing can be written."""
        with self._turn, self._cursor() as cursor:
            cursor.execute(PROBE)

    def tails(self, heads: Mapping[StreamId, int], most: int | None = None) -> Iterable[Entry]:
        """Return the entries of each of these streams after a version, in order; at most ``most`` of each."""
        with self._turn, self._cursor() as cursor:
            cursor.execute(_TAILS, (list(heads), list(heads.values()), most))
            entries = [entry_of(row) for row in cursor.fetchall()]
        self._note_ends(entries)
        return entries

    def _page(self, after: Place, size: int) -> Any:  # noqa: ANN401 - a statement of SQLAlchemy's
        place = tuple_(ENTRIES.c.transaction, ENTRIES.c.position)
        query = select(ENTRIES.c.transaction, ENTRIES.c.position, *COLUMNS)
        query = query.where(place > after, ENTRIES.c.transaction < _CLOSED)
        return query.order_by(ENTRIES.c.transaction, ENTRIES.c.position).limit(size)

    @contextmanager
    def apart(self) -> Iterator[Connection]:
        """Give a connection of its own that only reads, all of it as it stands at one moment."""
        options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        with self.engine.connect() as connection, connection.execution_options(**options).begin():
            yield connection

    def fill(self, parts: Iterable[Batch], check: Check = accept_all) -> None:
        """Store the contents of another store: all of it or nothing, and only while this one is empty."""
        options = {"isolation_level": "READ COMMITTED"}
        with self.engine.connect() as transaction, transaction.execution_options(**options).begin():
            transaction.execute(text("LOCK TABLE entries, checkpoints IN EXCLUSIVE MODE"))
            if self.heads() or self.checkpoints():
                raise NotEmptyError("there is something in the database already", value=name_of(self.url))
            connection = transaction.connection.driver_connection
            assert isinstance(connection, psycopg.Connection)
            drop_command_index(transaction)
            with connection.cursor() as cursor:
                for part in parts:
                    _copy(cursor, part.entries)
                    _write(cursor, part)
            make_command_index(transaction)
            check(SqlPicture(transaction))

    def close(self) -> None:
        """Close the connections to the database."""
        self._let_go()
        super().close()


def _write(cursor: psycopg.Cursor, batch: Batch) -> None:
    """Write all of a batch but its entries in the transaction that is open."""
    for snapshot in batch.snapshots:
        cursor.execute(
            _SNAPSHOT, (snapshot.stream, snapshot.version, snapshot.hash, snapshot.body, snapshot.mac)
        )
    for deck in batch.sealed:
        cursor.execute(_SEALED, (deck.stream, deck.commitment, deck.sealed))
    for key in batch.opened:
        cursor.execute(_OPENED, key)
    for checkpoint in batch.checkpoints:
        cursor.execute(_CHECKPOINT, (checkpoint.number, checkpoint.at, checkpoint.body, checkpoint.hash))
    if batch.leaves:
        rows = [(leaf.number, leaf.stream, leaf.version, leaf.salt, leaf.parts) for leaf in batch.leaves]
        cursor.executemany(_LEAF, rows)
    if batch.tiles:
        cursor.executemany(_TILE, [(tile.level, tile.number, tile.hashes) for tile in batch.tiles])
    for head in batch.signed:
        cursor.execute(_SIGNED, (head.size, head.at, head.note))


def _copy(cursor: psycopg.Cursor, entries: Iterable[Entry]) -> None:
    """Write entries in the order that they have."""
    with cursor.copy(_COPY) as copy:
        for e in entries:
            copy.write_row((e.stream, e.version, e.command, e.body, e.answer, e.hash))


def _by_column(entries: Sequence[Entry]) -> tuple[list[Any], ...]:
    return (
        [entry.stream for entry in entries],
        [entry.version for entry in entries],
        [entry.command for entry in entries],
        [entry.body for entry in entries],
        [entry.answer for entry in entries],
        [entry.hash for entry in entries],
    )

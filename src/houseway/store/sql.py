"""What the two databases share: queries by SQLAlchemy, and the migration of the schema."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC
from pathlib import Path
from typing import Any, Final

from alembic import command as migrate
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, MetaData, Select, and_, create_engine, func, select, tuple_
from sqlalchemy.pool import StaticPool

from houseway.errors import IllegalError
from houseway.store.driver_errors import translate_errors
from houseway.store.entries import EMPTY, CommandId, Entry, Head, StreamId
from houseway.store.protocol import (
    START,
    Batch,
    Check,
    Checkpoint,
    LockedDeck,
    Picture,
    Place,
    Snapshot,
    Tree,
    accept_all,
)
from houseway.store.schema import CHECKPOINTS, ENTRIES, SEALED, SNAPSHOTS
from houseway.store.sql_tree import SqlTree

COLUMNS: Final = [ENTRIES.c[name] for name in ("stream", "version", "command", "body", "answer", "hash")]
FIRST_PAGE, PAGE = 25, 1_000
"""How many entries are read at first, and the most that are read at a time."""
PROBE: Final = "UPDATE alembic_version SET version_num = version_num"
"""A write that changes nothing: whether the database takes writes."""


class OtherVersionError(IllegalError):
    """A database of another version than this program's."""


def _migrations(connection: Any = None) -> Config:  # noqa: ANN401 - a connection of SQLAlchemy's
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    return config


def bring_up_to_date(engine: Engine) -> None:
    """Make the tables, or bring those of an older version up to date: all of it, or nothing."""
    with engine.begin() as connection:
        if connection.dialect.name != "sqlite":
            migrate.upgrade(_migrations(connection), "head")
            return
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # SQLite's driver would begin no transaction
        try:
            migrate.upgrade(_migrations(connection), "head")
        except BaseException:
            connection.exec_driver_sql("ROLLBACK")
            raise
        connection.exec_driver_sql("COMMIT")


def newest_version() -> str:
    """Return the version of the tables that this program makes."""
    newest = ScriptDirectory.from_config(_migrations()).get_current_head()
    assert newest is not None
    return newest


def check_up_to_date(engine: Engine) -> None:
    """Refuse a database of another version than this program's: reading changes nothing."""
    with engine.connect() as connection:
        version = MigrationContext.configure(connection).get_current_revision()
    newest = newest_version()
    if version != newest:
        raise OtherVersionError(f"this program's database is of version {newest}", value=version)


def in_memory(tables: MetaData) -> Engine:
    """Return a database for what belongs beside a store that has none."""
    engine = translate_errors(
        create_engine(
            "sqlite://",
            poolclass=StaticPool,
            isolation_level="AUTOCOMMIT",
            connect_args={"check_same_thread": False},
        )
    )
    tables.create_all(engine)
    return engine


def entry_of(row: Sequence[Any]) -> Entry:
    """Return the entry that a row holds."""
    stream, version, command, body, answer, digest = row
    return Entry(
        stream=stream,
        version=version,
        command=command,
        body=_bytes(body),
        answer=_bytes(answer),
        hash=_bytes(digest),
    )


def _bytes(value: Any) -> bytes:  # noqa: ANN401 - any value may lie in a column
    """Return what a column holds; a text that was never put there by a store is found by its hash."""
    return value.encode() if isinstance(value, str) else bytes(value)


def _snapshot_of(row: Sequence[Any]) -> Snapshot:
    stream, version, digest, body, mac = row
    return Snapshot(stream=stream, version=version, hash=_bytes(digest), body=_bytes(body), mac=_bytes(mac))


class SqlPicture:
    """All that a database holds, read on one connection: as of one moment if it is in a transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def tree(self) -> Tree:
        """The tree over all entries."""
        return SqlTree(lambda: nullcontext(self._connection))

    def _rows(self, query: Select[Any]) -> Iterable[Sequence[Any]]:
        return self._connection.execute(query, execution_options={"yield_per": PAGE})

    def everything(self, after: Place = START) -> Iterator[tuple[Place, Entry]]:
        """Yield every entry with its place, in the order of places, after one."""
        place = ENTRIES.c.transaction, ENTRIES.c.position
        query = select(*place, *COLUMNS).where(tuple_(*place) > after).order_by(*place)
        for transaction, position, *rest in self._rows(query):
            yield (transaction, position), entry_of(rest)

    def tails(self, heads: Mapping[StreamId, int], most: int | None = None) -> Iterator[Entry]:
        """Yield the entries of each of these streams after a version, in order; at most ``most`` of each."""
        for stream, version in heads.items():
            after = and_(ENTRIES.c.stream == stream, ENTRIES.c.version > version)
            if most is not None:
                after = and_(after, ENTRIES.c.version <= version + most)
            query = select(*COLUMNS).where(after).order_by(ENTRIES.c.version)
            yield from map(entry_of, self._connection.execute(query))

    def part(self, stream: StreamId, after: int, until: int) -> Iterator[Entry]:
        """Yield the entries of a stream after a version and up to another, in order; no others are read."""
        between = and_(ENTRIES.c.stream == stream, ENTRIES.c.version > after, ENTRIES.c.version <= until)
        query = select(*COLUMNS).where(between).order_by(ENTRIES.c.version)
        yield from map(entry_of, self._connection.execute(query))

    def heads(self) -> Mapping[StreamId, Head]:
        """Return the end of every stream."""
        longest = func.max(ENTRIES.c.version).label("version")
        ends = select(ENTRIES.c.stream, longest).group_by(ENTRIES.c.stream).subquery()
        same = and_(ENTRIES.c.stream == ends.c.stream, ENTRIES.c.version == ends.c.version)
        query = select(ENTRIES.c.stream, ENTRIES.c.version, ENTRIES.c.hash).join(ends, same)
        return {
            stream: Head(version, _bytes(digest))
            for stream, version, digest in self._connection.execute(query)
        }

    def head(self, stream: StreamId) -> Head:
        """Return the end of a stream."""
        query = select(ENTRIES.c.version, ENTRIES.c.hash).where(ENTRIES.c.stream == stream)
        row = self._connection.execute(query.order_by(ENTRIES.c.version.desc()).limit(1)).one_or_none()
        return Head(row[0], _bytes(row[1])) if row else EMPTY

    def snapshots(self, streams: Sequence[StreamId]) -> Mapping[StreamId, Snapshot]:
        """Return the last snapshots of streams."""
        of_them = SNAPSHOTS.c.stream.in_(streams)
        last = select(SNAPSHOTS.c.stream, func.max(SNAPSHOTS.c.version)).where(of_them)
        last = last.group_by(SNAPSHOTS.c.stream)
        query = select(SNAPSHOTS).where(tuple_(SNAPSHOTS.c.stream, SNAPSHOTS.c.version).in_(last))
        return {snapshot.stream: snapshot for snapshot in map(_snapshot_of, self._connection.execute(query))}

    def snapshot_at(self, stream: StreamId, version: int) -> Snapshot | None:
        """Return the last snapshot of a stream at a version or before it, if there is one."""
        earlier = and_(SNAPSHOTS.c.stream == stream, SNAPSHOTS.c.version <= version)
        query = select(SNAPSHOTS).where(earlier).order_by(SNAPSHOTS.c.version.desc()).limit(1)
        row = self._connection.execute(query).one_or_none()
        return _snapshot_of(row) if row else None

    def checkpoints(self) -> Sequence[Checkpoint]:
        """Return every checkpoint, in order."""
        rows = self._connection.execute(select(CHECKPOINTS).order_by(CHECKPOINTS.c.number))
        return tuple(
            Checkpoint(
                number=number,
                at=at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC),
                body=_bytes(body),
                hash=_bytes(digest),
            )
            for number, at, body, digest in rows
        )

    def every_snapshot(self) -> Iterator[Snapshot]:
        """Yield every snapshot of every stream, stream by stream in the order of versions."""
        yield from map(_snapshot_of, self._rows(select(SNAPSHOTS).order_by(*SNAPSHOTS.primary_key)))

    def every_sealed(self) -> Iterator[LockedDeck]:
        """Yield every sealed deck, still encrypted."""
        for stream, commitment, sealed in self._rows(select(SEALED).order_by(*SEALED.primary_key)):
            yield LockedDeck(stream=stream, commitment=commitment, sealed=_bytes(sealed))


class SqlStore(ABC):
    """The queries of a store, for any database."""

    engine: Engine
    exclusive: bool

    @property
    def tree(self) -> Tree:
        """The tree over all entries."""
        return SqlTree(self.engine.connect)

    @abstractmethod
    def append_batch(self, batch: Batch) -> None:
        """Store a batch durably, or raise one of the closed set of outcomes."""

    @abstractmethod
    def probe(self) -> None:
        """Make a write that changes nothing, or raise why nothing can be written."""

    def entries_of(self, commands: Sequence[CommandId]) -> Sequence[Entry]:
        """Return the entries of those commands that were carried out already."""
        query = select(*COLUMNS).where(ENTRIES.c.command.in_(commands))
        with self.engine.connect() as connection:
            return [entry_of(row) for row in connection.execute(query)]

    def tails(self, heads: Mapping[StreamId, int], most: int | None = None) -> Iterable[Entry]:
        """Return the entries of each of these streams after a version, in order; at most ``most`` of each."""
        for stream, version in heads.items():
            with self.engine.connect() as connection:
                entries = list(SqlPicture(connection).tails({stream: version}, most))
            yield from entries  # no connection stays open if the caller stops here

    def part(self, stream: StreamId, after: int, until: int) -> Iterable[Entry]:
        """Return the entries of a stream after a version and up to another, in order; no others are read."""
        with self.engine.connect() as connection:
            return list(SqlPicture(connection).part(stream, after, until))

    def heads(self) -> Mapping[StreamId, Head]:
        """Return the end of every stream."""
        with self.engine.connect() as connection:
            return SqlPicture(connection).heads()

    def head(self, stream: StreamId) -> Head:
        """Return the end of a stream."""
        with self.engine.connect() as connection:
            return SqlPicture(connection).head(stream)

    def everything(self, after: Place = START) -> Iterator[tuple[Place, Entry]]:
        """Yield every entry with its place, in the order of places, after one.

        Pages grow, because most callers want the next few entries and nothing more.
        """
        size = FIRST_PAGE
        while True:
            with self.engine.connect() as connection:
                rows = connection.execute(self._page(after, size)).all()
            for transaction, position, *rest in rows:
                after = (transaction, position)
                yield after, entry_of(rest)
            if len(rows) < size:
                return
            size = min(PAGE, 4 * size)

    def _page(self, after: Place, size: int) -> Any:  # noqa: ANN401 - a statement of SQLAlchemy's
        place = ENTRIES.c.transaction, ENTRIES.c.position
        query = select(*place, *COLUMNS).where(ENTRIES.c.position > after[1])
        return query.order_by(ENTRIES.c.position).limit(size)

    def snapshots(self, streams: Sequence[StreamId]) -> Mapping[StreamId, Snapshot]:
        """Return the last snapshots of streams."""
        with self.engine.connect() as connection:
            return SqlPicture(connection).snapshots(streams)

    def snapshot_at(self, stream: StreamId, version: int) -> Snapshot | None:
        """Return the last snapshot of a stream at a version or before it, if there is one."""
        with self.engine.connect() as connection:
            return SqlPicture(connection).snapshot_at(stream, version)

    def sealed_decks(self, stream: StreamId) -> Mapping[str, bytes]:
        """Return the sealed decks of a stream, by what they commit to."""
        query = select(SEALED.c.commitment, SEALED.c.sealed).where(SEALED.c.stream == stream)
        with self.engine.connect() as connection:
            return {commitment: bytes(sealed) for commitment, sealed in connection.execute(query)}

    def checkpoints(self) -> Sequence[Checkpoint]:
        """Return every checkpoint, in order."""
        with self.engine.connect() as connection:
            return SqlPicture(connection).checkpoints()

    @abstractmethod
    def apart(self) -> AbstractContextManager[Connection]:
        """Give a connection of its own that only reads, all of it as it stands at one moment."""

    @contextmanager
    def picture(self) -> Iterator[Picture]:
        """Return all that the store holds at one moment, without blocking writers."""
        with self.apart() as connection:
            yield SqlPicture(connection)

    @abstractmethod
    def fill(self, parts: Iterable[Batch], check: Check = accept_all) -> None:
        """Store the contents of another store: all of it or nothing, and only while this one is empty."""

    def close(self) -> None:
        """Close the connections to the database."""
        self.engine.dispose()

"""The tables of a store, for SQLite and PostgreSQL alike; migrations bring an older database up to them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    TypeDecorator,
    UniqueConstraint,
    text,
)

METADATA: Final = MetaData()
POSITION: Final = BigInteger().with_variant(Integer, "sqlite")
"""SQLite counts rows by itself only in a plain integer key."""


class Utc(TypeDecorator[datetime]):
    """A moment in universal time: SQLite keeps no zone, PostgreSQL gives it back in the server's."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _: Any) -> datetime | None:  # noqa: ANN401
        """Write a moment."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _: Any) -> datetime | None:  # noqa: ANN401
        """Read a moment."""
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


ENTRIES: Final = Table(
    "entries",
    METADATA,
    Column("position", POSITION, primary_key=True, autoincrement=True),
    Column("transaction", BigInteger, nullable=False, server_default=text("0")),
    Column("stream", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("command", String, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    UniqueConstraint("stream", "version", name="entries_stream_version"),
    Index("entries_command", "command", unique=True),
    Index("entries_transaction", "transaction", "position"),
)
"""One row for each command, and for each meter that it moved; no two have the same name.

Positions are handed out before a commit, so that a later one may be seen first: readers of everything go by
the transaction, which PostgreSQL fills in, and never beyond one that may still be open.
"""

SNAPSHOTS: Final = Table(
    "snapshots",
    METADATA,
    Column("stream", String, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("hash", LargeBinary, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("mac", LargeBinary, nullable=False, server_default=text("''")),
)
"""Streams as they stood at some versions: a way to open them soon, never the record itself.

The code of each is made with the floor's key: one written without it is not used.
"""

CHECKPOINTS: Final = Table(
    "checkpoints",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
)
"""The heads of all streams from time to time, each chained to the one before it."""

LEAVES: Final = Table(
    "leaves",
    METADATA,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("stream", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("salt", LargeBinary, nullable=False),
    Column("parts", LargeBinary, nullable=False),
    UniqueConstraint("stream", "version", name="leaves_stream_version"),
)
"""Which entry is which leaf of the tree over all entries: the order in which they came to it."""

TILES: Final = Table(
    "tiles",
    METADATA,
    Column("level", Integer, primary_key=True, autoincrement=False),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("hashes", LargeBinary, nullable=False),
)
"""The hashes of that tree's nodes, 256 in a row, for every eighth level: what follows from its leaves."""

SIGNED_HEADS: Final = Table(
    "signed_heads",
    METADATA,
    Column("size", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Utc, nullable=False),
    Column("note", LargeBinary, nullable=False),
)
"""The tree as it was signed from time to time: small notes that stand by themselves."""

SEALED: Final = Table(
    "sealed_decks",
    METADATA,
    Column("stream", String, nullable=False),
    Column("commitment", String, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    PrimaryKeyConstraint("stream", "commitment"),
)
"""Orders of decks and their nonces, encrypted, until their rounds are over."""

SESSIONS: Final = Table(
    "sessions",
    METADATA,
    Column("token", LargeBinary, primary_key=True),
    Column("person", String, nullable=False),
    Column("role", String, nullable=False),
    Column("csrf", String, nullable=False),
    Column("begun", Utc, nullable=False),
    Column("seen", Utc, nullable=False),
    Column("ends", Utc, nullable=False),
    Column("address", String, nullable=False),
    Column("proved", Utc, nullable=False),
    Column("browser", LargeBinary, nullable=False),
    Index("sessions_person", "person"),
    Index("sessions_ends", "ends"),
)
"""Who is signed in, by the hash of what only their client knows; no part of the record, nor of a backup."""

TRIES: Final = Table(
    "tries",
    METADATA,
    Column("key", LargeBinary, primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("last", Utc, nullable=False),
    Column("proved", Boolean, nullable=False),
    Index("tries_last", "proved", "last"),
)
"""Tries to sign in that failed, by a keyed hash of what they are counted by; no part of the record."""

FACTORS: Final = Table(
    "factors",
    METADATA,
    Column("person", String, primary_key=True),
    Column("step", BigInteger, nullable=False),
    Column("pending", String, nullable=False),
    Column("begun", Utc, nullable=True),
)
"""The last code that each person has used, and a second factor not yet confirmed, encrypted; no record."""

"""The tables of a store, for SQLite and PostgreSQL alike; migrations bring an older database up to them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    UniqueConstraint,
    text,
)

METADATA: Final = MetaData()
POSITION: Final = BigInteger().with_variant(Integer, "sqlite")
"""SQLite counts rows by itself only in a plain integer key."""

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
    UniqueConstraint("command", "stream", name="entries_command_stream"),
    Index("entries_transaction", "transaction", "position"),
)
"""One row for each command and stream.

Positions are handed out before a commit, so that a later one may be seen first: readers of everything go by
the transaction, which PostgreSQL fills in, and never beyond one that may still be open.
"""

SNAPSHOTS: Final = Table(
    "snapshots",
    METADATA,
    Column("stream", String, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("body", LargeBinary, nullable=False),
)
"""The last snapshot of each stream: a way to open it soon, never the record itself."""

CHECKPOINTS: Final = Table(
    "checkpoints",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
)
"""The heads of all streams from time to time, each chained to the one before it."""

SEALED: Final = Table(
    "sealed_decks",
    METADATA,
    Column("stream", String, nullable=False),
    Column("commitment", String, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    PrimaryKeyConstraint("stream", "commitment"),
)
"""Orders of decks and their nonces, encrypted, until their rounds are over."""

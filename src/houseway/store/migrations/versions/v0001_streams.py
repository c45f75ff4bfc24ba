"""Streams, snapshots, checkpoints and sealed decks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_POSITION = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables of the first version."""
    postgres = op.get_bind().dialect.name == "postgresql"
    transaction = "(pg_current_xact_id()::text::bigint)" if postgres else "0"
    op.create_table(
        "entries",
        sa.Column("position", _POSITION, primary_key=True, autoincrement=True),
        sa.Column("transaction", sa.BigInteger, nullable=False, server_default=sa.text(transaction)),
        sa.Column("stream", sa.String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("command", sa.String, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("stream", "version", name="entries_stream_version"),
        sa.UniqueConstraint("command", "stream", name="entries_command_stream"),
    )
    op.create_index("entries_transaction", "entries", ["transaction", "position"])
    op.create_table(
        "snapshots",
        sa.Column("stream", sa.String, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "checkpoints",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "sealed_decks",
        sa.Column("stream", sa.String, nullable=False),
        sa.Column("commitment", sa.String, nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("stream", "commitment"),
    )

"""Entries that read models could not take, and snapshots of a stream beside each other, by their versions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table of parked entries, empty; keep every snapshot from now on."""
    op.create_table(
        "parked_entries",
        sa.Column("model", sa.String, primary_key=True),
        sa.Column("transaction", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("stream", sa.String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("why", sa.String, nullable=False),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.drop_constraint("snapshots_pkey", "snapshots")
        op.create_primary_key("snapshots_pkey", "snapshots", ["stream", "version"])
    else:
        _snapshots_anew()


def _snapshots_anew() -> None:
    """SQLite gives no table another key: the snapshots go to a new one."""
    op.rename_table("snapshots", "snapshots_before")
    op.create_table(
        "snapshots",
        sa.Column("stream", sa.String, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.execute("INSERT INTO snapshots SELECT stream, version, hash, body FROM snapshots_before")
    op.drop_table("snapshots_before")

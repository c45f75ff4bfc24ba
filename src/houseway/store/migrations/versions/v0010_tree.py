"""The tree over all entries: its leaves, its tiles and its signed heads."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the tables; entries that are there already become leaves when the floor is served."""
    op.create_table(
        "leaves",
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("stream", sa.String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("salt", sa.LargeBinary, nullable=False),
        sa.Column("parts", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("stream", "version", name="leaves_stream_version"),
    )
    op.create_table(
        "tiles",
        sa.Column("level", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("hashes", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "signed_heads",
        sa.Column("size", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("note", sa.LargeBinary, nullable=False),
    )

"""Tries to sign in that failed, and the second factors of people, shared by all servers of a floor."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the tables of tries and of factors, empty."""
    op.create_table(
        "tries",
        sa.Column("key", sa.LargeBinary, primary_key=True),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("last", sa.DateTime(timezone=True), nullable=False),
        sa.Column("proved", sa.Boolean, nullable=False),
    )
    op.create_index("tries_last", "tries", ["proved", "last"])
    op.create_table(
        "factors",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("step", sa.BigInteger, nullable=False),
        sa.Column("pending", sa.String, nullable=False),
        sa.Column("begun", sa.DateTime(timezone=True), nullable=True),
    )

"""Who is signed in: sessions that all servers of a floor share."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table of sessions, empty."""
    op.create_table(
        "sessions",
        sa.Column("token", sa.LargeBinary, primary_key=True),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("csrf", sa.String, nullable=False),
        sa.Column("begun", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends", sa.DateTime(timezone=True), nullable=False),
        sa.Column("address", sa.String, nullable=False),
    )
    op.create_index("sessions_person", "sessions", ["person"])
    op.create_index("sessions_ends", "sessions", ["ends"])

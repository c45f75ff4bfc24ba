"""The lobby is read from the open tables: its read model, which nothing asked any more, is dropped."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

TABLES = ("lobby_tables", "lobby_seats", "lobby_meters", "lobby_links")


def upgrade() -> None:
    """Drop the tables of the lobby, and what was noted of its progress."""
    for table in TABLES:
        op.drop_table(table)
    for name in ("read_models", "parked_entries"):
        noted = sa.table(name, sa.column("model", sa.String))
        op.execute(noted.delete().where(noted.c.model == "lobby"))

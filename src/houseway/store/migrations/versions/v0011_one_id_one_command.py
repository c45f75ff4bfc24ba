"""A command's id is its own on the whole floor, and no longer only within one stream."""

from __future__ import annotations

from alembic import op

from houseway.store.command_index import make_command_index

revision = "0011"
down_revision = "0010"

BEFORE = "entries_command_stream"


def upgrade() -> None:
    """Put one key in the place of the other; SQLite writes the entries into a new table for that."""
    with op.batch_alter_table("entries") as entries:
        entries.drop_constraint(BEFORE, type_="unique")
    make_command_index(op.get_bind())

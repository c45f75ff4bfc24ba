"""When the person of a session last proved who they are, and over which session it was begun."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add both; a session that runs was proved when it began, and was begun over no other."""
    with op.batch_alter_table("sessions") as sessions:
        sessions.add_column(sa.Column("proved", sa.DateTime(timezone=True), nullable=True))
        sessions.add_column(sa.Column("browser", sa.LargeBinary, nullable=True))
    op.execute("UPDATE sessions SET proved = begun, browser = token")
    with op.batch_alter_table("sessions") as sessions:
        sessions.alter_column("proved", nullable=False)
        sessions.alter_column("browser", nullable=False)

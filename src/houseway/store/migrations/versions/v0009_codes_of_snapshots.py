"""Each snapshot has a code made with the floor's key; those of earlier programs have none."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the code: what has none is folded again and not believed."""
    with op.batch_alter_table("snapshots") as snapshots:
        snapshots.add_column(sa.Column("mac", sa.LargeBinary, nullable=False, server_default=sa.text("''")))

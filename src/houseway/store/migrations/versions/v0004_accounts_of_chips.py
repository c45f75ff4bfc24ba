"""What accounting keeps of chips and of meters that were read; its rows are made again from the log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add what chips come to on a gaming day, and a table of readings, empty."""
    for name in ("dropped", "cashed", "filled", "credited", "variance"):
        column = sa.Column(name, sa.BigInteger, nullable=False, server_default="0")
        op.add_column("account_tables", column)
    op.create_table(
        "account_readings",
        sa.Column("meter", sa.String, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("shown", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("expected", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("explained", sa.String, nullable=False),
    )
    op.create_index("account_readings_day", "account_readings", ["day"])

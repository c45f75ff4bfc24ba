"""The tables of the read models: lobby, rounds, search and accounting; they are filled from the log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables of the read models, empty."""
    _progress()
    _lobby()
    _rounds()
    _search()
    _accounting()


def _text(*names: str, key: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.String, primary_key=key, nullable=False) for name in names]


def _whole(*names: str, key: bool = False) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer, primary_key=key, nullable=False) for name in names]


def _amounts(*names: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger, nullable=False, server_default="0") for name in names]


def _counts(*names: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer, nullable=False, server_default="0") for name in names]


def _moments(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.DateTime(timezone=True), nullable=False) for name in names]


def _progress() -> None:
    op.create_table(
        "read_models",
        *_text("model", key=True),
        *_whole("version"),
        *_text("settings"),
        sa.Column("transaction", sa.BigInteger, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "folded_tables",
        *_text("table_id", key=True),
        *_whole("version"),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )


def _lobby() -> None:
    op.create_table(
        "lobby_tables",
        *_text("table_id", key=True),
        *_text("game", "submission", "phase"),
        *_whole("positions"),
        sa.Column("least", sa.Integer),
        sa.Column("most", sa.Integer),
        sa.Column("meter", sa.String),
        *_whole("rounds"),
        *_moments("active"),
        *_whole("version"),
    )
    op.create_table(
        "lobby_seats",
        *_text("table_id", key=True),
        *_whole("position", key=True),
        *_text("person", "name"),
    )
    op.create_table("lobby_meters", *_text("meter", key=True), *_amounts("value"))
    op.create_table("lobby_links", *_text("meter", "table_id", key=True), *_text("reason"))


def _rounds() -> None:
    op.create_table(
        "rounds",
        *_text("table_id", key=True),
        *_whole("round", key=True),
        *_text("game", "submission"),
        *_moments("began", "ended"),
        *_text("dealer", "ending", "reason"),
        *_whole("first_version", "last_version"),
        *_amounts("wagered", "put_up", "returned", "fees", "house", "meters"),
    )
    op.create_index("rounds_ended", "rounds", ["ended", "table_id", "round"])
    op.create_table(
        "round_people",
        *_text("table_id", key=True),
        *_whole("round", key=True),
        *_text("person", key=True),
        *_moments("ended"),
        *_amounts("wagered", "put_up", "fees", "returned", "net"),
    )
    op.create_index("round_people_person", "round_people", ["person", "ended", "table_id", "round"])
    op.create_table(
        "round_wagers",
        *_text("table_id", key=True),
        *_whole("round", "position", key=True),
        *_text("person", "wager", key=True),
        *_amounts("wagered", "returned"),
    )


def _search() -> None:
    op.create_table(
        "search_people",
        *_text("table_id", key=True),
        *_whole("round", key=True),
        *_text("person", key=True),
        *_moments("ended"),
        sa.Column("largest", sa.BigInteger, nullable=False),
    )
    op.create_index("search_people_person", "search_people", ["person", "ended", "table_id", "round"])
    op.create_index("search_people_largest", "search_people", ["largest", "table_id", "round"])
    op.create_table(
        "search_cards",
        *_text("table_id", key=True),
        *_whole("round", "position", key=True),
        *_text("card", key=True),
        *_moments("ended"),
        *_text("person"),
    )
    op.create_index("search_cards_card", "search_cards", ["card", "ended", "table_id", "round"])
    op.create_index("search_cards_person", "search_cards", ["card", "person", "ended", "table_id", "round"])
    for table, name in (("search_clauses", "clause"), ("search_steps", "step")):
        op.create_table(
            table,
            *_text("table_id", key=True),
            *_whole("round", key=True),
            *_text(name, key=True),
            *_moments("ended"),
        )
        op.create_index(f"{table}_{name}", table, [name, "ended", "table_id", "round"])


def _accounting() -> None:
    op.create_table(
        "account_tables",
        *_text("table_id", key=True),
        sa.Column("day", sa.Date, primary_key=True),
        *_counts("rounds", "voids"),
        *_amounts("handle", "win", "fees", "contributed", "awarded", "seeded", "adjusted"),
    )
    op.create_index("account_tables_day", "account_tables", ["day"])
    op.create_table(
        "account_wagers",
        *_text("table_id", key=True),
        sa.Column("day", sa.Date, primary_key=True),
        *_text("wager", key=True),
        *_amounts("handle", "win"),
    )
    op.create_table(
        "account_meters",
        *_text("meter", key=True),
        sa.Column("day", sa.Date, primary_key=True),
        *_amounts("opened", "contributed", "reserved", "seeded", "paid", "taken_back", "adjusted"),
        *_counts("wins"),
    )
    op.create_index("account_meters_day", "account_meters", ["day"])

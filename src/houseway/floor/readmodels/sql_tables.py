"""The tables of the read models; a migration makes them, and a rebuild fills them from the log alone.

Money is counted in the ledger's units, ten-thousandths of a cent, except limits, which are cents.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    Date,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
)

from houseway.store.schema import Utc

METADATA: Final = MetaData()


def _key(*names: str) -> list[Column[Any]]:
    numbers = ("round", "position")
    return [Column(name, Integer if name in numbers else String, primary_key=True) for name in names]


def _amounts(*names: str) -> list[Column[Any]]:
    return [Column(name, BigInteger, nullable=False, server_default="0") for name in names]


def _counts(*names: str) -> list[Column[Any]]:
    return [Column(name, Integer, nullable=False, server_default="0") for name in names]


# --- how far each model is ----------------------------------------------------------------------------

READ_MODELS: Final = Table(
    "read_models",
    METADATA,
    *_key("model"),
    Column("version", Integer, nullable=False),
    Column("settings", String, nullable=False),
    Column("transaction", BigInteger, nullable=False),
    Column("position", BigInteger, nullable=False),
)
"""The place of the last entry that each model has applied, and the version that wrote its rows."""

PARKED: Final = Table(
    "parked_entries",
    METADATA,
    *_key("model"),
    Column("transaction", BigInteger, primary_key=True, autoincrement=False),
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("stream", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("why", String, nullable=False),
)
"""The entries that a model could not take, and why: they are not in its rows."""

FOLDED: Final = Table(
    "folded_tables",
    METADATA,
    *_key("table_id"),
    Column("version", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
)
"""Tables between two rounds, folded so far: a way to go on soon after a start, never a record."""

# --- rounds that are over -----------------------------------------------------------------------------

ROUNDS: Final = Table(
    "rounds",
    METADATA,
    *_key("table_id", "round"),
    Column("game", String, nullable=False),
    Column("submission", String, nullable=False),
    Column("began", Utc, nullable=False),
    Column("ended", Utc, nullable=False),
    Column("dealer", String, nullable=False),
    Column("ending", String, nullable=False),
    Column("reason", String, nullable=False),
    Column("first_version", Integer, nullable=False),
    Column("last_version", Integer, nullable=False),
    *_amounts("wagered", "put_up", "returned", "fees", "house", "meters"),
    Index("rounds_ended", "ended", "table_id", "round"),
)
ROUND_PEOPLE: Final = Table(
    "round_people",
    METADATA,
    *_key("table_id", "round", "person"),
    Column("ended", Utc, nullable=False),
    *_amounts("wagered", "put_up", "fees", "returned", "net"),
    Index("round_people_person", "person", "ended", "table_id", "round"),
)
ROUND_WAGERS: Final = Table(
    "round_wagers",
    METADATA,
    *_key("table_id", "round", "position", "person", "wager"),
    *_amounts("wagered", "returned"),
)

# --- what rounds are found by -------------------------------------------------------------------------
# Each row has the moment at which its round ended, so that an index gives the latest rounds first.

SEARCH_PEOPLE: Final = Table(
    "search_people",
    METADATA,
    *_key("table_id", "round", "person"),
    Column("ended", Utc, nullable=False),
    Column("largest", BigInteger, nullable=False),
    Index("search_people_person", "person", "ended", "table_id", "round"),
    Index("search_people_largest", "largest", "table_id", "round"),
)
"""The people who acted or had money in a round, and the largest single amount each wagered or got."""

SEARCH_CARDS: Final = Table(
    "search_cards",
    METADATA,
    *_key("table_id", "round", "position", "card"),
    Column("ended", Utc, nullable=False),
    Column("person", String, nullable=False),
    Index("search_cards_card", "card", "ended", "table_id", "round"),
    Index("search_cards_person", "card", "person", "ended", "table_id", "round"),
)
SEARCH_CLAUSES: Final = Table(
    "search_clauses",
    METADATA,
    *_key("table_id", "round", "clause"),
    Column("ended", Utc, nullable=False),
    Index("search_clauses_clause", "clause", "ended", "table_id", "round"),
)
SEARCH_STEPS: Final = Table(
    "search_steps",
    METADATA,
    *_key("table_id", "round", "step"),
    Column("ended", Utc, nullable=False),
    Index("search_steps_step", "step", "ended", "table_id", "round"),
)

# --- accounting ---------------------------------------------------------------------------------------

ACCOUNT_TABLES: Final = Table(
    "account_tables",
    METADATA,
    *_key("table_id"),
    Column("day", Date, primary_key=True),
    *_counts("rounds", "voids"),
    *_amounts("handle", "win", "fees", "contributed", "awarded", "seeded", "adjusted"),
    *_amounts("dropped", "cashed", "filled", "credited", "variance"),
    Index("account_tables_day", "day"),
)
ACCOUNT_WAGERS: Final = Table(
    "account_wagers",
    METADATA,
    *_key("table_id"),
    Column("day", Date, primary_key=True),
    *_key("wager"),
    *_amounts("handle", "win"),
)
ACCOUNT_METERS: Final = Table(
    "account_meters",
    METADATA,
    *_key("meter"),
    Column("day", Date, primary_key=True),
    *_amounts("opened", "contributed", "reserved", "seeded", "paid", "taken_back", "adjusted"),
    *_counts("wins"),
    Index("account_meters_day", "day"),
)
ACCOUNT_READINGS: Final = Table(
    "account_readings",
    METADATA,
    *_key("meter"),
    Column("version", Integer, primary_key=True),
    Column("day", Date, nullable=False),
    Column("at", Utc, nullable=False),
    Column("person", String, nullable=False),
    *_amounts("shown", "expected"),
    Column("explained", String, nullable=False),
    Index("account_readings_day", "day"),
)
"""Meters that were read off their displays, by the versions of their streams."""

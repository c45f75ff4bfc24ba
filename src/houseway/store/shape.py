"""The shape of a database: the tables that this program makes, and no triggers, rules or views."""

from __future__ import annotations

from functools import cache
from typing import Final

from sqlalchemy import Connection, Inspector, create_engine, inspect, text
from sqlalchemy.pool import StaticPool

from houseway.errors import IllegalError
from houseway.store.protocol import Store
from houseway.store.sql import SqlStore, bring_up_to_date

_ACTING: Final = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')",
    "postgresql": (
        "SELECT tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
        " WHERE NOT tgisinternal AND c.relnamespace = current_schema()::regnamespace"
        " UNION SELECT rulename FROM pg_rules WHERE schemaname = current_schema()"
        " UNION SELECT viewname FROM pg_views WHERE schemaname = current_schema()"
    ),
}
"""The queries for triggers, rules and views, by the dialect."""
Shape = dict[str, frozenset[tuple[str, ...]]]


class OtherShapeError(IllegalError):
    """A database whose tables are not those that this program makes."""


def check_shape(connection: Connection) -> None:
    """Refuse a database that has triggers, rules or views, or whose tables lack a part.

    Additional tables are allowed; a missing column, key or constraint is refused.
    """
    for name in sorted(connection.scalars(text(_ACTING[connection.dialect.name]))):
        raise OtherShapeError(
            "the database has a trigger, a rule or a view that this program did not make", value=name
        )
    inspector = inspect(connection)
    there = set(inspector.get_table_names())
    for table, parts in _expected().items():
        if table not in there:
            raise OtherShapeError("a table is missing", value=table)
        for part in sorted(parts - _parts(inspector, table)):
            raise OtherShapeError(f"the table has lost its {' '.join(part)}", value=table)


def check_shape_of(store: Store) -> None:
    """Refuse a store whose database has another shape; one in memory has none."""
    if isinstance(store, SqlStore):
        with store.apart() as connection:
            check_shape(connection)


@cache
def _expected() -> Shape:
    """Return the tables that this program makes, with their columns, keys and constraints."""
    engine = create_engine("sqlite://", poolclass=StaticPool, isolation_level="AUTOCOMMIT")
    bring_up_to_date(engine)
    inspector = inspect(engine)
    shape = {table: _parts(inspector, table) for table in inspector.get_table_names()}
    engine.dispose()
    return shape


def _parts(inspector: Inspector, table: str) -> frozenset[tuple[str, ...]]:
    columns = {("column", str(column["name"])) for column in inspector.get_columns(table)}
    key = ("key", *inspector.get_pk_constraint(table)["constrained_columns"])
    unique = {
        ("constraint", *sorted(constraint["column_names"]))
        for constraint in inspector.get_unique_constraints(table)
    }
    indexes = {("index", str(index["name"])) for index in inspector.get_indexes(table) if index["unique"]}
    return frozenset({*columns, key, *unique, *indexes})

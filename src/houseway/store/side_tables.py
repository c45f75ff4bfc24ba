"""Tables beside the log, such as sessions: shared by all servers of a floor, and in no backup."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, Table
from sqlalchemy.dialects import postgresql, sqlite

from houseway.store.protocol import Store
from houseway.store.sql import SqlStore, in_memory


def side_engine(store: Store, *tables: Table) -> Engine:
    """Return the database in which tables lie beside a store's log: its own, or one in memory."""
    if isinstance(store, SqlStore):
        return store.engine
    alone = MetaData()
    for table in tables:
        table.to_metadata(alone)
    return in_memory(alone)


@contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    """Begin a transaction that is stored whole or not at all."""
    if engine.dialect.name == "postgresql":
        with engine.execution_options(isolation_level="READ COMMITTED").begin() as connection:
            yield connection
        return
    with engine.connect() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            connection.exec_driver_sql("ROLLBACK")
            raise
        connection.exec_driver_sql("COMMIT")


def insert_into(connection: Connection, table: Table) -> Any:  # noqa: ANN401 - a dialect's own statement
    """Return an insertion of the database's dialect, which can handle a row that is there already."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    return dialect.insert(table)

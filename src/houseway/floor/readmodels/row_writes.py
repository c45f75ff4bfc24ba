"""What a read model writes: rows put, amounts added, rows removed; and how a page of them is carried out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Table, and_, delete, update
from sqlalchemy.dialects import postgresql, sqlite

Values = Mapping[str, Any]


class Upsert(Struct, frozen=True):
    """A row by its key: some columns are put, to others is added what the row may hold already."""

    table: Table
    key: Values
    put: Values = {}
    add: Values = {}


class Remove(Struct, frozen=True):
    """Every row of a table whose columns are these."""

    table: Table
    where: Values


Write = Upsert | Remove


class Pending:
    """Writes gathered in order: all changes of one row are combined into one write."""

    def __init__(self) -> None:
        self._removes: dict[tuple[str, tuple[Any, ...]], Remove] = {}
        self._rows: dict[str, dict[tuple[Any, ...], Upsert]] = {}

    def gather(self, writes: Iterable[Write]) -> None:
        """Take writes that come after those gathered so far."""
        for write in writes:
            if isinstance(write, Upsert):
                self._upsert(write)
            else:
                self._remove(write)

    def _upsert(self, write: Upsert) -> None:
        rows = self._rows.setdefault(write.table.name, {})
        key = tuple(write.key[column.name] for column in write.table.primary_key)
        before = rows.get(key)
        if before is None:
            rows[key] = write
            return
        add = {**before.add}
        for name, amount in write.add.items():
            add[name] = add.get(name, 0) + amount
        rows[key] = Upsert(write.table, write.key, {**before.put, **write.put}, add)

    def _remove(self, write: Remove) -> None:
        """Forget what was gathered for the rows, so that all removals may be carried out first."""
        rows = self._rows.get(write.table.name, {})
        for key, row in list(rows.items()):
            if write.where.items() <= {**row.key, **row.put}.items():
                del rows[key]
        self._removes[write.table.name, tuple(sorted(write.where.items()))] = write

    def carry_out(self, connection: Connection) -> None:
        """Write everything, removals first."""
        for gone in self._removes.values():
            same = (gone.table.c[name] == value for name, value in gone.where.items())
            connection.execute(delete(gone.table).where(and_(*same)))
        for rows in self._rows.values():
            groups: dict[tuple[frozenset[str], frozenset[str]], list[Upsert]] = {}
            for key in sorted(rows):  # every writer goes by the same order, so that no two deadlock
                row = rows[key]
                groups.setdefault((frozenset(row.put), frozenset(row.add)), []).append(row)
            for group in groups.values():
                _upsert_all(connection, group)


def _upsert_all(connection: Connection, rows: list[Upsert]) -> None:
    """Write rows of one table that have the same columns."""
    first = rows[0]
    table, keys = first.table, list(first.table.primary_key)
    if not _required_columns(table) <= {*first.key, *first.put}:
        _change_all(connection, rows)
        return
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    inserted = dialect.insert(table)
    changes = {name: inserted.excluded[name] for name in first.put}
    changes |= {name: table.c[name] + inserted.excluded[name] for name in first.add}
    if changes:
        statement = inserted.on_conflict_do_update(index_elements=keys, set_=changes)
    else:
        statement = inserted.on_conflict_do_nothing(index_elements=keys)
    connection.execute(statement, [{**row.key, **row.put, **row.add} for row in rows])


def _required_columns(table: Table) -> set[str]:
    """Return the columns without which there is no row."""
    return {column.name for column in table.c if not column.nullable and column.server_default is None}


def _change_all(connection: Connection, rows: list[Upsert]) -> None:
    """Change rows that are there already: they do not have all that a new one needs."""
    for row in rows:
        table = row.table
        same = (table.c[name] == value for name, value in row.key.items())
        changes = {**row.put, **{name: table.c[name] + amount for name, amount in row.add.items()}}
        connection.execute(update(table).where(and_(*same)).values(changes))

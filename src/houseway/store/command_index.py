"""The unique index by which a database carries out a command once.

A command that comes to entries in several streams names each of them itself: a meter's entry is the command's
id with the number of its event.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, func, select

from houseway.store.entries import CommandId, StreamId
from houseway.store.schema import ENTRIES

KEY: Final = "entries_command"
"""The unique index over the commands of all entries."""


def drop_command_index(connection: Connection) -> None:
    """Drop the index, while the contents of another store are copied."""
    connection.exec_driver_sql(f"DROP INDEX {KEY}")


def make_command_index(connection: Connection) -> None:
    """Make the index over the entries there are, or raise that a stream has a command twice.

    Earlier programs let one id through at two tables at once. What they carried out stays on record, the
    second of the two without the key; nothing is ever added under its id again.
    """
    repeats = _repeats(connection)
    others = f" WHERE position NOT IN ({', '.join(map(str, repeats))})" if repeats else ""
    connection.exec_driver_sql(f"CREATE UNIQUE INDEX {KEY} ON entries (command){others}")
    if repeats:  # a key over a part answers no question about all
        connection.exec_driver_sql(f"CREATE INDEX {KEY}_all ON entries (command)")


def _repeats(connection: Connection) -> list[int]:
    """Return the positions of entries whose command was carried out in another stream before."""
    command = ENTRIES.c.command
    twice = select(command).group_by(command).having(func.count() > 1)
    query = select(ENTRIES.c.position, command, ENTRIES.c.stream).where(command.in_(twice))
    streams: dict[CommandId, set[StreamId]] = {}
    repeats = []
    for at, name, stream in connection.execute(query.order_by(ENTRIES.c.position)):
        before = streams.setdefault(name, set())
        if before and stream not in before:
            repeats.append(at)
        before.add(stream)
    return repeats

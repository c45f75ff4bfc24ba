"""Election of the server that drives a floor's tables: the one that holds a database lock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, Protocol

import psycopg

from houseway.errors import IllegalError
from houseway.floor.bus import NAME as BUS
from houseway.store.driver_errors import raise_store_errors
from houseway.store.postgres import PATIENCE
from houseway.store.postgres_url import name_of, plain_url
from houseway.store.store_url import POSTGRES

LOCK: Final = 7_460_303
"""The advisory lock of the server that drives the tables of a database."""
NAME: Final = "houseway driver"


class Leader(Protocol):
    """Tells whether this server is the one that drives."""

    def leads(self) -> bool:
        """Whether this server drives; it takes the lead if no other has it."""
        ...

    def close(self) -> None:
        """Give up the lead."""
        ...


class SoleLeader:
    """The leader of a floor that a single process serves."""

    def leads(self) -> bool:
        """True: there is no other server."""
        return True

    def close(self) -> None:
        """There is nothing to give up."""


@contextmanager
def lock_out_servers(url: str) -> Iterator[None]:
    """Keep servers of a PostgreSQL database from driving its tables; refuse if any server runs.

    A SQLite file is locked by the process that opens it.
    """
    served = url.startswith(POSTGRES) and _is_served(url)
    lead = PostgresLeader(plain_url(url)) if url.startswith(POSTGRES) else SoleLeader()
    try:
        if served or not lead.leads():
            raise IllegalError("the database is served: stop every server first", value=name_of(url))
        yield
    finally:
        lead.close()


def _is_served(url: str) -> bool:
    """Whether any server is connected to the database's bus, which each opens first of all."""
    query = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = %s"
    )
    with raise_store_errors(), psycopg.connect(plain_url(url), autocommit=True, **PATIENCE) as connection:
        (count,) = connection.execute(query, [BUS]).fetchone() or (0,)
    return bool(count)


class PostgresLeader:
    """A lead held by an advisory lock: the database frees it once the connection is gone."""

    def __init__(self, url: str, lock: int = LOCK) -> None:
        self._url, self._lock = url, lock
        self._connection: psycopg.Connection | None = None
        self._mine = False

    def leads(self) -> bool:
        """Whether the lock is held, checked on its own connection; it is taken if it is free."""
        try:
            if self._connection is None:
                self._connection = psycopg.connect(
                    self._url, autocommit=True, application_name=NAME, **PATIENCE
                )
            query = "SELECT 1" if self._mine else f"SELECT pg_try_advisory_lock({self._lock})::int"
            row = self._connection.execute(query).fetchone()
            self._mine = row == (1,)
        except psycopg.Error:
            self.close()
        return self._mine

    def close(self) -> None:
        """Release the lock and the connection."""
        if self._connection is not None:
            with suppress(psycopg.Error):  # a lost connection holds no lock
                if self._mine:
                    self._connection.execute(f"SELECT pg_advisory_unlock({self._lock})")
            self._connection.close()
        self._connection, self._mine = None, False

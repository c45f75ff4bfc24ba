"""One server of a floor drives its tables: whoever holds a lock of the database, until it lets go or dies."""

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
"""The advisory lock of whoever drives the tables of a database."""
NAME: Final = "houseway driver"


class Leading(Protocol):
    """Says whether this server is the one that drives."""

    def leads(self) -> bool:
        """Whether it is this one now; if nobody drives, it is from now on."""
        ...

    def close(self) -> None:
        """Let another one drive."""
        ...


class Alone:
    """For a floor that one process serves."""

    def leads(self) -> bool:
        """Nobody else could."""
        return True

    def close(self) -> None:
        """Hold nothing."""


@contextmanager
def alone_on(url: str) -> Iterator[None]:
    """Keep servers of a PostgreSQL database from driving its tables meanwhile, or say that it is served.

    A SQLite file is locked by whoever opens it.
    """
    served = url.startswith(POSTGRES) and _is_served(url)
    lead = PostgresLead(plain_url(url)) if url.startswith(POSTGRES) else Alone()
    try:
        if served or not lead.leads():
            raise IllegalError("the database is served: stop every server first", value=name_of(url))
        yield
    finally:
        lead.close()


def _is_served(url: str) -> bool:
    """Return whether a server has a bus to the database: each has one before it does anything."""
    asked = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = %s"
    )
    with raise_store_errors(), psycopg.connect(plain_url(url), autocommit=True, **PATIENCE) as connection:
        (count,) = connection.execute(asked, [BUS]).fetchone() or (0,)
    return bool(count)


class PostgresLead:
    """A lock that belongs to a connection: the database gives it to another server once that is gone."""

    def __init__(self, url: str, lock: int = LOCK) -> None:
        self._url, self._lock = url, lock
        self._connection: psycopg.Connection | None = None
        self._mine = False

    def leads(self) -> bool:
        """Whether the lock is held, asked on the connection that holds it; taken if it is free."""
        try:
            if self._connection is None:
                self._connection = psycopg.connect(
                    self._url, autocommit=True, application_name=NAME, **PATIENCE
                )
            asked = "SELECT 1" if self._mine else f"SELECT pg_try_advisory_lock({self._lock})::int"
            found = self._connection.execute(asked).fetchone()
            self._mine = found == (1,)
        except psycopg.Error:
            self.close()
        return self._mine

    def close(self) -> None:
        """Let go of the lock, and of the connection."""
        if self._connection is not None:
            with suppress(psycopg.Error):  # a connection that is gone holds no lock
                if self._mine:
                    self._connection.execute(f"SELECT pg_advisory_unlock({self._lock})")
            self._connection.close()
        self._connection, self._mine = None, False

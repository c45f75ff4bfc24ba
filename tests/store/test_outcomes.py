"""Whatever a driver raises comes to one of few outcomes, or is a mistake of the program."""

from __future__ import annotations

import sqlite3

import psycopg
import pytest
from psycopg import errors

from houseway.store.driver_errors import outcome_of
from houseway.store.store_errors import StaleError, StoreError, StoreGoneError, UnstorableError

RAISED: tuple[tuple[Exception, type[StoreError] | None], ...] = (
    (errors.UniqueViolation(), StaleError),
    (errors.DeadlockDetected(), StaleError),
    (errors.SerializationFailure(), StaleError),
    (errors.DiskFull(), StoreGoneError),
    (errors.TooManyConnections(), StoreGoneError),
    (errors.ReadOnlySqlTransaction(), StoreGoneError),
    (psycopg.OperationalError("the connection is lost"), StoreGoneError),
    (sqlite3.OperationalError("database is locked"), StoreGoneError),
    (sqlite3.ProgrammingError("Cannot operate on a closed database."), StoreGoneError),
    (sqlite3.ProgrammingError("Error binding parameter 1: type 'x' is not supported"), UnstorableError),
    (psycopg.ProgrammingError("cannot adapt type 'x'"), UnstorableError),
    (psycopg.DataError("a NUL"), UnstorableError),
    (sqlite3.IntegrityError("NOT NULL constraint failed"), UnstorableError),
    (OverflowError("too large for SQLite"), UnstorableError),
    (sqlite3.ProgrammingError("You can only execute one statement at a time."), None),
    (psycopg.ProgrammingError("the cursor is closed"), None),
    (errors.UndefinedTable("no such table"), None),
)


@pytest.mark.parametrize(("raised", "outcome"), RAISED, ids=lambda one: getattr(one, "__name__", repr(one)))
def test_what_a_driver_raises_comes_to_few_outcomes(
    raised: Exception, outcome: type[StoreError] | None
) -> None:
    found = outcome_of(raised)
    assert (type(found) if found is not None else None) is outcome
    assert found is None or str(raised) == "" or str(raised) not in str(found), "its message is not repeated"


def test_a_statement_that_means_nothing_is_a_mistake_of_the_program() -> None:
    with pytest.raises(sqlite3.OperationalError) as mistake:
        sqlite3.connect(":memory:").execute("SELECT nonsense")
    assert outcome_of(mistake.value) is None

"""Errors of database drivers translated into the closed set of ``store_errors``.

Messages of drivers may repeat what was stored, so only the kind of an error is passed on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
from psycopg import errors
from sqlalchemy import Engine, ExceptionContext, event
from sqlalchemy.exc import DBAPIError, DisconnectionError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from houseway.store.store_errors import StaleError, StoreError, StoreGoneError, UnstorableError

_FIRST: Final = (errors.UniqueViolation, errors.DeadlockDetected, errors.SerializationFailure)
"""Another process was first."""
_FULL: Final = "53"
"""The class of PostgreSQL's codes for a server without memory, disk or connections."""
_UNSTORABLE: Final = (
    psycopg.DataError,
    psycopg.IntegrityError,
    sqlite3.DataError,
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    OverflowError,
    UnicodeError,
)
_GONE: Final = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    psycopg.InternalError,
    errors.ReadOnlySqlTransaction,
    sqlite3.OperationalError,
    sqlite3.DatabaseError,
    DisconnectionError,
    PoolTimeoutError,
    OSError,
)
DRIVER_ERRORS: Final = (psycopg.Error, sqlite3.Error, SQLAlchemyError, OverflowError, UnicodeError, OSError)
"""The errors of drivers, and those of values that a driver cannot write."""


def outcome_of(error: Exception) -> StoreError | None:  # noqa: PLR0911 - one for each outcome
    """Return the error of the closed set for a driver's, or None if it is a mistake of this program."""
    cause = error.orig if isinstance(error, DBAPIError) and isinstance(error.orig, Exception) else error
    if isinstance(cause, _FIRST):
        return StaleError("the command is carried out already, or the stream has gone on")
    if (getattr(cause, "sqlstate", None) or "").startswith(_FULL):
        return StoreGoneError("the database takes nothing now", value=_kind(cause))
    if getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
        return None  # a statement that means nothing
    if isinstance(cause, sqlite3.ProgrammingError | psycopg.ProgrammingError) and not _passes(cause):
        return None
    if isinstance(cause, _UNSTORABLE) or _binds(cause):
        return UnstorableError("the database cannot hold this", value=_kind(cause))
    if isinstance(cause, _GONE):
        return StoreGoneError("the database does not answer", value=_kind(cause))
    return None


def _passes(error: Exception) -> bool:
    """Whether it is about a value or a connection, and no mistake of this program."""
    return _binds(error) or (isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error))


def _binds(error: Exception) -> bool:
    """Whether a value could not be bound to a statement."""
    wrong = isinstance(error, sqlite3.ProgrammingError | psycopg.ProgrammingError)
    return wrong and ("binding" in str(error) or "adapt" in str(error))


def _kind(error: Exception) -> str:
    """Return what a driver calls an error, without what it says: that may repeat what was stored."""
    code = getattr(error, "sqlstate", None) or getattr(error, "sqlite_errorname", None)
    return f"{type(error).__name__} {code}" if code else type(error).__name__


@contextmanager
def raise_store_errors() -> Iterator[None]:
    """Raise an error of the closed set in place of a driver's."""
    try:
        yield
    except StoreError:
        raise
    except DRIVER_ERRORS as error:
        outcome = outcome_of(error)
        if outcome is None:
            raise
        raise outcome from error


def translate_errors(engine: Engine) -> Engine:
    """Have an engine raise errors of the closed set in place of its driver's; return the engine."""

    @event.listens_for(engine, "handle_error")
    def translate(context: ExceptionContext) -> None:
        if context.is_pre_ping:
            return  # the pool makes a connection again that was lost
        error = context.sqlalchemy_exception or context.original_exception
        if isinstance(error, DRIVER_ERRORS) and (outcome := outcome_of(error)) is not None:
            raise outcome from error

    return engine

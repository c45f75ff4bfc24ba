"""Entries that a read model could not take: each is parked by itself, and everything else goes on.

The log is never changed, so what it says may have been written by a program that refused less than this one.
A parked entry is missing from the rows of its model until the model is rebuilt and can take it.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from sqlalchemy import Connection, func, select
from sqlalchemy.exc import DBAPIError, StatementError

from houseway.errors import HousewayError, shortened
from houseway.floor.readmodels.row_writes import Upsert
from houseway.floor.readmodels.sql_tables import PARKED
from houseway.store.entries import Entry, StreamId
from houseway.store.protocol import Place
from houseway.store.store_errors import StoreError, UnstorableError

SHOWN: Final = 20
"""How many parked entries of a model are shown; the others are counted."""
LONGEST_REASON: Final = 300
_OF_ENTRIES: Final = (
    HousewayError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    AssertionError,
    ArithmeticError,
    RecursionError,
    StatementError,
)
"""What folding an entry raises, or writing its rows, if the entry is at fault."""


class ParkedEntry(Struct, frozen=True, kw_only=True):
    """An entry that a model could not take, and why."""

    model: str
    place: Place
    stream: StreamId
    version: int
    why: str

    def __str__(self) -> str:
        return f"{self.stream} version {self.version}: {self.why}"


class ParkedEntries(Struct, frozen=True, kw_only=True):
    """How many entries a model could not take, and the first of them."""

    model: str
    count: int
    first: tuple[ParkedEntry, ...]


def is_fault_of_entry(error: BaseException) -> bool:
    """Whether an entry is at fault, so that it would fail again: not the connection, the disk or the lock."""
    if isinstance(error, StoreError):
        return isinstance(error, UnstorableError)
    if isinstance(error, DBAPIError):  # what no store translates: a statement that means nothing
        return False
    return isinstance(error, _OF_ENTRIES)


def reason_of(error: BaseException) -> str:
    """Return why an entry could not be taken, as one line that any database stores."""
    cause = getattr(error, "orig", None) or error
    return shortened(str(cause) or type(cause).__name__, LONGEST_REASON)


def park(model: str, place: Place, entry: Entry, why: str) -> Upsert:
    """Return what notes an entry as parked."""
    key = {"model": model, "transaction": place[0], "position": place[1]}
    return Upsert(PARKED, key, {"stream": entry.stream, "version": entry.version, "why": why})


def parked_entries(
    connection: Connection, model: str | None = None, most: int | None = None
) -> list[ParkedEntry]:
    """Return parked entries, of one model or all, model by model in the order of the log."""
    query = select(PARKED).order_by(*PARKED.primary_key).limit(most)
    if model is not None:
        query = query.where(PARKED.c.model == model)
    return [
        ParkedEntry(
            model=row.model,
            place=(row.transaction, row.position),
            stream=row.stream,
            version=row.version,
            why=row.why,
        )
        for row in connection.execute(query)
    ]


def parked_by_model(connection: Connection, most: int = SHOWN) -> list[ParkedEntries]:
    """Return for each model that lacks entries how many those are, and the first few."""
    counts = select(PARKED.c.model, func.count()).group_by(PARKED.c.model).order_by(PARKED.c.model)
    return [
        ParkedEntries(model=model, count=count, first=tuple(parked_entries(connection, model, most)))
        for model, count in connection.execute(counts).all()
    ]

"""Entries that read models cannot take are parked one by one; nothing else is left out, and none for ever."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError
from typer.testing import CliRunner

from houseway.cli.app import app
from houseway.floor.bodies import write_body
from houseway.floor.meter_events import MeterRead
from houseway.floor.readmodels import Accounting, ReadModels, Rounds, Search
from houseway.floor.readmodels.row_writes import Write
from houseway.floor.readmodels.table_fold import FoldedEntry
from houseway.floor.streams import meter_stream
from houseway.money import Cents
from houseway.store.entries import EMPTY, Entry, next_entry
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Batch, Point, Store
from houseway.store.sqlite import SqliteStore
from houseway.store.store_errors import OutcomeUnknownError, StoreGoneError, UnstorableError
from tests.floor.logs import advance, written_anew
from tests.floor.support import MAX, NOON, new_floor, two_tables
from tests.store.support import KINDS, new_store

TOO_MUCH = Cents(9_007_199_254_740_992)
BROKEN = 20
"""The version of t1's stream that nobody can read."""


class Blind(Accounting):
    """Accounting that looks at no readings, and so has no trouble with them."""

    def apply(self, seen: FoldedEntry) -> Iterator[Write]:
        return iter(()) if isinstance(seen.body, MeterRead) else super().apply(seen)


def rows(models: ReadModels) -> dict[str, list[Any]]:
    own = [table for model in models.models.values() for table in model.tables]
    with models.connect() as connection:
        return {
            table.name: list(map(tuple, connection.execute(select(table).order_by(*table.primary_key))))
            for table in own
        }


def add_reading(store: Store, shown: Cents) -> Entry:
    """Put a reading of the meter into the log as an older program did, which refused nothing of it."""
    stream = meter_stream("link")
    read = MeterRead(meter="link", shown=shown, expected=Cents(0), explained="", by=MAX, at=NOON)
    head = store.heads().get(stream, EMPTY)
    entry = next_entry(head, stream, f"{stream}/{head.version + 1}", write_body(read), b"")
    store.append_batch(Batch(entries=[entry]))
    return entry


def played(store: Store, bad: int = 1) -> list[Entry]:
    """Play at two tables, with some readings that no column holds; return those."""
    floor, readings = two_tables(new_floor(store)), []
    for _ in range(bad):
        advance(floor, 9)
        readings.append(add_reading(store, TOO_MUCH))
        floor.refresh()
    advance(floor, 15)
    return readings


@pytest.mark.parametrize("kind", KINDS)
def test_bad_entries_are_found_in_a_page_and_everything_else_is_applied_once(kind: str) -> None:
    with new_store(kind) as store:
        bad, models = played(store, 3), ReadModels(store)
        assert models.catch_up() == sum(head.version for head in store.heads().values())
        assert [(one.model, one.stream, one.version) for one in models.parked_entries()] == [
            ("accounting", entry.stream, entry.version) for entry in bad
        ]
        taken = rows(models)
        blind = ReadModels(store, [Rounds(), Search(), Blind(version=3)])
        blind.catch_up()
        assert rows(blind) == taken and not blind.parked_entries()
        assert ReadModels(store, [Accounting(version=4)]).catch_up()
        assert len(models.parked_entries()) == 3, "another version tries them again"


def unreadable(store: Store) -> Counting:
    """Return a log like another, in which one entry of t1 says nothing that anybody can read."""

    def change(entry: Entry, body: dict[str, Any]) -> bool:
        if (entry.stream, entry.version) == ("table/t1", BROKEN):
            body["value"] = {"nothing": "of the kind"}
        return False

    other = Counting()
    other.append_batch(Batch(entries=written_anew((entry for _, entry in store.everything()), change)))
    return other


class Counting(MemoryStore):
    """Counts how often the stream of a table is read from the store."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def tails(self, heads: Mapping[str, int], most: int | None = None) -> Iterable[Entry]:
        self.asked += heads
        return super().tails(heads, most)


def test_what_follows_in_a_stream_that_cannot_be_folded_is_parked_without_being_folded_again() -> None:
    floor = two_tables(new_floor(MemoryStore()))
    advance(floor, 40)
    store = unreadable(floor.store)
    models, last = ReadModels(store), store.heads()["table/t1"].version
    while models.catch_up(7):
        pass
    parked = [(one.model, one.version) for one in models.parked_entries() if one.stream == "table/t1"]
    every = range(BROKEN, last + 1)
    assert sorted(parked) == [(name, version) for name in sorted(models.models) for version in every]
    assert len(models.parked_entries()) == len(parked), "nothing of any other stream"
    assert store.asked.count("table/t1") <= 1
    store.asked.clear()
    models.rebuild("rounds")
    assert sorted((one.model, one.version) for one in models.parked_entries()) == sorted(parked)
    assert store.asked.count("table/t1") <= 1


def test_a_new_process_folds_such_a_table_once_and_no_more() -> None:
    floor = two_tables(new_floor(MemoryStore()))
    advance(floor, 40)
    store = unreadable(floor.store)
    engine = ReadModels(store).engine
    first = ReadModels(store)
    first.engine = engine
    first.catch_up(100)
    second = ReadModels(store)
    second.engine = engine
    store.asked.clear()
    while second.catch_up(7):
        pass
    assert store.asked.count("table/t1") <= 1
    assert len({(one.model, one.version) for one in second.parked_entries()}) == len(second.models) * (
        store.heads()["table/t1"].version - BROKEN + 1
    )


# --- what is no fault of an entry ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full")),
        StoreGoneError("the database cannot be reached"),
        OutcomeUnknownError("the connection was lost on the way"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_no_entry_is_parked_because_the_database_fails(error: Exception) -> None:
    store = MemoryStore()
    played(store)
    left = [error]

    def fail(point: Point) -> None:
        if point is Point.WRITTEN and left:
            raise left.pop()

    models = ReadModels(store, [Rounds()], at_point=fail)
    with pytest.raises(type(error)):
        models.catch_up()
    assert models.parked_entries() == [] and models.places()["rounds"].place == (0, 0)
    assert models.catch_up() and models.parked_entries() == []


def test_an_entry_that_the_database_refuses_is_parked() -> None:
    store = MemoryStore()
    (bad,) = played(store)

    class Refused(Accounting):
        def apply(self, seen: FoldedEntry) -> Iterator[Write]:
            if isinstance(seen.body, MeterRead):
                raise UnstorableError("the database takes everything but this")
            return super().apply(seen)

    models = ReadModels(store, [Refused()])
    models.catch_up()
    (parked,) = models.parked_entries()
    assert (parked.stream, parked.version) == (bad.stream, bad.version)


# --- taken in again -----------------------------------------------------------------------------------


def test_the_command_line_tells_what_is_missing_and_takes_it_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, run = tmp_path / "floor.db", CliRunner()
    store = SqliteStore(path)
    (bad,) = played(store)
    ReadModels(store).catch_up()
    store.close()
    for more in ([], ["--again", "accounting"]):
        told = run.invoke(app, ["read-models", str(path), *more])
        assert told.exit_code == 1 and f"accounting: meter/link version {bad.version}: " in told.output
    told = run.invoke(app, ["read-models", str(path), "--again", "gossip"])
    assert told.exit_code and "no such read model: 'gossip'" in str(told.exception)
    monkeypatch.setattr("houseway.floor.readmodels.runner.Accounting", Blind)  # a program that can take it in
    told = run.invoke(app, ["read-models", str(path), "--again", "all"])
    assert told.exit_code == 0 and told.output == "nothing is missing\n"
    store = SqliteStore(path)
    assert ReadModels(store).catch_up() == 0 and not ReadModels(store).parked_entries()
    store.close()

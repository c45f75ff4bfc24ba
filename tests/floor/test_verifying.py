"""A floor's log read from its beginning: tables, meters and books are what its entries come to."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import text

from houseway.floor.audit import RefoldError
from houseway.floor.floor_books import BooksError
from houseway.floor.meter_events import MeterAdjusted
from houseway.floor.running_table import RunningTable
from houseway.floor.shared_meters import SharedMeter, adjust_meter
from houseway.floor.verification import verify_floor, verify_since_checkpoint, verify_start
from houseway.ledger import units
from houseway.settlement import meter_terms
from houseway.store.entries import BrokenChainError, Entry
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Batch
from houseway.store.sql import SqlStore
from houseway.store.sqlite import SqliteStore
from houseway.store.store_copy import copy_store
from tests.floor.logs import advance, played, with_change
from tests.floor.support import EVA, MAX, new_floor, two_tables
from tests.store.support import DATABASES, KINDS, new_store


@pytest.fixture(scope="module")
def floor_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    """A floor that has played, and is read only by what is tested."""
    store = SqliteStore(tmp_path_factory.mktemp("log") / "floor.db")
    played(store)
    yield store
    store.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_floor_is_whole_wherever_its_rounds_are(kind: str) -> None:
    """Commands of two tables on one meter lie in one batch, whose streams are read in any order."""
    with new_store(kind) as store:
        floor = two_tables(new_floor(store))
        for times in (17, 5, 3, 20, 30):
            advance(floor, times)
            with store.picture() as picture:
                found = verify_floor(picture)
            rounds = sum(floor.table(name).table.rounds for name in floor.tables)
            assert (found.rounds, found.tables, found.meters, found.total) == (rounds, 2, 1, 0)
        assert rounds == 4 and found.log.streams == 4


def test_a_meter_adjusted_by_two_people_is_in_the_books() -> None:
    with new_store("memory") as store:
        floor = two_tables(new_floor(store))
        terms = meter_terms(floor.table("t1").rules, "link")
        for amount in (units(500), units(-200)):

            def adjusted(now: SharedMeter, at: datetime, amount: int = amount) -> MeterAdjusted:
                return adjust_meter(now, terms, MAX, EVA, amount, "audit", at)

            floor.on_meter("link", adjusted)
        advance(floor, 30)
        with store.picture() as picture:
            assert verify_floor(picture).total == 0


# --- what was never so, however well it is chained ----------------------------------------------------


def value(body: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = body["value"]
    return found


def meter_higher(entry: Entry, body: dict[str, Any]) -> bool:
    if (entry.stream, entry.version) == ("meter/link", 2):
        value(body)["after"]["value"] += 1
    return False


def contribution_higher(entry: Entry, body: dict[str, Any]) -> bool:
    """The meter and its movements agree; the table's event tells something else."""
    if entry.stream == "meter/link" and entry.version == 2:
        value(body)["moved"][0]["units"] += 1
        value(body)["after"]["value"] += 1
    if entry.stream == "meter/link" and entry.version > 2:
        value(body)["before"]["value"] += 1
        value(body)["after"]["value"] += 1
    return False


def last_move_gone(entry: Entry, _: dict[str, Any]) -> bool:
    return (entry.stream, entry.version) == ("meter/link", 4)


def moves_gone(entry: Entry, _: dict[str, Any]) -> bool:
    return entry.stream == "meter/link"


def payment_higher(entry: Entry, body: dict[str, Any]) -> bool:
    """Somebody gets more than lay on the layout."""
    for event in value(body).get("events", ()) if entry.stream == "table/t2" else ():
        for payment in (event.get("outcome") or {}).get("payments", ()):
            if payment["kind"] == "collect":
                payment["units"] += 1_000_000
                return False
    return False


def table_never_made(entry: Entry, body: dict[str, Any]) -> bool:
    return bool(body["kind"] == "table_made" and value(body)["table"] == "t2")


def turn_gone(entry: Entry, _: dict[str, Any]) -> bool:
    return entry.stream == "table/t1" and entry.version == 12


def nonsense(entry: Entry, body: dict[str, Any]) -> bool:
    if entry.stream == "table/t1" and entry.version == 9:
        body["value"] = {"nothing": "of the kind"}
    return False


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (meter_higher, "meter/link version 2: .*its history comes to"),
        (contribution_higher, "meter/link version 2: the meter's move is not that of event"),
        (last_move_gone, "no meter's stream has event"),
        (moves_gone, "table/t. version ..: no meter's stream has event"),
        (payment_higher, "table/t2 version ..: less than nothing"),
        (table_never_made, "table/t2 version 1: no such table was made"),
        (turn_gone, "table/t1 version 12: table t1, round 1, open_table"),
        (nonsense, "table/t1 version 9: .*not a turn"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_what_does_not_follow_is_named_by_stream_and_version(
    floor_file: SqliteStore, tmp_path: Path, change: Any, where: str
) -> None:
    path = with_change(floor_file, tmp_path / "floor.db", change)
    store = SqliteStore(path, read_only=True)
    with store.picture() as picture, pytest.raises(BooksError, match=where):
        verify_floor(picture)
    store.close()


def test_a_snapshot_that_is_not_the_table_is_found() -> None:
    with new_store("memory") as store:
        running = played(store).table("t1")
        (kept,) = store.snapshots([running.stream]).values()
        empty = RunningTable(running.rules, replace(running.table, seats={}), running.head)
        wrong = (
            replace(kept, body=empty.snapshot().body),
            replace(kept, body=running.snapshot().body),
            replace(kept, version=999),
        )
        for one in wrong:
            store.append_batch(Batch(snapshots=[one]))
            with (
                store.picture() as picture,
                pytest.raises(RefoldError, match="table/t1 version .*a snapshot is"),
            ):
                verify_floor(picture)


@pytest.mark.parametrize("kind", KINDS)
def test_every_snapshot_is_compared_and_not_only_the_last(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.floor.batches.SNAPSHOT_EVERY", 2)
    with new_store(kind) as store:
        floor = two_tables(new_floor(store))
        advance(floor, 30)
        running = floor.table("t1")
        first = store.snapshot_at(running.stream, 5)
        assert first is not None and first.version == 4
        meter = store.snapshot_at("meter/link", 1_000)
        assert meter is not None and meter.version % 2 == 0
        with store.picture() as picture:
            assert len(list(picture.every_snapshot())) > 10
            verify_floor(picture)
        for wrong in (replace(first, body=running.snapshot().body), replace(first, version=999)):
            store.append_batch(Batch(snapshots=[wrong]))
            where = f"table/t1 version {wrong.version}: a snapshot is"
            with store.picture() as picture, pytest.raises(RefoldError, match=where):
                verify_floor(picture)
            store.append_batch(Batch(snapshots=[first]))


# --- at a start ---------------------------------------------------------------------------------------


def behind_its_back(store: SqlStore, statement: str) -> None:
    with store.engine.connect() as connection:
        connection.execute(text(statement))


@pytest.fixture(scope="module")
def few_moves() -> MemoryStore:
    store = MemoryStore()
    played(store, 24)
    return store


@pytest.fixture(params=DATABASES)
def started(request: pytest.FixtureRequest, few_moves: MemoryStore) -> Iterator[SqlStore]:
    with new_store(request.param) as store:
        copy_store(few_moves, store)
        assert isinstance(store, SqlStore)
        yield store


def test_a_start_looks_at_what_came_after_the_last_checkpoint(started: SqlStore) -> None:
    found = verify_start(new_floor(started))
    assert (found.streams, found.entries, found.checkpoints) == (4, 12, 1)
    behind_its_back(started, "UPDATE entries SET body = 'x' WHERE stream = 'table/t1' AND version = 5")
    verify_since_checkpoint(started)  # only the whole log tells
    with started.picture() as picture, pytest.raises(BrokenChainError, match="table/t1 version 5"):
        verify_floor(picture)


@pytest.mark.parametrize(
    ("done", "said"),
    [
        ("UPDATE entries SET body = 'x' WHERE stream = 'table/t1' AND version = 29", "t1 version 29"),
        ("UPDATE entries SET body = 'x' WHERE stream = 'table/t1' AND version = 26", "t1 version 26"),
        ("UPDATE entries SET hash = body WHERE stream = 'table/t1' AND version = 26", "t1 version 26"),
        ("DELETE FROM entries WHERE stream = 'table/t2' AND version > 20", "missing.*t2 version 26"),
        ("DELETE FROM entries WHERE stream = 'meter/link'", "missing.*meter/link version"),
        ("UPDATE snapshots SET hash = body WHERE stream = 'table/t2'", "snapshot is of no entry.*t2"),
        ("UPDATE checkpoints SET hash = body", "checkpoint was changed"),
    ],
)
def test_a_start_is_refused_on_a_mismatch(started: SqlStore, done: str, said: str) -> None:
    behind_its_back(started, done)
    with pytest.raises(BrokenChainError, match=said):
        verify_since_checkpoint(started)


def test_without_a_checkpoint_a_start_checks_every_chain() -> None:
    with new_store("memory") as store:
        floor = two_tables(new_floor(store))
        assert verify_start(floor).entries == sum(head.version for head in store.heads().values())


def test_an_empty_store_is_whole() -> None:
    with new_store("memory") as store, store.picture() as picture:
        assert verify_floor(picture).log.entries == 0
        assert verify_since_checkpoint(store).streams == 0

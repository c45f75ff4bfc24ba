"""Streams: only added to, in batches that are stored whole or not at all, chained and read in order."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import event

from houseway.errors import IllegalError
from houseway.store.entries import EMPTY, BrokenChainError, check_chain, next_entry
from houseway.store.protocol import Batch, Checkpoint, LockedDeck, Snapshot, Store
from houseway.store.sql import SqlStore
from houseway.store.sqlite import ServedError, SqliteStore
from houseway.store.store_errors import StaleError, StoreGoneError
from tests.store.support import KINDS, Writer, new_store

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with new_store(request.param) as made:
        yield made


def everything(store: Store) -> list[bytes]:
    return [entry.body for _, entry in store.everything()]


def test_what_is_added_is_read_again_in_order(store: Store) -> None:
    writer = Writer(store)
    added = [entry for _ in range(3) for entry in writer.add("table/1", "table/2", "meter/m")]
    read = [entry for _, entry in store.everything()]
    assert sorted(read, key=lambda e: (e.stream, e.version)) == sorted(
        added, key=lambda e: (e.stream, e.version)
    )
    assert [e.version for e in read if e.stream == "table/2"] == [1, 2, 3]
    assert store.heads() == writer.heads == check_chain(read)


def test_a_tail_is_what_came_after_a_version(store: Store) -> None:
    writer = Writer(store)
    for _ in range(4):
        writer.add("table/1", "table/2")
    tails = list(store.tails({"table/1": 2, "table/2": 4, "table/3": 0}))
    assert [(entry.stream, entry.version) for entry in tails] == [("table/1", 3), ("table/1", 4)]


def test_reading_goes_on_from_a_place(store: Store) -> None:
    writer = Writer(store)
    writer.add("table/1")
    (place, _), *rest = store.everything()
    assert not rest
    writer.add("table/2")
    assert [entry.stream for _, entry in store.everything(place)] == ["table/2"]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "memory"])
def test_who_wants_the_next_entries_reads_few_more_than_those(kind: str) -> None:
    """Read models take twenty at a time: behind by thousands, they must not read a thousand each time."""
    with new_store(kind) as store:
        assert isinstance(store, SqlStore)
        writer = Writer(store)
        for number in range(12):
            writer.add(*(f"table/{number}-{table}" for table in range(10)))
        parameters = list[Any]()
        event.listen(store.engine, "before_cursor_execute", lambda *given: parameters.append(given[3]))
        assert len(list(islice(store.everything(), 20))) == 20
        (given,) = parameters
        assert 20 <= max(given.values() if isinstance(given, dict) else given) <= 40
        assert len(list(store.everything())) == 120


def test_a_batch_that_comes_second_to_a_stream_is_refused_whole(store: Store) -> None:
    first, second = Writer(store), Writer(store)
    first.add("table/1")
    with pytest.raises(StaleError):
        second.add("table/2", "table/1")
    assert set(store.heads()) == {"table/1"} and len(everything(store)) == 1
    again = Writer(store)
    again.add("table/2", "table/1")
    assert store.heads() == again.heads


def test_a_command_is_carried_out_once_and_its_answer_is_kept(store: Store) -> None:
    writer = Writer(store)
    once = writer.entry("table/1", command="c-1")
    store.append_batch(Batch(entries=[once]))
    assert [(one.command, one.answer) for one in store.entries_of(["c-1", "c-2"])] == [("c-1", b'"yes"')]
    with pytest.raises(StaleError):
        store.append_batch(Batch(entries=[writer.entry("table/1", command="c-1")]))
    assert len(everything(store)) == 1


def test_a_command_adds_to_two_streams_at_once_under_a_name_in_each(store: Store) -> None:
    writer = Writer(store)
    both = [writer.entry(stream, command=name) for stream, name in (("table/1", "win"), ("meter/m", "win#7"))]
    store.append_batch(Batch(entries=both))
    assert set(store.heads()) == {"table/1", "meter/m"}
    assert {one.stream for one in store.entries_of(["win", "win#7"])} == {"table/1", "meter/m"}


def test_a_command_of_one_stream_is_added_to_no_other_nor_twice_in_a_batch(store: Store) -> None:
    store.append_batch(Batch(entries=[Writer(store).entry("table/1", command="once")]))
    for streams, name in ((("table/2",), "once"), (("table/2", "table/3"), "twice")):
        writer = Writer(store)
        with pytest.raises(StaleError):
            store.append_batch(Batch(entries=[writer.entry(stream, command=name) for stream in streams]))
    assert set(store.heads()) == {"table/1"}


def test_snapshots_of_a_stream_are_kept_beside_each_other(store: Store) -> None:
    made = [
        Snapshot(stream=stream, version=version, hash=bytes(32), body=f"{stream} {version}".encode())
        for stream in ("table/1", "table/3")
        for version in (4, 2, 9)
    ]
    for kept in made:
        store.append_batch(Batch(snapshots=[kept]))
    four, two, nine, *_, other = made
    with store.picture() as picture:
        for streams in (store, picture):
            assert streams.snapshots(["table/1", "table/2"]) == {"table/1": nine}
            assert streams.snapshots(["table/3", "table/1"]) == {"table/1": nine, "table/3": other}
            at = [streams.snapshot_at("table/1", version) for version in (1, 2, 3, 4, 8, 9, 10)]
            assert at == [None, two, two, four, four, nine, nine]
            assert streams.snapshot_at("table/2", 9) is None
        assert list(picture.every_snapshot()) == sorted(made, key=lambda one: (one.stream, one.version))
    anew = replace(four, body=b"written down again")
    store.append_batch(Batch(snapshots=[anew]))
    assert store.snapshot_at("table/1", 4) == anew


def test_a_part_of_a_stream_and_its_end_are_read_alone(store: Store) -> None:
    writer = Writer(store)
    added = [entry for _ in range(5) for entry in writer.add("table/1", "table/2")]
    own = [entry for entry in added if entry.stream == "table/1"]
    with store.picture() as picture:
        assert picture.head("table/2") == writer.heads["table/2"]  # the moment is that of the first question
        writer.add("table/1")
        for streams in (store, picture):
            assert list(streams.part("table/1", 1, 4)) == own[1:4]
            assert list(streams.part("table/1", -1, 1)) == own[:1] and not list(streams.part("table/1", 3, 3))
            assert list(streams.part("table/2", 4, 5)) == [added[-1]] and not list(streams.part("none", 0, 9))
            assert streams.head("none") == EMPTY and streams.head("table/2") == writer.heads["table/2"]
        assert (picture.head("table/1"), store.head("table/1")) == (own[-1].head, writer.heads["table/1"])
        assert picture.heads()["table/1"] == own[-1].head
        assert list(picture.tails({"table/1": 3, "table/2": 4})) == [*own[3:], added[-1]]


def test_a_sealed_deck_is_kept_until_it_is_opened(store: Store) -> None:
    decks = [LockedDeck(stream="table/1", commitment=name, sealed=name.encode()) for name in ("a", "b")]
    store.append_batch(Batch(sealed=decks))
    store.append_batch(Batch(opened=[("table/1", "a")]))
    assert store.sealed_decks("table/1") == {"b": b"b"} and store.sealed_decks("table/2") == {}


def test_checkpoints_are_kept_in_order_and_none_twice(store: Store) -> None:
    made = [Checkpoint(number=n, at=NOON, body=b"heads", hash=bytes(32)) for n in (1, 2)]
    for one in made:
        store.append_batch(Batch(checkpoints=[one]))
    assert list(store.checkpoints()) == made
    with pytest.raises(StaleError):
        store.append_batch(Batch(checkpoints=[made[1]]))


def test_nothing_of_a_refused_batch_is_kept(store: Store) -> None:
    writer = Writer(store)
    writer.add("table/1")
    snapshot = Snapshot(stream="table/1", version=1, hash=bytes(32), body=b"")
    sealed = LockedDeck(stream="table/1", commitment="a", sealed=b"")
    late = Writer(store)
    late.heads = {}
    with pytest.raises(StaleError):
        store.append_batch(Batch(entries=[late.entry("table/1")], snapshots=[snapshot], sealed=[sealed]))
    assert not store.snapshots(["table/1"]) and not store.sealed_decks("table/1")


# --- the chain ----------------------------------------------------------------------------------------


def test_a_changed_left_out_exchanged_or_inserted_entry_breaks_the_chain() -> None:
    with new_store("memory") as store:
        writer = Writer(store)
        for _ in range(4):
            writer.add("table/1")
        entries = [entry for _, entry in store.everything()]
    check_chain(entries)
    changed = [entries[0], replace(entries[1], body=b"done?"), *entries[2:]]
    spliced = [*entries[:2], next_entry(entries[1].head, "table/1", "new", b"put in", b""), *entries[2:]]
    for wrong in (changed, [*entries[:1], *entries[2:]], [entries[1], entries[0], *entries[2:]], spliced):
        with pytest.raises(BrokenChainError, match="table/1 version"):
            check_chain(wrong)


@pytest.mark.parametrize("field", ["stream", "command", "body"])
def test_every_part_of_an_entry_that_matters_is_in_its_hash(field: str) -> None:
    first = next_entry(EMPTY, "table/1", "c", b"body", b"")
    other: dict[str, object] = {"stream": "table/2", "command": "d", "body": b"other"}
    with pytest.raises(BrokenChainError):
        check_chain([replace(first, **{field: other[field]})])


# --- one file, one server -----------------------------------------------------------------------------


def test_a_second_server_on_a_file_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    first = SqliteStore(path)
    with pytest.raises(ServedError, match="another process serves this file"):
        SqliteStore(path)
    first.close()
    SqliteStore(path).close()


def test_a_served_file_can_be_read_and_not_written(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    with pytest.raises(IllegalError, match="no such database"):
        SqliteStore(path, read_only=True)
    serving = SqliteStore(path)
    writer = Writer(serving)
    writer.add("table/1")
    reading = SqliteStore(path, read_only=True)
    writer.add("table/1")
    assert reading.heads() == writer.heads
    with pytest.raises(StoreGoneError, match="SQLITE_READONLY"):
        Writer(reading).add("table/2")
    reading.close()
    serving.close()


def test_a_file_is_found_again_as_it_was_left(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    store = SqliteStore(path)
    writer = Writer(store)
    for _ in range(3):
        writer.add("table/1", "meter/m")
    store.close()
    again = SqliteStore(path)
    assert again.heads() == writer.heads == check_chain(entry for _, entry in again.everything())
    Writer(again).add("table/1")
    again.close()


@pytest.mark.parametrize("mode", [None, 0o644, 0o666])
def test_a_database_is_its_owners_alone_also_one_that_was_not(tmp_path: Path, mode: int | None) -> None:
    path = tmp_path / "floor.db"
    if mode is not None:
        path.touch()
        path.chmod(mode)
    store = SqliteStore(path)
    Writer(store).add("table/1")
    modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.glob("floor.db*")}
    assert modes["floor.db"] == modes["floor.db-wal"] == modes["floor.db-shm"] == 0o600
    store.close()


def test_a_file_that_was_replaced_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    store = SqliteStore(path)
    store.probe()
    path.rename(tmp_path / "away.db")
    with pytest.raises(StoreGoneError, match="replaced or taken away"):
        store.probe()
    (tmp_path / "away.db").rename(path)
    store.probe()
    store.close()

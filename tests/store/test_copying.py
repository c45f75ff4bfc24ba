"""A copy of a store: everything as it stood at one moment, whole or not at all, never over something else."""

from __future__ import annotations

import stat
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, text

from houseway.errors import IllegalError
from houseway.rng import SystemEntropy
from houseway.store.checkpoints import take_checkpoint
from houseway.store.entries import BrokenChainError, Entry, Head, StreamId, check_chain
from houseway.store.log_check import verify_log
from houseway.store.protocol import Batch, LockedDeck, NotEmptyError, Snapshot, Store
from houseway.store.safe import copy_key, key_path, read_key
from houseway.store.sql import SqlStore
from houseway.store.sqlite import SqliteStore
from houseway.store.store_copy import copy_store, copy_to_file, copy_to_postgres
from tests.store.support import DATABASES, KINDS, Writer, fresh_database, new_store

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
STREAMS = ("table/1", "meter/m", "table/2")


def filled(store: Store, batches: int = 4) -> Store:
    """Add entries to three streams, checkpoints, snapshots of one and a sealed deck."""
    writer = Writer(store)
    for _ in range(batches):
        writer.add(*STREAMS)
        take_checkpoint(store, NOON)
        head = writer.heads["table/1"]
        snapshot = Snapshot(stream="table/1", version=head.version, hash=head.hash, body=b"so it stood")
        store.append_batch(Batch(snapshots=[snapshot]))
    store.append_batch(Batch(sealed=[LockedDeck(stream="table/1", commitment="c", sealed=b"\x00locked")]))
    return store


def held(store: Store) -> tuple[list[Entry], object, list[Snapshot], object]:
    entries = [entry for _, entry in store.everything()]
    with store.picture() as picture:
        snapshots = list(picture.every_snapshot())
    return entries, store.checkpoints(), snapshots, [store.sealed_decks(one) for one in STREAMS]


@pytest.mark.parametrize("to", KINDS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_holds_all_of_it_in_the_same_order(kind: str, to: str) -> None:
    with new_store(kind) as source, new_store(to) as target:
        found = copy_store(filled(source), target)
        assert held(target) == held(source) and target.heads() == source.heads()
        assert len(held(target)[2]) == 4
        assert (found.streams, found.entries, found.checkpoints) == (3, 12, 4)
        Writer(target).add(*STREAMS)
        take_checkpoint(target, NOON)
        verify_log(target)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_copied_onto_something(kind: str) -> None:
    with new_store("memory") as source, new_store(kind) as target:
        filled(source)
        kept = Writer(target).add("table/9")
        with pytest.raises(NotEmptyError, match="there is something in the"):
            copy_store(source, target)
        assert [entry for _, entry in target.everything()] == kept


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_that_is_found_wanting_is_not_kept_at_all(kind: str) -> None:
    def found_wanting(_: object) -> None:
        raise IllegalError("not good enough")

    with new_store("memory") as source, new_store(kind) as target:
        with pytest.raises(IllegalError, match="not good enough"):
            copy_store(filled(source), target, found_wanting)
        assert not target.heads() and not target.checkpoints() and not target.sealed_decks("table/1")
        copy_store(source, target)
        assert target.heads() == source.heads()


@pytest.mark.parametrize(
    ("done", "said"),
    [
        ("UPDATE entries SET body = 'dOne' WHERE stream = 'table/2' AND version = 3", "table/2 version 3"),
        ("DELETE FROM entries WHERE stream = 'meter/m' AND version = 4", "meter/m version 4"),
        (
            "UPDATE snapshots SET hash = (SELECT hash FROM snapshots WHERE version = 4) WHERE version = 3",
            "a snapshot is of no entry.*table/1 version 3",
        ),
    ],
)
@pytest.mark.parametrize("kind", DATABASES)
def test_what_is_broken_is_not_copied(kind: str, done: str, said: str, tmp_path: Path) -> None:
    with new_store(kind) as source:
        assert isinstance(source, SqlStore)
        filled(source)
        with source.engine.connect() as connection:
            connection.execute(text(done))
        with pytest.raises(BrokenChainError, match=said):
            copy_to_file(source, tmp_path / "backup.db")
    assert not list(tmp_path.iterdir())


def test_a_file_is_there_whole_by_itself_and_never_over_another(tmp_path: Path) -> None:
    path = tmp_path / "one day's [copy] #1?.db"
    with new_store("memory") as source:
        copy_to_file(filled(source), path)
        assert [one.name for one in tmp_path.iterdir()] == [path.name]
        with pytest.raises(NotEmptyError, match="of this name already"):
            copy_to_file(source, path)
        with pytest.raises(IllegalError, match="no such folder"):
            copy_to_file(source, tmp_path / "nowhere" / "backup.db")
        copied = SqliteStore(path, read_only=True)
        assert held(copied) == held(source)
        copied.close()
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_a_failed_copy_leaves_a_database_as_it_was() -> None:
    def found_wanting(_: object) -> None:
        raise IllegalError("not good enough")

    with fresh_database() as url, new_store("memory") as source:
        with pytest.raises(IllegalError, match="not good enough"):
            copy_to_postgres(filled(source), url, found_wanting)
        engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
        assert not inspect(engine).get_table_names()
        engine.dispose()
        assert copy_to_postgres(source, url).entries == 12


# --- under load ---------------------------------------------------------------------------------------


@contextmanager
def written_to(store: Store, states: list[dict[StreamId, Head]]) -> Iterator[None]:
    """Have a thread add batches of three streams until the end; note the heads after each."""
    stop, going = threading.Event(), threading.Event()

    def write() -> None:
        writer = Writer(store)
        while not stop.is_set():
            writer.add(*STREAMS)
            states.append(dict(writer.heads))
            if len(states) > 5:
                going.set()

    thread = threading.Thread(target=write)
    thread.start()
    try:
        assert going.wait(30)
        yield
    finally:
        stop.set()
        thread.join()


@pytest.mark.parametrize("kind", DATABASES)
def test_a_copy_under_load_is_of_one_moment_between_two_batches(kind: str, tmp_path: Path) -> None:
    states: list[dict[StreamId, Head]] = []
    with new_store(kind) as store, ExitStack() as stack:
        with written_to(store, states):
            for number in range(3):
                copy_to_file(store, tmp_path / f"{number}.db")
        for number in range(3):
            copied = SqliteStore(tmp_path / f"{number}.db", read_only=True)
            stack.callback(copied.close)
            assert copied.heads() == check_chain(entry for _, entry in copied.everything())
            assert copied.heads() in states


# --- the key ------------------------------------------------------------------------------------------


def test_a_key_is_copied_for_its_owner_only_and_over_no_other(tmp_path: Path) -> None:
    key = read_key(tmp_path / "floor.db.key", SystemEntropy())
    copy_key(key_path(tmp_path / "floor.db"), key_path(tmp_path / "backup.db"))
    assert read_key(tmp_path / "backup.db.key", SystemEntropy()) == key
    assert stat.S_IMODE((tmp_path / "backup.db.key").stat().st_mode) == 0o600
    with pytest.raises(IllegalError, match="there is a key already"):
        copy_key(key_path(tmp_path / "floor.db"), key_path(tmp_path / "backup.db"))
    with pytest.raises(IllegalError, match="there is no key"):
        copy_key(tmp_path / "none.key", tmp_path / "other.key")

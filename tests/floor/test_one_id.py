"""One id stands for one command on a whole floor: two servers that get it at once for two tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command as migrate
from sqlalchemy import create_engine, inspect, text

from houseway.floor.batches import Fault, FirstUse
from houseway.floor.people_events import Bookmarked
from houseway.floor.streams import bookmark_stream
from houseway.floor.verification import verify_floor
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.players import Sit
from houseway.store.entries import Entry, Head, next_entry
from houseway.store.protocol import Batch
from houseway.store.sql import SqlStore, _migrations
from houseway.store.store_copy import copy_store
from houseway.store.store_errors import StaleError, StoreError
from houseway.store.store_url import open_store
from tests.floor.floor_of_2026 import entry_of_2026
from tests.floor.support import NOON, command, new_floor, two_tables
from tests.store.support import DATABASES, KINDS, Writer, fresh_database, new_store

EVE = Actor("Eve", Role.PLAYER)
TWICE = "Eve/twice"
BEFORE = "0008"
"""The last migration by which one id could be carried out at two tables."""


@pytest.mark.parametrize("kind", KINDS)
def test_one_id_sent_at_once_through_two_servers_is_carried_out_at_one_table(kind: str) -> None:
    with new_store(kind) as store:
        first = two_tables(new_floor(store))
        second = new_floor(store, "another server")
        first.submit("t1", command(EVE, Sit(3), TWICE))
        second.submit("t2", command(EVE, Sit(3), TWICE))
        decided, too_late = first.prepare(), second.prepare()
        heads = store.heads()
        store.append_batch(decided.batch)
        (reply,) = first.settle(decided)
        with pytest.raises(StaleError) as failed:
            store.append_batch(too_late.batch)
        assert not second.settle(too_late, failed.value)
        (answer,) = second.run()
        assert answer.kind is Fault.CONFLICT and answer.first == FirstUse("t1", reply.answer.version)
        assert reply.answer.version == heads["table/t1"].version + 1
        assert store.heads()["table/t2"] == heads["table/t2"]
        assert [entry.stream for entry in store.entries_of([TWICE])] == ["table/t1"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_others_in_its_batch_are_carried_out(kind: str) -> None:
    with new_store(kind) as store:
        first = two_tables(new_floor(store))
        second = new_floor(store, "another server")
        first.submit("t1", command(EVE, Sit(3), TWICE))
        for name, by in (
            (TWICE, EVE),
            ("Fay/f", Actor("Fay", Role.PLAYER)),
            ("Gil/g", Actor("Gil", Role.PLAYER)),
        ):
            second.submit("t2", command(by, Sit({"Eve": 3, "Fay": 4, "Gil": 6}[by.id]), name))
        too_late = second.prepare()
        first.run()
        with pytest.raises(StaleError) as failed:
            store.append_batch(too_late.batch)
        second.settle(too_late, failed.value)
        answers = {answer.command: answer for answer in second.run()}
        assert {name for name, answer in answers.items() if answer.done} == {"Fay/f", "Gil/g"}
        assert set(second.table("t2").table.seats) == {2, 4, 5, 6}


# --- a database that holds such a pair ----------------------------------------------------------------


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database as the program before made it."""
    with fresh_database() as there:
        url = str(tmp_path / "floor.db") if request.param == "sqlite" else there
        engine = create_engine(
            url.replace("postgresql:", "postgresql+psycopg:") if "://" in url else f"sqlite:///{url}"
        )
        with engine.begin() as connection:
            migrate.upgrade(_migrations(connection), BEFORE)
            for entry in pair():
                values = {name: getattr(entry, name) for name in entry.__struct_fields__}
                connection.execute(text(INSERT), values)
        engine.dispose()
        yield url


INSERT = """
INSERT INTO entries (stream, version, command, body, answer, hash)
VALUES (:stream, :version, :command, :body, :answer, :hash)
"""


def pair() -> list[Entry]:
    """Return what two servers stored under one id, and what came after."""
    entries: list[Entry] = []
    heads: dict[str, Head] = {}
    for person, name in (("ann", TWICE), ("bob", TWICE), ("ann", "Eve/once"), ("cat", TWICE)):
        stream = bookmark_stream(person)
        mark = Bookmarked(at=NOON, by=EVE, table="t1", round=len(entries) + 1)
        entries.append(entry_of_2026(heads.get(stream, Head()), stream, name, mark))
        heads[stream] = entries[-1].head
    return entries


def test_a_database_that_holds_one_id_twice_is_opened_and_takes_no_other(url: str) -> None:
    store = open_store(url)
    assert isinstance(store, SqlStore)
    assert [entry for _, entry in store.everything()] == pair()
    assert len(store.entries_of([TWICE])) == 3
    for name in (TWICE, "Eve/once"):
        with pytest.raises(StaleError):
            store.append_batch(Batch(entries=[Writer(store).entry("table/9", command=name)]))
    writer = Writer(store)
    store.append_batch(Batch(entries=[writer.entry("table/9", command="Eve/new")]))
    with pytest.raises(StaleError):
        store.append_batch(Batch(entries=[writer.entry("table/8", command="Eve/new")]))
    store.close()
    open_store(url).close()


@pytest.mark.parametrize("to", KINDS)
def test_it_is_backed_up_and_restored_as_it_is(url: str, to: str) -> None:
    source = open_store(url)
    with new_store(to) as target:
        assert copy_store(source, target).entries == len(pair())
        assert [entry for _, entry in target.everything()] == pair()
        with pytest.raises(StaleError):
            target.append_batch(Batch(entries=[Writer(target).entry("table/9", command=TWICE)]))
        with target.picture() as picture:
            assert verify_floor(picture).log.entries == len(pair())
    source.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_with_a_command_twice_is_not_restored(kind: str) -> None:
    first = next_entry(Head(), "table/1", TWICE, b"1", b"")
    again = next_entry(first.head, "table/1", TWICE, b"2", b"")
    with new_store(kind) as store:
        with pytest.raises(StoreError):
            store.fill([Batch(entries=[first, again])])
        assert not store.heads()


def test_an_entry_is_found_by_its_command_alone(url: str) -> None:
    store = open_store(url)
    assert isinstance(store, SqlStore)
    keys = {
        one["name"]: (one["column_names"], bool(one["unique"]))
        for one in inspect(store.engine).get_indexes("entries")
    }
    store.close()
    assert keys["entries_command"] == (["command"], True)
    assert keys["entries_command_all"] == (["command"], False)

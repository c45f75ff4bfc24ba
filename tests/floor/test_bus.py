"""Hints between servers: who listens hears what others added to; who missed it finds out by asking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import psycopg
import pytest

from houseway.floor.bus import (
    CHANNEL,
    NAME,
    Hint,
    NoBus,
    PeopleHint,
    PostgresBus,
    StreamHint,
)
from houseway.store.entries import Entry
from houseway.store.postgres import PostgresStore
from tests.store.support import Writer, fresh_database


@pytest.fixture
def url() -> Iterator[str]:
    with fresh_database() as found:
        yield found


def changes(entries: Iterable[Entry]) -> list[StreamHint]:
    """Return what entries have added to, each stream once."""
    ends = {entry.stream: entry.version for entry in entries}
    return [StreamHint(stream, version) for stream, version in ends.items()]


def heard(bus: PostgresBus) -> list[Hint]:
    """Return everything that a bus hears, until there is nothing more."""
    found = list[Hint]()
    while more := list(bus.listen(0.5)):
        found += more
    return found


def test_who_was_heard_of_is_told_in_parts_that_fit(url: str) -> None:
    one, other = PostgresBus(url), PostgresBus(url)
    people = tuple(f"somebody with a name of their own {number}" for number in range(600))
    one.tell(PeopleHint(people, (("t", "Ann"),)))
    told = [part for part in heard(other) if isinstance(part, PeopleHint)]
    assert len(told) > 1 and tuple(name for part in told for name in part.seen) == people
    assert [ready for part in told for ready in part.ready] == [("t", "Ann")]
    one.close()
    other.close()


def test_what_one_server_commits_another_hears_of_and_itself_does_not(url: str) -> None:
    store, one, other = PostgresStore(url), PostgresBus(url), PostgresBus(url)
    entries = Writer(store).add("table/1", "meter/m", "table/1")
    one.hint(changes(entries))
    assert list(other.listen(0.5)) == [StreamHint("table/1", 2), StreamHint("meter/m", 1)]
    assert list(one.listen(0.0)) == []
    for closing in (store, one, other):
        closing.close()


def test_many_streams_are_told_in_several_hints_and_nonsense_is_none(url: str) -> None:
    one, other = PostgresBus(url), PostgresBus(url)
    many = [StreamHint(f"table/{'x' * 40}{number}", number) for number in range(400)]
    one.hint([*many, StreamHint("x" * 9_000, 1)])
    with psycopg.connect(url, autocommit=True) as somebody:
        somebody.execute("SELECT pg_notify(%s, 'nonsense')", [CHANNEL])
    assert heard(other) == many
    one.close()
    other.close()


def test_a_lost_hint_only_delays_and_a_lost_connection_comes_back(url: str) -> None:
    store, one, other = PostgresStore(url), PostgresBus(url), PostgresBus(url)
    with psycopg.connect(url, autocommit=True) as somebody:
        somebody.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", [NAME]
        )
    writer = Writer(store)
    one.hint(changes(writer.add("table/1")))
    assert list(other.listen(0.1)) == [] == list(other.listen(0.0))
    assert store.heads()["table/1"].version == 1, "who asks finds it"
    one.hint(changes(writer.add("table/1")))
    assert list(other.listen(0.5)) == [StreamHint("table/1", 2)]
    for closing in (store, one, other):
        closing.close()


def test_a_floor_of_one_process_tells_nobody() -> None:
    NoBus().hint([StreamHint("table/1", 1)])
    assert list(NoBus().listen(0.0)) == []

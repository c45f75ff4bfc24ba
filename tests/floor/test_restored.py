"""A PostgreSQL database restored on another server, which has begun fewer transactions than the old one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from houseway.floor.readmodels import ReadModels, find_rounds
from houseway.floor.verification import verify_floor, verify_start
from houseway.store.postgres import PostgresStore
from houseway.store.store_url import open_store
from tests.floor.floor_of_2026 import ENTRIES, ROUNDS, copy_of_floor, open_floor
from tests.floor.support import play

AHEAD = 1_000_000
"""So many transactions more the old server had begun."""


@pytest.fixture
def restored(tmp_path: Path) -> Iterator[str]:
    """The floor of 2026 as a busier server would have numbered it."""
    with copy_of_floor("postgresql", tmp_path) as url:
        with psycopg.connect(url) as connection:
            connection.execute("UPDATE entries SET transaction = transaction + %s", [AHEAD])
            connection.execute("UPDATE read_models SET transaction = transaction + %s", [AHEAD])
        yield url


def numbers(url: str) -> set[int]:
    with psycopg.connect(url) as connection:
        return {row[0] for row in connection.execute("SELECT DISTINCT transaction FROM entries")}


def test_a_restored_floor_is_read_whole_verified_and_played_on(restored: str) -> None:
    store = open_store(restored)
    assert len(list(store.everything())) == ENTRIES
    models = ReadModels(store)
    assert models.catch_up() == ENTRIES, "read models are made anew"
    floor = open_floor(store)
    verify_start(floor)
    play(floor, "pa-670a", 1)
    models.catch_up()
    with models.connect() as connection:
        assert len(find_rounds(connection, limit=100)[0]) == len(ROUNDS) + 1
    with store.picture() as picture:
        whole = verify_floor(picture)
    assert (whole.rounds, whole.total) == (len(ROUNDS) + 1, 0)
    places = [place for place, _ in store.everything()]
    assert len(places) > ENTRIES and places == sorted(places)
    store.close()


def test_opened_again_nothing_is_numbered_anew(restored: str) -> None:
    store = open_store(restored)
    floor = open_floor(store)
    play(floor, "pa-670a", 1)
    before = numbers(restored)
    assert before > {1}
    store.close()
    store = PostgresStore(restored)
    assert numbers(restored) == before
    models = ReadModels(store)
    models.catch_up()
    assert models.catch_up() == 0
    store.close()


def test_who_only_reads_is_told_of_nothing_out_of_order(restored: str) -> None:
    open_store(restored).close()
    reader = open_store(restored, read_only=True)
    assert len(list(reader.everything())) == ENTRIES
    reader.close()

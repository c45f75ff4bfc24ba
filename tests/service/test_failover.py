"""A primary is killed and its standby takes over: the floor goes on there, and has all that was answered."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from houseway.floor.streams import table_stream
from houseway.floor.verification import verify_floor
from houseway.store.postgres import PostgresStore
from tests.service.load import DECK_KEY, TABLES, check_log, conditions, furnish, load, until
from tests.service.test_serve_command import free_port, serving
from tests.store.standby import Pair, primary_and_standby

BETWEEN = 20
AWAY = 2.0
"""Seconds without a database that takes writes."""


@pytest.fixture
def pair() -> Iterator[Pair]:
    with primary_and_standby() as found:
        yield found


@pytest.mark.exhaustive
@pytest.mark.parametrize("workers", [1, 3])
def test_the_floor_goes_on_at_the_standby(pair: Pair, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSEWAY_DECK_KEY", DECK_KEY)
    players, port = furnish(pair.url), free_port()
    with serving(pair.url, port, "--workers", str(workers)), load(port, players) as crowd:
        crowd.go_on(BETWEEN)
        pair.kill_primary()
        time.sleep(AWAY)
        pair.promote()
        crowd.go_on(BETWEEN)
        until(lambda: conditions(port) == (200, []), "ready")
        figures = crowd.end()
    counts = check_log(pair.url, figures)
    assert not counts["not answered in time"]
    print(f"{workers} processes: {dict(counts)}; slowest answer: {figures.slowest:.1f} s")


@pytest.mark.exhaustive
def test_no_process_goes_on_at_a_standby_that_lacks_what_was_answered(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOUSEWAY_DECK_KEY", DECK_KEY)
    players, port = furnish(pair.url), free_port()
    with serving(pair.url, port) as server:
        with load(port, players) as crowd:
            crowd.go_on(BETWEEN)
            pair.go_on_alone()
            crowd.go_on(BETWEEN)
        pair.kill_primary()
        pair.promote()
        until(lambda: any("is not the one that was served" in line for line in server.said), "it says so")
        until(lambda: conditions(port) == (503, ["storage"]), "storage is named")
        store = PostgresStore(pair.url)
        at_tables = {table_stream(table): store.head(table_stream(table)) for table in TABLES}
        assert sum(head.version for head in at_tables.values()) < crowd.answered
    with serving(pair.url, port):  # begun anew it goes on from what is there
        until(lambda: conditions(port) == (200, []), "ready")
    with store.picture() as picture:
        assert verify_floor(picture).total == 0
    assert {stream: store.head(stream) for stream in at_tables} == at_tables
    store.close()

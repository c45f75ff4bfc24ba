"""Connections that are lost: made again where the log is the same, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from houseway.store.log_check import verify_log
from houseway.store.postgres import PostgresStore
from houseway.store.protocol import Batch
from houseway.store.store_errors import StoreError, StoreGoneError
from tests.store.own_postgres import CUT
from tests.store.standby import Pair, primary_and_standby
from tests.store.support import Writer, fresh_database


def test_whoever_reads_notices_nothing_of_a_lost_connection() -> None:
    with fresh_database() as url:
        store = PostgresStore(url)
        Writer(store).add("table/1")
        with psycopg.connect(url, autocommit=True) as admin:
            row = admin.execute(CUT).fetchone()
        assert row is not None and row[0] > 0
        assert store.heads()["table/1"].version == 1
        store.close()


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    with primary_and_standby() as found:
        yield found


@pytest.mark.exhaustive
def test_nobody_adds_to_a_log_that_has_lost_what_they_have_stored_or_read(pair: Pair) -> None:
    writing, reading, idle = (PostgresStore(pair.url) for _ in range(3))
    writer = Writer(writing)
    writer.add("table/1", "table/2")
    assert [entry.version for store in (reading, idle) for entry in store.tails({"table/1": 0})] == [1, 1]
    pair.go_on_alone()
    writer.add("table/1")  # on the primary alone
    assert len(list(reading.tails({"table/1": 1}))) == 1
    pair.kill_primary()
    with pytest.raises(StoreError):
        writer.add("table/1")
    pair.promote()
    for store in (writing, reading):
        for said in ("", "is not the one that was served", "is not the one that was served"):
            with pytest.raises(StoreGoneError, match=said):  # the first finds that the connection was lost
                store.append_batch(Batch(entries=[Writer(idle).entry("table/2")]))
    with pytest.raises(StoreGoneError):
        idle.probe()  # it finds that the connection was lost
    Writer(idle).add("table/1")  # it knows no more than the standby
    assert (verify_log(idle).entries, idle.heads()["table/1"].version) == (3, 2)
    for store in (writing, reading, idle):
        store.close()

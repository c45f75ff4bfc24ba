"""One connection, several threads: whoever reads and whoever stores take turns."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from houseway.store.postgres import PostgresStore
from tests.store.support import Writer, fresh_database


def test_threads_that_read_and_store_at_once_take_turns() -> None:
    with fresh_database() as url:
        store = PostgresStore(url)
        writer = Writer(store)
        with ThreadPoolExecutor(3) as threads:
            storing = threads.submit(lambda: [writer.add("table/1") for _ in range(100)])
            reading = [
                threads.submit(lambda: [len(list(store.tails({"table/1": 0}))) for _ in range(100)])
                for _ in range(2)
            ]
            storing.result()
            for found in reading:
                assert found.result() == sorted(found.result())
        assert len(list(store.tails({"table/1": 0}))) == 100
        store.close()

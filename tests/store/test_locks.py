"""Servers of two versions of the program keep out of each other's way by locks that are never renumbered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote
from zlib import crc32

import psycopg
import pytest

from houseway.service.leader import PostgresLeader
from houseway.store.postgres import PostgresStore
from houseway.store.practice_storage import SCHEMA, InUseError, PostgresStorage
from houseway.store.sql import newest_version
from houseway.store.store_errors import StoreError
from tests.store.support import fresh_database

MIGRATING, DRIVING, PRACTISING, BEGINNING = 7_460_301, 7_460_303, 7_460_305, 7_460_306
IMPATIENT = "-c lock_timeout=100"


@pytest.fixture
def url() -> Iterator[str]:
    with fresh_database() as found:
        yield found


@contextmanager
def another_version(url: str, lock: int, *more: int) -> Iterator[None]:
    """Hold a lock as a server of another version does."""
    with psycopg.connect(url, autocommit=True) as connection:
        places = ", ".join(["%s"] * (1 + len(more)))
        connection.execute(f"SELECT pg_advisory_lock({places})", [lock, *more])
        yield
        connection.execute("SELECT pg_advisory_unlock_all()")


def test_one_server_drives_whatever_its_version(url: str) -> None:
    lead = PostgresLeader(url)
    with another_version(url, DRIVING):
        assert not lead.leads()
    assert lead.leads()
    lead.close()


def test_one_server_brings_the_tables_up_to_date_whatever_its_version(url: str) -> None:
    with another_version(url, MIGRATING), pytest.raises(StoreError):
        PostgresStore(url, options=IMPATIENT)
    PostgresStore(url, options=IMPATIENT).close()


def test_one_server_begins_practice_and_none_drops_what_another_uses(url: str) -> None:
    impatient = f"{url}&options={quote(IMPATIENT)}"
    with another_version(url, BEGINNING), pytest.raises(StoreError):
        PostgresStorage(impatient).open()
    PostgresStorage(url).open().close()
    schema = f"{SCHEMA}{newest_version()}"
    with another_version(url, PRACTISING, crc32(schema.encode()) % 2**31), pytest.raises(InUseError):
        PostgresStorage(url).clear()
    PostgresStorage(url).clear()


def test_a_server_that_is_gone_without_a_word_is_given_up_within_seconds(url: str) -> None:
    """Commands wait for ten seconds at most, and the standby may have taken over by then."""
    lead = PostgresLeader(url)
    assert lead.leads() and lead._connection is not None
    told = lead._connection.info.get_parameters()
    assert {name: int(told[name]) for name in told if "keepalives_" in name or "timeout" in name} == {
        "connect_timeout": 5,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "tcp_user_timeout": 8_000,
    }
    lead.close()

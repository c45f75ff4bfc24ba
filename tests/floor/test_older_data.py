"""A data file of the first schema, of the database and of what its entries say, loads and is gone on with."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import pytest
from alembic import command as migrate
from msgspec.structs import replace
from sqlalchemy import create_engine, inspect, select, text

from houseway.floor import house
from houseway.floor.core import Floor
from houseway.floor.readmodels import ReadModels, find_rounds, round_of
from houseway.floor.readmodels.sql_tables import FOLDED, METADATA
from houseway.floor.verification import verify_floor
from houseway.rng import SeededEntropy
from houseway.rounds.state import Phase
from houseway.store.log_check import verify_log
from houseway.store.postgres import PostgresStore
from houseway.store.protocol import Batch, Snapshot
from houseway.store.sql import _migrations, bring_up_to_date
from houseway.store.sqlite import SqliteStore, _engine
from tests.floor.support import NOON, SAFE, approve_program, command, next_move
from tests.store.support import DATABASES, fresh_database

FIRST = Path(__file__).parent / "data" / "floor-schema-1.db.gz"


def go_on(floor: Floor, table: str) -> None:
    """Do what is due at a table, under a name that no command in the file has."""
    move = next_move(floor, table)
    floor.submit(table, command(move.by, move.action, f"later/{uuid4()}"))
    (answer,) = floor.run()
    assert not answer.refused and not answer.fault


@pytest.fixture
def older(tmp_path: Path) -> Path:
    path = tmp_path / "floor.db"
    with gzip.open(FIRST) as packed, path.open("wb") as file:
        shutil.copyfileobj(packed, file)
    return path


@pytest.fixture
def store(older: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(older)
    yield store
    store.close()


def test_its_chains_and_checkpoints_are_whole(store: SqliteStore) -> None:
    found = verify_log(store)
    assert (found.streams, found.entries, found.checkpoints) == (4, 101, 1)


def test_its_books_and_meters_add_up(store: SqliteStore) -> None:
    with store.picture() as picture:
        found = verify_floor(picture)
    assert (found.tables, found.meters, found.rounds, found.total) == (2, 1, 2, 0)


@pytest.mark.parametrize("kind", DATABASES)
def test_the_snapshots_of_an_older_database_stay_and_others_come_beside_them(
    kind: str, tmp_path: Path
) -> None:
    with fresh_database() as url, ExitStack() as stack:
        uri = url.replace("postgresql://", "postgresql+psycopg://")
        engine = create_engine(uri) if kind == "postgresql" else _engine(tmp_path / "f.db", read_only=False)
        stack.callback(engine.dispose)
        with engine.begin() as connection:
            migrate.upgrade(_migrations(connection), "0004")
            connection.execute(
                text("INSERT INTO snapshots VALUES ('table/1', 7, :hash, :body)"),
                {"hash": b"h", "body": b"so it stood"},
            )
        engine.dispose()
        store = PostgresStore(url) if kind == "postgresql" else SqliteStore(tmp_path / "f.db")
        stack.callback(store.close)
        kept = Snapshot(stream="table/1", version=7, hash=b"h", body=b"so it stood")
        assert store.snapshots(["table/1"]) == {"table/1": kept}
        store.append_batch(Batch(snapshots=[replace(kept, version=9)]))
        assert [store.snapshot_at("table/1", at) for at in (6, 8)] == [None, kept]


def test_its_tables_are_as_they_were_left_and_the_round_goes_on(store: SqliteStore) -> None:
    floor = Floor(store, lambda: NOON, SeededEntropy("later"), SAFE)
    assert floor.tables == ["t1", "t2"]
    assert [floor.table(name).head.version for name in floor.tables] == [72, 23]
    running = {name: floor.table(name).table for name in floor.tables}
    assert [table.phase for table in running.values()] == [Phase.BETTING, Phase.DEALING]
    assert running["t2"].round.commitment  # its deck lies sealed in the file
    for name, table in running.items():
        while floor.table(name).table.rounds == table.rounds:
            go_on(floor, name)
        last = floor.table(name).table.last
        assert last is not None and last.number == table.round.number
        assert last.commitment and last.commitment == (table.round.commitment or last.commitment)
        assert last.void is None
    verify_log(store)
    assert floor.house.program is None
    approve_program(floor)
    assert floor.house.program == house.this_program()


def test_its_read_models_are_made_from_its_log(store: SqliteStore) -> None:
    models = ReadModels(store)
    assert models.catch_up() == 101 and models.catch_up() == 0
    floor = Floor(store, lambda: NOON, SeededEntropy("later"), SAFE)
    rounds = {name: floor.table(name).table.rounds for name in floor.tables}
    with models.connect() as connection:
        found, _ = find_rounds(connection)
        assert len(found) == sum(rounds.values()) > 0
        assert all(round_of(connection, one.table_id, one.round) == one for one in found)
    assert all(floor.table(name).table.phase is not Phase.CLOSED for name in rounds)
    go_on(floor, "t2")
    assert models.catch_up() >= 1


def test_bringing_it_up_to_date_is_done_whole_or_not_at_all(older: Path) -> None:
    engine = _engine(older, read_only=False)
    with engine.connect() as connection:
        connection.execute(text("CREATE TABLE account_meters (meter TEXT)"))  # the last one is in the way
    with pytest.raises(Exception, match="account_meters"):
        bring_up_to_date(engine)
    with engine.connect() as connection:
        made = set(inspect(connection).get_table_names()) & set(METADATA.tables)
        assert made == {"account_meters"}
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "0001"
        connection.execute(text("DROP TABLE account_meters"))
    bring_up_to_date(engine)
    with engine.connect() as connection:
        assert connection.execute(select(FOLDED)).all() == []
    engine.dispose()


def test_it_is_restored_from_as_it_is(older: Path, tmp_path: Path) -> None:
    from typer.testing import CliRunner  # noqa: PLC0415 - only here

    from houseway.cli.app import app  # noqa: PLC0415

    before = older.read_bytes()
    target = tmp_path / "restored.db"
    done = CliRunner().invoke(app, ["restore", str(older), str(target)])
    assert done.exit_code == 0, done.output
    assert older.read_bytes() == before, "the backup itself is not touched"
    store = SqliteStore(target)
    assert verify_log(store).entries == 102, "and that it was restored"
    store.close()

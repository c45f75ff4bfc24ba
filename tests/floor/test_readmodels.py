"""Read models follow from the log alone: the same rows whenever and however often they are made."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import MetaData, select

from houseway.errors import IllegalError, UnknownNameError
from houseway.floor import readmodels
from houseway.floor.bodies import read_body
from houseway.floor.core import Floor
from houseway.floor.readmodels import (
    Accounting,
    GamingDay,
    ReadModels,
    RoundEnding,
    Rounds,
    days_of_meters,
    days_of_tables,
    days_of_wagers,
    find_rounds,
    history,
    round_of,
)
from houseway.floor.readmodels import sql_tables as rows
from houseway.floor.readmodels.accounting import COLUMNS
from houseway.floor.shared_meters import Flow
from houseway.games import example_submission
from houseway.ledger import Account, AccountKind, Ledger
from houseway.rounds.books import posted
from houseway.rounds.record import Turn
from houseway.rounds.state import Phase
from houseway.store import schema
from houseway.store.memory import MemoryStore
from houseway.store.postgres import PostgresStore
from houseway.store.protocol import Point, Store
from houseway.store.sql import SqlStore
from tests.floor.support import NOON, make_table, new_floor, next_move, play, say, seat_two
from tests.store.support import DATABASES, KINDS, fresh_database, new_store

GAMES = ("pa-659a", "ca-fpgp", "pa-575", "pa-670a", "wa-fap")
DAY = NOON.date()


def played(store: Store, games: tuple[str, ...] = GAMES) -> Floor:
    """Play a round of some games, a second one of the first, and leave its third with the cards out."""
    floor = new_floor(store)
    for game in games:
        make_table(floor, game, example_submission(game))
        seat_two(floor, game)
        play(floor, game, 1)
    play(floor, games[0], 1)
    until_cards_are_out(floor, games[0])
    return floor


def until_cards_are_out(floor: Floor, table: str) -> None:
    while floor.table(table).table.phase is not Phase.SETTING:
        move = next_move(floor, table)
        say(floor, table, move.by, move.action)


def everything(models: ReadModels) -> dict[str, list[Any]]:
    """Return every row of every model."""
    own = [table for model in models.models.values() for table in model.tables]
    with models.connect() as connection:
        return {
            table.name: list(map(tuple, connection.execute(select(table).order_by(*table.primary_key))))
            for table in own
        }


@pytest.fixture(scope="module", params=KINDS)
def floor(request: pytest.FixtureRequest) -> Iterator[Floor]:
    """A floor with five games; nothing is added to it."""
    with new_store(request.param) as store:
        yield played(store)


@pytest.fixture(scope="module")
def models(floor: Floor) -> ReadModels:
    made = ReadModels(floor.store)
    made.catch_up()
    return made


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest) -> Iterator[SqlStore]:
    with new_store(request.param) as store:
        assert isinstance(store, SqlStore)
        yield store


# --- the rows are what the log says -------------------------------------------------------------------


def turns_of(floor: Floor, table: str) -> Iterator[tuple[int, Turn]]:
    for entry in floor.store.tails({f"table/{table}": 0}):
        turn = read_body(entry)
        assert isinstance(turn, Turn)
        yield entry.version, turn


def test_every_round_lies_where_the_log_has_it_and_only_when_it_is_over(
    floor: Floor, models: ReadModels
) -> None:
    for table in floor.tables:
        first = 1
        for version, turn in turns_of(floor, table):
            for event in turn.events:
                if event.step == "close_round":
                    with models.connect() as connection:
                        found = round_of(connection, table, event.round)
                    assert found is not None and found.ending is RoundEnding.PLAYED
                    assert (found.first_version, found.last_version) == (first, version)
                    assert (found.dealer, found.began, found.ended) == (event.by.id, NOON, NOON)
                    first = version + 1
        with models.connect() as connection:
            assert round_of(connection, table, floor.table(table).table.round.number) is None


def test_what_everybody_got_is_what_the_ledger_says(floor: Floor, models: ReadModels) -> None:
    found = {row[:3]: row[-1] for row in everything(models)["round_people"]}
    expected: dict[tuple[str, int, str], int] = {}
    for table in floor.tables:
        ledger, before = Ledger(), Ledger()
        for _, turn in turns_of(floor, table):
            for event in turn.events:
                ledger = _posted(ledger, floor, table, event)
                if event.step == "close_round":
                    for account in ledger.balances:
                        if account.kind is AccountKind.PLAYER:
                            got = ledger.balance(account) - before.balance(account)
                            expected[table, event.round, account.name] = got
                    before = ledger
    assert found == expected


def _posted(ledger: Ledger, floor: Floor, table: str, event: Any) -> Ledger:
    """Post an event; a meter begins with what it was opened with."""
    meter = floor.house.tables[table].meter
    if not ledger.balances and meter is not None:
        value = floor.meter(meter).opened.state.value
        ledger = Ledger(balances={Account(AccountKind.METER, meter): value})
    return posted(ledger, table, event)


def test_money_neither_comes_from_nowhere_nor_goes_there(models: ReadModels) -> None:
    found = everything(models)
    for row in found["rounds"]:
        wagered, put_up, returned, fees, house_net, meters = row[-6:]
        assert wagered + put_up == returned + house_net + meters
        people = [one for one in found["round_people"] if one[:2] == row[:2]]
        assert [sum(one[at] for one in people) for at in (4, 5, 6, 7)] == [wagered, put_up, fees, returned]
        wagers = [one for one in found["round_wagers"] if one[:2] == row[:2]]
        assert sum(one[5] for one in wagers) == wagered


def test_accounting_is_the_sum_of_its_rounds(floor: Floor, models: ReadModels) -> None:
    found = everything(models)
    with models.connect() as connection:
        books = {row["table_id"]: row for row in days_of_tables(connection, DAY, DAY)}
        wagers = days_of_wagers(connection, DAY, DAY)
    for table in floor.tables:
        own = [row for row in found["rounds"] if row[0] == table]
        book = books[table]
        assert (book["rounds"], book["voids"]) == (floor.table(table).table.rounds, 0)
        assert book["handle"] == sum(row[-6] for row in own)
        assert book["fees"] == sum(row[-3] for row in own)
        assert book["win"] - book["seeded"] == sum(row[-2] for row in own)
        for name in ("handle", "win"):
            assert book[name] == sum(row[name] for row in wagers if row["table_id"] == table)
    assert books["ca-fpgp"]["fees"] > 0 == books["ca-fpgp"]["win"]
    assert books["pa-659a"]["contributed"] > 0


def test_the_books_of_a_meter_are_its_history(floor: Floor, models: ReadModels) -> None:
    with models.connect() as connection:
        books = {row["meter"]: row for row in days_of_meters(connection, DAY, DAY)}
    assert sorted(books) == sorted(floor.meters())
    for name, book in books.items():
        meter = floor.meter(name)
        assert {flow: book[COLUMNS[flow]] for flow in Flow} == {
            flow: meter.totals.get(flow, 0) for flow in Flow
        }
        flows = sum(book[column] for column in COLUMNS.values())
        assert book["opened"] + flows == meter.state.value + meter.state.reserve
        assert book["wins"] == meter.won


def test_a_player_has_a_history_of_their_own_page_by_page(models: ReadModels) -> None:
    with models.connect() as connection:
        whole, end = history(connection, "Ann")
        assert end is None and len(whole) == 6
        pages, cursor = [], None
        for _ in range(3):
            page, cursor = history(connection, "Ann", cursor=cursor, limit=2)
            pages += page
    assert pages == whole and cursor is None
    for one in whole:
        assert one.net == one.returned - one.wagered - one.put_up - one.fees


# --- made again, at any time --------------------------------------------------------------------------


def test_a_second_catching_up_adds_nothing_and_a_rebuild_makes_the_same_rows(
    floor: Floor, models: ReadModels
) -> None:
    before = everything(models)
    assert models.catch_up() == 0 and everything(models) == before
    for name in models.models:
        models.rebuild(name)
        assert everything(models) == before
    again = ReadModels(floor.store)
    again.catch_up()
    assert everything(again) == before
    with pytest.raises(UnknownNameError):
        models.rebuild("gossip")


def test_models_that_keep_up_step_by_step_end_where_those_do_that_come_late(
    database: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houseway.floor.readmodels.runner.FOLD_EVERY", 1)
    monkeypatch.setattr("houseway.floor.readmodels.runner.PAGE", 7)
    floor = played(database, ("pa-575",))
    ReadModels(database).catch_up()
    for _ in range(12):
        move = next_move(floor, "pa-575")
        say(floor, "pa-575", move.by, move.action)
        models = ReadModels(database)  # a new process goes on from what was written down
        assert models.catch_up() == 1
    before = everything(models)
    for name in models.models:
        models.rebuild(name)
    assert everything(models) == before
    with database.engine.connect() as connection:
        assert connection.execute(select(rows.FOLDED.c.table_id)).scalars().all() == ["pa-575"]
        connection.execute(rows.FOLDED.update().values(body=b"of another version"))
    move = next_move(floor, "pa-575")
    say(floor, "pa-575", move.by, move.action)
    again = ReadModels(database)
    assert again.catch_up() == 1
    kept = everything(again)
    for name in again.models:
        again.rebuild(name)
    assert everything(again) == kept


class StoppedError(Exception):
    """Stops a catching up."""


def test_whatever_stops_it_no_entry_is_skipped_or_applied_twice(
    database: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houseway.floor.readmodels.runner.PAGE", 16)
    played(database, ("pa-659a",))
    whole = ReadModels(database)
    whole.catch_up()
    expected = everything(whole)
    for point in Point:
        with database.engine.connect() as connection:
            connection.execute(rows.READ_MODELS.delete())
        left = [3]

        def stop(reached: Point, point: Point = point, left: list[int] = left) -> None:
            left[0] -= reached is point
            if reached is point and left[0] == 0:
                raise StoppedError

        models = ReadModels(database, at_point=stop)
        with pytest.raises(StoppedError):
            models.catch_up()
        applied = 3 if point is Point.COMMITTED else 2
        assert {kept.place[1] for kept in models.places().values()} == {_nth(database, 16 * applied)}
        models.catch_up()
        assert everything(models) == expected


def _nth(store: Store, number: int) -> int:
    places = [place for place, _ in store.everything()]
    return places[number - 1][1]


def test_a_model_of_another_version_is_rebuilt_by_itself_and_a_newer_one_is_left(database: SqlStore) -> None:
    played(database, ("pa-575",))
    models = ReadModels(database, [Rounds()])
    models.catch_up()
    with database.engine.connect() as connection:
        connection.execute(rows.ROUNDS.update().values(game="old"))
    assert models.catch_up() == 0
    newer = ReadModels(database, [Rounds(version=Rounds().version + 1)])
    assert newer.catch_up() > 0
    with newer.connect() as connection:
        assert {one.game for one in find_rounds(connection)[0]} == {"pa-575"}
    assert models.catch_up() == 0 and models.places()["rounds"].version == Rounds().version + 1


def test_another_beginning_of_the_gaming_day_books_everything_anew() -> None:
    store = MemoryStore()
    played(store, ("pa-575",))
    models = ReadModels(store)
    models.catch_up()
    later = ReadModels(store, [Accounting(GamingDay("America/New_York", time(8)))])
    later.engine = models.engine
    later.catch_up()
    with later.connect() as connection:
        assert not days_of_tables(connection, DAY, DAY)
        assert days_of_tables(connection, date(2026, 1, 3), DAY)[0]["rounds"] == 2


def test_a_gaming_day_ends_when_the_next_begins() -> None:
    day = GamingDay("America/Los_Angeles", time(6))
    assert day.of(datetime(2026, 1, 2, 13, 59, 59, tzinfo=UTC)) == date(2026, 1, 1)
    assert day.of(datetime(2026, 1, 2, 14, tzinfo=UTC)) == date(2026, 1, 2)


def test_whoever_only_reads_a_file_keeps_nothing_up(database: SqlStore) -> None:
    models = ReadModels(database)
    models.read_only = True
    with pytest.raises(IllegalError, match="read-only"):
        models.catch_up()
    with pytest.raises(IllegalError, match="read-only"):
        models.rebuild("rounds")


# --- databases ----------------------------------------------------------------------------------------


def test_the_migrations_make_the_tables_that_the_program_has(database: SqlStore) -> None:
    both = MetaData()
    for metadata in (schema.METADATA, readmodels.sql_tables.METADATA):
        for table in metadata.tables.values():
            table.to_metadata(both)
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), both) == []


def test_of_two_servers_one_at_a_time_keeps_a_model_up() -> None:
    with fresh_database() as url:
        stores = [PostgresStore(url), PostgresStore(url)]
        floor = played(stores[0], ("pa-659a",))
        other = ReadModels(stores[1])
        tried: list[int] = []
        one = ReadModels(stores[0], at_point=lambda _: tried.append(other.catch_up()))
        assert one.catch_up() > 0 and set(tried) == {0}
        models = (ReadModels(stores[0]), other)
        for turn in range(9):
            move = next_move(floor, "pa-659a")
            say(floor, "pa-659a", move.by, move.action)
            assert models[turn % 2].catch_up() >= 1 and models[1 - turn % 2].catch_up() == 0
        before = everything(one)
        assert everything(other) == before
        for name in other.models:
            other.rebuild(name)
        assert everything(one) == before
        for store in stores:
            store.close()


def test_a_rebuild_by_another_server_in_the_middle_is_noticed() -> None:
    with fresh_database() as url:
        stores = [PostgresStore(url), PostgresStore(url)]
        played(stores[0], ("pa-575",))
        one, other = ReadModels(stores[0]), ReadModels(stores[1])
        one.catch_up()
        before = everything(one)
        other.rebuild("search")
        asked: list[Point] = []

        def rebuilt_meanwhile(point: Point) -> None:
            asked.append(point)
            if len(asked) == 1:
                with stores[1].engine.connect() as connection:
                    connection.execute(rows.ROUNDS.delete())
                    connection.execute(rows.READ_MODELS.update().values(transaction=0, position=0))

        late = ReadModels(stores[0], at_point=rebuilt_meanwhile)
        late.rebuild("rounds")
        assert everything(late)["rounds"] == before["rounds"]
        for store in stores:
            store.close()

"""Practice lies in storage that ends: a start opens no table of it, and what is over is begun anew."""

from __future__ import annotations

import gzip
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from houseway.cli.system import SystemRuntime
from houseway.errors import IllegalError
from houseway.floor.audit import RefoldError
from houseway.floor.bodies import entries_after
from houseway.floor.floor_books import BooksError
from houseway.floor.readmodels import ReadModels, find_rounds
from houseway.floor.setup_events import TableForgotten
from houseway.floor.streams import ACCESS, SETUP, table_stream
from houseway.floor.table_events import Undone
from houseway.floor.verification import verify_floor, verify_start
from houseway.games import example_submission
from houseway.rng import SeededEntropy
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor
from houseway.rounds.steps.hand import Look
from houseway.rounds.steps.players import Sit
from houseway.service.api import make_app
from houseway.service.practice_floor import open_practice
from houseway.service.practice_rules import PLAY_MONEY, practice_plan, practice_players, undo_choice
from houseway.service.server_setup import build_server, open_floor
from houseway.store.entries import EMPTY
from houseway.store.memory import MemoryStore
from houseway.store.postgres import PostgresStore
from houseway.store.practice_storage import PostgresStorage, SqliteStorage, storage_beside
from houseway.store.protocol import Batch
from houseway.store.safe import KEY_BYTES, DeckSafe
from houseway.store.sqlite import SqliteStore
from tests.floor.support import NOON, in_effect, make_table, new_floor, say
from tests.service.doors import Visitor
from tests.service.driving import HERE, PAT, Person
from tests.service.practising import PracticeWorld, practice_world, seated, to_setting
from tests.service.support import Person as Browser
from tests.service.support import served
from tests.store.practising import new_storage
from tests.store.support import DATABASES, fresh_database, postgres_server

BRANCHES = Path(__file__).parents[1] / "floor" / "data" / "floor-branches.db.gz"
RUNTIME = SystemRuntime()
ZOE = Actor("Zoe", Role.PLAYER)
SETTLING_IN, ENDED = timedelta(minutes=1), timedelta(hours=24)


# --- beside the licensed log --------------------------------------------------------------------------


def test_practice_lies_beside_the_licensed_floor(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db")
    beside = storage_beside(store)
    assert isinstance(beside, SqliteStorage) and beside.path == tmp_path / "floor-practice.db"
    store.close()


def test_a_start_opens_no_practice_table_and_who_comes_back_finds_theirs(tmp_path: Path) -> None:
    database = str(tmp_path / "floor.db")
    floor = open_floor(database, RUNTIME)
    in_effect(floor, example_submission("pa-575"))
    server = build_server(floor, {}, RUNTIME)
    assert server.practice is not None
    pat = server.practice.tables.take("pa-575", PAT)
    others = [server.practice.tables.take("pa-575", Actor(f"g-{n}", Role.GUEST)) for n in range(5)]
    before = floor.store.heads()
    server.close()

    server = build_server(open_floor(database, RUNTIME), {}, RUNTIME)
    assert server.practice is not None
    practice = server.practice.loop.floor
    with TestClient(make_app(server)) as client:
        assert practice.tables == sorted([pat, *others]) and practice.open_tables() == ()
        token = {"cookie": f"houseway={'x' * 20}"}
        assert client.get("/api/v1/tables", headers=token).status_code in (200, 401)
        assert practice.open_tables() == (), "nor does the lobby"
        assert client.portal is not None
        taken = client.portal.call(
            server.practice.loop.between,
            lambda: server.practice.tables.take("pa-575", PAT),  # type: ignore[union-attr]
        )
        assert taken == pat and [one.table.id for one in practice.open_tables()] == [pat]
        assert server.loop.floor.store.heads() == before
    server.close()


def test_practice_that_was_dealt_with_another_key_begins_anew(tmp_path: Path) -> None:
    """The floor's key was changed: nobody can open the decks of rounds in play."""
    storage = SqliteStorage(tmp_path / "floor-practice.db")
    world = to_setting(seated(practice_world(storage=storage)))
    assert world.floor.tables
    world.close()
    world.licensed.safe = DeckSafe(bytes(KEY_BYTES), SeededEntropy("another"))
    practice = open_practice(world.licensed, SystemRuntime(), storage, clock=lambda: world.now)
    assert not practice.loop.floor.tables
    for close in practice.on_close:
        close()


def test_a_server_killed_in_mid_round_comes_back_with_the_same_cards(tmp_path: Path) -> None:
    storage = SqliteStorage(tmp_path / "floor-practice.db")
    world = to_setting(seated(practice_world(storage=storage)))
    cards = [str(card) for card in world.table().round.hands[HERE].cards]
    later = tmp_path / "later"
    later.mkdir()
    for path in tmp_path.glob("floor-practice.db*"):
        shutil.copy(path, later)  # as a kill leaves them: nothing was closed
    again = PracticeWorld(plans={}, storage=SqliteStorage(later / "floor-practice.db"), now=world.now)
    again.name = world.name
    with served(again.licensed, practice=again.practice) as (client, _):
        pat = Browser(client, PAT.id, Role.PLAYER)
        assert pat.send("POST", "/api/v1/practice", {"game": world.game}).json() == {"table": world.name}
        hands = {hand["position"]: hand for hand in pat.look(world.name)["view"]["hands"]}
        assert hands[HERE]["cards"] == cards
    again.run(lambda: again.table().rounds >= 1, Person(again, sat=True).act)
    last = again.table().last
    assert last is not None and [str(card) for card in last.hands[HERE].cards] == cards
    again.close()
    world.close()


# --- what is over -------------------------------------------------------------------------------------


def _of_another_version(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")


def _of_no_version(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'of the future'")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: 5 * 4096])


def _no_database(path: Path) -> None:
    path.write_bytes(b"nothing of the kind" * 1000)


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


def _written_by_nobody(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE entries SET body = '{}' WHERE stream = 'floor'")


FAULTS = (_of_another_version, _of_no_version, _cut, _no_database, _emptied, _written_by_nobody)


@pytest.mark.parametrize("spoil", FAULTS)
def test_what_cannot_be_read_is_begun_anew_and_never_an_error(
    spoil: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "floor-practice.db"
    world = seated(practice_world(storage=SqliteStorage(path)))
    first = world.name
    world.close()
    for beside in tmp_path.glob("*-wal"):
        assert not beside.stat().st_size
    spoil(path)
    world.open()
    assert first not in world.floor.house.tables
    seated(world.take())
    world.close()


@pytest.mark.parametrize("kind", DATABASES)
def test_what_nobody_has_touched_for_a_day_is_begun_anew(kind: str) -> None:
    with new_storage(kind) as storage:
        world = seated(practice_world(storage=storage))
        first = world.name
        world.now += ENDED - timedelta(seconds=1)
        world.restart()
        assert first in world.floor.house.tables
        world.now += timedelta(seconds=1)
        world.restart()
        assert world.floor.house.tables == {} and world.floor.store.heads() == {}
        seated(world.take())
        assert world.name != first, "no name is given twice"
        world.close()


def test_a_floor_whose_practice_cannot_be_opened_is_served_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise IllegalError("no schema may be made here")

    monkeypatch.setattr("houseway.service.server_setup.open_practice", refuse)
    floor = open_floor(str(tmp_path / "floor.db"), RUNTIME)
    server = build_server(floor, {}, RUNTIME)
    server.close()
    with served(floor) as (client, _):
        guest = Browser(client, "", Role.GUEST)
        assert guest.send("POST", "/api/v1/practice", {"game": "pa-575"}).status_code == 404
        assert guest.send("GET", "/api/v1/tables/practice-x").status_code == 404


# --- PostgreSQL ---------------------------------------------------------------------------------------


@pytest.fixture
def url() -> Iterator[str]:
    with fresh_database() as url:
        yield url


def test_two_servers_on_one_database_agree_about_practice(url: str) -> None:
    licensed = PostgresStore(url)
    one = PracticeWorld(plans={}, store=licensed, storage=storage_beside(licensed)).take()
    two = PracticeWorld(plans={}, store=licensed, storage=storage_beside(licensed), seed="two")
    assert isinstance(one.storage, PostgresStorage)
    table = one.name
    assert two.practice.tables.take(two.game, PAT) == table, "it is Pat's, whichever server is asked"
    assert two.practice.tables.take(two.game, ZOE) != table
    two.name = table
    to_setting(seated(one))
    two.floor.catch_up([table])
    assert two.running() == one.running()
    cards = one.table().round.hands[HERE].cards
    undo_choice(two.floor, table, PAT, practice_plan(practice_players(table)))
    one.floor.catch_up([table])
    assert one.table().phase is Phase.BETTING and one.running() == two.running()
    one.run(lambda: one.table().phase is Phase.SETTING, Person(one, sat=True).act)
    assert one.table().round.hands[HERE].cards == cards, "from the deck that is still sealed"
    one.say(PAT, Look(HERE))
    two.practice.tables.forget(table)
    one.floor.refresh()
    assert table not in one.floor.house.tables and not one.floor.is_open(table)
    assert not one.floor.store.sealed_decks(table_stream(table))
    assert set(licensed.heads()) == {SETUP}, "the licensed log holds the rules and nothing else"
    one.verified()
    for world in (one, two):
        world.close()
    licensed.close()


def test_a_table_at_which_somebody_has_just_sat_down_on_another_server_is_given_to_nobody(url: str) -> None:
    licensed = PostgresStore(url)
    one = PracticeWorld(plans={}, store=licensed, storage=storage_beside(licensed)).take()
    one.run(lambda: one.table().phase is Phase.BETTING)
    two = PracticeWorld(plans={}, store=licensed, storage=storage_beside(licensed), seed="two")
    assert two.practice.tables.take(two.game, PAT) == one.name
    one.say(PAT, Sit(HERE))
    two.now += 2 * SETTLING_IN
    assert two.practice.tables.take(two.game, ZOE) != one.name
    for world in (one, two):
        world.close()
    licensed.close()


def test_a_server_opens_what_another_has_given_to_somebody_so_that_it_is_driven(url: str) -> None:
    licensed = PostgresStore(url)
    one = PracticeWorld(plans={}, store=licensed, storage=storage_beside(licensed))
    two = PracticeWorld(plans={}, store=licensed, storage=storage_beside(licensed))
    with served(two.licensed, practice=two.practice) as (client, _):
        table = one.take().name
        one.now = two.now = two.now + timedelta(seconds=1)
        assert client.portal is not None
        for _ in range(2):
            client.portal.call(two.practice.loop.look_around)
        assert two.floor.is_open(table) and not two.driver.due(two.now)
        assert [name for name, _ in two.driver.due(two.now + timedelta(seconds=1))] == [table]
    for world in (one, two):
        world.close()
    licensed.close()


def test_schemas_of_other_versions_go_when_nobody_uses_them_and_one_in_use_stays(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = PostgresStorage(url)
    older._schema = "practice_0000"
    used = older.open()
    floor = new_floor(MemoryStore())
    first = open_practice(floor, RUNTIME, PostgresStorage(url))
    assert {"practice_0000", PostgresStorage(url)._schema} <= _schemas(url), "somebody uses it"
    used.close()
    in_effect(floor, example_submission("pa-575"))
    table = first.tables.take("pa-575", PAT)
    late = new_floor(floor.store)
    late.clock = lambda: NOON + 2 * ENDED
    second = open_practice(late, RUNTIME, PostgresStorage(url))
    assert "practice_0000" not in _schemas(url)
    assert table in second.loop.floor.house.tables, "what another server uses is not thrown away"
    for practice in (first, second):
        for close in practice.on_close:
            close()
    third = open_practice(late, RUNTIME, PostgresStorage(url))
    assert not third.loop.floor.house.tables
    for close in third.on_close:
        close()


def _schemas(url: str) -> set[str]:
    with psycopg.connect(url) as connection:
        return {name for (name,) in connection.execute("SELECT nspname FROM pg_namespace")}


def test_a_role_that_may_make_no_schema_is_told_what_it_needs(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("DROP ROLE IF EXISTS plain_server")
        admin.execute("CREATE ROLE plain_server LOGIN")
    name = url.partition("?")[0].rpartition("/")[2]
    plain = postgres_server().get_uri(name).replace("postgres:", "plain_server:", 1)
    with pytest.raises(IllegalError, match="GRANT CREATE"):
        PostgresStorage(plain).open()
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("DROP ROLE plain_server")


# --- logs of earlier versions -------------------------------------------------------------------------


@pytest.fixture
def older(tmp_path: Path) -> Iterator[SqliteStore]:
    path = tmp_path / "floor.db"
    with gzip.open(BRANCHES) as packed, path.open("wb") as file:
        shutil.copyfileobj(packed, file)
    store = SqliteStore(path)
    yield store
    store.close()


def test_practice_and_branches_in_a_licensed_log_are_verified_and_neither_served_nor_opened(
    older: SqliteStore,
) -> None:
    with older.picture() as picture:
        found = verify_floor(picture)
    assert (found.log.entries, found.rounds, found.total) == (172, 1, 0)
    floor = new_floor(older)
    verify_start(floor)
    before = older.heads()
    assert set(floor.house.branches) == {"practice-t~2", "practice-t~3"} and floor.house.licensed_tables == [
        "t1"
    ]
    server = build_server(floor, {}, RUNTIME)
    assert [one.table.id for one in floor.open_tables()] == ["t1"]
    assert server.practice is not None and not server.practice.loop.floor.house.tables
    with served(floor, practice=server.practice) as (client, inner):
        manager, eye = Browser(client, "Max", Role.MANAGER), Browser(client, "Sam", Role.SURVEILLANCE)
        assert [row["table"] for row in manager.send("GET", "/api/v1/tables").json()] == ["t1"]
        for table in ("practice-t", "practice-t~2"):
            for path in ("", "/rules", "/log", "/rounds/1/packet"):
                answer = eye.send("GET", f"/api/v1/tables/{table}{path}")
                assert answer.status_code == 404, (table, path)
        assert set(manager.send("GET", "/api/v1/meters").json()) == {"t1"}
        assert manager.send("GET", "/api/v1/meters/practice-t").status_code == 404
        tables = manager.send("GET", "/api/v1/waiting").json()["tables"]
        assert [one["view"]["id"] for one in tables] == ["t1"]
        guest = Browser(client, "", Role.GUEST)
        assert guest.send("POST", "/api/v1/practice", {"game": "pa-659a"}).status_code == 200
        assert [one.table.id for one in floor.open_tables()] == ["t1"] and older.heads() == before
        assert inner.practice is server.practice
    server.practice.on_close[-1]()
    models = ReadModels(older)
    models.catch_up()
    with models.connect() as connection:
        assert {row.table_id for row in find_rounds(connection)[0]} <= {"t1"}, (
            "nor do read models tell of them"
        )


def test_a_branch_that_begins_where_its_table_never_was_is_found(older: SqliteStore) -> None:
    floor = new_floor(older)
    wrong = next(iter(floor.house.branches.values()))
    forged = replace(wrong, table="practice-t~4", hash="00" * 32, at=wrong.at + timedelta(days=1))
    floor.set_up(lambda _, __: [forged])
    with pytest.raises(RefoldError, match="never had"), older.picture() as picture:
        verify_floor(picture)


def test_what_belongs_to_practice_is_refused_in_a_licensed_stream() -> None:
    floor = new_floor(MemoryStore())
    make_table(floor, "t1", example_submission("pa-575"))
    say(floor, "t1", PAT, Sit(2))
    running = floor.table("t1")
    forged = Undone(version=0, hash=EMPTY.hash.hex(), state=running.state(), by=PAT, at=NOON)
    forgotten = TableForgotten(table="t1", by=PAT, at=NOON)
    for stream, head, event in (
        (running.stream, running.head, forged),
        (SETUP, floor._setup_head, forgotten),
    ):
        store = MemoryStore()
        entries = [entry for _, entry in floor.store.everything()]
        store.append_batch(Batch(entries=entries))
        store.append_batch(Batch(entries=entries_after(stream, head, [event])))
        with pytest.raises(BooksError), store.picture() as picture:
            verify_floor(picture)


# --- who watches --------------------------------------------------------------------------------------


def test_what_was_undone_is_told_in_no_log_of_the_table() -> None:
    world = to_setting(seated(practice_world()))
    world.run(lambda: world.table().rounds >= 1, Person(world, sat=True).act)
    with served(world.licensed, practice=world.practice) as (client, _):
        eye = Browser(client, "Sam", Role.SURVEILLANCE)
        path = f"/api/v1/tables/{world.name}/log"
        steps = [row["step"] for row in eye.send("GET", path).json()["rows"]]
        assert "settle" in steps
        pat = Browser(client, PAT.id, Role.PLAYER)
        assert pat.send("POST", f"/api/v1/tables/{world.name}/undo").status_code == 200
        left = [row["step"] for row in eye.send("GET", path).json()["rows"]]
        assert left == steps[: len(left)] and left[-1] == "look"
        assert world.table().phase is Phase.SETTING


# --- from the door ------------------------------------------------------------------------------------


def test_a_guest_leaves_no_trace_in_the_licensed_log_of_a_served_floor(tmp_path: Path) -> None:
    floor = open_floor(str(tmp_path / "floor.db"), RUNTIME)
    in_effect(floor, example_submission("pa-575"))
    server = build_server(floor, {}, RUNTIME)
    before = floor.store.heads()
    with TestClient(make_app(server)) as client:
        guest = Visitor(client)
        guest.keep(guest.send("POST", "/api/v1/session/guest"))
        table = guest.send("POST", "/api/v1/practice", {"game": "pa-575"}).json()["table"]
        path = f"/api/v1/tables/{table}"
        sit = {"id": "sit", "action": {"step": "sit", "position": HERE}}
        assert guest.send("POST", f"{path}/commands", sit).status_code == 200
        while guest.send("GET", path).json()["chips"] != PLAY_MONEY:
            pass  # the automatic dealer brings them
        for number in range(3):
            wager = {"step": "wager", "position": HERE, "wagers": {"main": 500}}
            bet = guest.send("POST", f"{path}/commands", {"id": f"bet-{number}", "action": wager})
            assert bet.status_code == 200, bet.text
            while not (told := guest.send("GET", f"{path}/patience").json())["until"]:
                pass  # the house player bets too
            assert told["until"] > told["now"], "the table waits for one who has bet and is not ready"
            assert guest.send("POST", f"{path}/undo").status_code == 200
    heads = {stream: head for stream, head in floor.store.heads().items() if stream != ACCESS}
    assert heads == before, "that somebody came in is counted at the door, and nothing of what they played"
    server.close()
    floor = open_floor(str(tmp_path / "floor.db"), RUNTIME)
    server = build_server(floor, {}, RUNTIME)
    assert floor.open_tables() == (), "the next start opens nothing of it"
    server.close()

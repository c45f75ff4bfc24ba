"""A floor as the program of November 2026 left it, in both databases: opened, checked and played on.

``data/README.md`` says what the files hold. The figures below are what that program said of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, select, text

from houseway.cli.verify_log import NOT_ALL_DECIDED
from houseway.floor import duties
from houseway.floor.audit import FloorVerification
from houseway.floor.audit.entry_judge import UNNAMED
from houseway.floor.bodies import read_body
from houseway.floor.bookmarks import bookmarks_of
from houseway.floor.core import Floor
from houseway.floor.people_events import KeySet, PeopleEvent
from houseway.floor.readmodels import ReadModels, RoundEnding, find_rounds
from houseway.floor.round_search import find_round
from houseway.floor.streams import PEOPLE, is_practice, table_stream
from houseway.floor.tasks import ChangeLink, MeterAdjustment, MoveChips, read_proposed
from houseway.floor.verification import verify_floor, verify_start
from houseway.rng import SeededEntropy
from houseway.rounds.record import Turn
from houseway.rounds.replay import difference
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.wagers import PlaceWagers
from houseway.service.passwords import Passwords
from houseway.service.people import FOR_GOOD, People, evolve_people
from houseway.service.sessions import Sessions
from houseway.store.log_check import verify_log
from houseway.store.protocol import Store
from houseway.store.sql import check_up_to_date
from houseway.store.sqlite import SqliteStore
from houseway.store.store_copy import copy_to_file
from houseway.store.store_url import open_store
from tests.floor.floor_of_2026 import (
    APPLIED,
    CHECKPOINTS,
    CHIPS,
    ENTRIES,
    IN_PROGRESS,
    KINDS,
    LATER,
    LINK,
    METERS,
    REVISION,
    ROLES,
    ROUNDS,
    STREAMS,
    TABLES,
    VOID,
    copy_of_floor,
    open_floor,
)
from tests.floor.support import approve_program, command, play
from tests.service.crowd import CHEAP
from tests.store.support import DATABASES

FLO = Actor("flo", Role.FLOORPERSON, "Flo")
MIA, ROB = Actor("mia", Role.MANAGER, "Mia"), Actor("rob", Role.MANAGER, "Rob")
_FIRST = "view_spread: a player arrives first, who may look the cards over"
_COIN_IN = "outcome.payments[1].reason: booked by COIN IN is decided, taken at no more bets is recorded"
_LIMIT = "command 13, open_table: event 1, alerts: [{'clauses': ['pa659a.2.b.7.deleted'], 'field': 'limit_"
DECIDED_OTHERWISE = {
    ("ca-fpgp", 1): "ca.fpgp.settle.push is decided, ca.fpgp.settle.pd_bonus is recorded",
    ("ca-fpgp", 2): "ca.fpgp.settle.lose is decided, ca.fpgp.settle.pd_bonus is recorded",
    ("chips-table", 1): _LIMIT,
    ("dealer-table", 1): _LIMIT,
    ("mishaps-pa-575", 1): _FIRST,
    ("mishaps-pa-575", 2): "relieve.shaker: “The shaker” is not filled in here",
    ("mishaps-pa-659a", 1): _FIRST,
    ("mishaps-pa-659a", 2): "relieve.shaker: “The shaker” is not filled in here",
    ("mishaps-pa-670a", 1): _FIRST,
    ("mishaps-pa-670a", 2): "pa670a.11.h.1.i.c is decided, nothing is recorded",
    ("mishaps-wa-fap", 1): _COIN_IN,
    ("mishaps-wa-fap", 2): _COIN_IN,
    ("mishaps-wa-fap", 3): "wa.fap.overview.compare_pairs is decided, wa.fap.fortune.a is recorded",
    ("pa-659a", 1): _LIMIT,
    ("pa-659a-second", 1): _LIMIT,
    ("wa-fap", 1): _COIN_IN,
    ("wa-fap", 2): _COIN_IN,
}
"""Rounds that the program of today decides otherwise, and what differs first: a refusal, a clause, a word."""


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


def verified(store: Store) -> FloorVerification:
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
        assert play_now.commitment == commitment and commitment in store.sealed_decks(table_stream(name))
        assert {at: len(hand.cards) for at, hand in play_now.hands.items()} == {2: cards, 5: cards}
    assert floor.table("wa-fap").rules.submission.reference == "wa-fap of the autumn"
    tray = floor.table("chips-table").tray
    assert (tray.value, tray.layout, tray.people) == CHIPS
    assert tray.open and tray.slips["F-0003"].approved is None


def test_the_meters_stand_where_they_stood(store: Store) -> None:
    floor = open_floor(store)
    assert {name for name in floor.meters() if not is_practice(name)} == set(METERS)
    for name, expected in METERS.items():
        meter = floor.meter(name)
        assert (meter.head.version, meter.state.value, meter.state.reserve) == expected
    (win,) = floor.meter(LINK).wins
    assert (win.person, win.amount, win.table, win.round) == ("gus", 290_400_000, "pa-659a-second", 1)
    assert (win.serial, win.printed, win.voided) == ("pa-659a-link-000008", 2, "printed on torn paper")


def test_what_was_set_up_and_what_waits_is_there(store: Store) -> None:
    house = open_floor(store).house
    reference = {rules: event.submission.reference for rules, event in house.filed.items()}
    assert len(reference) == 8 and len(house.effective) == 6
    assert [reference[rules] for rules in house.ended] == ["pa-575 of the summer"]
    waiting = {reference[rules] for rules in house.filed.keys() - house.effective.keys() - house.ended}
    assert waiting == {"pa-670a of the winter"}
    assert house.program is not None and house.program.version == "0.1.0"
    assert house.down == {(LINK, "dealer-table"): "cable cut at the dealer table"}
    tasks = {name: read_proposed(one.task) for name, one in house.proposals.items()}
    drop, adjustment = tasks["2026-duty-1345"], tasks["2026-duty-1350"]
    assert len(tasks) == 2
    assert isinstance(drop, MoveChips) and drop.table == "chips-table"
    assert isinstance(adjustment, MeterAdjustment) and adjustment.amount == -5_000_000
    (mark,) = bookmarks_of(store, "sam").values()
    assert (mark.table, mark.round, mark.note) == ("pa-659a-second", 1, "the award")


def test_its_people_are_who_they_were(store: Store) -> None:
    people = People()
    for entry in store.tails({PEOPLE: 0}):
        event = read_body(entry)
        assert isinstance(event, PeopleEvent)
        people = evolve_people(people, event)
    roles = {name: {role.value for role in user.roles} for name, user in people.users.items()}
    assert roles == ROLES
    assert people.users["zoe"].barred_until(LATER) == FOR_GOOD
    assert people.users["tim"].barred_until(LATER) == datetime(2027, 3, 1, tzinfo=UTC)
    barred = {name for name, user in people.users.items() if user.barred_until(LATER)}
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
        chapter = find_round(store, table, number, versions=(first, last))
        assert chapter.record is not None and not chapter.faults, (table, number)
        found = difference(chapter.record)
        expected = DECIDED_OTHERWISE.get((table, number))
        assert found is None if expected is None else found is not None and expected in found, found


def test_it_is_backed_up_whole(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "backup.db"
    assert copy_to_file(store, path).entries == ENTRIES
    backup = SqliteStore(path)
    assert verified(backup).rounds == len(ROUNDS)
    assert backup.heads() == store.heads()
    backup.close()


def test_it_is_brought_up_to_date_from_the_migration_of_then(url: str) -> None:
    engine = open_engine(url)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == REVISION
    open_store(url).close()
    check_up_to_date(engine)
    engine.dispose()


def open_engine(url: str) -> Engine:
    """Open a database as it lies there, bringing nothing up to date."""
    scheme = "postgresql+psycopg" if url.startswith("postgresql") else "sqlite"
    return create_engine(f"{scheme}://{url.removeprefix('postgresql://') if '://' in url else '/' + url}")


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
    up = ChangeLink(LINK, up=True, reason="cable replaced", table="dealer-table")
    assert duties.ask(floor, up, FLO, "link-up") is None


def test_it_is_played_on_at_every_licensed_table(url: str) -> None:
    store = open_store(url)
    floor = open_floor(store)
    finish_rounds(floor)
    assert verified(store).rounds == len(ROUNDS) + len(IN_PROGRESS)
    approve_program(floor, MIA, ROB)
    bring_link_up(floor)
    for name in TABLES:
        play(floor, name, 1)
    after = {name: played + 1 + (name in IN_PROGRESS) for name, (_, _, played) in TABLES.items()}
    assert {name: floor.table(name).table.rounds for name in TABLES} == after
    tray = floor.table("chips-table").tray
    value, layout, people = CHIPS
    assert tray.total == value + layout + sum(people.values()) and tray.value != value
    for name in IN_PROGRESS:  # decided by the program of then as far as it came, and by this one
        chapter = find_round(store, name, TABLES[name][2] + 1)
        assert chapter.record is not None and not chapter.faults
        assert difference(chapter.record) is None
    whole = verified(store)
    assert (whole.rounds, whole.total) == (sum(after.values()), 0)
    assert open_floor(store).meters() == floor.meters()
    check_models(ReadModels(store), after)
    store.close()
    check_at_command_line(url, whole)


def check_at_command_line(url: str, whole: FloorVerification) -> None:
    """Have the log verified at the command line, which reads the database and brings nothing up to date."""
    from typer.testing import CliRunner  # noqa: PLC0415 - only here

    from houseway.cli.app import app  # noqa: PLC0415

    done = CliRunner().invoke(app, ["verify-log", url, "--json"])
    assert done.exit_code == NOT_ALL_DECIDED, done.output
    answer = json.loads(done.output)
    assert not answer["whole"] and answer["not_decided_again"].keys() == {UNNAMED}
    assert answer["entries"] == whole.log.entries > ENTRIES


def test_a_command_of_then_sent_again_is_answered_as_it_was(url: str) -> None:
    store = open_store(url)
    floor = open_floor(store)
    entry = list(store.tails({table_stream("pa-575"): 0}))[-1]
    turn = read_body(entry)
    assert isinstance(turn, Turn)
    floor.submit("pa-575", command(turn.command.by, turn.command.action, entry.command))
    (answer,) = floor.run()
    assert (answer.table, answer.version) == ("pa-575", 39) and not answer.refused and not answer.fault
    assert floor.table("pa-575").head.version == 39
    store.close()


# --- what lies beside the log -------------------------------------------------------------------------


def rows_of(models: ReadModels) -> dict[str, list[Any]]:
    """Return every row of every model."""
    tables = [table for model in models.models.values() for table in model.tables]
    with models.connect() as connection:
        return {
            table.name: list(map(tuple, connection.execute(select(table).order_by(*table.primary_key))))
            for table in tables
        }


def check_models(models: ReadModels, rounds: dict[str, int]) -> None:
    """Hold the read models, caught up, against the rounds of the tables and against a rebuild."""
    assert models.catch_up() >= ENTRIES - APPLIED
    assert models.catch_up() == 0
    with models.connect() as connection:
        listed, _ = find_rounds(connection, limit=100)
    assert {(row.table_id, row.round) for row in listed} == {
        (name, number) for name, count in rounds.items() for number in range(1, count + 1)
    }
    assert {(row.table_id, row.round) for row in listed if row.ending is RoundEnding.VOID} == VOID
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

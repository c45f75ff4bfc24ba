"""Several servers, several tables on one meter: nothing is lost, doubled or out of order."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from houseway.floor.bodies import read_body
from houseway.floor.meter_events import MeterTurn
from houseway.floor.shared_meters import Flow, check_meter, movements_of
from houseway.games import example_submission
from houseway.ledger import Movement
from houseway.meters import MeterMove
from houseway.money import Cents
from houseway.rounds.record import Turn
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.players import Sit
from houseway.rounds.steps.wagers import PlaceWagers
from houseway.store.entries import Entry
from houseway.store.log_check import verify_log
from houseway.store.memory import MemoryStore
from houseway.store.postgres import PostgresStore
from houseway.store.protocol import Store
from houseway.store.sqlite import SqliteStore
from tests.floor.support import command, make_table, new_floor, next_move, say
from tests.store.support import fresh_database

ROUNDS = 3
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn")
ANN = Actor("Ann", Role.PLAYER)


def test_two_processes_share_tables_and_one_meter_that_is_the_sum_of_its_history() -> None:
    with fresh_database() as url:
        store = PostgresStore(url)
        floor = new_floor(store)
        for table in ("t1", "t2", "t3"):
            make_table(floor, table, example_submission("pa-659a"), "link")
            for at, name in enumerate(NAMES, 2):
                say(floor, table, Actor(name, Role.PLAYER), Sit(at))
        words = [sys.executable, "-m", "tests.floor.sharing", url]
        servers = [
            subprocess.Popen([*words, f"server {n}", f"t{n}", str(ROUNDS)], stdout=-1, stderr=-1, text=True)
            for n in (1, 2)
        ]
        done = [server.communicate(timeout=180) for server in servers]
        assert [server.returncode for server in servers] == [0, 0], [said for _, said in done]
        answered = {tuple(line.rsplit(" ", 2)) for said, _ in done for line in said.splitlines()}
        verify_log(store)
        floor.catch_up(floor.tables)
        meter = floor.meter("link")
        check_meter(meter)
        assert meter.totals[Flow.PAID] < 0 < meter.totals[Flow.CONTRIBUTED]
        assert {win.table for win in meter.wins} >= {"t1", "t2"}, "both tables have won"
        stored = {(e.command, e.stream.removeprefix("table/"), str(e.version)) for e in table_entries(store)}
        assert answered <= stored and len({name for name, _, _ in stored}) == len(stored)
        assert_tables_and_meter_agree(store)
        store.close()


def table_entries(store: Store) -> list[Entry]:
    return [entry for _, entry in store.everything() if entry.stream.startswith("table/")]


def assert_tables_and_meter_agree(store: Store) -> None:
    """Every move of the meter is an event of a table, and every such event moved the meter."""
    told: dict[tuple[str, int], tuple[Movement, ...]] = {}
    moved: dict[tuple[str, int], tuple[Movement, ...]] = {}
    for _, entry in store.everything():
        body = read_body(entry)
        if isinstance(body, MeterTurn):
            told[body.table, body.seq] = body.moved
        elif isinstance(body, Turn):
            table = entry.stream.removeprefix("table/")
            moved |= {
                (table, event.seq): movements_of(event, "link")
                for event in body.events
                if isinstance(getattr(event.outcome, "meter", None), MeterMove)
            }
    assert told == moved


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_ten_thousand_reloads_between_a_click_and_its_answer_make_no_second_bet(
    kind: str, tmp_path: Path
) -> None:
    store: Store = MemoryStore() if kind == "memory" else SqliteStore(tmp_path / "floor.db")
    floor = new_floor(store)
    make_table(floor, "t1", example_submission("pa-659a"))
    say(floor, "t1", ANN, Sit(2))
    while floor.table("t1").table.phase != "betting":
        move = next_move(floor, "t1")
        say(floor, "t1", move.by, move.action)
    version = floor.table("t1").head.version
    click = command(ANN, PlaceWagers(2, {"main": Cents(1000)}), "the click")
    for _ in range(5_000):
        floor.submit("t1", click)
    making = floor.prepare()  # the answer is on its way
    for _ in range(5_000):
        floor.submit("t1", click)
    store.append_batch(making.batch)
    answers = [*(reply.answer for reply in floor.settle(making)), *floor.run()]
    assert len(answers) == 10_000 and len(set(answers)) == 1
    assert answers[0].version == version + 1 == floor.table("t1").head.version
    again = new_floor(store, "after a restart")
    again.submit("t1", click)
    assert [*again.run()] == answers[:1] and again.table("t1").head.version == version + 1
    assert again.table("t1").table.round.hands[2].wagers == {"main": 1000}
    store.close()

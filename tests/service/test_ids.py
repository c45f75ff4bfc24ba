"""Ids of commands: the system's cannot be typed, and one id stands for one thing at one table."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from houseway.chips import ChipCommand
from houseway.chips.actions import CountOpener
from houseway.cli.system import SystemRuntime
from houseway.errors import IllegalError
from houseway.floor import duties
from houseway.floor.batches import Fault
from houseway.floor.bus import NoBus
from houseway.floor.core import Floor
from houseway.floor.tasks import MeterAdjustment, MoveChips
from houseway.games import example_submission
from houseway.rounds.codec import plain
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor, Command
from houseway.rounds.steps.dealers import LogOn
from houseway.rounds.steps.players import Leave, Sit
from houseway.service.api import Server
from houseway.service.driver import Driver, queue
from houseway.service.loop import FloorLoop
from houseway.store.memory import MemoryStore
from tests.chips.support import DEB, FLOAT
from tests.floor.support import EVA, FLO, MAX, NOON, make_table, new_floor, two_tables
from tests.service.doors import guarded
from tests.service.driving import PLAN
from tests.service.support import Person, served
from tests.store.support import KINDS, new_store

API = "/api/v1"
OPENER = {"step": "count_opener", "chips": {str(kind): count for kind, count in FLOAT.items()}}
ANN, EVE = Actor("Ann", Role.PLAYER), Actor("Eve", Role.PLAYER)


def new_tables(store: Any = None) -> Floor:
    """Return a floor with two tables and one whose chips are followed."""
    floor = two_tables(new_floor(store or MemoryStore()))
    make_table(floor, "t3", example_submission("pa-659a"), "link", chips=True)
    return floor


@pytest.fixture
def door() -> Iterator[tuple[TestClient, Server]]:
    with served(new_tables()) as found:
        yield found


# --- the system's -------------------------------------------------------------------------------------


def test_a_confirmed_act_is_done_though_somebody_sent_a_command_by_its_name(
    door: tuple[TestClient, Server],
) -> None:
    client, server = door
    deb, flo = Person(client, DEB.id, Role.DEALER), Person(client, "Flo", Role.FLOORPERSON)
    deb.do("t3", {"step": "log_on", "training": "on file"}, "td/confirmed")
    assert deb.send("POST", f"{API}/tables/t3/chips", {"id": "td", "action": OPENER}).status_code == 202
    done = flo.send("POST", f"{API}/proposals/{DEB.id}/td", {"done": True})
    assert done.status_code == 200, done.text
    assert server.loop.floor.table("t3").tray.open, "recorded as done, and not done"


def test_a_confirmed_act_is_done_though_an_older_floor_holds_a_command_by_its_name() -> None:
    floor = new_tables()
    floor.submit("t3", Command(DEB, LogOn("on file"), id=f"{DEB.id}/td/confirmed"))
    floor.run()
    with served(floor) as (client, _):
        deb, flo = Person(client, DEB.id, Role.DEALER), Person(client, "Flo", Role.FLOORPERSON)
        deb.send("POST", f"{API}/tables/t3/chips", {"id": "td", "action": OPENER})
        assert flo.send("POST", f"{API}/proposals/{DEB.id}/td", {"done": True}).status_code == 200
    assert floor.table("t3").tray.open


def test_what_an_older_program_has_carried_out_is_closed_and_not_done_twice() -> None:
    floor = new_tables()
    duties.ask(floor, MoveChips("t3", CountOpener(FLOAT)), DEB, "Deb/td")
    floor.submit("t3", ChipCommand(id="Deb/td/confirmed", by=DEB, second=FLO, action=CountOpener(FLOAT)))
    floor.run()
    before = floor.table("t3").head
    with served(floor) as (client, _):
        flo = Person(client, "Flo", Role.FLOORPERSON)
        assert flo.send("POST", f"{API}/proposals/Deb/td", {"done": True}).status_code == 200
    assert floor.table("t3").head == before and not floor.house.proposals


def test_nobody_stops_a_table_by_the_name_of_its_next_automatic_command() -> None:
    floor = two_tables(new_floor(MemoryStore()))
    after = floor.table("t1").head.version + 2
    with served(floor) as (client, _):
        auto = Person(client, "auto", Role.PLAYER)
        auto.do("t1", {"step": "sit", "position": 3}, f"table/t1/{after}")
    if floor.table("t1").head.version < after - 1:  # it was refused: an older floor holds it
        floor.submit("t1", Command(Actor("auto", Role.PLAYER), Sit(3), id=f"auto/table/t1/{after}"))
        floor.run()
    driver = Driver(floor, {"t1": PLAN}, lambda: NOON)
    for version in range(after, after + 3):
        due = driver.due(driver.next_at(NOON) or NOON)
        queue(floor, due)
        (answer,) = floor.run()
        assert driver.take_answer(answer) is None
        assert (answer.version, floor.table("t1").head.version) == (version, version)


def test_a_user_named_like_a_stream_cannot_ask_for_an_entry_of_the_system() -> None:
    floor = two_tables(new_floor(MemoryStore()))
    with served(floor) as (client, _):
        answer = Person(client, "floor", Role.PLAYER).do("t1", {"step": "sit", "position": 3}, "1")
        assert answer.status_code == 200, answer.text


def test_no_user_is_added_whose_id_begins_as_the_systems_do() -> None:
    with guarded(two_tables(new_floor(MemoryStore()))) as found:
        body = {"id": "!auto", "name": "Otto", "roles": ["player"]}
        answer = found.somebody(Role.ADMINISTRATOR).send("POST", f"{API}/users", body)
        assert answer.status_code == 400, answer.text


# --- one id, one thing --------------------------------------------------------------------------------


def test_an_id_that_was_used_for_something_else_is_a_conflict(door: tuple[TestClient, Server]) -> None:
    client, server = door
    eve = Person(client, "Eve", Role.PLAYER)
    first = eve.do("t1", {"step": "sit", "position": 3}, "click")
    assert eve.do("t1", {"step": "sit", "position": 3}, "click").json() == first.json()
    heads = server.loop.floor.store.heads()
    for table, action in (
        ("t1", {"step": "sit", "position": 4}),
        ("t1", {"step": "leave", "position": 3}),
        ("t2", {"step": "sit", "position": 3}),
    ):
        answer = eve.do(table, action, "click")
        assert (answer.status_code, answer.json()["field"]) == (409, "id"), answer.text
        assert "used for another command" in answer.json()["title"]
        assert answer.json()["first"] == {"table": "t1", "version": first.json()["version"]}
    assert server.loop.floor.store.heads() == heads


def test_an_id_of_the_same_person_in_another_role_is_a_conflict(door: tuple[TestClient, Server]) -> None:
    client, server = door
    make_table(server.loop.floor, "t4", example_submission("ca-fpgp"))
    notice = {"step": "record_notice", "status": "cleared", "source": "the Bureau", "dated": "2026-01-04"}
    for role, status in ((Role.FLOORPERSON, 200), (Role.MANAGER, 409), (Role.FLOORPERSON, 200)):
        answer = Person(client, "Flo", role).do("t4", notice, "once")
        assert answer.status_code == status, answer.text


def test_an_id_of_chips_stands_for_those_chips(door: tuple[TestClient, Server]) -> None:
    client, _ = door
    deb = Person(client, DEB.id, Role.DEALER)

    def bring(amount: int) -> int:
        action = {"step": "bring_chips", "person": "Ann", "amount": amount}
        answer = deb.send("POST", f"{API}/tables/t3/chips", {"id": "b", "action": action})
        return int(answer.status_code)

    assert [bring(100_00), bring(100_00), bring(200_00)] == [200, 200, 409]
    assert deb.do("t3", {"step": "log_on", "training": "on file"}, "b").status_code == 409


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_id_twice_in_one_batch_is_looked_at_in_turn(kind: str) -> None:
    with new_store(kind) as store:
        floor = new_tables(store)
        for action in (Sit(3), Leave(3), Sit(3), Sit(4)):
            floor.submit("t1", Command(EVE, action, id="Eve/once"))
        first, *others = floor.run()
        assert first.done and [one.done for one in others] == [False, True, False]
        assert others[1] == first and all(one.kind is Fault.CONFLICT for one in (others[0], others[2]))
        seats = floor.table("t1").table.seats
        assert seats[3].person == "Eve" and 4 not in seats


def test_two_requests_at_once_under_one_id_have_each_their_own_answer() -> None:
    floor = new_tables()

    async def both() -> list[bool]:
        loop = FloorLoop(floor, NoBus(), lambda _: None, SystemRuntime())
        running = asyncio.create_task(loop.run())
        actions = (Sit(3), Sit(4), Sit(3))
        answers = await asyncio.gather(
            *(loop.command("t1", Command(EVE, action, id="Eve/once")) for action in actions)
        )
        loop.stop()
        await running
        return [answer.done for answer in answers]

    assert asyncio.run(both()) == [True, False, True]


def test_a_proposal_under_an_id_that_waits_for_something_else_is_a_conflict() -> None:
    floor, wanted = new_tables(), MeterAdjustment("link", 500, "miscounted")
    for _ in range(2):
        assert duties.ask(floor, wanted, MAX, "Max/m") == "Max/m"
    for task, by in ((MeterAdjustment("link", 600, "miscounted"), MAX), (wanted, EVA)):
        with pytest.raises(IllegalError, match="something else is proposed"):
            duties.ask(floor, task, by, "Max/m")
    assert floor.house.proposals["Max/m"].task == plain(wanted)


def test_a_proposal_made_again_under_its_id_comes_to_a_command_of_its_own() -> None:
    floor, named = new_tables(), set[str]()
    for minutes in (0, 1):
        now = NOON + timedelta(minutes=minutes)
        floor.clock = lambda now=now: now  # type: ignore[misc]
        duties.ask(floor, MoveChips("t3", CountOpener(FLOAT)), DEB, "Deb/td")
        for second in (FLO, MAX):
            found = duties.command_of_proposal(floor, "Deb/td", second)
            assert found is not None
            named.add(found[1].id)
        duties.close_command(floor, "Deb/td", FLO)
    assert len(named) == 2 and all(name.startswith("!confirmed/Deb/td/") for name in named)

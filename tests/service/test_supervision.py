"""What waits for a decision on a floor, and what is done at a table as it is read by whoever watches."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from houseway.chips import ChipCommand
from houseway.chips.actions import CountOpener
from houseway.games import example_submission
from houseway.games.submission import EXAMPLES
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor
from houseway.rounds.steps.players import Leave
from houseway.rounds.steps.ruling import StopRound
from houseway.service.api import Server
from houseway.service.table_plans import AUTOMATED, TablePlan
from houseway.service.waiting_list import WaitingList
from houseway.store.memory import MemoryStore
from tests.chips.support import DEB, FLOAT
from tests.floor.support import FLO, make_table, new_floor, next_move, play, say, seat_two, two_tables
from tests.service.support import Person, served

API = "/api/v1"


@pytest.fixture
def floor_served() -> Iterator[tuple[TestClient, Server]]:
    with served(two_tables(new_floor(MemoryStore()))) as found:
        yield found


def waiting(person: Person) -> list[dict[str, Any]]:
    answer = person.send("GET", f"{API}/waiting")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["waiting"]
    return found


def reach(server: Server, table: str, phase: Phase) -> None:
    """Play a table on until it is in a phase."""
    floor = server.loop.floor
    while floor.table(table).table.phase is not phase:
        move = next_move(floor, table)
        say(floor, table, move.by, move.action)


# --- at tables ----------------------------------------------------------------------------------------


def test_what_is_due_waits_for_the_role_whose_step_it_is_and_is_gone_once_it_is_done(
    floor_served: tuple[TestClient, Server],
) -> None:
    client, server = floor_served
    flo, kit = Person(client, "Flo", Role.FLOORPERSON), Person(client, "Kit", Role.KEY_HOLDER)
    assert waiting(flo) == waiting(kit) == []
    floor = server.loop.floor
    while next_move(floor, "t1").step != "verify_inspection":
        move = next_move(floor, "t1")
        say(floor, "t1", move.by, move.action)
    (one, *_) = waiting(flo)
    assert (one["kind"], one["table"], one["option"]["step"]) == ("option", "t1", "verify_inspection")
    assert one["option"]["follows"] and waiting(kit) == []
    action = {"step": "verify_inspection", "deck": one["option"]["deck"]}
    assert flo.do("t1", action).status_code == 200
    assert one["name"] not in {left["name"] for left in waiting(flo)}


def test_a_stopped_round_and_a_hand_that_was_left_wait_for_the_floor(
    floor_served: tuple[TestClient, Server],
) -> None:
    client, server = floor_served
    flo, floor = Person(client, "Flo", Role.FLOORPERSON), server.loop.floor
    make_table(floor, "w", example_submission("wa-fap"))
    seat_two(floor, "w")
    for table in ("w", "t2"):
        reach(server, table, Phase.SETTING)
    say(floor, "w", FLO, StopRound("a card fell"))
    say(floor, "t2", Actor("Ann", Role.PLAYER), Leave(2))
    found = {one["table"]: one for one in waiting(flo)}
    assert found["w"]["option"]["step"] == "rule_round" and found["w"]["about"]["stopped"] == "a card fell"
    assert found["t2"]["option"]["step"] == "rule_abandoned" and found["t2"]["option"]["position"] == 2
    done = flo.do("t2", {"step": "rule_abandoned", "position": 2, "lost": False, "reason": "went home"})
    assert done.status_code == 200, done.text
    assert {one["table"] for one in waiting(flo)} == {"w"}


def test_what_an_automatic_floorperson_does_waits_for_nobody_but_rulings_do() -> None:
    floor = two_tables(new_floor(MemoryStore()))
    plans = {"t1": TablePlan(duties=AUTOMATED), "t2": TablePlan(duties={})}
    found = WaitingList(floor, plans)
    for table in ("t1", "t2"):
        while next_move(floor, table).step != "verify_inspection":
            move = next_move(floor, table)
            say(floor, table, move.by, move.action)
    waits, tables = found.look(FLO, lambda _: {})
    assert {one.table for one in waits} == {"t2"}
    assert {one.view.id: one.by_itself for one in tables} == {"t1": True, "t2": False}
    while floor.table("t1").table.phase is not Phase.SETTING:
        move = next_move(floor, "t1")
        say(floor, "t1", move.by, move.action)
    say(floor, "t1", Actor("Ann", Role.PLAYER), Leave(2))
    waits, _ = found.look(FLO, lambda _: {})
    assert {one.option.step for one in waits if one.table == "t1" and one.option} == {"rule_abandoned"}


def test_the_oldest_waits_first_and_does_not_grow_younger_while_its_table_goes_on() -> None:
    floor = two_tables(new_floor(MemoryStore()))
    found, moved = WaitingList(floor), iter([10, 20])
    minute = floor.clock().replace

    def last(tables: Any) -> dict[str, Any]:
        at = minute(minute=next(moved))
        return {one.table.id: at for one in tables}

    for table in ("t2", "t1"):
        while next_move(floor, table).step != "verify_inspection":
            move = next_move(floor, table)
            say(floor, table, move.by, move.action)
        waits, _ = found.look(FLO, last)
    assert list(dict.fromkeys(one.table for one in waits)) == ["t2", "t1"]
    again, _ = found.look(FLO, last)
    assert [one.since for one in again] == [one.since for one in waits]


# --- in the office ------------------------------------------------------------------------------------


def test_a_proposal_waits_for_a_second_person_and_tells_the_first_that_it_does(
    floor_served: tuple[TestClient, Server],
) -> None:
    client, _ = floor_served
    max_, eva = Person(client, "Max", Role.MANAGER), Person(client, "Eva", Role.MANAGER)
    flo = Person(client, "Flo", Role.FLOORPERSON)
    task = {"duty": "adjust_meter", "meter": "link", "amount": 50_000, "reason": "display reset"}
    assert max_.send("POST", f"{API}/duties", {"id": "d1", "task": task}).status_code == 202
    (mine,), (theirs,) = waiting(max_), waiting(eva)
    assert mine["mine"] and "mine" not in theirs and theirs["proposal"]["task"]["reason"] == "display reset"
    assert waiting(flo) == []
    name = theirs["name"]
    assert eva.send("POST", f"{API}/proposals/{name}", {"done": True}).status_code == 200
    assert waiting(eva) == waiting(max_) == []


def test_filed_rules_wait_for_whoever_did_not_file_them_and_ended_ones_do_not() -> None:
    text = (EXAMPLES / "pa-575" / "example.toml").read_text(encoding="utf-8")
    with served(new_floor(MemoryStore())) as (client, _):
        max_, eva = Person(client, "Max", Role.MANAGER), Person(client, "Eva", Role.MANAGER)
        name = max_.send("POST", f"{API}/submissions", {"toml": text}).json()["submission"]
        (one,) = waiting(eva)
        assert (one["kind"], one["name"], one["about"]["game"]) == ("submission", name, "pa-575")
        for number, duty in enumerate(("approve_submission", "end_submission")):
            task = {"duty": duty, "submission": name} | ({"reason": "old"} if number else {})
            assert eva.send("POST", f"{API}/duties", {"id": f"d{number}", "task": task}).status_code == 200
            assert waiting(eva) == []


def test_a_fill_waits_for_somebody_other_than_who_asked_for_it() -> None:
    floor = new_floor(MemoryStore())
    make_table(floor, "t1", example_submission("pa-659a"), chips=True)
    floor.submit("t1", ChipCommand(id="o", by=DEB, second=FLO, action=CountOpener(FLOAT)))
    floor.run()
    with served(floor) as (client, _):
        flo, fay = Person(client, "Flo", Role.FLOORPERSON), Person(client, "Fay", Role.FLOORPERSON)
        body = {"id": "f", "action": {"step": "request_fill", "chips": {"500": 20}}}
        assert flo.send("POST", f"{API}/tables/t1/chips", body).status_code == 200
        (mine,), (theirs,) = waiting(flo), waiting(fay)
        assert mine["mine"] and theirs["kind"] == "slip" and theirs["about"]["step"] == "approve_fill"
        body = {"id": "a", "action": {"step": "approve_fill", "serial": theirs["name"]}}
        assert fay.send("POST", f"{API}/tables/t1/chips", body).status_code == 200
        assert waiting(fay) == []


# --- the log of a table -------------------------------------------------------------------------------


def test_the_log_tells_this_round_and_the_last_and_only_what_came_since(
    floor_served: tuple[TestClient, Server],
) -> None:
    client, server = floor_served
    sam = Person(client, "Sam", Role.SURVEILLANCE)
    play(server.loop.floor, "t1", 3)
    reach(server, "t1", Phase.SETTING)
    told = sam.send("GET", f"{API}/tables/t1/log").json()
    assert {row["round"] for row in told["rows"]} == {told["round"], told["round"] - 1}
    assert [row["number"] for row in told["rows"]] == sorted(row["number"] for row in told["rows"])
    assert any(row["payments"] for row in told["rows"]) and all(row["label"] for row in told["rows"])
    assert sam.send("GET", f"{API}/tables/t1/log?after={told['version']}").json()["rows"] == []
    move = next_move(server.loop.floor, "t1")
    say(server.loop.floor, "t1", move.by, move.action)
    more = sam.send("GET", f"{API}/tables/t1/log?after={told['version']}").json()["rows"]
    assert more and more[0]["step"] == move.step
    for wrong in ("x", "-1", "9" * 40):
        assert sam.send("GET", f"{API}/tables/t1/log?after={wrong}").status_code == 400


def test_the_log_tells_nobody_cards_that_lie_face_down(floor_served: tuple[TestClient, Server]) -> None:
    client, server = floor_served
    floor = server.loop.floor
    reach(server, "t1", Phase.SETTING)
    while floor.table("t1").table.phase is Phase.SETTING:
        move = next_move(floor, "t1")
        if move.step not in ("set", "look"):
            break
        say(floor, "t1", move.by, move.action)
    hands = floor.table("t1").table.round.hands.values()
    for role in (Role.SURVEILLANCE, Role.REGULATOR, Role.FLOORPERSON, Role.ADMINISTRATOR):
        text = Person(client, f"the {role}", role).send("GET", f"{API}/tables/t1/log").text
        assert '"step":"set"' in text
        for hand in hands:
            for card in hand.cards:
                assert f"{card}" not in _cards_in(text), (role, card)


def _cards_in(text: str) -> set[str]:
    """Return what is written like cards in the details of a log."""
    rows = [row for row in json.loads(text)["rows"] if row["step"] in ("set", "deal", "look")]
    return set(re.findall(r"\b(?:[2-9TJQKA][cdhs])+", json.dumps([row["details"] for row in rows])))


def test_a_link_that_goes_down_is_shown_at_once_to_whoever_watches(
    floor_served: tuple[TestClient, Server],
) -> None:
    client, _ = floor_served
    flo = Person(client, "Flo", Role.FLOORPERSON)
    client.cookies.clear()
    headers = {"cookie": "; ".join(f"{name}={value}" for name, value in flo.cookies.items())}
    with client.websocket_connect(f"{API}/tables/t1/live", headers=headers) as socket:
        assert "link_down" not in socket.receive_json()
        task = {"duty": "change_link", "meter": "link", "up": False, "reason": "cable cut"}
        assert flo.send("POST", f"{API}/duties", {"id": "d", "task": task}).status_code == 200
        assert socket.receive_json()["link_down"] == "cable cut"

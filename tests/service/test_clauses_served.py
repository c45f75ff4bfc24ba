"""Clauses at the door of a served floor: with one of them less, the same requests are answered otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from houseway.floor.core import Floor
from houseway.games.submission import EXAMPLES
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.store.memory import MemoryStore
from tests.floor.support import new_floor, next_move, say, two_tables
from tests.service.support import Person, served


@pytest.fixture
def floor() -> Floor:
    """Return a floor of two tables at which bets are taken."""
    return two_tables(new_floor(MemoryStore()))


@pytest.fixture
def client(floor: Floor) -> Iterator[TestClient]:
    while floor.table("t1").table.phase is not Phase.BETTING:
        move = next_move(floor, "t1")
        say(floor, "t1", move.by, move.action)
    with served(floor) as (found, _):
        yield found


def clauses_against(answer: Any) -> set[str]:
    """Return the clauses that a refused request names."""
    assert answer.status_code == 409, answer.text
    return {clause for problem in answer.json()["problems"] for clause in problem["clauses"]}


def wager(client: TestClient, name: str, at: int, **wagers: int) -> Any:
    """Ask for wagers at a position, in the name of a player."""
    return Person(client, name, Role.PLAYER).do("t1", {"step": "wager", "position": at, "wagers": wagers})


@pytest.mark.clause("pa659a.7.d")
def test_a_bonus_wager_needs_a_main_wager(client: TestClient) -> None:
    assert "pa659a.7.d" in clauses_against(wager(client, "Ann", 2, fortune=500))
    assert wager(client, "Ann", 2, main=1000, fortune=500).status_code == 200


@pytest.mark.clause("pa659a.7.b.s1")
def test_only_who_sits_there_may_wager(client: TestClient) -> None:
    assert "pa659a.7.b.s1" in clauses_against(wager(client, "Eve", 2, main=1000))
    assert wager(client, "Ann", 2, main=1000).status_code == 200


@pytest.mark.clause("pa659a.2.a.s1")
def test_a_table_with_seven_players_cannot_be_filed(client: TestClient) -> None:
    manager = Person(client, "Max", Role.MANAGER)
    chosen = (EXAMPLES / "pa-659a" / "example.toml").read_text(encoding="utf-8")
    assert "\npositions = 6\n" in chosen
    filed = {"toml": chosen.replace("\npositions = 6\n", "\npositions = 7\n")}
    answer = manager.send("POST", "/api/v1/submissions", filed)
    assert "pa659a.2.a.s1" in clauses_against(answer)

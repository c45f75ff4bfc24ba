"""An entry that a read model cannot take: it alone is left out, somebody is alerted, everything goes on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from houseway.floor.bodies import write_body
from houseway.floor.core import Floor
from houseway.floor.meter_events import MeterRead
from houseway.floor.streams import meter_stream
from houseway.money import Cents
from houseway.rounds.roles import Role
from houseway.service.api import Server
from houseway.store.entries import next_entry
from houseway.store.protocol import Batch
from tests.floor.support import MAX, NOON, new_floor, play, two_tables
from tests.service.support import Person, served
from tests.store.support import new_store

API = "/api/v1"
TOO_MUCH = Cents(9_007_199_254_740_992)
"""Cents: counted in ten-thousandths, as the books are, it is more than a column holds."""
BAD_READINGS = {
    "sqlite": (TOO_MUCH, "a slip of the finger"),
    "postgresql": (Cents(0), "the display\x00 was dark"),
}


def read_long_ago(floor: Floor, shown: Cents, explained: str) -> None:
    """Put a reading of the meter into the log as an older program did, which refused nothing of it."""
    now = floor.meter("link")
    read = MeterRead(meter="link", shown=shown, expected=Cents(0), explained=explained, by=MAX, at=NOON)
    entry = next_entry(now.head, meter_stream("link"), "an old reading", write_body(read), b"")
    floor.store.append_batch(Batch(entries=[entry]))
    floor.refresh()


@pytest.fixture(params=BAD_READINGS)
def floor(request: pytest.FixtureRequest) -> Iterator[Floor]:
    with new_store(request.param) as store:
        floor = two_tables(new_floor(store))
        play(floor, "t1", 1)
        read_long_ago(floor, *BAD_READINGS[request.param])
        play(floor, "t1", 1)
        yield floor


@pytest.fixture
def floor_served(floor: Floor) -> Iterator[tuple[TestClient, Server]]:
    with served(floor) as found:
        yield found


def get(person: Person, path: str) -> Any:
    answer = person.send("GET", API + path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_search_accounting_history_and_alerts_go_on_without_it(
    floor: Floor, floor_served: tuple[TestClient, Server]
) -> None:
    client, server = floor_served
    eye, ace = Person(client, "Eye", Role.SURVEILLANCE), Person(client, "Ace", Role.ACCOUNTING)
    ann, ada = Person(client, "Ann", Role.PLAYER), Person(client, "Ada", Role.ADMINISTRATOR)
    bad = floor.meter("link").read
    assert bad is not None
    assert [one["round"] for one in get(eye, "/rounds")["rounds"]] == [2, 1]
    assert [one["round"]["round"] for one in get(ann, "/me/rounds")["rounds"]] == [2, 1]
    books = get(ace, "/accounting")
    assert books["tables"][0]["rounds"] == 2 and books["readings"] == []
    (alert,) = get(eye, "/alerts")["alerts"]
    (parked,) = server.models.parked_entries()
    assert (alert["alert"], alert["count"]) == ("parked_entries", 1)
    assert alert["about"] == "read model accounting"
    assert alert["entries"] == [f"meter/link version {parked.version}: {parked.why}"]
    assert "\x00" not in parked.why and parked.why
    assert get(ada, "/alerts")["alerts"] == [alert]

"""The pages of the office: what each role finds there to do, and what a page begins with."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from houseway.floor.access_events import Accessed, AccessKind
from houseway.floor.rights import DUTY_ROLES
from houseway.rounds.roles import Role
from houseway.store.memory import MemoryStore
from houseway.web.making import site
from tests.floor.support import new_floor, two_tables
from tests.service.support import Person, served


@pytest.fixture
def client() -> Iterator[TestClient]:
    with served(two_tables(new_floor(MemoryStore())), site) as (found, _):
        yield found


def begins_with(person: Person, path: str) -> dict[str, Any]:
    text = person.send("GET", path).text
    found = re.search(r'id="boot">(.*?)</script>', text)
    assert found is not None, text[:200]
    boot: dict[str, Any] = json.loads(found[1])
    return boot


def links(person: Person) -> set[str]:
    nav = person.send("GET", "/").text.partition("<nav")[2].partition("</nav>")[0]
    return set(re.findall(r'href="([^"]+)"', nav))


@pytest.mark.parametrize("role", [Role.FLOORPERSON, Role.MANAGER, Role.KEY_HOLDER])
def test_a_supervisor_is_offered_their_own_duties_and_no_others(client: TestClient, role: Role) -> None:
    person = Person(client, f"the {role}", role)
    wanted = {duty.value for duty, roles in DUTY_ROLES.items() if role in roles}
    for path in ("/floor", "/tables/t1", "/submissions"):
        assert set(begins_with(person, path)["rights"]["duties"]) == wanted, path


def test_everybody_finds_their_own_pages_at_the_top(client: TestClient) -> None:
    office = {"/floor", "/submissions", "/accounting", "/people", "/me/rounds"}
    expected = {
        Role.PLAYER: {"/me/rounds"},
        Role.FLOORPERSON: {"/floor", "/submissions"},
        Role.MANAGER: {"/floor", "/submissions", "/accounting"},
        Role.ACCOUNTING: {"/submissions", "/accounting"},
        Role.ADMINISTRATOR: office - {"/me/rounds"},
        Role.SURVEILLANCE: set(),
        Role.GUEST: set(),
    }
    for role, found in expected.items():
        assert links(Person(client, f"the {role}", role)) & office == found, role


def test_who_was_refused_a_page_is_noted() -> None:
    with served(two_tables(new_floor(MemoryStore())), site) as (client, server):
        assert Person(client, "Deb", Role.DEALER).send("GET", "/people").status_code == 403
        (event,) = server.access.gather(server.loop.floor.clock())
    assert isinstance(event, Accessed)
    assert (event.by.id, event.kind, event.route) == ("Deb", AccessKind.REFUSED, "/people")


def test_a_table_is_supervised_or_watched_by_role(client: TestClient) -> None:
    for role, mode in (
        (Role.FLOORPERSON, "staff"),
        (Role.KEY_HOLDER, "staff"),
        (Role.SURVEILLANCE, "watch"),
        (Role.REGULATOR, "watch"),
        (Role.ACCOUNTING, "watch"),
        (Role.ADMINISTRATOR, "watch"),
    ):
        person = Person(client, f"the {role}", role)
        text = person.send("GET", "/tables/t1").text
        assert begins_with(person, "/tables/t1")["mode"] == mode
        assert "/static/css/console.css" in text and "/static/css/staff.css" in text


def test_filing_begins_with_an_example_of_each_game_that_the_law_takes(client: TestClient) -> None:
    max_ = Person(client, "Max", Role.MANAGER)
    examples = begins_with(max_, "/submissions")["examples"]
    assert set(examples) == {"pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp"}
    for text in examples.values():
        body = {"toml": text, "only_check": True}
        assert max_.send("POST", "/api/v1/submissions", body).status_code == 200


def test_own_page_is_linked_from_every_page_for_persons_and_not_for_guests(client: TestClient) -> None:
    ann, guest = Person(client, "Ann", Role.PLAYER), Person(client, "", Role.GUEST)
    assert 'href="/me"' in ann.send("GET", "/rules").text
    assert 'href="/me"' not in guest.send("GET", "/rules").text

"""Two administrators: one proposes, the other confirms, and neither can become the new person."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from houseway.floor.bodies import read_body
from houseway.floor.people_events import PasswordSet, UserAdded
from houseway.floor.rights import COMMAND_LINE
from houseway.floor.streams import PEOPLE, SETUP
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.split_secrets import join_typed
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Batch
from tests.floor.support import new_floor, two_tables
from tests.service.crowd import PASSWORD
from tests.service.doors import API, Guarded, Visitor, guarded

PROOF_LASTS = timedelta(minutes=5)
ZOE = {"id": "zoe", "name": "Zoe", "roles": ["manager"]}


@pytest.fixture
def floor() -> Iterator[Guarded]:
    with guarded(two_tables(new_floor(MemoryStore()))) as served:
        yield served


@pytest.fixture
def ada(floor: Guarded) -> Visitor:
    return floor.somebody(Role.ADMINISTRATOR, "ada")


@pytest.fixture
def bea(floor: Guarded) -> Visitor:
    return floor.somebody(Role.ADMINISTRATOR, "bea")


def propose(who: Visitor, path: str, body: Any = None) -> Any:
    answer = who.send("POST", f"{API}/users{path}", body)
    assert answer.status_code == 202, answer.text
    assert answer.json()["done"] is False
    return answer.json()


def settle(who: Visitor, proposal: str, *, done: bool = True, reason: str = "") -> Any:
    return who.send("POST", f"{API}/proposals/{proposal}", {"done": done, "reason": reason})


def signs_in(floor: Guarded, name: str, secret: str) -> bool:
    floor.pass_time(timedelta(minutes=1))  # there is a pause after other tries
    return bool(floor.anybody().sign_in(name, secret).status_code == 200)


# --- one person alone ---------------------------------------------------------------------------------


def test_one_administrator_does_not_become_two_managers_who_adjust_a_meter(floor: Guarded) -> None:
    ada = floor.somebody(Role.ADMINISTRATOR)
    known: list[str] = []
    for name in ("xena", "yuri"):
        body = {"id": name, "name": name.capitalize(), "roles": ["manager"]}
        answer = ada.send("POST", f"{API}/users", body).json()
        known += [value for value in answer.values() if isinstance(value, str)]
        settle(ada, answer.get("proposal", "none"))
    for name in ("Xena", "Yuri"):
        for secret in (*known, *(f"{one}-{other}" for one in known for other in known)):
            assert not signs_in(floor, name, secret), "she tells herself the passwords of two managers"
    assert not {"xena", "yuri"} & floor.server.accounts.people.users.keys()


@pytest.mark.parametrize(
    ("path", "body"),
    [("", ZOE), ("/Ann/roles", {"roles": ["player", "manager"]}), ("/Ann/password", None)],
)
def test_whoever_proposes_does_not_confirm(floor: Guarded, ada: Visitor, path: str, body: Any) -> None:
    proposal = propose(ada, path, body)["proposal"]
    before = floor.floor.store.heads()
    for who in (ada, floor.somebody(Role.ADMINISTRATOR, "ada"), floor.somebody(Role.MANAGER)):
        refused = settle(who, proposal)
        assert refused.status_code == 409, refused.text
    assert floor.floor.store.heads() == before


def test_people_are_not_proposed_as_a_duty_around_what_is_checked(floor: Guarded, ada: Visitor) -> None:
    task = {"duty": "add_user", "user": "auto", "name": "x", "roles": ["manager"], "first_half": "0" * 64}
    refused = ada.send("POST", f"{API}/duties", {"id": "d", "task": task})
    assert refused.status_code == 400 and not floor.floor.house.proposals


# --- two of them --------------------------------------------------------------------------------------


def test_a_new_person_signs_in_with_both_halves_and_with_neither_alone(
    floor: Guarded, ada: Visitor, bea: Visitor
) -> None:
    waits = propose(ada, "", ZOE)
    assert "zoe" not in floor.server.accounts.people.users, "nobody is added yet"
    done = settle(bea, waits["proposal"])
    assert done.status_code == 200, done.text
    first, second = waits["half"], done.json()["half"]
    assert done.json()["user"]["id"] == "zoe" and done.json()["user"]["must_change_password"]
    for wrong in (first, second, f"{second}-{first}", f"{first}-", f"-{second}", f"{first}{second}"):
        assert not signs_in(floor, "Zoe", wrong), wrong
    assert signs_in(floor, "Zoe", f" {first.upper()}-{second} ")
    zoe = floor.anybody()
    assert zoe.sign_in("Zoe", f"{first}-{second}").json()["must"] == "change_password"
    own = {"old": f"{first}-{second}", "new": "a staple of horses"}
    zoe.keep(zoe.send("POST", f"{API}/me/password", own))
    assert zoe.send("GET", f"{API}/waiting").status_code == 200
    assert not signs_in(floor, "Zoe", f"{first}-{second}") and signs_in(floor, "Zoe", own["new"])


def test_both_are_on_record_and_no_half_is(floor: Guarded, ada: Visitor, bea: Visitor) -> None:
    stored: list[Batch] = []
    append = floor.floor.store.append_batch

    def keep(batch: Batch) -> None:
        stored.append(batch)
        append(batch)

    floor.floor.store.append_batch = keep  # type: ignore[method-assign]
    waits = propose(ada, "", ZOE)
    done = settle(bea, waits["proposal"]).json()
    assert [{entry.stream for entry in batch.entries} for batch in stored] == [{SETUP}, {PEOPLE, SETUP}]
    events = [read_body(entry) for entry in stored[1].entries if entry.stream == PEOPLE]
    assert [type(event) for event in events] == [UserAdded, PasswordSet]
    for event in events:
        assert isinstance(event, UserAdded | PasswordSet)
        assert event.second is not None and (event.by.id, event.second.id) == ("ada", "bea")
    record = b"".join(entry.body for batch in stored for entry in batch.entries)
    for half in (waits["half"], done["half"], join_typed(f"{waits['half']}-{done['half']}")):
        assert half.encode() not in record


def test_a_key_of_a_device_has_halves_too(floor: Guarded, ada: Visitor, bea: Visitor) -> None:
    waits = propose(ada, "", {"id": "shoe-9", "name": "Shoe 9", "roles": ["shoe"]})
    assert waits["device"] is True
    half = settle(bea, waits["proposal"]).json()["half"]
    assert not signs_in(floor, "Shoe 9", waits["half"]) and not signs_in(floor, "Shoe 9", half)
    assert signs_in(floor, "Shoe 9", f"{waits['half']}-{half}")
    shoe = floor.anybody()
    shoe.sign_in("Shoe 9", f"{waits['half']}-{half}")
    assert shoe.send("GET", f"{API}/tables").status_code == 200, "a device changes nothing first"


def test_a_password_is_reset_by_two_and_what_was_known_is_void(
    floor: Guarded, ada: Visitor, bea: Visitor
) -> None:
    ann = floor.somebody(Role.PLAYER, "Ann")
    waits = propose(ada, "/Ann/password")
    assert ann.send("GET", f"{API}/me").status_code == 200 and signs_in(floor, "The Ann", PASSWORD)
    half = settle(bea, waits["proposal"]).json()["half"]
    assert ann.send("GET", f"{API}/me").status_code == 401
    assert not signs_in(floor, "The Ann", PASSWORD)
    assert signs_in(floor, "The Ann", f"{waits['half']}-{half}")


def test_roles_are_given_by_two_and_taken_by_one(floor: Guarded, ada: Visitor, bea: Visitor) -> None:
    people = floor.server.accounts
    waits = propose(ada, "/Ann/roles", {"roles": ["player", "manager"]})
    assert people.people.user("Ann").roles == {Role.PLAYER} and "half" not in waits
    assert settle(bea, waits["proposal"]).json()["user"]["roles"] == ["manager", "player"]
    taken = ada.send("POST", f"{API}/users/Ann/roles", {"roles": ["manager"]})
    assert taken.status_code == 200 and taken.json()["roles"] == ["manager"]
    exchanged = ada.send("POST", f"{API}/users/Ann/roles", {"roles": ["dealer"]})
    assert exchanged.status_code == 202 and people.people.user("Ann").roles == {Role.MANAGER}


def test_one_disables_at_once_and_two_enable(floor: Guarded, ada: Visitor, bea: Visitor) -> None:
    ann = floor.somebody(Role.PLAYER, "Ann")
    floor.pass_time(PROOF_LASTS + timedelta(seconds=1))
    assert ada.send("POST", f"{API}/users/Ann/disable", {"reason": "a dispute"}).status_code == 200
    assert ann.send("GET", f"{API}/me").status_code == 401 and not signs_in(floor, "The Ann", PASSWORD)
    for who in (ada, bea):
        assert who.send("POST", f"{API}/session/proof", {"password": PASSWORD}).status_code == 204
    proposal = propose(ada, "/Ann/enable", {"reason": "settled"})["proposal"]
    assert not signs_in(floor, "The Ann", PASSWORD)
    for who in (ada, bea):
        assert who.send("POST", f"{API}/session/proof", {"password": PASSWORD}).status_code == 204
    assert settle(bea, proposal).status_code == 200 and signs_in(floor, "The Ann", PASSWORD)


# --- who may not, and when ----------------------------------------------------------------------------


def test_nobody_takes_part_in_what_is_decided_about_themselves(
    floor: Guarded, ada: Visitor, bea: Visitor
) -> None:
    roles = {"roles": ["administrator", "manager"]}
    for path, body in (("/ada/roles", roles), ("/ada/password", None)):
        assert ada.send("POST", f"{API}/users{path}", body).status_code == 409
    for path, body in (("/bea/roles", roles), ("/bea/password", None)):
        proposal = propose(ada, path, body)["proposal"]
        refused = settle(bea, proposal)
        assert refused.status_code == 409 and "two other administrators" in refused.json()["title"]
    assert floor.server.accounts.people.user("bea").roles == {Role.ADMINISTRATOR}


def test_what_an_administrator_proposed_who_may_no_longer_is_not_done(
    floor: Guarded, ada: Visitor, bea: Visitor
) -> None:
    proposal = propose(ada, "", ZOE)["proposal"]
    assert bea.send("POST", f"{API}/users/ada/disable", {"reason": "an inquiry"}).status_code == 200
    refused = settle(bea, proposal)
    assert refused.status_code == 409 and "disabled" in refused.json()["title"]
    assert "zoe" not in floor.server.accounts.people.users


def test_what_is_turned_down_is_never_done_and_the_half_is_worth_nothing(
    floor: Guarded, ada: Visitor, bea: Visitor
) -> None:
    waits = propose(ada, "/Ann/password")
    assert settle(bea, waits["proposal"], done=False, reason="she knows it").status_code == 200
    assert settle(bea, waits["proposal"]).status_code == 404
    assert signs_in(floor, "The Ann", PASSWORD) and not signs_in(floor, "The Ann", waits["half"])


def test_the_same_is_not_proposed_twice(ada: Visitor, bea: Visitor) -> None:
    proposal = propose(ada, "", ZOE)["proposal"]
    again = bea.send("POST", f"{API}/users", ZOE)
    assert again.status_code == 409 and "already" in again.json()["title"]
    assert settle(ada, proposal, done=False, reason="a slip").status_code == 200
    assert propose(bea, "", ZOE)["proposal"].startswith("bea/")


def test_what_cannot_be_made_right_is_refused_before_it_waits(floor: Guarded, ada: Visitor) -> None:
    wrong: list[tuple[str, Any, int]] = [
        ("", {**ZOE, "id": "Ann"}, 409),
        ("", {**ZOE, "roles": []}, 409),
        ("", {**ZOE, "roles": ["guest"]}, 409),
        ("", {**ZOE, "roles": ["manager", "shoe"]}, 409),
        ("", {**ZOE, "id": "houseway/command-line"}, 400),
        ("/nobody/password", None, 404),
        ("/nobody/roles", {"roles": ["player"]}, 404),
        ("/Ann/roles", {"roles": ["shoe"]}, 409),
        ("/Ann/enable", {"reason": "back"}, 409),
        ("/a-shoe/enable", {"reason": ""}, 409),
    ]
    for path, body, status in wrong:
        answer = ada.send("POST", f"{API}/users{path}", body)
        assert answer.status_code == status, (path, body, answer.text)
    assert not floor.floor.house.proposals


# --- what is shown ------------------------------------------------------------------------------------


def test_confirmers_are_shown_who_proposes_what_for_whom_and_no_hash(
    floor: Guarded, ada: Visitor, bea: Visitor
) -> None:
    waits = propose(ada, "", ZOE)
    (shown,) = bea.send("GET", f"{API}/proposals").json()
    assert shown["proposal"] == waits["proposal"] and shown["by"]["id"] == "ada"
    assert shown["task"] == {"duty": "add_user", "user": "zoe", "name": "Zoe", "roles": ["manager"]}
    (item,) = bea.send("GET", f"{API}/waiting").json()["waiting"]
    assert item["kind"] == "proposal" and item["proposal"]["task"] == shown["task"]
    assert "mine" not in item and "browser" not in item["proposal"]
    (own,) = ada.send("GET", f"{API}/waiting").json()["waiting"]
    assert own["mine"] is True
    for role in (Role.MANAGER, Role.REGULATOR, Role.DEALER):
        assert floor.somebody(role).send("GET", f"{API}/proposals").json() == []
    for role in (Role.MANAGER, Role.FLOORPERSON):
        waiting = floor.somebody(role).send("GET", f"{API}/waiting").json()["waiting"]
        assert all(one["kind"] != "proposal" for one in waiting)


def test_nobody_over_the_network_is_the_command_line(floor: Guarded) -> None:
    crowd = floor.server.accounts.people
    assert "/" in COMMAND_LINE.id and COMMAND_LINE.id not in crowd.users
    assert crowd.find_by_name(COMMAND_LINE.id) is None and crowd.find_by_name(COMMAND_LINE.name) is None
    begun = floor.sessions.begin(COMMAND_LINE.id, Role.ADMINISTRATOR, "here", floor.floor.clock())
    forged = Visitor(floor.client, begun.token, begun.session.csrf)
    assert forged.send("GET", f"{API}/users").status_code == 401
    assert not isinstance(crowd.users.get("ada"), Actor)

"""The floor over HTTP: who may ask what, what is answered, and what is sent live."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from houseway.chips import ChipCommand, chips_of
from houseway.chips.actions import CountOpener
from houseway.games import example_submission
from houseway.rounds.codec import plain
from houseway.rounds.roles import Role
from houseway.service.api import Server
from houseway.service.api.auth import COOKIE, CSRF_HEADER
from houseway.service.api.round_search import read_search
from houseway.service.api.routes import ROUTES, Route
from houseway.store.memory import MemoryStore
from houseway.store.tree_log import Notary, sign_tree
from tests.chips.support import DEB, FLOAT
from tests.floor.support import FLO, NOON, make_table, new_floor, next_move, play, two_tables
from tests.service.doors import guarded
from tests.service.matrix import ALL, BODIES, NAMES, OPEN, WRITTEN
from tests.service.support import Person, served, step_of


@pytest.fixture
def floor_served() -> Iterator[tuple[TestClient, Server]]:
    with served(two_tables(new_floor(MemoryStore()))) as found:
        yield found


@pytest.fixture
def client(floor_served: tuple[TestClient, Server]) -> TestClient:
    return floor_served[0]


def path_of(route: Route, **names: str) -> str:
    path = route.path.replace(":path", "")
    return path.format(**(NAMES | names))


# --- who may ------------------------------------------------------------------------------------------


def test_every_route_is_taken_by_those_written_out_here_and_by_nobody_else(client: TestClient) -> None:
    people = {role: Person(client, f"the {role}", role) for role in Role}
    for route, role in product(ROUTES.values(), Role):
        if route.method == "WEBSOCKET" or route.about == "session":
            continue  # whoever signs in again, or out, is no more who they were
        answer = people[role].send(route.method, path_of(route), BODIES.get(route.name))
        allowed = role in WRITTEN.get(route.name, ALL)
        assert (answer.status_code != 403) is allowed, (route.name, role, answer.text)
        assert answer.status_code < 500, answer.text


def test_whoever_may_ask_for_something_is_answered() -> None:
    floor = two_tables(new_floor(MemoryStore()))
    make_table(floor, "t3", example_submission("pa-659a"), "link", chips=True)
    play(floor, "t1", 1)
    sign_tree(floor.store, Notary(floor.safe), NOON)
    own = {"submission": next(iter(floor.house.filed)), "user": "Ann"}
    with guarded(floor) as found:
        for route, role in product(ROUTES.values(), Role):
            if route.method != "GET" or not route.allows(role):
                continue
            person = "Ann" if role is Role.PLAYER else ""
            path = path_of(route, **own, **({"table": "t3"} if route.name == "tray" else {}))
            answer = found.somebody(role, person).send("GET", path)
            assert answer.status_code == 200, (route.name, role, answer.text)


def test_who_is_not_signed_in_takes_only_what_is_open(client: TestClient) -> None:
    for route in ROUTES.values():
        if route.method != "WEBSOCKET":
            client.cookies.clear()
            answer = client.request(route.method, path_of(route), json=BODIES.get(route.name))
            assert (answer.status_code == 401) is (route.name not in OPEN), (route.name, answer.text)


def test_what_changes_something_needs_the_token_of_ones_own_page(client: TestClient) -> None:
    ann = Person(client, "Ann", Role.PLAYER)
    for wrong in ("", "csrf-token-0"):
        ann.csrf, kept = wrong, ann.csrf
        assert ann.do("t1", {"step": "sit", "position": 3}).status_code == 403
        ann.csrf = kept
    assert ann.look("t1")["view"]["phase"] == "closed"


def test_signing_out_ends_it(client: TestClient) -> None:
    ann = Person(client, "Ann", Role.PLAYER)
    assert ann.send("GET", "/api/v1/session").json()["id"] == "Ann"
    assert ann.send("DELETE", "/api/v1/session").status_code == 204
    assert ann.send("GET", "/api/v1/session").status_code == 401


def test_a_cookie_is_for_our_pages_only_and_for_no_script(client: TestClient) -> None:
    came = client.post("/api/v1/session/guest")
    said = came.headers["set-cookie"].lower()
    assert "httponly" in said and "samesite=strict" in said
    assert came.headers["x-frame-options"] == "DENY" and came.headers["cache-control"] == "no-store"
    assert "default-src 'self'" in came.headers["content-security-policy"]


# --- what is done -------------------------------------------------------------------------------------


def test_a_command_is_carried_out_once_and_answered_as_it_was(client: TestClient) -> None:
    eve = Person(client, "Eve", Role.PLAYER)
    first = eve.do("t1", {"step": "sit", "position": 3}, "click")
    again = eve.do("t1", {"step": "sit", "position": 3}, "click")
    assert first.status_code == again.status_code == 200 and first.json() == again.json()
    seats = {seat["position"]: seat["name"] for seat in eve.look("t1")["view"]["seats"]}
    assert seats[3] == "Eve"


def test_two_people_may_use_the_same_name_for_their_commands(client: TestClient) -> None:
    for name, at in (("Eve", 3), ("Bob", 4)):
        answer = Person(client, name, Role.PLAYER).do("t1", {"step": "sit", "position": at}, "click")
        assert answer.status_code == 200, answer.text


def test_a_refusal_says_every_reason_with_its_clause(client: TestClient) -> None:
    answer = Person(client, "Dee", Role.DEALER).do("t1", {"step": "no_more_bets"})
    assert answer.status_code == 409
    assert answer.headers["content-type"] == "application/problem+json"
    assert all(problem["reason"] for problem in answer.json()["problems"])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[", 400),
        (b'{"id":"x"}', 400),
        (b'{"id":"","action":{}}', 400),
        (b'{"id":"x","action":{"step":"fly"}}', 409),
        (b'{"id":"x","action":{"step":"sit","position":"high"}}', 409),
        (b'{"id":"x","action":' + b"[" * 5000, 400),
        (b'{"id":"x","more":1,"action":{}}', 400),
    ],
)
def test_what_means_nothing_is_refused_in_words(client: TestClient, body: bytes, status: int) -> None:
    ann = Person(client, "Ann", Role.PLAYER)
    headers = {CSRF_HEADER: ann.csrf, "cookie": f"{COOKIE}={ann.cookies[COOKIE]}"}
    client.cookies.clear()
    answer = client.post("/api/v1/tables/t1/commands", content=body, headers=headers)
    assert answer.status_code == status, answer.text
    assert len(answer.text) < 1000


def test_a_request_that_is_too_long_is_not_read(client: TestClient) -> None:
    ann = Person(client, "Ann", Role.PLAYER)
    answer = ann.send("POST", "/api/v1/tables/t1/commands", {"id": "x" * 100_000, "action": {}})
    assert answer.status_code == 413


def test_nothing_is_known_by_a_name_that_nothing_bears(client: TestClient) -> None:
    eye = Person(client, "Eye", Role.SURVEILLANCE)
    for path in ("tables/none", "meters/none", "tables/t1/rounds/99/packet", "tables/t1/rounds/x/packet"):
        assert eye.send("GET", f"/api/v1/{path}").status_code == 404


def test_whole_rounds_are_played_over_http_and_told_in_a_packet(
    floor_served: tuple[TestClient, Server],
) -> None:
    client, server = floor_served
    floor, people = server.loop.floor, dict[tuple[str, Role], Person]()
    while floor.table("t1").table.rounds < 1:
        move = next_move(floor, "t1")
        key = (move.by.id, move.by.role)
        person = people.setdefault(key, Person(client, *key)) if key not in people else people[key]
        answer = person.do("t1", step_of(move))
        assert answer.status_code == 200, (move, answer.text)
    eye = Person(client, "Eye", Role.SURVEILLANCE)
    packet = eye.send("GET", "/api/v1/tables/t1/rounds/1/packet").json()
    assert packet["verdict"]["identical"]


# --- what is seen -------------------------------------------------------------------------------------


def test_nobody_is_shown_a_card_of_anothers_hand(floor_served: tuple[TestClient, Server]) -> None:
    client, server = floor_served
    floor = server.loop.floor
    while not floor.table("t1").table.round.dealt:
        move = next_move(floor, "t1")
        Person(client, move.by.id, move.by.role).do("t1", step_of(move))
    while not floor.table("t1").table.round.hands[2].cards:
        move = next_move(floor, "t1")
        Person(client, move.by.id, move.by.role).do("t1", step_of(move))
    hidden = floor.table("t1").table.round.hands[2].cards
    for name, role in (("Dan", Role.PLAYER), ("Guest", Role.GUEST), ("Flo", Role.FLOORPERSON)):
        view = Person(client, name, role).look("t1")["view"]
        (hand,) = [hand for hand in view["hands"] if hand["position"] == 2]
        assert hand["held"] == 7 and not hand.get("cards")
        told = Person(client, name, role).send("POST", "/api/v1/tables/t1/suggestion", {"position": 2})
        assert told.status_code in (403, 409)
        assert not any(str(card) in told.text for card in hidden)


def test_whoever_watches_is_sent_what_changes_and_ends_with_the_servers_view(
    floor_served: tuple[TestClient, Server],
) -> None:
    client, _ = floor_served
    ann, eve = Person(client, "Ann", Role.PLAYER), Person(client, "Eve", Role.PLAYER)
    headers = {"cookie": f"{COOKIE}={ann.cookies[COOKIE]}"}
    client.cookies.clear()
    with client.websocket_connect("/api/v1/tables/t1/live", headers=headers) as socket:
        first = socket.receive_json()
        eve.do("t1", {"step": "sit", "position": 3})
        second = socket.receive_json()
        assert second["version"] == first["version"] + 1 and second["hash"] != first["hash"]
        now = ann.look("t1")
        assert (now["version"], now["hash"], now["view"]) == tuple(
            second[key] for key in ("version", "hash", "view")
        )
        socket.send_json({"have": second["version"], "hash": second["hash"]})
        assert socket.receive_json()["same"] is True
        socket.send_json({"have": first["version"], "hash": first["hash"]})
        assert socket.receive_json()["hash"] == second["hash"]


def test_nobody_watches_who_is_not_signed_in_or_comes_from_another_page(client: TestClient) -> None:
    ann = Person(client, "Ann", Role.PLAYER)
    cookie = {"cookie": f"{COOKIE}={ann.cookies[COOKIE]}"}
    client.cookies.clear()
    for headers, table in (
        ({}, "t1"),
        ({**cookie, "origin": "https://elsewhere.example"}, "t1"),
        (cookie, "none"),
    ):
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect(f"/api/v1/tables/{table}/live", headers=headers) as socket,
        ):
            socket.receive_json()


def test_the_interface_describes_every_route_and_step(client: TestClient) -> None:
    told = client.get("/api/v1/openapi.json").json()
    said = {operation["operationId"] for path in told["paths"].values() for operation in path.values()}
    assert said == {name for name, route in ROUTES.items() if route.method != "WEBSOCKET"}
    assert "Action" in told["components"]["schemas"]


def test_what_is_served_is_counted_and_a_server_that_stops_is_not_ready(
    floor_served: tuple[TestClient, Server],
) -> None:
    client, server = floor_served
    assert client.get("/ready").json() == {"ready": True, "failing": []}
    Person(client, "Ann", Role.PLAYER)
    told = Person(client, "Adi", Role.ADMINISTRATOR).send("GET", "/metrics").text
    assert 'houseway_requests_total{route="sign_in",status="200"} 2.0' in told
    assert "houseway_viewers 0.0" in told
    assert "houseway_ready 1.0" in told
    server.health.serving = False
    assert client.get("/ready").status_code == 503
    assert client.get("/ready").json()["failing"] == ["serving"]


def test_a_floor_that_played_is_served_as_it_stands() -> None:
    floor = two_tables(new_floor(MemoryStore()))
    play(floor, "t1", 1)
    with served(floor) as (client, _):
        row = Person(client, "Ann", Role.PLAYER).send("GET", "/api/v1/tables").json()[0]
        assert (row["table"], row["rounds"], row["seated"]) == ("t1", 1, [2, 5])
        meter = Person(client, "Ace", Role.ACCOUNTING).send("GET", "/api/v1/meters/link").json()
        assert meter["showing"] == floor.meter("link").state.showing


@pytest.mark.parametrize("game", ["pa-659a"])
def test_rounds_are_found_by_those_who_may_and_ones_own_by_oneself(game: str) -> None:
    floor = two_tables(new_floor(MemoryStore()), game)
    play(floor, "t1", 2)
    with served(floor) as (client, _):
        eye, ann = Person(client, "Eye", Role.SURVEILLANCE), Person(client, "Ann", Role.PLAYER)
        found = eye.send("GET", "/api/v1/rounds?person=Ann&table=t1&amount=$10").json()
        assert [one["round"] for one in found["rounds"]] == [2, 1]
        assert not eye.send("GET", "/api/v1/rounds?person=Nobody").json()["rounds"]
        own = ann.send("GET", "/api/v1/me/rounds").json()["rounds"]
        assert [one["round"]["round"] for one in own] == [2, 1]
        for limit, rounds in ((0, [2]), (1, [2]), (2, [2, 1]), (201, [2, 1])):
            few = eye.send("GET", f"/api/v1/rounds?table=t1&limit={limit}").json()["rounds"]
            assert [one["round"] for one in few] == rounds, limit
        assert [read_search({"limit": text})["limit"] for text in ("199", "200", "201")] == [199, 200, 200]
        for wrong in ("card=Zz", "since=soon", "amount=much", "colour=red", "position=x"):
            assert eye.send("GET", f"/api/v1/rounds?{wrong}").status_code == 400, wrong


def test_chips_are_bought_over_http_where_a_table_follows_them() -> None:
    floor = new_floor(MemoryStore())
    make_table(floor, "t1", example_submission("pa-659a"), chips=True)
    floor.submit("t1", ChipCommand(id="opener", by=DEB, second=FLO, action=CountOpener(FLOAT)))
    floor.run()
    with served(floor) as (client, _):
        ann = Person(client, "Ann", Role.PLAYER)
        body = {"id": "b", "action": {"step": "buy_in", "person": "Ann", "cash": 5000}}
        answer = ann.send("POST", "/api/v1/tables/t1/chips", body)
        assert answer.status_code == 200, answer.text
        assert chips_of(floor.table("t1").tray, "Ann") == 5000
        wrong = {"id": "c", "action": {"step": "buy_in", "person": "Dan", "cash": 5000}}
        assert ann.send("POST", "/api/v1/tables/t1/chips", wrong).status_code == 409
        unknown = {"id": "d", "action": {"step": "steal"}}
        assert ann.send("POST", "/api/v1/tables/t1/chips", unknown).status_code == 400


def test_a_meter_is_adjusted_by_two_people_over_http(floor_served: tuple[TestClient, Server]) -> None:
    client, server = floor_served
    before = server.loop.floor.meter("link").state.value
    max_, ace = Person(client, "Max", Role.MANAGER), Person(client, "Ace", Role.ACCOUNTING)
    task = {"duty": "adjust_meter", "meter": "link", "amount": 5_000_000, "reason": "audit"}
    proposed = max_.send("POST", "/api/v1/duties", {"id": "a1", "task": task})
    assert proposed.status_code == 202, proposed.text
    name = proposed.json()["proposal"]
    assert [one["proposal"] for one in ace.send("GET", "/api/v1/proposals").json()] == [name]
    alone = max_.send("POST", f"/api/v1/proposals/{name}", {"done": True})
    assert alone.status_code == 409 and "two people" in alone.text
    assert ace.send("POST", f"/api/v1/proposals/{name}", {"done": True}).status_code == 200
    assert server.loop.floor.meter("link").state.value == before + 5_000_000
    assert ace.send("POST", f"/api/v1/proposals/{name}", {"done": True}).status_code == 404


def test_a_table_is_made_over_http_from_rules_that_two_people_put_into_effect(client: TestClient) -> None:
    max_, eva = Person(client, "Max", Role.MANAGER), Person(client, "Eva", Role.MANAGER)
    rules = plain(example_submission("pa-575"))
    filed = max_.send(
        "POST", "/api/v1/duties", {"id": "f", "task": {"duty": "file_submission", "submission": rules}}
    )
    assert filed.status_code == 200, filed.text
    (row,) = [one for one in eva.send("GET", "/api/v1/submissions").json() if one["game"] == "pa-575"]
    approve = {"duty": "approve_submission", "submission": row["submission"]}
    assert max_.send("POST", "/api/v1/duties", {"id": "a", "task": approve}).status_code == 409
    assert eva.send("POST", "/api/v1/duties", {"id": "a", "task": approve}).status_code == 200
    make = {"duty": "make_table", "table": "t5", "submission": row["submission"]}
    assert eva.send("POST", "/api/v1/duties", {"id": "m", "task": make}).status_code == 200
    assert "t5" in {one["table"] for one in eva.send("GET", "/api/v1/tables").json()}

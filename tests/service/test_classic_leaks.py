"""What web servers of games have leaked before, each by its name; and what keeps a session its owner's."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from houseway.floor.packets.happenings import read_happenings
from houseway.floor.round_search import find_round
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.api.auth import COOKIE, CSRF_HEADER
from houseway.service.api.routes import ROUTES
from houseway.service.demo import GAMES
from houseway.service.logs import JsonLines
from houseway.service.sessions import LONGEST
from houseway.store.memory import MemoryStore
from tests.floor.support import new_floor, next_move, two_tables
from tests.rounds.secrecy.cards import CARD, cards_in, may_know
from tests.service.crowd import PASSWORD
from tests.service.doors import API, Guarded, Visitor, guarded, user_of
from tests.service.support import step_of

T1 = f"{API}/tables/t1"
WATCHING = {Role.SURVEILLANCE, Role.REGULATOR}


@pytest.fixture
def floor() -> Iterator[Guarded]:
    with guarded(two_tables(new_floor(MemoryStore()))) as found:
        yield found


def deal(floor: Guarded, *, looked: bool = True) -> tuple[set[str], set[str]]:
    """Play until both hands are dealt, and looked at if so wished; return Ann's cards and Dan's."""
    while True:
        hands = floor.floor.table("t1").table.round.hands
        if len(hands) == 2 and all(h.cards and (not looked or "looked" in h.marks) for h in hands.values()):
            return tuple({str(card) for card in hands[at].cards} for at in (2, 5))  # type: ignore[return-value]
        go_on(floor)


def go_on(floor: Guarded) -> None:
    """Do what is to be done next, as whoever does it."""
    move = next_move(floor.floor, "t1")
    who = floor.somebody(move.by.role, move.by.id if move.by.id in ("Ann", "Dan", "Eve") else "")
    answer = do(who, step_of(move))
    assert answer.status_code == 200, answer.text


def play(floor: Guarded) -> None:
    """Play a round."""
    while not floor.floor.table("t1").table.rounds:
        go_on(floor)


_names = iter(range(10**6))


def do(who: Visitor, action: dict[str, Any]) -> Any:
    return who.send("POST", f"{T1}/commands", {"id": f"n{next(_names)}", "action": action})


def live(floor: Guarded, who: Visitor, table: str = "t1") -> Any:
    floor.client.cookies.clear()
    return floor.client.websocket_connect(f"{API}/tables/{table}/live", headers=who.headers())


# --- the classic leaks --------------------------------------------------------------------------------


def test_leak_initial_state_a_client_that_connects_late_is_sent_no_deck_and_no_others_hand(
    floor: Guarded,
) -> None:
    anns, dans = deal(floor)
    eve = floor.somebody(Role.PLAYER, "Eve")
    with live(floor, eve) as socket:
        first = socket.receive_text()
    assert not set(CARD.findall(first)) & (anns | dans)
    told = json.loads(first)
    assert set(told) == {"version", "hash", "view", "options"}, "a view and what may be done, nothing else"
    assert not {"order", "seal", "nonce", "rack", "vault"} & set(told["view"])


def test_leak_undo_what_is_undone_is_not_sent_and_no_licensed_table_is_undone(floor: Guarded) -> None:
    deal(floor)
    ann = floor.somebody(Role.PLAYER, "Ann")
    answer = ann.send("POST", f"{T1}/undo")
    assert answer.status_code == 409 and "nothing is undone" in answer.text and not CARD.search(answer.text)


def test_leak_unauthenticated_sync_nobody_watches_or_asks_for_a_view_without_a_session(
    floor: Guarded,
) -> None:
    deal(floor)
    for who in (floor.anybody(), Visitor(floor.client, "made-up-token", "made-up")):
        assert who.send("GET", T1).status_code == 401
        with pytest.raises(WebSocketDisconnect) as refused, live(floor, who) as socket:
            socket.receive_text()
        assert refused.value.code == 4403


def test_leak_another_seat_a_second_client_commands_and_sees_only_their_own(floor: Guarded) -> None:
    anns, _ = deal(floor)
    dan = floor.somebody(Role.PLAYER, "Dan")
    for step in ("set", "surrender", "leave", "look"):
        answer = do(dan, {"step": step, "position": 2})
        assert answer.status_code == 409 and not set(CARD.findall(answer.text)) & anns, answer.text
    for what in ("suggestion", "preview"):
        answer = dan.send("POST", f"{T1}/{what}", {"position": 2})
        assert answer.status_code in (400, 409) and not set(CARD.findall(answer.text)) & anns
    assert not set(CARD.findall(dan.send("GET", T1).text)) & anns
    assert anns <= set(CARD.findall(floor.somebody(Role.PLAYER, "Ann").send("GET", T1).text))


def test_leak_identity_in_the_body_nobody_says_who_they_are_but_by_their_session(floor: Guarded) -> None:
    eve = floor.somebody(Role.PLAYER, "Eve")
    body = {"id": "x", "by": {"id": "Ann", "role": "player"}, "action": {"step": "leave", "position": 2}}
    assert eve.send("POST", f"{T1}/commands", body).status_code == 400
    assert floor.floor.table("t1").table.seats[2].person == "Ann"


def test_leak_credentials_that_survive_leaving_whoever_got_up_sees_no_cards_there(floor: Guarded) -> None:
    ann, eve = floor.somebody(Role.PLAYER, "Ann"), floor.somebody(Role.PLAYER, "Eve")
    assert do(ann, {"step": "leave", "position": 2}).status_code == 200
    assert do(eve, {"step": "sit", "position": 2}).status_code == 200
    while not (hands := floor.floor.table("t1").table.round.hands) or not hands[2].cards:
        go_on(floor)
    eves = {str(card) for card in floor.floor.table("t1").table.round.hands[2].cards}
    while "looked" not in floor.floor.table("t1").table.round.hands[2].marks:
        go_on(floor)
    assert eves <= set(CARD.findall(eve.send("GET", T1).text))
    assert not eves & set(CARD.findall(ann.send("GET", T1).text))
    assert do(ann, {"step": "set", "position": 2}).status_code == 409


def test_leak_credentials_that_survive_signing_out_a_live_view_ends_with_its_session(floor: Guarded) -> None:
    ann, dan = floor.somebody(Role.PLAYER, "Ann"), floor.somebody(Role.PLAYER, "Dan")
    with live(floor, ann) as socket:
        socket.receive_text()
        assert ann.send("DELETE", f"{API}/session").status_code == 204
        assert do(dan, {"step": "leave", "position": 5}).status_code == 200
        with pytest.raises(WebSocketDisconnect) as over:
            socket.receive_text()
    assert over.value.code == 4403
    assert ann.send("GET", T1).status_code == 401


def test_leak_replay_nobody_is_shown_a_round_again_but_who_may_and_a_player_their_own(floor: Guarded) -> None:
    play(floor)
    for what, those in (("packet", WATCHING), ("replay", WATCHING | {Role.PLAYER})):
        for role in set(Role) - those:
            answer = floor.somebody(role).send("GET", f"{T1}/rounds/1/{what}")
            assert answer.status_code == 403 and not CARD.search(answer.text), (what, role)
    eve, ann = floor.somebody(Role.PLAYER, "Eve"), floor.somebody(Role.PLAYER, "Ann")
    assert eve.send("GET", f"{T1}/rounds/1/replay").status_code == 404, "she was not there"
    for others in ("player:Dan", "surveillance", "dealer"):
        assert ann.send("GET", f"{T1}/rounds/1/replay?as={others}").status_code == 409
    assert not cards_in(ann.send("GET", f"{API}/me/history").text)


@pytest.mark.parametrize("game", GAMES)
def test_leak_replay_a_player_is_shown_step_by_step_what_they_might_know_then(game: str) -> None:
    with guarded(two_tables(new_floor(MemoryStore()), game)) as floor:
        play(floor)
        found = find_round(floor.floor.store, "t1", 1)
        for name in ("Ann", "Dan"):
            viewer = Actor(name, Role.PLAYER)
            told = floor.somebody(Role.PLAYER, name).send("GET", f"{T1}/rounds/1/replay").json()
            known: set[str] = set()
            for step, one in zip(told["steps"], read_happenings(found), strict=True):
                known |= may_know(one.rules, one.before, viewer) | may_know(one.rules, one.after, viewer)
                assert set(cards_in(step)) <= known, (name, step["label"], set(cards_in(step)) - known)
            assert set(re.findall("[2-9TJQKA][cdhs]|Jk", "".join(told["ranks"]))) <= known


def test_leak_the_round_in_progress_is_in_no_search_packet_replay_or_history(floor: Guarded) -> None:
    play(floor)
    eye = floor.somebody(Role.SURVEILLANCE)
    before = {what: eye.send("GET", f"{T1}/rounds/1/{what}").text for what in ("packet", "replay")}
    anns, dans = deal(floor)
    for what, text in before.items():
        now = eye.send("GET", f"{T1}/rounds/1/{what}").text
        assert _without_ends(now) == _without_ends(text), "nothing more is told while cards lie on the table"
        assert eye.send("GET", f"{T1}/rounds/2/{what}").status_code == 409
    for card in anns | dans:
        found = eye.send("GET", f"{API}/rounds?card={card}").json()["rounds"]
        assert {one["round"] for one in found} <= {1}
    assert len(floor.somebody(Role.PLAYER, "Ann").send("GET", f"{API}/me/rounds").json()["rounds"]) == 1


def _without_ends(text: str) -> Any:
    """Return what is told of a round without where its stream ends, which goes on, and when it was told."""
    told = json.loads(text)
    told.get("head", {}).pop("made_at", None)
    for name in ("head_version", "head_hash"):
        told.get("chain", {}).pop(name, None)
    return told


def test_leak_the_hash_of_a_stream_with_cards_out_is_told_to_nobody(floor: Guarded) -> None:
    play(floor)
    deal(floor)
    head = floor.floor.table("t1").head.hash.hex()
    eye = floor.somebody(Role.SURVEILLANCE)
    for path in (f"{T1}/rounds/1/packet", f"{T1}/rounds/1/replay", f"{API}/chain", T1):
        assert head not in eye.send("GET", path).text, path


# --- sessions -----------------------------------------------------------------------------------------


def test_a_session_is_not_fixed_signing_in_begins_another_and_ends_the_one_before(floor: Guarded) -> None:
    planted = floor.somebody(Role.GUEST)
    victim = Visitor(floor.client, planted.token, planted.csrf)
    answer = victim.sign_in("The Ann")
    assert answer.status_code == 200 and victim.token != planted.token and victim.csrf != planted.csrf
    assert planted.send("GET", f"{API}/session").status_code == 401, "who planted it is nobody"
    assert victim.send("GET", f"{API}/session").json()["id"] == "Ann"


def test_a_token_is_in_no_answer_and_its_cookie_is_for_pages_of_ours_only(floor: Guarded) -> None:
    visitor = floor.anybody()
    answer = visitor.sign_in("The Ann")
    assert visitor.token not in answer.text
    said = answer.headers["set-cookie"].lower()
    assert (
        "httponly" in said and "samesite=strict" in said and f"max-age={int(LONGEST.total_seconds())}" in said
    )
    for path in ("/session", "/me", "/tables"):
        assert visitor.token not in visitor.send("GET", API + path).text
    floor.server.secure = True
    assert "; secure" in floor.anybody().sign_in("The Dan").headers["set-cookie"].lower()


def test_forged_requests_are_refused_on_every_route_that_changes_something(floor: Guarded) -> None:
    for role in (Role.ADMINISTRATOR, Role.MANAGER, Role.PLAYER, Role.DEALER):
        who = floor.somebody(role)
        for csrf in ("", "made-up", "ünïcode"):
            for route in ROUTES.values():
                if route.method in ("POST", "DELETE") and not route.open and route.allows(role):
                    path = route.path.replace(":path", "").replace("{", "").replace("}", "")
                    floor.client.cookies.clear()
                    headers = [
                        (b"cookie", f"{COOKIE}={who.token}".encode()),
                        (CSRF_HEADER.encode(), csrf.encode()),
                    ]
                    answer = floor.client.request(route.method, path, json={}, headers=headers)
                    assert answer.status_code == 403, (route.name, role, csrf, answer.text)
        assert who.send("GET", f"{API}/session").status_code == 200


def test_no_page_from_elsewhere_signs_anybody_in_or_sends_anything(floor: Guarded) -> None:
    elsewhere = {"origin": "https://elsewhere.example"}
    body = {"name": "The Ann", "password": PASSWORD}
    forged = floor.anybody().send("POST", f"{API}/session", body, **elsewhere)
    assert forged.status_code == 403 and "set-cookie" not in forged.headers
    ann = floor.somebody(Role.PLAYER, "Ann")
    leave = {"id": "x", "action": {"step": "leave", "position": 2}}
    assert ann.send("POST", f"{T1}/commands", leave, **elsewhere).status_code == 403
    assert ann.send("POST", f"{T1}/commands", leave, origin="http://testserver").status_code == 200
    assert floor.anybody().send("POST", f"{API}/session", body, origin="null").status_code == 403


@pytest.mark.parametrize("name", ["The Ann", "No One"])
def test_tries_to_sign_in_are_limited_over_http_whether_the_name_is_known_or_not(
    floor: Guarded, name: str
) -> None:
    said = [floor.anybody().sign_in(name, "wrong horse battery") for _ in range(6)]
    assert [one.status_code for one in said] == [401] * 5 + [429]
    assert {one.json()["title"] for one in said[:5]} == {"the name or the password is wrong"}
    assert int(said[5].headers["retry-after"]) == 12


def test_whoever_is_disabled_barred_or_has_a_new_password_is_out_at_once(floor: Guarded) -> None:
    ada, ann = floor.somebody(Role.ADMINISTRATOR), floor.somebody(Role.PLAYER, "Ann")
    eve, dan = floor.somebody(Role.PLAYER, "Eve"), floor.somebody(Role.PLAYER, "Dan")
    assert ada.send("POST", f"{API}/users/Ann/disable", {"reason": "left"}).status_code == 200
    assert eve.send("POST", f"{API}/me/exclusion", {}).status_code == 200
    password = floor.reset(ada, "Dan")
    for who in (ann, eve, dan):
        assert who.send("GET", f"{API}/me").status_code == 401
    again = floor.anybody()
    assert again.sign_in("The Dan", password).status_code == 200
    assert again.send("GET", f"{API}/me").json()["must_change_password"] is True
    assert floor.anybody().sign_in("The Eve").status_code == 401
    kept = ada.send("GET", f"{API}/users/Eve/history")
    assert kept.status_code == 200, "who cannot sign in is given their history"


def test_changing_ones_password_ends_every_other_session_and_goes_on_in_a_new_one(floor: Guarded) -> None:
    here, there = floor.somebody(Role.PLAYER, "Ann"), floor.somebody(Role.PLAYER, "Ann")
    wrong = here.send("POST", f"{API}/me/password", {"old": "wrong", "new": "a staple of horses"})
    assert wrong.status_code == 409 and there.send("GET", f"{API}/me").status_code == 200
    changed = here.send("POST", f"{API}/me/password", {"old": PASSWORD, "new": "a staple of horses"})
    assert changed.status_code == 200, changed.text
    assert there.send("GET", f"{API}/me").status_code == 401
    here.keep(changed)
    assert here.send("GET", f"{API}/me").json()["id"] == "Ann"
    assert floor.anybody().sign_in("The Ann").status_code == 401


def test_administrators_manage_people_and_are_never_shown_a_hash(floor: Guarded) -> None:
    ada = floor.somebody(Role.ADMINISTRATOR)
    password = floor.add(ada, {"id": "zoe", "name": "Zoe", "roles": ["player", "dealer"]})
    zoe = floor.anybody()
    assert zoe.sign_in("Zoe", password).status_code == 401, "choose one role"
    assert zoe.sign_in("Zoe", password, "dealer").status_code == 200
    floor.add(ada, {"id": "shoe-9", "name": "Shoe 9", "roles": ["shoe"]})
    everybody = ada.send("GET", f"{API}/users").text
    assert "argon2" not in everybody and "hash" not in everybody
    assert not any(half in everybody for half in password.split("-"))
    for wrong in (
        {"id": "zoe", "name": "Again", "roles": ["player"]},
        {"id": "x", "name": "X", "roles": []},
        {"id": "y", "name": "Y", "roles": ["guest"]},
        {"id": "z", "name": "Z", "roles": ["player", "shoe"]},
    ):
        assert ada.send("POST", f"{API}/users", wrong).status_code == 409, wrong
    assert ada.send("POST", f"{API}/users/bea/disable", {"reason": "away"}).status_code == 200
    alone = ada.send("POST", f"{API}/users/ada/disable", {"reason": "away"})
    assert alone.status_code == 409, "somebody is left who administers"


# --- what is said of errors ---------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["\x00", "\ud800", "\u202e", "x" * 5_000, "../../etc"])
def test_names_that_nobody_has_are_refused_in_words_wherever_they_are_sent(floor: Guarded, text: str) -> None:
    body = json.dumps(text)[1:-1]
    sent = (
        ("POST", "/users", f'{{"id":"{body}","name":"{body}","roles":["player"]}}', Role.ADMINISTRATOR),
        ("POST", "/me/password", f'{{"old":"{body}","new":"{body}"}}', Role.PLAYER),
        ("POST", "/session", f'{{"name":"{body}","password":"{body}"}}', None),
        ("POST", "/tables/t1/commands", f'{{"id":"{body}","action":{{"step":"{body}"}}}}', Role.PLAYER),
        (
            "POST",
            "/tables/t1/commands",
            f'{{"id":"a","action":{{"step":"relieve","dealer":"{body}"}}}}',
            Role.DEALER,
        ),
        ("POST", "/tables/t1/rounds/1/bookmark", f'{{"note":"{body}"}}', Role.REGULATOR),
        (
            "POST",
            "/duties",
            f'{{"id":"{body}","task":{{"duty":"read_meter","meter":"{body}","shown":1}}}}',
            Role.MANAGER,
        ),
        ("POST", "/submissions", f'{{"toml":"{body}"}}', Role.MANAGER),
        ("POST", "/games/pa-659a/hand", f'{{"cards":"{body}"}}', None),
    )
    for method, path, content, role in sent:
        who = floor.somebody(role) if role else floor.anybody()
        floor.client.cookies.clear()
        answer = floor.client.request(method, API + path, content=content.encode(), headers=who.headers())
        assert 400 <= answer.status_code < 500, (path, answer.status_code, answer.text)
        assert len(answer.text) < 1_000 and "Traceback" not in answer.text


def test_what_nobody_thought_of_is_answered_and_logged_without_a_word_of_it(
    floor: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the hand at 2 is As Kd and the password is hunter2")

    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("houseway.service")
    logger.addHandler(handler)
    monkeypatch.setattr(floor.server.hub, "watch", broken)
    monkeypatch.setattr("houseway.service.api.lookups.answer_hand", broken)
    try:
        answer = floor.client.post(f"{API}/games/pa-659a/hand", json={"cards": "x"})
        with pytest.raises(WebSocketDisconnect), live(floor, floor.somebody(Role.PLAYER)) as socket:
            socket.receive_text()
    finally:
        logger.removeHandler(handler)
    assert answer.status_code == 500 and answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["title"] == "something went wrong here"
    assert answer.headers["x-content-type-options"] == "nosniff"
    told = [json.loads(line) for line in lines.getvalue().splitlines()]
    failed = [line for line in told if line["level"] == "error"]
    assert [line["error"] for line in failed] == [["RuntimeError"], ["RuntimeError"]]
    assert all(any("broken" in place for place in line["where"]) for line in failed)
    assert "As Kd" not in lines.getvalue() and "hunter2" not in lines.getvalue()


def test_a_path_or_method_that_is_not_served_is_refused_with_every_header(client: TestClient) -> None:
    for method, path in (("GET", "/nothing"), ("PUT", f"{API}/tables"), ("GET", f"{API}/none")):
        answer = client.request(method, path)
        assert answer.status_code in (404, 405)
        assert answer.headers["content-security-policy"].startswith("default-src 'self'")
        assert answer.headers["content-type"] == "application/problem+json"


@pytest.fixture
def client(floor: Guarded) -> TestClient:
    return floor.client


def test_a_body_is_not_read_further_than_it_may_go_even_if_its_length_is_not_told(floor: Guarded) -> None:
    sent = 0

    def parts() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(1_000):
            sent += 1
            yield b"x" * 1_024

    who = floor.somebody(Role.PLAYER)
    floor.client.cookies.clear()
    answer = floor.client.post(f"{T1}/commands", content=parts(), headers=who.headers())
    assert answer.status_code == 413 and user_of(Role.PLAYER)

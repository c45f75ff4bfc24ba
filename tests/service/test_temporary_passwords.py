"""A temporary password allows nothing but its change: every route, every page, the live view."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.websockets import WebSocketDisconnect

from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.api.routes import ROUTES
from houseway.store.memory import MemoryStore
from houseway.web.making import site
from houseway.web.pages import PAGES
from tests.floor.support import new_floor, two_tables
from tests.service.doors import API, TEMPORARY, Guarded, Visitor, guarded
from tests.service.matrix import BODIES, NAMES

OPEN_TO_THEM = {"sign_in", "sign_in_guest", "who_am_i", "sign_out", "me", "change_password"}
OWN = "a staple of horses"


@pytest.fixture
def floor() -> Iterator[Guarded]:
    with guarded(two_tables(new_floor(MemoryStore())), site) as served:
        served.add_user(Actor("new", Role.MANAGER, "New"))
        served.give_temporary("new")
        yield served


def signed_in(floor: Guarded, password: str = TEMPORARY) -> Visitor:
    visitor = floor.anybody()
    answer = visitor.sign_in("New", password)
    assert answer.status_code == 200, answer.text
    return visitor


def test_every_route_is_refused_until_the_password_is_changed(floor: Guarded) -> None:
    visitor = signed_in(floor)
    for route in ROUTES.values():
        if route.name in OPEN_TO_THEM or route.method == "WEBSOCKET":
            continue
        path = route.path.replace(":path", "").format(**NAMES)
        answer = visitor.send(route.method, path, BODIES.get(route.name))
        assert answer.status_code == 403, (route.name, answer.text)
        assert answer.json()["must"] == "change_password" and "password" in answer.json()["title"]
    assert {name for name, route in ROUTES.items() if route.before_change} == OPEN_TO_THEM


def test_a_live_view_is_refused_too(floor: Guarded) -> None:
    visitor = signed_in(floor)
    floor.client.cookies.clear()
    live = floor.client.websocket_connect(f"{API}/tables/t1/live", headers=visitor.headers())
    with pytest.raises(WebSocketDisconnect) as refused, live as socket:
        socket.receive_text()
    assert refused.value.code == 4403


def test_they_are_told_what_they_must_and_go_on_once_it_is_done(floor: Guarded) -> None:
    visitor = signed_in(floor)
    assert visitor.send("GET", f"{API}/session").json()["must"] == "change_password"
    assert visitor.send("GET", f"{API}/me").json()["must_change_password"] is True
    changed = visitor.send("POST", f"{API}/me/password", {"old": TEMPORARY, "new": OWN})
    assert changed.status_code == 200, changed.text
    visitor.keep(changed)
    assert "must" not in visitor.send("GET", f"{API}/session").json()
    assert visitor.send("GET", f"{API}/tables").status_code == 200
    assert visitor.send("GET", f"{API}/waiting").status_code == 200


@pytest.mark.parametrize("new", [TEMPORARY, TEMPORARY.upper(), f" {TEMPORARY} "])
def test_the_temporary_password_is_not_chosen_again(floor: Guarded, new: str) -> None:
    visitor = signed_in(floor)
    refused = visitor.send("POST", f"{API}/me/password", {"old": TEMPORARY, "new": new})
    assert refused.status_code == 400 and "the same" in refused.json()["title"]
    assert visitor.send("GET", f"{API}/session").json()["must"] == "change_password"


def test_they_may_leave_or_come_in_as_somebody_else(floor: Guarded) -> None:
    visitor = signed_in(floor)
    assert visitor.sign_in("Ada").status_code == 200
    assert visitor.send("GET", f"{API}/users").status_code == 200
    other = signed_in(floor)
    assert other.send("DELETE", f"{API}/session").status_code == 204


def test_every_page_leads_to_the_change_and_knows_where_to_go_on(floor: Guarded) -> None:
    visitor = signed_in(floor)
    floor.client.follow_redirects = False
    for page in PAGES.values():
        answer = visitor.send("GET", page.path.format(**NAMES) + "?show=1")
        if page.name in ("me", "sign_in"):
            assert answer.status_code == 200, page.name
        else:
            assert answer.status_code == 303, page.name
            assert answer.headers["location"].startswith("/me?next=%2F"), page.name
    assert visitor.send("GET", "/static/js/me.js").status_code == 200
    assert '"next":"/floor?show=1"' in visitor.send("GET", "/me?next=%2Ffloor%3Fshow%3D1").text
    for elsewhere in ("https://elsewhere.example", "//elsewhere.example", "/\\elsewhere.example"):
        assert "elsewhere" not in visitor.send("GET", f"/me?next={elsewhere}").text

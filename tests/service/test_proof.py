"""What needs two people is done by two, each of whom has given their password within the last minutes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from houseway.games import example_submission
from houseway.rounds.roles import Role
from houseway.service.credentials import Credentials
from houseway.service.session_auth import SessionAuth
from houseway.store.memory import MemoryStore
from tests.chips.support import FLOAT
from tests.floor.support import make_table, new_floor, two_tables
from tests.service.crowd import PASSWORD, passwords
from tests.service.doors import API, Guarded, Visitor, guarded, user_of

MINUTES = timedelta(minutes=5)
TICK = timedelta(milliseconds=1)
ADJUST = {"duty": "adjust_meter", "meter": "link", "amount": 50_000, "reason": "audit"}


class Clock:
    """A clock that stands still until a test sets it."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def floor() -> Iterator[Guarded]:
    floor = two_tables(new_floor(MemoryStore()))
    make_table(floor, "t3", example_submission("pa-659a"), "link", chips=True)
    with guarded(floor) as served:
        yield served


@pytest.fixture
def clock(floor: Guarded) -> Clock:
    clock = Clock(floor.floor.clock())
    floor.floor.clock = floor.door._clock = clock
    return clock


def adjust(who: Visitor, name: str = "a") -> Any:
    return who.send("POST", f"{API}/duties", {"id": name, "task": ADJUST})


def confirm(who: Visitor, proposal: str) -> Any:
    return who.send("POST", f"{API}/proposals/{proposal}", {"done": True})


def prove(who: Visitor, password: str = PASSWORD) -> Any:
    return who.send("POST", f"{API}/session/proof", {"password": password})


def must_prove(answer: Any) -> bool:
    return bool(answer.status_code == 403 and answer.json()["must"] == "prove" and answer.json()["title"])


# --- within minutes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after", "enough"), [(MINUTES - TICK, True), (MINUTES, True), (MINUTES + TICK, False)]
)
def test_a_proof_is_enough_for_five_minutes_and_no_longer(
    floor: Guarded, clock: Clock, after: timedelta, enough: bool
) -> None:
    manager, books = floor.somebody(Role.MANAGER), floor.somebody(Role.ACCOUNTING)
    proposed = adjust(manager).json()["proposal"]
    clock.now += after
    answers = [adjust(manager, "b"), confirm(books, proposed)]
    assert [must_prove(answer) for answer in answers] == [not enough, not enough]
    assert [answer.status_code for answer in answers] == ([202, 200] if enough else [403, 403])


def test_a_password_given_again_is_a_proof_and_a_wrong_one_is_none(floor: Guarded, clock: Clock) -> None:
    manager, books = floor.somebody(Role.MANAGER), floor.somebody(Role.ACCOUNTING)
    before = floor.floor.meter("link").state.value
    clock.now += MINUTES + TICK
    assert must_prove(adjust(manager)) and not floor.floor.house.proposals
    assert prove(manager, "wrong horse battery").status_code == 401 and must_prove(adjust(manager))
    assert prove(manager).status_code == 204
    proposal = adjust(manager).json()["proposal"]
    assert must_prove(confirm(books, proposal)), "each proves it for themselves"
    assert prove(books).status_code == 204 and confirm(books, proposal).status_code == 200
    assert floor.floor.meter("link").state.value == before + 50_000


def test_another_session_of_the_same_person_is_not_proved_by_it(floor: Guarded, clock: Clock) -> None:
    here, there = floor.somebody(Role.MANAGER), floor.somebody(Role.MANAGER)
    clock.now += MINUTES + TICK
    assert prove(here).status_code == 204
    assert adjust(here).status_code == 202 and must_prove(adjust(there, "b"))


def test_a_proof_given_at_one_server_holds_at_another_at_once(floor: Guarded, clock: Clock) -> None:
    here, register = floor.door, floor.door.register
    credentials = Credentials(floor.server.loop, register, passwords(), floor.runtime)
    there = SessionAuth(floor.server.loop, register, floor.sessions, credentials)
    manager = floor.somebody(Role.MANAGER)
    clock.now += MINUTES + TICK
    floor.server.auth = there
    assert must_prove(adjust(manager)), "from now on the session is believed there for a while"
    floor.server.auth = here
    assert prove(manager).status_code == 204
    floor.server.auth = there
    assert adjust(manager).status_code == 202


def test_a_clock_that_is_set_back_makes_no_proof_last_longer(floor: Guarded, clock: Clock) -> None:
    clock.now += timedelta(hours=1)
    manager = floor.somebody(Role.MANAGER)
    clock.now -= MINUTES + TICK
    assert must_prove(adjust(manager))


def test_everything_that_needs_two_people_needs_it_and_nothing_else(floor: Guarded, clock: Clock) -> None:
    admin, dealer = floor.somebody(Role.ADMINISTRATOR), floor.somebody(Role.DEALER)
    manager, pit = floor.somebody(Role.MANAGER), floor.somebody(Role.FLOORPERSON)
    waiting = adjust(manager).json()["proposal"]
    clock.now += MINUTES + TICK
    counted = {str(kind): count for kind, count in FLOAT.items()}
    chips = {"id": "o", "action": {"step": "count_opener", "chips": counted}}
    fill = {"id": "f", "action": {"step": "request_fill", "chips": {"500": 10}}}
    void = {"id": "v", "task": {"duty": "void_slip", "meter": "link", "serial": "x", "reason": "y"}}
    by_two: list[tuple[Visitor, str, Any]] = [
        (dealer, "/tables/t3/chips", chips),
        (manager, "/duties", void),
        (manager, "/duties", {"id": "p", "task": {"duty": "approve_program"}}),
        (admin, "/users", {"id": "zoe", "name": "Zoe", "roles": ["player"]}),
        (admin, "/users/Ann/roles", {"roles": ["player", "dealer"]}),
        (admin, "/users/Ann/password", None),
        (admin, "/users/Ann/enable", {"reason": "back"}),
    ]
    for who, path, body in by_two:
        assert must_prove(who.send("POST", API + path, body)), path
    by_one: list[tuple[Visitor, str, Any]] = [
        (pit, "/tables/t3/chips", fill),
        (admin, "/users/Dan/disable", {"reason": "left"}),
        (manager, f"/proposals/{waiting}", {"done": False, "reason": "not today"}),
        (manager, "/duties", {"id": "r", "task": {"duty": "read_meter", "meter": "link", "shown": 1}}),
    ]
    for who, path, body in by_one:
        assert not must_prove(who.send("POST", API + path, body)), path


def test_tries_to_prove_it_are_limited_like_signing_in(floor: Guarded) -> None:
    manager = floor.somebody(Role.MANAGER)
    statuses = [prove(manager, "wrong horse battery").status_code for _ in range(6)]
    assert statuses == [401] * 5 + [429]
    assert int(prove(manager).headers["retry-after"]) > 0


def test_nobody_proves_anything_with_the_password_of_another(floor: Guarded, clock: Clock) -> None:
    manager = floor.somebody(Role.MANAGER)
    clock.now += MINUTES + TICK
    floor.give_temporary(user_of(Role.ACCOUNTING), "a password of accounting")
    assert prove(manager, "a password of accounting").status_code == 401
    assert (
        floor.somebody(Role.GUEST).send("POST", f"{API}/session/proof", {"password": ""}).status_code == 403
    )


# --- two persons --------------------------------------------------------------------------------------


def test_the_second_person_has_not_signed_in_over_the_session_of_the_first(floor: Guarded) -> None:
    browser = floor.anybody()
    browser.send("POST", f"{API}/session/guest")
    assert browser.sign_in(f"The {user_of(Role.MANAGER)}").status_code == 200
    proposal = adjust(browser).json()["proposal"]
    assert browser.sign_in(f"The {user_of(Role.ACCOUNTING)}").status_code == 200
    refused = confirm(browser, proposal)
    assert refused.status_code == 409 and "over that of the first" in refused.json()["title"]
    own = floor.anybody()
    own.sign_in(f"The {user_of(Role.ACCOUNTING)}")
    assert confirm(own, proposal).status_code == 200


def test_chips_and_people_are_not_moved_over_the_session_of_the_first_either(floor: Guarded) -> None:
    browser = floor.anybody()
    browser.sign_in(f"The {user_of(Role.DEALER)}")
    chips = {"step": "count_opener", "chips": {str(kind): count for kind, count in FLOAT.items()}}
    proposal = browser.send("POST", f"{API}/tables/t3/chips", {"id": "o", "action": chips}).json()["proposal"]
    browser.sign_in(f"The {user_of(Role.FLOORPERSON)}")
    assert confirm(browser, proposal).status_code == 409 and not floor.floor.table("t3").tray.open
    desk = floor.anybody()
    desk.sign_in("Ada")
    added = desk.send("POST", f"{API}/users", {"id": "zoe", "name": "Zoe", "roles": ["player"]})
    floor.pass_time(timedelta(minutes=1))  # there is a pause after other tries
    assert desk.sign_in("The bea").status_code == 200
    assert confirm(desk, added.json()["proposal"]).status_code == 409

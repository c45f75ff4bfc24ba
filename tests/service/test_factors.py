"""Second factors, over HTTP: set up, asked for at the door, good once, demanded by role, voided when lost."""

from __future__ import annotations

from base64 import b32decode
from collections.abc import Iterator
from datetime import timedelta

import pyotp
import pytest
from pyotp.totp import TOTP
from sqlalchemy import select
from starlette.websockets import WebSocketDisconnect

from houseway.errors import IllegalError
from houseway.floor.bodies import read_body
from houseway.floor.people_events import FactorsDemanded, FactorSet
from houseway.floor.streams import PEOPLE
from houseway.floor.verification import verify_floor
from houseway.rng import SeededEntropy
from houseway.rounds.roles import Role
from houseway.service.api.routes import ROUTES
from houseway.service.factor_codes import FactorCodes
from houseway.service.factors import FactorSafe, new_secret, step_of, uri_of
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Store
from houseway.store.schema import FACTORS
from tests.floor.support import new_floor, two_tables
from tests.service.crowd import NOON, PASSWORD
from tests.service.doors import API, Guarded, Visitor, guarded
from tests.store.support import KINDS, new_store

HALF_MINUTE, ENROLMENT = timedelta(seconds=30), timedelta(minutes=15)
NAMES = {Role.MANAGER: "The a-manager", Role.PLAYER: "The Ann"}


@pytest.fixture
def floor() -> Iterator[Guarded]:
    with guarded(two_tables(new_floor(MemoryStore()))) as opened:
        yield opened


def code_of(floor: Guarded, secret: str, later: int = 0) -> str:
    """Return the code of this moment, or of so many half minutes later."""
    return TOTP(secret).at(floor.clock.now, counter_offset=later)


def enrolled(floor: Guarded, who: Visitor) -> str:
    """Set up a second factor; return its secret, once its first code is used and the next may come."""
    begun = who.send("POST", f"{API}/me/factor")
    assert begun.status_code == 201, begun.text
    secret: str = begun.json()["secret"]
    confirmed = who.send("POST", f"{API}/me/factor/confirm", {"code": code_of(floor, secret)})
    assert confirmed.status_code == 204, confirmed.text
    floor.clock.now += 2 * HALF_MINUTE
    return secret


def demand(floor: Guarded, *roles: Role) -> None:
    ada = floor.somebody(Role.ADMINISTRATOR)
    answer = ada.send("POST", f"{API}/factor-roles", {"roles": [role.value for role in roles]})
    assert answer.status_code == 200, answer.text


# --- setting one up -----------------------------------------------------------------------------------


def test_a_factor_is_set_up_by_the_first_code_of_its_secret(floor: Guarded) -> None:
    ann = floor.somebody(Role.PLAYER, "Ann")
    begun = ann.send("POST", f"{API}/me/factor").json()
    assert pyotp.parse_uri(begun["uri"]).secret == begun["secret"]
    assert len(b32decode(begun["secret"])) == 20, "as RFC 4226 recommends"
    assert begun["uri"].startswith("otpauth://totp/houseway:The%20Ann?")
    wrong = ann.send("POST", f"{API}/me/factor/confirm", {"code": "000000"})
    assert wrong.status_code == 409 and ann.send("GET", f"{API}/me").json()["factor"] is False
    code = code_of(floor, begun["secret"])
    assert ann.send("POST", f"{API}/me/factor/confirm", {"code": code}).status_code == 204
    assert ann.send("GET", f"{API}/me").json()["factor"] is True
    assert ann.send("POST", f"{API}/me/factor").status_code == 409, "there is one already"


def test_a_secret_that_waits_too_long_or_was_told_anew_is_void(floor: Guarded) -> None:
    ann = floor.somebody(Role.PLAYER, "Ann")
    first = ann.send("POST", f"{API}/me/factor").json()["secret"]
    second = ann.send("POST", f"{API}/me/factor").json()["secret"]
    void = ann.send("POST", f"{API}/me/factor/confirm", {"code": code_of(floor, first)})
    assert void.status_code == 409
    floor.clock.now += ENROLMENT
    late = ann.send("POST", f"{API}/me/factor/confirm", {"code": code_of(floor, second)})
    assert late.status_code == 409 and "begin again" in late.json()["title"]


def test_a_secret_is_on_record_only_encrypted_and_the_log_is_whole(floor: Guarded) -> None:
    secret = enrolled(floor, floor.somebody(Role.PLAYER, "Ann"))
    entries = list(floor.floor.store.tails({PEOPLE: 0}))
    assert secret.encode() not in b"".join(entry.body for entry in entries)
    (event,) = (body for body in map(read_body, entries) if isinstance(body, FactorSet))
    assert event.sealed not in repr(event)
    user = floor.door.register.people.user("Ann")
    assert user.factor == event.sealed and user.factor not in repr(user)
    with floor.floor.store.picture() as picture:
        verify_floor(picture)


# --- at the door --------------------------------------------------------------------------------------


def test_whoever_has_a_factor_gives_its_code_to_sign_in(floor: Guarded) -> None:
    secret = enrolled(floor, floor.somebody(Role.PLAYER, "Ann"))
    asked = floor.anybody().sign_in("The Ann")
    assert asked.status_code == 401 and asked.json()["must"] == "code"
    wrong = floor.anybody().sign_in("The Ann", code="000000")
    assert wrong.status_code == 401 and wrong.json()["must"] == "code"
    guess = floor.anybody().sign_in("The Ann", "wrong horse battery", code=code_of(floor, secret))
    assert guess.status_code == 401 and "must" not in guess.json(), "nothing is told to who knows no password"
    came = floor.anybody().sign_in("The Ann", code=code_of(floor, secret))
    assert came.status_code == 200, came.text


def test_a_code_is_good_once(floor: Guarded) -> None:
    secret = enrolled(floor, floor.somebody(Role.PLAYER, "Ann"))
    code = code_of(floor, secret)
    said = [floor.anybody().sign_in("The Ann", code=code).status_code for _ in range(2)]
    assert said == [200, 401]
    assert floor.anybody().sign_in("The Ann", code=code_of(floor, secret, -1)).status_code == 401
    assert floor.anybody().sign_in("The Ann", code=code_of(floor, secret, 1)).status_code == 200


def test_five_wrong_codes_are_free_and_then_comes_a_pause(floor: Guarded) -> None:
    secret = enrolled(floor, floor.somebody(Role.PLAYER, "Ann"))
    for _ in range(5):
        assert floor.anybody().sign_in("The Ann", code="000000").status_code == 401
    late = floor.anybody().sign_in("The Ann", code=code_of(floor, secret))
    assert late.status_code == 429 and int(late.headers["retry-after"]) <= 12
    floor.pass_time(timedelta(seconds=12))
    assert floor.anybody().sign_in("The Ann", code=code_of(floor, secret)).status_code == 200


def test_who_is_asked_for_a_code_has_failed_at_nothing(floor: Guarded) -> None:
    secret = enrolled(floor, floor.somebody(Role.PLAYER, "Ann"))
    for _ in range(6):
        assert floor.anybody().sign_in("The Ann").json()["must"] == "code"
    assert floor.anybody().sign_in("The Ann", code=code_of(floor, secret)).status_code == 200


@pytest.mark.parametrize(("later", "status"), [(-2, 401), (-1, 200), (0, 200), (1, 200), (2, 401)])
def test_clocks_may_differ_by_one_code(floor: Guarded, later: int, status: int) -> None:
    secret = enrolled(floor, floor.somebody(Role.PLAYER, "Ann"))
    floor.clock.now += 2 * HALF_MINUTE
    code = code_of(floor, secret, later)
    assert floor.anybody().sign_in("The Ann", code=f" {code[:3]} {code[3:]} ").status_code == status


def test_wrong_codes_are_failed_tries_and_a_right_password_alone_clears_none(floor: Guarded) -> None:
    enrolled(floor, floor.somebody(Role.PLAYER, "Ann"))
    said = []
    for _ in range(3):
        said += [floor.anybody().sign_in("The Ann", code=code).status_code for code in ("000000", "", "1")]
    assert said == [401] * 7 + [429] * 2


def test_who_has_to_choose_a_role_uses_up_no_code(floor: Guarded) -> None:
    ada = floor.somebody(Role.ADMINISTRATOR)
    proposed = ada.send("POST", f"{API}/users/Ann/roles", {"roles": ["player", "dealer"]}).json()["proposal"]
    bea = floor.somebody(Role.ADMINISTRATOR, "bea")
    assert bea.send("POST", f"{API}/proposals/{proposed}", {"done": True}).status_code == 200
    secret = enrolled(floor, floor.somebody(Role.PLAYER, "Ann"))
    code = code_of(floor, secret)
    choose = floor.anybody().sign_in("The Ann", code=code)
    assert choose.status_code == 401 and "choose one role" in choose.json()["title"]
    assert floor.anybody().sign_in("The Ann", role="dealer", code=code).status_code == 200


def test_changing_the_password_keeps_the_factor_and_asks_for_no_second_code(floor: Guarded) -> None:
    ann = floor.somebody(Role.PLAYER, "Ann")
    enrolled(floor, ann)
    changed = ann.send("POST", f"{API}/me/password", {"old": PASSWORD, "new": "a staple of horses"})
    assert changed.status_code == 200, changed.text
    assert floor.anybody().sign_in("The Ann", "a staple of horses").json()["must"] == "code"


def test_a_clock_set_back_an_hour_keeps_nobody_with_a_factor_out(floor: Guarded) -> None:
    secret = enrolled(floor, floor.somebody(Role.PLAYER, "Ann"))
    assert floor.anybody().sign_in("The Ann", code=code_of(floor, secret)).status_code == 200
    floor.clock.now -= timedelta(hours=1)
    assert floor.anybody().sign_in("The Ann", code=code_of(floor, secret)).status_code == 401
    floor.clock.now += 2 * HALF_MINUTE
    answer = floor.anybody().sign_in("The Ann", code=code_of(floor, secret))
    assert answer.status_code == 200, answer.text


# --- demanded -----------------------------------------------------------------------------------------


def test_whose_role_needs_a_factor_may_only_set_one_up(floor: Guarded) -> None:
    manager = floor.somebody(Role.MANAGER)
    demand(floor, Role.MANAGER)
    for name, path, status in (("me", "/me", 200), ("who_am_i", "/session", 200), ("tables", "/tables", 200)):
        assert manager.send("GET", API + path).status_code == status, name
    assert manager.send("GET", f"{API}/session").json()["must"] == "enrol"
    for path in ("/tables/t1", "/submissions", "/waiting"):
        refused = manager.send("GET", API + path)
        assert refused.status_code == 403 and refused.json()["must"] == "enrol", path
    floor.client.cookies.clear()
    socket = floor.client.websocket_connect(f"{API}/tables/t1/live", headers=manager.headers())
    with pytest.raises(WebSocketDisconnect), socket as live:
        live.receive_text()
    enrolled(floor, manager)
    assert manager.send("GET", f"{API}/submissions").status_code == 200
    assert floor.somebody(Role.DEALER).send("GET", f"{API}/tables/t1").status_code == 200


def test_before_a_factor_is_set_up_only_the_routes_it_needs_are_open() -> None:
    open_to_all = {name for name, route in ROUTES.items() if route.open}
    before = {name for name, route in ROUTES.items() if route.before_factor} - open_to_all
    assert before == {"who_am_i", "sign_out", "me", "change_password", "begin_factor", "confirm_factor"}


def test_only_administrators_demand_factors_and_only_of_people(floor: Guarded) -> None:
    ada = floor.somebody(Role.ADMINISTRATOR)
    for role in ("guest", "shoe"):
        assert ada.send("POST", f"{API}/factor-roles", {"roles": [role]}).status_code == 409
    demand(floor, Role.MANAGER, Role.DEALER)
    assert ada.send("GET", f"{API}/factor-roles").json() == {"roles": ["dealer", "manager"]}
    again = ada.send("POST", f"{API}/factor-roles", {"roles": ["manager", "dealer"]})
    assert again.status_code == 409
    demand(floor)
    assert floor.somebody(Role.MANAGER).send("GET", f"{API}/submissions").status_code == 200


def test_a_factor_is_needed_by_whoever_has_one_whatever_is_demanded(floor: Guarded) -> None:
    secret = enrolled(floor, floor.somebody(Role.MANAGER))
    demand(floor, Role.MANAGER)
    demand(floor)
    assert floor.anybody().sign_in("The a-manager").status_code == 401
    code = code_of(floor, secret)
    assert floor.anybody().sign_in("The a-manager", code=code).status_code == 200
    changes = [
        (sorted(event.roles), event.by.id)
        for entry in floor.floor.store.tails({PEOPLE: 0})
        if isinstance(event := read_body(entry), FactorsDemanded)
    ]
    assert changes == [(["manager"], "ada"), ([], "ada")]


# --- removed ------------------------------------------------------------------------------------------


def test_a_factor_is_removed_with_password_and_code_where_no_role_needs_it(floor: Guarded) -> None:
    manager = floor.somebody(Role.MANAGER)
    secret = enrolled(floor, manager)
    right = {"password": PASSWORD, "code": code_of(floor, secret)}
    for wrong in ({"password": "x"}, {"code": "000000"}, {"code": ""}):
        assert manager.send("POST", f"{API}/me/factor/remove", {**right, **wrong}).status_code == 409, wrong
    demand(floor, Role.MANAGER)
    assert "requires" in manager.send("POST", f"{API}/me/factor/remove", right).json()["title"]
    demand(floor)
    removed = manager.send("POST", f"{API}/me/factor/remove", right)
    assert removed.status_code == 204, removed.text
    assert manager.send("GET", f"{API}/me").json()["factor"] is False, "and one stays signed in"
    assert floor.anybody().sign_in("The a-manager").status_code == 200


def test_two_administrators_void_somebodys_lost_factor_and_sign_them_out(floor: Guarded) -> None:
    ann, ada = floor.somebody(Role.PLAYER, "Ann"), floor.somebody(Role.ADMINISTRATOR)
    enrolled(floor, ann)
    void = f"{API}/users/Ann/factor/void"
    assert ada.send("POST", void, {"reason": " "}).status_code == 409
    proposed = ada.send("POST", void, {"reason": "the device is lost"})
    assert proposed.status_code == 202, proposed.text
    assert ann.send("GET", f"{API}/me").status_code == 200, "nothing is done by one alone"
    path = f"{API}/proposals/{proposed.json()['proposal']}"
    assert ada.send("POST", path, {"done": True}).status_code == 409
    bea = floor.somebody(Role.ADMINISTRATOR, "bea")
    assert bea.send("POST", path, {"done": True}).status_code == 200
    assert ada.send("POST", void, {"reason": "again"}).status_code == 409
    floor.pass_time(timedelta(seconds=5))
    assert ann.send("GET", f"{API}/me").status_code == 401
    assert floor.anybody().sign_in("The Ann").status_code == 200
    enrolled(floor, ada)
    own = ada.send("POST", f"{API}/users/ada/factor/void", {"reason": "lost"})
    assert own.status_code == 409, "nobody voids their own"


# --- secrets and codes --------------------------------------------------------------------------------


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with new_store(request.param) as opened:
        yield opened


def test_servers_use_up_codes_together(store: Store) -> None:
    codes = FactorCodes(store)
    codes.begin("ann", "sealed", NOON)
    assert [codes.use("ann", step, 100) for step in (100, 100, 99, 101)] == [True, False, False, True]
    assert codes.use("bob", 100, 100), "of whom nothing is remembered"
    assert codes.pending("ann", NOON) == "sealed" and codes.pending("bob", NOON) == ""
    codes.forget_old(NOON + ENROLMENT)
    assert codes.pending("ann", NOON) == "sealed"
    codes.forget_old(NOON + ENROLMENT + timedelta(seconds=1))
    assert codes.pending("ann", NOON) == ""
    with codes._engine.connect() as connection:
        steps = {row.person: row.step for row in connection.execute(select(FACTORS))}
    assert steps == {"ann": 101, "bob": 100}


def test_a_code_of_a_time_that_is_yet_to_come_again_waits_no_longer_than_it_may() -> None:
    codes = FactorCodes(MemoryStore())
    assert codes.use("ann", 1_000, 1_000)
    assert [codes.use("ann", step, 100) for step in (99, 100, 101)] == [False] * 3
    assert codes.use("ann", 102, 101)


def test_a_sealed_secret_is_opened_for_whom_it_was_sealed_by_the_same_key_only() -> None:
    safe = FactorSafe(bytes(32), SeededEntropy("factors"))
    secret = new_secret(SeededEntropy("secret"))
    sealed = safe.lock("ann", secret)
    assert secret not in sealed and safe.lock("ann", secret) != sealed
    assert safe.unlock("ann", sealed) == secret and len(secret) == 32
    for other, person in ((safe, "bob"), (FactorSafe(b"x" * 32, SeededEntropy("factors")), "ann")):
        with pytest.raises(IllegalError, match="cannot be opened"):
            other.unlock(person, sealed)


@pytest.mark.parametrize("code", ["", "12345", "1234567", "\ud800", "x" * 10_000, "１２３４５６"])
def test_what_is_no_code_is_no_code(code: str) -> None:
    secret = new_secret(SeededEntropy("secret"))
    assert step_of(secret, code, NOON) is None
    assert pyotp.parse_uri(uri_of(secret, "Ann Lee")).name == "Ann Lee"

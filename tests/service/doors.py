"""A floor behind its real door: users who proved who they are, their sessions, and a clock for all of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send

from houseway.cli.system import SystemRuntime
from houseway.floor.bus import NoBus
from houseway.floor.core import Floor
from houseway.floor.people_events import PeopleEvent
from houseway.floor.readmodels import ReadModels
from houseway.floor.rights import COMMAND_LINE
from houseway.rng import SeededEntropy
from houseway.rounds.roles import DEVICES, Role
from houseway.rounds.step import Actor
from houseway.service import people
from houseway.service.api import Server, make_app
from houseway.service.api.auth import COOKIE, CSRF_HEADER
from houseway.service.api.sign_in import CALM
from houseway.service.credentials import Credentials
from houseway.service.health import Health
from houseway.service.live_views import Hub
from houseway.service.loop import FloorLoop
from houseway.service.people import People, evolve_people
from houseway.service.practice_floor import Practice
from houseway.service.register import Register
from houseway.service.session_auth import SessionAuth
from houseway.service.sessions import Sessions
from houseway.service.user_accounts import UserAccounts
from tests.service.crowd import ADA, HERE, PASSWORD, hashed, passwords, shoe_key
from tests.support.runtime import TestRuntime

API = "/api/v1"
TEMPORARY = "a temporary password"
T = TypeVar("T")


ADDRESS = "x-test-address"
"""The header by which a test says from which address a request comes."""


def from_addresses(app: ASGIApp) -> ASGIApp:
    """Return an application to which requests come from where a test says."""

    async def addressed(scope: Scope, receive: Receive, send: Send) -> None:
        address = next((text for name, text in scope.get("headers", ()) if name == ADDRESS.encode()), None)
        if address is not None:
            scope["client"] = (address.decode(), 1)
        await app(scope, receive, send)

    return addressed


class Visitor:
    """Somebody with a browser of their own, signed in or not, at an address."""

    def __init__(self, client: TestClient, token: str = "", csrf: str = "", address: str = HERE) -> None:
        self.client, self.token, self.csrf, self.address = client, token, csrf, address

    def headers(self) -> dict[str, str]:
        """Return what their browser sends with everything."""
        signed = {CSRF_HEADER: self.csrf, "cookie": f"{COOKIE}={self.token}"} if self.token else {}
        return {ADDRESS: self.address, **signed}

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        self.client.cookies.clear()
        return self.client.request(method, path, json=body, headers={**self.headers(), **headers})

    def sign_in(self, name: str, password: str = PASSWORD, role: str = "", code: str = "") -> Any:
        """Sign in over HTTP, and stay signed in."""
        body = {"name": name, "password": password, "role": role, "code": code}
        answer = self.send("POST", f"{API}/session", body)
        self.keep(answer)
        return answer

    def keep(self, answer: Any) -> None:
        """Keep the cookie of an answer, if it sets one, as a browser does."""
        if COOKIE in answer.cookies:
            self.token, self.csrf = answer.cookies[COOKIE], answer.json()["csrf"]


class Guarded:
    """A floor that is served, with a user in every role."""

    def __init__(
        self,
        floor: Floor,
        client: TestClient,
        server: Server,
        door: SessionAuth,
        sessions: Sessions,
        clock: Ticking,
        runtime: TestRuntime,
    ) -> None:
        self.floor, self.client, self.server = floor, client, server
        self.door, self.sessions, self.clock, self.runtime = door, sessions, clock, runtime

    def add_user(self, who: Actor, password: str = PASSWORD) -> None:
        """Add somebody with a password of their own, as people are added who were there before."""
        self.door.register.record(lambda crowd, now: list(_added(crowd, who, password, now)))

    def give_temporary(self, user: str, password: str = TEMPORARY) -> None:
        """Give somebody a password that they have not chosen."""
        self.door.register.record(
            lambda crowd, now: [people.set_password(crowd, user, hashed(password), ADA, now)]
        )

    def add(self, first: Visitor, user: Mapping[str, Any]) -> str:
        """Have two administrators add somebody over HTTP; return the temporary password, or the key."""
        return self._confirmed(first.send("POST", f"{API}/users", user))

    def reset(self, first: Visitor, user: str) -> str:
        """Have two administrators give somebody a temporary password over HTTP; return it."""
        return self._confirmed(first.send("POST", f"{API}/users/{user}/password"))

    def _confirmed(self, proposed: Any) -> str:
        assert proposed.status_code == 202, proposed.text
        path = f"{API}/proposals/{proposed.json()['proposal']}"
        done = self.somebody(Role.ADMINISTRATOR, "bea").send("POST", path, {"done": True})
        assert done.status_code == 200, done.text
        return f"{proposed.json()['half']}-{done.json()['half']}"

    def pass_time(self, time: timedelta) -> None:
        """Let time go by."""
        self.clock.now += time

    def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do something where the server runs."""
        assert self.client.portal is not None
        return self.client.portal.call(work)

    def write_access(self) -> None:
        """Write what was noted at the door, as the server does every few seconds."""
        self.run(lambda: self.server.access.write(self.server.loop, self.clock()))

    def anybody(self, address: str = HERE) -> Visitor:
        """Return somebody who is not signed in."""
        return Visitor(self.client, address=address)

    def somebody(self, role: Role, person: str = "") -> Visitor:
        """Return somebody who is signed in, in a role."""
        now = self.floor.clock()
        if role is Role.GUEST:
            begun = self.sessions.begin_guest(HERE, now)
        else:
            begun = self.sessions.begin(person or user_of(role), role, HERE, now)
        return Visitor(self.client, begun.token, begun.session.csrf)


def user_of(role: Role) -> str:
    """Return the id of the user in a role."""
    return "ada" if role is Role.ADMINISTRATOR else f"a-{role.value}"


def _added(crowd: People, who: Actor, password: str, now: datetime) -> Iterator[PeopleEvent]:
    added = people.add_user(crowd, who.id, who.name, frozenset({who.role}), COMMAND_LINE, now)
    yield added
    yield people.set_password(evolve_people(crowd, added), who.id, hashed(password), who, now)


def _everybody(everybody: People, now: datetime) -> Iterator[PeopleEvent]:
    """Yield what adds a user for every role, players Ann and Dan among them."""
    names: Mapping[str, Role] = {
        **{user_of(role): role for role in Role if role not in (Role.ADMINISTRATOR, Role.GUEST)},
        **dict.fromkeys(("Ann", "Dan", "Eve"), Role.PLAYER),
        "bea": Role.ADMINISTRATOR,
    }
    for event in people.add_first_administrator(everybody, "ada", "Ada", hashed(), now):
        everybody = evolve_people(everybody, event)
        yield event
    for user, role in names.items():
        added = people.add_user(everybody, user, f"The {user}", frozenset({role}), COMMAND_LINE, now)
        everybody = evolve_people(everybody, added)
        yield added
        if role in DEVICES:
            yield people.set_key(everybody, user, shoe_key().hash, COMMAND_LINE, now)
        else:
            yield people.set_password(everybody, user, hashed(), Actor(user, role, f"The {user}"), now)


class Ticking:
    """A clock that goes on a little whenever it is looked at, so that nothing happens at once."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now


class Impatient(SystemRuntime):
    """The system's runtime, without the pause before a refusal to whoever tries too often: tests do."""

    async def sleep(self, seconds: float) -> None:
        await super().sleep(0 if seconds == CALM else seconds)


@contextmanager
def guarded(
    floor: Floor, app: Callable[[Server], Starlette] = make_app, practice: Practice | None = None
) -> Iterator[Guarded]:
    """Serve a floor to people who have to prove who they are."""
    assert ADA.id == user_of(Role.ADMINISTRATOR)
    floor.clock = clock = Ticking(floor.clock())
    runtime, system = TestRuntime(clock, SeededEntropy("guarded")), Impatient()
    hub = Hub(floor, system.monotonic)
    loop = FloorLoop(floor, NoBus(), hub.show, system)
    sessions = Sessions(floor.store, runtime.entropy)
    register = Register(floor.store, sessions, floor.clock)
    floor.barred = register.bar_reason
    register.record(lambda everybody, now: list(_everybody(everybody, now)))
    credentials = Credentials(loop, register, passwords(), runtime)
    door = SessionAuth(loop, register, sessions, credentials)
    accounts = UserAccounts(loop, register, credentials, runtime)
    health = Health(loop, None, loop.runtime)
    server = Server(loop, hub, door, ReadModels(floor.store), accounts, health, practice=practice)
    with TestClient(from_addresses(app(server))) as client:
        yield Guarded(floor, client, server, door, sessions, clock, runtime)

"""A floor behind its routes, with a door that lets in whoever is named."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import Any

from starlette.applications import Starlette
from starlette.testclient import TestClient

from houseway.cli.system import SystemRuntime
from houseway.errors import IllegalError
from houseway.floor.bus import NoBus
from houseway.floor.core import Floor
from houseway.floor.readmodels import ReadModels
from houseway.rounds.codec import plain
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor, Proposal
from houseway.service.api import Server, make_app
from houseway.service.api.auth import COOKIE, CSRF_HEADER, Identity, Proof, SignInResult
from houseway.service.credentials import Credentials
from houseway.service.health import Health
from houseway.service.live_views import Hub
from houseway.service.loop import FloorLoop
from houseway.service.passwords import Passwords
from houseway.service.practice_floor import Practice
from houseway.service.register import Register
from houseway.service.sessions import Sessions
from houseway.service.user_accounts import UserAccounts
from tests.service.crowd import CHEAP
from tests.support.runtime import TestRuntime

_names = count(1)


class Doorkeeper:
    """Lets anybody in who says who they are and in which role; the password is the name again."""

    def __init__(self) -> None:
        self.inside: dict[str, Identity] = {}

    async def sign_in(
        self,
        name: str,
        password: str,
        role: str,
        address: str,
        *,
        before: str = "",
        code: str | None = "",
    ) -> SignInResult:
        del address, before, code
        if password != name:
            raise IllegalError("no such name, or not its password")
        return self._begun(Actor(name, Role(role)))

    async def sign_in_guest(self, address: str) -> SignInResult:
        del address
        return self._begun(Actor(f"guest-{next(_names)}", Role.GUEST))

    def _begun(self, actor: Actor) -> SignInResult:
        token = f"token-{next(_names)}"
        self.inside[token] = Identity(actor, f"csrf-{token}")
        return SignInResult(token, self.inside[token], 3600)

    async def find(self, token: str) -> Identity | None:
        return self.inside.get(token)

    async def prove(self, token: str, password: str, address: str) -> None:
        del address
        if password != self.inside[token].actor.id:
            raise IllegalError("not the password")

    async def proof(self, token: str) -> Proof | None:
        return Proof(token, fresh=True)

    async def sign_out(self, token: str) -> None:
        self.inside.pop(token, None)


class Person:
    """Somebody with a browser of their own."""

    def __init__(self, client: TestClient, name: str, role: Role) -> None:
        self.client, self.name, self.role = client, name, role
        self.cookies: dict[str, str] = {}
        self.csrf = ""
        if role is Role.GUEST:
            came = self.send("POST", "/api/v1/session/guest")
        else:
            body = {"name": name, "password": name, "role": role.value}
            came = self.send("POST", "/api/v1/session", body)
        assert came.status_code == 200, came.text
        self.csrf, self.name = came.json()["csrf"], came.json()["id"]
        self.cookies = {COOKIE: came.cookies[COOKIE]}

    def send(self, method: str, path: str, body: Any = None) -> Any:
        self.client.cookies.clear()
        headers = {CSRF_HEADER: self.csrf, "cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
        return self.client.request(method, path, json=body, headers=headers)

    def do(self, table: str, action: Mapping[str, Any], name: str | None = None) -> Any:
        body = {"id": name or f"c{next(_names)}", "action": action}
        return self.send("POST", f"/api/v1/tables/{table}/commands", body)

    def look(self, table: str) -> dict[str, Any]:
        view: dict[str, Any] = self.send("GET", f"/api/v1/tables/{table}").json()
        return view


@contextmanager
def served(
    floor: Floor, app: Callable[[Server], Starlette] = make_app, practice: Practice | None = None
) -> Iterator[tuple[TestClient, Server]]:
    """Serve a floor to people in this process."""
    runtime, system = TestRuntime(floor.clock), SystemRuntime()
    hub = Hub(floor, system.monotonic)
    loop = FloorLoop(floor, NoBus(), hub.show, system)
    register = Register(floor.store, Sessions(floor.store, runtime.entropy), floor.clock)
    floor.barred = register.bar_reason
    credentials = Credentials(loop, register, Passwords(runtime.entropy, CHEAP), runtime)
    accounts = UserAccounts(loop, register, credentials, runtime)
    health = Health(loop, None, loop.runtime)
    server = Server(loop, hub, Doorkeeper(), ReadModels(floor.store), accounts, health, practice=practice)
    with TestClient(app(server)) as client:
        yield client, server


def step_of(move: Proposal) -> dict[str, Any]:
    """Return a move as a client sends it."""
    data: dict[str, Any] = json.loads(json.dumps(plain(move.action)))
    return data

"""A floor served over real sockets on loopback, by a clock that a test may set forward."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

from houseway.cli.system import SystemRuntime
from houseway.floor.bus import NoBus
from houseway.floor.core import Floor
from houseway.floor.readmodels import ReadModels
from houseway.floor.streams import TableId
from houseway.rng import SeededEntropy
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.api import Server, make_app
from houseway.service.credentials import Credentials
from houseway.service.health import Health
from houseway.service.live_views import Hub, SharedView, ViewMessage
from houseway.service.loop import FloorLoop
from houseway.service.network_limits import NetworkLimits
from houseway.service.passwords import Passwords
from houseway.service.register import Register
from houseway.service.session_auth import SessionAuth
from houseway.service.sessions import Sessions
from houseway.service.user_accounts import UserAccounts
from houseway.service.workers import listen_at, network_server
from houseway.store.memory import MemoryStore
from tests.floor.support import new_floor, two_tables
from tests.service.asgi import SOON, OpenDoor
from tests.service.crowd import CHEAP


class SettableRuntime(SystemRuntime):
    """Time stands still until a test sets it forward, so that a slow machine is no late client."""

    def __init__(self) -> None:
        super().__init__()
        self.ahead = 0.0

    def monotonic(self) -> float:
        return self.ahead

    async def sleep(self, seconds: float) -> None:
        until = self.monotonic() + seconds
        while self.monotonic() < until:
            await asyncio.sleep(0.01)


class Counted(SharedView):
    """Looks at a table and takes note of each view that is built."""

    def __init__(self, built: list[str], floor: Floor, table: TableId, padding: int = 0) -> None:
        super().__init__(floor, table)
        built.append("table")
        self._built, self._padding = built, padding

    def message_for(self, viewer: Actor) -> ViewMessage:
        self._built.append(viewer.id)
        seen = super().message_for(viewer)
        return ViewMessage(seen.version, seen.hash, seen.text + b" " * self._padding)


class Networked:
    """A floor that is served, and what its server measures."""

    def __init__(self, server: Server, port: int, runtime: SettableRuntime, built: list[str]) -> None:
        self.server, self.port, self.runtime, self.built = server, port, runtime, built
        self._lines = ExitStack()
        self.loop: asyncio.AbstractEventLoop | None = None
        """The loop of the server, which runs in another thread."""

    def show(self, table: str) -> None:
        """Have a table shown to its viewers."""
        assert self.loop is not None
        self.loop.call_soon_threadsafe(self.server.hub.show, frozenset({table}))

    def line(self, sent: bytes = b"", host: str = "127.0.0.1") -> socket.socket:
        """Connect, and send something."""
        opened = self._lines.enter_context(
            socket.create_connection(("127.0.0.1", self.port), SOON, (host, 0))
        )
        if sent:
            opened.sendall(sent)
        return opened

    def lines(self) -> ExitStack:
        """Return what closes every line that was opened."""
        return self._lines

    def let_in(self, name: str, role: Role = Role.PLAYER) -> str:
        """Let somebody in; return the cookie of their session."""
        assert isinstance(self.server.auth, OpenDoor)
        return f"houseway_session={self.server.auth.let_in(Actor(name, role))}"

    def measured(self, name: str, **labels: str) -> float:
        """Return what the server has measured under a name."""
        return self.server.metrics.registry.get_sample_value(name, labels) or 0.0

    def late(self, line: socket.socket) -> bytes:
        """Let time go by until a line is closed by the server; return what came over it before."""
        text, patience = b"", line.gettimeout()
        line.settimeout(0.1)
        for _ in range(round(SOON / 0.1)):
            try:
                part = line.recv(65536)
            except TimeoutError:
                self.runtime.ahead += 11
                continue
            except ConnectionResetError:
                part = b""
            if not part:
                line.settimeout(patience)
                return text
            text += part
        raise AssertionError("it is never closed")

    def late_until(self, holds: Callable[[], bool]) -> None:
        """Let time go by until something is so."""

        def later() -> bool:
            self.runtime.ahead += 1
            return holds()

        self.until(later)

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something is so."""
        waiting = threading.Event()
        for _ in range(round(SOON / 0.02)):
            if holds():
                return
            waiting.wait(0.02)
        raise AssertionError("it never comes to that")


def request(method: str, path: str, headers: Mapping[str, str] = {}, body: bytes = b"") -> bytes:
    """Return a request as it is sent."""
    lines = {"host": "floor", **headers, **({"content-length": str(len(body))} if body else {})}
    head = "".join(f"{name}: {text}\r\n" for name, text in lines.items())
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body


def answer(line: socket.socket) -> tuple[int, str]:
    """Read one answer; return its status, and its headers and body as text."""
    text = b""
    while b"\r\n\r\n" not in text:
        part = line.recv(65536)
        assert part, f"closed after {text!r}"
        text += part
    head, _, body = text.partition(b"\r\n\r\n")
    fields = dict(line.lower().split(": ", 1) for line in head.decode().split("\r\n")[1:])
    while len(body) < int(fields.get("content-length", 0)):
        body += line.recv(65536)
    return int(head.split()[1]), (head + b"\r\n\r\n" + body).decode()


def everything(line: socket.socket) -> bytes:
    """Read until the line is closed."""
    text = b""
    try:
        while part := line.recv(65536):
            text += part
    except ConnectionResetError:
        pass
    return text


def a_server(
    network: NetworkLimits,
    runtime: SettableRuntime,
    built: list[str],
    *,
    real_door: bool = False,
    padding: int = 0,
) -> Server:
    """Return a server of a small floor, with an open door or the real one."""
    floor, entropy = two_tables(new_floor(MemoryStore())), SeededEntropy("networked")
    hub = Hub(floor, runtime.monotonic, lambda floor, table: Counted(built, floor, table, padding))
    loop = FloorLoop(floor, NoBus(), hub.show, runtime)
    sessions = Sessions(floor.store, entropy)
    register = Register(floor.store, sessions, floor.clock)
    credentials = Credentials(loop, register, Passwords(entropy, CHEAP), runtime)
    door = SessionAuth(loop, register, sessions, credentials)
    accounts = UserAccounts(loop, register, credentials, runtime)
    auth: Any = door if real_door else OpenDoor()
    health = Health(loop, None, runtime)
    return Server(loop, hub, auth, ReadModels(floor.store), accounts, health, network=network)


@contextmanager
def networked(
    network: NetworkLimits | None = None, *, real_door: bool = False, padding: int = 0
) -> Iterator[Networked]:
    """Serve a small floor on loopback, in a thread of this process."""
    runtime, built = SettableRuntime(), list[str]()
    server = a_server(network or NetworkLimits(), runtime, built, real_door=real_door, padding=padding)
    serving = network_server(server, make_app)
    listening = listen_at("127.0.0.1", 0)
    networked = Networked(server, listening.getsockname()[1], runtime, built)

    async def served() -> None:
        networked.loop = asyncio.get_running_loop()
        await serving.serve(sockets=[listening])

    thread = threading.Thread(target=lambda: asyncio.run(served()))
    thread.start()
    try:
        networked.until(lambda: serving.started)
        with networked.lines():
            yield networked
    finally:
        serving.should_exit = True
        thread.join(SOON)
        assert not thread.is_alive()

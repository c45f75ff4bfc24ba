"""An application spoken to without a network: requests, and live connections that can break at any moment."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from starlette.types import ASGIApp, Message

from houseway.rounds.step import Actor
from houseway.service.api.auth import COOKIE, CSRF_HEADER, Identity, Proof, SignInResult

SOON = 20.0
"""Seconds after which a test gives up waiting."""
CSRF = "csrf"


class OpenDoor:
    """Knows everybody by what they say they are: for tests in which nobody pretends."""

    def __init__(self) -> None:
        self._inside: dict[str, Identity] = {}

    def let_in(self, actor: Actor) -> str:
        """Let somebody in under a token of theirs."""
        token = f"{actor.role.value}.{actor.id}"
        self._inside[token] = Identity(actor, CSRF)
        return token

    async def sign_in(
        self, name: str, password: str, role: str, address: str, *, before: str = "", code: str | None = ""
    ) -> SignInResult:
        raise NotImplementedError

    async def sign_in_guest(self, address: str) -> SignInResult:
        raise NotImplementedError

    async def find(self, token: str) -> Identity | None:
        return self._inside.get(token)

    async def prove(self, token: str, password: str, address: str) -> None:
        raise NotImplementedError

    async def proof(self, token: str) -> Proof | None:
        return Proof(token, fresh=True)

    async def sign_out(self, token: str) -> None:
        self._inside.pop(token, None)


def _scope(kind: str, path: str, token: str) -> dict[str, Any]:
    headers = {"host": "floor", "cookie": f"{COOKIE}={token}", CSRF_HEADER: CSRF}
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), text.encode()) for name, text in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("floor", 80),
        "subprotocols": [],
    }


async def post(app: ASGIApp, path: str, token: str, body: Mapping[str, Any]) -> tuple[int, Any]:
    """Send something; return the status and what was answered."""
    messages: list[Message] = []
    request = [{"type": "http.request", "body": json.dumps(body).encode()}]

    async def receive() -> Message:
        return request.pop() if request else await asyncio.sleep(SOON, {"type": "http.disconnect"})

    async def send(message: Message) -> None:
        messages.append(message)

    await app({**_scope("http", path, token), "method": "POST"}, receive, send)
    text = b"".join(message.get("body", b"") for message in messages)
    return messages[0]["status"], json.loads(text)


class Viewer:
    """Somebody who watches a table, keeps what they were sent last, and comes back when the line breaks."""

    def __init__(self, token: str, table: str) -> None:
        self.token, self.table = token, table
        self.version, self.hash = 0, ""
        self.received = 0
        self._coming: asyncio.Queue[Message] = asyncio.Queue()
        self._connection: asyncio.Task[None] | None = None
        self._sent = asyncio.Event()
        self._confirmed = False

    def connect(self, app: ASGIApp) -> None:
        """Open a line; the first thing that is said is what one has."""
        self._coming = asyncio.Queue()
        self._coming.put_nowait({"type": "websocket.connect"})
        scope = _scope("websocket", f"/api/v1/tables/{self.table}/live", self.token)
        self._connection = asyncio.create_task(app(scope, self._coming.get, self._send))  # type: ignore[arg-type]

    async def _send(self, message: Message) -> None:
        if message["type"] == "websocket.send":
            self._take(message["text"])
        self._sent.set()

    def _take(self, text: str) -> None:
        message = json.loads(text)
        self.received += 1
        self._confirmed = bool(message.get("same"))
        if self._confirmed:
            assert (message["version"], message["hash"]) == (self.version, self.hash)
            return
        body = "{" + text.split('",', 1)[1]
        assert hashlib.sha256(body.encode()).hexdigest() == message["hash"], (
            "the view is another than its hash"
        )
        assert message["version"] >= self.version, "nothing that was shown is taken back"
        self.version, self.hash = message["version"], message["hash"]

    async def break_off(self) -> None:
        """Let the line break: nothing is said, and whatever is under way is lost."""
        if self._connection is not None:
            self._connection.cancel()
            with suppress(asyncio.CancelledError):
                await self._connection
            self._connection = None

    async def shown(self, version: int) -> None:
        """Wait, and ask for nothing, until one is shown some version."""
        while self.version < version:
            self._sent.clear()
            await asyncio.wait_for(self._sent.wait(), SOON)

    async def is_up_to_date(self) -> bool:
        """Ask whether what one has is how it stands; what is newer is taken. False if the line breaks."""
        if self._connection is None:
            return False
        self._confirmed = False
        for _ in range(10):
            self._sent.clear()
            having = json.dumps({"have": self.version, "hash": self.hash})
            self._coming.put_nowait({"type": "websocket.receive", "text": having})
            waiting = asyncio.create_task(self._sent.wait())
            await asyncio.wait({waiting, self._connection}, timeout=SOON, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if self._confirmed:
                return True
        return False

"""The floor as an ASGI application: who asks, may they, what do they want, and what is answered."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as HttpRoute
from starlette.routing import WebSocketRoute

from houseway.errors import HousewayError, InvalidInputError
from houseway.floor.readmodels import ReadModels
from houseway.rounds.codec import canonical
from houseway.rounds.state import PersonId
from houseway.service.api.gate import COOKIE, CSRF_HEADER, Gate, Signed
from houseway.service.api.problems import (
    NOT_SIGNED_IN,
    NOT_YOURS,
    STOPPING,
    TOO_LARGE,
    from_error,
    problem,
)
from houseway.service.api.routes import ROUTES, Route
from houseway.service.counting import Counts
from houseway.service.live import Hub
from houseway.service.loop import FloorLoop, StoppedError
from houseway.service.tasks import Task, running

LOG: Final = logging.getLogger("houseway.service")
LARGEST: Final = 64 * 1024
"""No request is longer, in bytes."""
SAFE: Final = frozenset({"GET", "HEAD"})
HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""Sent with every answer."""
T = TypeVar("T")


@dataclass
class Server:
    """What every route works with."""

    loop: FloorLoop
    hub: Hub
    gate: Gate
    models: ReadModels
    tasks: Sequence[Task] = ()
    """What is done besides answering."""
    counts: Counts = field(default_factory=Counts)
    seen: Callable[[PersonId], None] = lambda _: None
    """Is told of everybody who is heard of."""
    ready: bool = False
    secure: bool = False
    """Whether people come over HTTPS, so that cookies are sent over nothing else."""


@dataclass(frozen=True)
class Call:
    """One request, by somebody who may make it."""

    server: Server
    request: Request
    signed: Signed | None

    @property
    def who(self) -> Signed:
        """Whoever is signed in; a route that asks is never taken by anybody else."""
        assert self.signed is not None
        return self.signed

    def named(self, name: str) -> str:
        """Return a part of the path."""
        return str(self.request.path_params[name])

    async def body(self, kind: type[T]) -> T:
        """Read what was sent, or refuse it with the field at fault."""
        text = await self.request.body()
        try:
            return msgspec.json.decode(text or b"null", type=kind)
        except (msgspec.DecodeError, RecursionError) as error:
            raise InvalidInputError(f"not what is asked for: {error}"[:200]) from None


Handler = Callable[[Call], Awaitable[Response]]


def json(value: Any, status: int = 200) -> Response:  # noqa: ANN401 - anything that can be written
    """Return an answer as JSON."""
    return Response(canonical(value), status, media_type="application/json")


def make_app(server: Server) -> Starlette:
    """Return the application of a floor."""
    from houseway.service.api import handlers, watching  # noqa: PLC0415 - they need the names above

    http = [
        HttpRoute(route.path, _endpoint(server, route, handlers.HANDLERS[route.name]), methods=[route.method])
        for route in ROUTES.values()
        if route.method != "WEBSOCKET"
    ]
    live = WebSocketRoute(ROUTES["live"].path, watching.live(server))
    return Starlette(routes=[*http, live], lifespan=lambda _: _serving(server))


@asynccontextmanager
async def _serving(server: Server) -> AsyncIterator[None]:
    """Carry commands out as long as the application runs; what waits at the end is still answered."""
    carrying_out = asyncio.create_task(server.loop.run())
    async with running(server.tasks):
        server.ready = True
        yield
        server.ready = False
    server.loop.stop()
    await carrying_out


def _endpoint(server: Server, route: Route, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        begun, name = time.perf_counter(), secrets.token_hex(8)
        response = await _answered(server, route, handler, request)
        spent = time.perf_counter() - begun
        server.counts.request(route.name, response.status_code, spent)
        LOG.info("%s %s %s %.1f ms", name, route.name, response.status_code, 1000 * spent)
        response.headers.update({**HEADERS, "x-request-id": name})
        return response

    return endpoint


async def _answered(server: Server, route: Route, handler: Handler, request: Request) -> Response:
    if int(request.headers.get("content-length") or 0) > LARGEST:
        return problem(TOO_LARGE, f"a request has at most {LARGEST} bytes")
    signed = await server.gate.find(request.cookies.get(COOKIE, ""))
    if signed is not None:
        server.seen(signed.actor.id)
    refusal = refusal_of(route, request.method, signed, request.headers.get(CSRF_HEADER))
    if refusal is not None:
        return refusal
    try:
        return await handler(Call(server, request, signed))
    except HousewayError as error:
        return from_error(error)
    except StoppedError:
        return problem(STOPPING, "the server stops: send it again")


def refusal_of(route: Route, method: str, signed: Signed | None, csrf: str | None) -> Response | None:
    """Return why somebody may not take a route, if they may not."""
    if not route.allows(signed.actor.role if signed else None):
        if signed is None:
            return problem(NOT_SIGNED_IN, "sign in first")
        return problem(NOT_YOURS, f"not for a {signed.actor.role.replace('_', ' ')}")
    changes = method not in SAFE and not route.open
    if changes and (signed is None or not secrets.compare_digest(csrf or "", signed.csrf)):
        return problem(NOT_YOURS, "the page that sent this is not one of ours, or is out of date")
    return None

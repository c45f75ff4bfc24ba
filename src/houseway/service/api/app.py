"""The floor as an ASGI application: authentication, authorisation, handlers and errors."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.routing import Route as HttpRoute

from houseway.errors import HousewayError
from houseway.floor.access_events import AccessKind
from houseway.service.access_notes import CountedAccess
from houseway.service.api import handlers, live_socket
from houseway.service.api.auth import COOKIE, CSRF_HEADER, Identity, same_site
from houseway.service.api.call import Call, Handler, Server, UnreadError
from houseway.service.api.middleware import ResponseMiddleware, answer_unserved
from houseway.service.api.problem_json import (
    NOT_SIGNED_IN,
    NOT_YOURS,
    STOPPING,
    error_response,
    problem_response,
)
from houseway.service.api.routes import ROUTES, Route
from houseway.service.background import run_beside
from houseway.service.loop import StoppingError
from houseway.service.tree_upkeep import sign_tree_now
from houseway.store.store_errors import StoreError

LOG: Final = logging.getLogger("houseway.service")
LOOP_CHECK_INTERVAL: Final = 1.0
"""Seconds between two checks that the loop goes round."""
STUCK: Final = 60.0
"""Seconds after which a loop that does not go round is taken to hang."""
SAFE: Final = frozenset({"GET", "HEAD"})


def make_app(server: Server, more: Sequence[BaseRoute] = ()) -> Starlette:
    """Return the application of a floor, with additional routes beside its interface."""
    http = [
        HttpRoute(route.path, _endpoint(server, route, handlers.HANDLERS[route.name]), methods=[route.method])
        for route in ROUTES.values()
        if route.method != "WEBSOCKET"
    ]
    live = WebSocketRoute(ROUTES["live"].path, live_socket.live_endpoint(server))
    return Starlette(
        routes=[*http, live, *more],
        middleware=[Middleware(ResponseMiddleware)],
        exception_handlers={HTTPException: answer_unserved},
        lifespan=lambda _: _lifespan(server),
    )


@asynccontextmanager
async def _lifespan(server: Server) -> AsyncIterator[None]:
    """Run the loops and background tasks while the application runs; waiting commands are still answered."""
    loops = [asyncio.create_task(service.loop.run()) for service in server.services]
    tasks = [*server.tasks, lambda: _give_up_when_stuck(server, loops[0])]
    async with run_beside(tasks, server.runtime):
        server.health.serving = True
        yield
        server.health.serving = False
    await server.coach.close()
    try:
        await server.access.write(server.loop, server.loop.floor.clock(), ending=True)
    except StoreError:
        LOG.exception("what was noted at the door last could not be written")
    for service in server.services:
        service.loop.stop()
    await asyncio.gather(*loops)
    try:
        await sign_tree_now(server.loop, server.notary)
    except (StoreError, OSError):
        LOG.exception("what was done last could not be signed: it is at the next start")


async def _give_up_when_stuck(server: Server, loop_task: asyncio.Task[None]) -> None:
    """Give the process up if its loop has ended or hangs, so that another can take over."""
    while True:
        await server.runtime.sleep(LOOP_CHECK_INTERVAL)
        if loop_task.done():
            server.give_up("the loop has ended")
        elif server.health.silent_for > STUCK:
            server.give_up(f"the loop has not gone round for {server.health.silent_for:.0f} s")


def _endpoint(server: Server, route: Route, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        begun, name = server.runtime.monotonic(), server.runtime.entropy.read(8).hex()
        response = await _answer(server, route, handler, request)
        spent = server.runtime.monotonic() - begun
        server.metrics.count_request(route.name, response.status_code, spent)
        fields = {"request": name, "route": route.name, "status": response.status_code}
        LOG.info("answered", extra={**fields, "ms": round(1000 * spent, 1)})
        response.headers["x-request-id"] = name
        return response

    return endpoint


async def _answer(server: Server, route: Route, handler: Handler, request: Request) -> Response:
    try:
        return await _handle(server, route, handler, request)
    except HousewayError as error:
        return error_response(error)
    except UnreadError as error:
        answer = problem_response(error.status, str(error))
        answer.headers["connection"] = "close"
        return answer
    except StoppingError:
        return problem_response(STOPPING, "the server stops: send it again")


async def _handle(server: Server, route: Route, handler: Handler, request: Request) -> Response:
    """Answer a request, if its sender may make it."""
    identity = await server.auth.find(request.cookies.get(COOKIE, ""))
    if identity is not None:
        server.note_seen(identity.actor.id)
    refusal = _refusal_to(route, request, identity)
    if refusal is not None:
        note_refusal(server, route, request, identity, refusal)
    return refusal or await handler(Call(server, request, identity))


def _refusal_to(route: Route, request: Request, identity: Identity | None) -> Response | None:
    """Return why a request is refused, or None."""
    if request.method not in SAFE and not same_site(request):
        return problem_response(NOT_YOURS, "the page that sent this is not one of ours")
    return refusal_of(route, request.method, identity, request.headers.get(CSRF_HEADER))


def refusal_of(route: Route, method: str, identity: Identity | None, csrf: str | None) -> Response | None:
    """Return why an identity may not take a route, or None."""
    if identity is not None and identity.must is not None and not route.open_before(identity.must):
        return problem_response(NOT_YOURS, identity.must.reason, must=identity.must)
    if not route.allows(identity.actor.role if identity else None):
        if identity is None:
            return problem_response(NOT_SIGNED_IN, "sign in first")
        return problem_response(NOT_YOURS, f"not for a {identity.actor.role.replace('_', ' ')}")
    changes = method not in SAFE and not route.open
    if changes and (identity is None or not _is_same_token(csrf or "", identity.csrf)):
        return problem_response(NOT_YOURS, "the page that sent this is not one of ours, or is out of date")
    return None


def note_refusal(
    server: Server, route: Route, request: Request, identity: Identity | None, refusal: Response
) -> None:
    """Note in the access log that a route was refused; refusals without a session are only counted."""
    if refusal.status_code != NOT_YOURS:
        return
    address, now = request.client.host if request.client else "", server.loop.floor.clock()
    if identity is None:
        server.access.count(CountedAccess.REFUSED, address, now)
    else:
        server.access.note(AccessKind.REFUSED, identity.actor, address, now, route.name)


def _is_same_token(sent: str, token: str) -> bool:
    return hmac.compare_digest(sent.encode("utf-8", "replace"), token.encode())

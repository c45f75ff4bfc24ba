"""The floor as an ASGI application: who asks, may they, what do they want, and what is answered."""

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
from houseway.service.access import CountedAccess
from houseway.service.api import handlers, watching
from houseway.service.api.call import Call, Handler, Server, UnreadError
from houseway.service.api.gate import COOKIE, CSRF_HEADER, Identity, same_site
from houseway.service.api.problems import (
    NOT_SIGNED_IN,
    NOT_YOURS,
    STOPPING,
    from_error,
    problem,
)
from houseway.service.api.routes import ROUTES, Route
from houseway.service.api.shield import Shield, not_served
from houseway.service.loop import StoppedError
from houseway.service.tasks import running
from houseway.service.tree_upkeep import signed_now
from houseway.store.store_errors import StoreError

LOG: Final = logging.getLogger("houseway.service")
LOOKING: Final = 1.0
"""Seconds between two looks at whether the loop goes round."""
STUCK: Final = 60.0
"""Seconds after which a loop that does not go round never will."""
SAFE: Final = frozenset({"GET", "HEAD"})


def make_app(server: Server, more: Sequence[BaseRoute] = ()) -> Starlette:
    """Return the application of a floor, with whatever else is served beside its interface."""
    http = [
        HttpRoute(route.path, _endpoint(server, route, handlers.HANDLERS[route.name]), methods=[route.method])
        for route in ROUTES.values()
        if route.method != "WEBSOCKET"
    ]
    live = WebSocketRoute(ROUTES["live"].path, watching.live(server))
    return Starlette(
        routes=[*http, live, *more],
        middleware=[Middleware(Shield)],
        exception_handlers={HTTPException: not_served},
        lifespan=lambda _: _serving(server),
    )


@asynccontextmanager
async def _serving(server: Server) -> AsyncIterator[None]:
    """Carry commands out as long as the application runs; what waits at the end is still answered."""
    carrying_out = [asyncio.create_task(served.loop.run()) for served in server.every]
    tasks = [*server.tasks, lambda: _give_up_when_stuck(server, carrying_out[0])]
    async with running(tasks, server.runtime):
        server.health.serving = True
        yield
        server.health.serving = False
    await server.coach.close()
    try:
        await server.access.write(server.loop, server.loop.floor.clock(), ending=True)
    except StoreError:
        LOG.exception("what was noted at the door last could not be written")
    for served in server.every:
        served.loop.stop()
    await asyncio.gather(*carrying_out)
    try:
        await signed_now(server.loop, server.notary)
    except (StoreError, OSError):
        LOG.exception("what was done last could not be signed: it is at the next start")


async def _give_up_when_stuck(server: Server, carrying_out: asyncio.Task[None]) -> None:
    """Give the process up if its loop has ended, or hangs: another one can do what this one cannot."""
    while True:
        await server.runtime.sleep(LOOKING)
        if carrying_out.done():
            server.give_up("the loop has ended")
        elif server.health.silent_for > STUCK:
            server.give_up(f"the loop has not gone round for {server.health.silent_for:.0f} s")


def _endpoint(server: Server, route: Route, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        begun, name = server.runtime.monotonic(), server.runtime.entropy.read(8).hex()
        response = await _answered(server, route, handler, request)
        spent = server.runtime.monotonic() - begun
        server.metrics.count_request(route.name, response.status_code, spent)
        told = {"request": name, "route": route.name, "status": response.status_code}
        LOG.info("answered", extra={**told, "ms": round(1000 * spent, 1)})
        response.headers["x-request-id"] = name
        return response

    return endpoint


async def _answered(server: Server, route: Route, handler: Handler, request: Request) -> Response:
    try:
        return await _handled(server, route, handler, request)
    except HousewayError as error:
        return from_error(error)
    except UnreadError as error:
        answer = problem(error.status, str(error))
        answer.headers["connection"] = "close"
        return answer
    except StoppedError:
        return problem(STOPPING, "the server stops: send it again")


async def _handled(server: Server, route: Route, handler: Handler, request: Request) -> Response:
    """Answer a request of somebody who may make it."""
    signed = await server.gate.find(request.cookies.get(COOKIE, ""))
    if signed is not None:
        server.seen(signed.actor.id)
    refusal = _refusal_to(route, request, signed)
    if refusal is not None:
        note_refusal(server, route, request, signed, refusal)
    return refusal or await handler(Call(server, request, signed))


def _refusal_to(route: Route, request: Request, signed: Identity | None) -> Response | None:
    """Return why a request is not heard, if it is not."""
    if request.method not in SAFE and not same_site(request):
        return problem(NOT_YOURS, "the page that sent this is not one of ours")
    return refusal_of(route, request.method, signed, request.headers.get(CSRF_HEADER))


def refusal_of(route: Route, method: str, signed: Identity | None, csrf: str | None) -> Response | None:
    """Return why somebody may not take a route, if they may not."""
    if signed is not None and signed.must is not None and not route.open_before(signed.must):
        return problem(NOT_YOURS, signed.must.reason, must=signed.must)
    if not route.allows(signed.actor.role if signed else None):
        if signed is None:
            return problem(NOT_SIGNED_IN, "sign in first")
        return problem(NOT_YOURS, f"not for a {signed.actor.role.replace('_', ' ')}")
    changes = method not in SAFE and not route.open
    if changes and (signed is None or not _same(csrf or "", signed.csrf)):
        return problem(NOT_YOURS, "the page that sent this is not one of ours, or is out of date")
    return None


def note_refusal(
    server: Server, route: Route, request: Request, signed: Identity | None, refusal: Response
) -> None:
    """Note that somebody was refused a route that is not theirs; nobody in particular is only counted."""
    if refusal.status_code != NOT_YOURS:
        return
    address, now = request.client.host if request.client else "", server.loop.floor.clock()
    if signed is None:
        server.access.count(CountedAccess.REFUSED, address, now)
    else:
        server.access.note(AccessKind.REFUSED, signed.actor, address, now, route.name)


def _same(sent: str, kept: str) -> bool:
    return hmac.compare_digest(sent.encode("utf-8", "replace"), kept.encode())

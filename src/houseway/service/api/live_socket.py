"""Live views over a WebSocket."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from houseway.errors import HousewayError, UnknownNameError, shortened
from houseway.floor.streams import TableId
from houseway.intake import IntakeError, read_json
from houseway.rounds.step import Actor
from houseway.service.api.auth import COOKIE, same_site
from houseway.service.api.call import Server, TableService
from houseway.service.api.routes import ROUTES
from houseway.service.live_views import ClientVersion, Hub, Subscription
from houseway.service.socket_limits import (
    MESSAGES_AT_ONCE,
    MESSAGES_PER_SECOND,
    REFUSAL_DELAY,
    TokenBucket,
    TooManySocketsError,
)

MEANS_NOTHING: Final = 1007
"""The close code for a message that is not understood."""
FLOOD: Final = 1008
NOT_YOURS: Final = 4403
UNKNOWN: Final = 4404
TOO_MANY: Final = 4429
LONGEST_REASON: Final = 60
"""The most characters of a close reason, which has at most 123 bytes."""


def live_endpoint(server: Server) -> Callable[[WebSocket], Awaitable[None]]:
    """Return the endpoint that sends a table as its viewer sees it, whenever that changes.

    A client may send the version and hash that it has; it is sent the view again if that differs.
    """

    async def endpoint(socket: WebSocket) -> None:
        token = socket.cookies.get(COOKIE, "")
        identity = await server.auth.find(token)
        name = str(socket.path_params["table"])
        allowed = (
            identity is not None and identity.must is None and ROUTES["live"].allows(identity.actor.role)
        )
        if identity is None or not allowed or not same_site(socket):
            await _refuse(socket, SocketClosing(NOT_YOURS, "sign in first"))
        elif (service := _find_service(server, name)) is None:
            await _refuse(socket, SocketClosing(UNKNOWN, "no such table"))
        else:
            session = hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
            if not server.sockets.may_begin(session, server.runtime.monotonic):
                await server.runtime.sleep(REFUSAL_DELAY)  # a waiting client costs nothing
                await _refuse(socket, SocketClosing(TOO_MANY, "too many live views were begun"))
                return
            try:
                with server.sockets.count(session, socket.client.host if socket.client else ""):
                    await service.loop.table(name)
                    if await _accept(socket):
                        server.note_seen(identity.actor.id)
                        await _watch(server, service.hub, socket, identity.actor, name)
            except TooManySocketsError as error:
                await _refuse(socket, SocketClosing(TOO_MANY, str(error)))

    return endpoint


def _find_service(server: Server, table: TableId) -> TableService | None:
    """Return the parts that serve a table, or None if there is no such table."""
    try:
        service = server.service_of(table)
    except UnknownNameError:
        return None
    return service if table in service.loop.floor.house.tables else None


class SocketClosing(NamedTuple):
    """Why the server ends a live view: the close code, and a reason."""

    code: int
    reason: str


async def _refuse(socket: WebSocket, ending: SocketClosing) -> None:
    """End a live view before it begins; the socket is accepted first, so that the page gets the code."""
    if await _accept(socket):
        await _end(socket, ending)


async def _accept(socket: WebSocket) -> bool:
    """Accept a socket; return False if its client is gone."""
    try:
        await socket.accept()
    except OSError:
        return False
    return True


async def _end(socket: WebSocket, ending: SocketClosing) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):  # it may be gone
        await socket.close(*ending)


async def _watch(server: Server, hub: Hub, socket: WebSocket, viewer: Actor, table: TableId) -> None:
    """Receive from and send to a client until either ends."""
    subscription = hub.watch(viewer, table)
    both = [
        asyncio.create_task(_hear(server, socket, subscription)),
        asyncio.create_task(_send(server, socket, subscription)),
    ]
    try:
        done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    finally:
        hub.leave(subscription)
        for task in both:
            task.cancel()
    for ending in filter(None, [task.result() for task in done]):
        await _end(socket, ending)


async def _send(server: Server, socket: WebSocket, subscription: Subscription) -> SocketClosing | None:
    """Send the client each changed view, and an answer whenever it asks."""
    while True:
        try:
            message = await subscription.next()
        except HousewayError as error:
            return SocketClosing(UNKNOWN, shortened(str(error), LONGEST_REASON))
        if await server.auth.find(socket.cookies.get(COOKIE, "")) is None:
            return SocketClosing(NOT_YOURS, "signed out")  # meanwhile, or by time
        try:
            await socket.send_text(message.text.decode())
        except WebSocketDisconnect:
            return None


async def _hear(server: Server, socket: WebSocket, subscription: Subscription) -> SocketClosing | None:
    """Receive the versions that a client has, within the rate limit."""
    bucket = TokenBucket(MESSAGES_PER_SECOND, MESSAGES_AT_ONCE, server.runtime.monotonic)
    while True:
        try:
            text = await socket.receive_text()
        except (WebSocketDisconnect, RuntimeError, KeyError):
            return None
        if not bucket.take():
            server.metrics.sockets_closed.labels("too_many_messages").inc()
            return SocketClosing(FLOOD, f"more than {MESSAGES_PER_SECOND:g} messages a second")
        try:
            client = msgspec.convert(read_json(text), type=ClientVersion)
        except (IntakeError, msgspec.ValidationError):
            server.metrics.sockets_closed.labels("not_understood").inc()
            return SocketClosing(MEANS_NOTHING, 'only {"have": version, "hash": hash} is understood')
        server.note_seen(subscription.viewer.id)
        subscription.ask(client)

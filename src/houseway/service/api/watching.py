"""Live views over a WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
from msgspec import Struct
from starlette.websockets import WebSocket, WebSocketDisconnect

from houseway.errors import HousewayError, UnknownNameError
from houseway.floor.streams import TableId
from houseway.intake import IntakeError, read_json
from houseway.service.api.call import Served, Server
from houseway.service.api.gate import COOKIE, same_site
from houseway.service.api.routes import ROUTES
from houseway.service.live import Looking, Watching

NOT_YOURS: Final = 4403
UNKNOWN: Final = 4404
MEANS_NOTHING: Final = 1007
"""What was sent is not what is asked for."""


# --- live ---------------------------------------------------------------------------------------------


def live(server: Server) -> Callable[[WebSocket], Awaitable[None]]:
    """Return what sends a table as one sees it, whenever it changes.

    The client may say which version and hash it has; it is then sent the view again if that is another one.
    """

    async def endpoint(socket: WebSocket) -> None:
        signed = await server.gate.find(socket.cookies.get(COOKIE, ""))
        name = str(socket.path_params["table"])
        allowed = signed is not None and signed.must is None and ROUTES["live"].allows(signed.actor.role)
        if signed is None or not allowed or not same_site(socket):
            await socket.close(NOT_YOURS)
            return
        served = _served(server, name)
        if served is None:
            await socket.close(UNKNOWN)
            return
        await served.loop.table(name)
        await socket.accept()
        server.seen(signed.actor.id)
        watching = served.hub.watch(signed.actor, name)
        both = [
            asyncio.create_task(_hear(server, socket, name)),
            asyncio.create_task(_show(server, socket, watching)),
        ]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            served.hub.leave(watching)
            for one in both:
                one.cancel()

    return endpoint


def _served(server: Server, table: TableId) -> Served | None:
    """Return what serves a table, if there is such a table."""
    try:
        served = server.of(table)
    except UnknownNameError:
        return None
    return served if table in served.loop.floor.house.tables else None


async def _show(server: Server, socket: WebSocket, watching: Watching) -> None:
    """Send a client how the table looks, each time that it looks another way."""
    while True:
        seen = await watching.next()
        if await server.gate.find(socket.cookies.get(COOKIE, "")) is None:
            await socket.close(NOT_YOURS)  # signed out meanwhile, or out of time
            return
        try:
            await socket.send_text(seen.text.decode())
        except WebSocketDisconnect:
            return


class Having(Struct, frozen=True):
    """What a client has."""

    have: int
    hash: str = ""


async def _hear(server: Server, socket: WebSocket, name: TableId) -> None:
    """Answer a client that asks whether what it has is up to date."""
    while True:
        try:
            said = msgspec.convert(read_json(await socket.receive_text()), type=Having)
        except (IntakeError, msgspec.ValidationError):
            await socket.close(MEANS_NOTHING)
            return
        except (WebSocketDisconnect, RuntimeError, KeyError):
            return
        signed = await server.gate.find(socket.cookies.get(COOKIE, ""))
        if signed is None:
            return
        server.seen(signed.actor.id)
        try:
            seen = Looking(server.of(name).loop.floor, name).seen_by(signed.actor)
        except HousewayError:
            return
        if (said.have, said.hash) != (seen.version, seen.hash):
            await socket.send_text(seen.text.decode())
        else:
            await socket.send_text(f'{{"version":{seen.version},"hash":"{seen.hash}","same":true}}')

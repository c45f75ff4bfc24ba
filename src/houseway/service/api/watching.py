"""Live views over a WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
from msgspec import Struct
from starlette.websockets import WebSocket, WebSocketDisconnect

from houseway.errors import HousewayError
from houseway.floor.streams import TableId
from houseway.service.api.app import Server
from houseway.service.api.gate import COOKIE
from houseway.service.api.routes import ROUTES
from houseway.service.live import Looking

NOT_YOURS: Final = 4403
UNKNOWN: Final = 4404


# --- live ---------------------------------------------------------------------------------------------


def live(server: Server) -> Callable[[WebSocket], Awaitable[None]]:
    """Return what sends a table as one sees it, whenever it changes.

    The client may say which version and hash it has; it is then sent the view again if that is another one.
    """

    async def endpoint(socket: WebSocket) -> None:
        signed = await server.gate.find(socket.cookies.get(COOKIE, ""))
        name = str(socket.path_params["table"])
        if signed is None or not ROUTES["live"].allows(signed.actor.role) or not _same_site(socket):
            await socket.close(NOT_YOURS)
            return
        if name not in server.loop.floor.house.tables:
            await socket.close(UNKNOWN)
            return
        await server.loop.table(name)
        await socket.accept()
        watching = server.hub.watch(signed.actor, name)
        hearing = asyncio.create_task(_hear(server, socket, name))
        try:
            while not hearing.done():
                sending = asyncio.create_task(watching.next())
                await asyncio.wait({sending, hearing}, return_when=asyncio.FIRST_COMPLETED)
                if not sending.done():
                    sending.cancel()
                    break
                if await server.gate.find(socket.cookies.get(COOKIE, "")) is None:
                    await socket.close(NOT_YOURS)  # signed out meanwhile, or out of time
                    break
                server.seen(signed.actor.id)
                await socket.send_text(sending.result().text.decode())
        except WebSocketDisconnect:
            pass
        finally:
            hearing.cancel()
            server.hub.leave(watching)

    return endpoint


def _same_site(socket: WebSocket) -> bool:
    """Whether a page of ours opened the connection: a browser says which page did."""
    origin = socket.headers.get("origin")
    return origin is None or origin.partition("://")[2] == socket.headers.get("host")


class Having(Struct, frozen=True):
    """What a client has."""

    have: int
    hash: str = ""


async def _hear(server: Server, socket: WebSocket, name: TableId) -> None:
    """Answer a client that asks whether what it has is up to date."""
    while True:
        try:
            said = msgspec.json.decode(await socket.receive_text(), type=Having)
        except (msgspec.DecodeError, WebSocketDisconnect, RuntimeError, KeyError):
            return
        signed = await server.gate.find(socket.cookies.get(COOKIE, ""))
        if signed is None:
            return
        try:
            seen = Looking(server.loop.floor, name).seen_by(signed.actor)
        except HousewayError:
            return
        if (said.have, said.hash) != (seen.version, seen.hash):
            await socket.send_text(seen.text.decode())
        else:
            await socket.send_text(f'{{"version":{seen.version},"hash":"{seen.hash}","same":true}}')

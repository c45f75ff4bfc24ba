"""Around the whole application: headers on every answer, and errors that tell nobody anything."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from houseway.service.api.problem_json import BROKEN, problem_response

LOG: Final = logging.getLogger("houseway.service")
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
"""Sent with every answer, unless it says otherwise itself."""
_WRITTEN: Final = {name.encode(): value.encode() for name, value in HEADERS.items()}
_LIVE_BROKEN: Final = 1011


class ResponseMiddleware:
    """Gives every answer its headers; whatever goes wrong inside is answered in words that say nothing."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or a live view."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        begun, closed = False, False

        async def sent(message: Message) -> None:
            nonlocal begun, closed
            begun, closed = True, message["type"] == "websocket.close"
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                more = [(name, value) for name, value in _WRITTEN.items() if name not in given]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        try:
            await self._app(scope, receive, sent)
        except Exception:
            LOG.exception("something went wrong that nobody thought of")
            if scope["type"] == "websocket":
                if not closed:
                    await send({"type": "websocket.close", "code": _LIVE_BROKEN})
            elif not begun:
                await problem_response(BROKEN, "something went wrong here")(scope, receive, sent)
            else:
                raise


async def not_served(_: Request, error: Exception) -> Response:
    """Answer a path that is not served, or a method that no path takes."""
    assert isinstance(error, HTTPException)
    return problem_response(error.status_code, error.detail.lower())

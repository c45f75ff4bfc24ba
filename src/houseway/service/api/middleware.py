"""Middleware around the application: security headers, and answers to unexpected errors."""

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
"""Sent with every answer that does not set them itself."""
_WRITTEN: Final = {name.encode(): value.encode() for name, value in HEADERS.items()}
_LIVE_BROKEN: Final = 1011


class ResponseMiddleware:
    """Adds headers to every answer; an unexpected error is answered without any detail."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or a live view."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        begun, closed = False, False

        async def send_with_headers(message: Message) -> None:
            nonlocal begun, closed
            begun, closed = True, message["type"] == "websocket.close"
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                more = [(name, value) for name, value in _WRITTEN.items() if name not in given]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except Exception:
            LOG.exception("something went wrong that nobody thought of")
            if scope["type"] == "websocket":
                if not closed:
                    await send({"type": "websocket.close", "code": _LIVE_BROKEN})
            elif not begun:
                await problem_response(BROKEN, "something went wrong here")(scope, receive, send_with_headers)
            else:
                raise


async def answer_unserved(_: Request, error: Exception) -> Response:
    """Answer a path or method that is not served."""
    assert isinstance(error, HTTPException)
    return problem_response(error.status_code, error.detail.lower())

"""The HTTP and WebSocket protocols of uvicorn, with the deadlines of ``Connections``.

A connection has a deadline whenever the next step is the client's: to finish its request, to send the rest of
one that was answered early, and to read what it is sent.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, Final

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import CloseCode

from houseway.service.connections import CloseCause, Connections
from houseway.service.network_limits import NetworkLimits
from houseway.service.socket_limits import LONGEST_MESSAGE, MESSAGES_AT_ONCE, MESSAGES_PER_SECOND, TokenBucket

LONGEST_HEADERS: Final = 16 * 1024
"""The most bytes of the headers of a request."""
FRAMED: Final = LONGEST_MESSAGE + 14
"""The most bytes of a message over a socket, with its frame."""
GRACE: Final = 10
"""Seconds that requests and live connections have to end once the server stops."""
ANSWERS: Final = {
    CloseCause.UNFINISHED: (HTTPStatus.REQUEST_TIMEOUT, b"the request did not come in time"),
    CloseCause.CROWDED_OUT: (
        HTTPStatus.SERVICE_UNAVAILABLE,
        b"too many connections of your address have sent no request",
    ),
    CloseCause.TOO_MANY: (
        HTTPStatus.SERVICE_UNAVAILABLE,
        b"your address has as many connections as it may have",
    ),
}
"""The answers to connections that are closed before their request was answered."""


class ServerConfig(uvicorn.Config):
    """The configuration of uvicorn for a floor, with the connections to watch."""

    def __init__(self, app: ASGIApp, network: NetworkLimits, connections: Connections) -> None:
        super().__init__(
            app,
            http=HttpConnection,
            ws=SocketConnection,
            log_config=None,
            log_level="error",  # clients that do not speak HTTP are answered and fill no log
            access_log=False,
            ws_max_size=LONGEST_MESSAGE,
            h11_max_incomplete_event_size=LONGEST_HEADERS,
            proxy_headers=bool(network.trusted_proxies),
            forwarded_allow_ips=list(network.trusted_proxies),
            timeout_graceful_shutdown=GRACE,
        )
        self.connections = connections


def _connections_of(config: uvicorn.Config) -> Connections:
    assert isinstance(config, ServerConfig)
    return config.connections


class HttpConnection(H11Protocol):
    """An HTTP connection, over which requests come one after the other."""

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._watcher = _connections_of(config)

    @property
    def address(self) -> str:
        """The address of the client."""
        return self.client[0] if self.client else ""

    @property
    def unsent(self) -> int:
        """The number of bytes that the client has not read yet."""
        return self.transport.get_write_buffer_size()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, or close the connection if there are too many."""
        super().connection_made(transport)
        if self._watcher.open(self):
            self._watcher.wait(self, CloseCause.UNFINISHED)
        else:
            self.give_up(CloseCause.TOO_MANY)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._watcher.close(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse the data; an unfinished request gets a deadline."""
        super().data_received(data)
        self._wait_for_request(begun=True)

    def on_response_complete(self) -> None:
        """Set a deadline for the next request if it has begun; uvicorn closes idle connections."""
        super().on_response_complete()
        self._wait_for_request(begun=bool(self.conn.trailing_data[0]))

    def _wait_for_request(self, *, begun: bool) -> None:
        unfinished = begun and self.conn.their_state is h11.IDLE
        answered = self.conn.our_state in (h11.DONE, h11.MUST_CLOSE)
        if unfinished or (answered and self.conn.their_state is h11.SEND_BODY):
            self._watcher.wait(self, CloseCause.UNFINISHED)
        else:
            self._watcher.stop_waiting(self, CloseCause.UNFINISHED)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to the WebSocket protocol."""
        self._watcher.close(self)
        super().handle_websocket_upgrade(event)

    def give_up(self, cause: CloseCause) -> None:
        """Close the connection, with an answer if the request has none yet."""
        if cause not in ANSWERS:
            self.transport.abort()
            return
        if self.conn.our_state is h11.IDLE and not self.transport.is_closing():
            self.transport.write(self._refusal(cause))
        self.transport.close()

    def _refusal(self, cause: CloseCause) -> bytes:
        status, says = ANSWERS[cause]
        headers = [
            ("content-type", "text/plain"),
            ("content-length", str(len(says))),
            ("connection", "close"),
        ]
        answer = (
            h11.Response(status_code=status, headers=headers, reason=status.phrase),
            h11.Data(data=says),
            h11.EndOfMessage(),
        )
        return b"".join(self.conn.send(event) or b"" for event in answer)


class SocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket connection of a live view."""

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._watcher = _connections_of(config)
        self._bytes: TokenBucket | None = None

    @property
    def address(self) -> str:
        """The address of the client."""
        return self.client[0] if self.client else ""

    @property
    def unsent(self) -> int:
        """The number of bytes that the client has not read yet."""
        return self.transport.get_write_buffer_size()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over a connection that asked for a live view."""
        super().connection_made(transport)
        self._watcher.open(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._watcher.close(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse the data within the rate limit, which also counts pings and empty frames."""
        if self._bytes is None:  # the request that began it
            at_once, per_second = MESSAGES_AT_ONCE * FRAMED, MESSAGES_PER_SECOND * FRAMED
            self._bytes = TokenBucket(per_second, at_once, self._watcher.monotonic)
        elif not self._bytes.take(len(data)):
            self._fail()
            return
        super().data_received(data)

    def _fail(self) -> None:
        if not self.transport.is_closing():
            self._watcher.count(CloseCause.FLOOD)
            self.conn.fail(CloseCode.POLICY_VIOLATION, "more data than a live view accepts")
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.transport.close()

    def give_up(self, cause: CloseCause) -> None:
        """Close the connection without a reason, which the client would not read."""
        del cause
        self.transport.abort()

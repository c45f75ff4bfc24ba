"""Limits on connections: each must finish the requests it starts and read what it is sent.

The server closes a connection whose request is late, and one whose reader takes nothing. The connections of
one address are limited: one more is refused. Those with an unfinished request are limited too: one more
closes the oldest of them, so that a client that sends its request at once is always answered.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Final, Protocol

from houseway.service.metrics import Metrics
from houseway.service.network_limits import NetworkLimits

CHECK_INTERVAL: Final = 1.0
"""Seconds between two checks for late connections."""


class CloseCause(StrEnum):
    """Why the server closes a connection."""

    UNFINISHED = "unfinished_request"
    CROWDED_OUT = "too_many_unfinished_requests"
    TOO_MANY = "too_many_connections"
    FLOOD = "too_many_bytes"
    SLOW_READER = "slow_reader"


PATIENCE: Final = {CloseCause.UNFINISHED: 10.0, CloseCause.SLOW_READER: 30.0}
"""Seconds for a request to arrive, and for a reader to take some of what it is sent."""


class Connection(Protocol):
    """A connection as seen by ``Connections``."""

    @property
    def address(self) -> str:
        """The address of the client, or of its proxy."""
        ...

    @property
    def unsent(self) -> int:
        """The number of bytes that its reader has not taken yet."""
        ...

    def give_up(self, cause: CloseCause) -> None:
        """Close the connection."""
        ...


class Connections:
    """The connections of one process, and the deadlines of each."""

    def __init__(self, network: NetworkLimits, metrics: Metrics, monotonic: Callable[[], float]) -> None:
        self._network, self._metrics, self.monotonic = network, metrics, monotonic
        self._counted_as: dict[Connection, str | None] = {}
        self._of_address: dict[str, int] = {}
        self._due: dict[tuple[Connection, CloseCause], float] = {}
        self._unsent: dict[Connection, int] = {}
        self._unfinished: dict[str, dict[Connection, None]] = {}

    # --- called by connections ------------------------------------------------------------------------

    def open(self, connection: Connection) -> bool:
        """Register a connection; return False if its address has too many already."""
        address = self._network.counted_as(connection.address)
        if address is not None:
            if self._of_address.get(address, 0) >= self._network.connections_per_address:
                self.count(CloseCause.TOO_MANY)
                return False
            self._of_address[address] = self._of_address.get(address, 0) + 1
        self._counted_as[connection] = address
        self._metrics.connections.inc()
        return True

    def close(self, connection: Connection) -> None:
        """Forget a connection that ended, or was never registered."""
        if connection not in self._counted_as:
            return
        for cause in PATIENCE:
            self.stop_waiting(connection, cause)
        self._unsent.pop(connection, None)
        address = self._counted_as.pop(connection)
        if address is not None:
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]
        self._metrics.connections.dec()

    def wait(self, connection: Connection, cause: CloseCause) -> None:
        """Set a deadline for what a connection must do, unless one is set already."""
        if connection not in self._counted_as or (connection, cause) in self._due:
            return
        self._due[connection, cause] = self.monotonic() + PATIENCE[cause]
        address = self._counted_as[connection]
        if cause is CloseCause.UNFINISHED and address is not None:
            unfinished = self._unfinished.setdefault(address, {})
            unfinished[connection] = None
            if len(unfinished) > self._network.unfinished_per_address:
                self._give_up(next(iter(unfinished)), CloseCause.CROWDED_OUT)

    def stop_waiting(self, connection: Connection, cause: CloseCause) -> None:
        """Remove a deadline that was met."""
        if self._due.pop((connection, cause), None) is None:
            return
        address = self._counted_as[connection]
        if cause is CloseCause.UNFINISHED and address is not None:
            del self._unfinished[address][connection]
            if not self._unfinished[address]:
                del self._unfinished[address]

    # --- late connections -----------------------------------------------------------------------------

    async def watch(self, sleep: Callable[[float], Awaitable[None]]) -> None:
        """Close late connections, forever."""
        while True:
            await sleep(CHECK_INTERVAL)
            self.close_late()

    def close_late(self) -> None:
        """Close every connection with a deadline that has passed."""
        for connection in self._counted_as:
            self._look_at_reader(connection)
        now = self.monotonic()
        for connection, cause in [key for key, due in self._due.items() if due <= now]:
            self._give_up(connection, cause)

    def _look_at_reader(self, connection: Connection) -> None:
        """Set a reader's deadline, counted from when it last took something."""
        unsent = connection.unsent
        before, self._unsent[connection] = self._unsent.get(connection, 0), unsent
        if unsent < before or not unsent:
            self.stop_waiting(connection, CloseCause.SLOW_READER)
        if unsent:
            self.wait(connection, CloseCause.SLOW_READER)

    def _give_up(self, connection: Connection, cause: CloseCause) -> None:
        self.stop_waiting(connection, CloseCause.UNFINISHED if cause is CloseCause.CROWDED_OUT else cause)
        self.count(cause)
        connection.give_up(cause)

    def count(self, cause: CloseCause) -> None:
        """Count a connection that the server closes."""
        self._metrics.connections_closed.labels(cause.value).inc()

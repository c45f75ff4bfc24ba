"""How many live connections somebody may have at once, and how much they may send over one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from houseway.errors import HousewayError
from houseway.service.metrics import Metrics
from houseway.service.network_limits import NetworkLimits
from houseway.service.sign_in_limits import network_of

MESSAGES_PER_SECOND: Final = 10.0
MESSAGES_AT_ONCE: Final = 20.0
LONGEST_MESSAGE: Final = 1024
"""So many bytes a message over a socket has at most."""


class TokenBucket:
    """So much at once, and so much a second after that, by a clock that is passed in."""

    def __init__(self, per_second: float, at_once: float, monotonic: Callable[[], float]) -> None:
        self._per_second, self._at_once, self._monotonic = per_second, at_once, monotonic
        self._left, self._filled = at_once, monotonic()

    def take(self, amount: float = 1.0) -> bool:
        """Take some, if there is as much."""
        now = self._monotonic()
        self._left = min(self._at_once, self._left + (now - self._filled) * self._per_second)
        self._filled = now
        if amount > self._left:
            return False
        self._left -= amount
        return True


CONNECTIONS_PER_SECOND: Final = 1.0
CONNECTIONS_AT_ONCE: Final = 24.0
"""Of live connections that one session begins; whoever begins more is let wait before it is refused."""
REFUSAL_DELAY: Final = 2.0
"""Seconds that it waits."""
MOST_SESSIONS: Final = 10_000


class TooManySocketsError(HousewayError):
    """Somebody has as many live connections as anybody may have."""


class Sockets:
    """The live connections of one process, by session and by address."""

    def __init__(self, network: NetworkLimits, metrics: Metrics) -> None:
        self._network, self._metrics = network, metrics
        self._of_session: Counter[str] = Counter()
        self._begun: dict[str, TokenBucket] = {}
        self._of_address: Counter[str] = Counter()

    def may_begin(self, session: str, monotonic: Callable[[], float]) -> bool:
        """Count a live connection that a session begins; return whether it may, or begins them too often."""
        if len(self._begun) >= MOST_SESSIONS:
            self._begun.clear()
        bucket = self._begun.get(session)
        if bucket is None:
            bucket = self._begun[session] = TokenBucket(
                CONNECTIONS_PER_SECOND, CONNECTIONS_AT_ONCE, monotonic
            )
        if bucket.take():
            return True
        self._metrics.sockets_refused.labels("pace").inc()
        return False

    @contextmanager
    def count(self, session: str, address: str) -> Iterator[None]:
        """Count a live connection as long as it lasts, or refuse it."""
        address = network_of(address)
        most = self._network
        if self._of_session[session] >= most.sockets_per_session:
            self._metrics.sockets_refused.labels("session").inc()
            raise TooManySocketsError(f"you watch {most.sockets_per_session} tables already")
        if self._of_address[address] >= most.sockets_per_address:
            self._metrics.sockets_refused.labels("address").inc()
            raise TooManySocketsError(f"{most.sockets_per_address} live views go to your address already")
        counts = ((self._of_session, session), (self._of_address, address))
        for count, key in counts:
            count[key] += 1
        self._metrics.sockets.inc()
        try:
            yield
        finally:
            self._metrics.sockets.dec()
            for count, key in counts:
                count[key] -= 1
                if not count[key]:
                    del count[key]

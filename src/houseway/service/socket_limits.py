"""Limits on live connections: how many a session and an address may have, and how fast each may send."""

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
"""The most bytes of a message over a socket."""


class TokenBucket:
    """A token bucket: a burst of ``at_once``, then ``per_second``, by the clock that is passed in."""

    def __init__(self, per_second: float, at_once: float, monotonic: Callable[[], float]) -> None:
        self._per_second, self._at_once, self._monotonic = per_second, at_once, monotonic
        self._left, self._filled = at_once, monotonic()

    def take(self, amount: float = 1.0) -> bool:
        """Take an amount if the bucket has as much; return whether it did."""
        now = self._monotonic()
        self._left = min(self._at_once, self._left + (now - self._filled) * self._per_second)
        self._filled = now
        if amount > self._left:
            return False
        self._left -= amount
        return True


CONNECTIONS_PER_SECOND: Final = 1.0
CONNECTIONS_AT_ONCE: Final = 24.0
"""The burst of connections that one session may begin; further ones wait before they are refused."""
REFUSAL_DELAY: Final = 2.0
"""Seconds until such a refusal."""
MOST_SESSIONS: Final = 10_000


class TooManySocketsError(HousewayError):
    """The session or the address has too many live connections."""


class Sockets:
    """The live connections of one process, by session and by address."""

    def __init__(self, network: NetworkLimits, metrics: Metrics) -> None:
        self._network, self._metrics = network, metrics
        self._of_session: Counter[str] = Counter()
        self._begun: dict[str, TokenBucket] = {}
        self._of_address: Counter[str] = Counter()

    def may_begin(self, session: str, monotonic: Callable[[], float]) -> bool:
        """Count a connection that a session begins; return False if it begins too many too fast."""
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
        """Count a connection while it is open; refuse it if there are too many."""
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

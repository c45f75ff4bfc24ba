"""How often somebody may try to sign in: five times at once, then once in twelve seconds.

Tries are counted by the address they come from and by the name they are for, known or not. A bucket is one
moment, at which it will be full again, so that nothing is rounded and a clock passed in decides everything.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

AT_ONCE: Final = 5
EVERY: Final = timedelta(seconds=12)
MOST_BUCKETS: Final = 20_000
"""So many addresses and names are remembered at most."""
_NETWORK_BITS: Final = 64
_KEPT: Final = 200
"""So much of an address or a name is remembered; nobody has a longer one."""
NO_WAIT: Final = timedelta(0)
Key = tuple[str, str]


def wait_for(full: datetime | None, now: datetime) -> timedelta:
    """Return how long to wait for the next try, with a bucket that will be full at some moment."""
    if full is None:
        return NO_WAIT
    return max(NO_WAIT, full - now - (AT_ONCE - 1) * EVERY)


def taken_from(full: datetime | None, now: datetime) -> datetime:
    """Return when a bucket will be full after one more try."""
    return max(full or now, now) + EVERY


def network_of(address: str) -> str:
    """Return what one person's address is counted as: with IPv6 they have a whole network.

    >>> network_of("2001:db8::7"), network_of("::ffff:192.0.2.7"), network_of("unix")
    ('2001:db8::/64', '192.0.2.7', 'unix')
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ip_network((found.packed, _NETWORK_BITS), strict=False))


class Limits:
    """The buckets of this process, none of which a right password fills again."""

    def __init__(self) -> None:
        self._full: dict[Key, datetime] = {}

    def take(self, address: str, name: str, now: datetime) -> timedelta:
        """Count a try and return no wait; or count nothing, and return how long to wait."""
        keys = (("address", network_of(address)[:_KEPT]), ("name", name[:_KEPT]))
        wait = max(wait_for(self._full.get(key), now) for key in keys)
        if wait:
            return wait
        for key in keys:
            full = taken_from(self._full.pop(key, None), now)
            self._full[key] = full  # at the end: the first in order is the one not tried for longest
        self._forget(now)
        return NO_WAIT

    def _forget(self, now: datetime) -> None:
        """Forget buckets that are full, and the oldest if there are too many."""
        if len(self._full) > MOST_BUCKETS:
            self._full = {key: full for key, full in self._full.items() if full > now}
        while len(self._full) > MOST_BUCKETS:
            del self._full[next(iter(self._full))]

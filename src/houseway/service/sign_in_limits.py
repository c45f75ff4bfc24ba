"""Limits on sign-in tries: after some failures come pauses, each longer than the last.

Failures are counted by name and address together, and by address alone; never by name alone, so that nobody
is locked out by what a stranger does at another address. Users who have signed in from an address before go
by the first count only, so that strangers at their own address do not lock them out either.

Servers share the wall clock. If it is set back, a pause begins again: it is never longer than it was, and
never lost.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from msgspec import Struct
from sqlalchemy import delete, select, update

from houseway.service.people import name_key
from houseway.store.protocol import Store
from houseway.store.schema import TRIES
from houseway.store.side_tables import insert_into, side_engine, transaction

# --- house rules --------------------------------------------------------------------------------------

FREE_FAILURES: Final = 5
"""The failures of one name at one address without a pause."""
FREE_FAILURES_OF_ADDRESS: Final = 30
"""The failures at one address, by any names, without a pause."""
FREE_GUESTS: Final = 5
"""The guests who may come from one address without a pause."""
SHORTEST_PAUSE: Final = timedelta(seconds=12)
"""The first pause; each further failure doubles it."""
LONGEST_PAUSE: Final = timedelta(minutes=15)
FORGOTTEN_EVERY: Final = LONGEST_PAUSE
"""The time without another failure in which one failure is forgotten."""
FORGOTTEN_WHOLLY: Final = timedelta(days=1)
"""The time after the last failure in which all are forgotten."""
REMEMBERED: Final = timedelta(days=30)
"""How long it is remembered that a user has signed in from an address."""
REFRESHED: Final = timedelta(days=1)
"""The shortest time between two records that a user has signed in from an address."""
MOST_COUNTS: Final = 20_000
"""The most names and addresses that are remembered."""

_NETWORK_BITS: Final = 64
_LONGEST_KEY: Final = 200
"""The most characters of an address or a name that count; none is longer."""
NO_WAIT: Final = timedelta(0)
Key = bytes


class TryLimit(Struct, frozen=True, kw_only=True):
    """The free failures, the pauses after those, and how soon a failure is forgotten."""

    free: int
    shortest: timedelta = SHORTEST_PAUSE
    longest: timedelta = LONGEST_PAUSE
    forgotten_every: timedelta = FORGOTTEN_EVERY


PAIR: Final = TryLimit(free=FREE_FAILURES)
ADDRESS: Final = TryLimit(free=FREE_FAILURES_OF_ADDRESS)
GUESTS: Final = TryLimit(free=FREE_GUESTS, longest=SHORTEST_PAUSE, forgotten_every=SHORTEST_PAUSE)
"""Guests prove nothing: each of them counts, and the pauses do not grow."""


class FailureCount(Struct, frozen=True):
    """The failures under one key, when the last was, and whether a user has signed in under it."""

    failures: int
    last: datetime
    proved: bool = False


# --- decisions ----------------------------------------------------------------------------------------


def pause_after(rule: TryLimit, failures: int) -> timedelta:
    """Return the pause after a number of failures.

    >>> [pause_after(PAIR, failures).seconds for failures in (4, 5, 6, 11, 12, 10**6)]
    [0, 12, 24, 768, 900, 900]
    """
    if failures < rule.free:
        return NO_WAIT
    doublings = min(failures - rule.free, (rule.longest // rule.shortest).bit_length())
    return min(rule.longest, rule.shortest * (1 << doublings))


def wait_for(rule: TryLimit, count: FailureCount | None, now: datetime) -> timedelta:
    """Return how long to wait for the next try; at most one pause, even if the clock was set."""
    if count is None:
        return NO_WAIT
    pause = pause_after(rule, count.failures)
    return max(NO_WAIT, pause - max(NO_WAIT, now - count.last))


def failures_left(rule: TryLimit, count: FailureCount, now: datetime) -> int:
    """Return the number of failures that still count."""
    forgotten = max(NO_WAIT, now - count.last) // rule.forgotten_every
    return max(0, count.failures - forgotten)


def network_of(address: str) -> str:
    """Return the key that an address is counted under: with IPv6, its whole network.

    >>> network_of("2001:db8::7"), network_of("::ffff:192.0.2.7"), network_of("unix")
    ('2001:db8::/64', '192.0.2.7', 'unix')
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address[:_LONGEST_KEY]
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ip_network((parsed.packed, _NETWORK_BITS), strict=False))


# --- the counts of a floor ----------------------------------------------------------------------------


class Tries:
    """Failed tries, in the database that all servers of a floor share.

    People type passwords into the name field, so names are stored as keyed hashes. On SQLite counts are
    written on the store's own connection: between two batches, never during one.
    """

    def __init__(self, store: Store, secret: bytes) -> None:
        self._engine, self._secret = side_engine(store, TRIES), secret

    def pair_key(self, name: str, address: str) -> Key:
        """Return the key of a name at an address, the same for any spelling of the name."""
        return self._key("pair", network_of(address), name_key(name[:_LONGEST_KEY]))

    def _address_key(self, address: str) -> Key:
        return self._key("address", network_of(address))

    def wait(self, name: str, address: str, now: datetime) -> timedelta:
        """Return how long to wait before a name is tried from an address."""
        pair, place = self.pair_key(name, address), self._address_key(address)
        counts = self._counts((pair, place), now)
        own = counts.get(pair)
        wait = wait_for(PAIR, own, now)
        if own is not None and own.proved:
            return wait
        return max(wait, wait_for(ADDRESS, counts.get(place), now))

    def fail(self, name: str, address: str, now: datetime) -> None:
        """Count a failed try."""
        self._add({self.pair_key(name, address): PAIR, self._address_key(address): ADDRESS}, now)

    def succeed(self, name: str, address: str, now: datetime) -> None:
        """Forget the failures of a name at an address, and remember that its user signed in there."""
        key = self.pair_key(name, address)
        count = self._counts((key,), now).get(key)
        if count is None or count.failures or now - count.last >= REFRESHED:  # without failures it is proved
            row = {"failures": 0, "last": now, "proved": True}
            with self._engine.connect() as connection:
                written = insert_into(connection, TRIES).values(key=key, **row)
                connection.execute(written.on_conflict_do_update(index_elements=["key"], set_=row))

    def take_guest(self, address: str, now: datetime) -> timedelta:
        """Count a guest and return a zero wait; or count nothing, and return how long to wait."""
        key = self._key("guests", network_of(address))
        wait = wait_for(GUESTS, self._counts((key,), now).get(key), now)
        if not wait:
            self._add({key: GUESTS}, now)
        return wait

    def forget_old(self, now: datetime) -> None:
        """Remove counts without effect, and the oldest of those above the limit.

        Addresses that users have signed in from are removed last.
        """
        changes_nothing = TRIES.c.proved.is_(False) & (TRIES.c.last < now - FORGOTTEN_WHOLLY)
        oldest_last = (TRIES.c.proved.desc(), TRIES.c.last.desc())
        surplus = select(TRIES.c.key).order_by(*oldest_last).offset(MOST_COUNTS)
        with self._engine.connect() as connection:
            connection.execute(delete(TRIES).where(changes_nothing | (TRIES.c.last < now - REMEMBERED)))
            connection.execute(delete(TRIES).where(TRIES.c.key.in_(surplus)))

    # --- storage --------------------------------------------------------------------------------------

    def _key(self, *parts: str) -> Key:
        text = "\n".join(part.encode("utf-8", "replace").hex() for part in parts)
        return hmac.digest(self._secret, text.encode(), hashlib.sha256)

    def _counts(self, keys: Iterable[Key], now: datetime) -> dict[Key, FailureCount]:
        """Return the counts of keys; those in the future are set to now, as the clock was set back."""
        keys = tuple(keys)
        with self._engine.connect() as connection:
            rows = connection.execute(select(TRIES).where(TRIES.c.key.in_(keys))).all()
            if any(row.last > now for row in rows):
                ahead = TRIES.c.key.in_(keys) & (TRIES.c.last > now)
                connection.execute(update(TRIES).where(ahead).values(last=now))
        return {bytes(row.key): FailureCount(row.failures, min(row.last, now), row.proved) for row in rows}

    def _add(self, rules: Mapping[Key, TryLimit], now: datetime) -> None:
        """Add a failure to the ones that still count; simultaneous servers all count."""
        counts = self._counts(rules, now)
        with transaction(self._engine) as connection:
            for key, count in counts.items():
                as_it_was = (TRIES.c.key == key) & (TRIES.c.last == count.last)
                still = failures_left(rules[key], count, now)
                if still != count.failures:
                    connection.execute(update(TRIES).where(as_it_was).values(failures=still))
            for key in rules:
                first = insert_into(connection, TRIES).values(key=key, failures=1, last=now, proved=False)
                more = {"failures": TRIES.c.failures + 1, "last": now}
                connection.execute(first.on_conflict_do_update(index_elements=["key"], set_=more))

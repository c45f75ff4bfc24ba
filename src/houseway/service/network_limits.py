"""Limits on connections by address and session, and the proxies that are trusted."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final

from msgspec import Struct

from houseway.errors import InvalidInputError
from houseway.service.sign_in_limits import network_of

IPNetwork = IPv4Network | IPv6Network
MOST: Final = 100_000


class NetworkLimits(Struct, frozen=True, kw_only=True):
    """The network limits of each server process."""

    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies whose forwarding headers are believed."""
    connections_per_address: int = 512
    unfinished_per_address: int = 64
    """The most connections of an address with an unfinished request; one more closes the oldest of them."""
    sockets_per_address: int = 256
    sockets_per_session: int = 12

    def __post_init__(self) -> None:
        for limit in (
            self.connections_per_address,
            self.unfinished_per_address,
            self.sockets_per_address,
            self.sockets_per_session,
        ):
            if not 0 < limit <= MOST:
                raise InvalidInputError(f"a limit of connections is from 1 to {MOST:,}", value=limit)
        for proxy in self.trusted_proxies:
            _network(proxy)

    def counted_as(self, address: str) -> str | None:
        """Return the key under which an address is counted; None for a trusted proxy, which is not counted.

        >>> network = NetworkLimits(trusted_proxies=("10.0.0.0/8",))
        >>> network.counted_as("192.0.2.7"), network.counted_as("10.1.2.3")
        ('192.0.2.7', None)
        """
        return None if _within(address, map(_network, self.trusted_proxies)) else network_of(address)


def parse_proxies(names: str) -> tuple[str, ...]:
    """Return the addresses and networks of proxies in a comma-separated list.

    >>> parse_proxies("127.0.0.1, 10.0.0.0/8"), parse_proxies("")
    (('127.0.0.1', '10.0.0.0/8'), ())
    """
    return tuple(name for part in names.split(",") if (name := part.strip()))


def _network(name: str) -> IPNetwork:
    try:
        return ip_network(name)
    except ValueError:
        raise InvalidInputError("a trusted proxy is an address or a network", value=name) from None


def _within(address: str, networks: Iterable[IPNetwork]) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in networks)

"""Limits on connections and streams, derived from the number of file descriptors.

Every connection uses a descriptor. Without descriptors neither a page nor the database could be opened, so
connections are refused before they run out. One client address gets at most three quarters of the
connections and half of the streams, so that it can lock out neither others nor the pages of players who
share it.
"""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from threading import Lock

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from companion.operations.hosts import client_network
from companion.operations.log_throttle import rejections

if sys.platform != "win32":
    import resource

MOST_DESCRIPTORS = 65_536
MOST_ON_MACOS = 10_240  # setrlimit refuses more, even where the hard limit says "unlimited"
WITHOUT_LIMIT = 2_048  # assumed on Windows, which has no such limit
RESERVED = 64  # for databases, listening sockets and files


def raise_descriptor_limit() -> None:
    """Raise the soft limit on open files as far as the system permits."""
    if sys.platform == "win32":
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    for wanted in (highest, min(highest, MOST_ON_MACOS)):
        if soft == resource.RLIM_INFINITY or soft >= wanted:
            return
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return


def descriptor_limit() -> int:
    if sys.platform == "win32":
        return WITHOUT_LIMIT
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else min(soft, MOST_DESCRIPTORS)


@dataclass(frozen=True)
class Capacity:
    """The limits of one process with so many file descriptors."""

    descriptors: int

    @property
    def connections(self) -> int:
        return max(self.descriptors - RESERVED, 8)

    @property
    def connections_per_address(self) -> int:
        return self.connections * 3 // 4

    @property
    def streams(self) -> int:
        """Return the limit of open streams; a quarter of the connections is left to pages."""
        return self.connections * 3 // 4

    @property
    def streams_per_address(self) -> int:
        return self.streams // 2


@cache
def capacity() -> Capacity:
    return Capacity(descriptor_limit())


class ConnectionSlots:
    """Counts open connections, in total and per client address. Thread-safe."""

    def __init__(self) -> None:
        self._network_of: dict[object, str] = {}
        self._open: Counter[str] = Counter()
        self._lock = Lock()

    def acquire(self, connection: object, address: str) -> bool:
        """Count a new connection, or return False if there are too many."""
        network, limits = client_network(address), capacity()
        with self._lock:
            is_full = len(self._network_of) >= limits.connections
            is_greedy = self._open[network] >= limits.connections_per_address and not is_trusted_proxy(
                address
            )
            if not (is_full or is_greedy):
                self._network_of[connection] = network
                self._open[network] += 1
                return True
        rejections.warning("Refused a connection from %s: too many are open.", network)
        return False

    def release(self, connection: object) -> None:
        """Forget a connection; does nothing for one that was refused."""
        with self._lock:
            network = self._network_of.pop(connection, None)
            if network is not None:
                self._open[network] -= 1
                if not self._open[network]:
                    del self._open[network]


def is_trusted_proxy(address: str) -> bool:
    """Return whether an address is one of our proxies, which speak for many clients."""
    try:
        client = ip_address(address)
    except ValueError:
        return False
    return any(client in network for network in trusted_networks())


@cache
def trusted_networks() -> list[IPv4Network | IPv6Network]:
    try:
        return [ip_network(name) for name in settings.TRUSTED_PROXIES]
    except ValueError as error:
        message = f"TRUSTED_PROXIES must hold addresses or networks, separated by commas: {error}."
        raise ImproperlyConfigured(message) from error

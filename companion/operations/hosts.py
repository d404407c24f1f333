"""Host names and addresses under which this machine may be addressed.

Phones open the laptop by its address in the home network, which nobody configures and which may change
during a game. So besides the fixed names, a request may name the local address at which it arrived. Names
from foreign DNS are never accepted, which prevents DNS rebinding.
"""

import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextvars import ContextVar
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

_server_address: ContextVar[str | None] = ContextVar("server_address", default=None)


def local_hostnames() -> list[str]:
    """Return this machine's names and loopback addresses, without asking a DNS server."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return ["localhost", "127.0.0.1", "[::1]", *sorted({name, short, f"{short}.local"})]


class LocalHosts(list[str]):
    """ALLOWED_HOSTS that also contains the local address at which the current request arrived."""

    def __iter__(self) -> Iterator[str]:
        yield from super().__iter__()
        if address := _server_address.get():
            yield address


def host_of_address(address: str) -> str | None:
    """Return an address as the Host header spells it; None for a socket path or anything else."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped) if parsed.ipv4_mapped else f"[{parsed}]"
    return str(parsed)


def client_network(address: str) -> str:
    """Return the key under which a client is counted: its IPv4 address or its IPv6 /64 network.

    A client with one IPv6 address usually has the whole network of 2**64.
    """
    host = host_of_address(address) if ":" in address else None
    if host is None or not host.startswith("["):
        return host or address
    return str(IPv6Network((host.strip("[]"), 64), strict=False))


def with_server_address(application: Application) -> Application:
    """Return an ASGI application that passes the local address of each connection to `LocalHosts`."""

    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        server = scope.get("server")
        token = _server_address.set(host_of_address(server[0]) if server else None)
        try:
            await application(scope, receive, send)
        finally:
            _server_address.reset(token)

    return call

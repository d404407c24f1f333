"""The names under which this machine may be addressed.

Phones open the laptop by its address in the home network, which nobody wants to configure and which may change
during a game. So besides the fixed names a request may name the very address at which it reached this machine.
A name out of somebody else's DNS is never accepted: that is how a web page elsewhere would reach in.
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

_reached_at: ContextVar[str | None] = ContextVar("reached_at", default=None)


def names_of_this_machine() -> list[str]:
    """Its name, alone and as the home network spells it; asked of the system, not of any DNS server."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return ["localhost", "127.0.0.1", "[::1]", *sorted({name, short, f"{short}.local"})]


class LocalHosts(list[str]):
    """ALLOWED_HOSTS that also holds the address at which the present request arrived."""

    def __iter__(self) -> Iterator[str]:
        yield from super().__iter__()
        if address := _reached_at.get():
            yield address


def host_of_address(address: str) -> str | None:
    """An address as the Host header writes it; None for what is no address, such as a socket's path."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped) if parsed.ipv4_mapped else f"[{parsed}]"
    return str(parsed)


def place_of_address(address: str) -> str:
    """What counts as one place where something may not be done too often.

    That is an address; of IPv6 the network, as whoever has one address of it has all 2**64.
    """
    host = host_of_address(address) if ":" in address else None
    if host is None or not host.startswith("["):
        return host or address
    return str(IPv6Network((host.strip("[]"), 64), strict=False))


def remembering_where_reached(application: Application) -> Application:
    """An ASGI application that tells LocalHosts the address each connection came in on."""

    async def remember(scope: Scope, receive: Receive, send: Send) -> None:
        server = scope.get("server")
        token = _reached_at.set(host_of_address(server[0]) if server else None)
        try:
            await application(scope, receive, send)
        finally:
            _reached_at.reset(token)

    return remember

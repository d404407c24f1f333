"""Raw HTTP over a socket, for requests that no client library would send."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

from tests.servers import Server

PATIENCE = 30.0  # seconds


@contextlib.contextmanager
def connected(server: Server, source: str = "127.0.0.1") -> Iterator[socket.socket]:
    address = (server.host, server.port)
    with socket.create_connection(address, PATIENCE, source_address=(source, 0)) as connection:
        yield connection


def get(path: str, *headers: str) -> bytes:
    lines = [f"GET {path} HTTP/1.1", "Host: localhost", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


def post(path: str, *headers: str) -> bytes:
    return get(path, "Content-Type: application/json", *headers).replace(b"GET", b"POST", 1)


def read_to_end(connection: socket.socket) -> bytes:
    """Return everything received until the server closes the connection."""
    parts = []
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


def read_until(connection: socket.socket, end: bytes) -> bytes:
    content = b""
    while end not in content:
        part = connection.recv(65536)
        assert part, content
        content += part
    return content


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def exchange(server: Server, request: bytes, source: str = "127.0.0.1") -> bytes:
    """Send a request on a connection of its own and return the whole response."""
    with connected(server, source) as connection:
        with contextlib.suppress(ConnectionError):  # the server may stop reading early
            connection.sendall(request)
        return read_to_end(connection)


def livez_seconds(server: Server) -> float:
    began = time.monotonic()
    assert status_of(exchange(server, get("/livez", "Connection: close"))) == 200
    return time.monotonic() - began


def resident_bytes(server: Server) -> int:
    assert server.process
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def threads_of(server: Server) -> int:
    assert server.process
    return len(list(Path(f"/proc/{server.process.pid}/task").iterdir()))

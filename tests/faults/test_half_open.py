"""Clients that vanish or never read are dropped and do not disturb others."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults import shifting
from tests.faults.clients import Load, Phone, Table, ask
from tests.faults.test_power_cut import assert_kept, assert_sound
from tests.servers import Server, running_server

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux has /proc"),
]

TCP_REPAIR = 19  # closing a socket in this state sends nothing to the peer
MANY = 30
MEGABYTE = 2**20


def until(condition: Callable[[], bool], expectation: str, seconds: float = 40) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, expectation
        time.sleep(0.1)


def streams(server: Server) -> int:
    count = ask(server, "GET", "/streams/")[1]
    assert isinstance(count, int)
    return count


def sockets(server: Server) -> int:
    """Return the number of open sockets of the server process."""
    assert server.process
    folder = Path(f"/proc/{server.process.pid}/fd")
    count = 0
    for file in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):
            count += str(file.readlink()).startswith("socket:")
    return count


def memory(server: Server) -> int:
    """Return the resident memory in bytes."""
    assert server.process
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def unread_connection(server: Server, path: str, times: int = 1) -> socket.socket:
    """Open a connection with a small receive buffer and send requests, without reading the responses."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(30)
    connection.connect(("127.0.0.1", server.port))
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() * times)
    return connection


@contextlib.contextmanager
def unread_connections(
    server: Server, path: str, count: int, times: int = 1
) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(unread_connection(server, path, times)) for _ in range(count)]


def vanish(connection: socket.socket) -> None:
    """Close a connection without notifying the peer, like a phone with an empty battery."""
    try:
        connection.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
    except OSError:
        pytest.skip("TCP_REPAIR is not permitted")
    connection.close()


def test_vanished_phones_are_dropped(tmp_path: Path) -> None:
    with running_server(tmp_path, module=shifting.MODULE) as server:
        table = Table.opened(server, 3)
        load = Load(server, [table])
        with Phone(server, table) as phone:
            phone.hears(1)
            before = sockets(server)
            with unread_connections(server, f"{table.path}/events/", MANY) as gone:
                until(lambda: streams(server) == MANY + 1, "all streams are open")
                for connection in gone:
                    vanish(connection)
                phone.hears(load.enter(table))
                until(lambda: streams(server) == 1, "vanished phones are dropped")
            until(lambda: sockets(server) <= before, "their sockets are closed")
            phone.hears(load.enter(table))
            assert phone.reconnects == 0
        assert_kept(load)
        assert_sound(server)


def test_hanging_phones_are_dropped(tmp_path: Path) -> None:
    """The peer accepts data, as a connection through a dead proxy does, but nobody reads it."""
    with running_server(tmp_path, module=shifting.MODULE, LONGEST_SECONDS="6") as server:
        table = Table.opened(server, 3)
        load = Load(server, [table])
        with Phone(server, table) as phone:
            phone.hears(1)
            before = sockets(server)
            with unread_connections(server, f"{table.path}/events/", MANY):
                until(lambda: streams(server) > MANY // 2, "all streams are open")
                for _ in range(20):
                    phone.hears(load.enter(table))
                until(lambda: streams(server) <= 1, "streams end after their maximum duration")
                until(lambda: sockets(server) <= before + 1, "their sockets are closed")
                phone.hears(load.enter(table))
            assert phone.reconnects > 0
            assert phone.heard == sorted(set(phone.heard))
        assert_kept(load)
        assert_sound(server)


def test_unread_responses_take_little_memory(tmp_path: Path) -> None:
    """Each requests more than all buffers hold; responses that are not read are not even computed."""
    with running_server(tmp_path, module=shifting.MODULE) as server:
        table = Table.opened(server, 4)
        load = Load(server, [table])
        for _ in range(30):
            load.enter(table)
        size = len(str(table.journal(server)))
        with Phone(server, table) as phone:
            phone.hears(ask(server, "GET", f"{table.path}/")[1]["version"])
            open_before, memory_before = sockets(server), memory(server)
            requests = 40 * MEGABYTE // size
            with unread_connections(server, f"{table.path}/journal/", 5, times=requests):
                for _ in range(20):
                    phone.hears(load.enter(table))
                assert memory(server) - memory_before < 60 * MEGABYTE  # of the 200 MB that they requested
            until(lambda: sockets(server) <= open_before, "closed connections are dropped")
            phone.hears(load.enter(table))
            assert phone.reconnects == 0
        assert_kept(load)
        assert_sound(server)

"""Phones that are gone without a word, and readers that never read: forgotten, and no harm to others."""

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
    pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells what a process has open"),
]

TCP_REPAIR = 19  # a socket that is closed in this state says nothing to the other side
MANY = 30
MEGABYTE = 2**20


def until(condition: Callable[[], bool], what: str, seconds: float = 40) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.1)


def streams(server: Server) -> int:
    count = ask(server, "GET", "/streams/")[1]
    assert isinstance(count, int)
    return count


def sockets(server: Server) -> int:
    """Connections the server has open, but for the one that asks."""
    assert server.process
    folder = Path(f"/proc/{server.process.pid}/fd")
    found = 0
    for file in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):
            found += str(file.readlink()).startswith("socket:")
    return found


def memory(server: Server) -> int:
    """Bytes of real memory."""
    assert server.process
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def line(server: Server, path: str, times: int = 1) -> socket.socket:
    """A connection with requests on it, whose answers wait to be read in little room."""
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.settimeout(30)
    one.connect(("127.0.0.1", server.port))
    one.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() * times)
    return one


@contextlib.contextmanager
def lines(server: Server, path: str, count: int, times: int = 1) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(line(server, path, times)) for _ in range(count)]


def vanish(one: socket.socket) -> None:
    """Close a connection without a word, as a phone whose battery is empty."""
    try:
        one.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
    except OSError:
        pytest.skip("a connection cannot be closed without a word here")
    one.close()


def test_phones_that_vanish_are_forgotten(tmp_path: Path) -> None:
    with running_server(tmp_path, module=shifting.MODULE) as server:
        table = Table.opened(server, 3)
        load = Load(server, [table])
        with Phone(server, table) as phone:
            phone.hears(1)
            before = sockets(server)
            with lines(server, f"{table.path}/events/", MANY) as gone:
                until(lambda: streams(server) == MANY + 1, "they listen")
                for one in gone:
                    vanish(one)
                phone.hears(load.enter(table))
                until(lambda: streams(server) == 1, "nobody who has gone is listened for")
            until(lambda: sockets(server) <= before, "and nothing of them is left")
            phone.hears(load.enter(table))
            assert phone.comebacks == 0
        assert_kept(load)
        assert_sound(server)


def test_phones_that_hang_are_forgotten(tmp_path: Path) -> None:
    """Their side still takes what is sent, as a line through a dead proxy does, and nobody ever reads it."""
    with running_server(tmp_path, module=shifting.MODULE, LONGEST_SECONDS="6") as server:
        table = Table.opened(server, 3)
        load = Load(server, [table])
        with Phone(server, table) as phone:
            phone.hears(1)
            before = sockets(server)
            with lines(server, f"{table.path}/events/", MANY):
                until(lambda: streams(server) > MANY // 2, "they listen")
                for _ in range(20):
                    phone.hears(load.enter(table))
                until(lambda: streams(server) <= 1, "nobody listens for ever without coming back")
                until(lambda: sockets(server) <= before + 1, "and nothing of them is left")
                phone.hears(load.enter(table))
            assert phone.comebacks > 0
            assert phone.heard == sorted(set(phone.heard))
        assert_kept(load)
        assert_sound(server)


def test_readers_that_never_read_take_little(tmp_path: Path) -> None:
    """Each asks for more than all buffers hold. What they do not take is not even worked out."""
    with running_server(tmp_path, module=shifting.MODULE) as server:
        table = Table.opened(server, 4)
        load = Load(server, [table])
        for _ in range(30):
            load.enter(table)
        size = len(str(table.journal(server)))
        with Phone(server, table) as phone:
            phone.hears(ask(server, "GET", f"{table.path}/")[1]["version"])
            open_before, memory_before = sockets(server), memory(server)
            asked = 40 * MEGABYTE // size
            with lines(server, f"{table.path}/journal/", 5, times=asked):
                for _ in range(20):
                    phone.hears(load.enter(table))
                assert memory(server) - memory_before < 60 * MEGABYTE  # of the 200 that they asked for
            until(lambda: sockets(server) <= open_before, "who hangs up is forgotten")
            phone.hears(load.enter(table))
            assert phone.comebacks == 0
        assert_kept(load)
        assert_sound(server)

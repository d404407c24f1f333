"""One table served by several processes: every phone is notified, whichever process it is connected to."""

from __future__ import annotations

import contextlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.faults.clients import FIRST, Table, ask, next_event, stream
from tests.servers import running_server

pytestmark = pytest.mark.long

# The kernel distributes connections; with this many, not all go to one process.
PHONES = 24


def assert_all_phones_are_notified(data: Path, **env: str) -> None:
    with running_server(data, WEB_CONCURRENCY="3", **env) as server, contextlib.ExitStack() as streams:
        table = Table.opened(server, 4)
        version = ask(server, "GET", f"{table.path}/")[1]["version"]
        phones = []
        for _ in range(PHONES):
            connection, answer = stream(server, table)
            streams.callback(connection.close)
            phones.append(answer)
        assert all(f"id: {version}\n" in next_event(phone) for phone in phones)

        for number in range(4):
            status, answer = table.send(server, {**table.offered(server, FIRST), "key": str(number)})
            assert status == 201, answer
            for phone in phones:
                while f"id: {answer['version']}\n" not in next_event(phone):
                    pass
        if "DATABASE_URL" not in env:
            # Streams keep these files open; two SQLite libraries in one process could delete them.
            assert all(Path(f"{server.database}{part}").exists() for part in ("-wal", "-shm"))


def test_all_phones_are_notified_on_sqlite(tmp_path: Path) -> None:
    assert_all_phones_are_notified(tmp_path)


@pytest.mark.postgres
def test_all_phones_are_notified_on_postgresql(tmp_path: Path, postgres: str) -> None:
    assert_all_phones_are_notified(tmp_path, DATABASE_URL=postgres)


@pytest.mark.postgres
def test_streams_hold_no_connection_of_the_pool(tmp_path: Path, postgres: str) -> None:
    """Many streams start at once, as after a restart, and hold no connection of the pool."""
    with (
        running_server(tmp_path, DATABASE_URL=postgres, DATABASE_POOL="2") as server,
        contextlib.ExitStack() as stack,
        ThreadPoolExecutor(12) as phones,
    ):
        table = Table.opened(server, 2)
        listening = list(phones.map(lambda _phone: stream(server, table), range(12)))
        for line, answer in listening:
            stack.enter_context(contextlib.closing(line))
            assert answer.status == 200
            assert "event: changed" in next_event(answer)

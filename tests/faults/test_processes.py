"""One table served by several processes: every phone is told, whichever it listens to."""

from __future__ import annotations

import contextlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.faults.clients import FIRST, Table, ask, next_event, stream
from tests.servers import running_server

pytestmark = pytest.mark.long

# Which process takes a connection is for the system to decide; of so many not all go to one.
PHONES = 24


def everybody_is_told(data: Path, **env: str) -> None:
    with running_server(data, WEB_CONCURRENCY="3", **env) as server, contextlib.ExitStack() as streams:
        table = Table.opened(server, 4)
        version = ask(server, "GET", f"{table.path}/")[1]["version"]
        phones = []
        for _ in range(PHONES):
            connection, answer = stream(server, table)
            streams.callback(connection.close)
            phones.append(answer)
        assert all(f"id: {version}\n" in next_event(phone) for phone in phones)

        for go in range(4):
            status, answer = table.send(server, {**table.offered(server, FIRST), "key": str(go)})
            assert status == 201, answer
            for phone in phones:
                while f"id: {answer['version']}\n" not in next_event(phone):
                    pass
        if "DATABASE_URL" not in env:
            # Who listens holds them open. They would be gone if two copies of SQLite undid each other's locks.
            assert all(Path(f"{server.database}{part}").exists() for part in ("-wal", "-shm"))


def test_on_sqlite(tmp_path: Path) -> None:
    everybody_is_told(tmp_path)


@pytest.mark.postgres
def test_on_postgresql(tmp_path: Path, postgres: str) -> None:
    everybody_is_told(tmp_path, DATABASE_URL=postgres)


@pytest.mark.postgres
def test_phones_that_listen_leave_the_pool_to_others(tmp_path: Path, postgres: str) -> None:
    """Many begin at one moment, as after a restart; each thread that has let one in is free again."""
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

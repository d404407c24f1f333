"""Full disk: no entry is lost or falsely confirmed, and the game continues once there is space."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faults.clients import FIRST, Load, Phone, Table, ask
from tests.faults.test_postgres_away import page_of
from tests.faults.test_power_cut import assert_kept, assert_sound
from tests.servers import Server, running_server

resource = pytest.importorskip("resource", reason="only Unix limits file sizes")

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux can limit a running process"),
]

MEGABYTE = 2**20


def entries_until(load: Load, table: Table, wanted: int, most: int = 300) -> Any:
    """Send entries until one gets this status; return its response."""
    for _ in range(most):
        body = {**table.offered(load.server, FIRST), "key": f"key {next(load._keys)}"}
        load._send(table, body)
        if load.sent[-1].status == wanted:
            return load.sent[-1].answer
        assert load.sent[-1].status in (201, 503), load.sent[-1].answer
    raise AssertionError(f"nothing was answered with {wanted}")


def fill_and_free_disk(server: Server, take: Callable[[], None], give: Callable[[], None]) -> None:
    table = Table.opened(server, 4)
    # An open stream keeps SQLite's files open; opening them again needs some space, even for reading.
    with Phone(server, table) as phone:
        phone.hears(1)
        load = play_on_full_disk(server, table, take, give)
        phone.hears(load.sent[-1].answer["version"])
    assert_kept(load)
    assert_sound(server)


def play_on_full_disk(
    server: Server, table: Table, take: Callable[[], None], give: Callable[[], None]
) -> Load:
    load = Load(server, [table])
    for _ in range(5):
        entries_until(load, table, 201)

    take()
    answer = entries_until(load, table, 503)
    for _ in range(5):  # and it stays full
        load._send(table, {**table.offered(server, FIRST), "key": f"key {next(load._keys)}"})

    assert answer == {"code": "unavailable", "message": answer["message"], "rule": None}
    assert answer["message"].endswith("Please try again in a moment.")
    assert {sent.status for sent in load.sent[-5:]} == {503}
    assert_reading_works(server, table)
    refused = [sent for sent in load.sent if sent.status == 503]
    load.sent = [sent for sent in load.sent if sent.status == 201]
    assert_kept(load)  # rejected entries left no trace
    assert ask(server, "POST", "/api/tables/", {"game": "raubritter"})[0] == 503

    give()
    first = refused[0]
    status, answer = table.send(server, first.body)
    assert status == 201, "the key of a rejected entry is not used up"
    load.sent.append(type(first)(table, first.body, status, answer))
    for _ in range(5):
        entries_until(load, table, 201)
    return load


def assert_reading_works(server: Server, table: Table) -> None:
    assert page_of(server, f"/t/{table.code}/")[0] == 200
    assert ask(server, "GET", f"{table.path}/state/", token=table.token)[0] == 200
    assert ask(server, "GET", "/healthz")[0] == 200


def test_file_size_limit(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        assert server.process
        pid, (_soft, hard) = server.process.pid, resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)

        def take() -> None:
            size = max(file.stat().st_size for file in tmp_path.iterdir())
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (size + 40_000, hard))

        fill_and_free_disk(
            server, take, lambda: resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard)) and None
        )


def test_full_disk(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 6 * MEGABYTE) as disk, running_server(disk) as server:
        filler = disk / "filler"

        def take() -> None:
            with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
                while file.write(b"\0" * 4096):
                    pass
            assert shutil.disk_usage(disk).free == 0

        fill_and_free_disk(server, take, filler.unlink)


@contextlib.contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """Mount a small file system in memory."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "seneschal", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("a file system cannot be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)

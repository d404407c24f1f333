"""A server whose processes are replaced the moment they die: forked from one that has loaded everything.

So a kill costs the test a few hundredths of a second instead of a start. Each process that serves has a file
with its number in the folder ``workers`` of the data folder.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import socket
import sys
from pathlib import Path

import uvicorn

from companion.operations.serve import options

MODULE = ("tests.faults.prefork",)
WORKERS = 3


def workers(data: Path) -> list[int]:
    return sorted(int(file.name) for file in (data / "workers").iterdir())


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--host")
    parser.add_argument("--port", type=int)
    asked, _rest = parser.parse_known_args(arguments)
    config = uvicorn.Config("companion.asgi:application", **options())
    config.load()
    from companion import urls  # noqa: F401, PLC0415 - what the first request would load

    folder = Path(os.environ["DATA_DIR"]) / "workers"
    folder.mkdir(exist_ok=True)
    with socket.create_server((asked.host, asked.port), backlog=512) as door:
        replace_for_ever(config, door, folder)


def replace_for_ever(config: uvicorn.Config, door: socket.socket, folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink()
    serving: set[int] = set()
    while True:
        while len(serving) < WORKERS:
            pid = os.fork()
            if not pid:
                serve(config, door)
            serving.add(pid)
            (folder / str(pid)).touch()
        pid, _status = os.wait()
        serving.discard(pid)
        with contextlib.suppress(FileNotFoundError):
            (folder / str(pid)).unlink()


def serve(config: uvicorn.Config, door: socket.socket) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        uvicorn.Server(config).run(sockets=[door])
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])

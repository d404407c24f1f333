"""A server that replaces killed workers at once, forked from a process that has loaded everything.

So a kill costs a test some hundredths of a second. Each worker has a file named after its process id in the
folder `workers` of the data folder.
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
    parsed, _unknown = parser.parse_known_args(arguments)
    config = uvicorn.Config("companion.asgi:application", **options())
    config.load()
    from companion import urls  # noqa: F401, PLC0415 - loaded by the first request otherwise

    folder = Path(os.environ["DATA_DIR"]) / "workers"
    folder.mkdir(exist_ok=True)
    with socket.create_server((parsed.host, parsed.port), backlog=512) as listener:
        keep_workers_running(config, listener, folder)


def keep_workers_running(config: uvicorn.Config, listener: socket.socket, folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink()
    running: set[int] = set()
    while True:
        while len(running) < WORKERS:
            pid = os.fork()
            if not pid:
                serve(config, listener)
            running.add(pid)
            (folder / str(pid)).touch()
        pid, _status = os.wait()
        running.discard(pid)
        with contextlib.suppress(FileNotFoundError):
            (folder / str(pid)).unlink()


def serve(config: uvicorn.Config, listener: socket.socket) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])

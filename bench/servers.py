"""Servers as they are measured: with static files as on a real one; and what their processes take of the machine."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.servers import Server, environment, manage

TICK = 1 / os.sysconf("SC_CLK_TCK")  # seconds; no less can be measured
MODULE = ("uvicorn", "bench.asgi:application")  # what a measured server is called with
SPARE_FILES = 1_000  # for the database and all else that is no connection of a phone


def collected(data: Path) -> dict[str, str]:
    """The settings of a server with the bare views, after its static files were collected beside its data."""
    settings = {
        "DJANGO_SETTINGS_MODULE": "bench.settings",
        "STATIC_MANIFEST": "on",
        "STATIC_ROOT": str(data.with_name("static")),
    }
    collect = ("collectstatic", "--no-input", "--verbosity=0")
    manage(environment(data, **settings), *collect)
    return settings


def allow_connections(number: int) -> None:
    """Let this process, and the servers it starts from now on, have so many connections open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = number + SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        if hard != resource.RLIM_INFINITY and hard < needed:
            raise RuntimeError(f"{needed} open files are needed, and this machine allows {hard} (ulimit -Hn)")
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


class Meter:
    """The share of a core that somebody takes from now on; ``seconds`` says how much it was so far."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._begin, self._before = time.perf_counter(), seconds()

    def percent(self) -> float:
        used = max(self._seconds() - self._before, TICK)
        return 100 * used / (time.perf_counter() - self._begin)


def pid_of(server: Server) -> int:
    if server.process is None:
        raise RuntimeError("the server does not run")
    return server.process.pid


def processor_seconds(pid: int) -> float:
    """What a process and those it started have used of the processor so far."""
    return sum(_ticks(one) for one in _family(pid)) * TICK


def memory(pid: int) -> float:
    """What a process and those it started hold of the machine's memory, in kB."""
    return sum(_resident(one) for one in _family(pid))


def _family(pid: int) -> Iterator[int]:
    yield pid
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield from _family(int(child))


def _ticks(pid: int) -> int:
    """In user and in system mode; the name of the program before them may hold anything but a last bracket."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _resident(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))

"""Servers to measure, each in its own process, with their CPU time and memory."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SPARE_FILES = 1_000  # file descriptors besides the connections of phones

# Start the server of the checkout in the working directory with its own `tests/servers.py`, which knows the
# command line of that version. Print port and process id; stop when standard input is closed.
SERVE = """
import sys
from pathlib import Path
from tests.servers import environment, manage, running_server

data, settings = Path(sys.argv[1]), dict(pair.split("=", 1) for pair in sys.argv[2:])
manage(environment(data, **settings), "collectstatic", "--no-input", "--verbosity=0")
with running_server(data, **settings) as server:
    print(server.port, server.process.pid, flush=True)
    sys.stdin.read()
"""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: a command that starts a server, and the directory to run it in."""

    name: str
    command: tuple[str, ...]
    folder: Path = ROOT
    most_cpu: float | None = None  # limit on the CPU time of the measured server, as a multiple of this one


def checkout(folder: Path, *, name: str, most_cpu: float | None = None) -> Side:
    """Return the server of a checkout, run with the virtual environment of that checkout."""
    python = folder / ".venv" / "bin" / "python"
    if not python.exists():
        raise FileNotFoundError(f"{python} is missing; run `make dev` in {folder}")
    return Side(name, (str(python), "-c", SERVE), folder, most_cpu)


def product() -> Side:
    return Side("this checkout", (sys.executable, "-c", SERVE))


def bare() -> Side:
    """Return a server with the same URLs that only counts entries: the cost of HTTP and event streams alone."""
    return Side("a server that only counts", (sys.executable, "-m", "bench.bare"))


@dataclass(frozen=True, slots=True)
class Running:
    """A server that accepts connections."""

    port: int
    pid: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cpu_seconds(self) -> float:
        """Return the CPU time used so far by the server and its child processes."""
        return sum(_cpu_seconds(pid) for pid in _family(self.pid))

    def memory_mb(self) -> float:
        """Return the resident memory of the server and its child processes."""
        return sum(_resident_kb(pid) for pid in _family(self.pid)) / 1024


@contextmanager
def running(side: Side, **settings: str) -> Iterator[Running]:
    """Run a server with its own data directory; `settings` are environment variables."""
    with tempfile.TemporaryDirectory(prefix="seneschal-bench-") as folder:
        variables = {
            "CACHE_VERIFY": "off",
            "STATIC_MANIFEST": "on",
            "STATIC_ROOT": f"{folder}/static",
            **settings,
        }
        command = [*side.command, f"{folder}/data", *(f"{name}={value}" for name, value in variables.items())]
        with subprocess.Popen(
            command, cwd=side.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            line = process.stdout.readline() if process.stdout else ""
            if not line:
                raise RuntimeError(f"{side.name} does not start")
            port, pid = map(int, line.split())
            yield Running(port, pid)
            process.communicate()  # closes its standard input, which stops the server


def allow_connections(number: int) -> None:
    """Raise the limit on open files of this process, and of servers it starts, for so many connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = number + SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        if hard != resource.RLIM_INFINITY and hard < needed:
            raise RuntimeError(f"{needed} open files are needed, and this machine allows {hard} (ulimit -Hn)")
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


class Meter:
    """CPU time used since the creation of the meter."""

    def __init__(self, cpu_seconds: Callable[[], float]) -> None:
        self._cpu_seconds = cpu_seconds
        self._begin, self._before = time.perf_counter(), cpu_seconds()

    def seconds(self) -> float:
        return self._cpu_seconds() - self._before

    def percent(self) -> float:
        """Return the CPU time in % of one core."""
        return 100 * self.seconds() / (time.perf_counter() - self._begin)


def _family(pid: int) -> Iterator[int]:
    yield pid
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield from _family(int(child))


def _cpu_seconds(pid: int) -> float:
    """Read the CPU clock of another process; the clock id is that of clock_getcpuclockid(3)."""
    return time.clock_gettime(~pid << 3 | 2)


def _resident_kb(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))

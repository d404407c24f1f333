"""Real server processes for fault tests, browser tests and benchmarks."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Settings of the test run that servers must not inherit.
_SETTINGS = {
    "DATABASE_URL",
    "DEBUG",
    "HOST",
    "HTTPS",
    "TRUSTED_PROXIES",
    "SECRET_KEY",
    "ALLOWED_HOSTS",
    "STATIC_ROOT",
    "WEB_CONCURRENCY",
}
PATIENCE = 30.0  # seconds


@dataclass
class Server:
    """A server on the loopback interface. After a kill it keeps its port and data for the next start."""

    port: int
    environment: dict[str, str]
    module: tuple[str, ...] = ("companion.operations.serve",)  # with its arguments
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    host: str = "127.0.0.1"
    log: Path | None = None  # file for stderr
    descriptors: int | None = None  # limit of open files; None for that of the tests

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def database(self) -> Path:
        return Path(self.environment["DATA_DIR"]) / "seneschal.sqlite3"

    def start(self) -> None:
        """Start, and wait until it answers."""
        limited = ("sh", "-c", f'ulimit -n {self.descriptors} && exec "$@"', "sh") if self.descriptors else ()
        with self.log.open("ab") if self.log else contextlib.nullcontext() as log:
            self.process = subprocess.Popen(
                [
                    *limited,
                    *(sys.executable, "-m", *self.module),
                    *("--host", self.host, "--port", str(self.port), "--timeout-graceful-shutdown", "1"),
                ],
                cwd=ROOT,
                env=self.environment,
                stderr=log,
                start_new_session=True,  # so that signals reach its workers, too
            )
        self._wait_until_it_answers()

    def _wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self.process is None or self.process.poll() is not None:
                break
            with contextlib.suppress(urllib.error.URLError, OSError):
                urllib.request.urlopen(f"{self.url}/healthz", timeout=5).close()  # noqa: S310 - our own server
                return
            time.sleep(0.05)
        raise RuntimeError("The server does not answer.")

    def stop(self) -> None:
        """Send SIGTERM."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL, like a power cut."""
        self._end(signal.SIGKILL)

    def _end(self, signal_: signal.Signals) -> None:
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal_)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)
        self.process = None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def environment(data_dir: Path, **env: str) -> dict[str, str]:
    """Return the environment of a program with its own data folder."""
    inherited = {name: value for name, value in os.environ.items() if name not in _SETTINGS}
    own = {
        "DATA_DIR": str(data_dir),
        "STATIC_MANIFEST": "off",
        "CACHE_VERIFY": "on",
        "DJANGO_SETTINGS_MODULE": "companion.settings",
    }
    return {**inherited, **own, **env}


def manage(env: dict[str, str], *arguments: str) -> None:
    subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=env, check=True)


def migrate(server: Server) -> None:
    """Create or upgrade the database of a server. A new SQLite file is a copy of a migrated one."""
    if "DATABASE_URL" in server.environment or server.database.exists():
        manage(server.environment, "migrate", "--no-input", "--verbosity=0")
    else:
        server.database.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_migrated_database(), server.database)


@functools.cache
def _migrated_database() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="seneschal-migrated-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    manage(environment(folder), "migrate", "--no-input", "--verbosity=0")
    return folder / "seneschal.sqlite3"


@contextlib.contextmanager
def running_server(
    data_dir: Path,
    *,
    module: tuple[str, ...] = Server.module,
    log: Path | None = None,
    descriptors: int | None = None,
    **env: str,
) -> Iterator[Server]:
    """Run a server with its own migrated data folder; `WEB_CONCURRENCY="4"` makes it four processes."""
    server = Server(free_port(), environment(data_dir, **env), module, log=log, descriptors=descriptors)
    migrate(server)
    try:
        server.start()
        yield server
    finally:
        server.stop()

"""Start the project's programs as users do."""

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """Environment of a program with its own data folder, without the settings of the test run."""
    settings = {
        "DATABASE_URL",
        "DEBUG",
        "HTTPS",
        "TRUSTED_PROXIES",
        "SECRET_KEY",
        "ALLOWED_HOSTS",
        "DJANGO_SETTINGS_MODULE",
    }
    inherited = {name: value for name, value in os.environ.items() if name not in settings}
    return {**inherited, "DATA_DIR": str(tmp_path / "data"), "STATIC_MANIFEST": "off"}


Serve = Callable[..., str]


@pytest.fixture
def serve(surroundings: dict[str, str], free_port: int) -> Iterator[Serve]:
    """Function that starts a real server on all addresses and returns its port once it listens."""
    with contextlib.ExitStack() as running:

        def start(**variables: str) -> str:
            command = [sys.executable, "-m", "companion.operations.serve", "--host", "0.0.0.0"]
            server = subprocess.Popen(
                [*command, "--port", str(free_port)],
                cwd=ROOT,
                env={**surroundings, **variables},
            )
            running.callback(server.wait, 10)
            running.callback(server.terminate)
            wait_until_open(free_port)
            return str(free_port)

        yield start


def wait_until_open(port: int, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    pytest.fail(f"Nothing listens on port {port} after {seconds} seconds.")


def fetch(url: str, host: str | None = None) -> tuple[int, bytes]:
    """Return status and body of a URL, optionally with another Host header."""
    request = urllib.request.Request(url, headers={"Host": host} if host else {})  # noqa: S310 - our own server
    try:
        with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()

"""run.py: its decisions, and that it serves and stops."""

import signal
import socket
import subprocess
import sys
import time
from ipaddress import ip_address
from pathlib import Path

import pytest

import run
from tests.operations.conftest import ROOT, fetch, wait_until_open


def test_fingerprint_depends_on_names_contents_and_facts(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("a")
    other.write_text("a")
    before = run.fingerprint([one])

    assert run.fingerprint([one]) == before
    assert run.fingerprint([other]) != before
    assert run.fingerprint([one], "3.12") != before
    one.write_text("b")
    assert run.fingerprint([one]) != before


def test_stamp_is_valid_until_its_mark_changes(tmp_path: Path) -> None:
    stamp = tmp_path / "stamp"

    assert not run.is_done(stamp, "first")
    run.set_done(stamp, "first")
    assert run.is_done(stamp, "first")
    assert not run.is_done(stamp, "second")


def test_requirements_include_those_they_are_built_on() -> None:
    assert [file.name for file in run.requirements_of("requirements-dev.txt")] == [
        "requirements.txt",
        "requirements-postgres.txt",
        "requirements-dev.txt",
    ]


@pytest.mark.parametrize(
    ("dev", "url", "names"),
    [
        (False, "", ["requirements.txt"]),
        (True, "", ["requirements-dev.txt"]),
        (False, "postgres://db/tables", ["requirements.txt", "requirements-postgres.txt"]),
        (False, "postgresql://db/tables", ["requirements.txt", "requirements-postgres.txt"]),
        (False, "sqlite:///tables", ["requirements.txt"]),
    ],
)
def test_requirements_depend_on_dev_and_database(dev: bool, url: str, names: list[str]) -> None:  # noqa: FBT001
    assert run.wanted_requirements(dev=dev, database_url=url) == names


def test_old_python_is_reported() -> None:
    run.require_python((3, 11, 0))
    with pytest.raises(run.Stop, match=r"needs Python 3\.11 or newer; this is 3\.9"):
        run.require_python((3, 9, 18))


@pytest.mark.parametrize(
    ("host", "own", "expected"),
    [
        ("0.0.0.0", ["192.168.1.5"], ["192.168.1.5"]),
        ("0.0.0.0", ["127.0.0.1", "169.254.3.3", "10.0.0.7"], ["10.0.0.7"]),
        # Private addresses come first; otherwise the order is kept.
        ("0.0.0.0", ["8.8.4.4", "192.168.1.5", "10.0.0.7"], ["192.168.1.5", "10.0.0.7", "8.8.4.4"]),
        ("0.0.0.0", ["127.0.0.1"], []),
        ("0.0.0.0", [], []),
        ("::", ["192.168.1.5"], ["192.168.1.5"]),
        ("127.0.0.1", ["192.168.1.5"], []),
        ("::1", ["192.168.1.5"], []),
        ("10.0.0.7", ["192.168.1.5"], ["10.0.0.7"]),
        ("localhost", ["192.168.1.5"], []),
        ("steward.local", ["192.168.1.5"], ["steward.local"]),
    ],
)
def test_addresses_that_phones_can_open(host: str, own: list[str], expected: list[str]) -> None:
    assert run.addresses_for_phones(host, own) == expected


def test_own_addresses_are_valid_and_unique() -> None:
    own = run.own_addresses()

    assert len(own) == len(set(own))
    assert all(ip_address(address).version == 4 for address in own)


@pytest.mark.parametrize(
    ("host", "port", "url"),
    [
        ("192.168.1.5", 8000, "http://192.168.1.5:8000/"),
        ("192.168.1.5", 80, "http://192.168.1.5/"),
        ("2001:db8::7", 8000, "http://[2001:db8::7]:8000/"),
    ],
)
def test_url_omits_default_port_and_brackets_ipv6(host: str, port: int, url: str) -> None:
    assert run.url_of(host, port) == url


@pytest.mark.parametrize("text", ["0", "65536", "http", "-1", "8000.0"])
def test_invalid_port_is_rejected(text: str) -> None:
    with pytest.raises(run.Stop, match="must be a number from 1 to 65535"):
        run.port_of(text)


def test_port_in_use_is_reported(free_port: int) -> None:
    run.require_free_port("127.0.0.1", free_port)
    with socket.socket() as other:
        other.bind(("127.0.0.1", free_port))
        other.listen()
        with pytest.raises(run.Stop, match=f"Port {free_port} is taken"):
            run.require_free_port("127.0.0.1", free_port)


def test_address_of_another_machine_is_reported(free_port: int) -> None:
    with pytest.raises(run.Stop, match=r"cannot listen on 203\.0\.113\.9"):
        run.require_free_port("203.0.113.9", free_port)


def test_failure_prints_a_message_without_traceback(surroundings: dict[str, str]) -> None:
    result = subprocess.run(
        [sys.executable, "run.py"],
        cwd=ROOT,
        env={**surroundings, "PORT": "many"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.returncode == 1
    assert result.stderr.strip() == "PORT is 'many'; it must be a number from 1 to 65535."


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals work differently on Windows")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_offline_start_serves_in_seconds_and_stops_cleanly(
    surroundings: dict[str, str], free_port: int, stop: signal.Signals
) -> None:
    run.set_up(dev=True)
    offline = {"PIP_NO_INDEX": "1", "npm_config_offline": "true", "HOST": "0.0.0.0", "PORT": str(free_port)}
    began = time.monotonic()
    server = subprocess.Popen(
        [sys.executable, ROOT / "run.py"],
        env={**surroundings, **offline},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        wait_until_open(free_port)
        assert time.monotonic() - began < 15
        assert fetch(f"http://127.0.0.1:{free_port}/healthz") == (200, b'{"status": "ok"}')
    finally:
        server.send_signal(stop)
        output, errors = server.communicate(timeout=15)

    assert f"http://localhost:{free_port}/" in output
    if addresses := run.addresses_for_phones("0.0.0.0", run.own_addresses()):
        assert f"http://{addresses[0]}:{free_port}/" in output
        assert "█" in output
    assert "Traceback" not in errors
    assert server.returncode in {0, -stop}

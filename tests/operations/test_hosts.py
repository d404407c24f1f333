"""Host header: the server's own names and addresses are accepted, foreign names are not."""

import socket
import sys

import pytest
from asgiref.testing import ApplicationCommunicator
from django.conf import settings

from companion.operations.hosts import (
    LocalHosts,
    host_of_address,
    local_hostnames,
    with_server_address,
)
from tests.operations.conftest import Serve, fetch


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("192.168.1.5", "192.168.1.5"),
        ("fe80::1%eth0", "[fe80::1]"),
        ("::ffff:192.168.1.5", "192.168.1.5"),
        ("2001:db8::7", "[2001:db8::7]"),
        ("/run/seneschal.socket", None),
        ("evil.example", None),
    ],
)
def test_address_is_converted_to_a_host_header(address: str, host: str | None) -> None:
    assert host_of_address(address) == host


async def hosts_during_a_request(server: tuple[str, int] | None) -> list[str]:
    hosts = LocalHosts(["localhost"])
    seen: list[str] = []

    async def application(scope: object, receive: object, send: object) -> None:
        seen.extend(hosts)

    communicator = ApplicationCommunicator(
        with_server_address(application), {"type": "http", "server": server}
    )
    await communicator.wait()
    assert list(hosts) == ["localhost"]
    return seen


async def test_address_of_the_connection_is_allowed_during_the_request() -> None:
    assert await hosts_during_a_request(("192.168.1.5", 8000)) == ["localhost", "192.168.1.5"]
    assert await hosts_during_a_request(("10.0.0.7", 8000)) == ["localhost", "10.0.0.7"]


async def test_connection_without_address_adds_no_host() -> None:
    assert await hosts_during_a_request(None) == ["localhost"]


def test_allowed_hosts_contain_no_pattern() -> None:
    assert not [name for name in settings.ALLOWED_HOSTS if name == "*" or name.startswith(".")]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux routes all of 127/8 to the machine")
def test_server_accepts_only_its_own_names_and_addresses(serve: Serve) -> None:
    port = serve()
    reached = f"http://127.0.0.2:{port}/healthz"

    statuses = {
        host: fetch(reached, host=f"{host}:{port}")[0]
        for host in ["127.0.0.2", "127.0.0.3", "evil.example", "localhost", *local_hostnames()[3:]]
    }

    assert statuses == {
        "127.0.0.2": 200,
        "127.0.0.3": 400,
        "evil.example": 400,
        "localhost": 200,
        **dict.fromkeys(local_hostnames()[3:], 200),
    }
    assert f"{socket.gethostname().lower().partition('.')[0]}.local" in local_hostnames()


def test_allowed_hosts_variable_replaces_the_defaults(serve: Serve) -> None:
    port = serve(ALLOWED_HOSTS="table.example")

    assert fetch(f"http://127.0.0.1:{port}/healthz")[0] == 400
    assert fetch(f"http://127.0.0.1:{port}/healthz", host="table.example")[0] == 200


def test_server_rejects_an_invalid_port(serve: Serve) -> None:
    port = serve(HOST="0.0.0.0")

    for host in ("localhost:99999", "[::1]:65536", "localhost:x"):
        assert fetch(f"http://127.0.0.1:{port}/", host=host)[0] == 400
    assert fetch(f"http://127.0.0.1:{port}/", host="localhost:65535")[0] == 200

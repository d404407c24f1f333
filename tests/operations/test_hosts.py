"""Phones may use the address at which they reach this machine, and nobody may use a foreign name."""

import socket
import sys

import pytest
from asgiref.testing import ApplicationCommunicator
from django.conf import settings

from companion.operations.hosts import (
    LocalHosts,
    host_of_address,
    names_of_this_machine,
    remembering_where_reached,
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
def test_address_as_the_host_header_writes_it(address: str, host: str | None) -> None:
    assert host_of_address(address) == host


async def hosts_during_a_request(server: tuple[str, int] | None) -> list[str]:
    hosts = LocalHosts(["localhost"])
    seen: list[str] = []

    async def application(scope: object, receive: object, send: object) -> None:
        seen.extend(hosts)

    communicator = ApplicationCommunicator(
        remembering_where_reached(application), {"type": "http", "server": server}
    )
    await communicator.wait()
    assert list(hosts) == ["localhost"]
    return seen


async def test_the_address_of_the_present_connection_is_allowed_while_it_lasts() -> None:
    assert await hosts_during_a_request(("192.168.1.5", 8000)) == ["localhost", "192.168.1.5"]
    assert await hosts_during_a_request(("10.0.0.7", 8000)) == ["localhost", "10.0.0.7"]


async def test_a_connection_without_an_address_adds_nothing() -> None:
    assert await hosts_during_a_request(None) == ["localhost"]


def test_no_pattern_is_allowed() -> None:
    assert not [name for name in settings.ALLOWED_HOSTS if name == "*" or name.startswith(".")]


@pytest.mark.skipif(sys.platform != "linux", reason="only there all of 127/8 are addresses of the machine")
def test_a_real_server_answers_to_its_own_addresses_and_names_alone(serve: Serve) -> None:
    port = serve()
    reached = f"http://127.0.0.2:{port}/healthz"

    statuses = {
        host: fetch(reached, host=f"{host}:{port}")[0]
        for host in ["127.0.0.2", "127.0.0.3", "evil.example", "localhost", *names_of_this_machine()[3:]]
    }

    assert statuses == {
        "127.0.0.2": 200,
        "127.0.0.3": 400,
        "evil.example": 400,
        "localhost": 200,
        **dict.fromkeys(names_of_this_machine()[3:], 200),
    }
    assert f"{socket.gethostname().lower().partition('.')[0]}.local" in names_of_this_machine()


def test_hosts_of_the_environment_stand_alone(serve: Serve) -> None:
    port = serve(ALLOWED_HOSTS="table.example")

    assert fetch(f"http://127.0.0.1:{port}/healthz")[0] == 400
    assert fetch(f"http://127.0.0.1:{port}/healthz", host="table.example")[0] == 200


def test_a_real_server_refuses_an_impossible_port(serve: Serve) -> None:
    port = serve(HOST="0.0.0.0")

    for host in ("localhost:99999", "[::1]:65536", "localhost:x"):
        assert fetch(f"http://127.0.0.1:{port}/", host=host)[0] == 400
    assert fetch(f"http://127.0.0.1:{port}/", host="localhost:65535")[0] == 200

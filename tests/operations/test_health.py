"""`/livez`, `/healthz`, `/readyz`: 200, or 503 with the reason."""

import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.test import Client

from companion.asgi import THREADS
from companion.live import hub
from tests.operations.conftest import ROOT, Serve, fetch


@pytest.mark.django_db
def test_healthz_is_ok_if_the_database_answers(client: Client) -> None:
    response = client.get("/healthz")

    assert response.status_code == 200
    assert response.json() == {"status": "ok"}
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_health_checks_reject_post(client: Client, address: str) -> None:
    assert client.get(address).json() == {"status": "ok"}
    assert client.head(address).status_code == 200
    assert client.post(address).status_code == 405


@pytest.mark.django_db
def test_stopping_process_is_unavailable(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub.hub, "is_closing", True)

    for address in ("/healthz", "/readyz"):
        response = client.get(address)
        assert response.status_code == 503
        assert response.json() == {"status": "unavailable", "reason": "stopping"}


@pytest.mark.long
def test_readyz_is_unavailable_until_migrations_are_applied(
    serve: Serve, surroundings: dict[str, str]
) -> None:
    site = f"http://127.0.0.1:{serve()}"

    assert fetch(f"{site}/livez")[0] == 200
    assert fetch(f"{site}/healthz")[0] == 200
    assert fetch(f"{site}/readyz") == (503, b'{"status": "unavailable", "reason": "migrations"}')

    migrate = [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity=0"]
    subprocess.run(migrate, cwd=ROOT, env=surroundings, check=True)
    assert fetch(f"{site}/readyz") == (200, b'{"status": "ok"}')


def test_healthz_is_unavailable_if_sqlite_cannot_be_opened(serve: Serve) -> None:
    port = serve(DATABASE_URL="sqlite:////no-such-folder/seneschal.sqlite3")

    assert fetch(f"http://127.0.0.1:{port}/healthz") == (
        503,
        b'{"status": "unavailable", "reason": "database"}',
    )


@contextlib.contextmanager
def silent_port() -> Iterator[int]:
    """Yield a port that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listener:
        yield listener.getsockname()[1]


@pytest.mark.flaky(reruns=2, reason="measures a deadline of a real server, which a busy machine may miss")
def test_health_checks_do_not_wait_for_postgresql(serve: Serve) -> None:
    """Already the first request is answered in time, although nothing refuses the connection."""
    pytest.importorskip("psycopg_pool")
    with silent_port() as silent:
        port = serve(DATABASE_URL=f"postgres://nobody@127.0.0.1:{silent}/nothing")
        for address in ("readyz", "healthz", "healthz"):
            began = time.monotonic()
            answer = fetch(f"http://127.0.0.1:{port}/{address}")
            assert answer == (503, b'{"status": "unavailable", "reason": "database"}')
            assert time.monotonic() - began < 3  # the deadline is 1.5 s


@pytest.mark.long
@pytest.mark.flaky(reruns=2, reason="measures a deadline of a real server, which a busy machine may miss")
def test_pages_do_not_wait_long_for_postgresql(serve: Serve) -> None:
    """More requests than threads: the first wait for a connection, the others fail fast."""
    pytest.importorskip("psycopg_pool")
    with silent_port() as silent, ThreadPoolExecutor(5 * THREADS) as phones:
        port = serve(DATABASE_URL=f"postgres://nobody@127.0.0.1:{silent}/nothing")
        pages = phones.map(fetch, [f"http://127.0.0.1:{port}/t/BCDFGH/"] * 5 * THREADS)
        began = time.monotonic()
        assert fetch(f"http://127.0.0.1:{port}/healthz")[0] == 503
        assert time.monotonic() - began < 3
        assert {status for status, _page in pages} == {503}
        assert time.monotonic() - began < 20


@pytest.mark.long
def test_healthz_is_unavailable_if_postgresql_is_down(serve: Serve) -> None:
    pytest.importorskip("psycopg_pool")
    port = serve(DATABASE_URL="postgres://nobody@127.0.0.1:1/nothing")

    began = time.monotonic()
    assert fetch(f"http://127.0.0.1:{port}/healthz") == (
        503,
        b'{"status": "unavailable", "reason": "database"}',
    )
    assert time.monotonic() - began < 4

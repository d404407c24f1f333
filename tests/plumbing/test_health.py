"""`/livez`, `/healthz`, `/readyz`: 200 when all is well, else 503 and what is not."""

import subprocess
import sys

import pytest
from django.test import Client

from companion import live
from tests.plumbing.conftest import ROOT, Serve, fetch


@pytest.mark.django_db
def test_healthz_says_ok_when_the_database_answers(client: Client) -> None:
    response = client.get("/healthz")

    assert response.status_code == 200
    assert response.json() == {"status": "ok"}
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/livez", "/healthz", "/readyz"])
def test_they_are_only_read(client: Client, address: str) -> None:
    assert client.get(address).json() == {"status": "ok"}
    assert client.head(address).status_code == 200
    assert client.post(address).status_code == 405


@pytest.mark.django_db
def test_a_process_that_is_about_to_end_lives_but_takes_nobody(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live.hub, "is_closing", True)

    assert client.get("/livez").status_code == 200
    for address in ("/healthz", "/readyz"):
        response = client.get(address)
        assert response.status_code == 503
        assert response.json() == {"status": "unavailable", "reason": "stopping"}


@pytest.mark.long
def test_nobody_is_sent_to_a_database_that_lacks_migrations(
    serve: Serve, surroundings: dict[str, str]
) -> None:
    site = f"http://127.0.0.1:{serve()}"

    assert fetch(f"{site}/livez")[0] == 200
    assert fetch(f"{site}/healthz")[0] == 200
    assert fetch(f"{site}/readyz") == (503, b'{"status": "unavailable", "reason": "migrations"}')

    migrate = [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity=0"]
    subprocess.run(migrate, cwd=ROOT, env=surroundings, check=True)
    assert fetch(f"{site}/readyz") == (200, b'{"status": "ok"}')


def test_healthz_says_unavailable_when_the_database_cannot_be_opened(serve: Serve) -> None:
    port = serve(DATABASE_URL="sqlite:////no-such-folder/seneschal.sqlite3")

    assert fetch(f"http://127.0.0.1:{port}/healthz") == (
        503,
        b'{"status": "unavailable", "reason": "database"}',
    )


@pytest.mark.long
def test_healthz_says_unavailable_when_postgresql_is_gone(serve: Serve) -> None:
    pytest.importorskip("psycopg_pool")
    port = serve(DATABASE_URL="postgres://nobody@127.0.0.1:1/nothing")

    assert fetch(f"http://127.0.0.1:{port}/healthz") == (
        503,
        b'{"status": "unavailable", "reason": "database"}',
    )

"""`/healthz`: 200 when the database answers, else 503."""

import pytest
from django.test import Client

from tests.plumbing.conftest import Serve, fetch


@pytest.mark.django_db
def test_healthz_says_ok_when_the_database_answers(client: Client) -> None:
    response = client.get("/healthz")

    assert response.status_code == 200
    assert response.json() == {"status": "ok"}
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.django_db
def test_healthz_is_only_read(client: Client) -> None:
    assert client.head("/healthz").status_code == 200
    assert client.post("/healthz").status_code == 405


def test_healthz_says_unavailable_when_the_database_cannot_be_opened(serve: Serve) -> None:
    port = serve(DATABASE_URL="sqlite:////no-such-folder/seneschal.sqlite3")

    assert fetch(f"http://127.0.0.1:{port}/healthz") == (503, b'{"status": "unavailable"}')


@pytest.mark.long
def test_healthz_says_unavailable_when_postgresql_is_gone(serve: Serve) -> None:
    pytest.importorskip("psycopg_pool")
    port = serve(DATABASE_URL="postgres://nobody@127.0.0.1:1/nothing")

    assert fetch(f"http://127.0.0.1:{port}/healthz") == (503, b'{"status": "unavailable"}')

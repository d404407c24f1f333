"""A database of its own in PostgreSQL, where one answers."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

ADMIN = "postgres://root@127.0.0.1:5432/test"


@pytest.fixture
def postgres() -> Iterator[str]:
    psycopg = pytest.importorskip("psycopg")
    name = f"seneschal_operations_{os.getpid()}"
    try:
        admin = psycopg.connect(ADMIN, autocommit=True, connect_timeout=2)
    except psycopg.OperationalError as error:
        pytest.skip(f"no PostgreSQL at 127.0.0.1:5432 with user root and database test: {error}")
    with admin:
        admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        admin.execute(f"CREATE DATABASE {name}")
        yield f"postgres://root@127.0.0.1:5432/{name}"
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")

"""A PostgreSQL database for a server of its own, where one answers."""

from collections.abc import Iterator

import pytest

ADMIN = "postgres://root@127.0.0.1:5432/test"
NAME = "seneschal_faults"


@pytest.fixture
def postgres() -> Iterator[str]:
    psycopg = pytest.importorskip("psycopg")
    try:
        admin = psycopg.connect(ADMIN, autocommit=True, connect_timeout=2)
    except psycopg.OperationalError as error:
        pytest.skip(f"no PostgreSQL at 127.0.0.1:5432 with user root and database test: {error}")
    with admin:
        admin.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")
        admin.execute(f"CREATE DATABASE {NAME}")
        yield f"postgres://root@127.0.0.1:5432/{NAME}"
        admin.execute(f"DROP DATABASE {NAME} WITH (FORCE)")

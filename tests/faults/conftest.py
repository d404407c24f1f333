"""PostgreSQL for a server of its own: a database where one answers, or a cluster of the test's own."""

from collections.abc import Iterator

import pytest

from tests.databases import URL, beside, why_no_postgres
from tests.faults.clusters import Cluster, running_cluster, why_no_cluster

NAME = "seneschal_faults"


@pytest.fixture
def postgres() -> Iterator[str]:
    if why := why_no_postgres():
        pytest.skip(why)
    import psycopg  # noqa: PLC0415 - optional

    with psycopg.connect(URL, autocommit=True) as admin:
        admin.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")
        admin.execute(f"CREATE DATABASE {NAME}")
        yield beside(NAME)
        admin.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    if why := why_no_cluster():
        pytest.skip(why)
    with running_cluster() as running:
        yield running

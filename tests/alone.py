"""For runs on PostgreSQL, as a plugin: in the end nobody else is at the database, which could not be removed otherwise.

A thread of some test may still hold a connection when all tests are over; that is no fault of what they look at.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

OTHERS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


@pytest.fixture(scope="session", autouse=True)
def _nobody_else(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    yield
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_terminate_backend(pid) {OTHERS}")

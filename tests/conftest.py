"""Fixtures and hooks for all tests."""

import sys
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest

from tests import databases


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Require reasons for `flaky`. On PostgreSQL, run only tests with database access."""
    for item in items:
        if any("reason" not in mark.kwargs for mark in item.iter_markers("flaky")):
            raise pytest.UsageError(f"{item.nodeid} is marked flaky without a reason.")
    if databases.runs_on_postgres():
        others = [item for item in items if not _uses_database(item)]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if _uses_database(item)]


def _uses_database(item: pytest.Item) -> bool:
    fixtures = getattr(item, "fixturenames", ())
    return item.get_closest_marker("django_db") is not None or "db" in fixtures


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(databases.used())


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> Iterator[None]:
    """Flush PostgreSQL with DELETE, which takes milliseconds; TRUNCATE takes half a second."""
    if not databases.runs_on_postgres():
        yield
        return
    with mock.patch("django.core.management.commands.flush.sql_flush", _delete_statements):
        yield


def _delete_statements(_style: Any, connection: Any, **_options: Any) -> list[str]:
    from psycopg import sql  # noqa: PLC0415 - optional

    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return [sql.SQL("DELETE FROM {}").format(sql.Identifier(table)).as_string() for table in tables]


@pytest.fixture
def postgres() -> Iterator[str]:
    """Return the URL of an empty PostgreSQL database for a server of the test."""
    if why := databases.why_no_postgres():
        pytest.skip(why)
    with databases.own_database() as url:
        yield url


@pytest.fixture(autouse=True)
def _clear_caches() -> Iterator[None]:
    """Clear the caches and the active language after each test.

    A rolled-back test may reuse primary keys of the previous one. Tests of the rules do not load the
    application.
    """
    yield
    if cache := sys.modules.get("companion.cache"):
        cache.clear_all()
    if translation := sys.modules.get("django.utils.translation"):
        translation.deactivate()

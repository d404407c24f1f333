"""What every test starts with."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import databases

# Real browsers, real servers, real processes: on a machine that is busy with something else one of
# them can be too late. Such a test gets a second try, and the summary says that it needed one.
WITH_PROCESSES = ("browser", "faults", "live", "operations", "plumbing")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    folders = [Path(__file__).parent / name for name in WITH_PROCESSES]
    for item in items:
        if any(folder in item.path.parents for folder in folders):
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(databases.used())


@pytest.fixture
def postgres() -> Iterator[str]:
    """A database of its own in PostgreSQL, where one answers, for a server of the test's own."""
    if why := databases.why_no_postgres():
        pytest.skip(why)
    with databases.own_database() as url:
        yield url


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    """A test that is rolled back gives its numbers to the next one, which must not meet its states; nor does the
    language of the last phone that was answered stay.

    The rules are tested without the web application, which is not loaded for this.
    """
    yield
    if states := sys.modules.get("companion.states"):
        states.kept.clear()
    if translation := sys.modules.get("django.utils.translation"):
        translation.deactivate()

"""What every test starts with."""

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    """A test that is rolled back gives its numbers to the next one, which must not meet its states.

    The rules are tested without the web application, which is not loaded for this.
    """
    yield
    if states := sys.modules.get("companion.states"):
        states.kept.clear()

"""Fixtures for fault tests."""

from collections.abc import Iterator

import pytest

from tests.faults.clusters import Cluster, running_cluster, why_no_cluster


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    if why := why_no_cluster():
        pytest.skip(why)
    with running_cluster() as running:
        yield running

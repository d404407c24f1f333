"""Fixtures for event streams."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.live import hub


@pytest.fixture(autouse=True)
def _no_stream_left_open() -> Iterator[None]:
    assert hub.hub.count() == 0
    yield
    assert hub.hub.count() == 0
    assert hub.hub.tables() == []


@pytest.fixture
def _no_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the watch for commits of other processes."""

    async def watch(_hub: hub.Hub) -> None: ...

    monkeypatch.setattr(hub.Hub, "_watch_others", watch)

"""The certainty that no stream is left open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.live import hub


@pytest.fixture(autouse=True)
def _nobody_left_listening() -> Iterator[None]:
    assert hub.hub.count() == 0
    yield
    assert hub.hub.count() == 0
    assert hub.hub.tables() == []


@pytest.fixture
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks for what other processes commit."""

    async def watch(_hub: hub.Hub) -> None: ...

    monkeypatch.setattr(hub.Hub, "_watch_others", watch)

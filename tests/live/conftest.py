"""The certainty that no stream is left open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion import live


@pytest.fixture(autouse=True)
def _nobody_left_listening() -> Iterator[None]:
    assert live.hub.count() == 0
    yield
    assert live.hub.count() == 0
    assert live.hub.tables() == []


@pytest.fixture
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks for what other processes commit."""

    async def watch(_hub: live.Hub) -> None: ...

    monkeypatch.setattr(live.Hub, "_watch_others", watch)

"""The board: its templates and data, and what the board tab offers beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.journal.comparison import is_due
from companion.pages.table.page_cache import cached
from companion.pages.table.snapshot import Player
from companion.pages.table.viewer import Viewer


class BoardTab:
    """The board of a table, for one viewer."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._snapshot = viewer.snapshot
        self._screen = viewer.snapshot.screen

    @property
    def template(self) -> str:
        return f"{self._screen.folder}/board.html"

    @property
    def picture_template(self) -> str:
        """The template of the board without controls."""
        return f"{self._screen.folder}/picture.html"

    def chart(self) -> Mapping[str, Any]:
        """Return the board data of the public state."""
        snapshot = self._snapshot
        return cached("chart", snapshot.state_key, lambda: self._screen.board(snapshot.public_state))

    def secret(self) -> Mapping[str, Any]:
        """Return the board data that only this viewer may see."""
        if self._screen.secret and self._viewer.sees_secrets:
            return self._screen.secret(self._viewer.state)
        return {}

    def covered(self) -> list[Player]:
        """Return the players who can reveal their secrets on this shared phone."""
        players = self._snapshot.players
        return [players[faction] for faction in self._viewer.covered_factions() if faction in players]

    @property
    def compare_is_due(self) -> bool:
        """True if a round has begun since the last comparison."""
        return cached("compare", self._snapshot.version_key, lambda: is_due(self._snapshot.table))

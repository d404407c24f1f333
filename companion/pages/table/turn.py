"""Turn: the players with a prompt, on this phone and elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from companion import wording
from companion.pages.table.page_cache import cached
from companion.pages.table.snapshot import Player
from companion.pages.table.viewer import Viewer


class Turn:
    """The players with a prompt, as one viewer sees them."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._snapshot = viewer.snapshot

    @cached_property
    def prompted_players(self) -> list[Player]:
        """The players of this phone that have a prompt now."""
        players, mine = self._snapshot.players, self._viewer.mine()
        return [players[f] for f in self._snapshot.table.waiting_for if f in mine and f in players]

    def waiting(self) -> list[tuple[Player, str]]:
        """Return the other players with a prompt, and its title."""
        players, mine = self._snapshot.players, self._viewer.mine()
        titles = cached("titles", self._snapshot.state_key, self._titles)
        return [
            (players[f], titles[f])
            for f in self._snapshot.table.waiting_for
            if f not in mine and f in players and f in titles
        ]

    def _titles(self) -> Mapping[str, str]:
        """Return the title of each faction's first prompt."""
        game = self._snapshot.game
        first = {prompt.faction: prompt for prompt in reversed(game.prompts(self._snapshot.public_state))}
        return {faction: wording.render(game, prompt.title) for faction, prompt in first.items()}

"""The automatic player of a game: its random outcomes and its heuristic."""

from __future__ import annotations

from dataclasses import dataclass

from games.core.game import AnyGame, Setup
from players.chance import Chance
from players.heuristic import Heuristic, Sense
from players.party import Careless, Party, Player
from players.randomly import Generator


@dataclass(frozen=True, slots=True)
class Automaton:
    """Player of one game: draws its random outcomes and decides for its factions."""

    game: AnyGame
    chance: Chance
    sense: Sense

    def party(self, setup: Setup, generator: Generator, *, careless: tuple[str, ...] = ()) -> Party:
        """Return a party of heuristic players, with random players for the ``careless`` factions."""
        players: dict[str, Player] = {
            faction: Careless() if faction in careless else Heuristic(self.sense, self.chance)
            for faction in setup.factions
        }
        return Party(self.game, setup, players, self.chance, generator)

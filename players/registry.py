"""Registry of automatic players: random outcomes and heuristic of each game."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.game import AnyGame, Setup
from players import raubritter, revolution, signoria, wallenstein
from players.chance import Chance
from players.heuristic import Heuristic, Sense
from players.party import Careless, Party, Player
from players.randomly import Generator

KNOWN: Mapping[str, tuple[Chance, Sense]] = {
    "revolution": (revolution.CHANCE, revolution.SENSE),
    "wallenstein": (wallenstein.CHANCE, wallenstein.SENSE),
    "signoria": (signoria.CHANCE, signoria.SENSE),
    "raubritter": (raubritter.CHANCE, raubritter.SENSE),
}


def party(game: AnyGame, setup: Setup, generator: Generator, *, careless: tuple[str, ...] = ()) -> Party:
    """Return a party of heuristic players, with random players for the ``careless`` factions."""
    chance, sense = KNOWN[game.slug]
    players: dict[str, Player] = {
        faction: Careless() if faction in careless else Heuristic(sense, chance) for faction in setup.factions
    }
    return Party(game, setup, players, chance, generator)

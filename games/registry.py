"""The games there are, and the calculators. A new game is a new package and a line in each list."""

from __future__ import annotations

from games import revolution, signoria, wallenstein
from games.core.calculators import Calculators
from games.core.game import AnyGame
from games.raubritter import RAUBRITTER
from games.raubritter import calculators as raubritter

GAMES: dict[str, AnyGame] = {game.slug: game for game in (RAUBRITTER,)}

# A score pad only records results; its table is played like a game whose rules are short.
PADS: dict[str, AnyGame] = {}

MODES: dict[str, dict[str, AnyGame]] = {"full": GAMES, "pad": PADS}

CALCULATORS: dict[str, Calculators] = {
    package.CALCULATORS.slug: package.CALCULATORS
    for package in (revolution, wallenstein, signoria, raubritter)
}

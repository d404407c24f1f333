"""Complete random games of Wallenstein, cached per number of players and seed."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

import pytest

from games.wallenstein.game import WALLENSTEIN
from players.randomly import play_out
from tests.conformance.walks import Walk, random_setup

PLAYERS = (2, 3, 4, 5)


def seeds(*numbers: int) -> pytest.MarkDecorator:
    """Parametrize a test over all numbers of players and these seeds; seed 0 uses the default options."""
    return pytest.mark.parametrize(("players", "seed"), [(p, seed) for p in PLAYERS for seed in numbers])


@lru_cache(maxsize=8)
def game(players: int, seed: int) -> Walk:
    generator = random.Random(f"wallenstein {players} {seed}")
    setup = random_setup(WALLENSTEIN, players, generator, default=seed == 0)
    played: Any = tuple(play_out(WALLENSTEIN, setup, generator))
    return Walk(WALLENSTEIN, setup, WALLENSTEIN.start(setup), played)

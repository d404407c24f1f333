"""Complete games with a simulated tower of known chances: each cube falls independently."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import lru_cache

from games.core.actions import Action
from games.wallenstein.actions import Throw
from games.wallenstein.battles import pending
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.state import State
from players.randomly import choose

Entered = tuple[State, Action]  # state before an entry, and the entry


@lru_cache(maxsize=32)
def played(players: int, seed: int, fresh: float = 2 / 3, stuck: float = 1 / 3) -> tuple[Entered, ...]:
    """Play a random game in which the tower follows the given chances."""
    generator = random.Random(f"tower {players} {seed}")
    state = WALLENSTEIN.start(WALLENSTEIN.prepare(WALLENSTEIN.factions[:players])).state
    journal: list[Entered] = []
    while prompts := WALLENSTEIN.prompts(state):
        _prompt, action = choose(WALLENSTEIN, prompts, generator)
        if isinstance(action, Throw):
            action = Throw(faction=action.faction, fallen=fall(state, generator, fresh, stuck))
        journal.append((state, action))
        state = WALLENSTEIN.apply(state, action).state
    return tuple(journal)


def fall(state: State, generator: random.Random, fresh: float, stuck: float) -> Mapping[str, int]:
    """Return simulated fallen cubes for the pending throw."""
    throw = pending(state)
    assert throw is not None
    fallen = {
        colour: sum(generator.random() < fresh for _ in range(throw.fresh(colour)))
        + sum(generator.random() < stuck for _ in range(throw.stuck(colour)))
        for colour in throw.in_tower
    }
    return {colour: count for colour, count in fallen.items() if count}

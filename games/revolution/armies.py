"""Prices of new armies (rulebook 6.4)."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.errors import Illegal
from games.core.messages import faction_name, say
from games.core.steps import Step
from games.revolution.factions import BURGHERS, CATHOLICS, HABSBURGS, NOBILITY, REFORMERS

RULE = "6.4"

PRICES: Mapping[str, tuple[int, ...]] = {
    CATHOLICS: (0, 3, 7, 11),
    HABSBURGS: (0, 3, 6, 10),
    NOBILITY: (0, 2, 5, 8),
    BURGHERS: (0, 2, 4, 7),
    REFORMERS: (0, 2, 4, 6),
}
"""Coins for none, one, two and three new armies in a round (6.4)."""

MOST = len(PRICES[CATHOLICS]) - 1


def recruit_cost(faction: str, armies: int) -> int:
    """Return the price of all new armies of a round together (6.4)."""
    if armies > MOST:
        raise Illegal(say("three-armies", most=MOST), rule=RULE)
    return PRICES[faction][armies]


def step(faction: str, armies: int) -> Step:
    cost = recruit_cost(faction, armies)
    return Step(RULE, say("recruit", faction=faction_name(faction), count=armies, cost=cost))

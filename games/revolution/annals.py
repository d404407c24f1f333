"""Statistics in the report of a game: cards held, money, counters and armies."""

from __future__ import annotations

from games.core.annals import Annals, Coin, Control
from games.core.messages import Name
from games.revolution.pieces import ARMY, COUNTER
from games.revolution.state import TREASURY, State, atlas


def control(state: State) -> Control:
    """Return the holder of each city card and province card, in board order (5.7, 6.17)."""
    land = atlas(state)
    return {
        Name("part", "cities"): {Name("city", city): state.cities[city] for city in land.cities},
        Name("part", "provinces"): {Name("province", p): state.provinces[p] for p in land.provinces},
    }


ANNALS: Annals[State] = Annals(
    control=control,
    money=(Coin(COUNTER, TREASURY, Name("money", "coins")),),
    board={
        COUNTER: frozenset({"countryside", "town", "city"}),
        ARMY: frozenset({"strip", "siege", "released"}),
    },
    causes={
        "3.6": "setup",
        "5.1": "support",
        "6.2.1": "support",
        "disbanded": "maintenance",
        "6.3": "pillage",
        "6.4": "recruiting",
        "6.5": "battle",
        "6.7.1": "beggars",
        "6.7.2": "beggars",
        "6.7.3": "pillage",
        "6.9": "military-influence",
        "5.2": "new-units",
        "6.10": "new-units",
        "5.3": "conflict",
        "6.11": "conflict",
        "5.4": "neutrals",
        "6.12": "neutrals",
        "5.5": "overflow",
        "6.13": "overflow",
        "6.15": "siege",
        "6.16": "influence",
        "released-go": "maintenance",
    },
)

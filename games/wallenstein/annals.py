"""Data for the report of a game of Wallenstein: provinces, gold and grain, armies."""

from __future__ import annotations

from games.core.annals import Annals, Coin, Control
from games.core.messages import Name
from games.wallenstein.board import in_play, regions_in_play
from games.wallenstein.pieces import ARMY, GOLD, GRAIN, PROVINCE, SUPPLY
from games.wallenstein.state import State, owner_of, province_name, region_of


def control(state: State) -> Control:
    """Return the owner of each province by region (2.2)."""
    regions: dict[Name, dict[Name, str | None]] = {
        Name("region", region): {} for region in regions_in_play(state.setup)
    }
    for province in in_play(state.setup):
        regions[Name("region", region_of(state, province))][province_name(province)] = owner_of(
            state, province
        )
    return regions


ANNALS: Annals[State] = Annals(
    control=control,
    money=(Coin(GOLD, SUPPLY, Name("piece", GOLD)), Coin(GRAIN, SUPPLY, Name("piece", GRAIN))),
    board={ARMY: frozenset({PROVINCE})},
    causes={
        "2.6": "setup",
        "2.7": "setup",
        "3": "setup",
        "5.5": "recruiting",
        "5.7": "battle",
        "5.8": "revolt",
    },
    returning=frozenset({"battle", "revolt"}),
)

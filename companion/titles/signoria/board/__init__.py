"""Template data of the boards: career and initiative tracks, dice with tasks, cities, players.

Each part has its own SVG units, about as wide as a phone; the TV puts the parts side by side. Elements get their
coordinates as attribute strings (``svg.py``). Symbols are in ``static/signoria/symbols.svg``.

Tracks, dice areas, cities, columns and fields are immutable: templates cache their HTML by value.
"""

from __future__ import annotations

from typing import Any

from companion.titles.signoria.board import cities, market, tracks
from companion.titles.signoria.board.picture import PICTURE, Purse
from companion.titles.signoria.board.places import occupied_places
from companion.titles.signoria.board.players import player_of
from companion.titles.signoria.names import name
from games.signoria.state import State


def chart_of(state: State) -> dict[str, Any]:
    """Return the template data of all boards."""
    players = [player_of(state, faction) for faction in state.order]
    return {
        "tracks": tracks.career_tracks(state),
        "initiative": tracks.initiative_track(state),
        "ranks": tracks.rank_texts(state),
        "market": market.dice_areas(state),
        "cities": cities.all_cities(state),
        "tile_symbols": cities.tile_symbols,
        "view_boxes": {
            "tracks": tracks.view_box(state),
            "market": market.VIEW_BOX,
            "cities": cities.view_box(state),
        },
        "players": players,
        "picture": PICTURE,
        "purses": [Purse(player, index) for index, player in enumerate(players)],
        "places": occupied_places(state),
        "round": state.round,
        "reward": name("reward", state.rewards[state.round - 1]) if state.round and state.rewards else "",
    }

"""Control, points and the tie-break (digest 5.4 and 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from games.raubritter.tiles import POINTS

PARTS: Mapping[str, str] = {"castle": "castles", "village": "villages", "town": "towns"}


class Controlled(NamedTuple):
    """A building and the knights on it, from the bottom up."""

    building: str | None
    knights: Sequence[str]


def controller(knights: Sequence[str]) -> str | None:
    """Return the owner of the topmost knight, regardless of how many lie below (5.4)."""
    return knights[-1] if knights else None


def score(tiles: Iterable[Controlled], players: Iterable[str]) -> dict[str, dict[str, int]]:
    """Return each player's points by kind of building (6)."""
    points = {player: dict.fromkeys(PARTS.values(), 0) for player in players}
    for tile in tiles:
        owner = controller(tile.knights)
        if owner is not None and tile.building is not None:
            points[owner][PARTS[tile.building]] += POINTS[tile.building]
    return points


def rank(points: Mapping[str, int], reserve: Mapping[str, int]) -> list[tuple[str, ...]]:
    """Rank by points, then by knights not placed; equal players share a place (6, A-14)."""
    strength = {player: (points[player], reserve.get(player, 0)) for player in points}
    order = sorted(set(strength.values()), reverse=True)
    return [tuple(player for player in points if strength[player] == s) for s in order]

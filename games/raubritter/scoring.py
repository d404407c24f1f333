"""Control, points and the tie-break (digest 5.4 and 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from games.core.messages import Message, faction_name, say
from games.core.steps import Step
from games.raubritter.knights import some
from games.raubritter.tiles import POINTS

RULE = "6"

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


# Explanation


def scored(faction: str, parts: Mapping[str, int]) -> Message:
    """Return the message with a player's points by kind of building (6)."""
    return say("scored", faction=faction_name(faction), count=sum(parts.values()), **parts)


def tie_break(points: Mapping[str, int], reserve: Mapping[str, int], first: Sequence[str]) -> Message | None:
    """Return the message that explains a tie for first place, or None if there is no tie (6)."""
    most = max(points.values())
    if list(points.values()).count(most) == 1:
        return None
    left = some(reserve.get(first[0], 0))
    if len(first) > 1:
        return say("drawn", count=most, knights=left)
    return say("tie-break", faction=faction_name(first[0]), count=most, knights=left)


def winner_steps(points: Mapping[str, int], reserve: Mapping[str, int], first: Sequence[str]) -> list[Step]:
    """Return the tie-break, if one was needed, and the winner, if there is only one (6)."""
    reason = tie_break(points, reserve, first)
    messages = [reason] if reason else []
    if len(first) == 1:
        messages.append(say("won", faction=faction_name(first[0]), count=points[first[0]]))
    return [Step(RULE, message) for message in messages]

"""Second implementation of the calculators: one florin, one step, one tile at a time.

Written from the digest alone, deliberately without the functions of the game.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any


def die_cost(space: int, die: int) -> dict[str, Any]:
    """Add florins until die and florins reach the number of the space."""
    florins = 0
    while die + florins < space:
        florins += 1
    return {"florins": florins}


def initiative(track: dict[str, list[str]], moves: list[tuple[str, int]], top: int) -> dict[str, Any]:
    """Keep one pile per space; every point lifts a disc onto the next pile."""
    piles = [list(track.get(str(space), [])) for space in range(top + 1)]
    for disc, points in moves:
        for _ in range(points):
            _lift(piles, disc)
    after = {str(space): list(pile) for space, pile in enumerate(piles) if pile}
    order = []
    for pile in reversed(piles):
        while pile:
            order.append(pile.pop())
    return {"track": after, "order": order}


def _lift(piles: list[list[str]], disc: str) -> None:
    for space, pile in enumerate(piles):
        if disc in pile:
            if space + 1 < len(piles):
                pile.remove(disc)
                piles[space + 1].append(disc)
            return


def threshold(dice: list[int], members: int) -> dict[str, Any]:
    """Use the limits of the reference sheet: 13, and 16, 19, 22 with one to three figures."""
    total = len([pip for die in dice for pip in range(die)])
    most = {0: 13, 1: 16, 2: 19, 3: 22}[members]
    return {"total": total, "limit": most, "rewarded": not total > most}


def end_score(men: list[int], fields: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Halve each man's number by counting pairs; add up the tiles of each field one by one."""
    parts = {"men": 0}
    for number in men:
        while number >= 2:
            number -= 2  # noqa: PLW2901 - counts pairs
            parts["men"] += 1
    for name in ("political", "church", "military", "marriage"):
        field = fields.get(name, {})
        row = list(field.get("face_up", [])) + [1] * field.get("face_down", 0)
        parts[name] = 0
        if len(row) > 2:
            for value in row:
                parts[name] += value
    return {"points": sum(parts.values()), "parts": parts}


def winner(points: dict[str, int], stack: list[str]) -> dict[str, Any]:
    """Return the only order in which every player is ahead of all later ones."""

    def ahead(player: str, other: str) -> bool:
        mine, theirs = points.get(player, 0), points.get(other, 0)
        return mine > theirs or (mine == theirs and stack.index(player) > stack.index(other))

    (order,) = [
        order
        for order in permutations(stack)
        if all(ahead(player, other) for i, player in enumerate(order) for other in order[i + 1 :])
    ]
    return {"ranking": list(order)}

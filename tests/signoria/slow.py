"""The rules once more, as hands would do it on the table: one florin, one step, one tile at a time.

Written from the digest alone and on purpose without the functions of the game.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any


def die_cost(space: int, die: int) -> dict[str, Any]:
    """Put florins beside the die until it is as good as the space."""
    florins = 0
    while die + florins < space:
        florins += 1
    return {"florins": florins}


def initiative(track: dict[str, list[str]], moves: list[tuple[str, int]], top: int) -> dict[str, Any]:
    """Every space is a pile; every point lifts a disc out of its pile onto the next one."""
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
    """The limits are those of the reference sheet: 13, and 16, 19, 22 with one to three figures."""
    total = len([pip for die in dice for pip in range(die)])
    most = {0: 13, 1: 16, 2: 19, 3: 22}[members]
    return {"total": total, "limit": most, "rewarded": not total > most}


def end_score(men: list[int], fields: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Halve each man by counting pairs; lay the tiles of each field in a row and add them up."""
    parts = {"men": 0}
    for number in men:
        while number >= 2:
            number -= 2  # noqa: PLW2901 - a hand takes two away
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
    """The one order in which everybody is ahead of all who come later."""

    def ahead(one: str, other: str) -> bool:
        mine, theirs = points.get(one, 0), points.get(other, 0)
        return mine > theirs or (mine == theirs and stack.index(one) > stack.index(other))

    (order,) = [
        order
        for order in permutations(stack)
        if all(ahead(one, other) for i, one in enumerate(order) for other in order[i + 1 :])
    ]
    return {"ranking": list(order)}

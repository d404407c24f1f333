"""End scoring and the tie-break (digest 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.core.codec import Count
from games.signoria.pieces import FIELDS, TILE_BACK

TILES_TO_SCORE = 3


@dataclass(frozen=True, slots=True)
class Field:
    """The alliance tiles beside one field of a plan: values of face-up tiles, number of face-down tiles."""

    face_up: tuple[Count, ...] = ()
    face_down: Count = 0

    @property
    def tiles(self) -> int:
        return len(self.face_up) + self.face_down

    @property
    def value(self) -> int:
        return sum(self.face_up) + TILE_BACK * self.face_down


def man_points(number: int) -> int:
    """Return half the number of the man's career space, rounded down per man (6.1, END_MEN)."""
    return number // 2


def field_points(field: Field) -> int:
    """Return the value of a field's tiles, face up or down; 0 below three tiles (6.1, END_ALLIANCE)."""
    return field.value if field.tiles >= TILES_TO_SCORE else 0


def end_score(men: Sequence[int], fields: Mapping[str, Field]) -> dict[str, int]:
    """Return the points of the end of the game by part; nothing else scores then (6.1)."""
    parts = {"men": sum(man_points(number) for number in men)}
    return parts | {name: field_points(fields.get(name, Field())) for name in FIELDS}


def rank(points: Mapping[str, int], stack: Sequence[str]) -> list[str]:
    """Rank players by points, then by disc; `stack` is given from the bottom up (6.2)."""
    height = {player: i for i, player in enumerate(stack)}
    return sorted(stack, key=lambda player: (points.get(player, 0), height[player]), reverse=True)

"""Points at the end and the tie-break (digest 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.core.codec import Count
from games.signoria.pieces import FIELDS, TILE_BACK

TILES_TO_SCORE = 3


@dataclass(frozen=True, slots=True)
class Field:
    """The alliance tiles beside one field of a plan: the values face up, and how many lie face down."""

    face_up: tuple[Count, ...] = ()
    face_down: Count = 0

    @property
    def tiles(self) -> int:
        return len(self.face_up) + self.face_down

    @property
    def value(self) -> int:
        return sum(self.face_up) + TILE_BACK * self.face_down


def man_points(number: int) -> int:
    """6.1, END_MEN: half the number a man on a career track stands on, rounded down for each man."""
    return number // 2


def field_points(field: Field) -> int:
    """6.1, END_ALLIANCE: a field scores its tiles if there are at least three, face up or down."""
    return field.value if field.tiles >= TILES_TO_SCORE else 0


def end_score(men: Sequence[int], fields: Mapping[str, Field]) -> dict[str, int]:
    """6.1: what the end of the game is worth, part by part. Nothing else scores then."""
    parts = {"men": sum(man_points(number) for number in men)}
    return parts | {name: field_points(fields.get(name, Field())) for name in FIELDS}


def rank(points: Mapping[str, int], stack: Sequence[str]) -> list[str]:
    """6.2: most points; among equals whose disc is higher in the stack (given from the bottom up)."""
    height = {player: i for i, player in enumerate(stack)}
    return sorted(stack, key=lambda player: (points.get(player, 0), height[player]), reverse=True)

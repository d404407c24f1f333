"""End scoring and the tie-break (digest 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.core.codec import Count
from games.core.messages import Message, Name, faction_name, say
from games.core.steps import Step
from games.signoria.pieces import FIELDS, TILE_BACK

RULE, TIE_BREAK = "6.1", "6.2"
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


# Explanation


def man_step(number: int) -> Step:
    """Explain the points of a man (6.1)."""
    return Step(RULE, say("man-scores", number=number, count=man_points(number)))


def field_step(name: str, field: Field) -> Step:
    """Explain the points of a field's tiles (6.1)."""
    label = Name("field", name)
    if field.tiles < TILES_TO_SCORE:
        return Step(RULE, say("field-empty", field=label, count=field.tiles, least=TILES_TO_SCORE))
    params = {"tiles": field.tiles, "up": sum(field.face_up), "down": field.face_down}
    return Step(RULE, say("field-scores", field=label, **params, count=field_points(field)))


def tie_break(points: Mapping[str, int], ranking: Sequence[str]) -> Message | None:
    """Return the message for a tie in first place that the discs broke, or None (6.2)."""
    most = points[ranking[0]]
    level = tuple(faction_name(player) for player in ranking if points[player] == most)
    return say("tie-break", count=most, factions=level) if len(level) > 1 else None

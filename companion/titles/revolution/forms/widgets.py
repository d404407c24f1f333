"""Widgets of the entry forms, and the two screens that most forms use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.titles.base import Button
from companion.titles.revolution.board import Chip
from companion.titles.widgets import Choice


@dataclass(frozen=True, slots=True)
class Line:
    """A number input with plus and minus buttons, and the counters at its place."""

    field: str
    label: str
    most: int
    chips: tuple[Chip, ...] = ()
    detail: str = ""
    value: int = 0
    cost: int = 0  # coins per unit


@dataclass(frozen=True, slots=True)
class Block:
    """Lines with a common limit."""

    title: str
    lines: tuple[Line, ...]
    most: int | None = None
    detail: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sum:
    """Bounds of the total of all lines, and its cost."""

    low: int
    high: int
    coins: int | None = None
    prices: tuple[int, ...] = ()  # cost by total number


@dataclass(frozen=True, slots=True)
class Field:
    """A cell of the layout table: the counters of an owner at a place."""

    name: str
    label: str
    value: int


@dataclass(frozen=True, slots=True)
class Place:
    """A row of the layout table."""

    label: str
    fields: tuple[Field, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The distribution of the counters in a province."""

    slug: str
    title: str
    owners: tuple[tuple[str, int], ...]  # with the number of their counters
    places: tuple[Place, ...]
    action: str  # "step" if the province is disputed and this faction is to move, else "layout"
    can_dispute: bool
    order: str  # movers in order, as text

    @property
    def is_step(self) -> bool:
        return self.action == "step"

    @property
    def totals(self) -> list[int]:
        return [count for _owner, count in self.owners]


def counts(blocks: Sequence[Block], total: Sum, button: Button, **more: Any) -> dict[str, Any]:
    """Return the screen of a form with number inputs."""
    return {"kind": "counts", "blocks": blocks, "sum": total, "buttons": [button], **more}


def one_of(choices: Sequence[Choice], field: str, button: Button, **more: Any) -> dict[str, Any]:
    """Return the screen of a single choice."""
    return {"kind": "one", "choices": choices, "field": field, "buttons": [button], **more}

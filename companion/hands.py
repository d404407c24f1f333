"""The hands list: which hand moves which piece, as lines to tick off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.wording import hand_line, render
from games.core.game import AnyGame
from games.core.ledger import Move
from games.core.messages import Message
from games.core.steps import Step


@dataclass(frozen=True, slots=True)
class Line:
    """Something a hand has to do. ``number`` stays the same whoever looks."""

    number: int
    hand: str | None  # a faction, or None: anyone
    text: str


def hands(game: AnyGame, steps: Iterable[Step], factions: Iterable[str]) -> list[Line]:
    """What hands have to do for these steps, grouped by person in the order of their first line."""
    seated = set(factions)
    lines = [
        Line(number, hand if hand in seated else None, _text(game, todo))
        for number, (hand, todo) in enumerate(_lines(steps))
    ]
    first: dict[str | None, int] = {}
    for line in lines:
        first.setdefault(line.hand, line.number)
    return sorted(lines, key=lambda line: (first[line.hand], line.number))


def how_many(steps: Iterable[Step]) -> int:
    """The number of lines that these steps have."""
    return sum(1 for _ in _lines(steps))


def _lines(steps: Iterable[Step]) -> Iterator[tuple[str | None, Move | Message]]:
    for step in steps:
        yield from ((move.owner, move) for move in step.moves if not move.reported)
        yield from ((act.hand, act.message) for act in step.acts)
        yield from _lines(step.steps)


def _text(game: AnyGame, todo: Move | Message) -> str:
    return hand_line(game, todo) if isinstance(todo, Move) else render(game, todo)

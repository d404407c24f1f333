"""The hands list: physical moves of pieces, as lines that players tick off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.wording import hand_line, render
from games.core.game import AnyGame
from games.core.ledger import Move
from games.core.steps import Act, Step


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the hands list. ``number`` is the same for every viewer."""

    number: int
    hand: str | None  # the faction that moves the piece; None is anyone
    text: str


def hands(game: AnyGame, steps: Iterable[Step], factions: Iterable[str]) -> list[Line]:
    """Return the lines of these steps, grouped by faction in the order of their first line."""
    seated = set(factions)
    lines = []
    for number, todo in enumerate(_todo(steps)):
        hand = game.hand(todo) if isinstance(todo, Move) else todo.hand
        lines.append(Line(number, hand if hand in seated else None, _text(game, todo)))
    first: dict[str | None, int] = {}
    for line in lines:
        first.setdefault(line.hand, line.number)
    return sorted(lines, key=lambda line: (first[line.hand], line.number))


def count_lines(steps: Iterable[Step]) -> int:
    return sum(1 for _ in _todo(steps))


def moves_of(steps: Iterable[Step]) -> Iterator[tuple[int | None, Move]]:
    """Yield every move of these steps with the number of its line; None if nobody has to make it."""
    steps = list(steps)
    numbers = {id(todo): number for number, todo in enumerate(_todo(steps))}
    for step in steps:
        yield from ((numbers.get(id(move)), move) for move in step.all_moves())


def _todo(steps: Iterable[Step]) -> Iterator[Move | Act]:
    for step in steps:
        yield from (move for move in step.moves if not move.reported)
        yield from step.acts
        yield from _todo(step.steps)


def _text(game: AnyGame, todo: Move | Act) -> str:
    return hand_line(game, todo) if isinstance(todo, Move) else render(game, todo.message)

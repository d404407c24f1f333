"""Dice areas of the main board with their tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from django.utils.safestring import SafeString

from companion.titles.signoria.board import svg
from companion.titles.signoria.names import name, title
from games.signoria.pieces import COLOURS, ROWS, dice_place, die_piece
from games.signoria.state import State, dice_left
from games.signoria.tasks import ROW_OF

WIDTH, ROW, GAP = 320, 40, 3
MARGIN = 2
HEIGHT = ROW * len(COLOURS)
VIEW_BOX = f"{-MARGIN} {-MARGIN} {WIDTH + 2 * MARGIN} {HEIGHT + MARGIN}"
DICE_LEFT, DIE, DIE_TOP = 78, 24, 7
TASKS_LEFT, TASK_TOP, TASK_ROW = 178, 15, 19
MEMBER_OF = {row: member for member, row in ROW_OF.items()}  # who is spent on the tasks of a row


@dataclass(frozen=True, slots=True)
class Die:
    """An action die."""

    colour: str
    face: int

    @property
    def piece(self) -> str:
        return die_piece(self.colour, self.face)

    @property
    def name(self) -> str:
        return name("piece", self.piece)

    @property
    def icon(self) -> SafeString:
        return svg.die_icon(self.colour, self.face)


@dataclass(frozen=True, slots=True)
class Task:
    """A task below the dice, and the member to spend on it."""

    slug: str
    member: str
    y: int

    text_at: ClassVar[SafeString] = svg.at(17)

    @property
    def name(self) -> str:
        return name("task", self.slug)

    @property
    def moved(self) -> SafeString:
        return svg.moved(TASKS_LEFT, self.y)

    @property
    def symbol(self) -> SafeString:
        return svg.symbol(self.member, 13, y=-11)


@dataclass(frozen=True, slots=True)
class Area:
    """A dice area of the main board with its two tasks."""

    colour: str
    index: int
    dice: tuple[Die, ...]
    tasks: tuple[Task, ...]

    strip: ClassVar[SafeString] = svg.box(WIDTH, ROW - GAP, 4)
    name_at: ClassVar[SafeString] = svg.at(6, 23)

    @property
    def number(self) -> int:
        return self.index + 1

    @property
    def moved(self) -> SafeString:
        return svg.moved(0, ROW * self.index)

    @property
    def place(self) -> str:
        return dice_place(self.colour)

    @property
    def name(self) -> str:
        return title("die", self.colour)

    @property
    def pictures(self) -> list[SafeString]:
        """Return the dice as pictures side by side."""
        return [
            svg.die(die.colour, die.face, DIE - 1, x=DICE_LEFT + DIE * i, y=DIE_TOP)
            for i, die in enumerate(self.dice)
        ]


def dice_areas(state: State) -> list[Area]:
    return [_area(state, colour, i) for i, colour in enumerate(COLOURS)]


def _area(state: State, colour: str, index: int) -> Area:
    tasks = [
        Task(state.tasks[f"{colour}:{row}"], MEMBER_OF[row], TASK_TOP + TASK_ROW * i)
        for i, row in enumerate(ROWS)
        if f"{colour}:{row}" in state.tasks
    ]
    dice = [Die(colour, face) for face in sorted(dice_left(state, colour))]
    return Area(colour, index, tuple(dice), tuple(tasks))

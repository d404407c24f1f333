"""What a section of the report is: a title, a sentence or two, charts, and the table behind each.

A maker is a function of the ``Course`` of a game; it returns its section, or None where the game, or
this one of it, has nothing of the kind. ``contents.py`` lists the makers: those for every game, and
those of one game alone. Page, standalone file and paper show the same sections.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from companion.charts.course import Course

LONGEST_PRINTED = 45

Figure: TypeAlias = dict[str, Any]  # Plotly's data and layout; colours are names of the style sheet's


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: a text, whose token stands before it, and where in the replay it leads."""

    text: str
    faction: str = ""
    at: int | None = None  # the entry


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: what stands above the columns, and rows whose first cell says what they are of."""

    head: Sequence[Cell]
    rows: Sequence[Sequence[Cell]]
    sums: bool = False  # the last column adds the others up

    @property
    def is_long(self) -> bool:
        """Whether it would fill more than a sheet of paper; then it is not printed."""
        return len(self.rows) > LONGEST_PRINTED


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure and the table with the same numbers."""

    slug: str  # of its own within a report
    said: str  # what it shows, for those who do not see it
    figure: Figure
    grid: Grid
    title: str = ""  # where a section has several

    @property
    def json_id(self) -> str:
        """Under which the page carries the figure."""
        return f"{self.slug}-figure"

    @property
    def is_tall(self) -> bool:
        """Whether its height follows from the number of its rows, and not from its width."""
        return "height" in self.figure["layout"]


@dataclass(frozen=True, slots=True)
class Turn:
    """A moment worth a look: the entry, and a sentence about it."""

    at: int
    sentence: str
    faction: str = ""
    what: str = ""  # what was entered


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report."""

    slug: str
    title: str
    sentences: Sequence[str]
    charts: Sequence[Chart] = ()
    turns: Sequence[Turn] = ()  # listed below the charts, each a link into the replay
    notes: Sequence[str] = ()  # how it was counted, in small print
    choice: bool = False  # one of the charts is shown at a time, the reader chooses which


Maker: TypeAlias = Callable[[Course], Section | None]

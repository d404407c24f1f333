"""Data structures of a report section: title, sentences, charts, and the table behind each chart.

A section builder takes the ``Course`` of a game and returns a section, or None if it has nothing to show.
``contents.py`` lists the builders: those for every game and those for a single one. The page, the
standalone file and the printout show the same sections.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from companion.charts.course import Course

LONGEST_PRINTED = 45  # rows

Plot: TypeAlias = dict[str, Any]  # Plotly's data and layout; colours are names of CSS custom properties


@dataclass(frozen=True, slots=True)
class Cell:
    """A table cell: its text, optionally with a faction's token and a link into the replay."""

    text: str
    faction: str = ""
    at: int | None = None  # number of the entry that the replay opens at


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: a header row, and rows whose first cell is their header."""

    head: Sequence[Cell]
    rows: Sequence[Sequence[Cell]]
    sums: bool = False  # the last column is the sum of the others

    @property
    def is_long(self) -> bool:
        """True if the table would fill more than one printed page; it is then not printed."""
        return len(self.rows) > LONGEST_PRINTED


@dataclass(frozen=True, slots=True)
class Chart:
    """A plot and the table with the same numbers."""

    slug: str  # unique within a report
    description: str  # text alternative for screen readers
    plot: Plot
    grid: Grid
    title: str = ""  # for sections with several charts

    @property
    def json_id(self) -> str:
        """The HTML id of the script element that holds the plot."""
        return f"{self.slug}-figure"

    @property
    def is_tall(self) -> bool:
        """True if the height depends on the number of rows, not on the width."""
        return "height" in self.plot["layout"]


@dataclass(frozen=True, slots=True)
class Turn:
    """A moment worth looking at: an entry, and a sentence about it."""

    at: int  # number of the entry
    sentence: str
    faction: str = ""
    entry_text: str = ""  # the entry itself in words


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report."""

    slug: str
    title: str
    sentences: Sequence[str]
    charts: Sequence[Chart] = ()
    turns: Sequence[Turn] = ()  # listed below the charts, each linked to the replay
    notes: Sequence[str] = ()  # explanations in small print
    choice: bool = False  # show one chart at a time, chosen by the reader


SectionBuilder: TypeAlias = Callable[[Course], Section | None]

"""The summary picture of a game: an SVG of its own that needs no style sheet, no font and no server."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

from companion import wording
from companion.charts.course import Course, ends_of_rounds
from companion.charts.plots import scores_within_rounds
from companion.charts.sparklines import Box, Drawing, drawing_of
from companion.titles.tokens import SHAPES

# The printed pieces' colours; black has a light edge, as on every page.
COLOURS: Mapping[str, str] = {
    "red": "#e0574a",
    "habsburgs": "#e0574a",
    "blue": "#4c8fd9",
    "burghers": "#4c8fd9",
    "yellow": "#f2c230",
    "catholics": "#f2c230",
    "green": "#4fa36b",
    "nobility": "#4fa36b",
    "purple": "#a77bd1",
    "reformers": "#f08a24",
    "black": "#2b2b2b",
}
LINE_COLOURS: Mapping[str, str] = {**COLOURS, "black": "#f1e9d8"}
EDGES: Mapping[str, str] = {"black": "#f1e9d8"}

WIDTH = 1080
MARGIN = 80
HEAD = 330
ROW = 104
COURSE = 340
FOOT = 70
LETTER = 0.55  # how wide a letter is at most, on average, by the size of the type


@dataclass(frozen=True, slots=True)
class Person:
    """A line of the picture: who, and what they have."""

    faction: str
    shape: str
    colour: str
    edge: str
    name: str
    faction_name: str
    points: str
    won: bool
    y: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What the picture shows, and where."""

    height: int
    headline: str
    headline_size: int
    people: Sequence[Person]
    drawing: Drawing
    baseline: int  # of the rounds' numbers
    colours: Mapping[str, str]  # of lines, by faction


def summary_of(course: Course, ranking: Sequence[str], headline: str) -> Summary:
    """Everybody in the order of the ranking, and the course of the game below."""
    people = [_person(course, faction, HEAD + ROW * at) for at, faction in enumerate(ranking)]
    top = HEAD + ROW * len(people)
    moments = course.moments if scores_within_rounds(course.moments) else ends_of_rounds(course.moments)
    box = Box(MARGIN, top + 40, WIDTH - 2 * MARGIN - 40, COURSE - 110, gap=34)
    return Summary(
        height=top + COURSE + FOOT,
        headline=headline,
        headline_size=fitting(headline, WIDTH - 2 * MARGIN, 52),
        people=people,
        drawing=drawing_of(moments, course.series, box),
        baseline=top + COURSE - 34,
        colours=LINE_COLOURS,
    )


def _person(course: Course, faction: str, y: int) -> Person:
    name, faction_name = course.name(faction), wording.name(course.game, "faction", faction)
    return Person(
        faction,
        SHAPES.get(faction, "ring"),
        COLOURS[faction],
        EDGES.get(faction, "none"),
        name,
        faction_name if faction_name != name else "",
        wording.number(course.moments[-1].of(faction)),
        faction in course.table.winners,
        y,
    )


def fitting(text: str, width: int, size: int) -> int:
    """The size of type, at most ``size``, at which a text is surely no wider than the picture has room for."""
    return min(size, int(width / (LETTER * max(len(text), 1))))


@cache
def tokens() -> SafeString:
    """The shapes of all factions, to be drawn within a file of its own."""
    drawn = (Path(settings.BASE_DIR) / "static" / "icons" / "tokens.svg").read_text(encoding="utf-8")
    return mark_safe("".join(re.findall(r"<symbol .*?</symbol>", drawn, re.DOTALL)))  # noqa: S308 - our own drawing

"""The summary picture of a game: a self-contained SVG without style sheet, fonts or server."""

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
from companion.web.tokens import shape_of

# The colours of the printed pieces; black gets a light edge on the dark background.
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

WIDTH = 1080  # pixels, as all sizes here
MARGIN = 80
HEAD = 330
ROW = 104
COURSE = 340
FOOT = 70
LETTER = 0.55  # upper bound of the mean letter width, as a share of the font size


@dataclass(frozen=True, slots=True)
class Person:
    """A row of the picture: a player with points."""

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
    """Contents and positions of the picture."""

    height: int
    headline: str
    headline_size: int
    people: Sequence[Person]
    drawing: Drawing
    baseline: int  # of the round numbers
    colours: Mapping[str, str]  # of the lines, by faction


def summary_of(course: Course, ranking: Sequence[str], headline: str) -> Summary:
    """Lay out the players in the order of the ranking, and the course of the game below."""
    people = [_person(course, faction, HEAD + ROW * at) for at, faction in enumerate(ranking)]
    top = HEAD + ROW * len(people)
    moments = course.moments if scores_within_rounds(course.moments) else ends_of_rounds(course.moments)
    box = Box(MARGIN, top + 40, WIDTH - 2 * MARGIN - 40, COURSE - 110, gap=34)
    return Summary(
        height=top + COURSE + FOOT,
        headline=headline,
        headline_size=fitting_font_size(headline, WIDTH - 2 * MARGIN, 52),
        people=people,
        drawing=drawing_of(moments, course.series, box),
        baseline=top + COURSE - 34,
        colours=LINE_COLOURS,
    )


def _person(course: Course, faction: str, y: int) -> Person:
    name, faction_name = course.name(faction), wording.name(course.game, "faction", faction)
    return Person(
        faction,
        shape_of(faction),
        COLOURS[faction],
        EDGES.get(faction, "none"),
        name,
        faction_name if faction_name != name else "",
        wording.number(course.moments[-1].of(faction)),
        faction in course.table.winners,
        y,
    )


def fitting_font_size(text: str, width: int, size: int) -> int:
    """Return the largest font size, at most ``size``, at which the text fits into ``width`` pixels."""
    return min(size, int(width / (LETTER * max(len(text), 1))))


@cache
def tokens() -> SafeString:
    """Return the SVG symbols of all factions, for inlining into a file."""
    svg = (Path(settings.BASE_DIR) / "static" / "icons" / "tokens.svg").read_text(encoding="utf-8")
    return mark_safe("".join(re.findall(r"<symbol .*?</symbol>", svg, re.DOTALL)))  # noqa: S308 - our own file

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
from companion.registry import titles
from companion.web.tokens import Token

# The colours of the printed pieces; black gets a light edge on the dark background.
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
        colours={faction: token.line for faction, token in _tokens(course).items()},
    )


def _person(course: Course, faction: str, y: int) -> Person:
    name, faction_name = course.name(faction), wording.name(course.game, "faction", faction)
    token = _tokens(course)[faction]
    return Person(
        faction,
        token.shape,
        token.colour,
        token.edge or "none",
        name,
        faction_name if faction_name != name else "",
        wording.number(course.moments[-1].of(faction)),
        faction in course.table.winners,
        y,
    )


def _tokens(course: Course) -> Mapping[str, Token]:
    return titles()[course.game.slug].tokens


def fitting_font_size(text: str, width: int, size: int) -> int:
    """Return the largest font size, at most ``size``, at which the text fits into ``width`` pixels."""
    return min(size, int(width / (LETTER * max(len(text), 1))))


@cache
def tokens() -> SafeString:
    """Return the SVG symbols of all factions, for inlining into a file."""
    svg = (Path(settings.BASE_DIR) / "static" / "icons" / "tokens.svg").read_text(encoding="utf-8")
    return mark_safe("".join(re.findall(r"<symbol .*?</symbol>", svg, re.DOTALL)))  # noqa: S308 - our own file

"""The summary picture of a game: a self-contained SVG without style sheet, fonts or server."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

from companion import wording
from companion.charts.course import Course, ends_of_rounds
from companion.charts.plots import scores_within_rounds
from companion.charts.sparklines import Box, Drawing, drawing_of
from companion.registry import titles
from companion.web.tokens import LIGHT, Token

INK, ACCENT = LIGHT, "#e0b24c"

WIDTH = 1080  # pixels, as all sizes here
MARGIN = 80
FRAME = 28  # distance of the frame from the edges
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
    name_y: int
    points: str
    points_colour: str
    won: bool
    y: int


@dataclass(frozen=True, slots=True)
class Summary:
    """Contents and positions of the picture."""

    width: int
    height: int
    left: int
    right: int
    frame: int
    frame_width: int
    frame_height: int
    headline: str
    headline_size: int
    people: Sequence[Person]
    drawing: Drawing
    rounds: Sequence[tuple[float, int]]  # the x of each round number
    baseline: int  # of the round numbers
    signature: int  # baseline of the app's name
    colours: Mapping[str, str]  # of the lines, by faction


def summary_of(course: Course, ranking: Sequence[str], headline: str) -> Summary:
    """Lay out the players in the order of the ranking, and the course of the game below."""
    people = [_person(course, faction, HEAD + ROW * at) for at, faction in enumerate(ranking)]
    top = HEAD + ROW * len(people)
    moments = course.moments if scores_within_rounds(course.moments) else ends_of_rounds(course.moments)
    box = Box(MARGIN, top + 40, WIDTH - 2 * MARGIN - 40, COURSE - 110, gap=34)
    drawing = drawing_of(moments, course.series, box)
    height = top + COURSE + FOOT
    return Summary(
        width=WIDTH,
        height=height,
        left=MARGIN,
        right=WIDTH - MARGIN,
        frame=FRAME,
        frame_width=WIDTH - 2 * FRAME,
        frame_height=height - 2 * FRAME,
        headline=headline,
        headline_size=fitting_font_size(headline, WIDTH - 2 * MARGIN, 52),
        people=people,
        drawing=drawing,
        rounds=_starts_of_rounds(drawing),
        baseline=top + COURSE - 34,
        signature=height - 52,
        colours={faction: token.line for faction, token in _tokens(course).items()},
    )


def _starts_of_rounds(drawing: Drawing) -> list[tuple[float, int]]:
    by_round = groupby(drawing.rounds, key=itemgetter(1))
    return [(next(places)[0], number) for number, places in by_round if number]


def _person(course: Course, faction: str, y: int) -> Person:
    name, faction_name = course.name(faction), wording.name(course.game, "faction", faction)
    is_named = name != faction_name
    won = faction in course.table.winners
    token = _tokens(course)[faction]
    return Person(
        faction=faction,
        shape=token.shape,
        colour=token.colour,
        edge=token.edge or "none",
        name=name,
        faction_name=faction_name if is_named else "",
        name_y=48 if is_named else 64,  # above the name of the faction, or centred
        points=wording.number(course.moments[-1].of(faction)),
        points_colour=ACCENT if won else INK,
        won=won,
        y=y,
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

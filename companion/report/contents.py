"""The sections of a report, in their order: those for every game, and those that fit one alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.charts.course import Course
from companion.charts.sections import Maker, Section
from companion.report.holdings import control_section, money_section, pieces_section, taken_section
from companion.report.luck import calibration_section, dice_section, luck_section
from companion.report.points import course_section, order_section, parts_section
from companion.report.thinking import times_section
from companion.report.turning_points import turning_section

EVERY_GAME: Sequence[Maker] = (
    course_section,
    turning_section,
    parts_section,
    control_section,
    taken_section,
    pieces_section,
    money_section,
    order_section,
)

# By the slug of a game: what only it has. A score pad has none of these.
OF_A_GAME: Mapping[str, Sequence[Maker]] = {
    "signoria": (dice_section,),
    "wallenstein": (luck_section, calibration_section),
}


def sections_of(course: Course) -> list[Section]:
    """Every section that has something to say."""
    of_this = OF_A_GAME.get(course.game.slug, ()) if course.is_full else ()
    made = [maker(course) for maker in (*EVERY_GAME, *of_this, times_section)]
    return [section for section in made if section is not None]

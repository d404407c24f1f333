"""The sections of a report in order: those for every game, and those for a single game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.charts.course import Course
from companion.charts.sections import Section, SectionBuilder
from companion.report.holdings import control_section, money_section, pieces_section, taken_section
from companion.report.luck import calibration_section, dice_section, luck_section
from companion.report.points import course_section, order_section, parts_section
from companion.report.thinking import times_section
from companion.report.turning_points import turning_section

COMMON_SECTIONS: Sequence[SectionBuilder] = (
    course_section,
    turning_section,
    parts_section,
    control_section,
    taken_section,
    pieces_section,
    money_section,
    order_section,
)

# Additional sections by slug of the game; score pads have none.
GAME_SECTIONS: Mapping[str, Sequence[SectionBuilder]] = {
    "signoria": (dice_section,),
    "wallenstein": (luck_section, calibration_section),
}


def sections_of(course: Course) -> list[Section]:
    """Return the sections that have something to show."""
    own_builders = GAME_SECTIONS.get(course.game.slug, ()) if course.is_full else ()
    sections = [build(course) for build in (*COMMON_SECTIONS, *own_builders, times_section)]
    return [section for section in sections if section is not None]

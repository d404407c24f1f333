"""The sections of a report in order: those for every game, and those of the title."""

from __future__ import annotations

from collections.abc import Sequence

from companion.charts.course import Course
from companion.charts.sections import Section, SectionBuilder
from companion.registry import titles
from companion.report.holdings import control_section, money_section, pieces_section, taken_section
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


def sections_of(course: Course) -> list[Section]:
    """Return the sections that have something to show."""
    own_builders = titles()[course.game.slug].sections if course.is_full else ()
    sections = [build(course) for build in (*COMMON_SECTIONS, *own_builders, times_section)]
    return [section for section in sections if section is not None]

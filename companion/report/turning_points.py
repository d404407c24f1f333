"""Turning points: the changes of lead and the entries with the largest swing in points."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from django.utils.translation import gettext as _

from companion import wording
from companion.charts.course import Course, Moment, ends_of_rounds
from companion.charts.sections import Section, Turn
from companion.models import Entry
from games.core.steps import read_step

MOST_LEADS = 3
MOST_TURNS = 5
SETUP = "setup"  # a phase of every game; points given during setup are no turning points


class LeadChange(NamedTuple):
    """The moment at which a faction takes the lead and keeps it until the end of the round."""

    moment: Moment
    leader: str
    behind: str  # the faction in second place


class Swing(NamedTuple):
    """The change of a faction's points by an entry, in itself and relative to the others' mean change."""

    moment: Moment
    faction: str
    change: Fraction
    relative: Fraction


def lead_changes(moments: Sequence[Moment]) -> list[LeadChange]:
    """Return the changes of lead between consecutive round ends, each at the entry that caused it."""
    changes = []
    for before, after in pairwise([end for end in ends_of_rounds(moments) if end.leaders]):
        if before.phase != SETUP and before.leaders != after.leaders and len(after.leaders) == 1:
            within = [moment for moment in moments if before.number < moment.number <= after.number]
            since = len(within) - 1
            while since and within[since - 1].leaders == after.leaders:
                since -= 1
            changes.append(_lead_change(within[since], after.leaders[0]))
    return changes


def _lead_change(moment: Moment, leader: str) -> LeadChange:
    others = [faction for faction in moment.points if faction != leader]
    return LeadChange(moment, leader, max(others, key=moment.of))


def swings(moments: Sequence[Moment]) -> list[Swing]:
    """Return the largest relative change of each entry that changed points, the largest first."""
    unsorted = [
        _swing(before, after)
        for before, after in pairwise(moments)
        if before.phase != SETUP and before.points != after.points
    ]
    return sorted(unsorted, key=lambda swing: (-abs(swing.relative), swing.moment.number))


def _swing(before: Moment, after: Moment) -> Swing:
    changes = {faction: after.of(faction) - before.of(faction) for faction in after.points}
    others = max(len(changes) - 1, 1)
    whole = sum(changes.values(), Fraction(0))
    candidates = [
        Swing(after, f, change, change - (whole - change) / others) for f, change in changes.items()
    ]
    return max((swing for swing in candidates if swing.change), key=lambda swing: abs(swing.relative))


def turning_points_of(moments: Sequence[Moment]) -> list[LeadChange | Swing]:
    """Return the last changes of lead and the largest swings, in chronological order."""
    turns: list[LeadChange | Swing] = list(lead_changes(moments)[-MOST_LEADS:])
    for swing in swings(moments):
        if len(turns) == MOST_TURNS:
            break
        if all(turn.moment.number != swing.moment.number for turn in turns):
            turns.append(swing)
    return sorted(turns, key=lambda turn: turn.moment.number)


# The section


def turning_section(course: Course) -> Section | None:
    """Build the section with at most five turning points, each with a sentence and a link to the replay."""
    turns = turning_points_of(course.moments)
    if not turns:
        return None
    entries = {entry.number: entry for entry in course.entries()}
    last = next((turn for turn in reversed(turns) if isinstance(turn, LeadChange)), None)
    items = [_turn(course, turn, entries[turn.moment.number], is_last=turn is last) for turn in turns]
    sentence = _("The changes of lead that lasted, and the entries that moved points the most.")
    return Section("turning", _("Turning points"), [sentence], turns=items)


def _turn(course: Course, turn: LeadChange | Swing, entry: Entry, *, is_last: bool) -> Turn:
    entry_text = wording.render(course.game, read_step(entry.steps[0]).message)
    if isinstance(turn, Swing):
        return Turn(turn.moment.number, _swing_sentence(course, turn), turn.faction, entry_text)
    return Turn(
        turn.moment.number, _lead_change_sentence(course, turn, is_last=is_last), turn.leader, entry_text
    )


def _lead_change_sentence(course: Course, change: LeadChange, *, is_last: bool) -> str:
    template = _("%(round)s: %(name)s takes the lead, %(points)s to %(others)s of %(behind)s.")
    if is_last and not course.is_playing and course.moments[-1].leaders == (change.leader,):
        template = _("%(round)s: %(name)s takes the lead for good, %(points)s to %(others)s of %(behind)s.")
    return template % {
        "round": wording.round_name(course.game, change.moment.round),
        "name": course.name(change.leader),
        "points": wording.number(change.moment.of(change.leader)),
        "others": wording.number(change.moment.of(change.behind)),
        "behind": course.name(change.behind),
    }


def _swing_sentence(course: Course, swing: Swing) -> str:
    template = _("%(round)s: %(name)s gains %(change)s points with one entry and has %(points)s.")
    if swing.change < 0:
        template = _("%(round)s: %(name)s loses %(change)s points with one entry and has %(points)s.")
    return template % {
        "round": wording.round_name(course.game, swing.moment.round),
        "name": course.name(swing.faction),
        "change": wording.number(abs(swing.change)),
        "points": wording.number(swing.moment.of(swing.faction)),
    }

"""Turning points: the few moments of a game that are worth a look, chosen by what they changed."""

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
SETUP = "setup"  # a phase of every game; what is dealt out there turns nothing


class Taking(NamedTuple):
    """Somebody takes the lead, and still has it when the round ends."""

    moment: Moment
    leader: str
    behind: str  # who is next


class Swing(NamedTuple):
    """What one entry did to somebody's points, and how far that is from what it did to the others."""

    moment: Moment
    faction: str
    change: Fraction
    against: Fraction


def takings(moments: Sequence[Moment]) -> list[Taking]:
    """The changes of lead from the end of a round to the end of the next, with the entry that brought each."""
    found = []
    for before, after in pairwise([end for end in ends_of_rounds(moments) if end.leaders]):
        if before.phase != SETUP and before.leaders != after.leaders and len(after.leaders) == 1:
            within = [moment for moment in moments if before.number < moment.number <= after.number]
            since = len(within) - 1
            while since and within[since - 1].leaders == after.leaders:
                since -= 1
            found.append(_taking(within[since], after.leaders[0]))
    return found


def _taking(moment: Moment, leader: str) -> Taking:
    others = [faction for faction in moment.points if faction != leader]
    return Taking(moment, leader, max(others, key=moment.of))


def swings(moments: Sequence[Moment]) -> list[Swing]:
    """Of every entry that changed points the largest change, compared with the others'; the largest first."""
    found = [
        _swing(before, after)
        for before, after in pairwise(moments)
        if before.phase != SETUP and before.points != after.points
    ]
    return sorted(found, key=lambda swing: (-abs(swing.against), swing.moment.number))


def _swing(before: Moment, after: Moment) -> Swing:
    changes = {faction: after.of(faction) - before.of(faction) for faction in after.points}
    others = max(len(changes) - 1, 1)
    whole = sum(changes.values(), Fraction(0))
    found = [Swing(after, f, change, change - (whole - change) / others) for f, change in changes.items()]
    return max((swing for swing in found if swing.change), key=lambda swing: abs(swing.against))


def chosen(moments: Sequence[Moment]) -> list[Taking | Swing]:
    """The last changes of lead and the largest swings, in the order in which they came."""
    turns: list[Taking | Swing] = list(takings(moments)[-MOST_LEADS:])
    for swing in swings(moments):
        if len(turns) == MOST_TURNS:
            break
        if all(turn.moment.number != swing.moment.number for turn in turns):
            turns.append(swing)
    return sorted(turns, key=lambda turn: turn.moment.number)


# Told


def turning_section(course: Course) -> Section | None:
    """At most five, each a sentence and a link into the replay."""
    turns = chosen(course.moments)
    if not turns:
        return None
    entries = {entry.number: entry for entry in course.entries()}
    last = next((turn for turn in reversed(turns) if isinstance(turn, Taking)), None)
    told = [_turn(course, turn, entries[turn.moment.number], is_last=turn is last) for turn in turns]
    sentence = _("The changes of lead that lasted, and the entries that moved points the most.")
    return Section("turning", _("Turning points"), [sentence], turns=told)


def _turn(course: Course, turn: Taking | Swing, entry: Entry, *, is_last: bool) -> Turn:
    what = wording.render(course.game, read_step(entry.steps[0]).message)
    if isinstance(turn, Swing):
        return Turn(turn.moment.number, _swing_told(course, turn), turn.faction, what)
    return Turn(turn.moment.number, _taking_told(course, turn, is_last=is_last), turn.leader, what)


def _taking_told(course: Course, taking: Taking, *, is_last: bool) -> str:
    told = _("%(round)s: %(name)s takes the lead, %(points)s to %(others)s of %(behind)s.")
    if is_last and not course.is_playing and course.moments[-1].leaders == (taking.leader,):
        told = _("%(round)s: %(name)s takes the lead for good, %(points)s to %(others)s of %(behind)s.")
    return told % {
        "round": wording.round_name(course.game, taking.moment.round),
        "name": course.name(taking.leader),
        "points": wording.number(taking.moment.of(taking.leader)),
        "others": wording.number(taking.moment.of(taking.behind)),
        "behind": course.name(taking.behind),
    }


def _swing_told(course: Course, swing: Swing) -> str:
    told = _("%(round)s: %(name)s gains %(change)s points with one entry and has %(points)s.")
    if swing.change < 0:
        told = _("%(round)s: %(name)s loses %(change)s points with one entry and has %(points)s.")
    return told % {
        "round": wording.round_name(course.game, swing.moment.round),
        "name": course.name(swing.faction),
        "change": wording.number(abs(swing.change)),
        "points": wording.number(swing.moment.of(swing.faction)),
    }

"""Universities (rulebook 5.7 and 6.19)."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.messages import Name, say
from games.core.steps import Act, Step
from games.revolution.board import settlement_name
from games.revolution.factions import BURGHERS, CATHOLICS, HABSBURGS, REFORMERS
from games.revolution.markers import FIRST_RULE, judged, markers
from games.revolution.rounds import section
from games.revolution.state import State, holder

RULE = "6.19"
OLD = ("city:koeln", "town:leuven")  # 5.7: they exist from the start, Catholic or reformed

CATHOLIC, REFORMED, ABSENT = "catholic", "reformed", "absent"

CHANGES: Mapping[tuple[bool, str], Mapping[str | None, str]] = {
    (True, CATHOLIC): {REFORMERS: REFORMED},
    (True, REFORMED): {CATHOLICS: CATHOLIC, HABSBURGS: CATHOLIC, None: CATHOLIC},
    (False, ABSENT): {REFORMERS: REFORMED},
    (False, REFORMED): {CATHOLICS: ABSENT, HABSBURGS: ABSENT},
}
"""(Old university?, status) -> holder of the place -> new status; else the status stays (6.19)."""


def first(place: str, held_by: str | None) -> str:
    """Return the university's status in round 0 (5.7)."""
    if place in OLD:
        return REFORMED if held_by in (BURGHERS, REFORMERS) else CATHOLIC
    return REFORMED if held_by == REFORMERS else ABSENT


def changed(place: str, now: str, held_by: str | None) -> str:
    """Return the university's new status in rounds 1 to 5 (6.19)."""
    return CHANGES.get((place in OLD, now), {}).get(held_by, now)


def states_of(place: str) -> tuple[str, str]:
    """Return the possible statuses of a university (5.7)."""
    return (CATHOLIC, REFORMED) if place in OLD else (ABSENT, REFORMED)


def university_of(state: State, place: str) -> str:
    """Return the university's status from now on (5.7, 6.19)."""
    held_by = holder(state, place)
    before = state.universities.get(place)
    if not state.round or before not in states_of(place):
        return first(place, held_by)
    return changed(place, before, held_by)


def _university_step(state: State, place: str) -> Step:
    rule = section(state, FIRST_RULE, RULE)
    verdict = judged(state, f"university:{place}", university_of(state, place), states_of(place), rule)
    params = {"place": settlement_name(place), "university": Name("university", verdict.result)}
    if state.universities.get(place) == verdict.result:
        return Step(rule, say("university-stays", **params)).settles(verdict)
    acts = (Act(None, say("university-hand", **params)),)
    return Step(rule, say("university", **params), acts=acts).settles(verdict)


# The status of a university follows from the holder of its place.
UNIVERSITIES = markers("universities", RULE, lambda land: land.universities, _university_step)

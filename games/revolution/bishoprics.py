"""Bishoprics (rulebook 5.7 and 6.18)."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.messages import Name, say
from games.core.steps import Act, Step
from games.revolution.factions import BURGHERS, CATHOLICS, HABSBURGS, NOBILITY, REFORMERS
from games.revolution.markers import FIRST_RULE, judged, markers
from games.revolution.provinces import province_name
from games.revolution.rounds import section
from games.revolution.state import State, option

RULE = "6.18"
UNCONTROLLED = "bishop_uncontrolled"

COLUMNS = STRONGLY_CATHOLIC, CATHOLIC, REFORMED, STRONGLY_REFORMED = (
    "strongly-catholic",
    "catholic",
    "reformed",
    "strongly-reformed",
)
"""Columns of the chart, from left to right (5.7)."""

AIMS: Mapping[str | None, str] = {
    CATHOLICS: STRONGLY_CATHOLIC,
    HABSBURGS: CATHOLIC,
    BURGHERS: REFORMED,
    REFORMERS: STRONGLY_REFORMED,
    None: CATHOLIC,
}
"""Controller of the province -> column its marker moves towards; the Nobility does not move it (6.18)."""

FIRST: Mapping[str | None, str] = {**AIMS, NOBILITY: CATHOLIC}
"""Controller of the province -> column in round 0 (5.7)."""


def moved(column: str, controller: str | None, uncontrolled: str = "step") -> str:
    """Return the column one step towards the controller's aim (6.18).

    Without a controller the marker moves towards Catholic, or by option jumps there (Q-04).
    """
    if controller == NOBILITY:
        return column
    if controller is None and uncontrolled == "snap_to_catholic":
        return CATHOLIC
    at, aim = COLUMNS.index(column), COLUMNS.index(AIMS[controller])
    return COLUMNS[at + (aim > at) - (aim < at)]


def column_of(state: State, slug: str) -> str:
    """Return the column of a bishopric's marker from now on (5.7, 6.18)."""
    controller = state.provinces[slug]
    before = state.bishoprics.get(slug)
    if not state.round or before is None:
        return FIRST[controller]
    return moved(before, controller, str(option(state, UNCONTROLLED)))


def _bishopric_step(state: State, slug: str) -> Step:
    rule = section(state, FIRST_RULE, RULE)
    verdict = judged(state, f"bishopric:{slug}", column_of(state, slug), COLUMNS, rule)
    name = province_name(slug)
    colour = Name("marker", state.provinces[slug] or "nobody")
    column = Name("column", verdict.result)
    stays = state.bishoprics.get(slug) == verdict.result
    message = say("bishopric-stays" if stays else "bishopric", province=name, column=column, colour=colour)
    act = Act(None, say("bishopric-hand", province=name, column=column, colour=colour))
    unchanged = stays and _keeps_colour(state, slug)
    uncontrolled = state.round and state.provinces[slug] is None
    step = Step(
        rule, message, acts=() if unchanged else (act,), options=(UNCONTROLLED,) if uncontrolled else ()
    )
    return step.settles(verdict)


def _keeps_colour(state: State, slug: str) -> bool:
    """Return whether this round's allocation is known to have left the province's card unchanged."""
    before: Mapping[str, str | None] = state.frames[-1].data.get("before", {})
    return slug in before and before[slug] == state.provinces[slug]


# Markers are placed in round 0 and move at most one column in each later round.
BISHOPRICS = markers("bishoprics", RULE, lambda land: land.bishoprics, _bishopric_step)

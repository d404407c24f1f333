"""Markers of bishoprics and universities, set every round without decisions (rulebook 5.7, 6.18, 6.19)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.core.flow import Automatic
from games.core.messages import say
from games.core.rulings import Verdict, judge
from games.core.steps import Account, Step
from games.revolution.board import Atlas
from games.revolution.checks import refuse_not_one_of
from games.revolution.rounds import advance, section
from games.revolution.state import State, atlas

FIRST_RULE = "5.7"  # the markers' section in round 0


def markers(
    name: str, rule: str, places: Callable[[Atlas], Sequence[str]], step: Callable[[State, str], Step]
) -> Automatic[State]:
    """Return the phase that sets the marker of each place to the result of its step.

    ``name`` is the phase, the code of its message, and the field of the state that holds the markers.
    """

    def set_markers(account: Account[State]) -> None:
        state = account.state
        steps = {place: step(state, place) for place in places(atlas(state))}
        account.step(section(state, FIRST_RULE, rule), say(name), steps=[*steps.values()])
        account.set(**{name: {place: finer.result for place, finer in steps.items()}})
        advance(account)

    return Automatic(name, rule, set_markers)


def judged(state: State, key: str, computed: str, known: Sequence[str], rule: str) -> Verdict[str]:
    """Return where a marker goes: as computed by the rules, or one of the ``known`` as the table ruled."""
    return judge(state, key, computed, str, lambda ruled: refuse_not_one_of(ruled, known, rule))

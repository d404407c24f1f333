"""Universities (rulebook 5.7 and 6.19)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.flow import not_now
from games.core.messages import Name, say
from games.core.prompts import Prompt
from games.core.rulings import judge
from games.core.steps import Account, Act, Outcome, Step
from games.revolution.board import settlement_name
from games.revolution.factions import BURGHERS, CATHOLICS, HABSBURGS, REFORMERS
from games.revolution.rounds import advance, section
from games.revolution.ruled import refuse_not_one_of
from games.revolution.state import State, atlas, holder

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


@dataclass(frozen=True, slots=True)
class Universities:
    """Phases 5.7 and 6.19: each university's status follows from the holder of its place."""

    name = "universities"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        return []

    def act(self, state: State, action: Action) -> Outcome[State]:
        raise not_now(action, rule=RULE)

    def resolve(self, state: State) -> Outcome[State] | None:
        account = Account(state)
        finer = [_university_step(state, place) for place in atlas(state).universities]
        account.step(section(state, "5.7", RULE), say("universities"), steps=finer)
        statuses = {place: step.result for place, step in zip(atlas(state).universities, finer, strict=True)}
        account.set(universities=statuses)
        advance(account)
        return account.outcome()


def university_of(state: State, place: str) -> str:
    """Return the university's status from now on (5.7, 6.19)."""
    held_by = holder(state, place)
    before = state.universities.get(place)
    if not state.round or before not in states_of(place):
        return first(place, held_by)
    return changed(place, before, held_by)


def _university_step(state: State, place: str) -> Step:
    rule = section(state, "5.7", RULE)
    verdict = judge(
        state,
        f"university:{place}",
        university_of(state, place),
        str,
        lambda now: refuse_not_one_of(now, states_of(place), rule),
    )
    params = {"place": settlement_name(place), "university": Name("university", verdict.result)}
    if state.universities.get(place) == verdict.result:
        return Step(rule, say("university-stays", **params)).settles(verdict)
    acts = (Act(None, say("university-hand", **params)),)
    return Step(rule, say("university", **params), acts=acts).settles(verdict)

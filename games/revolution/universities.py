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
OLD = ("city:koeln", "town:leuven")  # 5.7: they are there from the start, Catholic or reformed

CATHOLIC, REFORMED, ABSENT = "catholic", "reformed", "absent"

CHANGES: Mapping[tuple[bool, str], Mapping[str | None, str]] = {
    (True, CATHOLIC): {REFORMERS: REFORMED},
    (True, REFORMED): {CATHOLICS: CATHOLIC, HABSBURGS: CATHOLIC, None: CATHOLIC},
    (False, ABSENT): {REFORMERS: REFORMED},
    (False, REFORMED): {CATHOLICS: ABSENT, HABSBURGS: ABSENT},
}
"""6.19: old or not, and what it is -> who holds the place -> what it becomes; else nothing changes."""


def first(place: str, held_by: str | None) -> str:
    """5.7: in round 0."""
    if place in OLD:
        return REFORMED if held_by in (BURGHERS, REFORMERS) else CATHOLIC
    return REFORMED if held_by == REFORMERS else ABSENT


def changed(place: str, now: str, held_by: str | None) -> str:
    """6.19: in later rounds."""
    return CHANGES.get((place in OLD, now), {}).get(held_by, now)


def states_of(place: str) -> tuple[str, str]:
    """5.7: what a university can be."""
    return (CATHOLIC, REFORMED) if place in OLD else (ABSENT, REFORMED)


@dataclass(frozen=True, slots=True)
class Universities:
    """Every university is what its holder makes of it."""

    name = "universities"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        return []

    def act(self, state: State, action: Action) -> Outcome[State]:
        raise not_now(action, rule=RULE)

    def resolve(self, state: State) -> Outcome[State] | None:
        account = Account(state)
        told = [_university_step(state, place) for place in atlas(state).universities]
        account.step(section(state, "5.7", RULE), say("universities"), steps=told)
        found = {place: step.result for place, step in zip(atlas(state).universities, told, strict=True)}
        account.set(universities=found)
        advance(account)
        return account.outcome()


def university_of(state: State, place: str) -> str:
    """5.7, 6.19: what a university is from now on."""
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

"""Taking up a game in the middle, from the pieces on the table and the facts beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from games.core.actions import Position
from games.core.codec import Count, Json, from_json
from games.core.errors import BadInput
from games.core.flow import Frame
from games.core.messages import say
from games.core.positions import RULE, check_phase
from games.revolution import bishoprics, universities
from games.revolution.checks import refuse_not_one_of, refuse_unknown
from games.revolution.control import in_city, in_province, majority
from games.revolution.influence import refuse_column
from games.revolution.rounds import phases_of
from games.revolution.state import LAST_ROUND, State, atlas

NEVER = ("draft",)  # needs points that the preceding phase counts
FORMS: Mapping[str, Any] = {
    "cities": Mapping[str, str | None],
    "provinces": Mapping[str, str | None],
    "bishoprics": Mapping[str, str],
    "universities": Mapping[str, str],
    "allegiance": Mapping[str, Count],
    "scores": Mapping[str, Mapping[str, Mapping[str, Fraction]]],
    "hirer": str | None,
    "driven_back": Mapping[str, Mapping[str, Count]],
}
"""Types of the facts beside the ledger; missing facts are derived from the board."""


def resume(state: State, position: Position) -> State:
    """Return the state at the start of a phase; missing cards and markers are derived from the board."""
    if position.round > LAST_ROUND:
        raise BadInput(say("rounds", last=LAST_ROUND), rule=RULE)
    known = tuple(phase for phase in phases_of(position.round) if phase not in NEVER)
    check_phase(position, known)
    facts = _read(position.facts)
    start = replace(state, frames=(Frame(position.phase),), **_markers(state, position.phase, facts))
    _refuse_facts(start)
    return start


def _read(facts: Mapping[str, Json]) -> dict[str, Any]:
    refuse_unknown(facts, FORMS, RULE)
    return {name: from_json(FORMS[name], value, name) for name, value in facts.items()}


def _markers(state: State, phase: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return every card and marker: as given, else derived from the board."""
    land = atlas(state)
    is_dealt = _is_dealt(state, phase)
    cities = {c: majority(in_city(state, c)) for c in land.cities} if is_dealt else {}
    provinces = {p.slug: majority(in_province(state, p)) for p in land.provinces.values()} if is_dealt else {}
    dealt = replace(
        state,
        cities={**dict.fromkeys(land.cities), **cities, **facts.get("cities", {})},
        provinces={**dict.fromkeys(land.provinces), **provinces, **facts.get("provinces", {})},
    )
    fields: dict[str, Any] = {"cities": dealt.cities, "provinces": dealt.provinces}
    if is_dealt:
        _refuse_cards(dealt)
        before = replace(dealt, round=0)
        fields["bishoprics"] = {
            **{p: bishoprics.column_of(before, p) for p in land.bishoprics},
            **facts.get("bishoprics", {}),
        }
        fields["universities"] = {
            **{u: universities.university_of(before, u) for u in land.universities},
            **facts.get("universities", {}),
        }
        fields["allegiance"] = {**land.allegiance, **facts.get("allegiance", {})}
    return fields | {name: facts[name] for name in ("scores", "hirer", "driven_back") if name in facts}


def _is_dealt(state: State, phase: str) -> bool:
    """Return whether cards and markers have been assigned by this phase (5.7)."""
    phases = phases_of(state.round)
    return state.round > 0 or phases.index(phase) > phases.index("allocation")


def _refuse_cards(state: State) -> None:
    land = atlas(state)
    refuse_unknown(state.cities, land.cities, RULE)
    refuse_unknown(state.provinces, land.provinces, RULE)
    for held_by in (*state.cities.values(), *state.provinces.values()):
        refuse_not_one_of(held_by, (*state.order, None), RULE)


def _refuse_facts(state: State) -> None:
    """Raise if a fact is impossible at any table."""
    land = atlas(state)
    _refuse_cards(state)
    refuse_unknown(state.bishoprics, land.bishoprics, RULE)
    for column in state.bishoprics.values():
        refuse_not_one_of(column, bishoprics.COLUMNS, RULE)
    refuse_unknown(state.universities, land.universities, RULE)
    for place, university in state.universities.items():
        refuse_not_one_of(university, universities.states_of(place), RULE)
    refuse_unknown(state.allegiance, land.cities, RULE)
    for space in state.allegiance.values():
        refuse_column(space, RULE)
    refuse_not_one_of(state.hirer, (*state.order, None), RULE)
    refuse_unknown(state.driven_back, land.regions, RULE)
    for armies in state.driven_back.values():
        refuse_unknown(armies, state.order, RULE)
    refuse_unknown(state.scores, [str(round_) for round_ in range(LAST_ROUND + 1)], RULE)
    for scored in state.scores.values():
        if set(scored) != set(state.order):
            raise BadInput(say("core.position-order", known=state.order), rule=RULE)

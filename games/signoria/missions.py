"""Diplomatic missions: a man moves from a career track to a city (digest 5.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.checks import check_one_of
from games.core.codec import Count, Json
from games.core.errors import Illegal
from games.core.flow import Frame, done
from games.core.ledger import Move
from games.core.messages import Name, faction_name, say
from games.core.prompts import Joint, Prompt
from games.core.rulings import judge
from games.core.steps import Account, Outcome, Step
from games.signoria.actions import Mission
from games.signoria.alliances import (
    CityTile,
    blind_steps,
    refuse_field,
    refuse_tile,
    tile_choices,
    tile_steps,
)
from games.signoria.asking import asked, skip, whose
from games.signoria.options import BLIND_TILE_BOUND, TILE_OPTIONAL
from games.signoria.pieces import CAREERS, MAN, city_place, track_place
from games.signoria.state import (
    State,
    frame_data,
    lowest_free,
    men_on,
    option,
    point_disc,
    printed,
    score,
    tiles_in_supply,
)

RULE = "5.6"


def mission_frame(faction: str, *, blind: bool = False) -> Frame:
    """Return the frame of a mission; `blind` draws a face-down tile, not the city's tile (5.10)."""
    return Frame("mission", {"faction": faction, "blind": blind})


def can_send(state: State, data: Mapping[str, Json]) -> bool:
    return bool(_ways(state, data["faction"]))


def _ways(state: State, faction: str) -> list[tuple[str, int, str]]:
    """Return each of the player's men on tracks with the cities for which his rank suffices (5.6)."""
    free = {city: lowest_free(state, city, MAN) for city in state.cities}
    return [
        (career, index, city)
        for career in CAREERS
        for index in men_on(state, faction, career)
        for city, number in free.items()
        if number is not None and printed(state).rank(career, index) >= number
    ]


@dataclass(frozen=True, slots=True)
class Missions:
    """Phase: choose a man and a city; points and tile follow."""

    name = "mission"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction, blind = whose(state), frame_data(state)["blind"]
        names, options = (_blind_options if blind else _options)(state, faction)
        example = Mission(faction=faction, **dict(zip(names, options[0], strict=True)))
        title = say("prompt-mission-blind" if blind else "prompt-mission")
        fields = (Joint(names, tuple(options)),)
        return [Prompt(faction=faction, title=title, rule=RULE, example=example, fields=fields)]

    def act(self, state: State, action: Action) -> Outcome[State]:
        mission = asked(state, action, Mission, RULE)
        _refuse(state, mission)
        account = Account(state)
        account.add(_mission_step(state, mission))
        account.set(frames=done(state))
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        return None if can_send(state, frame_data(state)) else skip(state, RULE)


Options = tuple[tuple[str, ...], list[tuple[Json, ...]]]


def _options(state: State, faction: str) -> Options:
    ways = _ways(state, faction)
    if not option(state, TILE_OPTIONAL.name):
        return ("career", "at", "city"), list(ways)
    return ("career", "at", "city", "tile"), [
        (career, at, city, tile)
        for career, at, city in ways
        for tile in tile_choices(state, faction, CityTile("mission", city, career))
    ]


def _blind_options(state: State, faction: str) -> Options:
    return ("career", "at", "city", "field"), [
        (career, at, city, field)
        for career, at, city in _ways(state, faction)
        for field in _blind_fields(state, career)
    ]


def _blind_fields(state: State, career: str) -> tuple[str | None, ...]:
    """Return the fields for a tile drawn face down, or None alone if the supply is empty (R-05)."""
    if not tiles_in_supply(state):
        return (None,)
    return (career,) if option(state, BLIND_TILE_BOUND.name) else CAREERS


def _refuse(state: State, mission: Mission) -> None:
    check_one_of(mission.career, CAREERS, "career", rule=RULE)
    if mission.at not in men_on(state, mission.faction, mission.career):
        raise Illegal(say("man-not-on-track"), rule=RULE)
    refuse_city(state, mission.city, MAN, mission.space, RULE)
    needed = lowest_free(state, mission.city, MAN) or 0
    rank = printed(state).rank(mission.career, mission.at)
    if rank < needed:
        raise Illegal(
            say("rank-too-low", city=Name("city", mission.city), needed=needed, rank=rank), rule=RULE
        )
    if frame_data(state)["blind"]:
        _refuse_blind(state, mission)
        return
    if mission.field not in (None, mission.career):
        raise Illegal(say("other-career", career=Name("field", mission.career)), rule=RULE)
    at = CityTile("mission", mission.city, mission.career)
    refuse_tile(state, mission.faction, at, wish=mission.tile)


def refuse_city(state: State, city: str, member: str, space: int | None, rule: str) -> None:
    """Raise unless the city is in play and `space`, if given, is its lowest free space (5.6, 5.7)."""
    known = tuple(printed(state).figures["cities"])
    check_one_of(city, known, "city", rule=rule)
    name = Name("city", city)
    if city not in state.cities:
        raise Illegal(say("city-unused", city=name), rule=rule)
    number = lowest_free(state, city, member)
    if number is None:
        raise Illegal(say("city-full", city=name), rule=rule)
    if space not in (None, number):
        raise Illegal(say("lowest-first", number=number), rule=rule)


def _refuse_blind(state: State, mission: Mission) -> None:
    if mission.tile is not None:
        raise Illegal(say("drawn-instead"), rule="5.10")
    fields = _blind_fields(state, mission.career)
    if mission.field in fields:
        return
    if mission.field is None or fields == (None,):
        raise Illegal(say("say-which-field" if mission.field is None else "tiles-gone"), rule="5.10")
    refuse_field(mission.field, CAREERS)
    raise Illegal(say("other-career", career=Name("field", mission.career)), rule="5.10")


def _mission_step(state: State, mission: Mission) -> Step:
    """Return the step: man to the city, points for his track number, then the tile (5.6)."""
    faction, city = mission.faction, mission.city
    number = printed(state).number(mission.career, mission.at)
    space = lowest_free(state, city, MAN) or 0
    verdict = judge(state, f"mission:{city}", number, Count)
    source = track_place(mission.career, mission.at)
    message = say(
        "mission",
        faction=faction_name(faction),
        career=Name("field", mission.career),
        at=mission.at,
        space=space,
        city=Name("city", city),
        count=verdict.result,
    )
    blind = frame_data(state)["blind"]
    if blind:
        steps = blind_steps(faction, mission.field)
    else:
        steps = tile_steps(state, faction, CityTile("mission", city, mission.career), wish=mission.tile)
    moves = (Move(faction, MAN, source, city_place(city, space)), *score(faction, "mission", verdict.result))
    options = (BLIND_TILE_BOUND.name,) if blind else ()
    steps = (*point_disc(state, faction, verdict.result), *steps)
    return Step(RULE, message, moves, steps=steps, options=options).settles(verdict)

"""Marriages: an available woman moves to a city, with a dowry (digest 5.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.codec import Count, Json
from games.core.errors import Illegal
from games.core.flow import Frame, done
from games.core.ledger import Move
from games.core.messages import Name, faction_name, say
from games.core.prompts import Joint, Prompt
from games.core.rulings import judge
from games.core.steps import Account, Outcome, Step
from games.signoria.actions import Marriage
from games.signoria.alliances import CityTile, blind_steps, refuse_tile, tile_choices, tile_steps
from games.signoria.asking import asked, skip, whose
from games.signoria.missions import refuse_city
from games.signoria.options import TILE_OPTIONAL
from games.signoria.pieces import RESERVE, WOMAN, city_place
from games.signoria.state import (
    State,
    available,
    florins,
    frame_data,
    lowest_free,
    option,
    pay,
    point_disc,
    score,
    tiles_in_supply,
)

RULE = "5.7"
MOST_DOWRY = 4
POINTS_PER_FLORIN = 2
FIELD = "marriage"


def marriage_frame(faction: str, *, blind: bool = False) -> Frame:
    """Return the frame to push for the marriage phase; `blind` draws a face-down tile, not the city's (5.10)."""
    return Frame("marriage", {"faction": faction, "blind": blind})


def can_marry(state: State, data: Mapping[str, Json]) -> bool:
    return bool(_ways(state, data["faction"]))


def _ways(state: State, faction: str) -> list[tuple[str, int]]:
    """Return the cities with a free space, and the dowries from its number up to four florins (5.7)."""
    if not available(state, faction, WOMAN):
        return []
    most = min(MOST_DOWRY, florins(state, faction))
    free = {city: lowest_free(state, city, WOMAN) for city in state.cities}
    return [
        (city, dowry)
        for city, number in free.items()
        if number is not None
        for dowry in range(number, most + 1)
    ]


@dataclass(frozen=True, slots=True)
class Marriages:
    """Phase: choose city and dowry of a marriage; points and tile follow."""

    name = "marriage"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction, blind = whose(state), frame_data(state)["blind"]
        ways: list[tuple[Json, ...]] = list(_ways(state, faction))
        names: tuple[str, ...] = ("city", "dowry")
        if option(state, TILE_OPTIONAL.name) and not blind:
            names = (*names, "tile")
            ways = [(c, d, t) for c, d in ways for t in tile_choices(state, faction, _city_tile(c))]
        example = Marriage(faction=faction, **dict(zip(names, ways[0], strict=True)))
        title = say("prompt-marriage-blind" if blind else "prompt-marriage")
        fields = (Joint(names, tuple(ways)),)
        return [Prompt(faction=faction, title=title, rule=RULE, example=example, fields=fields)]

    def act(self, state: State, action: Action) -> Outcome[State]:
        marriage = asked(state, action, Marriage, RULE)
        _refuse(state, marriage)
        account = Account(state)
        account.add(_marriage_step(state, marriage))
        account.set(frames=done(state))
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        return None if can_marry(state, frame_data(state)) else skip(state, RULE)


def _city_tile(city: str) -> CityTile:
    return CityTile("marriage", city, FIELD)


def _refuse(state: State, marriage: Marriage) -> None:
    refuse_city(state, marriage.city, WOMAN, marriage.space, RULE)
    least = lowest_free(state, marriage.city, WOMAN) or 0
    if marriage.dowry < least:
        raise Illegal(say("dowry-too-low", count=least), rule=RULE)
    have = florins(state, marriage.faction)
    if marriage.dowry > min(MOST_DOWRY, have):
        raise Illegal(say("dowry-too-high", most=MOST_DOWRY, have=have), rule=RULE)
    if not frame_data(state)["blind"]:
        refuse_tile(state, marriage.faction, _city_tile(marriage.city), wish=marriage.tile)
    elif marriage.tile is not None:
        raise Illegal(say("drawn-instead"), rule="5.10")


def _marriage_step(state: State, marriage: Marriage) -> Step:
    """Return the step: woman to the city, dowry, two points per florin, then the tile (5.7)."""
    faction, city, dowry = marriage.faction, marriage.city, marriage.dowry
    space = lowest_free(state, city, WOMAN) or 0
    verdict = judge(state, f"marriage:{city}", POINTS_PER_FLORIN * dowry, Count)
    message = say(
        "marriage",
        faction=faction_name(faction),
        space=space,
        city=Name("city", city),
        dowry=dowry,
        count=verdict.result,
    )
    moves = (
        Move(faction, WOMAN, RESERVE, city_place(city, space)),
        *pay(faction, dowry),
        *score(faction, "marriage", verdict.result),
    )
    if frame_data(state)["blind"]:
        steps = blind_steps(faction, FIELD if tiles_in_supply(state) else None)
    else:
        steps = tile_steps(state, faction, _city_tile(city), wish=marriage.tile)
    steps = (*point_disc(state, faction, verdict.result), *steps)
    return Step(RULE, message, moves, steps=steps).settles(verdict)

"""Set-up: counters, starting places, neutrals, and the Habsburgs' first armies (rulebook 3.5 and 3.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.errors import Illegal
from games.core.flow import Frame, goto, not_now
from games.core.game import Setup
from games.core.ledger import Ledger, Move
from games.core.messages import faction_name, say
from games.core.prompts import Allocation, Prompt
from games.core.steps import Account, Act, Outcome
from games.revolution.actions import StartArmies
from games.revolution.board import BOTH, START_CELLS, Atlas, atlas_of
from games.revolution.factions import (
    BOXES,
    BURGHERS,
    CATHOLICS,
    HABSBURGS,
    NEUTRAL,
    NOBILITY,
    REFORMERS,
    in_fixed_order,
)
from games.revolution.neutrals import POOL
from games.revolution.pieces import ARMY, BEGGAR, BEGGARS_BOX, COUNTER, SUPPLY, placed
from games.revolution.regions import refuse_regions, region_name
from games.revolution.rounds import ROUND_0, refuse_unless
from games.revolution.state import (
    PLACES,
    TREASURY,
    State,
    army_supply,
    atlas,
    free_boxes,
    supply,
)

RULE = "3.6"
START_ARMIES = 2
WATER_BEGGARS = 3  # 2.2.4
NEUTRALS_IN = {"city": 2, "town": 1}  # 3.6: per empty settlement
START_COINS = 4  # the Catholics' treasury

START: Mapping[str, Mapping[str, int]] = {
    CATHOLICS: {
        "town:arras": 1,
        "city:koeln": 1,
        "town:leuven": 1,
        "town:mons": 1,
        "city:liege": 1,
        "town:tournai": 1,
        "town:trier": 1,
        "city:utrecht": 1,
        TREASURY: START_COINS,
    },
    HABSBURGS: {
        "city:antwerpen": 2,
        "city:luxembourg": 2,
        "town:duinkerken": 1,
        "town:nijmegen": 1,
        "town:valenciennes": 1,
    },
    NOBILITY: {
        "city:aachen": 1,
        "city:amsterdam": 1,
        "town:breda": 1,
        "city:brussels": 1,
        "town:cleve": 1,
        "town:delft": 1,
    },
    BURGHERS: {
        "town:arnhem": 1,
        "town:dordrecht": 1,
        "city:haarlem": 1,
        "town:middelburg": 1,
        "town:rotterdam": 1,
    },
    REFORMERS: {"town:alkmaar": 1, "city:brugge": 1, "city:gent": 1, "city:leiden": 1},
}
"""Counters of each faction at the start, by place (3.6)."""

START_BOXES: Mapping[str, Sequence[str]] = {
    NOBILITY: ("french-support", "support-from-the-emperor"),
    BURGHERS: ("london-merchants", "huguenots"),
    REFORMERS: ("calvinists",),
}
"""Support boxes in which factions start (3.6)."""


def start(setup: Setup) -> Outcome[State]:
    """Set up supplies, starting places, and neutrals in empty settlements (3.5, 3.6)."""
    land = atlas_of(setup.figures)
    account = Account(
        State(
            setup=setup,
            ledger=Ledger.of(PLACES, _boxes(setup)),
            frames=(Frame("setup"),),
            round=0,
            order=in_fixed_order(setup.factions),
            cities=dict.fromkeys(land.cities),
            provinces=dict.fromkeys(land.provinces),
        )
    )
    box = BOXES[setup.players]
    acts = [Act(f, say("set-up-take", count=box.counters, armies=box.armies)) for f in account.state.order]
    account.step("3.5", say("set-up-counters", count=box.counters, armies=box.armies), acts=acts)
    for faction in account.state.order:
        account.step(
            RULE, say("set-up-places", faction=faction_name(faction)), moves=_first_places(land, faction)
        )
    beggars = Move(NEUTRAL, BEGGAR, SUPPLY, BEGGARS_BOX, WATER_BEGGARS)
    account.step(RULE, say("set-up-beggars", count=WATER_BEGGARS), moves=[beggars])
    _fill_empty(account, land)
    markers = [Act(None, say("set-up-markers"))]
    account.step(RULE, say("set-up-markers-why"), acts=markers)
    return account.outcome()


def _boxes(setup: Setup) -> list[tuple[str, str, str, int]]:
    """Return the ledger lines of each faction's box (3.5)."""
    box = BOXES[setup.players]
    lines = [(faction, COUNTER, SUPPLY, box.counters) for faction in setup.factions]
    lines += [(faction, ARMY, SUPPLY, box.armies) for faction in setup.factions]
    lines.append((NEUTRAL, COUNTER, SUPPLY, setup.options[POOL]))
    lines.append((NEUTRAL, BEGGAR, SUPPLY, WATER_BEGGARS))
    return lines


def _first_places(land: Atlas, faction: str) -> list[Move]:
    starting = [(place, count) for place, count in START[faction].items() if place in land.places]
    starting += [(cell, 1) for box in START_BOXES.get(faction, ()) for cell in _first_cells(land, box)]
    return [Move(faction, COUNTER, SUPPLY, place, count) for place, count in starting]


def _first_cells(land: Atlas, box: str) -> list[str]:
    """Return the cells filled at the start, half-coloured ones first as for the Calvinists (3.6)."""
    cells = land.support[box].places
    half_first = sorted(cells, key=lambda cell: cells[cell] != BOTH)
    return half_first[: START_CELLS[box]]


def _fill_empty(account: Account[State], land: Atlas) -> None:
    """Put two neutrals in each empty city and one in each empty town, while there are any (3.6)."""
    cities = [f"city:{city}" for city in land.cities]
    towns = sorted(place for place in land.home if place.startswith("town:"))
    left = supply(account.state, NEUTRAL)
    moves: list[Move] = []
    for place in (*cities, *towns):
        count = min(left, NEUTRALS_IN[place.partition(":")[0]])
        if not account.state.ledger.at(place) and count:
            moves += placed(NEUTRAL, count, place=place)
            left -= count
    if moves:
        total = sum(move.count for move in moves)
        account.step(RULE, say("set-up-neutrals", count=total), moves=moves, options=(POOL,))
    else:
        account.step(RULE, say("set-up-no-neutrals"))


# The Habsburgs' first armies


def orange_boxes(state: State) -> dict[str, int]:
    """Return the free orange boxes by region (3.6)."""
    regions = atlas(state).regions.values()
    free = {region.slug: min(region.orange, free_boxes(state, region.slug)) for region in regions}
    return {slug: count for slug, count in free.items() if count}


def start_armies(state: State) -> int:
    """Return how many armies the Habsburgs place: two, unless corrections have changed the state (3.6)."""
    if HABSBURGS not in state.order or state.frames[-1].data.get("placed"):
        return 0
    return min(START_ARMIES, army_supply(state, HABSBURGS), sum(orange_boxes(state).values()))


@dataclass(frozen=True, slots=True)
class SetUp:
    """Set-up phase: the Habsburgs choose where their first armies stand (3.6)."""

    name = "setup"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        count = start_armies(state)
        if not count:
            return []
        free = orange_boxes(state)
        field = Allocation("regions", free, low=count, high=count)
        return [
            Prompt(
                faction=HABSBURGS,
                title=say("prompt-start-armies", count=count),
                rule=RULE,
                example=StartArmies(faction=HABSBURGS, regions=_spread(free, count)),
                fields=(field,),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, StartArmies):
            raise not_now(action, rule=RULE)
        refuse_unless(HABSBURGS, action)
        return _place_armies(state, action)

    def resolve(self, state: State) -> Outcome[State] | None:
        if start_armies(state):
            return None
        account = Account(state)
        account.set(frames=goto(state, Frame(ROUND_0[0])))
        account.step("4.0", say("round-begins", round=0))
        return account.outcome()


def _spread(free: Mapping[str, int], count: int) -> dict[str, int]:
    """Spread the armies over as many regions as possible (5.8)."""
    chosen: dict[str, int] = {}
    while sum(chosen.values()) < count:
        for region in free:
            if sum(chosen.values()) < count and chosen.get(region, 0) < free[region]:
                chosen[region] = chosen.get(region, 0) + 1
    return chosen


def _place_armies(state: State, action: StartArmies) -> Outcome[State]:
    refuse_regions(state, action.regions, RULE)
    count = start_armies(state)
    free = orange_boxes(state)
    chosen = {region: n for region, n in action.regions.items() if n}
    if any(n > free.get(region, 0) for region, n in chosen.items()):
        raise Illegal(say("orange-boxes"), rule=RULE)
    if sum(chosen.values()) != count:
        raise Illegal(say("start-armies-count", count=count), rule=RULE)
    account = Account(state)
    regions = tuple(region_name(region) for region in atlas(state).regions if region in chosen)
    moves = [
        Move(HABSBURGS, ARMY, SUPPLY, f"strip:{region}", chosen[region])
        for region in atlas(state).regions
        if region in chosen
    ]
    account.step(
        RULE, say("start-armies", faction=faction_name(HABSBURGS), count=count, regions=regions), moves=moves
    )
    if len(chosen) < count:
        account.step("5.8", say("start-armies-together"))
    account.set(frames=goto(state, state.frames[-1].with_data(placed=True)))
    return account.outcome()

"""New units: the number of new counters, and their placement (rulebook 5.2 and 6.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.core.actions import Action
from games.core.errors import BadInput, Illegal
from games.core.flow import not_now
from games.core.ledger import Move
from games.core.messages import Message, Name, faction_name, say
from games.core.prompts import Allocation, Prompt
from games.core.steps import Account, Outcome, Step
from games.revolution.actions import Place
from games.revolution.board import Province
from games.revolution.factions import BURGHERS, CATHOLICS, HABSBURGS, NOBILITY, REFORMERS
from games.revolution.pieces import COUNTER, SUPPLY
from games.revolution.provinces import province_name
from games.revolution.rounds import advance, end_turn, refuse_unless_turn, section, turn_of
from games.revolution.state import (
    TREASURY,
    State,
    atlas,
    box_of,
    cities_held,
    counters,
    free_cells,
    holder,
    in_support,
    is_free,
    option,
    outside_cities,
    supply,
    why_closed,
)

RULE = "6.10"
LEAST = 7
COUNTRYSIDE = 5  # counters in countryside per new one


class Allowance(NamedTuple):
    """New counters by source, and the supply; the total follows from the parts."""

    parts: Mapping[str, int]
    supply: int

    @property
    def total(self) -> int:
        return sum(self.parts.values())

    @property
    def allowed(self) -> int:
        """Return the total, at least seven and at most the supply (6.10)."""
        return min(max(LEAST, self.total), self.supply)


def allowance(links: Sequence[int], towns: int, countryside: int, support: int, supply: int) -> Allowance:
    """Return the allowance (6.10).

    `links` holds, per city card, the places named on it that the faction controls; `countryside` counts
    counters of all provinces together; `support` excludes Huguenots used this round.
    """
    parts = {
        "cities": sum(1 + held for held in links),
        "towns": towns,
        "countryside": countryside // COUNTRYSIDE,
        "support": support,
    }
    return Allowance(parts, supply)


def steps(allowance: Allowance, links: Sequence[int], countryside: int) -> tuple[Step, ...]:
    """Return the steps that explain parts, total, minimum and supply."""
    parts = allowance.parts
    finer = (
        Step(RULE, say("units-cities", count=parts["cities"], cards=len(links), links=sum(links))),
        Step(RULE, say("units-towns", count=parts["towns"])),
        Step(RULE, say("units-countryside", count=parts["countryside"], counters=countryside)),
        Step(RULE, say("units-support", count=parts["support"])),
    )
    return (Step(RULE, say("units", count=allowance.total), steps=finer), *_bounds(allowance))


def _bounds(allowance: Allowance) -> tuple[Step, ...]:
    steps: tuple[Step, ...] = ()
    if allowance.total < LEAST:
        steps += (Step(RULE, say("units-least", least=LEAST)),)
    if allowance.supply < max(LEAST, allowance.total):
        steps += (Step(RULE, say("units-supply", count=allowance.supply)),)
    return steps


# The phase

IN_ROUND_0: Mapping[str, int] = {CATHOLICS: 7, HABSBURGS: 6, NOBILITY: 5, BURGHERS: 4, REFORMERS: 3}  # 5.2
TIMES_IN_ROUND_0 = 2  # 5.2: times the counters already there
COUNTS_CITIES = "placement_counts_cities"


def rule_of(state: State) -> str:
    return section(state, "5.2", RULE)


def links_held(state: State, faction: str) -> list[int]:
    """Return, per city card of the faction, the places named on it that it holds (6.10)."""
    named = atlas(state).links
    return [
        sum(holder(state, place) == faction for place in named[city]) for city in cities_held(state, faction)
    ]


def in_countryside(state: State, faction: str) -> int:
    return sum(counters(state, faction, p.countryside) for p in atlas(state).provinces.values())


def towns_held(state: State, faction: str) -> int:
    return sum(holder(state, t) == faction for p in atlas(state).provinces.values() for t in p.towns)


def allowance_of(state: State, faction: str) -> Allowance:
    """Return the faction's allowance in this state (6.10)."""
    return allowance(
        links_held(state, faction),
        towns_held(state, faction),
        in_countryside(state, faction),
        len(in_support(state, faction)),
        supply(state, faction),
    )


def new_counters(state: State, faction: str) -> int:
    """Return the number of new counters: fixed in round 0 (5.2), the allowance later (6.10)."""
    if state.round:
        return allowance_of(state, faction).allowed
    return min(IN_ROUND_0[faction], supply(state, faction))


def presence(state: State, faction: str, province: Province) -> int:
    """Return own counters that count for placing (5.2, 6.10).

    Those in countryside and towns do, those in cities by option (Q-02).
    """
    outside = outside_cities(state, province)[faction]
    if not option(state, COUNTS_CITIES):
        return outside
    return outside + sum(counters(state, faction, city) for city in province.cities)


def room_in(state: State, faction: str, province: Province, count: int) -> int:
    """Return how many counters may be placed in a province's countryside.

    Round 0 allows twice the counters there (5.2); later as many as there, or any number with the card (6.10).
    """
    here = presence(state, faction, province)
    if not state.round:
        return min(count, TIMES_IN_ROUND_0 * here)
    present = here or any(counters(state, faction, city) for city in province.cities)
    if state.provinces[province.slug] == faction and present:
        return count
    return min(count, here)


def rooms(state: State, faction: str) -> dict[str, int]:
    """Return the places for new counters, with the largest number at each."""
    count = new_counters(state, faction)
    by_place = {p.countryside: room_in(state, faction, p, count) for p in atlas(state).provinces.values()}
    by_place |= dict.fromkeys(free_cells(state, faction), min(1, count))
    return {place: room for place, room in by_place.items() if room}


@dataclass(frozen=True, slots=True)
class NewUnits:
    """Phases 5.2 and 6.10: in play order each faction places its new counters."""

    name = "new-units"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = turn_of(state)
        if faction is None:
            return []
        return [_prompt(state, faction)]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Place):
            raise not_now(action, rule=rule_of(state))
        refuse_unless_turn(state, action)
        _refuse_places(state, action)
        account = Account(state)
        _place(account, action.faction, {place: n for place, n in action.places.items() if n})
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        """Place the counters of factions that have no choice."""
        faction = turn_of(state)
        account = Account(state)
        if faction is None:
            advance(account)
            return account.outcome()
        room = rooms(state, faction)
        if sum(room.values()) > new_counters(state, faction) and len(room) > 1:
            return None
        _place(account, faction, _fill_up(room, new_counters(state, faction)))
        return account.outcome()


def _prompt(state: State, faction: str) -> Prompt:
    room = rooms(state, faction)
    count = min(new_counters(state, faction), sum(room.values()))
    return Prompt(
        faction=faction,
        title=say("prompt-place", count=count),
        rule=rule_of(state),
        example=Place(faction=faction, places=_fill_up(room, count)),
        fields=(Allocation("places", room, low=count, high=count),),
    )


def _fill_up(room: Mapping[str, int], count: int) -> dict[str, int]:
    """Fill the places in order until no counter is left."""
    chosen: dict[str, int] = {}
    for place, most in room.items():
        if count > 0:
            chosen[place] = min(most, count)
            count -= chosen[place]
    return chosen


def _refuse_places(state: State, action: Place) -> None:
    rule = rule_of(state)
    faction = action.faction
    room = rooms(state, faction)
    for place, count in action.places.items():
        if count > room.get(place, 0):
            raise _too_many(state, faction, place)
    count = new_counters(state, faction)
    placed = sum(action.places.values())
    if placed > count:
        raise Illegal(say("units-more-than", count=count, placed=placed), rule=rule)
    missing = min(count, sum(room.values())) - placed
    if missing:
        raise Illegal(say("units-still", count=missing), rule=rule)


def _too_many(state: State, faction: str, place: str) -> Illegal | BadInput:
    """Return the exception for too many counters at a place."""
    rule = rule_of(state)
    land = atlas(state)
    if place in land.cells:
        return Illegal(_cell_closed(state, faction, place), rule=rule)
    slug = place.removeprefix("countryside:")
    if place in land.home:
        return Illegal(say("units-countryside-only"), rule=rule)
    if slug == place or slug not in land.provinces:
        return BadInput(say("unknown-key", key=place[:40], known=tuple(rooms(state, faction))), rule=rule)
    room = rooms(state, faction).get(place, 0)
    if not room:
        return Illegal(say("no-counter-in", province=province_name(slug)), rule=rule)
    if state.round and state.provinces[slug] != faction and room < new_counters(state, faction):
        return Illegal(say("units-no-control", count=room), rule=rule)
    return Illegal(say("units-most", count=room), rule=rule)


def _cell_closed(state: State, faction: str, cell: str) -> Message:
    box = box_of(cell)
    if faction not in atlas(state).support[box].factions:
        return say("box-foreign", colour=Name("colour", faction), box=Name("box", box))
    user = why_closed(state, faction, box)
    if user:
        return say("box-in-use", box=Name("box", box), faction=faction_name(user))
    if not is_free(state, cell):
        return say("cell-taken")
    return say("cell-one")


def _place(account: Account[State], faction: str, places: Mapping[str, int]) -> None:
    """Place counters; those that fit nowhere go to the treasury (5.2, 6.10, Q-46)."""
    state = account.state
    rule = rule_of(state)
    count = new_counters(state, faction)
    finer = steps(allowance_of(state, faction), links_held(state, faction), in_countryside(state, faction))
    why = finer if state.round else (Step(rule, say("units-round-0", count=IN_ROUND_0[faction])),)
    account.step(rule, say("units-of", faction=faction_name(faction), count=count), steps=why)
    moves = [Move(faction, COUNTER, SUPPLY, place, places[place]) for place in sorted(places)]
    if moves:
        placed = sum(places.values())
        message = say("units-placed", faction=faction_name(faction), count=placed)
        account.step(rule, message, moves=moves, options=(COUNTS_CITIES,))
    left = count - sum(places.values())
    if left:
        message = say("units-treasury", faction=faction_name(faction), count=left)
        moves = [Move(faction, COUNTER, SUPPLY, TREASURY, left)]
        account.step(rule, message, moves=moves, options=(COUNTS_CITIES,))
    end_turn(account, faction)

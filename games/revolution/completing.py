"""Completing the sieges of a round, in play order; then the Water Beggars scatter (rulebook 6.15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core.codec import Count, Json
from games.core.errors import Illegal
from games.core.ledger import Move
from games.core.messages import Name, faction_name, say
from games.core.prompts import Prompt
from games.core.rulings import judge
from games.core.steps import Account, Step
from games.revolution.actions import Complete
from games.revolution.beggars import BOX
from games.revolution.cities import City
from games.revolution.factions import NEUTRAL, NEUTRALS, Counts
from games.revolution.pieces import ARMY, BEGGAR, placed, taken
from games.revolution.ruled import refuse_more_than
from games.revolution.sieges import BEGGARS, NEUTRALS_TOO, RULE, fall
from games.revolution.state import (
    State,
    alliances,
    armies_at,
    atlas,
    counts_at,
    everybody,
    option,
    supply,
)
from games.revolution.turns import InTurn
from games.revolution.unfolding import Path, field_of, first_of


def besiegers(state: State, faction: str, city: str) -> list[str]:
    """Who besieges a city when it is a faction's turn: its armies, and the Water Beggars it hired (Q-52)."""
    siege = f"siege:{city}"
    armies = [faction] if faction in armies_at(state, siege) else []
    hirer = state.hirer or state.order[0]
    beggars = hirer == faction and state.ledger.count(NEUTRAL, BEGGAR, siege)
    return [*armies, BEGGARS] if beggars else armies


def besieged_by(state: State, faction: str) -> tuple[str, ...]:
    """The cities whose sieges a faction completes, in the order of the chart."""
    return tuple(city for city in atlas(state).cities if besiegers(state, faction, city))


def inside(state: State, city: str) -> City:
    """A city's counters, and everybody's supply."""
    place = f"city:{city}"
    counters = {owner: n for owner, n in counts_at(state, [place]).items() if n}
    return City(counters, {owner: supply(state, owner) for owner in everybody(state)}, place)


def _fall(state: State, city: City, besieger: str) -> tuple[Step, ...]:
    return fall(city, besieger, alliances(state), neutrals_too=bool(option(state, NEUTRALS_TOO)))


def order_matters(state: State, faction: str) -> bool:
    """6.15: several sieges, and perhaps not counters enough for all of them."""
    cities = besieged_by(state, faction)
    if len(cities) < 2:  # noqa: PLR2004
        return False
    coming = [move for city in cities for move in _with_plenty(state, faction, city)]
    return any(sum(m.count for m in coming if m.owner == f) > supply(state, f) for f in (faction, NEUTRAL))


def _with_plenty(state: State, faction: str, city: str) -> list[Move]:
    """The counters that would come into a city if nobody ever ran out of them."""
    here = inside(state, city)
    endless = here._replace(supply=dict.fromkeys(here.supply, NEUTRALS))
    steps = [step for b in besiegers(state, faction, city) for step in _fall(state, endless, b)]
    return [move for step in steps for move in step.all_moves() if move.target == here.place]


@dataclass(frozen=True, slots=True)
class Orders:
    """Every order in which sieges can be completed, that of the chart first."""

    cities: tuple[str, ...]

    names = ("order",)

    def branches(self, path: Path) -> Sequence[str]:
        return [city for city in self.cities if city not in path]

    def entry(self, path: Path) -> tuple[Json, ...]:
        return (list(path),)

    def bounds(self) -> dict[str, Json]:
        return {"cities": list(self.cities)}


def prompt(state: State, faction: str) -> Prompt | None:
    if not order_matters(state, faction):
        return None
    ways = Orders(besieged_by(state, faction))
    (order,) = first_of(ways)
    return Prompt(
        faction=faction,
        title=say("prompt-complete", count=len(ways.cities)),
        rule=RULE,
        example=Complete(faction=faction, order=tuple(order)),
        fields=(field_of(ways),),
    )


def complete(account: Account[State], action: Complete) -> None:
    """6.15: in the order the besieger chooses."""
    cities = besieged_by(account.state, action.faction)
    if sorted(action.order) != sorted(cities):
        names = tuple(Name("city", city) for city in cities)
        raise Illegal(say("complete-each", cities=names), rule=RULE)
    for city in action.order:
        _complete(account, action.faction, city)


def complete_all(account: Account[State], faction: str) -> None:
    """6.15: one siege, or several whose order makes no difference."""
    for city in besieged_by(account.state, faction):
        _complete(account, faction, city)


def _complete(account: Account[State], faction: str, city: str) -> None:
    for besieger in besiegers(account.state, faction, city):
        _complete_siege(account, besieger, city)


def _complete_siege(account: Account[State], besieger: str, city: str) -> None:
    state = account.state
    here = inside(state, city)
    falling = _fall(state, here, besieger)
    found = here.after(falling).counters
    verdict = judge(state, f"siege:{city}", found, dict[str, Count], lambda result: _check(here, result))
    account.step(
        RULE,
        say("siege-ends", besieger=faction_name(besieger), city=Name("city", city)),
        moves=_exchange(here, verdict.result) if verdict.ruling else (),
        steps=(*(() if verdict.ruling else falling), _back(state, besieger, city)),
        verdict=verdict,
    )


def _check(city: City, result: Counts) -> None:
    """A ruling needs counters that are in the city or in supply."""
    refuse_more_than(result, {owner: city.has(owner) + city.left(owner) for owner in city.supply}, RULE)


def _exchange(city: City, result: Counts) -> tuple[Move, ...]:
    """The counters that go, then those that come, to make a city what the table says."""
    more = {owner: result.get(owner, 0) - city.has(owner) for owner in city.supply}
    going = (move for f, n in more.items() if n < 0 for move in taken(f, -n, place=city.place))
    coming = (move for f, n in more.items() if n > 0 for move in placed(f, n, place=city.place))
    return (*going, *coming)


def _back(state: State, besieger: str, city: str) -> Step:
    """6.15: armies go back to their strip, beggars to their box."""
    siege = f"siege:{city}"
    if besieger == BEGGARS:
        count = state.ledger.count(NEUTRAL, BEGGAR, siege)
        return Step(RULE, say("beggars-home"), (Move(NEUTRAL, BEGGAR, siege, BOX, count),))
    strip = atlas(state).region_of(f"city:{city}").strip
    count = state.ledger.count(besieger, ARMY, siege)
    return Step(
        RULE, say("army-home", faction=faction_name(besieger)), (Move(besieger, ARMY, siege, strip, count),)
    )


def scatter(account: Account[State]) -> None:
    """6.7.4: Water Beggars that are still out go home; what they stopped is forgotten."""
    for faction in account.state.order:
        complete_all(account, faction)
    ledger = account.state.ledger
    places = [*ledger.occupied("region"), *ledger.occupied("siege")]
    moves = [
        Move(NEUTRAL, BEGGAR, place, BOX, count)
        for place in places
        if (count := ledger.count(NEUTRAL, BEGGAR, place))
    ]
    if moves:
        account.step(RULE, say("beggars-home"), moves=moves)
    account.set(stopped={})


COMPLETING = InTurn("completing", RULE, Complete, prompt, complete, skip=complete_all, close=scatter)

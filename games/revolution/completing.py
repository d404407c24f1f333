"""Completing the sieges of a round in play order, and the return of the Water Beggars (rulebook 6.15)."""

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
from games.revolution.checks import refuse_more_than
from games.revolution.cities import City
from games.revolution.factions import NEUTRAL, NEUTRALS, Counts
from games.revolution.pieces import ARMY, BEGGAR, BEGGARS_BOX, placed, taken
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
    """Return who besieges a city on the faction's turn: its armies, and the beggars it hired (Q-52)."""
    siege = f"siege:{city}"
    armies = [faction] if faction in armies_at(state, siege) else []
    hirer = state.hirer or state.order[0]
    beggars = hirer == faction and state.ledger.count(NEUTRAL, BEGGAR, siege)
    return [*armies, BEGGARS] if beggars else armies


def besieged_by(state: State, faction: str) -> tuple[str, ...]:
    """Return the cities whose sieges the faction completes, in chart order."""
    return tuple(city for city in atlas(state).cities if besiegers(state, faction, city))


def inside(state: State, city: str) -> City:
    """Return the city's counters and everybody's supply."""
    place = f"city:{city}"
    counters = {owner: n for owner, n in counts_at(state, [place]).items() if n}
    return City(counters, {owner: supply(state, owner) for owner in everybody(state)}, place)


def _fall(state: State, city: City, besieger: str) -> tuple[Step, ...]:
    return fall(city, besieger, alliances(state), neutrals_too=bool(option(state, NEUTRALS_TOO)))


def order_matters(state: State, faction: str) -> bool:
    """Return whether there are several sieges and possibly too few counters for all (6.15)."""
    cities = besieged_by(state, faction)
    if len(cities) < 2:  # noqa: PLR2004 - a single siege needs no order
        return False
    arriving = [move for city in cities for move in _unlimited_arrivals(state, faction, city)]
    return any(sum(m.count for m in arriving if m.owner == f) > supply(state, f) for f in (faction, NEUTRAL))


def _unlimited_arrivals(state: State, faction: str, city: str) -> list[Move]:
    """Return the moves of counters into a city if no supply were limited."""
    here = inside(state, city)
    unlimited = here._replace(supply=dict.fromkeys(here.supply, NEUTRALS))
    steps = [step for b in besiegers(state, faction, city) for step in _fall(state, unlimited, b)]
    return [move for step in steps for move in step.all_moves() if move.target == here.place]


@dataclass(frozen=True, slots=True)
class Orders:
    """All orders of completing the sieges, chart order first."""

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
    """Complete the faction's sieges in the order it chose (6.15)."""
    cities = besieged_by(account.state, action.faction)
    if sorted(action.order) != sorted(cities):
        names = tuple(Name("city", city) for city in cities)
        raise Illegal(say("complete-each", cities=names), rule=RULE)
    for city in action.order:
        _complete(account, action.faction, city)


def complete_all(account: Account[State], faction: str) -> None:
    """Complete the faction's sieges in chart order, as the order makes no difference (6.15)."""
    for city in besieged_by(account.state, faction):
        _complete(account, faction, city)


def _complete(account: Account[State], faction: str, city: str) -> None:
    for besieger in besiegers(account.state, faction, city):
        _complete_siege(account, besieger, city)


def _complete_siege(account: Account[State], besieger: str, city: str) -> None:
    state = account.state
    here = inside(state, city)
    fall_steps = _fall(state, here, besieger)
    remaining = here.after(fall_steps).counters
    verdict = judge(
        state, f"siege:{city}", remaining, dict[str, Count], lambda result: _refuse_ruling(here, result)
    )
    account.step(
        RULE,
        say("siege-ends", besieger=faction_name(besieger), city=Name("city", city)),
        moves=_exchange(here, verdict.result) if verdict.ruling else (),
        steps=(*(() if verdict.ruling else fall_steps), _return_step(state, besieger, city)),
        verdict=verdict,
    )


def _refuse_ruling(city: City, result: Counts) -> None:
    """Raise if a ruling needs counters that are neither in the city nor in supply."""
    refuse_more_than(result, {owner: city.has(owner) + city.left(owner) for owner in city.supply}, RULE)


def _exchange(city: City, result: Counts) -> tuple[Move, ...]:
    """Return the moves that make the city what the table ruled: removals, then arrivals."""
    change = {owner: result.get(owner, 0) - city.has(owner) for owner in city.supply}
    removals = (move for f, n in change.items() if n < 0 for move in taken(f, -n, place=city.place))
    arrivals = (move for f, n in change.items() if n > 0 for move in placed(f, n, place=city.place))
    return (*removals, *arrivals)


def _return_step(state: State, besieger: str, city: str) -> Step:
    """Return the step that moves armies back to their strip, or beggars to their box (6.15)."""
    siege = f"siege:{city}"
    if besieger == BEGGARS:
        count = state.ledger.count(NEUTRAL, BEGGAR, siege)
        return Step(RULE, say("beggars-home"), (Move(NEUTRAL, BEGGAR, siege, BEGGARS_BOX, count),))
    strip = atlas(state).region_of(f"city:{city}").strip
    count = state.ledger.count(besieger, ARMY, siege)
    return Step(
        RULE, say("army-home", faction=faction_name(besieger)), (Move(besieger, ARMY, siege, strip, count),)
    )


def scatter(account: Account[State]) -> None:
    """Complete sieges that are left, then send all Water Beggars back to their box (6.7.4)."""
    for faction in account.state.order:
        complete_all(account, faction)
    ledger = account.state.ledger
    places = [*ledger.occupied("region"), *ledger.occupied("siege")]
    moves = [
        Move(NEUTRAL, BEGGAR, place, BEGGARS_BOX, count)
        for place in places
        if (count := ledger.count(NEUTRAL, BEGGAR, place))
    ]
    if moves:
        account.step(RULE, say("beggars-home"), moves=moves)
    account.set(stopped={})


COMPLETING = InTurn("completing", RULE, Complete, prompt, complete, skip=complete_all, close=scatter)

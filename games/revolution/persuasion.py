"""Influence phase: coins beside cities, movement of markers, and effects on the cities (6.16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.codec import Count
from games.core.errors import Illegal
from games.core.flow import not_now
from games.core.ledger import Move
from games.core.messages import Name, faction_name, say
from games.core.prompts import Allocation, Prompt
from games.core.rulings import judge
from games.core.steps import Account, Act, Outcome, Step
from games.revolution import citizens, influence
from games.revolution.actions import Influence
from games.revolution.checks import refuse_unknown
from games.revolution.cities import City
from games.revolution.pieces import COUNTER, placed, taken
from games.revolution.rounds import advance, end_turn, refuse_unless_turn, turn_of
from games.revolution.state import (
    TREASURY,
    State,
    atlas,
    counters,
    counts_at,
    everybody,
    is_besieged,
    option,
    supply,
    treasury,
)
from games.revolution.turns import refuse_price

RULE = influence.RULE


def beside(city: str) -> str:
    """Return the place of coins laid for a city."""
    return f"influence:{city}"


@dataclass(frozen=True, slots=True)
class Persuasion:
    """Phase 6.16: factions lay coins in play order, then markers move and cities change."""

    name = "influence"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = turn_of(state)
        if faction is None:
            return []
        coins = treasury(state, faction)
        return [
            Prompt(
                faction=faction,
                title=say("prompt-influence", count=coins),
                rule=RULE,
                example=Influence(faction=faction),
                fields=(Allocation("coins", dict.fromkeys(atlas(state).cities, coins), low=0, high=coins),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Influence):
            raise not_now(action, rule=RULE)
        refuse_unless_turn(state, action)
        return _pay(state, action)

    def resolve(self, state: State) -> Outcome[State] | None:
        """Skip factions without coins; resolve the phase after the last faction."""
        faction = turn_of(state)
        if faction is None:
            return _resolve(state)
        if treasury(state, faction):
            return None
        account = Account(state)
        account.step(RULE, say("no-coins", faction=faction_name(faction)))
        end_turn(account, faction)
        return account.outcome()


def _pay(state: State, action: Influence) -> Outcome[State]:
    refuse_unknown(action.coins, atlas(state).cities, RULE)
    total = sum(action.coins.values())
    refuse_price(state, action.faction, total, RULE)
    account = Account(state)
    laid = [(city, action.coins[city]) for city in atlas(state).cities if action.coins.get(city)]
    moves = [Move(action.faction, COUNTER, TREASURY, beside(city), count) for city, count in laid]
    name = faction_name(action.faction)
    message = say("lays-coins", faction=name, count=total) if total else say("lays-no-coins", faction=name)
    account.step(RULE, message, moves=moves)
    end_turn(account, action.faction)
    return account.outcome()


# Resolution


def _resolve(state: State) -> Outcome[State]:
    """Move all markers and send all coins to supply, then apply the effects in chart order (6.16, Q-36)."""
    account = Account(state)
    paid = [city for city in atlas(state).cities if _coins(state, city)]
    for city in paid:
        _move_marker(account, city)
    if not paid:
        account.step(RULE, say("nobody-paid"))
    for city in atlas(state).cities:
        _change_city(account, city)
    advance(account)
    return account.outcome()


def _coins(state: State, city: str) -> dict[str, int]:
    return {f: n for f in state.order if (n := counters(state, f, beside(city)))}


def column(state: State, city: str) -> int:
    return state.allegiance.get(city, atlas(state).allegiance[city])


def _move_marker(account: Account[State], city: str) -> None:
    state = account.state
    coins = _coins(state, city)
    pulled = influence.resolve(column(state, city), state.order, coins)
    verdict = judge(
        state, f"influence:{city}", pulled.end, int, lambda space: influence.refuse_column(space, RULE)
    )
    name = Name("city", city)
    finer: tuple[Step, ...]
    if verdict.ruling:
        moves = tuple(move for f, n in coins.items() for move in taken(f, n, place=beside(city)))
        finer = (Step(RULE, say("coins-return", count=sum(coins.values())), moves),)
    else:
        finer = influence.steps(pulled, beside(city))
    message = say("influence-on", city=name, start=column(state, city), end=verdict.result)
    moved = verdict.result != column(state, city)
    acts = [Act(None, say("marker-move", city=name, column=verdict.result))] if moved else []
    account.step(RULE, message, acts=acts, steps=finer, verdict=verdict)
    account.set(allegiance={**state.allegiance, city: verdict.result})


def _change_city(account: Account[State], city: str) -> None:
    """Apply the effect of an outer column (6.16); no city is under siege any more (6.15)."""
    state = account.state
    space = column(state, city)
    place = f"city:{city}"
    if space not in citizens.EFFECTS or is_besieged(state, place):
        return
    here = City(counts_at(state, (place,)), {f: supply(state, f) for f in everybody(state)}, place)
    table = citizens.Table(state.setup.players, str(option(state, citizens.SUBSTITUTE)))
    effects = citizens.adjust(here, space, table)
    remaining = {f: n for f, n in here.after(effects).counters.items() if n}
    verdict = judge(
        state,
        f"allegiance:{city}",
        remaining,
        Mapping[str, Count],
        lambda after: _refuse_counters(here, after),
    )
    message = say("allegiance-of", city=Name("city", city), column=space)
    if not verdict.ruling:
        account.step(RULE, message, steps=effects, verdict=verdict)
        return
    change = {f: verdict.result.get(f, 0) - here.has(f) for f in everybody(state)}
    moves = [m for f, n in change.items() if n < 0 for m in taken(f, -n, place=place)]
    moves += [m for f, n in change.items() if n > 0 for m in placed(f, n, place=place)]
    account.step(RULE, message, moves=moves, verdict=verdict)


def _refuse_counters(city: City, after: Mapping[str, int]) -> None:
    refuse_unknown(after, city.supply, RULE)
    short = sorted(f for f, n in after.items() if n - city.has(f) > city.left(f))
    if short:
        message = say("ruling-supply", faction=faction_name(short[0]), count=city.left(short[0]))
        raise Illegal(message, rule=RULE)

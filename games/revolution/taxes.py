"""Taxes (rulebook 6.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from games.core.actions import Action
from games.core.errors import BadInput, Illegal
from games.core.flow import not_now
from games.core.ledger import Move
from games.core.messages import Json, Message, faction_name, say
from games.core.prompts import Number, Prompt
from games.core.steps import Account, Outcome, Step
from games.revolution.actions import Tax
from games.revolution.pieces import COUNTER, SUPPLY
from games.revolution.rounds import advance, end_turn, still_to_act
from games.revolution.state import TREASURY, State, atlas, cities_held, option, provinces_held, supply

RULE = "6.1"
RATES = (1, 2, 3)
PARTIAL = "tax_partial_extra"


class Taxes(NamedTuple):
    """Taxes of a faction's cards at a rate, and the supply they are taken from."""

    provinces: Sequence[Fraction]
    cities: int
    rate: int
    supply: int

    @property
    def from_provinces(self) -> int:
        """Return the province taxes, summed first and rounded down once (6.1)."""
        return int(sum(self.provinces, Fraction(0)))

    @property
    def due(self) -> int:
        return self.from_provinces + self.rate * self.cities

    @property
    def collected(self) -> int:
        """Return the taxes due, limited to the supply (6.1)."""
        return min(self.due, self.supply)


def read_rate(rate: Json, cities: int) -> int:
    """Return the common rate of all cities; without cities, the lowest (6.1)."""
    if not cities:
        return RATES[0]
    if isinstance(rate, bool) or not isinstance(rate, int) or rate not in RATES:
        raise BadInput(say("rates", least=RATES[0], most=RATES[-1]), rule=RULE)
    return rate


def refuse_rate(taxes: Taxes, *, partial_extra: bool) -> None:
    """Raise `Illegal` for a rate above 1 that the supply does not fully cover (6.1, Q-13)."""
    if taxes.cities and taxes.rate > RATES[0] and taxes.supply < taxes.due and not partial_extra:
        raise Illegal(say("rate-too-high", rate=taxes.rate, needed=taxes.due, count=taxes.supply), rule=RULE)


def steps(taxes: Taxes) -> tuple[Step, ...]:
    """Return the steps that explain the yield of provinces and cities, and the coins collected."""
    finer = [Step(RULE, _provinces(taxes))]
    if taxes.cities:
        yields = taxes.rate * taxes.cities
        finer.append(Step(RULE, say("tax-cities", cities=taxes.cities, rate=taxes.rate, count=yields)))
    if taxes.due <= taxes.supply:
        return (Step(RULE, say("taxes", count=taxes.collected), steps=tuple(finer)),)
    options = (PARTIAL,) if taxes.cities and taxes.rate > RATES[0] else ()
    short = say("taxes-short", due=taxes.due, count=taxes.collected)
    return (Step(RULE, short, steps=tuple(finer), options=options),)


def _provinces(taxes: Taxes) -> Message:
    total = sum(taxes.provinces, Fraction(0))
    return say("tax-provinces", total=total, count=taxes.from_provinces)


# The phase


def taxes_of(state: State, faction: str, rate: int) -> Taxes:
    """Return the taxes of a faction's cards at a rate (6.1)."""
    land = atlas(state).provinces
    cards = [land[slug].tax for slug in provinces_held(state, faction)]
    return Taxes(cards, len(cities_held(state, faction)), rate, supply(state, faction))


def highest_rate(state: State, faction: str) -> int:
    """Return the highest rate that the supply covers (6.1, Q-13)."""
    partial = bool(option(state, PARTIAL))
    if not cities_held(state, faction):
        return RATES[0]
    by_rate = [taxes_of(state, faction, rate) for rate in RATES]
    return max(t.rate for t in by_rate if t.rate == RATES[0] or partial or t.supply >= t.due)


@dataclass(frozen=True, slots=True)
class Taxation:
    """Phase 6.1: all factions choose a rate at the same time; those without a choice collect at once."""

    name = "taxes"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        return [self._prompt(state, faction) for faction in still_to_act(state)]

    def _prompt(self, state: State, faction: str) -> Prompt:
        return Prompt(
            faction=faction,
            title=say("prompt-tax", count=len(cities_held(state, faction))),
            rule=RULE,
            example=Tax(faction=faction, rate=RATES[0]),
            fields=(Number("rate", RATES[0], highest_rate(state, faction)),),
        )

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Tax):
            raise not_now(action, rule=RULE)
        if action.faction not in still_to_act(state):
            raise Illegal(say("taxed-already"), rule=RULE)
        rate = read_rate(action.rate, len(cities_held(state, action.faction)))
        refuse_rate(taxes_of(state, action.faction, rate), partial_extra=bool(option(state, PARTIAL)))
        account = Account(state)
        _collect(account, action.faction, rate)
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        """Collect for the factions that have only one rate to choose."""
        account = Account(state)
        for faction in still_to_act(state):
            if highest_rate(state, faction) == RATES[0]:
                _collect(account, faction, RATES[0])
        if still_to_act(account.state):
            return account.outcome() if account.state != state else None
        advance(account)
        return account.outcome()


def _collect(account: Account[State], faction: str, rate: int) -> None:
    taxes = taxes_of(account.state, faction, rate)
    name = faction_name(faction)
    if taxes.collected:
        moves = [Move(faction, COUNTER, SUPPLY, TREASURY, taxes.collected)]
        message = say("tax-of", faction=name, count=taxes.collected)
        account.step(RULE, message, moves=moves, steps=steps(taxes), options=_options(taxes))
    else:
        account.step(RULE, say("tax-none", faction=name), steps=steps(taxes), options=_options(taxes))
    end_turn(account, faction)


def _options(taxes: Taxes) -> tuple[str, ...]:
    """Return the option Q-13 if the supply does not cover every rate."""
    return (PARTIAL,) if taxes.cities and taxes._replace(rate=RATES[-1]).due > taxes.supply else ()

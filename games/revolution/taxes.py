"""Taxes (rulebook 6.1)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from games.core.errors import BadInput, Illegal
from games.core.messages import Json, Message, say
from games.core.steps import Step

RULE = "6.1"
RATES = (1, 2, 3)
PARTIAL = "tax_partial_extra"  # the option Q-13 is about


class Taxes(NamedTuple):
    """What cards yield at a rate, and the supply it comes from."""

    provinces: Sequence[Fraction]
    cities: int
    rate: int
    supply: int

    @property
    def from_provinces(self) -> int:
        """6.1: added up first, rounded down once."""
        return int(sum(self.provinces, Fraction(0)))

    @property
    def due(self) -> int:
        return self.from_provinces + self.rate * self.cities

    @property
    def collected(self) -> int:
        """6.1: no more than the supply holds."""
        return min(self.due, self.supply)


def read_rate(rate: Json, cities: int) -> int:
    """6.1: one rate for all cities; without cities there is none."""
    if not cities:
        return RATES[0]
    if isinstance(rate, bool) or not isinstance(rate, int) or rate not in RATES:
        raise BadInput(say("rates", least=RATES[0], most=RATES[-1]), RULE)
    return rate


def refuse_rate(taxes: Taxes, *, partial_extra: bool) -> None:
    """6.1: more than the first coin of each city only where the supply covers all of it (Q-13)."""
    if taxes.cities and taxes.rate > RATES[0] and taxes.supply < taxes.due and not partial_extra:
        raise Illegal(RULE, say("rate-too-high", rate=taxes.rate, needed=taxes.due, count=taxes.supply))


def steps(taxes: Taxes) -> tuple[Step, ...]:
    """What provinces and cities yield, and what is collected."""
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

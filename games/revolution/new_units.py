"""How many new counters a faction gets (rulebook 6.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from games.core.messages import say
from games.core.steps import Step

RULE = "6.10"
LEAST = 7
COUNTRYSIDE = 5  # counters there for a new one


class Allowance(NamedTuple):
    """New counters by where they come from; the sum follows from the parts."""

    parts: Mapping[str, int]
    supply: int

    @property
    def total(self) -> int:
        return sum(self.parts.values())

    @property
    def allowed(self) -> int:
        """6.10: seven at least, and no more than there are."""
        return min(max(LEAST, self.total), self.supply)


def allowance(links: Sequence[int], towns: int, counters: int, support: int, supply: int) -> Allowance:
    """6.10: ``links`` are, for each city card held, the places on it that the same faction controls.

    ``counters`` are those in all countryside together; ``support`` without Huguenots used this round.
    """
    parts = {
        "cities": sum(1 + held for held in links),
        "towns": towns,
        "countryside": counters // COUNTRYSIDE,
        "support": support,
    }
    return Allowance(parts, supply)


def steps(found: Allowance, links: Sequence[int], counters: int) -> tuple[Step, ...]:
    """The parts, their sum, and what the least and the supply make of it."""
    parts = found.parts
    finer = (
        Step(RULE, say("units-cities", count=parts["cities"], cards=len(links), links=sum(links))),
        Step(RULE, say("units-towns", count=parts["towns"])),
        Step(RULE, say("units-countryside", count=parts["countryside"], counters=counters)),
        Step(RULE, say("units-support", count=parts["support"])),
    )
    return (Step(RULE, say("units", count=found.total), steps=finer), *_bounds(found))


def _bounds(found: Allowance) -> tuple[Step, ...]:
    steps: tuple[Step, ...] = ()
    if found.total < LEAST:
        steps += (Step(RULE, say("units-least", least=LEAST)),)
    if found.supply < max(LEAST, found.total):
        steps += (Step(RULE, say("units-supply", count=found.supply)),)
    return steps

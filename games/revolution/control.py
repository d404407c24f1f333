"""Control of cities and provinces (rulebook 5.7 and 6.17)."""

from __future__ import annotations

from games.core.messages import Message, faction_name, say
from games.core.steps import Step
from games.revolution.factions import NEUTRAL, Counts

RULE = "6.17"


def majority(counters: Counts) -> str | None:
    """5.7, 6.17: who has more counters than all others together; neutrals count but hold nothing.

    Of a province only countryside and towns count, never its cities (Q-03).
    """
    total = sum(counters.values())
    return next((f for f, count in counters.items() if f != NEUTRAL and 2 * count > total), None)


def step(counters: Counts, rule: str = RULE) -> Step:
    """Who holds the card, and why."""
    return Step(rule, _why(counters))


def _why(counters: Counts) -> Message:
    if not sum(counters.values()):
        return say("control-empty")
    most = max(counters, key=lambda f: counters[f])  # the first of level ones; none of them has a majority
    numbers = {"count": counters[most], "others": sum(counters.values()) - counters[most]}
    if majority(counters):
        return say("control", faction=faction_name(most), **numbers)
    code = "control-neutral" if most == NEUTRAL and numbers["count"] > numbers["others"] else "control-nobody"
    return say(code, faction=faction_name(most), **numbers)

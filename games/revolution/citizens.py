"""The allegiance of a city's people changes its counters (rulebook 6.16)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from games.core.messages import faction_name, say
from games.core.steps import Step
from games.revolution.cities import City
from games.revolution.factions import (
    BURGHERS,
    CATHOLICS,
    EVERYBODY,
    HABSBURGS,
    NEUTRAL,
    NOBILITY,
    REFORMERS,
    names,
    plays,
)
from games.revolution.pieces import taken

RULE = "6.16"
SUBSTITUTE = "reformer_substitute"  # the option Q-08 is about
ANTI_CATHOLICS = (REFORMERS, BURGHERS)  # in the order in which they have to go
CATHOLIC_CHAIN = (CATHOLICS, HABSBURGS, NEUTRAL)
THREE = 3


class Table(NamedTuple):
    """What the substitutes depend on."""

    players: int
    substitute: str = "B_then_N3p"


def reformer_chain(table: Table) -> tuple[str, ...]:
    """6.16: who comes where a Reformer should, from the first choice to the last (Q-08)."""
    if table.substitute == "N":
        return (REFORMERS, *((NOBILITY,) if plays(NOBILITY, table.players) else ()), NEUTRAL)
    return (REFORMERS, BURGHERS, *((NOBILITY,) if table.players == THREE else ()), NEUTRAL)


# The four effects. Each looks at a city and says what happens there.


def remove_anti_catholic(city: City, _table: Table) -> Step:
    """Columns 1 and 2: a Reformer goes, without Reformers a Burgher."""
    goes = next((f for f in ANTI_CATHOLICS if city.has(f)), None)
    if goes is None:
        return Step(RULE, say("no-anti-catholic"))
    return Step(RULE, say("anti-catholic-goes", faction=faction_name(goes)), taken(goes, place=city.place))


def add_catholic(city: City, _table: Table) -> Step:
    """Column 1: a Catholic comes, without any a Habsburg."""
    return _add(city, CATHOLIC_CHAIN, ())


def add_reformer(city: City, table: Table) -> Step:
    """Columns 6 and 7: a Reformer comes, or a substitute."""
    return _add(city, reformer_chain(table), (SUBSTITUTE,))


def _add(city: City, chain: tuple[str, ...], options: tuple[str, ...]) -> Step:
    moves = city.enter(chain, 1)
    if not moves:
        return Step(RULE, say("nobody-to-add"), options=options)
    comes = moves[0].owner
    if comes == chain[0]:
        return Step(RULE, say("comes", faction=faction_name(comes)), moves)
    without = names(chain[: chain.index(comes)])
    return Step(
        RULE, say("comes-instead", faction=faction_name(comes), without=without), moves, options=options
    )


def replace_by_reformers(city: City, table: Table) -> Step:
    """Column 7: all but Reformers go home, neutrals too; then as many Reformers come, or substitutes.

    They are home before the others come, so that a Burgher may come straight back.
    """
    others = tuple(f for f in EVERYBODY if f != REFORMERS and city.has(f))
    count = sum(city.has(f) for f in others)
    if not count:
        return Step(RULE, say("only-reformers"))
    out = Step(RULE, say("others-go", factions=names(others), count=count), city.leave(others))
    return Step(RULE, say("replaced", count=count), steps=(out, _fill(city.after((out,)), table, count)))


def _fill(city: City, table: Table, count: int) -> Step:
    moves = city.enter(reformer_chain(table), count)
    coming = tuple(say("so-many", count=move.count, faction=faction_name(move.owner)) for move in moves)
    missing = count - sum(move.count for move in moves)
    options = () if [move.owner for move in moves] == [REFORMERS] else (SUBSTITUTE,)
    if not moves:
        return Step(RULE, say("nobody-to-add"), options=options)
    message = say("come-short", coming=coming, missing=missing) if missing else say("come", coming=coming)
    return Step(RULE, message, moves, options=options)


Effect: TypeAlias = Callable[[City, Table], Step]

EFFECTS: Mapping[int, tuple[Effect, ...]] = {
    1: (remove_anti_catholic, add_catholic),
    2: (remove_anti_catholic,),
    6: (add_reformer,),
    7: (add_reformer, replace_by_reformers),
}
"""6.16: what the outer columns of the chart do; the three in the middle do nothing."""


def adjust(city: City, space: int, table: Table) -> tuple[Step, ...]:
    """6.16: the effects of a column, each on what the one before has left."""
    if space not in EFFECTS:
        return (Step(RULE, say("column-calm", space=space)),)
    steps: tuple[Step, ...] = ()
    for effect in EFFECTS[space]:
        steps += (effect(city.after(steps), table),)
    return steps

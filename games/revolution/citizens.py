"""Effects of the citizens' allegiance on a city's counters (rulebook 6.16)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from games.core.messages import faction_name, faction_names, say
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
    THREE,
    plays,
)
from games.revolution.pieces import taken

RULE = "6.16"
SUBSTITUTE = "reformer_substitute"
ANTI_CATHOLICS = (REFORMERS, BURGHERS)  # in order of removal
CATHOLIC_CHAIN = (CATHOLICS, HABSBURGS, NEUTRAL)


class Table(NamedTuple):
    """Facts of the table that substitutes depend on."""

    players: int
    substitute: str = "B_then_N3p"


def reformer_chain(table: Table) -> tuple[str, ...]:
    """Return the owners that supply a Reformer or its substitute, by preference (6.16, Q-08)."""
    if table.substitute == "N":
        return (REFORMERS, *((NOBILITY,) if plays(NOBILITY, table.players) else ()), NEUTRAL)
    return (REFORMERS, BURGHERS, *((NOBILITY,) if table.players == THREE else ()), NEUTRAL)


# The four effects: each returns the step for a city.


def remove_anti_catholic(city: City, _table: Table) -> Step:
    """Columns 1 and 2: remove a Reformer, or a Burgher if there is none."""
    removed = next((f for f in ANTI_CATHOLICS if city.has(f)), None)
    if removed is None:
        return Step(RULE, say("no-anti-catholic"))
    return Step(
        RULE, say("anti-catholic-goes", faction=faction_name(removed)), taken(removed, place=city.place)
    )


def add_catholic(city: City, _table: Table) -> Step:
    """Column 1: add a Catholic, else a Habsburg, else a neutral."""
    return _add(city, CATHOLIC_CHAIN, ())


def add_reformer(city: City, table: Table) -> Step:
    """Columns 6 and 7: add a Reformer, or a substitute from supply."""
    return _add(city, reformer_chain(table), (SUBSTITUTE,))


def _add(city: City, chain: tuple[str, ...], options: tuple[str, ...]) -> Step:
    moves = city.enter(chain, 1)
    if not moves:
        return Step(RULE, say("nobody-to-add"), options=options)
    added = moves[0].owner
    if added == chain[0]:
        return Step(RULE, say("comes", faction=faction_name(added)), moves)
    without = faction_names(chain[: chain.index(added)])
    return Step(
        RULE, say("comes-instead", faction=faction_name(added), without=without), moves, options=options
    )


def replace_by_reformers(city: City, table: Table) -> Step:
    """Column 7: replace all but Reformers, neutrals included, by Reformers or substitutes.

    The others return to supply first, so a Burgher may come straight back.
    """
    others = tuple(f for f in EVERYBODY if f != REFORMERS and city.has(f))
    count = sum(city.has(f) for f in others)
    if not count:
        return Step(RULE, say("only-reformers"))
    out = Step(RULE, say("others-go", factions=faction_names(others), count=count), city.leave(others))
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
"""Effects of the outer columns of the chart; the three in the middle have none (6.16)."""


def adjust(city: City, space: int, table: Table) -> tuple[Step, ...]:
    """Return the effects of a column, each applied to the result of the previous one (6.16)."""
    if space not in EFFECTS:
        return (Step(RULE, say("column-calm", space=space)),)
    steps: tuple[Step, ...] = ()
    for effect in EFFECTS[space]:
        steps += (effect(city.after(steps), table),)
    return steps

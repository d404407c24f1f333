"""Test helpers: a Wallenstein table, where players plan each season in secret."""

from __future__ import annotations

from typing import Any

from companion.journal.states import game_of, state_at
from companion.journal.submit import Accepted, submit
from companion.models import Table
from companion.tables.opening import NewSeat, open_table, start
from tests.tables.sitting import Sitting

FACTIONS = ("red", "blue", "yellow")
NAMES = ("Ada", "Béla", "Carla")


def seated(players: int = 3) -> Sitting:
    """Return a table whose game has started, without entries."""
    seats = [NewSeat(name, faction) for name, faction in zip(NAMES, FACTIONS, strict=True)]
    opened = open_table(game="wallenstein", seats=seats[:players])
    tokens = {seat.faction: token for seat, token in opened.seats}
    sitting = Sitting(opened.table, opened.host_token, tokens)
    start(table=sitting.table, access=sitting.host)
    return sitting


def planning(players: int = 3) -> Sitting:
    """Return a table where everybody has to plan the first season."""
    sitting = seated(players)
    until(sitting, lambda table: table.phase == "planning")
    return sitting


def until(sitting: Sitting, reached: Any) -> Table:
    """Submit example entries until the condition holds for the table."""
    for _ in range(400):
        table = sitting.fresh()
        if reached(table):
            return table
        faction, action = proposed(sitting)
        enter(sitting, faction, action)
    raise AssertionError("never got there")


def proposed(sitting: Sitting, faction: str | None = None) -> tuple[str, Any]:
    """Return a prompted faction (or the given one) and an action that would be accepted."""
    table = sitting.fresh()
    prompts = game_of(table).prompts(state_at(table, table.head))
    prompt = next(prompt for prompt in prompts if faction in (None, prompt.faction))
    return prompt.faction, prompt.example_json()


def enter(sitting: Sitting, faction: str, action: Any) -> Accepted:
    return submit(table=sitting.table, access=sitting.host, faction=faction, action=action)


def plan(sitting: Sitting, faction: str) -> int:
    """Submit the example plan of a faction and return the number of the entry."""
    return enter(sitting, *proposed(sitting, faction)).number


def other_plan(sitting: Sitting, faction: str) -> dict[str, Any]:
    """Return a plan that differs from the example plan in its last card."""
    _faction, action = proposed(sitting, faction)
    cards = dict(action["cards"])
    last = list(cards)[-1]
    cards["movement-b"] = cards.pop(last)
    return {**action, "cards": cards}


def next_season(sitting: Sitting) -> Table:
    """Play to the next season, when all plans of this one are revealed."""
    now = sitting.fresh().round
    return until(sitting, lambda table: table.round > now)

"""A table of a game with secrets, for tests: Wallenstein, where people plan a season unseen."""

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
    """The game has begun; nothing is entered yet."""
    seats = [NewSeat(name, faction) for name, faction in zip(NAMES, FACTIONS, strict=True)]
    opened = open_table(game="wallenstein", seats=seats[:players])
    tokens = {seat.faction: token for seat, token in opened.seats}
    sitting = Sitting(opened.table, opened.host_token, tokens)
    start(table=sitting.table, access=sitting.host)
    return sitting


def planning(players: int = 3) -> Sitting:
    """Everybody is to plan the first season."""
    sitting = seated(players)
    until(sitting, lambda table: table.phase == "planning")
    return sitting


def until(sitting: Sitting, there: Any) -> Table:
    """Enter what is proposed, until the table stands where it should."""
    for _ in range(400):
        table = sitting.fresh()
        if there(table):
            return table
        faction, action = proposed(sitting)
        enter(sitting, faction, action)
    raise AssertionError("never got there")


def proposed(sitting: Sitting, faction: str | None = None) -> tuple[str, Any]:
    """Somebody who is asked, and an entry that would be accepted."""
    table = sitting.fresh()
    prompts = game_of(table).prompts(state_at(table, table.head))
    prompt = next(one for one in prompts if faction in (None, one.faction))
    return prompt.faction, prompt.example_json()


def enter(sitting: Sitting, faction: str, action: Any) -> Accepted:
    return submit(table=sitting.table, access=sitting.host, faction=faction, action=action)


def plan(sitting: Sitting, faction: str) -> int:
    """A faction plans as it is proposed; gives the number of the entry."""
    return enter(sitting, *proposed(sitting, faction)).number


def other_plan(sitting: Sitting, faction: str) -> dict[str, Any]:
    """Another plan than the one that is proposed, from the last actions of the season on."""
    _faction, action = proposed(sitting, faction)
    cards = dict(action["cards"])
    last = list(cards)[-1]
    cards["movement-b"] = cards.pop(last)
    return {**action, "cards": cards}


def next_season(sitting: Sitting) -> Table:
    """The season is over: all cards of it have been turned over."""
    now = sitting.fresh().round
    return until(sitting, lambda table: table.round > now)

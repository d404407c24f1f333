"""Test helpers: tables with players, entries, and checks of all stored rows."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from django.apps import apps

from companion.access.table_access import TableAccess, identify
from companion.errors import Refusal
from companion.journal.integrity import examine
from companion.journal.states import game_of, state_at
from companion.journal.submit import Accepted, submit
from companion.models import Seat, Table
from companion.tables.opening import NewSeat, open_table, start

FACTIONS = ("blue", "yellow", "green", "red")
NAMES = ("Ada", "Béla", "Carla", "Dario")


@dataclass(frozen=True)
class Sitting:
    """A table with the tokens of its host and players."""

    table: Table
    host_token: str
    tokens: Mapping[str, str]  # faction -> token

    @property
    def host(self) -> TableAccess:
        return identify(self.table, [self.host_token])

    def access(self, faction: str) -> TableAccess:
        return identify(self.table, [self.tokens[faction]])

    def seat(self, faction: str) -> Seat:
        return self.table.seats.get(faction=faction)

    def fresh(self) -> Table:
        return Table.objects.get(pk=self.table.pk)


def sit(players: int = 2, options: Any = None) -> Sitting:
    """Return an open Raubritter table with seated players."""
    seats = [
        NewSeat(name, faction) for name, faction in zip(NAMES[:players], FACTIONS[:players], strict=True)
    ]
    opened = open_table(game="raubritter", seats=seats, options=options)
    tokens = {seat.faction: token for seat, token in opened.seats}
    return Sitting(opened.table, opened.host_token, tokens)


def play(players: int = 2, entries: int = 0, options: Any = None) -> Sitting:
    """Return a table whose game has started, with some random entries."""
    sitting = sit(players, options)
    start(table=sitting.table, access=sitting.host)
    play_on(sitting, entries)
    return sitting


def play_on(sitting: Sitting, entries: int, seed: int = 1) -> list[Accepted]:
    """Submit random legal entries, reproducible by their seed."""
    generator = random.Random(seed)
    return [enter(sitting, *offered(sitting.table, generator)) for _ in range(entries)]


def offered(table: Table, generator: random.Random | None = None) -> tuple[str, dict[str, Any]]:
    """Return a faction and an action that it may submit now."""
    prompts = game_of(table).prompts(state_at(table, table.head))
    if generator is None:
        return prompts[0].faction, prompts[0].example_json()
    prompt = generator.choice(prompts)
    return prompt.faction, prompt.sample(generator.randrange)


def enter(sitting: Sitting, faction: str, action: Any, key: str | None = None) -> Accepted:
    return submit(
        table=sitting.table, access=sitting.access(faction), faction=faction, action=action, key=key
    )


def correction(count: int = 20, faction: str = "blue", reason: str = "counted") -> dict[str, Any]:
    """Return a correction, which is legal at any time of a game."""
    return {
        "type": "correct",
        "owner": faction,
        "piece": "knight",
        "place": "cell:0,0",
        "count": count,
        "reason": reason,
    }


def rows() -> dict[str, list[dict[str, Any]]]:
    """Return all rows of the application's models, by model name."""
    models = apps.get_app_config("companion").get_models()
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in models}


@contextlib.contextmanager
def refused(code: str) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """Assert that the body raises `Refusal` with this code and changes no row."""
    before = rows()
    with pytest.raises(Refusal) as caught:
        yield caught
    assert caught.value.code == code
    assert caught.value.message
    assert rows() == before


def assert_sound(table: Table) -> None:
    """Assert that the journal folds to its stored steps and to the mirror."""
    assert str(examine(table=Table.objects.get(pk=table.pk))) == ""

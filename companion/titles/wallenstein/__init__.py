"""Wallenstein: map, entry forms and battle odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from companion.models import Table
from companion.titles.walks import Walk
from companion.titles.wallenstein import position
from companion.titles.wallenstein.board import chart_of, plan_in
from companion.titles.wallenstein.forms import screen_of
from companion.titles.wallenstein.odds import forecast
from companion.titles.wallenstein.parsing import action_of, form_of
from companion.titles.wallenstein.tower import prior_for
from companion.titles.wallenstein.walk import walk
from games.core.actions import Position
from games.core.codec import Json
from games.core.prompts import Prompt
from games.wallenstein.learning import THUMB, Prior
from games.wallenstein.pieces import CUP, TOWER
from games.wallenstein.state import State


@dataclass(frozen=True)
class WallensteinScreen:
    """Implements ``companion.titles.base.Screen``. Without a table, odds ignore earlier games."""

    table: Table | None = None

    folder = "wallenstein"
    css = ("css/atlas.css", "css/wallenstein.css")
    js = ("js/asking.js", "js/atlas.js", "js/picks.js", "js/wallenstein.js")
    phases = ("row", "events", "winter")
    spills = MappingProxyType({CUP: TOWER})  # cubes fall out when somebody bumps into the table (5.10)

    def board(self, state: State) -> Mapping[str, Any]:
        return chart_of(state)

    def secret(self, state: State) -> Mapping[str, Any]:
        return {"plan": plan_in(state)}

    def prompt(self, state: State, prompts: Sequence[Prompt]) -> Mapping[str, Any]:
        return screen_of(state, prompts, lambda: self.prior)

    def action(self, form: Mapping[str, str]) -> Json:
        return action_of(form)

    def form(self, action: Mapping[str, Any]) -> Mapping[str, str]:
        return form_of(action)

    def forecast(self, state: State, faction: str, form: Mapping[str, str]) -> list[str]:
        return forecast(state, faction, form, self.prior)

    def position(self, state: State, place: str, owner: str) -> Mapping[str, Any]:  # noqa: ARG002 - required by the protocol
        return position.position(state, place)

    def initial_facts(self, state: State) -> Mapping[str, Json]:
        return position.initial_facts(state)

    def tap(self, state: State, draft: Position, form: Mapping[str, str]) -> Position | None:
        return position.tap(state, draft, form)

    def for_table(self, table: Table) -> WallensteinScreen:
        return WallensteinScreen(table)

    @cached_property
    def prior(self) -> Prior:
        """Return the tower prior; computed only for screens with odds, because it folds earlier games."""
        return prior_for(self.table) if self.table else THUMB

    def walk(self, state: State) -> Walk:
        return walk(state)


SCREEN = WallensteinScreen()

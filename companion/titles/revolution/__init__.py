"""Revolution: map, entry forms and forecasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.titles.revolution.board import chart_of
from companion.titles.revolution.forecast import forecast
from companion.titles.revolution.forms import action_of, form_of, screen_of
from companion.titles.revolution.position import PHASES, initial_facts, position, tap
from companion.titles.revolution.walk import walk
from companion.titles.walks import Walk
from games.core.actions import Position
from games.core.codec import Json
from games.core.prompts import Prompt
from games.revolution.state import State


class RevolutionScreen:
    """Implements ``companion.titles.base.Screen``."""

    folder = "revolution"
    css = ("css/atlas.css", "css/revolution.css")
    js = ("js/asking.js", "js/atlas.js", "js/revolution.js")
    phases = PHASES

    def board(self, state: State) -> Mapping[str, Any]:
        return chart_of(state)

    def prompt(self, state: State, prompts: Sequence[Prompt]) -> Mapping[str, Any]:
        return screen_of(state, prompts)

    def action(self, form: Mapping[str, str]) -> Json:
        return action_of(form)

    def form(self, action: Mapping[str, Any]) -> Mapping[str, str]:
        return form_of(action)

    def forecast(self, state: State, faction: str, form: Mapping[str, str]) -> list[str]:
        return forecast(state, faction, form)

    def position(self, state: State, place: str, owner: str) -> Mapping[str, Any]:  # noqa: ARG002 - each owner has its own buttons
        return position(state, place)

    def initial_facts(self, state: State) -> Mapping[str, Json]:
        return initial_facts(state)

    def tap(self, state: State, draft: Position, form: Mapping[str, str]) -> Position | None:
        return tap(state, draft, form)

    def walk(self, state: State) -> Walk:
        return walk(state)


SCREEN = RevolutionScreen()

"""Signoria: main board, player boards, entry forms and forecasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.titles.signoria.board import chart_of
from companion.titles.signoria.forms import forecast, screen_of
from companion.titles.signoria.parsing import action_of, form_of
from companion.titles.signoria.position import PHASES, initial_facts, position, tap
from companion.titles.signoria.walk import walk
from companion.titles.walks import Walk
from games.core.actions import Position
from games.core.codec import Json
from games.core.prompts import Prompt
from games.signoria.state import State


class SignoriaScreen:
    """Implements ``companion.titles.base.Screen``."""

    folder = "signoria"
    css = ("css/signoria.css",)
    js = ("js/asking.js", "js/picks.js", "js/signoria.js")
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


SCREEN = SignoriaScreen()

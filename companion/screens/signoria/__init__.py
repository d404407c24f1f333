"""Signoria on phones and TV: player boards and the shared board, what a player is asked, what would come of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from companion.screens.signoria.chart import chart_of
from companion.screens.signoria.forms import forecast, screen_of
from companion.screens.signoria.sent import action_of, form_of
from games.core.codec import Json
from games.core.prompts import Prompt
from games.signoria.state import State


class SignoriaScreen:
    """Implements ``companion.screens.Screen``."""

    folder = "signoria"
    css = ("css/signoria.css",)
    js = ("js/signoria.js",)

    def board(self, state: State, changed: Collection[str] = ()) -> Mapping[str, Any]:
        return chart_of(state, changed)

    def prompt(self, state: State, prompts: Sequence[Prompt]) -> Mapping[str, Any]:
        return screen_of(state, prompts)

    def action(self, form: Mapping[str, str]) -> Json:
        return action_of(form)

    def form(self, action: Mapping[str, Any]) -> Mapping[str, str]:
        return form_of(action)

    def forecast(self, state: State, faction: str, form: Mapping[str, str]) -> list[str]:
        return forecast(state, faction, form)


SCREEN = SignoriaScreen()

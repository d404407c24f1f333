"""Wallenstein on phones and TV: the map, what a player is asked, how a battle may end."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from companion.screens.wallenstein.chart import chart_of
from companion.screens.wallenstein.forms import screen_of
from companion.screens.wallenstein.odds import forecast
from companion.screens.wallenstein.reading import action_of, form_of
from games.core.codec import Json
from games.core.prompts import Prompt
from games.wallenstein.state import State


class WallensteinScreen:
    """Implements ``companion.screens.Screen``."""

    folder = "wallenstein"
    css = ("css/atlas.css", "css/wallenstein.css")
    js = ("js/atlas.js", "js/wallenstein.js")

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


SCREEN = WallensteinScreen()

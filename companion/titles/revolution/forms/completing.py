"""Completing sieges (6.15)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, Fields
from companion.titles.revolution.names import name
from companion.titles.widgets import Choice
from games.core.prompts import Prompt
from games.revolution.state import State


class CompleteForm(EntryForm):
    """The order of the besieged cities, in the fields ``o.0``, ``o.1`` …"""

    action = "complete"

    def context(self, _state: State, prompt: Prompt) -> dict[str, Any]:
        cities = prompt.example_json()["order"]
        rows = [
            {
                "field": f"o.{i}",
                "title": str(i + 1),
                "choices": [
                    Choice(city, name("city", city), chosen=at == i) for at, city in enumerate(cities)
                ],
            }
            for i in range(len(cities))
        ]
        return {"kind": "order", "rows": rows, "buttons": [Button(self.action, _("Complete the sieges"))]}

    def parse(self, form: Form) -> Fields:
        return {"order": [city for key, city in sorted(form.items()) if key.startswith("o.")]}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {f"o.{i}": city for i, city in enumerate(action["order"])}

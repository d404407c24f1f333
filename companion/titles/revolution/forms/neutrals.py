"""Neutrals (5.4, 6.12): provinces that get the last of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, Fields
from companion.titles.revolution.names import name
from companion.titles.widgets import Choice
from games.core.prompts import Prompt
from games.revolution.neutrals import to_choose
from games.revolution.state import State


class ShortageForm(EntryForm):
    """Provinces as checkboxes ``p.<province>``."""

    action = "shortage"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        return {
            "kind": "some",
            "choices": [Choice(slug, name("province", slug)) for slug in to_choose(state)[1]],
            "field": "p",
            "count": len(prompt.example_json()["provinces"]),
            "buttons": [Button(self.action, _("Place the last neutrals"), needs_choice=True)],
        }

    def parse(self, form: Form) -> Fields:
        return {"provinces": [key.removeprefix("p.") for key in form if key.startswith("p.")]}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {f"p.{slug}": "on" for slug in action["provinces"]}

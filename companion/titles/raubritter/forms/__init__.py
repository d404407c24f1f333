"""Entry forms of Robber Knights, one class per action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, EntryForms, Fields
from companion.titles.raubritter.forms.march import MarchForm
from companion.titles.raubritter.forms.tiles import LayForm, PlaceForm
from games.core.prompts import Prompt
from games.raubritter.state import State, tiles_left


class EndForm(EntryForm):
    """The end of a turn: a button beside the form for the next tile (5.2)."""

    action = "end"

    def context(self, _state: State, _prompt: Prompt) -> dict[str, Any]:
        return {"buttons": [Button(self.action, gettext("End the turn"))]}

    def parse(self, _form: Form) -> Fields:
        return {}

    def fill(self, _action: Mapping[str, Any]) -> Fields:
        return {}


FORMS = EntryForms(LayForm(), PlaceForm(), MarchForm(), EndForm())


def prompt_context(state: State, prompts: Sequence[Prompt]) -> Mapping[str, Any]:
    """Return the data of ``prompt.html``: the form of the first prompt, with the buttons of all."""
    if not prompts:
        return {"kind": "", "buttons": []}
    first = prompts[0]
    contexts = [FORMS[prompt.action].context(state, prompt) for prompt in prompts]
    # A new id per entry keeps the browser from carrying choices over to the next form.
    turn = f"{state.round}.{tiles_left(state, first.faction)}"
    return {
        **contexts[0],
        "kind": first.action,
        "id": f"{first.faction}-{turn}-{first.action}-",
        "buttons": [button for context in contexts for button in context["buttons"]],
    }

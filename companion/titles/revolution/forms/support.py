"""Support (5.1, 6.2): moving support counters, and intercepting the Spanish Treasury."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, Fields
from companion.titles.revolution.forms.base import NumberForm, with_prefix
from companion.titles.revolution.forms.widgets import one_of
from companion.titles.revolution.names import name
from companion.titles.widgets import Choice, only_field
from games.core.prompts import Choices, Number, Prompt
from games.revolution.state import TREASURY, State


class SupportForm(EntryForm):
    """Targets of support counters, in the fields ``s.<cell>``; empty if a counter stays."""

    action = "support"

    def context(self, _state: State, prompt: Prompt) -> dict[str, Any]:
        rows = []
        for cell, targets in only_field(prompt, Choices).options.items():
            box = cell.partition(":")[0]
            choices = [Choice(str(target), _target_name(str(target))) for target in targets]
            rows.append({"field": f"s.{cell}", "title": name("box", box), "choices": choices})
        return {"kind": "support", "rows": rows, "buttons": [Button(self.action, _("Move support"))]}

    def parse(self, form: Form) -> Fields:
        moves = {key.removeprefix("s."): target for key, target in form.items() if key.startswith("s.")}
        return {"moves": {cell: target for cell, target in moves.items() if target}}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return with_prefix("s.", action["moves"])


def _target_name(target: str) -> str:
    return _("to the treasury") if target == TREASURY else name("province", target)


class InterceptForm(NumberForm):
    """Number of counters that the Huguenots intercept."""

    action = "intercept"
    field = "count"

    def context(self, _state: State, prompt: Prompt) -> dict[str, Any]:
        most = only_field(prompt, Number).high
        choices = [Choice(str(n), str(n) if n else _("Let them pass")) for n in range(most + 1)]
        return one_of(choices, self.field, Button(self.action, _("Intercept"), needs_choice=True))

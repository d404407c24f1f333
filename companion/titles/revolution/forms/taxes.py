"""Taxes (6.1)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.titles.base import Button
from companion.titles.revolution.forms.base import NumberForm
from companion.titles.revolution.forms.widgets import one_of
from companion.titles.widgets import Choice, only_field
from games.core.prompts import Number, Prompt
from games.revolution.state import State, supply, treasury
from games.revolution.taxes import taxes_of


class TaxForm(NumberForm):
    """The tax rate."""

    action = "tax"
    field = "rate"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        rates = only_field(prompt, Number)
        choices = [_rate(state, prompt.faction, rate) for rate in range(rates.low, rates.high + 1)]
        return one_of(choices, self.field, Button(self.action, _("Collect taxes"), needs_choice=True))


def _rate(state: State, faction: str, rate: int) -> Choice:
    collected = taxes_of(state, faction, rate).collected
    label = ngettext("Rate %(rate)d: %(count)d coin", "Rate %(rate)d: %(count)d coins", collected)
    detail = _("leaves %(left)d in supply, %(coins)d in the treasury")
    left, coins = supply(state, faction) - collected, treasury(state, faction) + collected
    return Choice(
        str(rate), label % {"rate": rate, "count": collected}, detail % {"left": left, "coins": coins}
    )

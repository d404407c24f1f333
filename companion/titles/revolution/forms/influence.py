"""Influence (6.16): coins beside cities."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Button
from companion.titles.revolution.board import chips_of
from companion.titles.revolution.forms.base import AllocationForm
from companion.titles.revolution.forms.widgets import Block, Line, Sum, counts
from companion.titles.revolution.names import name
from companion.titles.widgets import only_field
from games.core.prompts import Allocation, Prompt
from games.revolution.persuasion import column
from games.revolution.state import State, treasury


class InfluenceForm(AllocationForm):
    """Coins by city."""

    action = "influence"
    field = "coins"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        allocation = only_field(prompt, Allocation)
        lines = tuple(
            Line(
                f"n.{city}",
                name("city", city),
                allocation.high,
                chips_of(state, [f"city:{city}"]),
                _("column %(column)d") % {"column": column(state, city)},
                cost=1,
            )
            for city in allocation.most
        )
        return counts(
            [Block("", lines)],
            Sum(0, allocation.high, treasury(state, prompt.faction)),
            Button(self.action, _("Lay the coins")),
            forecast=True,
        )

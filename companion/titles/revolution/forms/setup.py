"""Setup (3.6): the first armies of the Habsburgs."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Button
from companion.titles.revolution.forms.base import AllocationForm
from companion.titles.revolution.forms.texts import region_name
from companion.titles.revolution.forms.widgets import Block, Line, Sum, counts
from companion.titles.widgets import only_field
from games.core.prompts import Allocation, Prompt
from games.revolution.state import State


class StartArmiesForm(AllocationForm):
    """Armies by region."""

    action = "start-armies"
    field = "regions"

    def context(self, _state: State, prompt: Prompt) -> dict[str, Any]:
        allocation = only_field(prompt, Allocation)
        lines = tuple(
            Line(f"n.{region}", region_name(region), most) for region, most in allocation.most.items()
        )
        return counts(
            [Block(_("Regions with an orange box"), lines)],
            Sum(allocation.low, allocation.high),
            Button(self.action, _("Place the armies"), needs_choice=True),
        )

"""Recruiting (6.4)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Button
from companion.titles.revolution.forms.base import AllocationForm
from companion.titles.revolution.forms.texts import box_count, region_name
from companion.titles.revolution.forms.widgets import Block, Line, Sum, counts
from companion.titles.widgets import only_field
from games.core.prompts import Allocation, Prompt
from games.revolution.armies import PRICES
from games.revolution.state import State, treasury


class RecruitForm(AllocationForm):
    """New armies by region."""

    action = "recruit"
    field = "regions"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        allocation = only_field(prompt, Allocation)
        lines = tuple(
            Line(f"n.{region}", region_name(region), most, detail=box_count(most))
            for region, most in allocation.most.items()
        )
        prices = tuple(PRICES[prompt.faction][: allocation.high + 1])
        return counts(
            [Block(_("Where you are present"), lines)],
            Sum(0, allocation.high, treasury(state, prompt.faction), prices),
            Button(self.action, _("Recruit")),
        )

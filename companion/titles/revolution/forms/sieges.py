"""Sieges (6.6)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Button
from companion.titles.revolution.board import chips_of
from companion.titles.revolution.forms.base import AllocationForm
from companion.titles.revolution.forms.texts import army_count, region_name
from companion.titles.revolution.forms.widgets import Block, Line, Sum, counts
from companion.titles.revolution.names import name
from companion.titles.widgets import only_field
from games.core.prompts import Allocation, Group, Prompt
from games.revolution.state import State, atlas


class BesiegeForm(AllocationForm):
    """Besieging armies by city."""

    action = "besiege"
    field = "cities"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        allocation = only_field(prompt, Allocation)
        blocks = [_region(state, allocation, group) for group in allocation.groups]
        return counts(blocks, Sum(0, allocation.high), Button(self.action, _("Lay sieges")))


def _region(state: State, allocation: Allocation, group: Group) -> Block:
    lines = tuple(
        Line(f"n.{city}", name("city", city), allocation.most[city], chips_of(state, [f"city:{city}"]))
        for city in group.keys
    )
    region = atlas(state).region_of(f"city:{group.keys[0]}").slug
    return Block(region_name(region), lines, group.most, army_count(group.most))

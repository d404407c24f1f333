"""Conflict (5.3, 6.11): losses, where it matters from which place they are taken."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.titles.base import Button
from companion.titles.revolution.board import Chip
from companion.titles.revolution.forms.base import AllocationForm
from companion.titles.revolution.forms.texts import name_in_province
from companion.titles.revolution.forms.widgets import Block, Line, Sum, counts
from companion.titles.revolution.names import name
from companion.titles.widgets import only_field
from games.core.prompts import Allocation, Group, Prompt
from games.revolution.state import State, atlas, counters


class LossesForm(AllocationForm):
    """Removed counters by place."""

    action = "losses"
    field = "places"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        allocation = only_field(prompt, Allocation)
        return counts(
            [_province(state, prompt, group) for group in allocation.groups],
            Sum(allocation.low, allocation.high),
            Button(self.action, _("Take these")),
            note=_("A town that is left empty lets others pass on the river."),
        )


def _province(state: State, prompt: Prompt, group: Group) -> Block:
    most, defaults = only_field(prompt, Allocation).most, prompt.example_json()["places"]
    lines = tuple(
        Line(
            f"n.{place}",
            name_in_province(place),
            most[place],
            (Chip(prompt.faction, counters(state, prompt.faction, place)),),
            value=defaults.get(place, 0),
        )
        for place in group.keys
    )
    province = atlas(state).province_of(group.keys[0]).slug
    lost = ngettext("%(count)d goes", "%(count)d go", group.most) % {"count": group.most}
    return Block(name("province", province), lines, group.most, lost)

"""Military influence (6.9): armies replace counters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, Fields
from companion.titles.revolution.board import Chip
from companion.titles.revolution.forms.base import numbers, repeats
from companion.titles.revolution.forms.texts import army_count, region_name
from companion.titles.revolution.forms.widgets import Block, Line, Sum, counts
from companion.titles.revolution.names import place_name
from games.core.prompts import Prompt
from games.revolution.military import conversions
from games.revolution.state import State


class ConvertForm(EntryForm):
    """Numbers of replaced counters, in the fields ``c.<region>|<place>|<owner>``."""

    action = "convert"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        ways = conversions(state, prompt.faction)
        blocks = []
        for region, count in ways.armies.items():
            lines = tuple(
                Line(f"c.{region}|{place}|{owner}", place_name(place), there, (Chip(owner, there),))
                for here, place, owner, there in ways.there
                if here == region
            )
            blocks.append(Block(region_name(region), lines, count, army_count(count)))
        high = min(ways.supply, sum(ways.armies.values()))
        return counts(blocks, Sum(0, high), Button(self.action, _("Replace counters")))

    def parse(self, form: Form) -> Fields:
        targets = []
        for key, count in numbers(form, "c.").items():
            region, place, owner = (*key.split("|"), "", "")[:3]
            targets += [{"region": region, "place": place, "owner": owner}] * repeats(count)
        return {"targets": targets}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        targets = [
            f"c.{target['region']}|{target['place']}|{target['owner']}" for target in action["targets"]
        ]
        return {target: targets.count(target) for target in targets}

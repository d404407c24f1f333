"""Army movement (6.8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, Fields
from companion.titles.revolution.forms.base import numbers, repeats
from companion.titles.revolution.forms.texts import army_count, box_count, region_name
from companion.titles.revolution.forms.widgets import Block, Line, Sum, counts
from games.core.prompts import Prompt
from games.revolution.marches import Ground, ground_of
from games.revolution.state import State


class MarchForm(EntryForm):
    """Numbers of armies that march, in the fields ``m.<source>><target>``."""

    action = "march"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        ground = ground_of(state, prompt.faction)
        blocks = [_region(ground, region) for region in ground.armies if ground.arrows[region]]
        return counts(blocks, Sum(0, sum(ground.armies.values())), Button(self.action, _("Move the armies")))

    def parse(self, form: Form) -> Fields:
        """Return the marches, ordered so that armies leave a region before others enter: they free boxes."""
        marches = [(key.partition(">"), repeats(count)) for key, count in numbers(form, "m.").items()]
        waiting = [(source, target, count) for (source, _arrow, target), count in marches if count]
        moves: list[list[str]] = []
        while waiting:
            sources = {source for source, _target, _count in waiting}
            march = next((march for march in waiting if march[1] not in sources), waiting[0])
            waiting.remove(march)
            source, target, count = march
            moves += [[source, target]] * count
        return {"moves": moves}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        marches = [f"m.{source}>{target}" for source, target in action["moves"]]
        return {march: marches.count(march) for march in marches}


def _region(ground: Ground, region: str) -> Block:
    count = ground.armies[region]
    lines = tuple(
        Line(f"m.{region}>{target}", f"→ {region_name(target)}", count, detail=box_count(ground.free[target]))
        for target in ground.arrows[region]
    )
    return Block(region_name(region), lines, count, army_count(count), _warnings(ground.stops.get(region, 0)))


def _warnings(count: int) -> tuple[str, ...]:
    """Return a warning if Water Beggars stop armies that leave."""
    template = ngettext(
        "Water Beggars stop the first army that tries to leave.",
        "Water Beggars stop the first %(count)d armies that try to leave.",
        count,
    )
    return (template % {"count": count},) if count else ()

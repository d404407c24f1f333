"""Overflow (5.5, 6.13): surplus counters move to other provinces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, Fields
from companion.titles.revolution.board import chips_of
from companion.titles.revolution.forms.base import numbers
from companion.titles.revolution.forms.widgets import Block, Line, Sum, counts
from companion.titles.revolution.names import name, place_name
from games.core.prompts import Prompt
from games.revolution import overflow
from games.revolution.state import State, atlas, holder, open_places


class OverflowForm(EntryForm):
    """Numbers of counters that move, in the fields ``o.<source>><target>``."""

    action = "overflow"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        surpluses = overflow.surpluses(state, prompt.faction)
        return counts(
            [_province(state, prompt.faction, source, count) for source, count in surpluses.items()],
            Sum(0, sum(surpluses.values())),
            Button(self.action, _("Move the surplus")),
            note=_("What does not move returns to supply."),
        )

    def parse(self, form: Form) -> Fields:
        moves = [(*key.partition(">")[::2], count) for key, count in numbers(form, "o.").items()]
        return {
            "moves": [{"source": source, "target": target, "count": count} for source, target, count in moves]
        }

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {f"o.{move['source']}>{move['target']}": move["count"] for move in action["moves"]}


def _province(state: State, faction: str, source: str, count: int) -> Block:
    provinces = atlas(state).provinces
    lines = tuple(
        Line(
            f"o.{source}>{target}",
            name("province", target),
            min(count, room),
            chips_of(state, open_places(state, provinces[target])),
            _("room for %(count)d") % {"count": room},
        )
        for target in overflow.outlets(state, faction).get(source, [])
        if (room := overflow.room(state, provinces[target])) > 0
    )
    above = _("%(count)d above the limit") % {"count": count}
    return Block(name("province", source), lines, count, above, _closed_ways(state, source, faction))


def _closed_ways(state: State, source: str, faction: str) -> tuple[str, ...]:
    """Return the provinces on a river that cannot be reached, and what blocks them."""
    return tuple(
        _("%(province)s cannot be reached: %(places)s in the way")
        % {
            "province": name("province", slug),
            "places": ", ".join(
                f"{place_name(place)} ({name('faction', holder(state, place) or '')})" for place in places
            ),
        }
        for slug, places in overflow.blocked(state, source, faction).items()
        if places
    )

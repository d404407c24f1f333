"""New units (5.2, 6.10): new counters in the countryside and in support boxes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.titles.base import Button, Form
from companion.titles.entry_forms import Fields
from companion.titles.revolution.board import chips_of
from companion.titles.revolution.forms.base import AllocationForm, numbers
from companion.titles.revolution.forms.texts import region_name
from companion.titles.revolution.forms.widgets import Block, Line, Sum, counts
from companion.titles.revolution.names import name
from companion.titles.widgets import only_field
from games.core.prompts import Allocation, Prompt
from games.revolution.new_units import allowance_of, new_counters
from games.revolution.state import State, atlas, box_of, open_places


class PlaceForm(AllocationForm):
    """New counters by place. The free cells of a kind in a box share a field ``cells.<cell>,<cell>…``.

    When an action is refilled, its support cells match no field and start empty: the names of the fields list
    the cells that were free at the time.
    """

    action = "place"
    field = "places"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        allocation = only_field(prompt, Allocation)
        label = _("Place %(count)d") % {"count": allocation.high}
        return counts(
            [*_provinces(state, allocation), *_support(state, allocation)],
            Sum(allocation.low, allocation.high),
            Button(self.action, label, needs_choice=True),
            parts=_allowance(state, prompt.faction),
            forecast=True,
        )

    def parse(self, form: Form) -> Fields:
        """Return the counters by place; a number for cells of one kind fills the first of them."""
        places = numbers(form, "n.")
        for cells, count in numbers(form, "cells.").items():
            filled = count if isinstance(count, int) else 0
            places |= dict.fromkeys(cells.split(",")[:filled], 1)
        return {self.field: places}


def _provinces(state: State, allocation: Allocation) -> list[Block]:
    by_region: dict[str, list[Line]] = {}
    for place, most in allocation.most.items():
        if place.startswith("countryside:"):
            province = atlas(state).province_of(place)
            chips = chips_of(state, open_places(state, province))
            fill = f"{sum(chip.count for chip in chips)}/{province.limit}"
            line = Line(f"n.{place}", name("province", province.slug), most, chips, fill)
            by_region.setdefault(province.region, []).append(line)
    return [Block(region_name(region), tuple(lines)) for region, lines in by_region.items()]


def _support(state: State, allocation: Allocation) -> list[Block]:
    cells = [place for place in allocation.most if not place.startswith("countryside:")]
    return [Block(_("Support"), _joined(state, cells))] if cells else []


def _joined(state: State, cells: Iterable[str]) -> tuple[Line, ...]:
    """Return one line for all free cells of a kind in a box: it does not matter which of them are filled."""
    kinds = atlas(state).cells
    by_kind: dict[tuple[str, str], list[str]] = {}
    for cell in cells:
        by_kind.setdefault((box_of(cell), kinds[cell]), []).append(cell)
    return tuple(
        Line(f"cells.{','.join(free)}", name("box", box), len(free), detail=_cell_count(kind, len(free)))
        for (box, kind), free in by_kind.items()
    )


def _cell_count(kind: str, count: int) -> str:
    words = {
        "map": ngettext("%(count)d cell, to the map", "%(count)d cells, to the map", count),
        "treasury": ngettext("%(count)d cell, to the treasury", "%(count)d cells, to the treasury", count),
        "both": ngettext("%(count)d cell, to either", "%(count)d cells, to either", count),
    }
    return words[kind] % {"count": count}


def _allowance(state: State, faction: str) -> str:
    """Return the number of new counters and its parts as a sum; empty in round 0."""
    if not state.round:
        return ""
    allowed = allowance_of(state, faction)
    parts = ", ".join(f"{count} {name('part', part)}" for part, count in allowed.parts.items() if count)
    return f"{new_counters(state, faction)} = {parts}" if parts else str(new_counters(state, faction))

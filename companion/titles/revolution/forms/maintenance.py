"""Maintenance (6.3): armies that are maintained, disbanded or released, and pillage by released armies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, Fields
from companion.titles.revolution.forms.base import numbers, with_prefix
from companion.titles.revolution.forms.texts import army_count, region_name
from companion.titles.revolution.forms.widgets import Block, Line, Sum, counts, one_of
from companion.titles.revolution.names import name, place_name
from companion.titles.widgets import Choice, only_field
from games.core.prompts import Joint, Prompt
from games.revolution import maintenance
from games.revolution.state import State, treasury


class MaintainForm(EntryForm):
    """Armies by region, in the fields ``maintain.<region>`` and ``disband.<region>``."""

    action = "maintain"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        armies, defaults = maintenance.armies_of(state, prompt.faction), prompt.example_json()["maintain"]
        blocks = [
            _region(prompt.faction, region, count, defaults.get(region, 0))
            for region, count in armies.items()
        ]
        return counts(
            blocks,
            Sum(0, sum(armies.values()), coins=treasury(state, prompt.faction)),
            Button(self.action, _("Settle the armies")),
            note=_("What is neither maintained nor sent home is released, and pillages."),
        )

    def parse(self, form: Form) -> Fields:
        return {"maintain": numbers(form, "maintain."), "disband": numbers(form, "disband.")}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {**with_prefix("maintain.", action["maintain"]), **with_prefix("disband.", action["disband"])}


def _region(faction: str, region: str, count: int, maintained: int) -> Block:
    upkeep = maintenance.upkeep(faction)
    lines = (
        Line(f"maintain.{region}", _("Maintain"), count, value=maintained, cost=upkeep),
        Line(f"disband.{region}", _("Send home"), count, cost=maintenance.DISBANDING),
    )
    return Block(region_name(region), lines, count, army_count(count))


class PillageForm(EntryForm):
    """The target of a released army, in the field ``target`` as ``<place>|<owner>``."""

    action = "pillage"

    def context(self, _state: State, prompt: Prompt) -> dict[str, Any]:
        choices = [_target(str(place), owner) for place, owner in only_field(prompt, Joint).options]
        return one_of(choices, "target", Button(self.action, _("Pillage"), needs_choice=True))

    def parse(self, form: Form) -> Fields:
        place, _bar, owner = form.get("target", "").partition("|")
        return {"place": place, "owner": owner or None}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {"target": f"{action['place']}|{action['owner'] or ''}"}


def _target(place: str, owner: str | None) -> Choice:
    label = place_name(place)
    if owner is None:
        return Choice(f"{place}|", label, _("a neutral comes into its province"))
    detail = _("%(owner)s lose a counter") % {"owner": name("faction", owner)}
    return Choice(f"{place}|{owner}", label, detail, owner=owner)

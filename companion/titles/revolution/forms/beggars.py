"""Water Beggars (6.7): hiring them, and their deeds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, Fields
from companion.titles.revolution.forms.base import AllocationForm
from companion.titles.revolution.forms.texts import region_name
from companion.titles.revolution.forms.widgets import Block, Line, Sum, counts, one_of
from companion.titles.revolution.names import name, place_name
from companion.titles.widgets import Choice, number, only_field
from games.core.codec import Json
from games.core.prompts import Allocation, Joint, Prompt
from games.revolution.beggars import PRICE
from games.revolution.state import State, treasury


class HireForm(AllocationForm):
    """Hired Water Beggars by region."""

    action = "hire"
    field = "regions"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        allocation = only_field(prompt, Allocation)
        lines = tuple(
            Line(f"n.{region}", region_name(region), most, cost=PRICE)
            for region, most in allocation.most.items()
        )
        return counts(
            [Block(_("Regions the Water Beggars reach"), lines)],
            Sum(0, allocation.high, treasury(state, prompt.faction)),
            Button(self.action, _("Hire Water Beggars")),
            note=_("Without any, the Water Beggars are left to others."),
        )


class BeggarsForm(EntryForm):
    """A use of Water Beggars, in the field ``use`` as ``<region>|<use>|<count>|<target>``."""

    action = "beggars"

    def context(self, _state: State, prompt: Prompt) -> dict[str, Any]:
        choices = [_use(*option) for option in only_field(prompt, Joint).options]
        return one_of(choices, "use", Button(self.action, _("Send the Water Beggars"), needs_choice=True))

    def parse(self, form: Form) -> Fields:
        region, use, count, target = (*form.get("use", "").split("|"), "", "", "", "")[:4]
        return {"region": region, "do": use, "count": number(count), "target": target or None}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {"use": f"{action['region']}|{action['do']}|{action['count']}|{action['target'] or ''}"}


def _use(region: Json, use: Json, count: Json, target: Json) -> Choice:
    uses = {
        "destroy": _("destroy an army"),
        "relieve": _("relieve a siege"),
        "pillage": _("pillage a town"),
        "besiege": _("besiege a city"),
        "stay": _("stay and block"),
    }
    label = f"{region_name(str(region))}: {uses[str(use)]}"
    beggars = ngettext("%(count)d Water Beggar", "%(count)d Water Beggars", count) % {"count": count}
    detail = f"{beggars} · {_target_name(str(target))}" if target else beggars
    return Choice(f"{region}|{use}|{count}|{target or ''}", label, detail)


def _target_name(target: str) -> str:
    return place_name(target) if ":" in target else name("city", target)

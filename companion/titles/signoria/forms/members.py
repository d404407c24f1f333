"""Members from the general supply (5.8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Form
from companion.titles.entry_forms import Fields
from companion.titles.signoria.forms import texts
from companion.titles.signoria.forms.base import WHITE, FacesForm, WayForm, encode, ways_of
from companion.titles.signoria.forms.widgets import Choice, Group
from games.core.prompts import Prompt
from games.signoria.members import LAST_WOMAN
from games.signoria.pieces import MAN, WOMAN
from games.signoria.state import State, in_supply


class DescendantsForm(FacesForm):
    action = "descendants"

    def context(self, _state: State, prompt: Prompt) -> dict[str, Any]:
        count = len(ways_of(prompt)[0]["dice"])
        note = _("1 to %(last)d brings a woman, more a man.") % {"last": LAST_WOMAN}
        return self.faces_part(prompt, {WHITE: count}, note)

    def parse(self, form: Form) -> Fields:
        return {"dice": self.parse_dice(form).get(WHITE, [])}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return self.fill_dice({WHITE: action["dice"]})


class GainForm(WayForm):
    action = "gain"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        choices = tuple(
            Choice(encode(way), texts.members(way["men"], way["women"])) for way in ways_of(prompt)
        )
        men, women = in_supply(state, prompt.faction, MAN), in_supply(state, prompt.faction, WOMAN)
        note = _("In the supply: %(members)s.") % {"members": texts.members(men, women)}
        return self.ways_part(prompt, _("Take them"), [Group("", choices, note=note)])

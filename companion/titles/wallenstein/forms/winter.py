"""Form of the winter (5.9): the provinces of a hunger revolt."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.titles.base import Button
from companion.titles.wallenstein.forms.provinces import by_region
from companion.titles.wallenstein.forms.shared import CardListForm, FormContext, bounds, form_context
from companion.titles.wallenstein.forms.widgets import Picks, numbered_slots
from games.core.prompts import Prompt
from games.wallenstein.state import State, grain_of, provinces_of


class HungerForm(CardListForm):
    """The province cards drawn for a hunger revolt, in order."""

    action = "hunger"
    cards = "provinces"

    def context(self, state: State, prompt: Prompt) -> FormContext:
        limits = bounds(prompt)
        count = limits["count"]
        provinces = by_region(state, limits["provinces"])
        return form_context(
            [Picks("", numbered_slots(count), provinces, low=count, is_ordered=count > 1)],
            Button(self.action, ngettext("This one revolts", "These revolt", count), needs_choice=True),
            lead=_reason(state, prompt.faction),
            note=_("Shuffle your province cards without the blank ones and draw."),
        )


def _reason(state: State, faction: str) -> str:
    """Return the reason of a hunger revolt, and its number of extra cubes."""
    _faction, _count, extra = state.frames[-1].data["hungry"][0]
    params = {"provinces": len(provinces_of(state, faction)), "grain": grain_of(state, faction)}
    shortage = _("Provinces %(provinces)d, grain %(grain)d.") % params
    more = ngettext(
        "In each, %(count)d green cube fights beside those for unrest.",
        "In each, %(count)d green cubes fight beside those for unrest.",
        extra,
    )
    return f"{shortage} {more % {'count': extra}}"

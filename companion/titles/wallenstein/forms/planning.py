"""Forms of planning (5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, Fields
from companion.titles.wallenstein.forms.provinces import by_region
from companion.titles.wallenstein.forms.shared import (
    CardListForm,
    FormContext,
    action_cards,
    bounds,
    form_context,
)
from companion.titles.wallenstein.forms.widgets import Picks, Slot, numbered_slots
from companion.titles.wallenstein.names import name
from games.core.prompts import Prompt
from games.wallenstein.cards import OPEN_ACTIONS
from games.wallenstein.planning import BLANKS
from games.wallenstein.state import State, gold_of, grain_of, supply_of


class AnnounceForm(CardListForm):
    """The actions on which a player with too few cards places none."""

    action = "announce"
    cards = "actions"

    def context(self, _state: State, prompt: Prompt) -> FormContext:
        ways = bounds(prompt)["options"]
        count = len(ways[0])
        actions = dict.fromkeys(action for way in ways for action in way)
        return form_context(
            [Picks("", numbered_slots(count), action_cards(actions), low=count)],
            Button(self.action, _("Announce"), needs_choice=True),
            note=_("You have too few cards for all spaces. What you choose stays empty, openly."),
        )


class PlanForm(EntryForm):
    """A province card for each action: ``c.recruit-5``, ``c.movement-a``, …."""

    action = "plan"

    def context(self, state: State, prompt: Prompt) -> FormContext:
        limits = bounds(prompt)
        picks = Picks(
            "",
            _slots(state, limits["actions"]),
            by_region(state, limits["provinces"]),
            low=limits["least"],
            blank=_("blank"),
            done=_("Plan, {count} blank"),
        )
        note = _(
            "Tap a card for the marked space, then one for the next. At most %(count)d spaces stay blank."
        )
        return form_context(
            [picks],
            Button(self.action, _("Plan the season"), needs_choice=True),
            lead=_means(state, prompt.faction),
            note=note % {"count": BLANKS},
            memory=f"plan-{state.round}-{prompt.faction}",
        )

    def parse(self, form: Form) -> Fields:
        return {"cards": {key[2:]: value for key, value in form.items() if key.startswith("c.") and value}}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {f"c.{key}": province for key, province in action["cards"].items()}


def _slots(state: State, actions: tuple[str, ...]) -> tuple[Slot, ...]:
    """Return a slot for each action: the open action cards in their order, then the others."""
    row = state.row[:OPEN_ACTIONS]
    ordered = [a for a in row if a in actions] + [a for a in actions if a not in row]
    return tuple(Slot(f"c.{a}", name("action", a), is_hidden=a not in row) for a in ordered)


def _means(state: State, faction: str) -> str:
    """Return a sentence with gold, grain and cubes of a player."""
    params = {
        "gold": gold_of(state, faction),
        "grain": grain_of(state, faction),
        "cubes": supply_of(state, faction),
    }
    return _("You have: gold %(gold)d, grain %(grain)d, cubes in supply %(cubes)d.") % params

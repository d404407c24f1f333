"""Forms of the set-up (3): filling the tower, taking or drafting provinces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, Fields
from companion.titles.wallenstein.forms.provinces import armies_text, by_region, province_choice
from companion.titles.wallenstein.forms.shared import (
    CardListForm,
    FallenCubesForm,
    FormContext,
    PlainForm,
    bounds,
    form_context,
)
from companion.titles.wallenstein.forms.widgets import Picks, SingleChoice, Slot, Widget, numbered_slots
from companion.titles.wallenstein.names import short_name
from companion.titles.widgets import Choice, number
from games.core.prompts import Prompt
from games.wallenstein.board import tables_of, thrown_at_start
from games.wallenstein.pieces import PEASANTS
from games.wallenstein.state import State


class FillForm(FallenCubesForm):
    """The cubes that fall out when the tower is filled."""

    action = "fill"

    def context(self, state: State, prompt: Prompt) -> FormContext:
        setup = state.setup
        params = {
            "cubes": thrown_at_start(setup, setup.first),
            "green": thrown_at_start(setup, PEASANTS),
        }
        note = _(
            "Throw in at once: cubes of everybody %(cubes)d, green ones %(green)d. What lies in the cup now?"
        )
        button = Button(self.action, _("That fell out"))
        return form_context([self.cubes(prompt, thrown={})], button, note=note % params)


class TakeForm(PlainForm):
    """The provinces of a letter of the first-game table."""

    action = "take"
    texts = ("letter",)

    def context(self, state: State, prompt: Prompt) -> FormContext:
        tables = tables_of(state.setup)
        choices = tuple(
            Choice(letter, letter, ", ".join(f"{short_name(p)} {n}" for p, n in tables[letter].items()))
            for letter in bounds(prompt)["options"]
        )
        button = Button(self.action, _("Take these provinces"), needs_choice=True)
        return form_context([SingleChoice("letter", "", choices)], button)


class OpenForm(CardListForm):
    """The two province cards that are face up when the draft begins."""

    action = "open"

    def context(self, state: State, prompt: Prompt) -> FormContext:
        button = Button(self.action, _("Lay these two open"), needs_choice=True)
        return form_context([_pair(state, prompt, self.prefix)], button)


class ReplaceForm(CardListForm):
    """The two province cards that replace the open ones; on the same page as the form of the draft."""

    action = "replace"
    prefix = "r."

    def context(self, state: State, prompt: Prompt) -> FormContext:
        return form_context([_pair(state, prompt, self.prefix)], Button(self.action, _("Replace both")))


def _pair(state: State, prompt: Prompt, prefix: str) -> Picks:
    """Return the widget for two cards of the deck."""
    cards = sorted({card for pair in bounds(prompt)["options"] for card in pair})
    return Picks("", numbered_slots(2, prefix), by_region(state, cards), low=2)


class DraftForm(EntryForm):
    """A province card and a group of armies, and the card turned up from the deck."""

    action = "draft"
    deck = "deck"  # value of ``card`` if the drafted card is not one of the open ones

    def context(self, state: State, prompt: Prompt) -> FormContext:
        takes, groups = (field.bounds()["options"] for field in prompt.fields)
        opened = [card for card in dict.fromkeys(card for card, _turned in takes) if _is_open(state, card)]
        deck = sorted({card for card, _turned in takes if card not in opened})
        cards = [province_choice(state, card) for card in opened]
        if deck:
            cards.append(Choice(self.deck, _("The top card of the deck")))
        armies = tuple(Choice(str(n), armies_text(n)) for n in groups)
        widgets: list[Widget] = [
            SingleChoice("card", _("Which card do you take?"), tuple(cards)),
            SingleChoice("armies", _("With which group?"), armies),
        ]
        if deck:
            title = _("Which card was turned up from the deck?")
            widgets.insert(1, Picks(title, (Slot("deck.0", ""),), by_region(state, deck), low=1))
        return form_context(widgets, Button(self.action, _("Take the province"), needs_choice=True))

    def parse(self, form: Form) -> Fields:
        card, turned = form.get("card", ""), form.get("deck.0", "")
        armies = number(form.get("armies", ""))
        if card == self.deck:
            return {"province": turned, "armies": armies, "turned": None}
        return {"province": card, "armies": armies, "turned": turned or None}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        province, turned = action["province"], action["turned"]
        card, deck = (province, turned) if turned else (self.deck, province)
        return {"card": card, "deck.0": deck, "armies": action["armies"]}


def _is_open(state: State, card: str) -> bool:
    return card in (state.frames[-1].data["open"] or ())

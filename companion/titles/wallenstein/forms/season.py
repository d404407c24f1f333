"""Forms of the course of a season (4): event row, action row, play order, event of the season."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import SystemRandom
from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, Fields
from companion.titles.wallenstein.forms.shared import (
    CardListForm,
    FormContext,
    PlainForm,
    action_cards,
    action_choices,
    bounds,
    form_context,
)
from companion.titles.wallenstein.forms.widgets import EventCards, Lots, Picks, SingleChoice, numbered_slots
from companion.titles.wallenstein.names import event_title, name
from companion.titles.widgets import Choice, number
from games.core.prompts import Prompt
from games.wallenstein.options import SHUFFLED
from games.wallenstein.season import PLAIN_LOSS
from games.wallenstein.state import State


class EventsForm(EntryForm):
    """The four event cards of a year with their grain losses: ``e.0``, ``l.0``, …."""

    action = "events"

    def context(self, _state: State, prompt: Prompt) -> FormContext:
        limits = bounds(prompt)
        choices = tuple(
            Choice(event, event_title(event)) for event, copies in limits["events"].items() if copies > 0
        )
        rows = tuple(range(limits["count"]))
        return form_context(
            [EventCards(rows, choices, PLAIN_LOSS, limits["high"])],
            Button(self.action, _("Lay the event row"), needs_choice=True),
            note=_("The number is the grain everybody loses if the card is left for winter."),
        )

    def parse(self, form: Form) -> Fields:
        numbered = [key[2:] for key in sorted(form) if key.startswith("e.") and form[key]]
        return {
            "cards": [{"event": form[f"e.{i}"], "loss": number(form.get(f"l.{i}", "0"))} for i in numbered],
        }

    def fill(self, action: Mapping[str, Any]) -> Fields:
        cards = list(enumerate(action["cards"]))
        return {f"e.{i}": card["event"] for i, card in cards} | {f"l.{i}": card["loss"] for i, card in cards}


class RowForm(CardListForm):
    """The five open action cards."""

    action = "row"

    def context(self, _state: State, prompt: Prompt) -> FormContext:
        limits = bounds(prompt)
        count = limits["count"]
        cards = action_cards(limits["actions"])
        return form_context(
            [Picks("", numbered_slots(count), cards, low=count, is_ordered=True)],
            Button(self.action, _("These lie open"), needs_choice=True),
            note=_("Tap the cards in the order in which they lie."),
        )


class OrderForm(CardListForm):
    """The play order, as shuffled by the players or by the app."""

    action = "order"
    cards = "order"

    def context(self, state: State, _prompt: Prompt) -> FormContext:
        choices = tuple(Choice(f, name("faction", f), owner=f) for f in state.setup.factions)
        count = len(choices)
        picks = Picks("", numbered_slots(count), (("", choices),), low=count, is_ordered=True)
        if state.setup.options["player_order"] == SHUFFLED:
            return form_context(
                [replace(picks, low=0), Lots(state.setup.factions)],
                Button(self.action, _("Lay the play order")),
                note=_("Tap nothing and the app shuffles; or tap the players in the order that lies there."),
            )
        return form_context(
            [picks],
            Button(self.action, _("Play in this order"), needs_choice=True),
            note=_("Tap the players in the order of their general cards."),
        )

    def parse(self, form: Form) -> Fields:
        """Return the chosen order; if none was chosen and the app may shuffle, a random one."""
        tapped, lots = self.listed(form), form.get("lots", "").split()
        if lots and not tapped:
            SystemRandom().shuffle(lots)
            return {"order": lots}
        return {"order": tapped}


class EventForm(PlainForm):
    """The event of the season: the number of its card in the event row."""

    action = "event"
    numbers = ("card",)

    def context(self, state: State, _prompt: Prompt) -> FormContext:
        choices = tuple(
            Choice(str(i), event_title(card.event), _("grain loss %(loss)d") % {"loss": card.loss})
            for i, card in enumerate(state.events)
        )
        button = Button(self.action, _("This is the event"), needs_choice=True)
        return form_context([SingleChoice("card", "", choices)], button)


class TurnForm(PlainForm):
    """The action card turned up after an action."""

    action = "turn"
    texts = ("card",)

    def context(self, _state: State, prompt: Prompt) -> FormContext:
        choices = action_choices(bounds(prompt)["options"])
        button = Button(self.action, _("Turned up"), needs_choice=True)
        return form_context([SingleChoice("card", "", choices)], button)

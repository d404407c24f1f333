"""Forms of the actions: turning over cards (5.2), recruiting (5.5), movement (5.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, Fields
from companion.titles.wallenstein.forms.provinces import province_choice, target_choice
from companion.titles.wallenstein.forms.shared import FormContext, PlainForm, bounds, form_context
from companion.titles.wallenstein.forms.widgets import Number, SingleChoice, Widget
from companion.titles.wallenstein.names import short_name
from companion.titles.widgets import Choice, number
from games.core.prompts import Prompt
from games.wallenstein.board import price_of
from games.wallenstein.cards import RECRUIT_1
from games.wallenstein.movement import card_of
from games.wallenstein.state import State

YES, NO = "yes", "no"


class RevealForm(EntryForm):
    """The province card on an action, if players plan on their boards; an empty value is a blank card."""

    action = "reveal"

    def context(self, state: State, prompt: Prompt) -> FormContext:
        choices = tuple(
            province_choice(state, card) if card else Choice("", _("A blank card"))
            for card in bounds(prompt)["options"]
        )
        button = Button(self.action, _("Turn it over"), needs_choice=True)
        return form_context([SingleChoice("province", "", choices)], button)

    def parse(self, form: Form) -> Fields:
        return {"province": form.get("province", "") or None}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {"province": action["province"] or ""}


class RecruitForm(EntryForm):
    """Recruit 1: an army, a move into a neighbouring province of one's own, or both."""

    action = "recruit"

    def context(self, state: State, prompt: Prompt) -> FormContext:
        ways = bounds(prompt)["options"]
        targets = list(dict.fromkeys(target for _place, target, _armies in ways))
        widgets: list[Widget] = [_placing(state, {place for place, _target, _armies in ways})]
        if targets != [None]:
            choices = tuple(
                target_choice(state, target, prompt.faction) if target else Choice("", _("Nobody moves"))
                for target in targets
            )
            most = max(armies for _place, _target, armies in ways)
            widgets += [
                SingleChoice("target", _("Move into a province of your own"), choices),
                Number("armies", _("Armies that move"), 1, most, 1),
            ]
        button = Button(self.action, _("Recruit and move"), needs_choice=True)
        return form_context(widgets, button, borders=card_of(state).province)

    def parse(self, form: Form) -> Fields:
        target = form.get("target", "") or None
        return {
            "place": form.get("place", "") == YES,
            "target": target,
            "armies": number(form.get("armies", "0")) if target else 0,
        }

    def fill(self, action: Mapping[str, Any]) -> Fields:
        placed = {"place": YES if action["place"] else NO, "target": action["target"] or ""}
        return {**placed, "armies": action["armies"]} if action["target"] else placed


def _placing(state: State, ways: set[bool]) -> SingleChoice:
    price = price_of(state.setup, RECRUIT_1)
    choices = {
        True: Choice(YES, _("Recruit one army"), _("%(gold)d gold") % {"gold": price}),
        False: Choice(NO, _("Recruit none")),
    }
    return SingleChoice("place", "", tuple(choices[place] for place in sorted(ways, reverse=True)))


class MoveForm(PlainForm):
    """A neighbouring province and the number of armies that move or attack."""

    action = "move"
    texts = ("target",)
    numbers = ("armies",)

    def context(self, state: State, prompt: Prompt) -> FormContext:
        targets, armies = (field.bounds() for field in prompt.fields)
        choices = tuple(target_choice(state, target, prompt.faction) for target in targets["options"])
        low, high = armies["low"], armies["high"]
        origin = card_of(state).province
        title = _("From %(province)s to") % {"province": short_name(origin)}
        return form_context(
            [
                SingleChoice("target", title, choices),
                Number("armies", _("Armies that move; at least one stays"), low, high, high),
            ],
            Button(self.action, _("Move"), needs_choice=True),
            forecast=True,
            borders=origin,
        )

"""Base classes and helpers for forms of several actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from django.utils.translation import gettext as _

from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, Fields
from companion.titles.wallenstein.forms.widgets import Cube, Cubes, Groups, Widget
from companion.titles.wallenstein.names import name
from companion.titles.widgets import Choice, is_number, number
from games.core.codec import Json
from games.core.prompts import Prompt

FormContext = dict[str, Any]


class PlainForm(EntryForm):
    """A form with a field for each field of the action, under the same name."""

    texts: ClassVar[tuple[str, ...]] = ()
    numbers: ClassVar[tuple[str, ...]] = ()

    def parse(self, form: Form) -> Fields:
        texts = {field: form.get(field, "") for field in self.texts}
        return texts | {field: number(form.get(field, "")) for field in self.numbers}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {field: action[field] for field in (*self.texts, *self.numbers)}


class CardListForm(EntryForm):
    """A list of cards in numbered fields: ``c.0``, ``c.1``, …."""

    cards: ClassVar[str] = "cards"  # field of the action
    prefix: ClassVar[str] = "c."

    def parse(self, form: Form) -> Fields:
        return {self.cards: self.listed(form)}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {f"{self.prefix}{i}": card for i, card in enumerate(action[self.cards])}

    def listed(self, form: Form) -> list[str]:
        """Return the non-empty values of the numbered fields, in order."""
        numbers = [key.removeprefix(self.prefix) for key in form if key.startswith(self.prefix)]
        keys = [f"{self.prefix}{i}" for i in sorted(filter(is_number, numbers), key=int)]
        return [form[key] for key in keys if form[key]]


class FallenCubesForm(EntryForm):
    """The cubes in the cup by colour: ``n.red``, ``n.blue``, …."""

    def parse(self, form: Form) -> Fields:
        counts = {key[2:]: number(value) for key, value in form.items() if key.startswith("n.")}
        return {"fallen": {colour: count for colour, count in counts.items() if count != 0}}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {f"n.{colour}": count for colour, count in action["fallen"].items()}

    def cubes(self, prompt: Prompt, thrown: Mapping[str, int]) -> Cubes:
        """Return the number inputs, with the cubes that can fall and those of them that were thrown in."""
        most = bounds(prompt)["most"]
        return Cubes(
            tuple(
                Cube(colour, name("colour", colour), count, _cube_detail(count, thrown.get(colour, 0)))
                for colour, count in most.items()
            )
        )


def _cube_detail(count: int, thrown: int) -> str:
    text = _("of %(count)d") % {"count": count}
    if thrown:
        return f"{text}, " + _("%(thrown)d thrown") % {"thrown": min(thrown, count)}
    return text


def form_context(widgets: Iterable[Widget], button: Button, **more: Any) -> FormContext:
    """Return the data of ``prompt.html`` for one action; ``more`` are notes and other optional parts."""
    return {"widgets": list(widgets), "buttons": [button], **more}


def bounds(prompt: Prompt) -> Json:
    """Return the bounds of the first field of a prompt."""
    return prompt.fields[0].bounds()


def action_choices(actions: Iterable[str]) -> tuple[Choice, ...]:
    return tuple(Choice(action, name("action", action)) for action in actions)


def action_cards(actions: Iterable[str]) -> Groups:
    return (("", action_choices(actions)),)

"""Forms that several actions share: a way, faces of dice, cards assigned to places, a yes or no."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from django.utils.translation import gettext as _

from companion import wording
from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, Fields, button_argument
from companion.titles.signoria.board.market import Die
from companion.titles.signoria.forms.widgets import Cards, DiceRow, Face, Group
from companion.titles.signoria.names import title
from companion.titles.widgets import is_number
from games.core.codec import Json
from games.core.prompts import Choice as ChoiceField
from games.core.prompts import Joint, Prompt
from games.signoria.dice import FACES
from games.signoria.game import SIGNORIA

Part = dict[str, Any]
Way = dict[str, Json]

WHITE = "white"  # colour of the descendant dice
YES, NO = "yes", "no"
MAX_WAY = 400  # characters of the field ``way``
MOST = 60  # maximal value of a number
COMMON_KEYS = ("type", "faction", "rulings")  # of every action; not part of a way


class PartForm(EntryForm):
    """The form of one action as one part of a screen."""

    kind: ClassVar[str]  # selects the template
    panels: ClassVar[tuple[str, ...]] = ()  # parts of the main board shown below
    has_forecast: ClassVar[bool] = False

    def part(self, prompt: Prompt, *buttons: Button, **more: Any) -> Part:
        return {
            "type": self.action,
            "kind": self.kind,
            "title": wording.render(SIGNORIA, prompt.title),
            "panels": self.panels,
            "forecast": self.has_forecast,
            "buttons": list(buttons),
            **more,
        }

    def button(self, label: str) -> Button:
        return Button(self.action, label, needs_choice=True)


# A way


def ways_of(prompt: Prompt) -> list[Way]:
    """Return all possible answers to a prompt, each as fields of the action."""
    (field,) = prompt.fields
    if isinstance(field, Joint):
        return [dict(zip(field.names, option, strict=True)) for option in field.options]
    if isinstance(field, ChoiceField):
        return [{field.name: option} for option in field.options]
    raise TypeError(field)


def encode(way: Mapping[str, Json]) -> str:
    """Encode fields of an action as the value of a choice, without those that have their default."""
    encoded = {key: value for key, value in way.items() if isinstance(value, bool) or value not in (None, 0)}
    return json.dumps(encoded, sort_keys=True, separators=(",", ":"))


class WayForm(PartForm):
    """A choice of fields that depend on each other: one form field, ``way``, with the fields as JSON.

    There may be a choice of ``pick`` before it, which filters the visible ways.
    """

    kind = "ways"

    def ways_part(self, prompt: Prompt, label: str, groups: Iterable[Group], **more: Any) -> Part:
        return self.part(prompt, self.button(label), **{"groups": list(groups), "picks": [], **more})

    def parse(self, form: Form) -> Fields:
        try:
            way = json.loads(form.get("way", "")[:MAX_WAY])
        except ValueError:
            return {}
        return way if isinstance(way, dict) else {}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {"way": encode({key: value for key, value in action.items() if key not in COMMON_KEYS})}


# Numbers


def number(text: str) -> int:
    return min(int(text), MOST) if is_number(text) else 0


def named(form: Form, prefix: str) -> dict[str, str]:
    """Return the non-empty fields with a prefix, without the prefix, ordered by name."""
    return {
        key.removeprefix(prefix): form[key] for key in sorted(form) if key.startswith(prefix) and form[key]
    }


# Faces of dice


class FacesForm(PartForm):
    """The number of dice per face: ``f.red.4`` is the number of red dice that show 4."""

    kind = "faces"

    def faces_part(self, prompt: Prompt, counts: Mapping[str, int], note: str) -> Part:
        rows = [self._row(colour, count) for colour, count in counts.items()]
        return self.part(prompt, self.button(_("Enter the dice")), rows=rows, note=note, lot=_("Roll for us"))

    def _row(self, colour: str, count: int) -> DiceRow:
        name = _("White") if colour == WHITE else title("die", colour)
        return DiceRow(
            name, count, tuple(Face(f"f.{colour}.{face}", name, Die(colour, face)) for face in FACES)
        )

    def parse_dice(self, form: Form) -> dict[str, list[int]]:
        """Return the faces of the dice by colour."""
        dice: dict[str, list[int]] = {}
        for key, text in named(form, "f.").items():
            colour, _dot, face = key.partition(".")
            dice.setdefault(colour, []).extend([number(face)] * number(text))
        return {colour: faces for colour, faces in dice.items() if faces}

    def fill_dice(self, dice: Mapping[str, Sequence[int]]) -> Fields:
        return {
            f"f.{colour}.{face}": list(faces).count(face)
            for colour, faces in dice.items()
            for face in set(faces)
        }


# Cards assigned to places


class CardsForm(PartForm):
    """Cards assigned to places, one form field per place; a button does it at random."""

    kind = "picks"

    def cards_part(self, prompt: Prompt, label: str, lot: str, *widgets: Cards, **more: Any) -> Part:
        return self.part(
            prompt, self.button(label), **{"widgets": widgets, "lots": "distinct", "lot": lot, **more}
        )


class CardsByPlaceForm(CardsForm):
    """Cards assigned to named places: a mapping of place to card."""

    field: ClassVar[str]  # of the action
    prefix: ClassVar[str]  # of the form fields

    def parse(self, form: Form) -> Fields:
        return {self.field: named(form, self.prefix)}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {f"{self.prefix}{place}": card for place, card in action[self.field].items()}


def numbered(prefix: str, values: Iterable[Json]) -> Fields:
    """Return form fields for a list: the inverse of the values of ``named``."""
    return {f"{prefix}{i}": value for i, value in enumerate(values)}


# Yes or no


class YesOrNoForm(PartForm):
    """Two buttons, such as ``helper:yes`` and ``helper:no``. Nothing can be filled in."""

    kind = "ask"
    field: ClassVar[str]  # of the action

    def yes_or_no_part(self, prompt: Prompt, yes: str, no: str, note: str) -> Part:
        buttons = Button(f"{self.action}:{YES}", yes), Button(f"{self.action}:{NO}", no)
        return self.part(prompt, *buttons, note=note)

    def parse(self, form: Form) -> Fields:
        answer = button_argument(form)
        return {self.field: {YES: True, NO: False}.get(answer, answer)}

    def fill(self, _action: Mapping[str, Any]) -> Fields:
        return {}

"""Entry forms of score pads: counts of everything that scores, and the play order for the next round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from zlib import crc32

from django.utils.translation import gettext

from companion import wording
from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, EntryForms, Fields
from companion.titles.pad.sheet import Faction, factions_of
from games.core.codec import Json
from games.core.game import AnyGame
from games.core.pads import Amounts, State
from games.core.prompts import Allocation, Field, Prompt

MAX_LENGTH = 9  # of a number; longer ones are treated as text


class PadForms(EntryForms):
    """The entry forms of a pad."""

    def __init__(self, game: AnyGame) -> None:
        super().__init__(DraftForm(game), StackForm(game), other=CountsForm(game))

    def context(self, state: State, prompts: Sequence[Prompt]) -> Mapping[str, Any]:
        """Return the data of ``prompt.html``."""
        prompt = prompts[0]
        # A new id per entry keeps the browser from carrying typed values over to the next form.
        checksum = crc32(repr((state.lines, state.frames[-1])).encode())
        return {
            **self[prompt.action].context(state, prompt),
            "action": prompt.action,
            "id": f"pad-{prompt.faction}-{checksum:x}-",
        }

    def parse(self, form: Form) -> Json:
        """Return the action of a form; ``kind`` names it where no button with a type was pressed."""
        return super().parse({**form, "type": form.get("type") or form.get("kind", "")})


@dataclass(frozen=True, slots=True)
class PadForm(EntryForm):
    """A form that needs the names of its game."""

    game: AnyGame

    def name(self, kind: str, slug: str) -> str:
        return wording.name(self.game, kind, slug)


class DraftForm(PadForm):
    """The position of a player's card in the row of the next play order, chosen by button."""

    action = "draft"

    def context(self, state: State, _prompt: Prompt) -> dict[str, Any]:
        row = [Faction(f, self.name("faction", f)) for f in state.frames[-1].data["row"]]
        return {"kind": "draft", "row": row, "buttons": []}

    def parse(self, form: Form) -> Fields:
        return {"position": _parse_number(form.get("position", ""))}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {"position": action["position"]}


class StackForm(PadForm):
    """The stack of discs that decides the play order; ``disc.0`` is on top."""

    action = "stack"

    def context(self, state: State, _prompt: Prompt) -> dict[str, Any]:
        height = len(state.order)
        titles = [gettext("On top"), *(gettext("below that"),) * (height - 2), gettext("At the bottom")]
        factions = factions_of(self.game, state)
        return {
            "kind": "stack",
            "discs": [
                {"name": f"disc.{i}", "title": title, "factions": factions, "chosen": faction}
                for i, (title, faction) in enumerate(zip(titles, reversed(state.order), strict=True))
            ],
            "buttons": [_enter(self.action)],
        }

    def parse(self, form: Form) -> Fields:
        discs = [form[name] for name in sorted(form) if name.startswith("disc.")]
        return {"stack": discs[::-1]}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {f"disc.{i}": disc for i, disc in enumerate(reversed(action["stack"]))}


# Counts


@dataclass(frozen=True, slots=True)
class Column:
    """One field of a prompt: a number for each key."""

    name: str
    most: Mapping[str, int]
    step: str
    values: Mapping[str, Json]

    @classmethod
    def of(cls, field: Field, values: Mapping[str, Json]) -> Column:
        if isinstance(field, Amounts):
            return cls(field.name, field.most, f"{float(field.by):g}", values)
        if isinstance(field, Allocation):
            return cls(field.name, field.most, "1", values)
        raise TypeError(field)


@dataclass(frozen=True, slots=True)
class Cell:
    """A number input."""

    name: str  # of the form field
    label: str
    value: str
    most: int
    step: str
    short: str = ""  # heading, where the column has none


class CountsForm(PadForm):
    """Number inputs, one for each key of each field of the action; their names are ``<field>.<key>``."""

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        example = prompt.example_json()
        columns = [Column.of(field, example[field.names[0]]) for field in prompt.fields]
        is_for_all = all(list(column.most) == list(state.order) for column in columns)
        context = self._grid(state, columns) if is_for_all else self._own(columns)
        return {**context, "buttons": [_enter(prompt.action)]}

    def _grid(self, state: State, columns: Sequence[Column]) -> dict[str, Any]:
        """Return a table of factions and columns."""
        factions = factions_of(self.game, state)
        return {
            "kind": "grid",
            "css_class": "grid" if any(faction.hint for faction in factions) else "grid narrow",
            "titles": [self.name("column", column.name) for column in columns],
            "lines": [
                (faction, [self._cell(column, faction.slug, faction.name) for column in columns])
                for faction in factions
            ],
            "whole_table": True,
        }

    def _own(self, columns: Sequence[Column]) -> dict[str, Any]:
        """Return a player's own items by value: the first column as a strip, the others as a table."""
        first, *others = columns
        return {
            "kind": "own",
            "strip_title": self.name("column", first.name),
            "strip": self._cells(first),
            "titles": [self._key_name(key) for key in others[0].most],
            "lines": [(self.name("column", column.name), self._cells(column)) for column in others],
        }

    def _cells(self, column: Column) -> list[Cell]:
        return [self._cell(column, key, self._key_name(key)) for key in column.most]

    def _cell(self, column: Column, key: str, key_name: str) -> Cell:
        return Cell(
            name=f"{column.name}.{key}",
            label=f"{key_name}, {self.name('column', column.name)}",
            value=str(column.values.get(key, 0)),
            most=column.most[key],
            step=column.step,
            short=key_name,
        )

    def _key_name(self, key: str) -> str:
        return key if key.isdigit() else self.name("column", key)

    def parse(self, form: Form) -> Fields:
        fields: dict[str, dict[str, Json]] = {}
        for name, text in form.items():
            field, dot, key = name.partition(".")
            if dot and (value := _parse_number(text)) != 0:
                fields.setdefault(field, {})[key] = value
        return dict(fields)

    def fill(self, action: Mapping[str, Any]) -> Fields:
        columns = [(name, column) for name, column in action.items() if isinstance(column, Mapping)]
        return {f"{name}.{key}": number for name, column in columns for key, number in column.items()}


def _enter(action: str) -> Button:
    return Button(action, gettext("Enter"))


def _parse_number(text: str) -> Json:
    """Parse a whole or decimal number; return other text unchanged, for the rules to refuse."""
    if len(text) > MAX_LENGTH or not text.replace(".", "", 1).isdecimal():
        return text
    try:
        number = Fraction(text)
    except ValueError:
        return text
    return number.numerator if number.denominator == 1 else float(number)

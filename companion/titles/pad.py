"""Score pads: the score sheet and the form of the next entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any
from zlib import crc32

from django.utils.translation import gettext, gettext_noop

from companion import wording
from companion.titles.base import Button, Screen
from games.core.codec import Json
from games.core.game import AnyGame
from games.core.pads import Amounts, Sheet, State
from games.core.prompts import Allocation, Field, Prompt

Cells = list[str]

DRAFT, STACK = "draft", "stack"


@dataclass(frozen=True, slots=True)
class Faction:
    """A column of the sheet, a row of the form."""

    slug: str
    name: str
    hint: str = ""  # description of its special goal


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the sheet."""

    name: str
    cells: Cells
    parts: tuple[tuple[str, Cells], ...] = ()
    places: tuple[str, ...] = ()  # ledger places of its points


@dataclass(frozen=True, slots=True)
class Cell:
    """A number input."""

    name: str  # of the form field
    label: str
    value: str
    most: int
    by: str
    short: str = ""  # heading, where the column has none


@dataclass(frozen=True)
class Pad:
    """Sheet and forms of a score pad."""

    game: AnyGame
    sheet: Sheet

    @cached_property
    def screen(self) -> Screen:
        return Screen(
            folder="pad",
            css=("css/calculators.css", "css/pad.css"),
            js=("js/calculators.js",),
            hint=gettext_noop(
                "The sheet as it was filled in so far. What is wrong is changed under Journal."
            ),
            board=self.board,
            prompt=self.prompt,
            parse=self.parse,
            fill=self.fill,
        )

    # The sheet

    def board(self, state: State) -> Mapping[str, Any]:
        lines = [self._line(state, line) for line in self.sheet.lines if line in state.lines]
        standings = {standing.faction: standing for standing in self.game.standings(state)}
        sums = Row(gettext("Sum"), [_number(standings[f].points) for f in state.order])
        sources = [
            Row(self._name("part", part), [_number(standings[f].parts[part]) for f in state.order])
            for part in self.sheet.sources
            if any(standing.parts[part] for standing in standings.values())
        ]
        return {
            "factions": self._factions(state),
            "lines": lines,
            "sums": sums if self.sheet.adds_up and len(self.sheet.lines) > 1 else None,
            "sources": sources,
        }

    def _line(self, state: State, line: str) -> Row:
        by_faction = [self.sheet.parts(state, line, faction) for faction in state.order]
        parts = tuple(
            (self._name("part", source), [_number(parts[source]) for parts in by_faction])
            for source in self.sheet.sources
            if any(parts[source] for parts in by_faction)
        )
        return Row(
            self._name("line", line),
            [_number(sum(parts.values(), Fraction(0))) for parts in by_faction],
            parts,
            tuple(f"score:{line}:{source}" for source in self.sheet.sources),
        )

    def _factions(self, state: State) -> list[Faction]:
        goals = self.game.texts.names
        return [
            Faction(f, self._name("faction", f), wording.translate(goals[goal]) if goal in goals else "")
            for f in state.order
            for goal in (f"objective:{f}",)
        ]

    def _name(self, kind: str, slug: str) -> str:
        return wording.name(self.game, kind, slug)

    # Prompts

    def prompt(self, state: State, prompts: Sequence[Prompt]) -> Mapping[str, Any]:
        prompt = prompts[0]
        # A new id per entry keeps the browser from carrying typed values over to the next form.
        checksum = crc32(repr((state.lines, state.frames[-1])).encode())
        common = {"action": prompt.action, "id": f"pad-{prompt.faction}-{checksum:x}-"}
        if prompt.action == DRAFT:
            return {**common, "kind": DRAFT, "buttons": [], "row": self._row(state)}
        button = Button(prompt.action, gettext("Enter"))
        if prompt.action == STACK:
            return {**common, "kind": STACK, "buttons": [button], "discs": self._discs(state)}
        return {**common, **self._counts(state, prompt), "buttons": [button]}

    def _row(self, state: State) -> list[Faction]:
        return [Faction(f, self._name("faction", f)) for f in state.frames[-1].data["row"]]

    def _discs(self, state: State) -> list[dict[str, Any]]:
        """Return the positions of the stack from top to bottom, each with a choice of all discs."""
        height = len(state.order)
        names = [gettext("On top"), *(gettext("below that"),) * (height - 2), gettext("At the bottom")]
        return [
            {"name": f"disc.{i}", "title": title, "factions": self._factions(state), "chosen": faction}
            for i, (title, faction) in enumerate(zip(names, reversed(state.order), strict=True))
        ]

    def _counts(self, state: State, prompt: Prompt) -> Mapping[str, Any]:
        """Return number inputs: a table of factions and columns, or a player's own items by value."""
        example = prompt.example_json()
        columns = [_Column.of(field, example[field.names[0]]) for field in prompt.fields]
        if all(list(column.most) == list(state.order) for column in columns):
            lines = [
                (faction, [self._cell(column, faction.slug, faction.name) for column in columns])
                for faction in self._factions(state)
            ]
            titles = [self._name("column", column.name) for column in columns]
            hinted = any(faction.hint for faction, _ in lines)
            return {
                "kind": "grid",
                "titles": titles,
                "lines": lines,
                "hinted": hinted,
                "whole_table": True,
            }
        first, *others = columns
        return {
            "kind": "own",
            "strip_title": self._name("column", first.name),
            "strip": list(self._cells(first)),
            "titles": [self._key(key) for key in others[0].most],
            "lines": [(self._name("column", c.name), list(self._cells(c))) for c in others],
        }

    def _cells(self, column: _Column) -> Iterator[Cell]:
        for key in column.most:
            yield self._cell(column, key, self._key(key))

    def _cell(self, column: _Column, key: str, key_name: str) -> Cell:
        return Cell(
            name=f"{column.name}.{key}",
            label=f"{key_name}, {self._name('column', column.name)}",
            value=str(column.values.get(key, 0)),
            most=column.most[key],
            by=column.by,
            short=key_name,
        )

    def _key(self, key: str) -> str:
        return key if key.isdigit() else self._name("column", key)

    # Form to action and back

    def parse(self, form: Mapping[str, str]) -> Json:
        kind = form.get("type") or form.get("kind")
        if kind == DRAFT:
            return {"type": kind, "position": _parse_number(form.get("position", ""))}
        if kind == STACK:
            discs = [form[name] for name in sorted(form) if name.startswith("disc.")]
            return {"type": kind, "stack": discs[::-1]}
        fields: dict[str, dict[str, Json]] = {}
        for name, text in form.items():
            field, dot, key = name.partition(".")
            if dot and (value := _parse_number(text)) != 0:
                fields.setdefault(field, {})[key] = value
        return {**fields, "type": kind}

    def fill(self, action: Mapping[str, Any]) -> Mapping[str, str]:
        """Return the form fields that describe an action."""
        if "stack" in action:
            return {f"disc.{i}": disc for i, disc in enumerate(reversed(action["stack"]))}
        fields = {name: str(value) for name, value in action.items() if name == "position"}
        columns = [(name, column) for name, column in action.items() if isinstance(column, Mapping)]
        return fields | {f"{name}.{key}": str(n) for name, column in columns for key, n in column.items()}


@dataclass(frozen=True, slots=True)
class _Column:
    """One field of a prompt: a number for each key."""

    name: str
    most: Mapping[str, int]
    by: str
    values: Mapping[str, Json]

    @classmethod
    def of(cls, field: Field, values: Mapping[str, Json]) -> _Column:
        if isinstance(field, Amounts):
            return cls(field.name, field.most, f"{float(field.by):g}", values)
        if isinstance(field, Allocation):
            return cls(field.name, field.most, "1", values)
        raise TypeError(field)


def _number(value: Fraction) -> str:
    return wording.number(value)


def _parse_number(text: str) -> Json:
    """Parse a whole or decimal number; return other text unchanged, for the rules to refuse."""
    try:
        number = Fraction(text) if text.replace(".", "", 1).isdecimal() and len(text) < 10 else None  # noqa: PLR2004
    except ValueError:
        number = None
    if number is None:
        return text
    return number.numerator if number.denominator == 1 else float(number)

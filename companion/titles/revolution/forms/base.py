"""Base classes of the entry forms, and parsing of their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from companion.titles.base import Form
from companion.titles.entry_forms import EntryForm, Fields
from companion.titles.widgets import number
from games.core.codec import Json

MAX_REPEATS = 99  # of one move in a form; more than any faction has armies


class AllocationForm(EntryForm):
    """Numbers of pieces or coins at places, in the fields ``n.<place>``."""

    field: ClassVar[str]  # of the action: place -> number

    def parse(self, form: Form) -> Fields:
        return {self.field: numbers(form, "n.")}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return with_prefix("n.", action[self.field])


class NumberForm(EntryForm):
    """The choice of one number; its form field is named after the field of the action."""

    field: ClassVar[str]

    def parse(self, form: Form) -> Fields:
        return {self.field: number(form.get(self.field, ""))}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {self.field: action[self.field]}


def numbers(form: Form, prefix: str) -> Fields:
    """Return the numbers except 0 in the fields with a prefix, by the rest of the field name."""
    parsed = {key.removeprefix(prefix): number(text) for key, text in form.items() if key.startswith(prefix)}
    return {key: value for key, value in parsed.items() if value != 0}


def with_prefix(prefix: str, values: Mapping[str, Any]) -> Fields:
    """Return values under field names: the inverse of ``numbers``."""
    return {f"{prefix}{key}": value for key, value in values.items()}


def repeats(count: Json) -> int:
    """Return how often a form repeats a move: 0 for text, and bounded, because the action lists every move."""
    return min(count, MAX_REPEATS) if isinstance(count, int) else 0

"""Entry forms: rendering, parsing and refilling the form of one action, side by side."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from companion.titles.base import Form
from games.core.codec import Json
from games.core.prompts import Prompt

Fields = dict[str, Json]


class EntryForm(ABC):
    """The form of one action."""

    action: ClassVar[str]  # type of the action

    @abstractmethod
    def context(self, state: Any, prompt: Prompt) -> dict[str, Any]:
        """Return the template data for a prompt of this action."""

    @abstractmethod
    def parse(self, form: Form) -> Fields:
        """Return the fields of the action. Invalid values are passed on, for the rules to refuse."""

    @abstractmethod
    def fill(self, action: Mapping[str, Any]) -> Fields:
        """Return the form fields that describe an action: the inverse of ``parse``."""


class EntryForms:
    """The entry forms of a game by action; ``other`` is the form of all remaining actions."""

    def __init__(self, *forms: EntryForm, other: EntryForm | None = None) -> None:
        self._forms = {form.action: form for form in forms}
        self._other = other

    def get(self, action: str) -> EntryForm | None:
        return self._forms.get(action, self._other)

    def __getitem__(self, action: str) -> EntryForm:
        form = self.get(action)
        if form is None:
            raise KeyError(action)
        return form

    def parse(self, form: Form) -> Json:
        """Return the action of a submitted form; without its own form it has a type and no fields."""
        kind = form.get("type", "").partition(":")[0]
        entry_form = self.get(kind)
        return {**(entry_form.parse(form) if entry_form else {}), "type": kind}

    def fill(self, action: Mapping[str, Any]) -> dict[str, str]:
        """Return the form fields that describe an action."""
        entry_form = self.get(action["type"])
        fields = entry_form.fill(action) if entry_form else {}
        return {name: str(value) for name, value in fields.items()}


def button_argument(form: Form) -> str:
    """Return what a button adds to the action, such as the province of ``layout:holland``."""
    return form.get("type", "").partition(":")[2]

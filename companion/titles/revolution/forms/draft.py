"""Drafting the play order (5.8, 6.20)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Button
from companion.titles.revolution.forms.base import NumberForm
from companion.titles.revolution.forms.widgets import one_of
from companion.titles.revolution.names import name
from companion.titles.widgets import Choice
from games.core.prompts import Prompt
from games.revolution.state import State
from games.revolution.status import row_of


class DraftForm(NumberForm):
    """The position of a faction's card in the row."""

    action = "draft"
    field = "position"

    def context(self, state: State, _prompt: Prompt) -> dict[str, Any]:
        row = row_of(state)
        names = [name("faction", faction) for faction in row]
        choices = [Choice(str(position), _label(names, position)) for position in range(len(row) + 1)]
        button = Button(self.action, _("Lay your card"), needs_choice=True)
        return one_of(choices, self.field, button, row=row, draft=True)


def _label(names: Sequence[str], position: int) -> str:
    if position == 0:
        return _("First, before %(faction)s") % {"faction": names[0]}
    if position == len(names):
        return _("Last, after %(faction)s") % {"faction": names[-1]}
    return _("Between %(left)s and %(right)s") % {"left": names[position - 1], "right": names[position]}

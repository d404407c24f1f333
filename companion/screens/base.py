"""What a game's part of the pages is made of."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from games.core.prompts import Prompt


@dataclass(frozen=True, slots=True)
class Button:
    """A way to send the form. The first of a screen is the main one."""

    type: str  # of the action it enters
    label: str
    needs_choice: bool = False  # only once everything in the form is chosen


class Screen(Protocol):
    """A game's part of the pages. Templates are ``templates/<game>/board.html`` and ``…/prompt.html``."""

    def board(self, state: Any, changed: Collection[str] = ()) -> Mapping[str, Any]:
        """What ``board.html`` draws, as ``board``; ``changed`` are the places to outline."""

    def prompt(self, state: Any, prompts: Sequence[Prompt]) -> Mapping[str, Any]:
        """What ``prompt.html`` draws, as ``screen``, for one faction's prompts; ``buttons`` is among it."""

    def action(self, form: Mapping[str, str]) -> Any:
        """The action, as JSON data, that a sent form describes. May be badly formed; ``apply`` checks."""

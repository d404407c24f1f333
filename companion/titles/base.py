"""The interface between the pages and the screens of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.titles.walks import Walk
from games.core.actions import Position
from games.core.codec import Json
from games.core.prompts import Prompt


@dataclass(frozen=True, slots=True)
class Button:
    """A submit button. The first button of a screen is its main one."""

    type: str  # of the action it submits
    label: str
    needs_choice: bool = False  # disabled until every field of the form is filled
    hold: bool = False  # needs a long press because it affects the whole table; the label says so


@dataclass(frozen=True, slots=True)
class Pieces:
    """A number of equal pieces at a place, shown with buttons for more and fewer."""

    owner: str
    piece: str
    place: str
    count: int

    @property
    def key(self) -> str:
        """Return owner, piece and place as the value of a button."""
        return f"{self.owner} {self.piece} {self.place}"


Form = Mapping[str, str]  # a submitted form
Context = Mapping[str, Any]  # template data


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionEditor:
    """A position editor on the board of a game; games without one get a list of places."""

    phases: tuple[str, ...]  # from which a game can be resumed
    # (state, selected place or "", owner of the pieces added last) -> data of ``position.html`` (there: ``board``).
    board: Callable[[Any, str, str], Context]
    # Facts of a new draft beside its pieces.
    initial_facts: Callable[[Any], Mapping[str, Json]] = lambda _state: {}
    # The draft after a press of one of the editor's own buttons; None for buttons that every game has.
    # Raises ``Refusal`` if the form is invalid.
    tap: Callable[[Any, Position, Form], Position | None] = lambda _state, _draft, _form: None


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """The pages of one game or score pad: template data, form parsing, and optional features.

    Its templates are ``board.html``, ``picture.html`` and ``prompt.html`` in ``templates/<folder>/``;
    ``css`` and ``js`` are the files in ``static/`` that its pages load.
    """

    folder: str
    css: tuple[str, ...]
    js: tuple[str, ...]
    hint: str  # explains the board; translated when rendered
    # Public board data. Elements of the template name their place in ``data-place``.
    board: Callable[[Any], Context]
    # Data of ``prompt.html`` (there: ``screen``) for the prompts of a faction, with ``buttons``.
    prompt: Callable[[Any, Sequence[Prompt]], Context]
    # The action in a submitted form as JSON data. It is not validated; ``apply`` does that.
    parse: Callable[[Form], Json]
    # The form fields that describe an action: the inverse of ``parse``.
    fill: Callable[[Mapping[str, Any]], Form]
    # Data of ``secret.html``: the part of the state that only its owner may see.
    secret: Callable[[Any], Context] | None = None
    # (state, faction, form) -> the effect of a form before it is submitted, as sentences.
    forecast: Callable[[Any, str, Form], list[str]] | None = None
    # The order of places for comparing the real table with the app.
    walk: Callable[[Any], Walk] | None = None
    position: PositionEditor | None = None
    # Place where pieces land by accident -> place they fell from.
    spills: Mapping[str, str] = field(default_factory=dict)

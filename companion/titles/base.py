"""The interface between the pages and the screens of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from companion.models import Table
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


class Screen(Protocol):
    """The template data and form parsing of one game.

    Its templates are ``board.html``, ``picture.html`` and ``prompt.html`` in ``templates/<folder>/``;
    ``css`` and ``js`` are the files in ``static/`` that its pages load.
    """

    @property
    def folder(self) -> str: ...
    @property
    def css(self) -> tuple[str, ...]: ...
    @property
    def js(self) -> tuple[str, ...]: ...

    def board(self, state: Any) -> Mapping[str, Any]:
        """Return the public board data. Elements name their place in ``data-place``."""

    def prompt(self, state: Any, prompts: Sequence[Prompt]) -> Mapping[str, Any]:
        """Return the data of ``prompt.html`` (there: ``screen``) for a faction's prompts, and ``buttons``."""

    def action(self, form: Mapping[str, str]) -> Any:
        """Parse a submitted form into an action as JSON data. It is not validated; ``apply`` does that."""


@runtime_checkable
class HasSecrets(Protocol):
    """A screen of a game with secrets."""

    def secret(self, state: Any) -> Mapping[str, Any]:
        """Return the data of ``secret.html``: the part of the state that only its owner may see."""


@runtime_checkable
class RefillsForm(Protocol):
    """A screen that can fill its form from an earlier action."""

    def form(self, action: Mapping[str, Any]) -> Mapping[str, str]:
        """Return the form fields that describe an action; the inverse of ``action``."""


@runtime_checkable
class PositionBoard(Protocol):
    """A screen whose board serves as editor of a position; other games get a list of places."""

    @property
    def phases(self) -> tuple[str, ...]:
        """Return the phases from which a game can be resumed."""

    def position(self, state: Any, place: str, owner: str) -> Mapping[str, Any]:
        """Return the data of ``position.html`` (there: ``board``): the pieces, and those that can be added.

        ``place`` is the selected place (empty: none), ``owner`` the owner of the pieces added last.
        """


@runtime_checkable
class PositionTaps(Protocol):
    """A position editor with buttons of its own, and with facts beside the pieces."""

    def initial_facts(self, state: Any) -> Mapping[str, Json]:
        """Return the facts of a new draft."""

    def tap(self, state: Any, draft: Position, form: Mapping[str, str]) -> Position | None:
        """Return the draft after a button press; None for buttons that every game has.

        Raise ``Refusal`` if the form is invalid.
        """


@runtime_checkable
class HasWalk(Protocol):
    """A screen that orders the places for comparing the real table with the app; score pads do not."""

    def walk(self, state: Any) -> Walk:
        """Return the stops for the current state."""


@runtime_checkable
class HasSpills(Protocol):
    """A screen of a game in which pieces can fall from one place into another by accident."""

    @property
    def spills(self) -> Mapping[str, str]:
        """Return a mapping from the place where such pieces land to the place they fell from."""


@runtime_checkable
class HasForecast(Protocol):
    """A screen that can forecast the effect of a form before it is submitted."""

    def forecast(self, state: Any, faction: str, form: Mapping[str, str]) -> list[str]:
        """Return the forecast as sentences; empty if there is nothing to forecast."""


@runtime_checkable
class PerTable(Protocol):
    """A screen that depends on the table, for example on the earlier games of its circle."""

    def for_table(self, table: Table) -> Screen:
        """Return the screen for one table."""

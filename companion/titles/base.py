"""What a game's part of the pages is made of."""

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
    """A way to send the form. The first of a screen is the main one."""

    type: str  # of the action it enters
    label: str
    needs_choice: bool = False  # only once everything in the form is chosen
    hold: bool = False  # held, not tapped, since it ends something for the whole table; its label says so


@dataclass(frozen=True, slots=True)
class Pieces:
    """Some pieces of an owner at a place, to be counted up and down."""

    owner: str
    piece: str
    place: str
    count: int

    @property
    def what(self) -> str:
        """As a tap says it."""
        return f"{self.owner} {self.piece} {self.place}"


class Screen(Protocol):
    """A game's part of the pages.

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
        """Return the data of the board, as everybody may see it. Its elements name their place in ``data-place``."""

    def prompt(self, state: Any, prompts: Sequence[Prompt]) -> Mapping[str, Any]:
        """What ``prompt.html`` draws, as ``screen``, for one faction's prompts; ``buttons`` is among it."""

    def action(self, form: Mapping[str, str]) -> Any:
        """The action, as JSON data, that a sent form describes. May be badly formed; ``apply`` checks."""


@runtime_checkable
class Hides(Protocol):
    """A screen of a game with secrets."""

    def secret(self, state: Any) -> Mapping[str, Any]:
        """Return the data of ``secret.html``: the part of the state that only its owner may see."""


@runtime_checkable
class Fills(Protocol):
    """A screen that can fill its form with what was entered before."""

    def form(self, action: Mapping[str, Any]) -> Mapping[str, str]:
        """The fields of the form that describes an action."""


@runtime_checkable
class PositionBoard(Protocol):
    """A screen on whose board a position is tapped together; for others the page lists the places."""

    @property
    def phases(self) -> tuple[str, ...]:
        """Those in which the game can be taken up."""

    def position(self, state: Any, place: str, owner: str) -> Mapping[str, Any]:
        """What ``position.html`` draws, as ``board``: what lies there, and what can be put at a place.

        ``place`` was tapped (empty: none yet), ``owner`` is whose pieces were put last.
        """


@runtime_checkable
class PositionTaps(Protocol):
    """A position board with taps of its own, and with facts beside what lies on it."""

    def known(self, state: Any) -> Mapping[str, Json]:
        """The facts with which a draft begins."""

    def tap(self, state: Any, draft: Position, form: Mapping[str, str]) -> Position | None:
        """The draft after a tap; None for those that every game has. Raises ``Refusal``."""


@runtime_checkable
class Walks(Protocol):
    """A screen that knows in which order the real table is compared with the app; score pads have none."""

    def walk(self, state: Any) -> Walk:
        """The stops, as the table stands now."""


@runtime_checkable
class Spills(Protocol):
    """A screen of a game in which pieces fall out of one place into another by accident."""

    @property
    def spills(self) -> Mapping[str, str]:
        """Where they lie then, and where they came from."""


@runtime_checkable
class Forecasts(Protocol):
    """A screen that knows what would come of a form, before others have entered theirs."""

    def forecast(self, state: Any, faction: str, form: Mapping[str, str]) -> list[str]:
        """Sentences for the reader; none where there is nothing to say."""


@runtime_checkable
class Learns(Protocol):
    """A screen whose advice grows better with what a table and its group have seen."""

    def knowing(self, table: Table) -> Screen:
        """The screen for one table."""

"""Widgets of the entry forms."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from companion.titles.signoria.board import svg
from companion.titles.signoria.board.market import Die


@dataclass(frozen=True, slots=True)
class Choice:
    """An option, with its cost or gain as detail."""

    value: str
    label: str
    detail: str = ""
    symbol: str = ""
    die: Die | None = None
    owner: str = ""

    @property
    def icon(self) -> SafeString:
        return self.die.icon if self.die else svg.icon(self.symbol)


@dataclass(frozen=True, slots=True)
class Group:
    """A group of choices; with ``shown_for``, visible only for these values of ``pick``."""

    title: str
    choices: tuple[Choice, ...]
    shown_for: str = ""
    note: str = ""
    narrow: bool = False  # two columns

    @property
    def css(self) -> str:
        return "ones narrow" if self.narrow else "ones"


@dataclass(frozen=True, slots=True)
class Row:
    """A place for a card: a tile, a player or a board."""

    field: str
    label: str
    symbol: str = ""
    owner: str = ""

    @property
    def icon(self) -> SafeString:
        return svg.icon(self.symbol)


@dataclass(frozen=True, slots=True)
class Cards:
    """Groups of places for one card each, and the cards to assign."""

    groups: tuple[tuple[str, tuple[Row, ...]], ...]
    cards: tuple[Choice, ...]
    title: str = ""
    count: int | None = None  # number of places to fill, if not all
    again: bool = False  # a card may be used several times
    narrow: bool = False  # one column per house

    @property
    def low(self) -> int:
        return sum(len(rows) for _title, rows in self.groups) if self.count is None else self.count

    @property
    def all(self) -> bool:
        return self.count is None

    @property
    def whole(self) -> bool:
        """Return True if all cards are used."""
        return not self.again and len(self.cards) == self.low

    @property
    def options(self) -> SafeString:
        """Return the cards as options of a select element."""
        return format_html_join(
            "", '<option value="{}">{}</option>', ((card.value, card.label) for card in self.cards)
        )

    @property
    def deck_css(self) -> str:
        return "deck js narrow" if self.narrow else "deck js"


@dataclass(frozen=True, slots=True)
class Face:
    """A face of the dice of a colour, with the number of dice that show it."""

    field: str
    colour: str  # translated
    die: Die

    @property
    def label(self) -> str:
        return _("%(colour)s, a %(face)s") % {"colour": self.colour, "face": self.die.face}

    @property
    def count_label(self) -> str:
        return _("%(colour)s: how many show %(face)s") % {"colour": self.colour, "face": self.die.face}


@dataclass(frozen=True, slots=True)
class DiceRow:
    """The faces of the dice of a colour."""

    name: str
    count: int
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Climber:
    """A man or the disc, with the maximal number of steps."""

    field: str
    label: str
    most: int
    detail: str = ""
    symbol: str = ""

    @property
    def icon(self) -> SafeString:
        return svg.icon(self.symbol)

    @property
    def all_label(self) -> str:
        return _("%(label)s: as many as possible") % {"label": self.label}

    @property
    def fewer_label(self) -> str:
        return _("%(label)s: fewer") % {"label": self.label}

    @property
    def more_label(self) -> str:
        return _("%(label)s: more") % {"label": self.label}

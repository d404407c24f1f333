"""Columns of a player board: an action space and the helper spaces below it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from companion.titles.signoria.board import svg
from companion.titles.signoria.board.market import Die
from companion.titles.signoria.names import name, title
from games.signoria.board import ActionSpace, HelperSpace
from games.signoria.pieces import COLOURS, DICE, HELPER, action_place, helper_place
from games.signoria.state import State, has_helper, printed

COLUMN, BOX = 68, 65  # width of a column and of its boxes
WIDTH = COLUMN * len(COLOURS)
ACTION_HEIGHT = 80
HELPERS_TOP, HELPER_ROW, HELPER_HEIGHT, HELPERS = 86, 42, 38, 3
HEIGHT = HELPERS_TOP + HELPER_ROW * HELPERS
LONG_WORD, WORD_WIDTH = 10, 59  # longer words (characters) are squeezed into the width

# Kind of helper -> number and symbols on its space.
SHOWN: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "mission-blind": ("", ("mission", "blind")),
    "marriage-blind": ("", ("marriage", "blind")),
    "either-blind": ("", ("mission", "marriage")),
    "roll-one": ("1", ("descendants",)),
    "vp-per-man": ("", ("point", "man")),
    "blind-tile": ("", ("blind",)),
    "progress-3": ("3", ("tracks",)),
    "progress-die": ("", ("descendants", "tracks")),
    "gain-any": ("1", ("man", "woman")),
    "vp-3": ("3", ("point",)),
    "florins-3": ("3", ("florins",)),
    "any-task": ("1", ("task",)),
}


@dataclass(frozen=True, slots=True)
class Helper:
    """A helper space of a player board."""

    space: HelperSpace
    y: int
    is_there: bool
    place: str = ""

    box: ClassVar[SafeString] = svg.box(BOX, HELPER_HEIGHT, 6)
    figure_at: ClassVar[SafeString] = svg.at(11, 27)
    badge: ClassVar[SafeString] = svg.circle(57, 8, 9)
    price_at: ClassVar[SafeString] = svg.at(62, 13)

    @property
    def moved(self) -> SafeString:
        return svg.moved(0, self.y)

    @property
    def css(self) -> str:
        return f"helper c-{self.space.ring}{' there' if self.is_there else ''}"

    @property
    def figure(self) -> str:
        return SHOWN[self.space.kind][0]

    @property
    def symbols(self) -> list[SafeString]:
        """Return the symbols side by side; progress on a single track shows the symbol of that track."""
        left = 19 if self.figure else 9
        tracks = self.space.tracks
        return [
            svg.symbol(
                tracks[0] if symbol == "tracks" and len(tracks) == 1 else symbol, 18, x=left + 20 * i, y=13
            )
            for i, symbol in enumerate(SHOWN[self.space.kind][1])
        ]

    @property
    def pawn(self) -> SafeString:
        return svg.symbol(HELPER, 12, x=51, y=2)

    @property
    def name(self) -> str:
        return name("helper", self.space.kind)

    @property
    def description(self) -> str:
        """Return the effect of the helper, with its tracks."""
        tracks = ", ".join(name("track", track) for track in self.space.tracks)
        return f"{self.name}: {tracks}" if tracks else self.name

    @property
    def words(self) -> str:
        label = _("Helper:") if self.is_there else _("Free:")
        return f"{label} {self.description}"


@dataclass(frozen=True, slots=True)
class Column:
    """An action space of a player board and the helper spaces below it."""

    faction: str
    colour: str
    x: int
    action: ActionSpace
    die: Die | None
    helpers: tuple[Helper, ...]
    place: str

    box: ClassVar[SafeString] = svg.box(BOX, ACTION_HEIGHT, 6)
    number_ring: ClassVar[SafeString] = svg.circle(14, 15, 11)
    number_at: ClassVar[SafeString] = svg.at(14, 20)
    price_ring: ClassVar[SafeString] = svg.circle(51, 15, 10)
    price_at: ClassVar[SafeString] = svg.at(51, 19)

    @property
    def moved(self) -> SafeString:
        return svg.moved(self.x, 0)

    @property
    def symbol(self) -> SafeString:
        """Return the symbol of the action, which a die covers."""
        return svg.symbol(self.action.signoria, 26, x=20, y=30)

    @property
    def picture(self) -> SafeString:
        """Return the die on the space; empty if there is none."""
        return svg.die(self.die.colour, self.die.face, 30, x=18, y=28) if self.die else SafeString()

    @property
    def name(self) -> str:
        return title("die", self.colour)

    @property
    def brings(self) -> str:
        """Return the short label of the action."""
        words = {
            "tracks": _("tracks"),
            "mission": _("mission"),
            "marriage": _("marriage"),
            "descendants": _("descendants"),
            "florins": _("florins"),
        }
        return words[self.action.signoria]

    @property
    def words(self) -> str:
        return f"{self.brings}, {self.die.name}" if self.die else self.brings

    @property
    def word_at(self) -> SafeString:
        return svg.squeezed(32, 74, WORD_WIDTH) if len(self.brings) > LONG_WORD else svg.at(32, 74)


def columns(state: State, faction: str) -> tuple[Column, ...]:
    """Return the columns of a player board in printed order, by number (P2)."""
    colours = sorted(COLOURS, key=lambda colour: printed(state).action(colour).number)
    return tuple(_column(state, faction, colour, i) for i, colour in enumerate(colours))


def _column(state: State, faction: str, colour: str, index: int) -> Column:
    place = action_place(faction, colour)
    dice = [DICE[line.piece] for line in state.ledger.at(place) if line.piece in DICE]
    helpers = []
    for i, space in enumerate(printed(state).column(colour)):
        helper_at = helper_place(faction, colour, space.row)
        is_there = has_helper(state, faction, space)
        helpers.append(Helper(space, HELPERS_TOP + HELPER_ROW * i, is_there, helper_at))
    die = Die(dice[0].colour, dice[0].face) if dice else None
    action = printed(state).action(colour)
    return Column(faction, colour, COLUMN * index, action, die, tuple(helpers), place)

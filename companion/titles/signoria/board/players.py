"""Player boards: columns, plan, family and portraits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from companion.titles.signoria.board import svg
from companion.titles.signoria.board.columns import HEIGHT as COLUMNS_HEIGHT
from companion.titles.signoria.board.columns import WIDTH, Column, columns
from companion.titles.signoria.board.market import Die
from companion.titles.signoria.names import name, title
from games.signoria.dice import limit
from games.signoria.pieces import FIELDS, HELPER, MAN, WOMAN, face_down_place, face_up_place, portraits_place
from games.signoria.scoring import field_points
from games.signoria.state import (
    State,
    available,
    brides,
    dice_on,
    face_up,
    florins,
    on_threshold,
    printed,
    shields_left,
    tiles_beside,
)

PLAN_TOP = COLUMNS_HEIGHT + 4
FIELD_ROW, SHIELDS_LEFT, SHIELD = 36, 106, 33
FAMILY_TOP, FAMILY_ROW = PLAN_TOP + FIELD_ROW * len(FIELDS) + 4, 38
PORTRAITS_TOP, PORTRAIT_STEP, PORTRAIT = FAMILY_TOP + FAMILY_ROW, 46, 41
HEIGHT = PORTRAITS_TOP + PORTRAIT + 3
# Symbol -> its x position, and that of the number beside it.
FAMILY: Mapping[str, tuple[int | None, int]] = {
    "florins": (None, 29),
    MAN: (66, 94),
    WOMAN: (126, 154),
    HELPER: (186, 213),
}


@dataclass(frozen=True, slots=True)
class Shield:
    """A shield of a plan, and the tile that covers it."""

    house: str
    value: int = 0  # 0: no tile
    x: int = 0

    text_at: ClassVar[SafeString] = svg.at(15, 18)

    @property
    def moved(self) -> SafeString:
        return svg.moved(self.x, 2)

    @property
    def css(self) -> str:
        return "shield covered" if self.value else "shield"

    @property
    def symbol(self) -> SafeString:
        return svg.symbol("shield", 30, 29)

    @property
    def text(self) -> str:
        return f"{self.house.upper()}{self.value or ''}"


@dataclass(frozen=True, slots=True)
class PlanField:
    """A field of a plan."""

    faction: str
    slug: str
    y: int
    shields: tuple[Shield, ...]
    face_down: int
    points: int

    strip: ClassVar[SafeString] = svg.box(WIDTH, FIELD_ROW - 3, 4)
    name_at: ClassVar[SafeString] = svg.at(27, 22)
    face_down_at: ClassVar[SafeString] = svg.at(WIDTH - 6, 15)
    points_at: ClassVar[SafeString] = svg.at(WIDTH - 6, 29)

    @property
    def name(self) -> str:
        return title("field", self.slug)

    @property
    def places(self) -> str:
        return f"{face_up_place(self.faction, self.slug)} {face_down_place(self.faction, self.slug)}"

    @property
    def moved(self) -> SafeString:
        return svg.moved(0, self.y)

    @property
    def symbol(self) -> SafeString:
        return svg.symbol(self.slug, 17, x=5, y=8)


@dataclass(frozen=True, slots=True)
class Stock:
    """A number of equal pieces of a player, with its symbol."""

    symbol: SafeString
    count_at: SafeString
    count: int


@dataclass(frozen=True, slots=True)
class Portrait:
    """A portrait of a descendant, with the points of the wedding."""

    x: int
    is_married: bool
    points: int

    box: ClassVar[SafeString] = svg.box(PORTRAIT, PORTRAIT, 6)
    points_at: ClassVar[SafeString] = svg.at(30, 27)

    @property
    def moved(self) -> SafeString:
        return svg.moved(self.x, 0)

    @property
    def man(self) -> SafeString:
        return svg.symbol(MAN, 18, 24, x=4, y=9)

    @property
    def woman(self) -> SafeString:
        return svg.symbol(WOMAN, 18, 24, x=19, y=9)


@dataclass(frozen=True, slots=True)
class Player:
    """A player board, and the pieces beside it."""

    faction: str
    columns: tuple[Column, ...]
    fields: tuple[PlanField, ...]
    portraits: tuple[Portrait, ...]
    florins: int
    men: int
    women: int
    sum: int  # of the dice
    limit: int
    has_passed: bool = False

    view_box: ClassVar[str] = f"0 0 {WIDTH} {HEIGHT}"
    plan_moved: ClassVar[SafeString] = svg.moved(0, PLAN_TOP)
    family_moved: ClassVar[SafeString] = svg.moved(0, FAMILY_TOP)
    sum_at: ClassVar[SafeString] = svg.at(WIDTH - 2, 23)
    portraits_moved: ClassVar[SafeString] = svg.moved(0, PORTRAITS_TOP)
    marriages_at: ClassVar[SafeString] = svg.at(244, 25)

    @property
    def portraits_place(self) -> str:
        return portraits_place(self.faction)

    @property
    def name(self) -> str:
        return name("faction", self.faction)

    @property
    def dice(self) -> list[Die]:
        return [column.die for column in self.columns if column.die]

    def column(self, colour: str) -> Column:
        return next(column for column in self.columns if column.colour == colour)

    @property
    def helpers(self) -> int:
        return sum(helper.is_there for column in self.columns for helper in column.helpers)

    @property
    def summary(self) -> str:
        text = _("dice %(sum)s of %(limit)s") % {"sum": self.sum, "limit": self.limit}
        return " · ".join([text, _("passed")]) if self.has_passed else text

    @property
    def sum_css(self) -> str:
        return "sum over" if self.sum > self.limit else "sum"

    @property
    def family(self) -> list[Stock]:
        """Return florins, members and helpers, below the plan."""
        return self.stocks(FAMILY, 24, 4, 23)

    def stocks(
        self, positions: Mapping[str, tuple[int | None, int]], size: int, top: int, baseline: int
    ) -> list[Stock]:
        """Return florins, members and helpers, with the x positions of each symbol and number."""
        counts = {"florins": self.florins, MAN: self.men, WOMAN: self.women, HELPER: self.helpers}
        return [
            Stock(svg.symbol(slug, size, x=x, y=top), svg.at(count_x, baseline), counts[slug])
            for slug, (x, count_x) in positions.items()
        ]

    @property
    def sum_symbol(self) -> SafeString:
        return svg.symbol("descendants", 22, x=247, y=5)


def player_of(state: State, faction: str) -> Player:
    """Return the template data of a player board."""
    married = brides(state, faction)
    return Player(
        faction=faction,
        columns=columns(state, faction),
        fields=tuple(_field(state, faction, slug, i) for i, slug in enumerate(FIELDS)),
        portraits=tuple(
            Portrait(PORTRAIT_STEP * i, i <= married, printed(state).portrait_points(i) if i else 0)
            for i in range(printed(state).descendants + 1)
        ),
        florins=florins(state, faction),
        men=available(state, faction, MAN),
        women=available(state, faction, WOMAN),
        sum=sum(die.face for die in dice_on(state, faction)),
        limit=limit(on_threshold(state, faction)),
        has_passed=faction in state.passed,
    )


def _field(state: State, faction: str, slug: str, index: int) -> PlanField:
    covered = [Shield(tile.house, tile.value) for tile in face_up(state, faction, slug)]
    free = [Shield(house) for house in shields_left(state, faction, slug).elements()]
    shields = sorted([*covered, *free], key=lambda shield: (shield.house, -shield.value))
    beside = tiles_beside(state, faction, slug)
    return PlanField(
        faction,
        slug,
        FIELD_ROW * index,
        tuple(Shield(s.house, s.value, SHIELDS_LEFT + SHIELD * i) for i, s in enumerate(shields)),
        beside.face_down,
        field_points(beside),
    )

"""Layout of the TV picture: tracks at the left, dice and cities at the right, players below."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from django.utils.safestring import SafeString

from companion.titles.signoria.board import cities, market, svg, tracks
from companion.titles.signoria.board.players import Player, Stock
from games.signoria.pieces import CITIES, FACTIONS, HELPER, MAN, WOMAN

RIGHT = tracks.WIDTH + 8
MARKET_TOP = 28  # below the reward tile
CITIES_TOP = MARKET_TOP + market.HEIGHT + 4
PURSES_TOP = CITIES_TOP + cities.HEAD + cities.ROW * len(CITIES) + 7
PURSE, DICE_TOP, DIE = 158, 46, 24
LEFT_MARGIN, TOP_MARGIN = 4, 2
WIDTH = LEFT_MARGIN + PURSE * len(FACTIONS) + LEFT_MARGIN
HEIGHT = TOP_MARGIN + PURSES_TOP + DICE_TOP + DIE + 1

PICTURE: Mapping[str, str] = {
    "view_box": f"{-LEFT_MARGIN} {-TOP_MARGIN} {WIDTH} {HEIGHT}",
    "right": svg.moved(RIGHT, 0),
    "reward_at": svg.at(y=19),
    "market": svg.moved(0, MARKET_TOP),
    "cities": svg.moved(0, CITIES_TOP),
    "purses": svg.moved(0, PURSES_TOP),
}
# Symbol -> its x position, and that of the number beside it.
STOCKS: Mapping[str, tuple[int | None, int]] = {
    "florins": (None, 17),
    MAN: (37, 53),
    WOMAN: (74, 90),
    HELPER: (111, 127),
}


@dataclass(frozen=True, slots=True)
class Purse:
    """Summary of a player board."""

    player: Player
    index: int

    name_at: ClassVar[SafeString] = svg.at(23, 15)
    sum_at: ClassVar[SafeString] = svg.at(PURSE - 10, 15)
    passed_at: ClassVar[SafeString] = svg.at(PURSE - 10, 62)

    @property
    def moved(self) -> SafeString:
        return svg.moved(PURSE * self.index, 0)

    @property
    def css(self) -> str:
        return "purse passed" if self.player.has_passed else "purse"

    @property
    def token(self) -> SafeString:
        return svg.token(self.player.faction, 18)

    @property
    def stocks(self) -> list[Stock]:
        return self.player.stocks(STOCKS, 16, 24, 37)

    @property
    def dice(self) -> list[SafeString]:
        return [
            svg.die(die.colour, die.face, DIE - 2, x=DIE * i, y=DICE_TOP)
            for i, die in enumerate(self.player.dice)
        ]

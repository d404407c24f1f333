"""Layout of the map and the charts beside it, in SVG units: positions, sizes, and attributes for the templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from games.revolution.influence import SPACES

# Position of a command strip, inside its region or beside it: x, y.
STRIPS: Mapping[str, tuple[int, int]] = {
    "holland": (112, 372),
    "utrecht": (506, 510),
    "north": (716, 424),
    "gelderland": (622, 500),
    "zeeland-generality": (500, 620),
    "flanders": (224, 764),
    "brabant": (418, 850),
    "liege": (556, 944),
    "rhineland": (800, 836),
    "luxembourg-trier": (742, 1098),
}
# Positions of texts on a TV, for provinces too small for the larger font: x, y.
ON_TV: Mapping[str, tuple[int, int]] = {
    "artois": (100, 885),
    "brabant": (408, 712),
    "cleve": (745, 548),
    "drenthe": (735, 248),
    "flanders": (138, 768),
    "gelderland": (604, 430),
    "geldern": (690, 654),
    "holland": (364, 404),
    "juelich": (756, 722),
    "koeln": (872, 656),
    "liege": (512, 900),
    "limburg": (642, 890),
    "maastricht": (590, 796),
    "namur": (420, 968),
    "overijssel": (690, 318),
    "utrecht": (476, 478),
    "venlo": (600, 718),
}
# Provinces whose pieces share a line with the name on a TV -> number of letters of the name (0: all).
IN_ONE_LINE: Mapping[str, int] = {
    "artois": 0,
    "drenthe": 0,
    "geldern": 4,
    "liege": 0,
    "limburg": 4,
    "maastricht": 6,
    "namur": 3,
    "utrecht": 3,
    "venlo": 0,
}
SEALED_RIGHT = ("holland",)  # seal on the right, because a city is on the left
ELSEWHERE = (900, 60)  # for a region that the drawing does not have, possible on a custom board
DRAWN_RIVERS = frozenset({"rhine", "maas", "schelde"})

# On the map
TV_SCALE = 1.5  # of names and pieces
LINE_HEIGHT = 24  # from the name of a province to its fill and limit
DIGIT_WIDTH = 13  # of fill and limit
SEAL_DISTANCE, SEAL_Y, SEAL_Y_IN_LINE = 16, 17, 18  # from fill and limit; below the name
CHIP_WIDTH, CHIP_HEIGHT = 42, 26  # a token with its number
CHIPS_PER_ROW = 3
CITY_NAME_Y, TOWN_NAME_Y = -22, -16
BOX_SIDE = 16  # of a command strip
BEGGARS_GAP, BEGGARS_Y = 6, 14  # of the number of Water Beggars, right of a command strip

# Beside the map
SIDE_X, SIDE_Y = 1004, 24
SUPPORT_HEIGHT, CELL_WIDTH, CELL_SIDE, CELL_TOP, CELL_TOKEN = 62, 30, 26, 34, 20
ALLEGIANCE_TOP, BISHOPRICS_TOP, UNIVERSITIES_TOP = 446, 884, 1128
ROW_HEIGHT, BASELINE, MIDDLE = 33, 26, 16  # of a row: its text, and its rail
RAIL_LEFT, RAIL_STEP = 212, 34
RAIL_WIDTH = RAIL_STEP * (len(SPACES) - 1)
DOT_RADIUS, MARKER_RADIUS, MARKER_TOKEN = 3, 13, 20


def translate(x: int, y: int) -> str:
    return f"translate({x} {y})"


@cache
def attributes(**values: int | str) -> SafeString:
    return format_html_join(" ", '{}="{}"', values.items())


def square(side: int, *, x: int, y: int, **more: int) -> SafeString:
    """Return the attributes of a square with its corner at a point."""
    return attributes(x=x, y=y, width=side, height=side, **more)


def centred(side: int, **more: int) -> SafeString:
    """Return the attributes of a square around the origin."""
    return square(side, x=-side // 2, y=-side // 2, **more)


@dataclass(frozen=True, slots=True)
class Pattern:
    """The hatching of the provinces of a faction."""

    faction: str
    side: int
    path: str


PATTERNS = (
    Pattern("catholics", 18, "M9 4v10M4 9h10"),
    Pattern("habsburgs", 14, "M0 14 14 0"),
    Pattern("nobility", 16, "M0 4l8 6 8-6"),
    Pattern("burghers", 14, "M0 0 14 14"),
    Pattern("reformers", 12, "M0 6h12"),
)

# Fixed attributes and transformations by the names that templates use (``board.svg``).
SVG: Mapping[str, str] = {
    "view": "0 20 1000 1160",
    "tv_view": "0 12 1440 1208",
    # A province: fill and limit, the holder's seal, counters in the countryside.
    "fill": attributes(y=LINE_HEIGHT),
    "seal": attributes(r=11),
    "seal_token": centred(16),
    "chip_token": attributes(y=31, width=22, height=22),
    "chip_count": attributes(x=23, y=50),
    # A city: two frames, the token of its holder, its counters and besiegers.
    "city": centred(34, rx=3),
    "city_inner": centred(26, rx=2),
    "city_token": centred(22),
    "city_chips_on_tv": "translate(0 -12) scale(1.78)",
    "city_chip_token": square(17, x=3, y=20),
    "city_chip_count": attributes(x=22, y=35),
    "besieger": square(18, x=10, y=-26),
    # A town: its frame and its only counter.
    "town": centred(22, rx=2),
    "town_token": centred(18),
    # Beside the map.
    "side": translate(SIDE_X, SIDE_Y),
    "title": attributes(y=BASELINE),
    "cell": attributes(width=CELL_SIDE, height=CELL_SIDE, rx=3),
    "cell_token": square(CELL_TOKEN, x=(CELL_SIDE - CELL_TOKEN) // 2, y=(CELL_SIDE - CELL_TOKEN) // 2),
    "allegiance": translate(0, ALLEGIANCE_TOP),
    "bishoprics": translate(0, BISHOPRICS_TOP),
    "universities": translate(0, UNIVERSITIES_TOP),
    "rail": attributes(d=f"M{RAIL_LEFT} {MIDDLE}h{RAIL_WIDTH}"),
    "last": attributes(x=RAIL_LEFT + RAIL_WIDTH, y=BASELINE),
}

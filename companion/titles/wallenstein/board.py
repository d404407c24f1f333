"""Template data of the board: the map with its provinces, and what lies beside it.

Land shapes are in ``static/wallenstein/land.svg`` under the slugs of the provinces, piece symbols in
``pieces.svg`` beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html_join
from django.utils.translation import gettext

from companion.titles.wallenstein import panel
from companion.titles.wallenstein.names import effect_of, event_title, name, name_on_tv, short_name
from companion.titles.wallenstein.svg import attributes, square, translate
from games.wallenstein.board import in_play, regions_in_play
from games.wallenstein.cards import ACTIONS
from games.wallenstein.pieces import BUILDINGS, PEASANTS, REGIONS, SUPPLY, TILE, place_of
from games.wallenstein.state import State, armies_in, owner_of, season_of, unrest_in, year_of

# Position of a province's name and pieces, in the middle of its shape: x, y.
SPOTS: Mapping[str, tuple[int, int]] = {
    "altmark": (535, 261),
    "anhalt": (557, 375),
    "augsburg": (428, 772),
    "baden": (322, 646),
    "bayern": (530, 770),
    "boehmen": (732, 516),
    "breisgau": (214, 838),
    "bremen": (244, 188),
    "burgund": (81, 764),
    "hessen-darmstadt": (331, 544),
    "hessen-kassel": (336, 456),
    "holstein": (365, 112),
    "kaernten": (729, 826),
    "koeln": (106, 353),
    "konstanz": (327, 869),
    "kursachsen": (649, 435),
    "lausitz": (749, 391),
    "lothringen": (136, 634),
    "lueneburg": (423, 270),
    "luettich": (76, 520),
    "maehren": (876, 561),
    "mark": (223, 409),
    "mecklenburg": (512, 151),
    "mittelmark": (655, 290),
    "neumark": (788, 268),
    "niederoesterreich": (869, 696),
    "oberoesterreich": (738, 687),
    "oberpfalz": (563, 594),
    "osnabrueck": (242, 293),
    "paderborn": (337, 359),
    "passau": (654, 622),
    "regensburg": (536, 678),
    "saechs-lande": (470, 480),
    "salzburg": (625, 766),
    "schlesien": (878, 407),
    "steiermark": (879, 813),
    "strassburg": (212, 720),
    "tirol": (523, 894),
    "trier": (201, 513),
    "vogtland": (584, 512),
    "vorpommern": (686, 164),
    "wolfenbuettel": (452, 369),
    "wuerttemberg": (335, 742),
    "wuerzburg": (434, 591),
    "zweibruecken": (226, 600),
}
ELSEWHERE = (940, 60)  # for a province that the drawing does not have
RIVERS = ("rhein", "elbe", "donau", "oder")
# Hatching of provinces by owner: size of the pattern, path in it.
HATCHES = (
    ("red", 14, "M0 14 14 0"),
    ("blue", 14, "M0 0 14 14"),
    ("yellow", 12, "M0 6h12"),
    ("purple", 16, "M0 4l8 6 8-6"),
    ("black", 18, "M9 5v8M5 9h8"),
)
PATTERNS = format_html_join(
    "\n",
    '<pattern id="p-{}" {} patternUnits="userSpaceOnUse"><path d="{}"/></pattern>',
    ((faction, square(size), path) for faction, size, path in HATCHES),
)

# ``viewBox`` of the map, and on a TV of the map with the panels around it.
MAP_BOX, TV_BOX = "-8 6 992 960", "-8 2 1440 1206"

# Layout of a province around its spot, in SVG units
TOKEN, FLAME = 24, 20
SITE_PITCH, SITE, TILE_SYMBOL = 22, 20, 16
PIECES_TOP = -8  # of token and flame
COUNT_Y = 12  # baseline
ONE_DIGIT = 9  # largest number of armies with one digit

LAYOUT: Mapping[str, str] = {
    "name": attributes(y=-15),
    "name_on_tv": attributes(y=-19),
    "token": square(TOKEN, x=-TOKEN - 2, y=PIECES_TOP),
    "armies": attributes(x=3, y=COUNT_Y),
    "flame": square(FLAME, y=PIECES_TOP),
    "unrest": attributes(x=FLAME - 1, y=COUNT_Y - 3),
    "unrest_on_tv": attributes(x=FLAME - 1, y=COUNT_Y),
    "site": attributes(x=(SITE_PITCH - SITE) // 2, width=SITE, height=SITE, rx=3),
    "tile": square(TILE_SYMBOL, x=(SITE_PITCH - TILE_SYMBOL) // 2, y=(SITE - TILE_SYMBOL) // 2),
}


@dataclass(frozen=True, slots=True)
class Site:
    """A building site of a province, with or without a building."""

    x: int
    tile: str  # empty: no building

    @property
    def transform(self) -> str:
        return translate(self.x, 0)

    @property
    def css(self) -> str:
        return "site built" if self.tile else "site"

    @property
    def name(self) -> str:
        return name("building", self.tile.replace("-", "_"))


@dataclass(frozen=True, slots=True)
class Land:
    """A province."""

    slug: str
    x: int
    y: int
    region: str
    owner: str
    armies: int
    sites: tuple[Site, ...]
    unrest: int
    gold: int
    grain: int
    neighbours: tuple[str, ...]
    is_used: bool  # with this number of players

    @property
    def place(self) -> str:
        return place_of(self.slug)

    @property
    def name(self) -> str:
        return name("province", self.slug)

    @property
    def short(self) -> str:
        return short_name(self.slug)

    @property
    def on_tv(self) -> str:
        return name_on_tv(self.slug)

    @property
    def owner_name(self) -> str:
        return name("faction", self.owner) if self.owner else ""

    @property
    def region_name(self) -> str:
        return name("region", self.region)

    @property
    def neighbour_names(self) -> str:
        return ", ".join(map(short_name, self.neighbours))

    @property
    def css(self) -> str:
        """Return the classes of its shape."""
        return f"land {self.owner or 'nobody'} in-{self.region}{'' if self.is_used else ' unused'}"

    @property
    def transform(self) -> str:
        return translate(self.x, self.y)

    @property
    def unrest_transform(self) -> str:
        """Return the position of the unrest markers, to the right of the number of armies."""
        return translate(27 if self.armies <= ONE_DIGIT else 47, 0)

    @property
    def sites_transform(self) -> str:
        """Return the position of the building sites, below token and armies if there are any."""
        return translate(0, 19 if self.owner else -6)

    @property
    def built(self) -> list[Site]:
        return [site for site in self.sites if site.tile]

    @property
    def free(self) -> int:
        return len(self.sites) - len(self.built)


def chart_of(state: State) -> dict[str, Any]:
    """Return the public template data of the board."""
    used = in_play(state.setup)
    lands = [_land(state, slug, slug in used) for slug in state.setup.figures["provinces"]]
    return {
        "lands": lands,
        "regions": [
            (
                region,
                name("region", region),
                [land for land in lands if land.region == region and land.is_used],
            )
            for region in regions_in_play(state.setup)
        ],
        "map": [(region, [land for land in lands if land.region == region]) for region in REGIONS],
        "map_box": MAP_BOX,
        "tv_box": TV_BOX,
        "layout": LAYOUT,
        "panel": panel.LAYOUT,
        "patterns": PATTERNS,
        "rivers": RIVERS,
        "season": _season(state),
        "current": event_title(state.current) if state.current else "",
        "effect": effect_of(state.current) if state.current else "",
        "progress": progress(state),
        "events": [panel.event_slot(i, card) for i, card in enumerate(state.events)],
        "cards": panel.cards_of(state),
        "is_winter": bool(state.round) and season_of(state) == "winter",
        "purses": [panel.purse_of(state, faction, i) for i, faction in enumerate((*state.order, PEASANTS))],
        "tiles": [
            (TILE[b], name("all-buildings", b), state.ledger.count(PEASANTS, TILE[b], SUPPLY))
            for b in BUILDINGS
        ],
    }


def _season(state: State) -> str:
    if not state.round:
        return name("phase", "setup")
    params = {"season": name("season", season_of(state)), "year": year_of(state)}
    return gettext("%(season)s of year %(year)d") % params


def progress(state: State) -> str:
    """Return the action in progress and its number as a sentence; empty if there is none."""
    now = next((card for card in panel.cards_of(state) if card.is_now), None)
    if now is None:
        return ""
    params = {"place": now.place, "count": len(ACTIONS), "action": now.name}
    return gettext("Action %(place)d of %(count)d: %(action)s") % params


# Provinces


def _land(state: State, slug: str, is_used: bool) -> Land:  # noqa: FBT001 - stored as a field
    row = state.setup.figures["provinces"][slug]
    x, y = SPOTS.get(slug, ELSEWHERE)
    owner = (owner_of(state, slug) if is_used else None) or ""
    return Land(
        slug=slug,
        x=x,
        y=y,
        region=row["region"],
        owner=owner,
        armies=armies_in(state, slug, owner) if owner else 0,
        sites=_sites(state, slug, row["cities"]),
        unrest=unrest_in(state, slug),
        gold=row["gold"],
        grain=row["grain"],
        neighbours=tuple(row["neighbours"]),
        is_used=is_used,
    )


def _sites(state: State, slug: str, cities: int) -> tuple[Site, ...]:
    """Return the building sites, centred; sites with a building come first."""
    counts = [(TILE[b], state.ledger.count(PEASANTS, TILE[b], place_of(slug))) for b in BUILDINGS]
    tiles = [tile for tile, count in counts for _ in range(count)]
    tiles += [""] * (cities - len(tiles))
    left = -SITE_PITCH * len(tiles) // 2
    return tuple(Site(left + SITE_PITCH * i, tile) for i, tile in enumerate(tiles))


def plan_in(state: State) -> list[tuple[str, str]]:
    """Return the visible plan as (action, province): the viewer's own, since the state is masked."""
    return [
        (name("action", action), short_name(province))
        for cards in state.plans.values()
        for action, province in cards.items()
    ]

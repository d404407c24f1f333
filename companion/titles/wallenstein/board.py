"""The Holy Roman Empire as it is drawn and told: provinces, cards, what players and the tower hold.

Land shapes are in ``static/wallenstein/land.svg`` under the slugs of the provinces, pieces in
``pieces.svg`` beside it; here is what lies on the land.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from companion import wording
from games.core.messages import Message, Name
from games.wallenstein.board import in_play, regions_in_play
from games.wallenstein.cards import ACTIONS, EventCard, event_name
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.pieces import BUILDINGS, PEASANTS, REGIONS, SUPPLY, TILE, place_of
from games.wallenstein.state import (
    State,
    armies_in,
    gold_of,
    grain_of,
    in_cup,
    in_tower,
    owner_of,
    provinces_of,
    season_of,
    supply_of,
    unrest_in,
    year_of,
)

# Where a province's name and pieces stand, in the middle of the room its shape has: x, y.
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
ELSEWHERE = (940, 60)  # a province that the drawing does not know
RIVERS = ("rhein", "elbe", "donau", "oder")

# Titles of bishops and counts, for which the map has no room.
TITLES = ("Bm. ", "Erzbm. ", "Fm. ", "Gft. ", "Hm. ")

# Beside the map and below it: how far apart rows and columns are; on the map, building sites.
ROW, LINE, COLUMN, SITE = 46, 50, 710, 22
SHORT = 9  # armies that one digit tells
LETTERS = 5  # of a name that the map of a TV has room for


def name(kind: str, slug: str) -> str:
    return wording.name(WALLENSTEIN, kind, slug)


def event_title(event: str) -> str:
    """What an event is called; most are only in a region."""
    called = event_name(event)
    return wording.render(WALLENSTEIN, called) if isinstance(called, Message) else _named(called)


def _named(called: Name) -> str:
    return name(called.kind, called.slug)


def effect_of(event: str) -> str:
    """What an event does for its season."""
    return name("effect", event.partition(":")[0])


def short_name(province: str) -> str:
    """A province without the title of its lord."""
    full = name("province", province)
    title = next((title for title in TITLES if full.startswith(title)), "")
    return full.removeprefix(title)


def name_on_tv(province: str) -> str:
    """A province in as many letters as are large enough to be read from three metres."""
    first, *others = short_name(province).replace("-", " ").split()
    if others and not first.endswith("."):
        return f"{first[0]}.-{others[0][: LETTERS - 2]}."
    return first if len(first) <= LETTERS + 1 else f"{first[:LETTERS]}."


@dataclass(frozen=True, slots=True)
class Site:
    """A building site of a province, with or without a building."""

    x: int
    tile: str  # empty: none yet

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
    is_used: bool  # with so many players

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
    def near(self) -> str:
        return ", ".join(map(short_name, self.neighbours))

    @property
    def after(self) -> int:
        """Where there is room beside the number of armies."""
        return 27 if self.armies <= SHORT else 47

    @property
    def built(self) -> list[Site]:
        return [site for site in self.sites if site.tile]

    @property
    def free(self) -> int:
        return len(self.sites) - len(self.built)


@dataclass(frozen=True, slots=True)
class Card:
    """A space of the action row: an action card, open or face down."""

    top: int
    place: int
    action: str  # empty: nobody has seen it yet
    is_done: bool
    is_now: bool

    @property
    def name(self) -> str:
        return name("action", self.action) if self.action else ""


@dataclass(frozen=True, slots=True)
class Drawn:
    """An event card of the year that lies in the row."""

    left: int
    top: int
    title: str
    loss: int


@dataclass(frozen=True, slots=True)
class Purse:
    """What a player has beside the board, in play order; the peasants have only cubes."""

    faction: str
    top: int
    armies: int  # in supply
    tower: int
    cup: int
    gold: int = 0
    grain: int = 0
    provinces: int = 0

    @property
    def name(self) -> str:
        return name("faction", self.faction)

    @property
    def short(self) -> int:
        """The provinces for which there is no grain."""
        return max(0, self.provinces - self.grain)

    @property
    def is_player(self) -> bool:
        return self.faction != PEASANTS


def chart_of(state: State) -> dict[str, Any]:
    """All that is drawn for everybody."""
    used = in_play(state.setup)
    lands = [_land(state, slug, slug in used) for slug in state.setup.figures["provinces"]]
    return {
        "lands": lands,
        "regions": [
            (region, name("region", region), [one for one in lands if one.region == region and one.is_used])
            for region in regions_in_play(state.setup)
        ],
        "map": [(region, [one for one in lands if one.region == region]) for region in REGIONS],
        "rivers": RIVERS,
        "season": _season(state),
        "current": event_title(state.current) if state.current else "",
        "effect": effect_of(state.current) if state.current else "",
        "progress": progress(state),
        "events": [_drawn(i, card) for i, card in enumerate(state.events)],
        "cards": _cards(state),
        "is_winter": bool(state.round) and season_of(state) == "winter",
        "purses": [_purse(state, faction, i) for i, faction in enumerate((*state.order, PEASANTS))],
        "tiles": [
            (TILE[b], name("all-buildings", b), state.ledger.count(PEASANTS, TILE[b], SUPPLY))
            for b in BUILDINGS
        ],
    }


def _season(state: State) -> str:
    if not state.round:
        return name("phase", "setup")
    known = {"season": name("season", season_of(state)), "year": year_of(state)}
    return gettext("%(season)s of year %(year)d") % known


def progress(state: State) -> str:
    """How far the season is: which action is under way."""
    now = next((card for card in _cards(state) if card.is_now), None)
    if now is None:
        return ""
    known = {"place": now.place, "count": len(ACTIONS), "action": now.name}
    return gettext("Action %(place)d of %(count)d: %(action)s") % known


# Provinces


def _land(state: State, slug: str, is_used: bool) -> Land:  # noqa: FBT001 - of the row
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
    """The building sites, those with a building first; in the middle of the province."""
    counts = [(TILE[b], state.ledger.count(PEASANTS, TILE[b], place_of(slug))) for b in BUILDINGS]
    tiles = [tile for tile, count in counts for _ in range(count)]
    tiles += [""] * (cities - len(tiles))
    left = -SITE * len(tiles) // 2
    return tuple(Site(left + SITE * i, tile) for i, tile in enumerate(tiles))


# Beside the map


def _cards(state: State) -> list[Card]:
    """The action row; the action under way is known while actions are carried out."""
    if not state.row:
        return []
    frame = next((frame for frame in state.frames if frame.phase == "actions"), None)
    now = frame.data["action"] if frame else 0
    return [
        Card(
            top=ROW * i,
            place=i + 1,
            action=state.row[i] if i < len(state.row) else "",
            is_done=i < now,
            is_now=frame is not None and i == now,
        )
        for i in range(len(ACTIONS))
    ]


def _drawn(at: int, card: EventCard) -> Drawn:
    return Drawn(COLUMN * (at % 2), ROW * (at // 2), event_title(card.event), card.loss)


def _purse(state: State, colour: str, at: int) -> Purse:
    cubes = Purse(
        faction=colour,
        top=LINE * at,
        armies=supply_of(state, colour),
        tower=in_tower(state)[colour],
        cup=in_cup(state)[colour],
    )
    if colour == PEASANTS:
        return cubes
    return replace(
        cubes,
        gold=gold_of(state, colour),
        grain=grain_of(state, colour),
        provinces=len(provinces_of(state, colour)),
    )


def plan_in(state: State) -> list[tuple[str, str]]:
    """The plan that somebody may see: their own."""
    return [
        (name("action", action), short_name(province))
        for cards in state.plans.values()
        for action, province in cards.items()
    ]

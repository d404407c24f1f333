"""Template data of the board: provinces, cards, holdings of players and tower.

Land shapes are in ``static/wallenstein/land.svg`` under the slugs of the provinces, piece symbols in
``pieces.svg`` beside it.
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

# Titles that are left out on the map, for lack of space.
TITLES = ("Bm. ", "Erzbm. ", "Fm. ", "Gft. ", "Hm. ")

# Distances in SVG units: rows and columns beside and below the map, building sites on it.
ROW, LINE, COLUMN, SITE = 46, 50, 710, 22
SHORT = 9  # largest number of armies with one digit
LETTERS = 5  # maximal letters of a name on the map of a TV


def name(kind: str, slug: str) -> str:
    return wording.name(WALLENSTEIN, kind, slug)


def event_title(event: str) -> str:
    """Return the name of an event, with its region if it has one."""
    title = event_name(event)
    return wording.render(WALLENSTEIN, title) if isinstance(title, Message) else _resolve(title)


def _resolve(reference: Name) -> str:
    return name(reference.kind, reference.slug)


def effect_of(event: str) -> str:
    """Return the effect of an event as a sentence."""
    return name("effect", event.partition(":")[0])


def short_name(province: str) -> str:
    """Return the name of a province without a title such as "Bm."."""
    full = name("province", province)
    title = next((title for title in TITLES if full.startswith(title)), "")
    return full.removeprefix(title)


def name_on_tv(province: str) -> str:
    """Return the name of a province, abbreviated to be legible on a TV from 3 m."""
    first, *others = short_name(province).replace("-", " ").split()
    if others and not first.endswith("."):
        return f"{first[0]}.-{others[0][: LETTERS - 2]}."
    return first if len(first) <= LETTERS + 1 else f"{first[:LETTERS]}."


@dataclass(frozen=True, slots=True)
class Site:
    """A building site of a province, with or without a building."""

    x: int
    tile: str  # empty: no building

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
    def unrest_x(self) -> int:
        """Return the x position of the unrest markers, to the right of the number of armies."""
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
    action: str  # empty: face down
    is_done: bool
    is_now: bool

    @property
    def name(self) -> str:
        return name("action", self.action) if self.action else ""


@dataclass(frozen=True, slots=True)
class EventSlot:
    """An event card in the row of the year."""

    left: int
    top: int
    title: str
    loss: int


@dataclass(frozen=True, slots=True)
class Purse:
    """Holdings of a player beside the board; peasants have only cubes."""

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
        """Return the grain shortage: provinces minus grain, at least 0."""
        return max(0, self.provinces - self.grain)

    @property
    def is_player(self) -> bool:
        return self.faction != PEASANTS


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
        "rivers": RIVERS,
        "season": _season(state),
        "current": event_title(state.current) if state.current else "",
        "effect": effect_of(state.current) if state.current else "",
        "progress": progress(state),
        "events": [_event_slot(i, card) for i, card in enumerate(state.events)],
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
    params = {"season": name("season", season_of(state)), "year": year_of(state)}
    return gettext("%(season)s of year %(year)d") % params


def progress(state: State) -> str:
    """Return the action in progress and its number as a sentence; empty if there is none."""
    now = next((card for card in _cards(state) if card.is_now), None)
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
    left = -SITE * len(tiles) // 2
    return tuple(Site(left + SITE * i, tile) for i, tile in enumerate(tiles))


# Beside the map


def _cards(state: State) -> list[Card]:
    """Return the action row; an action is marked as current only during the actions phase."""
    if not state.row:
        return []
    frame = next((frame for frame in state.frames if frame.phase == "actions"), None)
    current = frame.data["action"] if frame else 0
    return [
        Card(
            top=ROW * i,
            place=i + 1,
            action=state.row[i] if i < len(state.row) else "",
            is_done=i < current,
            is_now=frame is not None and i == current,
        )
        for i in range(len(ACTIONS))
    ]


def _event_slot(index: int, card: EventCard) -> EventSlot:
    return EventSlot(COLUMN * (index % 2), ROW * (index // 2), event_title(card.event), card.loss)


def _purse(state: State, colour: str, index: int) -> Purse:
    cubes = Purse(
        faction=colour,
        top=LINE * index,
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
    """Return the visible plan as (action, province): the viewer's own, since the state is masked."""
    return [
        (name("action", action), short_name(province))
        for cards in state.plans.values()
        for action, province in cards.items()
    ]

"""Position editor of Revolution: provinces, command strips, support boxes and charts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from companion import wording
from companion.errors import Refusal
from companion.journal import positions
from companion.titles.base import Pieces, PositionEditor
from companion.titles.revolution.board import Land, chart_of, chips_of
from companion.titles.revolution.names import name, place_name
from games.core.actions import Position
from games.core.codec import Json
from games.revolution import REVOLUTION, bishoprics, universities
from games.revolution.board import Atlas, Province, Region
from games.revolution.factions import BOXES, BURGHERS, EVERYBODY, NEUTRAL, REFORMERS
from games.revolution.influence import SPACES
from games.revolution.pieces import ARMY, BEGGAR, BEGGARS_BOX, COUNTER
from games.revolution.resuming import NEVER
from games.revolution.rounds import ROUND, phases_of
from games.revolution.setup import WATER_BEGGARS
from games.revolution.state import (
    HUGUENOTS,
    LAST_ROUND,
    TREASURY,
    State,
    atlas,
    boxes_taken,
    everybody,
    used_place,
)

PHASES = tuple(phase for phase in ROUND if phase not in NEVER)
NOBODY = "nobody"
PARTS = ("course", "land", "armies", "support", "charts")

# Kinds of places that can be occupied only in part of a round: after the first phase, up to the second.
WHILE: Mapping[str, tuple[str, str]] = {
    "siege": ("sieges", "completing"),
    "released": ("maintenance", "status"),
    "used": ("support", "status"),
    "region": ("beggars", "completing"),
}


# Template data


@dataclass(frozen=True, slots=True)
class Line(Pieces):
    """Pieces with the name of their owner."""

    @property
    def name(self) -> str:
        return name("faction", "water-beggars" if self.piece == BEGGAR else self.owner)

    @property
    def toggle(self) -> str:
        """Return the value of a button that puts the piece at a single place, or removes it."""
        return f"clear {self.place}" if self.count else f"only {self.key}"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place with its pieces, and those that can be added; a single place holds one piece."""

    place: str
    title: str
    lines: tuple[Line, ...]
    others: tuple[Line, ...]
    note: str = ""
    is_single: bool = False
    is_over: bool = False
    is_rare: bool = False  # usually empty, therefore collapsed

    @property
    def everybody(self) -> list[Line]:
        """Return the candidates of a single place; the one whose piece is there has the count 1."""
        return sorted((*self.lines, *self.others), key=lambda line: EVERYBODY.index(line.owner))


@dataclass(frozen=True, slots=True)
class Option:
    """A possible value of a card or marker."""

    value: str
    label: str
    chosen: bool
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A card or marker that is not in the ledger."""

    name: str
    key: str
    title: str
    options: tuple[Option, ...]

    @property
    def chosen(self) -> Option | None:
        return next((option for option in self.options if option.chosen), None)

    @property
    def css_class(self) -> str:
        return "seven" if self.name == "allegiance" else "two"


@dataclass(frozen=True, slots=True)
class Stock:
    """Numbers of placed counters and armies of an owner."""

    owner: str
    placed: int
    total: int
    armies: int = 0
    all_armies: int = 0

    @property
    def is_over(self) -> bool:
        return self.placed > self.total

    @property
    def left(self) -> int:
        """Return the counters in supply; negative if too many are placed."""
        return self.total - self.placed

    @property
    def has_too_many_armies(self) -> bool:
        return self.armies > self.all_armies

    @property
    def text(self) -> str:
        """Return a sentence about the counters."""
        if self.is_over:
            template = gettext("{name}: {placed} placed, but there are only {total}")
        else:
            template = gettext("{name}: {placed} of {total} placed, {left} in supply")
        owner = name("faction", self.owner)
        return template.format(name=owner, placed=self.placed, total=self.total, left=self.left)

    @property
    def armies_text(self) -> str:
        template = gettext("{name}: {placed} of {total} armies placed")
        return template.format(name=name("faction", self.owner), placed=self.armies, total=self.all_armies)


def position(state: State, place: str, _owner: str = "") -> dict[str, Any]:
    """Return the data of ``position.html``, with the province of the selected place."""
    land = atlas(state)
    chart, here = chart_of(state), _province_at(land, place)
    return {
        **chart,
        **(_selected(land, here, chart["lands"]) if here else {}),
        "parts": _titles(),
        "rounds": range(LAST_ROUND + 1),
        "phases": [(phase, name("phase", phase)) for phase in phases_of(state.round) if phase not in NEVER],
        "stock": [_stock(state, owner) for owner in everybody(state)],
        "here": here.slug if here else "",
        "spots": _in_province(state, here) if here else [],
        "listed": [(province.slug, chips_of(state, province.places)) for province in land.provinces.values()],
        "regions": [_in_region(state, region) for region in land.regions.values()],
        "beggars_box": _spot(state, BEGGARS_BOX, BEGGAR, (NEUTRAL,), gettext("In their box")),
        "boxes": [
            (name("box", box.slug), _in_box(state, box.slug, box.factions)) for box in land.support.values()
        ],
        "treasuries": [
            Line(f, COUNTER, TREASURY, state.ledger.count(f, COUNTER, TREASURY)) for f in state.order
        ],
        **_charts(state),
    }


def _titles() -> list[tuple[str, str]]:
    titles = (
        gettext("Course"),
        gettext("Provinces"),
        gettext("Armies"),
        gettext("Support"),
        gettext("Charts"),
    )
    return list(zip(PARTS, titles, strict=True))


def _province_at(land: Atlas, place: str) -> Province | None:
    kind, _, slug = place.partition(":")
    if kind == "countryside":
        return land.provinces.get(slug)
    return land.province_of(place) if place in land.home else None


def _selected(land: Atlas, here: Province, lands: Sequence[Land]) -> dict[str, Any]:
    """Return the selected province, and the previous and next one in board order, wrapping around."""
    slugs = list(land.provinces)
    index = slugs.index(here.slug)
    before, after = slugs[index - 1], slugs[(index + 1) % len(slugs)]
    return {
        "selected": lands[index],
        "previous": (before, name("province", before)),
        "following": (after, name("province", after)),
    }


def _spot(state: State, place: str, piece: str, owners: Iterable[str], title: str, **fields: Any) -> Spot:
    return _mixed(state, place, [(owner, piece) for owner in owners], title, **fields)


def _mixed(state: State, place: str, pieces: Iterable[tuple[str, str]], title: str, **fields: Any) -> Spot:
    lines = [Line(owner, piece, place, state.ledger.count(owner, piece, place)) for owner, piece in pieces]
    return Spot(
        place=place,
        title=title,
        lines=tuple(line for line in lines if line.count),
        others=tuple(line for line in lines if not line.count),
        **fields,
    )


def _in_province(state: State, province: Province) -> list[Spot]:
    """Return the spots of a province, with besiegers only while sieges are possible."""
    spots = [_spot(state, province.countryside, COUNTER, everybody(state), gettext("Countryside"))]
    for city in province.cities:
        spots.append(_spot(state, city, COUNTER, everybody(state), place_name(city)))
        siege = city.replace("city:", "siege:", 1)
        if _is_shown(state, siege):
            title = gettext("Besieging {city}").format(city=place_name(city))
            besiegers = [*((faction, ARMY) for faction in state.order), (NEUTRAL, BEGGAR)]
            spots.append(_mixed(state, siege, besiegers, title, is_rare=True))
    spots += [
        _spot(state, town, COUNTER, everybody(state), place_name(town), is_single=True)
        for town in province.towns
    ]
    return spots


def _in_region(state: State, region: Region) -> list[Spot]:
    """Return the command strip, with released armies and Water Beggars only while they are possible."""
    taken = boxes_taken(state, region.slug)
    region_name = name("region", region.slug)
    title = wording.capital(region_name)
    note = gettext("{taken} of {boxes} boxes").format(taken=taken, boxes=region.boxes)
    is_over = taken > region.boxes
    spots = [_spot(state, region.strip, ARMY, state.order, title, note=note, is_over=is_over)]
    if _is_shown(state, region.released):
        title = gettext("Released in {region}").format(region=region_name)
        spots.append(_spot(state, region.released, ARMY, state.order, title, is_rare=True))
    if _is_shown(state, f"region:{region.slug}"):
        title = gettext("Water Beggars in {region}").format(region=region_name)
        spots.append(_spot(state, f"region:{region.slug}", BEGGAR, (NEUTRAL,), title, is_rare=True))
    return spots


def _in_box(state: State, slug: str, factions: Sequence[str]) -> list[Spot]:
    """Return a spot for each cell; Huguenots that have intercepted are face down."""
    owners = [faction for faction in state.order if faction in factions]
    spots = []
    for number, cell in enumerate(atlas(state).support[slug].places, start=1):
        title = gettext("Cell {number}").format(number=number)
        spots.append(_spot(state, cell, COUNTER, owners, title, is_single=True))
        used = used_place(cell)
        if slug == HUGUENOTS and _is_shown(state, used):
            title = gettext("Cell {number}, face down").format(number=number)
            spots.append(_spot(state, used, COUNTER, owners, title, is_single=True))
    return spots


def _is_shown(state: State, place: str) -> bool:
    """Return True if a place is occupied, or can be occupied in this phase."""
    first, last = WHILE[place.partition(":")[0]]
    phase = state.frames[0].phase
    if state.ledger.at(place):
        return True
    return bool(state.round) and phase in PHASES and _is_within(phase, first, last)


def _is_within(phase: str, first: str, last: str) -> bool:
    return PHASES.index(first) < PHASES.index(phase) <= PHASES.index(last)


def _stock(state: State, owner: str) -> Stock:
    counters, armies = _placed(state, owner, COUNTER), _placed(state, owner, ARMY)
    if owner == NEUTRAL:
        return Stock(owner, counters, state.setup.options["neutral_pool"])
    box = BOXES[state.setup.players]
    return Stock(owner, counters, box.counters, armies, box.armies)


def _placed(state: State, owner: str, piece: str) -> int:
    lines = state.ledger.holdings()
    return sum(
        line.count for line in lines if (line.owner, line.piece) == (owner, piece) and line.place != "supply"
    )


# Cards and charts


def _charts(state: State) -> dict[str, Any]:
    """Return all cards and markers with their options; empty in round 0, before they are dealt."""
    facts = _facts(state) if state.allegiance else {}
    cities = zip(facts.get("cities", ()), facts.get("allegiance", ()), strict=True)
    return {
        "city_cards": list(cities),
        "province_cards": facts.get("provinces", []),
        "bishopric_rows": facts.get("bishoprics", []),
        "university_rows": facts.get("universities", []),
        "hirer": _hirer(state) if _is_hired(state) else None,
    }


def _facts(state: State) -> dict[str, list[Fact]]:
    land = atlas(state)
    return {
        "cities": [_card(state, "cities", city) for city in land.cities],
        "allegiance": [_column(state, city) for city in land.cities],
        "provinces": [_card(state, "provinces", slug) for slug in land.provinces],
        "bishoprics": [_bishopric(state, slug) for slug in land.bishoprics],
        "universities": [_university(state, place) for place in land.universities],
    }


def _card(state: State, fact: str, key: str) -> Fact:
    kind, holders = ("city", state.cities) if fact == "cities" else ("province", state.provinces)
    return Fact(fact, key, name(kind, key), _holders(state.order, holders.get(key)))


def _holders(factions: Iterable[str], held_by: str | None) -> tuple[Option, ...]:
    options = [Option(f, name("faction", f), f == held_by, owner=f) for f in factions]
    return (*options, Option(NOBODY, gettext("Nobody"), held_by is None))


def _column(state: State, city: str) -> Fact:
    current = state.allegiance.get(city, 0)
    options = tuple(Option(str(column), str(column), column == current) for column in SPACES)
    return Fact("allegiance", city, name("city", city), options)


def _bishopric(state: State, slug: str) -> Fact:
    current = state.bishoprics.get(slug)
    options = tuple(Option(c, name("column", c), c == current) for c in bishoprics.COLUMNS)
    return Fact("bishoprics", slug, name("province", slug), options)


def _university(state: State, place: str) -> Fact:
    current = state.universities.get(place)
    options = tuple(Option(u, name("university", u), u == current) for u in universities.states_of(place))
    return Fact("universities", place, place_name(place), options)


def _hirer(state: State) -> Fact:
    hirers = [faction for faction in state.order if faction in (BURGHERS, REFORMERS)]
    return Fact("hirer", HIRED, gettext("Who hired the Water Beggars"), _holders(hirers, state.hirer))


HIRED = "beggars"  # placeholder key: there is only one hirer


def _is_hired(state: State) -> bool:
    phase = state.frames[0].phase
    return bool(state.round) and phase in PHASES and _is_within(phase, *WHILE["region"])


# Button presses


def initial_facts(state: State) -> dict[str, Json]:
    """Return the cards and markers of the state; empty before they are dealt, when the board defines them."""
    if not state.allegiance:
        return {}
    facts = (
        "cities",
        "provinces",
        "bishoprics",
        "universities",
        "allegiance",
        "scores",
        "hirer",
        "driven_back",
    )
    encoded = REVOLUTION.state_json(state)
    return {fact: encoded[fact] for fact in facts if encoded.get(fact)}


def tap(state: State, draft: Position, form: Mapping[str, str]) -> Position | None:
    """Return the draft after a button press; None for buttons that every game has."""
    match form.get("do"):
        case "tap":
            return _apply_tap(state, draft, form.get("tap", "").split())
        case "round":
            return _set_round(draft, form.get("round", ""))
        case "empty":
            box = (NEUTRAL, BEGGAR, BEGGARS_BOX)
            empty = replace(positions.clear(draft), facts={})
            for _ in range(WATER_BEGGARS):  # they are in their box unless hired
                empty = positions.add_piece(empty, *box, ordered=False)
            return empty
        case _:
            return None


def _set_round(draft: Position, text: str) -> Position:
    if text not in map(str, range(LAST_ROUND + 1)):
        raise Refusal("bad-input", gettext("Rounds go from 0 to {last}.").format(last=LAST_ROUND))
    phases = [phase for phase in phases_of(int(text)) if phase not in NEVER]
    phase = draft.phase if draft.phase in phases else phases[0]
    return replace(draft, round=int(text), phase=phase)


def _apply_tap(state: State, draft: Position, words: Sequence[str]) -> Position:
    """Add, remove or replace pieces at a place, or set a card or marker."""
    match words:
        case ["put", owner, piece, place] if _is_line(state, owner, piece, place):
            return positions.add_piece(draft, owner, piece, place, ordered=False)
        case ["take", owner, piece, place] if _is_line(state, owner, piece, place):
            return positions.remove_piece(draft, owner, piece, place)
        case ["only", owner, piece, place] if _is_line(state, owner, piece, place):
            return positions.add_piece(positions.clear(draft, place), owner, piece, place, ordered=False)
        case ["clear", place]:
            return positions.clear(draft, place)
        case ["fact", fact, key, value]:
            return replace(draft, facts=_with_fact(state, draft, fact, key, value))
        case ["forget", *facts]:
            remaining = {fact: value for fact, value in draft.facts.items() if fact not in facts}
            return replace(draft, facts=remaining)
        case _:
            raise Refusal("bad-input", gettext("There is no such button."))


def _is_line(state: State, owner: str, piece: str, place: str) -> bool:
    return owner in everybody(state) and piece in REVOLUTION.pieces and place in atlas(state).places


def _with_fact(state: State, draft: Position, fact: str, key: str, value: str) -> dict[str, Json]:
    offered = {"hirer": [_hirer(state)], **_facts(state)}.get(fact, [])
    match = next((candidate for candidate in offered if candidate.key == key), None)
    if match is None or value not in [option.value for option in match.options]:
        raise Refusal("bad-input", gettext("There is no such button."))
    encoded: Json = None if value == NOBODY else int(value) if fact == "allegiance" else value
    if fact == "hirer":
        return {**draft.facts, fact: encoded}
    return {**draft.facts, fact: {**(draft.facts.get(fact) or {}), key: encoded}}


EDITOR = PositionEditor(phases=PHASES, board=position, initial_facts=initial_facts, tap=tap)

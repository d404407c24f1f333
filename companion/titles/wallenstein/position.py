"""Taking Wallenstein up in mid-course: what is tapped on the map, beside it, and of the cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from companion import wording
from companion.errors import Refusal
from companion.journal import positions
from companion.titles.base import Pieces
from companion.titles.wallenstein.board import chart_of, event_title, name
from companion.titles.widgets import number
from games.core.actions import Position
from games.core.codec import Json, to_json
from games.wallenstein.board import in_play, province_of
from games.wallenstein.cards import EVENTS, EventCard
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.pieces import (
    ARMIES,
    ARMY,
    BUILDINGS,
    CUP,
    GOLD,
    GRAIN,
    PARTS,
    PEASANT_ARMIES,
    PEASANTS,
    POINT,
    SUPPLY,
    TILE,
    TOWER,
    UNREST,
    place_of,
    score_place,
)
from games.wallenstein.resume import PHASES, events_due
from games.wallenstein.season import PLAIN_LOSS
from games.wallenstein.state import SEASONS, State, colours_of, owner_of, supply_of, tiles_in

NOBODY = "nobody"
PAGES = ("course", "land", "players", "tower")
MANY = 5  # what a button adds at once, where one by one takes long
MOST = 5  # pieces that one tap moves


# What is drawn


@dataclass(frozen=True, slots=True)
class Line(Pieces):
    """As the page of a place shows it."""

    title: str
    many: int = 0  # how many more at once, beside one


@dataclass(frozen=True, slots=True)
class Stock:
    """How many of a colour's cubes are placed."""

    colour: str
    placed: int
    total: int

    @property
    def is_over(self) -> bool:
        return self.placed > self.total

    @property
    def text(self) -> str:
        if self.is_over:
            told = gettext("{name}: {placed} cubes placed, but there are only {total}")
        else:
            told = gettext("{name}: {placed} of {total} cubes placed, {left} in supply")
        known = {"placed": self.placed, "total": self.total, "left": self.total - self.placed}
        return told.format(name=name("faction", self.colour), **known)


@dataclass(frozen=True, slots=True)
class Moment:
    """A time at which the game can be taken up."""

    value: str  # round and phase, as a tap says it
    title: str


def position(state: State, place: str) -> dict[str, Any]:
    """What ``position.html`` draws, with the province that was tapped."""
    here = place.partition(":")[2] if place.startswith("province:") else ""
    return {
        **chart_of(state),
        "parts": _titles(),
        "moments": _moments(),
        "stock": [_stock(state, colour) for colour in colours_of(state)],
        "choices": [(event, event_title(event)) for event in EVENTS],
        "here": here,
        **(_in_province(state, here) if here else {}),
        "players": [_of_player(state, faction) for faction in state.order],
        "cubes": [_of_colour(state, colour) for colour in colours_of(state)],
    }


def _titles() -> list[tuple[str, str]]:
    titles = (gettext("Course"), gettext("Provinces"), gettext("Players"), gettext("Tower"))
    return list(zip(PAGES, titles, strict=True))


def _moments() -> list[Moment]:
    """The beginning of each season and each winter, and of a year before its event cards are drawn."""
    found = []
    for round_ in range(1, 2 * len(SEASONS) + 1):
        if (round_ - 1) % len(SEASONS) == 0:
            year = (round_ - 1) // len(SEASONS) + 1
            title = gettext("Year {year}, no event cards yet").format(year=year)
            found.append(Moment(f"{round_ - 1} events", title))
        phase = "winter" if round_ % len(SEASONS) == 0 else "row"
        found.append(Moment(f"{round_} {phase}", wording.round_name(WALLENSTEIN, round_)))
    return found


def _stock(state: State, colour: str) -> Stock:
    total = PEASANT_ARMIES if colour == PEASANTS else ARMIES
    return Stock(colour, total - supply_of(state, colour), total)


def _line(state: State, what: tuple[str, str, str], title: str, many: int = 0) -> Line:
    return Line(*what, state.ledger.count(*what), title, many)


def _in_province(state: State, province: str) -> dict[str, Any]:
    """Whose armies, which buildings, how much unrest; and who keeps it without an army."""
    place, owners = place_of(province), state.setup.factions
    armies = [_line(state, (f, ARMY, place), name("faction", f)) for f in owners]
    slugs = list(in_play(state.setup))
    at = slugs.index(province)
    return {
        "armies": [line for line in armies if line.count],
        "others": [line for line in armies if not line.count],
        "buildings": [
            _line(state, (PEASANTS, TILE[b], place), wording.capital(name("building", b))) for b in BUILDINGS
        ],
        "cities": province_of(state.setup, province).cities,
        "tiles": tiles_in(state, province),
        "unrest": _line(state, (PEASANTS, UNREST, place), gettext("Unrest markers")),
        "keeper": owner_of(state, province) or "",
        "beside": [(slug, name("province", slug)) for slug in (slugs[at - 1], slugs[(at + 1) % len(slugs)])],
    }


def _of_player(state: State, faction: str) -> tuple[str, str, list[Line]]:
    """Gold and grain; and points, once a winter can have been scored."""
    lines = [
        _line(state, (faction, GOLD, SUPPLY), wording.capital(name("piece", GOLD)), MANY),
        _line(state, (faction, GRAIN, SUPPLY), wording.capital(name("piece", GRAIN)), MANY),
    ]
    points = [
        _line(state, (faction, POINT, score_place(part)), _points_for(part), MANY)
        for part in PARTS
        if state.round >= len(SEASONS)
    ]
    return faction, name("faction", faction), [*lines, *points]


def _points_for(part: str) -> str:
    return gettext("Points of the first winter: {part}").format(part=name("part", part))


def _of_colour(state: State, colour: str) -> tuple[str, str, list[Line]]:
    tower = _line(state, (colour, ARMY, TOWER), gettext("In the tower"), MANY)
    cup = _line(state, (colour, ARMY, CUP), gettext("In the cup"))
    return colour, name("faction", colour), [tower, cup]


# What is tapped


def known(state: State) -> dict[str, Json]:
    """The cards as the app knows them, with a row for each event card that should still lie there."""
    laid = Counter(card.event for card in state.events)
    drawn = list((Counter(state.drawn) - laid).elements())
    events: Json = to_json(state.events)
    return {"events": _rows(events, max(state.round, 1)), "drawn": drawn, "kept": dict(state.kept)}


def _rows(events: Sequence[Json], round_: int, phase: str = PHASES[1]) -> list[Json]:
    """As many event cards as are due, those that are known first."""
    due = events_due(round_, phase)
    return [*events[:due], *({"event": "", "loss": PLAIN_LOSS} for _ in range(due - len(events)))]


def tap(state: State, draft: Position, form: Mapping[str, str]) -> Position | None:
    """The draft after a tap that only this game has; None for those every game has."""
    match form.get("do"):
        case "tap":
            return _tapped(state, draft, form.get("tap", "").split())
        case "when":
            return _when(draft, form.get("when", ""))
        case "events":
            return _with_events(draft, form)
        case "empty":
            blank: dict[str, Json] = {"events": _rows([], draft.round, draft.phase)}
            return replace(positions.clear(draft), facts=blank)
    return None


def _when(draft: Position, value: str) -> Position:
    if value not in [moment.value for moment in _moments()]:
        raise Refusal("bad-input", gettext("There is no such button."))
    round_, phase = value.split()
    events = _rows(draft.facts.get("events", []), int(round_), phase)
    return replace(draft, round=int(round_), phase=phase, facts={**draft.facts, "events": events})


def _with_events(draft: Position, form: Mapping[str, str]) -> Position:
    """The event cards as they were chosen."""
    events: list[Json] = []
    for at in range(events_due(draft.round, draft.phase)):
        event, loss = form.get(f"e.{at}", ""), number(form.get(f"l.{at}", ""))
        if (event and event not in EVENTS) or not isinstance(loss, int):
            raise Refusal("bad-input", gettext("There is no such event card."))
        events.append(to_json(EventCard(event, loss)))
    return replace(draft, facts={**draft.facts, "events": events})


def _tapped(state: State, draft: Position, words: Sequence[str]) -> Position:
    """Some more, some fewer; or who keeps a province without an army."""
    match words:
        case ["put", owner, piece, place, count] if _is_line(state, owner, piece, place):
            for _ in range(_times(count)):
                draft = positions.put(draft, owner, piece, place, ordered=False)
            return draft
        case ["take", owner, piece, place, count] if _is_line(state, owner, piece, place):
            for _ in range(_times(count)):
                draft = positions.take(draft, owner, piece, place)
            return draft
        case ["keep", province, faction] if _may_keep(state, province, faction):
            held = {slug: by for slug, by in (draft.facts.get("kept") or {}).items() if slug != province}
            kept = held if faction == NOBODY else {**held, province: faction}
            return replace(draft, facts={**draft.facts, "kept": kept})
    raise Refusal("bad-input", gettext("There is no such button."))


def _times(count: str) -> int:
    return int(count) if count in map(str, range(MOST + 1)) else 1


def _is_line(state: State, owner: str, piece: str, place: str) -> bool:
    owners = colours_of(state)
    return owner in owners and piece in WALLENSTEIN.pieces and WALLENSTEIN.knows_place(state, place)


def _may_keep(state: State, province: str, faction: str) -> bool:
    return province in in_play(state.setup) and faction in (*state.setup.factions, NOBODY)

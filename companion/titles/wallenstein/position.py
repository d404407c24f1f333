"""Position editor of Wallenstein: provinces, players, tower, event cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from companion import wording
from companion.errors import Refusal
from companion.journal import positions
from companion.titles.base import Pieces, PositionEditor
from companion.titles.wallenstein.board import Land, chart_of
from companion.titles.wallenstein.names import event_title, name
from companion.titles.widgets import number
from games.core.actions import Position
from games.core.codec import Json, to_json
from games.wallenstein.board import in_play, province_of
from games.wallenstein.cards import EVENTS, LARGEST_LOSS, EventCard
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
MANY = 5  # pieces that the larger of two buttons adds
MOST = 5  # maximal pieces per button press


# Template data


@dataclass(frozen=True, slots=True)
class Line(Pieces):
    """Pieces with a title and buttons."""

    title: str
    many: int = 0  # amount of the second add button; 0: none


@dataclass(frozen=True, slots=True)
class Stock:
    """Number of placed cubes of a colour."""

    colour: str
    placed: int
    total: int

    @property
    def is_over(self) -> bool:
        return self.placed > self.total

    @property
    def text(self) -> str:
        if self.is_over:
            template = gettext("{name}: {placed} cubes placed, but there are only {total}")
        else:
            template = gettext("{name}: {placed} of {total} cubes placed, {left} in supply")
        params = {"placed": self.placed, "total": self.total, "left": self.total - self.placed}
        return template.format(name=name("faction", self.colour), **params)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment from which a game can be resumed."""

    value: str  # round and phase, as the value of a button
    title: str


def position(state: State, place: str, _owner: str = "") -> dict[str, Any]:
    """Return the data of ``position.html``, with the province of the selected place."""
    here = place.partition(":")[2] if place.startswith("province:") else ""
    chart = chart_of(state)
    return {
        **chart,
        "parts": _titles(),
        "moments": _moments(),
        "stock": [_stock(state, colour) for colour in colours_of(state)],
        "choices": [(event, event_title(event)) for event in EVENTS],
        "largest_loss": LARGEST_LOSS,
        "here": here,
        **(_in_province(state, here, chart["lands"]) if here else {}),
        "players": [_of_player(state, faction) for faction in state.order],
        "cubes": [_of_colour(state, colour) for colour in colours_of(state)],
    }


def _titles() -> list[tuple[str, str]]:
    titles = (gettext("Course"), gettext("Provinces"), gettext("Players"), gettext("Tower"))
    return list(zip(PAGES, titles, strict=True))


def _moments() -> list[Moment]:
    """Return the start of each season, and of each year before its event cards are drawn."""
    moments = []
    for round_ in range(1, 2 * len(SEASONS) + 1):
        if (round_ - 1) % len(SEASONS) == 0:
            year = (round_ - 1) // len(SEASONS) + 1
            title = gettext("Year {year}, no event cards yet").format(year=year)
            moments.append(Moment(f"{round_ - 1} events", title))
        phase = "winter" if round_ % len(SEASONS) == 0 else "row"
        moments.append(Moment(f"{round_} {phase}", wording.round_name(WALLENSTEIN, round_)))
    return moments


def _stock(state: State, colour: str) -> Stock:
    total = PEASANT_ARMIES if colour == PEASANTS else ARMIES
    return Stock(colour, total - supply_of(state, colour), total)


def _line(state: State, holding: tuple[str, str, str], title: str, many: int = 0) -> Line:
    return Line(*holding, state.ledger.count(*holding), title, many)


def _in_province(state: State, province: str, lands: Sequence[Land]) -> dict[str, Any]:
    """Return armies, buildings and unrest of a province, and the player who owns it without an army."""
    place = place_of(province)
    cubes = [_line(state, (f, ARMY, place), name("faction", f)) for f in state.setup.factions]
    armies = [line for line in cubes if line.count]
    tiles, keeper = tiles_in(state, province), owner_of(state, province) or ""
    unrest = _line(state, (PEASANTS, UNREST, place), gettext("Unrest markers"))
    return {
        "armies": armies,
        "others": [line for line in cubes if not line.count],
        "buildings": [
            _line(state, (PEASANTS, TILE[b], place), wording.capital(name("building", b))) for b in BUILDINGS
        ],
        "cities": province_of(state.setup, province).cities,
        "tiles": tiles,
        "unrest": unrest,
        "keeper": keeper,
        "asks_for_keeper": not armies and bool(tiles or unrest.count or keeper),
        **_neighbours_in_list(state, province, lands),
    }


def _neighbours_in_list(state: State, province: str, lands: Sequence[Land]) -> dict[str, Land]:
    """Return a province, and those before and after it in alphabetical order."""
    by_slug = {land.slug: land for land in lands}
    slugs = list(in_play(state.setup))
    index = slugs.index(province)
    before, after = slugs[index - 1], slugs[(index + 1) % len(slugs)]
    return {"land": by_slug[province], "before": by_slug[before], "after": by_slug[after]}


def _of_player(state: State, faction: str) -> tuple[str, str, list[Line]]:
    """Return gold and grain, and points from the first winter on."""
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


# Button presses


def initial_facts(state: State) -> dict[str, Json]:
    """Return the cards of the state, with a row for each event card that is due."""
    laid = Counter(card.event for card in state.events)
    drawn = list((Counter(state.drawn) - laid).elements())
    events: Json = to_json(state.events)
    return {"events": _rows(events, max(state.round, 1)), "drawn": drawn, "kept": dict(state.kept)}


def _rows(events: Sequence[Json], round_: int, phase: str = PHASES[1]) -> list[Json]:
    """Return a row for each event card that is due, known cards first."""
    due = events_due(round_, phase)
    return [*events[:due], *({"event": "", "loss": PLAIN_LOSS} for _ in range(due - len(events)))]


def tap(state: State, draft: Position, form: Mapping[str, str]) -> Position | None:
    """Return the draft after a button press; None for buttons that every game has."""
    match form.get("do"):
        case "tap":
            return _apply_tap(state, draft, form.get("tap", "").split())
        case "when":
            return _set_moment(draft, form.get("when", ""))
        case "events":
            return _set_events(draft, form)
        case "empty":
            blank: dict[str, Json] = {"events": _rows([], draft.round, draft.phase)}
            return replace(positions.clear(draft), facts=blank)
    return None


def _set_moment(draft: Position, value: str) -> Position:
    if value not in [moment.value for moment in _moments()]:
        raise Refusal("bad-input", gettext("There is no such button."))
    round_, phase = value.split()
    events = _rows(draft.facts.get("events", []), int(round_), phase)
    return replace(draft, round=int(round_), phase=phase, facts={**draft.facts, "events": events})


def _set_events(draft: Position, form: Mapping[str, str]) -> Position:
    """Set the event cards to those chosen in the form."""
    events: list[Json] = []
    for i in range(events_due(draft.round, draft.phase)):
        event, loss = form.get(f"e.{i}", ""), number(form.get(f"l.{i}", ""))
        if (event and event not in EVENTS) or not isinstance(loss, int):
            raise Refusal("bad-input", gettext("There is no such event card."))
        events.append(to_json(EventCard(event, loss)))
    return replace(draft, facts={**draft.facts, "events": events})


def _apply_tap(state: State, draft: Position, words: Sequence[str]) -> Position:
    """Add or remove pieces, or set the owner of a province without an army."""
    match words:
        case ["put", owner, piece, place, count] if _is_line(state, owner, piece, place):
            for _ in range(_times(count)):
                draft = positions.add_piece(draft, owner, piece, place, ordered=False)
            return draft
        case ["take", owner, piece, place, count] if _is_line(state, owner, piece, place):
            for _ in range(_times(count)):
                draft = positions.remove_piece(draft, owner, piece, place)
            return draft
        case ["keep", province, faction] if _may_keep(state, province, faction):
            others = {slug: by for slug, by in (draft.facts.get("kept") or {}).items() if slug != province}
            owners = others if faction == NOBODY else {**others, province: faction}
            return replace(draft, facts={**draft.facts, "kept": owners})
    raise Refusal("bad-input", gettext("There is no such button."))


def _times(count: str) -> int:
    return int(count) if count in map(str, range(MOST + 1)) else 1


def _is_line(state: State, owner: str, piece: str, place: str) -> bool:
    owners = colours_of(state)
    return owner in owners and piece in WALLENSTEIN.pieces and WALLENSTEIN.knows_place(state, place)


def _may_keep(state: State, province: str, faction: str) -> bool:
    return province in in_play(state.setup) and faction in (*state.setup.factions, NOBODY)


EDITOR = PositionEditor(
    phases=("row", "events", "winter"), board=position, initial_facts=initial_facts, tap=tap
)

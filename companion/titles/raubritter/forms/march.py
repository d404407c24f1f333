"""Form for sending knights from a castle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext

from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, Fields
from companion.titles.raubritter.board import Tile, name, tile_on
from companion.titles.raubritter.forms.parsing import join_numbers, options, parse_number, parse_numbers
from games.core.prompts import Prompt
from games.raubritter.knights import STACK_LIMIT
from games.raubritter.land import DIRECTIONS, Cell, label
from games.raubritter.state import State, tile_at

STAY = "stay"  # value of the field ``way`` if the knights stay on the castle

March = tuple[int, str | None, tuple[int, ...]]  # knights, direction, knights left on each tile


@dataclass(frozen=True, slots=True)
class Way:
    """A direction from the castle with the adjacent tile; ``legal`` if knights may go there."""

    slug: str
    name: str
    tile: Tile | None
    legal: bool


@dataclass(frozen=True, slots=True)
class Stay:
    """Knights left on a tile; ``full`` if nobody can enter it afterwards."""

    at: str
    count: int
    full: bool


@dataclass(frozen=True, slots=True)
class Split:
    """One way to distribute knights over the tiles of a line."""

    value: str
    stays: tuple[Stay, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Stop:
    """A tile on the line, with the points for taking it."""

    tile: Tile
    points: int


@dataclass(frozen=True, slots=True)
class Line:
    """The tiles of a march, its gains, and the ways to distribute the knights."""

    way: str
    title: str
    stops: tuple[Stop, ...]
    taken: tuple[str, ...]  # tiles taken from other players, as text
    splits: tuple[Split, ...]

    @property
    def points(self) -> int:
        return sum(stop.points for stop in self.stops)


@dataclass(frozen=True, slots=True)
class Many:
    """A number of knights, with the button labels for it."""

    count: int
    go: str
    stay: str


class MarchForm(EntryForm):
    """Direction, number and distribution of the knights, most valuable first (5.3).

    The field ``march`` describes the whole march; ``way`` and ``many`` only filter the visible ones.
    """

    action = "march"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        castle: Cell = tuple(state.frames[-1].data["castle"])
        marches: tuple[March, ...] = options(prompt, "left")
        lines = _lines(state, prompt.faction, castle, [march for march in marches if march[0]])
        legal_ways = {line.way for line in lines}
        return {
            "castle": tile_on(state, castle),
            "stays": any(way is None and knights for knights, way, _ in marches),
            "ways": [_way(state, castle, way, legal=way in legal_ways) for way in DIRECTIONS],
            "many": [_many(knights) for knights in sorted({march[0] for march in marches})],
            "lines": sorted(lines, key=lambda line: (-line.points, len(line.stops))),
            "none": gettext("Send no knights"),
            "buttons": [Button(self.action, gettext("Send the knights"), needs_choice=True)],
        }

    def parse(self, form: Form) -> Fields:
        """Parse ``4/east/1.2.1``: number of knights, direction, knights left on each tile."""
        knights, _, route = form.get("march", "").partition("/")
        way, _, left = route.partition("/")
        return {
            "knights": parse_number(knights),
            "direction": way or None,
            "left": parse_numbers(left, "."),
        }

    def fill(self, action: Mapping[str, Any]) -> Fields:
        knights, way = action["knights"], action["direction"]
        return {"way": way or STAY, "many": knights, "march": _value((knights, way, action["left"]))}


def _value(march: March) -> str:
    """Encode a march as ``4/east/1.2.1``."""
    knights, way, left = march
    return f"{knights}/{way or ''}/{join_numbers(left, '.')}"


def _way(state: State, castle: Cell, way: str, *, legal: bool) -> Way:
    near = _along(castle, way, 2)[1]
    return Way(way, name("direction", way), tile_on(state, near) if tile_at(state, near) else None, legal)


def _many(knights: int) -> Many:
    go = ngettext("Send {count} knight {way}", "Send {count} knights {way}", knights)
    stay = ngettext("Put {count} knight on the castle", "Put {count} knights on the castle", knights)
    # {way} is filled in by JavaScript when a direction is chosen.
    return Many(knights, go.format(count=knights, way="{way}"), stay.format(count=knights))


def _along(castle: Cell, way: str | None, count: int) -> list[Cell]:
    dx, dy = DIRECTIONS[way] if way else (0, 0)
    return [(castle[0] + i * dx, castle[1] + i * dy) for i in range(count)]


def _lines(state: State, faction: str, castle: Cell, marches: Sequence[March]) -> list[Line]:
    """Group the marches by the tiles they cross."""
    groups: dict[tuple[str | None, int], list[March]] = {}
    for march in marches:
        groups.setdefault((march[1], len(march[2])), []).append(march)
    return [_line(state, faction, _along(castle, *key), key[0], group) for key, group in groups.items()]


def _line(
    state: State, faction: str, cells: Sequence[Cell], way: str | None, marches: Sequence[March]
) -> Line:
    stops = tuple(_stop(state, faction, cell) for cell in cells)
    to = gettext("{way} to {cell}").format(way=name("direction", way or ""), cell=label(cells[-1]))
    return Line(
        way=way or STAY,
        title=to[:1].upper() + to[1:] if way else gettext("On the castle"),
        stops=stops,
        taken=tuple(_taken(stop.tile) for stop in stops if stop.tile.owner not in ("", faction)),
        splits=tuple(_split(stops, march) for march in sorted(marches, key=lambda m: _usefulness(stops, m))),
    )


def _stop(state: State, faction: str, cell: Cell) -> Stop:
    tile = tile_on(state, cell)
    return Stop(tile, 0 if tile.owner == faction else tile.points)


def _taken(tile: Tile) -> str:
    tile_name = name("tile", tile.type or "")
    return gettext("the {tile} from {faction}").format(tile=tile_name, faction=name("faction", tile.owner))


def _usefulness(stops: Sequence[Stop], march: March) -> tuple[int, int]:
    """Return the sort key of a march: few knights first, then most knights on the most valuable tiles."""
    knights, _, left = march
    return knights, -sum(stay * stop.points for stay, stop in zip(left, stops, strict=True))


def _split(stops: Sequence[Stop], march: March) -> Split:
    stays = [_stay(count, stop.tile) for count, stop in zip(march[2], stops, strict=True)]
    on, full = gettext("{count} on {cell}"), gettext("{count} on {cell}, then full")
    return Split(
        value=_value(march),
        stays=tuple(stays),
        text="; ".join((full if stay.full else on).format(count=stay.count, cell=stay.at) for stay in stays),
    )


def _stay(count: int, tile: Tile) -> Stay:
    return Stay(tile.at, count, full=count + len(tile.knights) >= STACK_LIMIT)

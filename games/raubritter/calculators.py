"""The calculators of Robber Knights: one march, all marches along a line, a placement, the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from games.core.calculators import Answer, Calculator, Calculators, Counts, Flag, Group, Number, Pick, Rows
from games.core.checks import check_one_of
from games.core.codec import Count, Json
from games.core.errors import BadInput, Illegal
from games.core.game import Texts
from games.core.messages import Message, Name, faction_name, say
from games.core.options import read_options
from games.core.steps import Step
from games.raubritter import RAUBRITTER
from games.raubritter.calculator_wording import MESSAGES, NAMES
from games.raubritter.knights import (
    DEPLOY_MAX,
    STACK_LIMIT,
    Ground,
    Reading,
    refuse_march,
    some,
    why_not_march,
)
from games.raubritter.knights import marches as every_march
from games.raubritter.land import BOARD_MAX, Cell, cell_of, label, neighbours, refuse_cell, span, too_wide
from games.raubritter.scoring import RULE as SCORING
from games.raubritter.scoring import Controlled, controller, rank, score, scored, winner_steps
from games.raubritter.tiles import KNIGHTS, LEAVE_COST, POINTS

Faction = Literal["blue", "yellow", "green", "red"]
Terrain = Literal["plain", "forest", "mountain", "lake"]
Building = Literal["castle", "village", "town"]
Options = Mapping[str, Json]

MARCHING, PLACING, CONTROL = "5.3", "5.1", "5.4"
READINGS = ("must_move", "lone_knight")


# march and marches (5.3)


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile on the path of a march; ``stack`` counts the knights of all colours already there."""

    terrain: Terrain
    stack: Count = 0


@dataclass(frozen=True, slots=True)
class March:
    """Input of `march`: the tiles in a straight line, castle first, and the knights left on each."""

    tiles: tuple[Tile, ...]
    left: tuple[Count, ...]
    knights: Count = 0
    options: Options = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Marches:
    """Input of `marches`: the tiles in a straight line, castle first, and the knights to place."""

    tiles: tuple[Tile, ...]
    knights: Count = 0
    options: Options = field(default_factory=dict)


def march(body: March) -> Answer:
    """Check whether the knights may be left like this (5.3). The player's supply is not checked."""
    reading, line = _reading(body.options), _line(body.tiles)
    refuse_march(why_not_march(body.knights, line, body.left, body.knights, reading))
    if not body.knights:
        return Answer({"legal": True}, (Step(MARCHING, say("march-nobody")),))
    finer = [_stay_step(i, line[i], stay) for i, stay in enumerate(body.left)]
    message = say("march-legal", count=body.knights, left=body.left)
    options = READINGS if len(body.left) == 1 else ()
    return Answer({"legal": True}, (Step(MARCHING, message, steps=tuple(finer), options=options),))


def marches(body: Marches) -> Answer:
    """Return every legal way to place all of these knights along a line, sorted (5.3)."""
    reading, line = _reading(body.options), _line(body.tiles)
    if body.knights > DEPLOY_MAX:
        raise Illegal(say("too-many-knights", most=DEPLOY_MAX), rule=MARCHING)
    ways = every_march(body.knights, line, reading)
    message = say("marches-found", count=len(ways), knights=some(body.knights))
    step = Step(MARCHING, message, steps=tuple(_line_steps(line)), options=READINGS)
    return Answer({"options": [list(left) for left in ways]}, (step,))


def _reading(options: Options) -> Reading:
    values = read_options(RAUBRITTER.options, options)
    return Reading(must_move=values["must_move"], lone_knight=values["lone_knight"])


def _line(tiles: Sequence[Tile]) -> list[Ground]:
    if not tiles:
        raise BadInput(say("no-castle"), rule=MARCHING)
    return [Ground(tile.terrain, tile.stack) for tile in tiles]


def _stay_step(i: int, ground: Ground, stay: int) -> Step:
    """Return the step that explains why ``stay`` knights may be left on tile ``i`` (5.3)."""
    terrain, cost = Name("terrain", ground.terrain), LEAVE_COST[ground.terrain]
    if stay < cost:
        return Step(MARCHING, say("march-lone", number=i + 1, terrain=terrain), options=("lone_knight",))
    params = {"number": i + 1, "count": stay, "cost": cost, "there": ground.height, "most": STACK_LIMIT}
    return Step(MARCHING, say("march-tile", terrain=terrain, **params))


def _line_steps(line: Sequence[Ground]) -> Iterator[Step]:
    """Explain leave cost and free room of each tile within reach of five knights, up to the first block (5.3)."""
    for number, ground in enumerate(line[:DEPLOY_MAX], 1):
        if ground.terrain not in LEAVE_COST:
            yield Step(MARCHING, say("tile-lake", number=number))
            return
        cost, room = LEAVE_COST[ground.terrain], max(0, STACK_LIMIT - ground.height)
        code = "tile-open" if cost <= room else "tile-blocks"
        terrain = Name("terrain", ground.terrain)
        yield Step(MARCHING, say(code, number=number, terrain=terrain, cost=cost, count=room))
        if cost > room:
            return


# placement (5.1)


@dataclass(frozen=True, slots=True)
class Placement:
    """Input of `placement`: the occupied cells and the cell of the new tile, as (column, row)."""

    players: Count
    tiles: tuple[tuple[int, int], ...]
    at: tuple[int, int]
    options: Options = field(default_factory=dict)


def placement(body: Placement) -> Answer:
    """Check that the cell is free, shares an edge with the land and keeps it inside the area (5.1)."""
    read_options(RAUBRITTER.options, body.options)
    if body.players not in BOARD_MAX:
        raise Illegal(say("players", least=min(BOARD_MAX), most=max(BOARD_MAX)), rule=RAUBRITTER.start_rule)
    _refuse_doubles(body.tiles)
    most = BOARD_MAX[body.players]
    columns, rows = _refuse_placement(set(body.tiles), body.at, body.players)
    beside = sum(cell in body.tiles for cell in neighbours(body.at))
    return Answer(
        {"legal": True},
        (Step(PLACING, say("placement-legal", count=beside, columns=columns, rows=rows, most=most)),),
    )


def _refuse_doubles(cells: Sequence[Cell]) -> None:
    for (column, row), count in Counter(cells).items():
        if count > 1:
            raise BadInput(say("listed-twice", column=column, row=row), rule=PLACING)


def _refuse_placement(land: set[Cell], cell: Cell, players: int) -> tuple[int, int]:
    """Return columns and rows of the land with the new tile; raise `Illegal` if it may not be placed (5.1).

    Stricter than the game, where a correction may have caused either: an empty land or one that is
    already too wide has no legal cell.
    """
    if not land:
        raise Illegal(say("no-edge"), rule=PLACING)
    refuse_cell(land, cell, players)
    size = span(land | {cell})
    if max(size) > BOARD_MAX[players]:
        raise Illegal(too_wide(players), rule=PLACING)
    return size


# score (5.4, 6)


@dataclass(frozen=True, slots=True)
class Held:
    """A tile to be scored: its building, if any, and its knights from the bottom up."""

    building: Building | None = None
    stack: tuple[Faction, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """Input of `score`: the tiles with knights and each player's unplaced knights."""

    tiles: tuple[Held, ...] = ()
    reserve: Mapping[str, Count] = field(default_factory=dict)
    options: Options = field(default_factory=dict)


def final_score(body: Score) -> Answer:
    """Score the tiles; ties go to the player with more knights left, else the victory is shared (6)."""
    read_options(RAUBRITTER.options, body.options)
    players = _players(body)
    tiles = [Controlled(tile.building, tile.stack) for tile in body.tiles]
    parts = score(tiles, players)
    points = {player: sum(parts[player].values()) for player in players}
    winners = rank(points, body.reserve)[0]
    steps = (
        *_to_check(body, players),
        *(_player_step(player, parts[player], tiles) for player in players),
        *winner_steps(points, body.reserve, winners),
    )
    return Answer({"points": points, "winners": list(winners)}, steps)


def _players(body: Score) -> list[str]:
    """Return all players named in the reserve or with a knight on a tile; validate both."""
    for player in body.reserve:
        check_one_of(player, RAUBRITTER.factions, player[:40], rule=SCORING)
    for tile in body.tiles:
        if len(tile.stack) > STACK_LIMIT:
            raise Illegal(say("too-high", most=STACK_LIMIT, count=len(tile.stack)), rule=MARCHING)
    named = {*body.reserve, *(knight for tile in body.tiles for knight in tile.stack)}
    if not named:
        raise BadInput(say("nobody"), rule=SCORING)
    return [player for player in RAUBRITTER.factions if player in named]


def _to_check(body: Score, players: Sequence[str]) -> Iterator[Step]:
    """Warn about players with more knights than a set has (1); the knights still count."""
    standing: Counter[str] = Counter(knight for tile in body.tiles for knight in tile.stack)
    for player in players:
        count = standing[player] + body.reserve.get(player, 0)
        if count > KNIGHTS:
            yield Step(
                SCORING, say("too-many-in-all", faction=faction_name(player), most=KNIGHTS, count=count)
            )


def _player_step(player: str, parts: Mapping[str, int], tiles: Sequence[Controlled]) -> Step:
    """Return the step with a player's points and the buildings they come from (6)."""
    name = faction_name(player)
    finer = [
        say("controls", number=number, building=Name("building", tile.building), faction=name, count=points)
        for number, tile in enumerate(tiles, 1)
        if tile.building is not None and controller(tile.knights) == player
        for points in (POINTS[tile.building],)
    ]
    return Step(SCORING, scored(player, parts), steps=tuple(Step(CONTROL, m) for m in finer))


# Registry


def place_message(place: str) -> Message:
    """Return the display name of a place in these steps."""
    cell = cell_of(place)
    return say("cell", cell=label(cell)) if cell else say("here")


TEXTS = Texts(
    messages={**RAUBRITTER.texts.messages, **MESSAGES},
    names={**RAUBRITTER.texts.names, **NAMES},
    rules=RAUBRITTER.texts.rules,
)

_TERRAINS = ("plain", "forest", "mountain", "lake")
_KNIGHTS_SENT = Number("knights", 0, DEPLOY_MAX)
_TILES = Rows("tiles", (Pick("terrain", _TERRAINS, "terrain"), Number("stack", 0, STACK_LIMIT)), most=10)
_LEFT = Rows("left", (Number("", 0, DEPLOY_MAX),), most=DEPLOY_MAX)
_READINGS = Group("options", tuple(Flag(name) for name in READINGS))
_AS_USUAL: Mapping[str, Json] = dict.fromkeys(READINGS, False)
_EXAMPLE_LINE: Mapping[str, Json] = {
    "knights": 4,
    "tiles": [
        {"terrain": "plain", "stack": 0},
        {"terrain": "forest", "stack": 0},
        {"terrain": "plain", "stack": 2},
    ],
}

CALCULATORS = Calculators(
    slug=RAUBRITTER.slug,
    name=RAUBRITTER.name,
    texts=TEXTS,
    place_message=place_message,
    calculators=(
        Calculator(
            name="march",
            rule=MARCHING,
            body=March,
            answer=march,
            inputs=(_KNIGHTS_SENT, _TILES, _LEFT, _READINGS),
            example={**_EXAMPLE_LINE, "left": [1, 2, 1], "options": _AS_USUAL},
        ),
        Calculator(
            name="marches",
            rule=MARCHING,
            body=Marches,
            answer=marches,
            inputs=(_KNIGHTS_SENT, _TILES, _READINGS),
            example={**_EXAMPLE_LINE, "options": _AS_USUAL},
        ),
        Calculator(
            name="placement",
            rule=PLACING,
            body=Placement,
            answer=placement,
            inputs=(
                Pick("players", tuple(BOARD_MAX)),
                Rows("tiles", (Number("0", -10, 10), Number("1", -10, 10)), most=96),
                Group("at", (Number("0", -10, 10), Number("1", -10, 10))),
            ),
            example={"players": 2, "tiles": [[0, 0], [1, 0]], "at": [2, 0]},
        ),
        Calculator(
            name="score",
            rule=SCORING,
            body=Score,
            answer=final_score,
            inputs=(
                Rows(
                    "tiles",
                    (
                        Pick("building", ("castle", "village", "town", None), "building"),
                        Rows("stack", (Pick("", RAUBRITTER.factions, "faction"),), most=STACK_LIMIT),
                    ),
                    most=96,
                ),
                Counts("reserve", RAUBRITTER.factions, high=KNIGHTS),
            ),
            example={
                "tiles": [{"building": "castle", "stack": ["red", "blue"]}],
                "reserve": {"red": 2, "blue": 0},
            },
        ),
    ),
)

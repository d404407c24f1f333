"""Test positions parsed from text drawings.

A drawing has a word for each cell, row by row; the first cell is (0, 0), x grows to the
east and y to the south. ``.`` is a cell without a tile, ``PC`` a plain castle, ``FV`` a
forest village, ``M`` a mountain. A colon is followed by the knights from the bottom up:
``PT:RRB`` is a plain town with two red knights and a blue one on top.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from games.core.actions import Action
from games.core.errors import Refused
from games.core.flow import Frame
from games.core.ledger import Ledger
from games.core.steps import Outcome, Step
from games.raubritter import RAUBRITTER
from games.raubritter.actions import March
from games.raubritter.state import PLACES, State
from tests.core.rendering import sentence

Cell = tuple[int, int]

TILES = {
    "L": "lake",
    "M": "mountain",
    "P": "plain",
    "PV": "plain-village",
    "PC": "plain-castle",
    "PT": "plain-town",
    "FV": "forest-village",
    "FC": "forest-castle",
    "FT": "forest-town",
}
COLOURS = {"R": "red", "B": "blue", "Y": "yellow", "G": "green"}


def parse_drawing(drawing: str, origin: Cell = (0, 0)) -> dict[Cell, tuple[str, list[str]]]:
    """Return tile and knights of each cell of a drawing."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    land = {}
    for y, row in enumerate(rows, origin[1]):
        for x, word in enumerate(row, origin[0]):
            tile, _, knights = word.partition(":")
            if tile != ".":
                land[x, y] = (TILES[tile], [COLOURS[letter] for letter in knights])
    return land


def position(
    drawing: str,
    *,
    factions: tuple[str, ...] = ("red", "blue"),
    turn: str = "red",
    placed: int = 0,
    before: str | None = None,
    castle: Cell | None = None,
    origin: Cell = (0, 0),
    owner: str | None = None,
    supply: Mapping[str, int] | None = None,
    tiles: Mapping[str, int] | None = None,
    options: Mapping[str, Any] | None = None,
) -> State:
    """Return a state in the turn of ``turn``; with ``castle``, in the knights phase of that castle.

    All tiles belong to ``owner`` (default: ``turn``). ``supply`` and ``tiles`` override the
    knights and tiles a player has left, which otherwise follow from the drawing.
    """
    land = parse_drawing(drawing, origin)
    lines = _lines_on_table(land, owner or turn) + _lines_in_supply(
        land, factions, owner or turn, supply or {}, tiles or {}
    )
    frames = [Frame("turn", {"faction": turn, "placed": placed + (castle is not None), "before": before})]
    if castle is not None:
        frames.append(Frame("knights", {"castle": list(castle)}))
    return State(
        setup=RAUBRITTER.prepare(factions, options=options),
        ledger=Ledger.of(PLACES, lines),
        frames=tuple(frames),
        round=1,
        order=factions,
    )


def _lines_on_table(
    land: Mapping[Cell, tuple[str, list[str]]], owner: str
) -> list[tuple[str, str, str, int]]:
    lines = []
    for (x, y), (tile, knights) in land.items():
        lines.append((owner, tile, f"cell:{x},{y}", 1))
        lines += [(knight, "knight", f"cell:{x},{y}", 1) for knight in knights]
    return lines


def _lines_in_supply(
    land: Mapping[Cell, tuple[str, list[str]]],
    factions: tuple[str, ...],
    owner: str,
    supply: Mapping[str, int],
    tiles: Mapping[str, int],
) -> list[tuple[str, str, str, int]]:
    standing = Counter(knight for _, knights in land.values() for knight in knights)
    laid = {owner: len(land)}
    return [
        line
        for faction in factions
        for line in (
            (faction, "knight", "supply", supply.get(faction, 30 - standing[faction])),
            (faction, "tile", "supply", tiles.get(faction, 24 - laid.get(faction, 0))),
        )
    ]


# Actions


def send(
    state: State, direction: str | None, left: list[int], knights: int | None = None, faction: str = "red"
) -> Outcome[State]:
    """Send knights from the castle just placed; ``knights`` defaults to the sum of ``left``."""
    count = sum(left) if knights is None else knights
    return RAUBRITTER.apply(
        state, March(faction=faction, knights=count, direction=direction, left=tuple(left))
    )


def refused(state: State, action: Action) -> tuple[str | None, str]:
    """Return section and sentence of an action's refusal; assert that the state stays unchanged."""
    before = RAUBRITTER.state_json(state)
    refusal = RAUBRITTER.why_not(state, action)
    assert isinstance(refusal, Refused), f"{action} is accepted"
    assert RAUBRITTER.state_json(state) == before
    return refusal.rule, sentence(RAUBRITTER, refusal.message)


def march_refusal(
    state: State, direction: str | None, left: list[int], knights: int | None = None, faction: str = "red"
) -> str:
    """Return the sentence with which a march is refused."""
    count = sum(left) if knights is None else knights
    rule, text = refused(state, March(faction=faction, knights=count, direction=direction, left=tuple(left)))
    assert rule == "5.3"
    return text


# Queries


def stack(state: State, cell: Cell) -> str:
    """Return the knights on a cell from the bottom up, one letter each."""
    pile = state.ledger.pile(f"cell:{cell[0]},{cell[1]}")
    return "".join(owner[0].upper() for owner, piece in pile if piece == "knight")


def supply(state: State, faction: str) -> int:
    return state.ledger.count(faction, "knight", "supply")


def points(state: State) -> dict[str, int]:
    return {standing.faction: int(standing.points) for standing in RAUBRITTER.standings(state)}


def texts(outcome: Outcome[State]) -> list[str]:
    """Return every sentence of an outcome; substeps follow the step they explain."""
    return [text for step in outcome.steps for text in _texts(step)]


def _texts(step: Step) -> list[str]:
    return [sentence(RAUBRITTER, step.message), *(text for substep in step.steps for text in _texts(substep))]


def options_of(state: State) -> list[tuple[int, str | None, tuple[int, ...]]]:
    """Return the marches offered: knights, direction, knights left on each tile."""
    (prompt,) = RAUBRITTER.prompts(state)
    return [(e["knights"], e["direction"], e["left"]) for e in prompt.elements()]

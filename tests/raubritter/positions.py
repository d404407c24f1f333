"""Small positions drawn by hand.

A drawing has a word for each cell, row by row; the first cell is (0, 0), x grows to the
east and y to the south. ``.`` is a cell without a tile, ``PC`` a plain castle, ``FV`` a
forest village, ``M`` a mountain; after a colon stand the knights from the bottom up:
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


def drawn(drawing: str, origin: Cell = (0, 0)) -> dict[Cell, tuple[str, list[str]]]:
    """Tile and knights of each cell."""
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
    """A position in somebody's turn; with ``castle``, in which its knights are to be sent.

    All tiles are of ``owner`` (or of whose turn it is). ``supply`` and ``tiles`` set how
    many knights and tiles a player has left, where that is not what the drawing leaves.
    """
    land = drawn(drawing, origin)
    lines = _laid(land, owner or turn) + _left(land, factions, owner or turn, supply or {}, tiles or {})
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


def _laid(land: Mapping[Cell, tuple[str, list[str]]], owner: str) -> list[tuple[str, str, str, int]]:
    lines = []
    for (x, y), (tile, knights) in land.items():
        lines.append((owner, tile, f"cell:{x},{y}", 1))
        lines += [(knight, "knight", f"cell:{x},{y}", 1) for knight in knights]
    return lines


def _left(
    land: Mapping[Cell, tuple[str, list[str]]],
    factions: tuple[str, ...],
    owner: str,
    supply: Mapping[str, int],
    tiles: Mapping[str, int],
) -> list[tuple[str, str, str, int]]:
    stand = Counter(knight for _, knights in land.values() for knight in knights)
    laid = {owner: len(land)}
    return [
        line
        for faction in factions
        for line in (
            (faction, "knight", "supply", supply.get(faction, 30 - stand[faction])),
            (faction, "tile", "supply", tiles.get(faction, 24 - laid.get(faction, 0))),
        )
    ]


# Acting


def send(
    state: State, direction: str | None, left: list[int], knights: int | None = None, faction: str = "red"
) -> Outcome[State]:
    """Send knights from the castle just laid; as many as are left somewhere, if nothing is said."""
    count = sum(left) if knights is None else knights
    return RAUBRITTER.apply(
        state, March(faction=faction, knights=count, direction=direction, left=tuple(left))
    )


def refused(state: State, action: Action) -> tuple[str | None, str]:
    """The section and the sentence with which an entry is refused, which changes nothing."""
    before = RAUBRITTER.state_json(state)
    refusal = RAUBRITTER.why_not(state, action)
    assert isinstance(refusal, Refused), f"{action} is accepted"
    assert RAUBRITTER.state_json(state) == before
    return refusal.rule, sentence(RAUBRITTER, refusal.message)


def not_sent(
    state: State, direction: str | None, left: list[int], knights: int | None = None, faction: str = "red"
) -> str:
    """The sentence with which a march is refused."""
    count = sum(left) if knights is None else knights
    rule, text = refused(state, March(faction=faction, knights=count, direction=direction, left=tuple(left)))
    assert rule == "5.3"
    return text


# Looking


def stack(state: State, cell: Cell) -> str:
    """The knights on a cell from the bottom up, by their letters."""
    pile = state.ledger.pile(f"cell:{cell[0]},{cell[1]}")
    return "".join(owner[0].upper() for owner, piece in pile if piece == "knight")


def supply(state: State, faction: str) -> int:
    return state.ledger.count(faction, "knight", "supply")


def points(state: State) -> dict[str, int]:
    return {standing.faction: int(standing.points) for standing in RAUBRITTER.standings(state)}


def texts(outcome: Outcome[State]) -> list[str]:
    """Every sentence of an outcome, finer ones after those they explain."""
    return [text for step in outcome.steps for text in _texts(step)]


def _texts(step: Step) -> list[str]:
    return [sentence(RAUBRITTER, step.message), *(text for finer in step.steps for text in _texts(finer))]


def options_of(state: State) -> list[tuple[int, str | None, tuple[int, ...]]]:
    """The marches that are offered: knights, direction, how many are left on each tile."""
    (prompt,) = RAUBRITTER.prompts(state)
    return [(e["knights"], e["direction"], e["left"]) for e in prompt.elements()]

"""A second, brute-force implementation of the trickiest rules, written from the digest alone.

It shares no code with the engine: boards are plain dictionaries from cell to
``(terrain, building, stack)``, and results are found by trying every candidate.
"""

from __future__ import annotations

import itertools
from typing import Any

Board = dict[tuple[int, int], tuple[str, str | None, list[str]]]

AREA_LIMIT = {2: 7, 3: 9, 4: 10}
COST = {"plain": 1, "forest": 2, "mountain": 3}
VALUE = {"castle": 1, "village": 2, "town": 3}
COMPASS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}


def board_of(ledger: dict[str, list[list[Any]]]) -> Board:
    """Return the board of a ledger in JSON: ``{"cell:1,0": [[owner, piece, 1], ...], ...}``, bottom up."""
    board: Board = {}
    for place, lines in ledger.items():
        if not place.startswith("cell:"):
            continue
        x, y = place.removeprefix("cell:").split(",")
        tile = next(piece for _, piece, _ in lines if piece != "knight")
        terrain, _, building = tile.partition("-")
        stack = [owner for owner, piece, count in lines if piece == "knight" for _ in range(count)]
        board[int(x), int(y)] = (terrain, building or None, stack)
    return board


# 5.1 Legal placement


def legal_cell(board: Board, cell: tuple[int, int], players: int) -> bool:
    if cell in board:
        return False
    x, y = cell
    if not any(beside in board for beside in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]):
        return False
    columns = [cx for cx, _ in [*board, cell]]
    rows = [cy for _, cy in [*board, cell]]
    limit = AREA_LIMIT[players]
    return max(columns) - min(columns) + 1 <= limit and max(rows) - min(rows) + 1 <= limit


def legal_cells(board: Board, players: int) -> set[tuple[int, int]]:
    """Return the legal cells among all within two cells of the board."""
    columns = range(min(x for x, _ in board) - 2, max(x for x, _ in board) + 3)
    rows = range(min(y for _, y in board) - 2, max(y for _, y in board) + 3)
    return {cell for cell in itertools.product(columns, rows) if legal_cell(board, cell, players)}


# 5.3 Deploying knights


def legal_deployment(
    board: Board, castle: tuple[int, int], direction: str, leaves: tuple[int, ...], supply: int
) -> bool:
    """Check a march under the default options; the castle has a leave cost, too (A-04)."""
    if leaves in ((), (0,)):
        return True
    if sum(leaves) > 5 or sum(leaves) > supply:
        return False
    dx, dy = COMPASS[direction]
    for i, stay in enumerate(leaves):
        cell = (castle[0] + i * dx, castle[1] + i * dy)
        if cell not in board or board[cell][0] == "lake":
            return False
        terrain, _, stack = board[cell]
        if stay < COST[terrain] or len(stack) + stay > 4:
            return False
    return True


def all_leaves() -> list[tuple[int, ...]]:
    """Return every tuple of one to six numbers that add up to at most 6."""
    return [
        leaves
        for length in range(1, 7)
        for leaves in itertools.product(range(7), repeat=length)
        if sum(leaves) <= 6
    ]


ALL_LEAVES = all_leaves()


def legal_deployments(
    board: Board, castle: tuple[int, int], supply: int, *, must_move: bool = False, lone_knight: bool = False
) -> set[tuple[int, str | None, tuple[int, ...]]]:
    """Return all legal marches by trying every candidate, then applying options A-03 and A-04."""
    options: set[tuple[int, str | None, tuple[int, ...]]] = {(0, None, (0,))}
    for direction in COMPASS:
        for leaves in ALL_LEAVES:
            if sum(leaves) and legal_deployment(board, castle, direction, leaves, supply):
                options.add((sum(leaves), direction if len(leaves) > 1 else None, leaves))
    if (
        lone_knight
        and castle in board
        and board[castle][0] == "forest"
        and supply
        and len(board[castle][2]) < 4
    ):
        options.add((1, None, (1,)))
    if must_move:
        movable = {knights for knights, direction, _ in options if direction}
        options = {option for option in options if option[1] or option[0] not in movable}
    return options


# 6 Scoring


def scores(board: Board, players: list[str]) -> dict[str, int]:
    points = dict.fromkeys(players, 0)
    for player in players:
        for building, value in VALUE.items():
            held = [cell for cell, (_, b, stack) in board.items() if b == building and stack[-1:] == [player]]
            points[player] += value * len(held)
    return points


def ranking(points: dict[str, int], reserve: dict[str, int]) -> list[set[str]]:
    """Rank players by repeatedly removing the best ones."""
    places = []
    left = set(points)
    while left:
        most = max(points[p] for p in left)
        level = {p for p in left if points[p] == most}
        knights = max(reserve[p] for p in level)
        first = {p for p in level if reserve[p] == knights}
        places.append(first)
        left -= first
    return places

"""Comparison of the engine with the brute-force implementation, on random positions."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.core.flow import Frame
from games.core.ledger import Ledger
from games.raubritter import RAUBRITTER
from games.raubritter.actions import March
from games.raubritter.knights import Ground, Reading, marches, why_not_march
from games.raubritter.land import legal_cells, why_not_cell
from games.raubritter.scoring import rank
from games.raubritter.state import PLACES, State, land_of
from games.raubritter.tiles import TYPES
from games.raubritter.turn import legal_marches
from tests.conformance.walks import walk
from tests.raubritter import slow
from tests.raubritter.positions import march_refusal, position

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])


def board(state: State) -> slow.Board:
    return slow.board_of(state.ledger.to_json())


def readings(state: State) -> dict[str, bool]:
    return {name: state.setup.options[name] for name in ("must_move", "lone_knight")}


def random_board(generator: random.Random, size: int) -> dict[tuple[int, int], tuple[str, list[str]]]:
    """Return random tiles and stacks, including combinations that no game can reach."""
    return {
        (x, y): (generator.choice(list(TYPES)), generator.choices(["red", "blue"], k=generator.randrange(5)))
        for x in range(size)
        for y in range(size)
        if generator.random() < 0.8
    }


def random_state(generator: random.Random, **options: Any) -> State:
    """Return a state in the knights phase of a castle in the middle of a random board."""
    tiles = random_board(generator, 5)
    tiles[2, 2] = (generator.choice(["plain-castle", "forest-castle"]), [])
    lines = [("red", "knight", "supply", generator.choice([0, 1, 2, 3, 4, 5, 30]))]
    for (x, y), (tile, knights) in tiles.items():
        lines.append(("red", tile, f"cell:{x},{y}", 1))
        lines += [(knight, "knight", f"cell:{x},{y}", 1) for knight in knights]
    return State(
        setup=RAUBRITTER.prepare(["red", "blue"], options=options),
        ledger=Ledger.of(PLACES, lines),
        frames=(
            Frame("turn", {"faction": "red", "placed": 1, "before": None}),
            Frame("knights", {"castle": [2, 2]}),
        ),
        round=1,
        order=("red", "blue"),
    )


# Placing


@PLAYERS
@pytest.mark.parametrize("seed", [0, 1])
def test_legal_cells_in_played_games_match_brute_force(players: int, seed: int) -> None:
    for state in walk("raubritter", players, seed).states[players:-1:4]:
        row_by_row = sorted(slow.legal_cells(board(state), players), key=lambda cell: cell[::-1])
        assert legal_cells(land_of(state), players) == row_by_row


@PLAYERS
def test_legal_cells_of_random_lands_match_brute_force(players: int) -> None:
    """Lands may be disconnected; every cell around them is checked."""
    generator = random.Random(players)
    for _ in range(60):
        side = generator.randrange(2, slow.AREA_LIMIT[players] + 1)
        count = generator.randrange(1, side * side)
        land = {(generator.randrange(side), generator.randrange(side)) for _ in range(count)}
        plains: slow.Board = {cell: ("plain", None, []) for cell in land}
        assert set(legal_cells(land, players)) == slow.legal_cells(plains, players)
        for x in range(-2, 13):
            for y in range(-2, 13):
                can = why_not_cell(land, (x, y), players) is None
                assert can == slow.legal_cell(plains, (x, y), players)


# Marching


@PLAYERS
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_legal_marches_in_played_games_match_brute_force(players: int, seed: int) -> None:
    states = [s for s in walk("raubritter", players, seed).states if s.frames[-1].phase == "knights"]
    assert states
    for state in states[::2]:
        faction = state.frames[0].data["faction"]
        x, y = state.frames[-1].data["castle"]
        offered = legal_marches(state, faction, (x, y))
        supply = state.ledger.count(faction, "knight", "supply")
        expected = slow.legal_deployments(board(state), (x, y), supply, **readings(state))
        assert len(set(offered)) == len(offered)
        assert set(offered) == expected


@pytest.mark.parametrize("must_move", [False, True])
@pytest.mark.parametrize("lone_knight", [False, True])
def test_legal_marches_on_random_boards_match_brute_force(*, must_move: bool, lone_knight: bool) -> None:
    generator = random.Random(f"{must_move} {lone_knight}")
    for _ in range(25):
        state = random_state(generator, must_move=must_move, lone_knight=lone_knight)
        supply = state.ledger.count("red", "knight", "supply")
        expected = slow.legal_deployments(board(state), (2, 2), supply, **readings(state))
        assert set(legal_marches(state, "red", (2, 2))) == expected


@pytest.mark.parametrize("must_move", [False, True])
@pytest.mark.parametrize("lone_knight", [False, True])
def test_9_14_listed_marches_are_exactly_the_accepted_ones(*, must_move: bool, lone_knight: bool) -> None:
    """Try all lists of one to six numbers that add up to at most 6, in each direction and in none."""
    generator = random.Random(f"{must_move} {lone_knight} 14")
    states = [random_state(generator, must_move=must_move, lone_knight=lone_knight) for _ in range(20)]
    state = max(states, key=lambda s: len(legal_marches(s, "red", (2, 2))))
    listed = set(legal_marches(state, "red", (2, 2)))
    assert len(listed) > 10
    for left in slow.ALL_LEAVES:
        for direction in (None, *slow.COMPASS):
            action = March(faction="red", knights=sum(left), direction=direction, left=left)
            listed_form = (sum(left), direction if len(left) > 1 else None, left)
            assert (RAUBRITTER.why_not(state, action) is None) == (listed_form in listed), action


def test_marches_along_a_line_match_the_check() -> None:
    """Compare list and check of one line without a board, as the calculator uses them."""
    generator = random.Random(14)
    terrains = ["plain", "plain", "forest", "mountain", "lake"]
    for _ in range(300):
        length = generator.randrange(1, 6)
        line = [Ground(generator.choice(terrains), generator.randrange(5)) for _ in range(length)]
        reading = Reading(must_move=generator.random() < 0.5, lone_knight=generator.random() < 0.5)
        knights = generator.randrange(8)  # 6 and 7 always exceed the limit
        listed = marches(knights, line, reading)
        assert listed == sorted(set(listed))
        candidates = [left for left in slow.ALL_LEAVES if sum(left) == knights and (knights or left == (0,))]
        checked = [left for left in candidates if why_not_march(knights, line, left, 30, reading) is None]
        assert sorted(checked) == listed


def test_a_million_knights_are_refused_without_search() -> None:
    """The limit is checked before the combinations are enumerated."""
    row = [Ground("plain", 0)] * 10
    assert marches(1_000_000, row) == []
    assert marches(6, row) == []
    state = position("PC P P P P P P", castle=(0, 0))
    assert march_refusal(state, "east", [1, 1], 1_000_000) == "You may place at most 5 knights."


# Scoring


@PLAYERS
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_scores_in_played_games_match_brute_force(players: int, seed: int) -> None:
    for state in walk("raubritter", players, seed).states[players::3]:
        points = {s.faction: s.points for s in RAUBRITTER.standings(state)}
        assert points == slow.scores(board(state), list(state.order))


@PLAYERS
def test_rankings_match_brute_force(players: int) -> None:
    generator = random.Random(players)
    for _ in range(200):
        factions = RAUBRITTER.factions[:players]
        points = {faction: generator.randrange(3) for faction in factions}
        reserve = {faction: generator.randrange(3) for faction in factions}
        assert [set(place) for place in rank(points, reserve)] == slow.ranking(points, reserve)


@PLAYERS
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_results_of_played_games_match_brute_force(players: int, seed: int) -> None:
    state = walk("raubritter", players, seed).states[-1]
    reserve = {faction: state.ledger.count(faction, "knight", "supply") for faction in state.order}
    result = RAUBRITTER.result(state)
    assert result is not None
    expected = slow.ranking(slow.scores(board(state), list(state.order)), reserve)
    assert [set(place) for place in result.ranking] == expected


# Long run


@pytest.mark.long
@PLAYERS
@pytest.mark.parametrize("seed", range(3, 13))
def test_long_second_opinion(players: int, seed: int) -> None:
    test_legal_cells_in_played_games_match_brute_force(players, seed)
    test_legal_marches_in_played_games_match_brute_force(players, seed)
    test_scores_in_played_games_match_brute_force(players, seed)
    test_results_of_played_games_match_brute_force(players, seed)

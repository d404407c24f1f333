"""Invariants of the digest (part 9), by number, over whole random games.

They are checked on the JSON of the states, not with the engine's own queries. Games have two,
three and four players, with default options (seed 0) and with others.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from games.core.flow import Frame
from games.core.ledger import Ledger
from games.raubritter import RAUBRITTER
from games.raubritter.land import legal_cells
from games.raubritter.setup import TILES_AT_START
from games.raubritter.state import PLACES, State
from games.raubritter.turn import legal_marches
from players.randomly import Played
from tests.conformance.walks import Walk, walk
from tests.core.rendering import sentence
from tests.raubritter import slow

F = TypeVar("F", bound=Callable[..., None])
COVERED: set[int] = {14}  # in test_second_opinion
LIMIT = {2: 7, 3: 9, 4: 10}


def invariant(*numbers: int) -> Callable[[F], F]:
    """Parametrize a test over games; its ids carry the invariant's number in the digest."""
    COVERED.update(numbers)
    name = ",".join(f"9.{number}" for number in numbers)
    cases = [
        pytest.param(players, seed, id=f"{name}-{players}-players-{seed}")
        for players in (2, 3, 4)
        for seed in (0, 1, 2)
    ]
    return pytest.mark.parametrize(("players", "seed"), cases)


def game(players: int, seed: int) -> Walk:
    return walk("raubritter", players, seed)


def ledger(state: State) -> dict[str, list[list[Any]]]:
    return state.ledger.to_json()


def supply(state: State, faction: str, piece: str) -> int:
    return sum(n for owner, kind, n in ledger(state).get("supply", []) if (owner, kind) == (faction, piece))


def tiles(state: State) -> dict[tuple[int, int], tuple[str, str]]:
    """Return owner and type of each tile on the table."""
    land = {}
    for place, lines in ledger(state).items():
        if place.startswith("cell:"):
            ((owner, tile, count),) = [line for line in lines if line[1] != "knight"]
            assert count == 1
            x, y = place.removeprefix("cell:").split(",")
            land[int(x), int(y)] = (owner, tile)
    return land


def stacks(state: State) -> dict[tuple[int, int], list[str]]:
    return {cell: stack for cell, (_, _, stack) in slow.board_of(ledger(state)).items()}


def after_set_up(played: Walk) -> list[Played]:
    return [entry for entry in played.played if entry.action.type != "lay"]


def codes(entry: Played) -> list[tuple[str, dict[str, Any]]]:
    return [(step.message.code, dict(step.message.params)) for step in entry.outcome.steps]


# Tiles


@invariant(1)
def test_tiles_per_player_and_type_are_conserved(players: int, seed: int) -> None:
    for state in game(players, seed).states:
        laid = Counter(tiles(state).values())
        tile_set = state.setup.options["tile_set"]
        for faction in state.order:
            on_table = sum(n for (owner, _), n in laid.items() if owner == faction)
            assert on_table + supply(state, faction, "tile") == 24
            assert all(laid[faction, tile] <= n for tile, n in tile_set.items())


@invariant(2)
def test_draw_messages_fit_a_hand_of_two(players: int, seed: int) -> None:
    """Hand and stack are one supply, so the announced stack size must assume a hand of two."""
    played = game(players, seed)
    drawn: Counter[str] = Counter()
    for entry in after_set_up(played):
        faction = entry.action.faction
        left = supply(entry.outcome.state, faction, "tile")
        for code, params in codes(entry):
            if code == "draws":
                drawn[faction] += 1
                assert params["count"] == left - 2 >= 0
            if code == "stack-empty":
                assert left <= 1
    assert drawn == dict.fromkeys(played.setup.factions, 20)


@invariant(3)
def test_land_is_connected_and_inside_the_area(players: int, seed: int) -> None:
    for entry in after_set_up(game(players, seed)):
        land = set(tiles(entry.outcome.state))
        reached = {next(iter(land))}
        while True:
            wider = {
                (x + dx, y + dy) for x, y in reached for dx, dy in slow.COMPASS.values()
            } & land | reached
            if wider == reached:
                break
            reached = wider
        assert reached == land
        for axis in (0, 1):
            along = [cell[axis] for cell in land]
            assert max(along) - min(along) < LIMIT[players]


@invariant(9)
def test_turns_have_one_to_three_placements_in_order(players: int, seed: int) -> None:
    played = game(players, seed)
    order = played.states[0].order
    turns: list[tuple[str, int]] = []
    entries = after_set_up(played)
    for entry in entries:
        if entry.action.type == "place":
            new = not turns or entry.state.frames[-1].data["placed"] == 0
            faction, count = (entry.action.faction, 0) if new else turns.pop()
            assert faction == entry.action.faction
            turns.append((faction, count + 1))
    assert all(1 <= count <= 3 for _, count in turns)
    assert turns[0][0] == played.setup.first == order[0]
    left = Counter(dict.fromkeys(order, 22))
    left[turns[0][0]] -= turns[0][1]
    for (before, _), (after, count) in itertools.pairwise(turns):
        clockwise = [order[(order.index(before) + i) % players] for i in range(1, players + 1)]
        assert after == next(faction for faction in clockwise if left[faction])
        left[after] -= count
    assert not +left
    assert all(8 <= sum(who == faction for who, _ in turns) <= 22 for faction in order)


@invariant(10)
def test_a_legal_cell_exists_while_tiles_are_left(players: int, seed: int) -> None:
    for state in game(players, seed).states[players:]:
        if any(supply(state, faction, "tile") for faction in state.order):
            assert slow.legal_cells(slow.board_of(ledger(state)), players)


@invariant(16)
def test_final_size_of_the_land(players: int, seed: int) -> None:
    land = tiles(game(players, seed).states[-1])
    width, height = (max(side) - min(side) + 1 for side in zip(*land, strict=True))
    assert len(land) == 24 * players
    if players == 3:
        assert {width, height} <= {8, 9}
        assert max(width, height) == 9
    else:
        assert (width, height) == (LIMIT[players],) * 2


# Knights


@invariant(4)
def test_every_player_has_30_knights(players: int, seed: int) -> None:
    for state in game(players, seed).states:
        standing = Counter(knight for stack in stacks(state).values() for knight in stack)
        assert all(supply(state, faction, "knight") + standing[faction] == 30 for faction in state.order)
        assert all(supply(state, faction, "knight") >= 0 for faction in state.order)
        assert sum(standing.values()) <= 30 * players


@invariant(5)
def test_stack_heights_fit_the_terrain(players: int, seed: int) -> None:
    played = game(players, seed)
    heights = {"lake": {0}, "plain": {0, 1, 2, 3, 4}, "forest": {0, 2, 3, 4}, "mountain": {0, 3, 4}}
    if played.setup.options["lone_knight"]:
        heights["forest"].add(1)
    for state in played.states:
        for terrain, _, stack in slow.board_of(ledger(state)).values():
            assert len(stack) in heights[terrain]


@invariant(6)
def test_stacks_only_grow(players: int, seed: int) -> None:
    for entry in game(players, seed).played:
        after = stacks(entry.outcome.state)
        for cell, stack in stacks(entry.state).items():
            assert after[cell][: len(stack)] == stack


@invariant(7)
def test_knights_enter_only_after_placing_a_castle(players: int, seed: int) -> None:
    for before, entry in itertools.pairwise(game(players, seed).played):
        old, new = stacks(entry.state), stacks(entry.outcome.state)
        if entry.action.type == "march":
            assert before.action.type == "place"
            assert before.action.tile in ("plain-castle", "forest-castle")
        else:
            assert {cell: stack for cell, stack in new.items() if stack} == {
                c: s for c, s in old.items() if s
            }


@invariant(8)
def test_marches_are_straight_and_without_gaps(players: int, seed: int) -> None:
    marched = 0
    for entry in game(players, seed).played:
        if entry.action.type != "march":
            continue
        castle = tuple(entry.state.frames[-1].data["castle"])
        old, new = stacks(entry.state), stacks(entry.outcome.state)
        changed = [cell for cell in new if new[cell] != old[cell]]
        added = [knight for cell in changed for knight in new[cell][len(old[cell]) :]]
        assert set(added) <= {entry.action.faction}
        assert len(added) == entry.action.knights <= 5
        assert len(changed) <= 5
        lines = [
            [(castle[0] + i * dx, castle[1] + i * dy) for i in range(5)] for dx, dy in slow.COMPASS.values()
        ]
        assert any(set(changed) == set(line[: len(changed)]) for line in lines)
        marched += len(changed) > 1
    assert marched


# Scores


@invariant(11)
def test_scores_do_not_exceed_the_buildings_on_the_table(players: int, seed: int) -> None:
    played = game(players, seed)
    worth = {"castle": 1, "village": 2, "town": 3}
    for state in played.states:
        there = sum(worth.get(tile.partition("-")[2], 0) for _, tile in tiles(state).values())
        assert sum(s.points for s in RAUBRITTER.standings(state)) <= there
    if seed == 0:
        final = sum(s.points for s in RAUBRITTER.standings(played.states[-1]))
        assert 0 < final <= {2: 64, 3: 96, 4: 128}[players]


@invariant(12)
def test_only_the_topmost_knight_scores(players: int, seed: int) -> None:
    """The knights below the topmost are replaced by random ones."""
    generator = random.Random(seed)
    state = game(players, seed).states[-1]
    lines = []
    for place, rows in ledger(state).items():
        knights = [owner for owner, piece, _ in rows if piece == "knight" and place != "supply"]
        lines += [(owner, piece, place, n) for owner, piece, n in rows if not knights or piece != "knight"]
        below = generator.choices(state.order, k=max(0, len(knights) - 1))
        lines += [(owner, "knight", place, 1) for owner in (*below, *knights[-1:])]
    other = replace(state, ledger=Ledger.of(PLACES, lines))
    assert other.ledger != state.ledger
    assert RAUBRITTER.standings(other) == RAUBRITTER.standings(state)


# Moving the whole land

TRANSFORMS: dict[str, tuple[Callable[[int, int], tuple[int, int]], dict[str, str]]] = {
    "east": (lambda x, y: (x + 1, y), {}),
    "south-west": (lambda x, y: (x - 1, y + 1), {}),
    "mirror-x": (lambda x, y: (-x, y), {"east": "west", "west": "east"}),
    "mirror-y": (lambda x, y: (x, -y), {"north": "south", "south": "north"}),
    "turn": (lambda x, y: (-y, x), {"north": "east", "east": "south", "south": "west", "west": "north"}),
}


def transformed(state: State, transform: Callable[[int, int], tuple[int, int]]) -> State:
    lines = []
    for place, rows in ledger(state).items():
        there = place
        if place.startswith("cell:"):
            x, y = transform(*map(int, place.removeprefix("cell:").split(",")))
            there = f"cell:{x},{y}"
        lines += [(owner, piece, there, count) for owner, piece, count in rows]
    frames = [
        Frame(f.phase, {**f.data, "castle": list(transform(*f.data["castle"]))})
        if f.phase == "knights"
        else f
        for f in state.frames
    ]
    return replace(state, ledger=Ledger.of(PLACES, lines), frames=tuple(frames))


@invariant(13)
def test_rules_are_invariant_under_moving_and_mirroring(players: int, seed: int) -> None:
    for state in game(players, seed).states[players:-1:12]:
        for transform, renamed_directions in TRANSFORMS.values():
            other = transformed(state, transform)
            assert RAUBRITTER.standings(other) == RAUBRITTER.standings(state)
            here = legal_cells(set(tiles(state)), players)
            there = legal_cells(set(tiles(other)), players)
            assert {transform(*cell) for cell in here} == set(there)
            assert marches_of(other) == {
                (n, renamed_directions.get(d or "", d), left) for n, d, left in marches_of(state)
            }


def marches_of(state: State) -> set[tuple[int, str | None, tuple[int, ...]]]:
    if state.frames[-1].phase != "knights":
        return set()
    x, y = state.frames[-1].data["castle"]
    return set(legal_marches(state, state.frames[0].data["faction"], (x, y)))


def test_9_13_covers_states_with_marches() -> None:
    """Some of the states compared above are in the knights phase."""
    states = [s for n in (2, 3, 4) for seed in (0, 1, 2) for s in game(n, seed).states[n:-1:12]]
    assert any(len(marches_of(state)) > 5 for state in states)


# The journal


@invariant(15)
def test_replaying_the_journal_reproduces_every_state(players: int, seed: int) -> None:
    """Undo relies on this: it restores a state by folding the journal again."""
    played = game(players, seed)
    state = RAUBRITTER.start(played.setup).state
    for (faction, data), expected in zip(played.journal, played.states[1:], strict=True):
        state = RAUBRITTER.apply(state, RAUBRITTER.read_action(data, faction)).state
        assert state == expected


# Coverage


def test_every_invariant_of_the_digest_is_covered() -> None:
    assert set(range(1, 17)) == COVERED


def test_engine_reports_violated_invariants() -> None:
    """Each kind of violation produces its message."""
    state = game(2, 0).states[-1]
    cell = next(place for place in ledger(state) if place.startswith("cell:"))
    who = state.order[0]
    broken = {
        "unseen, but a set has 24.": [(who, "tile", "supply", 1)],
        "61 knights in all, but there must be 30.": [(who, "knight", "supply", 31)],
        "2 tiles lie at ": [(who, "plain", cell, 1)],
        "knights cannot stand on a": [(who, "knight", cell, 5)],
        "The land is not in one piece.": [(who, "lake", "cell:10,10", 1)],
        "the land may be at most 7 tiles wide and high.": [(who, "lake", "cell:10,10", 1)],
        "0 tiles lie at ": [(who, "knight", "cell:9,9", 1)],
        "more tiles “lake” on the table than there are.": [(who, "lake", f"cell:{x},9", 1) for x in range(9)],
    }
    lines = [(o, p, place, n) for place, rows in ledger(state).items() for o, p, n in rows]
    assert RAUBRITTER.invariants(state) == []
    for expected, surplus in broken.items():
        wrong = RAUBRITTER.invariants(replace(state, ledger=Ledger.of(PLACES, [*lines, *surplus])))
        assert any(expected in sentence(RAUBRITTER, message) for message in wrong), (expected, wrong)


def test_setup_lays_two_tiles_per_player() -> None:
    assert TILES_AT_START == 2
    for players in (2, 3, 4):
        state = game(players, 1).states[players]
        assert Counter(owner for owner, _ in tiles(state).values()) == dict.fromkeys(state.order, 2)


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(100, 112))
def test_long_invariants(players: int, seed: int) -> None:
    for check in (
        test_tiles_per_player_and_type_are_conserved,
        test_draw_messages_fit_a_hand_of_two,
        test_land_is_connected_and_inside_the_area,
        test_turns_have_one_to_three_placements_in_order,
        test_a_legal_cell_exists_while_tiles_are_left,
        test_final_size_of_the_land,
        test_every_player_has_30_knights,
        test_stack_heights_fit_the_terrain,
        test_stacks_only_grow,
        test_knights_enter_only_after_placing_a_castle,
        test_marches_are_straight_and_without_gaps,
        test_scores_do_not_exceed_the_buildings_on_the_table,
        test_only_the_topmost_knight_scores,
        test_rules_are_invariant_under_moving_and_mirroring,
    ):
        check(players, seed)

"""Table options for open questions of digest part 8: A-02, A-03, A-04, A-10, A-12."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.actions import SetOption
from games.core.errors import BadInput, Refused
from games.raubritter import RAUBRITTER
from games.raubritter.actions import Lay, Place
from games.raubritter.land import BOARD_MAX, locked_edges, rectangles, span
from games.raubritter.setup import starting_cells
from games.raubritter.state import State, types_left
from games.raubritter.tiles import TYPES
from tests.core.rendering import sentence
from tests.raubritter.positions import march_refusal, options_of, position, refused, send, texts

TILE_SET: dict[str, int] = dict(RAUBRITTER.board.figures["tile_set"])
# The split of a wiki that swaps forest castles and towns (digest 2.1).
SWAPPED = {**TILE_SET, "forest-castle": 1, "forest-town": 2}


def test_defaults_match_the_digest() -> None:
    assert RAUBRITTER.prepare(["red", "blue"]).options == {
        "tile_set": {
            "lake": 1,
            "mountain": 2,
            "plain": 3,
            "plain-village": 3,
            "plain-castle": 6,
            "plain-town": 3,
            "forest-village": 3,
            "forest-castle": 2,
            "forest-town": 1,
        },
        "must_move": False,
        "lone_knight": False,
        "start_rows": 2,
    }
    assert [option.question for option in RAUBRITTER.options] == ["A-02", "A-03", "A-04", "A-10"]


def test_letters_of_the_board_add_up_to_the_tile_set() -> None:
    letters = RAUBRITTER.board.figures["letters"]
    tiles = [tile for letter in letters.values() for tile in letter]
    assert {tile: tiles.count(tile) for tile in TILE_SET} == TILE_SET
    assert [len(letters[letter]) for letter in "ABCDE"] == [4, 5, 5, 5, 5]


def test_a_11_only_plains_and_forests_have_buildings() -> None:
    assert {tile_type.terrain for tile_type in TYPES.values() if tile_type.building} == {"plain", "forest"}
    assert all(tile_type.building for tile_type in TYPES.values() if tile_type.terrain == "forest")


# the tile set


def test_a_02_tile_set_option_changes_the_tiles_left() -> None:
    state = position("FC P", options={"tile_set": SWAPPED})
    assert types_left(state, "red")["forest-castle"] == 0
    text = "Your set has only 1 forest castle. Please check the tile type."
    assert refused(state, Place(faction="red", tile="forest-castle", at=(2, 0))) == ("2.1", text)
    assert RAUBRITTER.why_not(position("FC P"), Place(faction="red", tile="forest-castle", at=(2, 0))) is None


def test_a_02_a_used_up_type_is_not_offered() -> None:
    (prompt,) = RAUBRITTER.prompts(position("FT L M M"))
    offered = {element["tile"] for element in prompt.elements()}
    assert offered == set(TILE_SET) - {"forest-town", "lake", "mountain"}


@pytest.mark.parametrize(
    "tile_set",
    [{**TILE_SET, "lake": 2}, {"lake": 24}, {**TILE_SET, "lake": -1, "plain": 5}, {**TILE_SET, "swamp": 0}],
)
def test_a_02_tile_set_must_have_24_known_tiles(tile_set: Any) -> None:
    with pytest.raises(BadInput) as caught:
        RAUBRITTER.prepare(["red", "blue"], options={"tile_set": tile_set})
    text = sentence(RAUBRITTER, caught.value.message)
    assert text.startswith("The table option “tile_set” needs a number for each of forest-castle,")
    assert text.endswith(", 24 in all.")


def test_a_02_tile_set_may_change_during_the_game() -> None:
    """Players may notice only during play that their set differs."""
    state = position("FT P")
    laid = Place(faction="red", tile="forest-town", at=(2, 0))
    assert refused(state, laid)[0] == "2.1"
    change = SetOption(faction="red", name="tile_set", value=SWAPPED, reason="There are two.")
    assert RAUBRITTER.why_not(RAUBRITTER.apply(state, change).state, laid) is None


# must knights move?


def test_a_03_all_knights_may_stay_by_default() -> None:
    assert (3, None, (3,)) in options_of(position("PC P", castle=(0, 0)))


def test_a_03_must_move_forbids_staying_if_a_march_exists() -> None:
    state = position("PC P", castle=(0, 0), options={"must_move": True})
    text = "At this table at least one knight must move on if it can."
    assert march_refusal(state, None, [3]) == text
    assert march_refusal(state, "east", [3]) == text
    assert march_refusal(state, "north", [3]) == text  # they can march east, though not north
    assert send(state, "east", [2, 1])
    staying = [knights for knights, direction, _ in options_of(state) if direction is None]
    assert staying == [0, 1]  # none, or a single knight, who must hold the castle


def test_a_03_knights_that_cannot_move_may_stay() -> None:
    state = position("PC M", castle=(0, 0), options={"must_move": True})
    assert send(state, None, [3])  # a mountain needs three, and one must stay on the castle
    assert march_refusal(state, None, [4]) == "At this table at least one knight must move on if it can."
    blocked = position("PC L", castle=(0, 0), options={"must_move": True})
    assert len(options_of(blocked)) == 5


def test_a_03_sending_no_knights_stays_legal() -> None:
    state = position("PC P", castle=(0, 0), options={"must_move": True})
    outcome = send(state, None, [0])
    assert texts(outcome)[0] == "Red sends no knights from K11."


def test_a_03_step_names_the_option_it_depends_on() -> None:
    outcome = send(position("PC P", castle=(0, 0)), None, [2])
    assert "must_move" in outcome.steps[0].options


# one knight on a forest castle


def test_a_04_a_single_knight_may_stay_on_a_forest_castle() -> None:
    state = position("FC P", castle=(0, 0), options={"lone_knight": True})
    assert (1, None, (1,)) in options_of(state)
    assert send(state, None, [1]).state.ledger.pile("cell:0,0")[-1] == ("red", "knight")
    assert "lone_knight" in send(state, None, [1]).steps[0].options


def test_a_04_marching_knights_cannot_leave_one_on_a_forest() -> None:
    state = position("FC P", castle=(0, 0), options={"lone_knight": True})
    assert march_refusal(state, "east", [1, 1]) == "A forest needs 2 knights, you leave only 1."
    assert not [left for _, direction, left in options_of(state) if direction and left[0] < 2]


def test_a_04_entering_a_forest_still_needs_two_knights() -> None:
    state = position("PC FV", castle=(0, 0), options={"lone_knight": True})
    assert (
        march_refusal(state, "east", [1, 1]) == "You need 2 knights to enter the forest, only 1 would arrive."
    )


def test_a_04_lone_knight_option_relaxes_the_invariant() -> None:
    assert RAUBRITTER.invariants(position("FC:R P", options={"lone_knight": True})) == []
    (wrong,) = RAUBRITTER.invariants(position("FC:R P"))
    assert sentence(RAUBRITTER, wrong) == "K11: 1 knight cannot stand on a forest."


# the starting rectangle


@pytest.mark.parametrize(
    ("players", "rows", "columns"), [(2, 1, 4), (2, 2, 2), (3, 1, 6), (3, 2, 3), (4, 1, 8), (4, 2, 4)]
)
def test_a_10_start_rows_option_shapes_the_rectangle(players: int, rows: int, columns: int) -> None:
    state = start(players, start_rows=rows)
    cells = starting_cells(state)
    assert span(cells) == (columns, rows)
    assert len(cells) == columns * rows == 2 * players
    assert (columns, rows) in rectangles(2 * players, players)
    outside = Lay(faction=state.order[0], tiles=("plain", "mountain"), at=((0, 0), (0, rows)))
    assert refused(state, outside)[0] == "3"


def start(players: int, **options: Any) -> State:
    return RAUBRITTER.start(RAUBRITTER.prepare(RAUBRITTER.factions[:players], options=options)).state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_10_start_rows_cover_every_rectangle_up_to_rotation(players: int) -> None:
    """Two columns are two rows rotated: before the first tile the table has no orientation."""
    offered_shapes = {span(starting_cells(start(players, start_rows=rows))) for rows in (1, 2)}
    assert set(rectangles(2 * players, players)) == offered_shapes | {
        (rows, columns) for columns, rows in offered_shapes
    }
    assert all(max(rectangle) <= BOARD_MAX[players] for rectangle in offered_shapes)


def test_a_10_start_rows_cannot_change_during_the_game() -> None:
    change = SetOption(faction="red", name="start_rows", value=1)
    text = "The table option “start_rows” cannot change once the game has begun."
    assert refused(position("P P"), change) == ("option", text)
    with pytest.raises(Refused):
        RAUBRITTER.prepare(["red", "blue"], options={"start_rows": 3})


# who begins


@pytest.mark.parametrize("first", ["red", "blue", "green"])
def test_a_12_any_player_may_begin(first: str) -> None:
    factions = ["blue", "green", "red"]
    state = RAUBRITTER.start(RAUBRITTER.prepare(factions, first=first)).state
    at = factions.index(first)
    assert state.order == tuple(factions[at:] + factions[:at])
    while RAUBRITTER.phase(state) == "setup":
        outcome = RAUBRITTER.apply(state, RAUBRITTER.prompts(state)[-1].example)
        state = outcome.state
    assert texts(outcome)[-1] == f"The land is laid. {first.title()} begins."
    assert RAUBRITTER.waiting_for(state) == (first,)
    assert state.round == 1


def test_a_12_first_seat_begins_by_default() -> None:
    assert RAUBRITTER.prepare(["green", "red"]).first == "green"
    with pytest.raises(BadInput) as caught:
        RAUBRITTER.prepare(["green", "red"], first="blue")
    assert sentence(RAUBRITTER, caught.value.message) == "The first player must sit at the table."


# Locked edges, shown on the map (5.1)


def test_edges_lock_at_full_width_or_height() -> None:
    wide = [(x, 0) for x in range(7)]
    assert locked_edges(wide[:6], 2) == []
    assert locked_edges(wide, 2) == ["east", "west"]
    assert locked_edges([(y, x) for x, y in wide], 2) == ["north", "south"]
    assert locked_edges([*wide, *((0, y) for y in range(7))], 2) == ["east", "west", "north", "south"]
    assert locked_edges(wide, 3) == []

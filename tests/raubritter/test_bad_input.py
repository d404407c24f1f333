"""Input errors and their messages (digest part 10)."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.errors import BadInput, Refused
from games.raubritter import RAUBRITTER
from games.raubritter.actions import End, Lay, March, Place
from games.raubritter.state import State
from tests.core.rendering import sentence
from tests.raubritter.positions import march_refusal, position, refused

# Before the game


@pytest.mark.parametrize(
    ("factions", "text"),
    [
        (["red"], "Robber Knights is for 2 to 4 players."),
        ([], "Robber Knights is for 2 to 4 players."),
        (["red", "blue", "green", "yellow", "red"], "Robber Knights is for 2 to 4 players."),
        (["red", "red"], "Each player needs a colour of their own out of blue, yellow, green, red."),
        (["red", "black"], "Each player needs a colour of their own out of blue, yellow, green, red."),
    ],
)
def test_wrong_player_count_or_duplicate_colour_is_refused(factions: list[str], text: str) -> None:
    with pytest.raises(Refused) as caught:
        RAUBRITTER.prepare(factions)
    assert sentence(RAUBRITTER, caught.value.message) == text
    assert caught.value.rule == "3"


def state_in_setup(laid: int = 0) -> State:
    """Return a two-player game in set-up, in which ``laid`` players have laid their tiles."""
    state = RAUBRITTER.start(RAUBRITTER.prepare(["red", "blue"])).state
    cells = [((0, 0), (1, 0)), ((0, 1), (1, 1))]
    for faction, at in list(zip(state.order, cells, strict=True))[:laid]:
        state = RAUBRITTER.apply(state, Lay(faction=faction, tiles=("plain", "mountain"), at=at)).state
    return state


RECTANGLE = ("3", "The starting tiles must form one rectangle, two from each player.")


@pytest.mark.parametrize(
    ("tiles", "at"),
    [
        (("plain", "mountain"), ((0, 0), (2, 0))),  # outside
        (("plain", "mountain"), ((0, 0), (-1, 0))),
        (("plain", "mountain"), ((1, 1), (1, 2))),
        (("plain", "mountain"), ((0, 0), (0, 0))),  # the same cell twice
        (("plain",), ((0, 0),)),  # one tile
        (("plain", "mountain"), ((0, 0),)),
        (("plain",), ((0, 0), (1, 0))),
        (("plain", "mountain", "plain"), ((0, 0), (1, 0), (0, 1))),
        ((), ()),
    ],
)
def test_starting_tiles_outside_the_rectangle_are_refused(tiles: Any, at: Any) -> None:
    assert refused(state_in_setup(), Lay(faction="red", tiles=tiles, at=at)) == RECTANGLE


def test_each_player_lays_starting_tiles_once_on_free_cells() -> None:
    again = Lay(faction="red", tiles=("plain", "plain"), at=((0, 1), (1, 1)))
    assert refused(state_in_setup(1), again) == ("3", "You have laid your two starting tiles already.")
    over = Lay(faction="blue", tiles=("plain", "mountain"), at=((1, 0), (1, 1)))
    assert refused(state_in_setup(1), over) == ("3", "There is already a tile here.")


def test_more_starting_tiles_of_a_type_than_in_the_set_are_refused() -> None:
    lakes = Lay(faction="red", tiles=("lake", "lake"), at=((0, 0), (1, 0)))
    text = "Your set has only 1 lake. Please check the tile type."
    assert refused(state_in_setup(), lakes) == ("2.1", text)


def test_placing_and_ending_during_setup_are_refused() -> None:
    text = "“place” cannot be entered now. Not finished: Set-up; waiting for Blue."
    assert refused(state_in_setup(1), Place(faction="red", tile="plain", at=(2, 0))) == ("3", text)
    assert refused(state_in_setup(1), End(faction="red")) == (
        "3",
        "“end” cannot be entered now. Not finished: Set-up; waiting for Blue.",
    )


def test_laying_starting_tiles_after_setup_is_refused() -> None:
    lay = Lay(faction="red", tiles=("plain", "mountain"), at=((0, 0), (1, 0)))
    assert refused(state_in_setup(2), lay) == (
        "5.2",
        "“lay” cannot be entered now. Not finished: Placing tiles; waiting for Red.",
    )


# Placing

SQUARE = "P P\nP P"


def test_placing_on_an_occupied_cell_is_refused() -> None:
    tile = Place(faction="red", tile="lake", at=(1, 1))
    assert refused(position(SQUARE), tile) == ("5.1", "There is already a tile here.")


@pytest.mark.parametrize("cell", [(2, 2), (-1, -1), (-1, 2), (4, 0), (400, -400)])
def test_placing_without_a_shared_edge_is_refused(cell: tuple[int, int]) -> None:
    text = "The tile must share a whole edge with a tile on the table."
    assert refused(position(SQUARE), Place(faction="red", tile="lake", at=cell)) == ("5.1", text)


@pytest.mark.parametrize(("players", "most"), [(2, 7), (3, 9), (4, 10)])
def test_placing_outside_the_area_is_refused(players: int, most: int) -> None:
    state = position(" ".join("P" * most), factions=RAUBRITTER.factions[:players], turn="blue")
    text = f"With {players} players the land may be at most {most} tiles wide and high."
    assert refused(state, Place(faction="blue", tile="lake", at=(-1, 0))) == ("5.1", text)


def test_seventh_plain_castle_is_refused() -> None:
    state = position("PC PC PC\nPC PC PC")
    text = "You have already laid all six of your plain castles. Please check the tile type."
    assert refused(state, Place(faction="red", tile="plain-castle", at=(3, 0))) == ("2.1", text)
    # Another player's castles do not count.
    assert RAUBRITTER.why_not(position("PC PC PC\nPC PC PC", owner="blue"), SEVENTH_CASTLE) is None


SEVENTH_CASTLE = Place(faction="red", tile="plain-castle", at=(3, 0))


@pytest.mark.parametrize(
    ("drawing", "tile", "text"),
    [
        ("M M", "mountain", "You have already laid all two of your mountains. Please check the tile type."),
        ("P P P", "plain", "You have already laid all three of your plains. Please check the tile type."),
        ("L P", "lake", "Your set has only 1 lake. Please check the tile type."),
        ("FT P", "forest-town", "Your set has only 1 forest town. Please check the tile type."),
    ],
)
def test_placing_a_used_up_type_is_refused(drawing: str, tile: str, text: str) -> None:
    assert refused(position(drawing), Place(faction="red", tile=tile, at=(0, 1))) == ("2.1", text)


def test_used_up_types_follow_the_tile_set_option() -> None:
    none = {"tile_set": {**RAUBRITTER.board.figures["tile_set"], "lake": 0, "plain": 4}}
    text = "Your set has only 0 lakes. Please check the tile type."
    assert refused(position("P", options=none), Place(faction="red", tile="lake", at=(1, 0))) == ("2.1", text)
    many = {"tile_set": {**dict.fromkeys(RAUBRITTER.board.figures["tile_set"], 1), "plain": 16}}
    drawing = "\n".join(["P P P P"] * 4)
    text = "You have already laid all 16 of your plains. Please check the tile type."
    assert refused(position(drawing, options=many), Place(faction="red", tile="plain", at=(4, 0)))[1] == text


def test_fourth_placement_in_a_turn_is_refused() -> None:
    state = position(SQUARE)
    for x, tile in enumerate(("lake", "mountain", "plain-town"), 2):
        state = RAUBRITTER.apply(state, Place(faction="red", tile=tile, at=(x, 0))).state
    text = "You have placed three tiles; your turn ends."
    assert refused(state, Place(faction="red", tile="plain-town", at=(5, 0))) == ("5.2", text)
    assert RAUBRITTER.waiting_for(state) == ("blue",)
    # After Blue's placement the generic message applies.
    state = RAUBRITTER.apply(state, Place(faction="blue", tile="lake", at=(5, 0))).state
    again = Place(faction="red", tile="plain-town", at=(6, 0))
    assert refused(state, again) == ("4", "It is Blue’s turn.")


def test_ending_the_turn_without_placing_is_refused() -> None:
    assert refused(position(SQUARE), End(faction="red")) == ("5.2", "You must place at least one tile.")


@pytest.mark.parametrize(
    "action",
    [Place(faction="red", tile="lake", at=(2, 0)), End(faction="red")],
    ids=["place", "end"],
)
def test_placing_or_ending_out_of_turn_is_refused(action: Any) -> None:
    assert refused(position(SQUARE, turn="blue"), action) == ("4", "It is Blue’s turn.")


def test_unknown_tile_type_is_refused() -> None:
    rule, text = refused(position(SQUARE), Place(faction="red", tile="swamp", at=(2, 0)))
    assert rule == "2.1"
    assert text.startswith("There is no tile “swamp”; there are lake, mountain, plain,")
    rule, text = refused(state_in_setup(), Lay(faction="red", tiles=("swamp", "plain"), at=((0, 0), (1, 0))))
    assert text.startswith("There is no tile “swamp”;")


# Knights

MARCHING = "PC P FV M"


def test_knights_enter_only_on_the_castle_just_placed() -> None:
    text = "Knights enter only on the castle you have just placed."
    state = position("PC PC P", castle=(0, 0))
    elsewhere = March(faction="red", knights=1, left=(1,), castle=(1, 0))
    assert refused(state, elsewhere) == ("5.3", text)
    assert refused(position("PC PC P"), March(faction="red", knights=1, left=(1,))) == ("5.3", text)
    assert RAUBRITTER.why_not(state, March(faction="red", knights=1, left=(1,), castle=(0, 0))) is None


def test_sending_too_many_knights_is_refused() -> None:
    state = position(MARCHING, castle=(0, 0))
    assert march_refusal(state, "east", [3, 3], 6) == "You may place at most 5 knights."
    few = position(MARCHING, castle=(0, 0), supply={"red": 2})
    assert march_refusal(few, "east", [1, 2], 3) == "You have only 2 knights left."
    one = position(MARCHING, castle=(0, 0), supply={"red": 1})
    assert march_refusal(one, "east", [1, 1], 2) == "You have only 1 knight left."


@pytest.mark.parametrize("direction", ["north-east", "up", "", "EAST", "east,north"])
def test_unknown_or_diagonal_direction_is_refused(direction: str) -> None:
    state = position(MARCHING, castle=(0, 0))
    assert march_refusal(state, direction, [1, 1]) == "Knights move in one straight line, not diagonally."


def test_march_without_a_direction_is_refused() -> None:
    text = "Knights move in one straight line, not diagonally."
    assert march_refusal(position(MARCHING, castle=(0, 0)), None, [1, 1]) == text


def test_march_over_a_lake_is_refused() -> None:
    text = "Knights cannot enter the lake."
    assert march_refusal(position("PC P L P", castle=(0, 0)), "east", [1, 1, 1]) == text


def test_march_over_a_gap_or_beyond_the_land_is_refused() -> None:
    text = "There is no tile here; knights cannot jump."
    state = position("PC P . P", castle=(0, 0))
    assert march_refusal(state, "east", [1, 1, 1]) == text
    assert march_refusal(state, "north", [1, 1]) == text
    assert march_refusal(state, "east", [1, 1, 1, 1]) == text
    row = position("PC P P P P P P", castle=(0, 0))
    far = "You need 1 knight to enter the plain, only 0 would arrive."
    assert march_refusal(row, "east", [1, 1, 1, 1, 1, 0, 0, 0, 0]) == far


def test_leaving_fewer_knights_than_the_leave_cost_is_refused() -> None:
    forest = position("PC FV P", castle=(0, 0))
    assert march_refusal(forest, "east", [1, 1, 1]) == "A forest needs 2 knights, you leave only 1."
    mountain = position("PC M P", castle=(0, 0))
    assert march_refusal(mountain, "east", [1, 2, 1]) == "A mountain needs 3 knights, you leave only 2."
    plain = position("PC P P", castle=(0, 0))
    assert march_refusal(plain, "east", [1, 0, 1]) == "A plain needs 1 knight, you leave only 0."
    assert march_refusal(plain, "east", [0, 1]) == "A plain needs 1 knight, you leave only 0."


def test_entering_terrain_with_too_few_knights_is_refused() -> None:
    state = position("PC M", castle=(0, 0))
    text = "You need 3 knights to enter the mountain, only 2 would arrive."
    assert march_refusal(state, "east", [1, 2]) == text
    state = position("PC FV", castle=(0, 0))
    assert (
        march_refusal(state, "east", [1, 1]) == "You need 2 knights to enter the forest, only 1 would arrive."
    )
    state = position("PC P", castle=(0, 0))
    assert (
        march_refusal(state, "east", [1, 0]) == "You need 1 knight to enter the plain, only 0 would arrive."
    )


@pytest.mark.parametrize(
    ("there", "left", "text"),
    [
        ("RBR", 2, "This tile already has 3 knights; only 1 more fits."),
        ("BB", 3, "This tile already has 2 knights; only 2 more fit."),
        ("B", 4, "This tile already has 1 knight; only 3 more fit."),
        ("RBRB", 1, "This tile already has 4 knights; nobody can enter it."),
    ],
)
def test_stack_above_the_limit_is_refused(there: str, left: int, text: str) -> None:
    assert march_refusal(position(f"PC P:{there}", castle=(0, 0)), "east", [1, left]) == text


def test_five_knights_staying_on_the_castle_are_refused() -> None:
    text = "At most 4 knights can stay on a tile; move at least one."
    state = position(MARCHING, castle=(0, 0))
    assert march_refusal(state, None, [5]) == text
    assert march_refusal(state, "east", [5, 0]) == text


ORDINALS = ["first", "second", "third", "fourth", "fifth"]


def test_knights_left_must_add_up_to_knights_sent() -> None:
    state = position("PC P P P P", castle=(0, 0))
    text = "You placed 5 knights but left 4. Where is the fifth?"
    assert march_refusal(state, "east", [1, 1, 1, 1], 5) == text
    for knights, ordinal in enumerate(ORDINALS[1:], 2):
        text = f"You placed {knights} knights but left {knights - 1}. Where is the {ordinal}?"
        assert march_refusal(state, "east", [knights - 1], knights) == text
    assert march_refusal(state, None, [0], 1) == "You placed 1 knight but left 0. Where is the first?"
    assert march_refusal(state, "east", [1, 1], 4) == "You placed 4 knights but left 2."
    assert march_refusal(state, "east", [2, 2], 3) == "You placed 3 knights but left 4."
    assert march_refusal(state, "east", [], 3) == "You placed 3 knights but left 0."
    assert march_refusal(state, None, [1], 0) == "You placed 0 knights but left 1."
    assert march_refusal(state, "east", [0, 0], 0) == "Without knights there is nothing to leave behind."


def test_moving_knights_of_an_earlier_turn_is_refused() -> None:
    text = "Knights on the board do not move again."
    older = March(faction="red", knights=1, direction="south", left=(0, 1), castle=(1, 0))
    assert refused(position("PC PC:RR P", castle=(0, 0)), older) == ("5.3", text)
    assert refused(position("PC PC:RR P"), older) == ("5.3", text)


def test_knights_must_be_sent_before_placing_or_ending() -> None:
    state = position(MARCHING, castle=(0, 0))
    text = "First say what the knights of your new castle do."
    assert refused(state, Place(faction="red", tile="lake", at=(0, 1))) == ("5.3", text)
    assert refused(state, End(faction="red")) == ("5.3", text)


def test_sending_knights_in_another_players_turn_is_refused() -> None:
    march = March(faction="blue", knights=1, left=(1,))
    assert refused(position(MARCHING, castle=(0, 0)), march) == ("4", "It is Red’s turn.")


# Numbers


NUMBERS = [-1, 1.5, 0.0, "2", None, True, [1]]


@pytest.mark.parametrize("number", NUMBERS)
def test_invalid_number_of_knights_is_bad_input(number: Any) -> None:
    text = "Please enter a whole number, 0 or more."
    for data in (
        {"type": "march", "knights": number, "left": [1]},
        {"type": "march", "knights": 1, "left": [number]},
    ):
        with pytest.raises(BadInput) as caught:
            RAUBRITTER.read_action(data, "red")
        assert sentence(RAUBRITTER, caught.value.message) == text


@pytest.mark.parametrize("at", [[1], [1, 2, 3], ["1", 2], [1.5, 2], None, {}, "1,2", [None, 0], [[0], 0]])
def test_malformed_cell_is_bad_input(at: Any) -> None:
    for data in (
        {"type": "place", "tile": "lake", "at": at},
        {"type": "lay", "tiles": ["lake", "plain"], "at": [at, [0, 0]]},
    ):
        with pytest.raises(BadInput):
            RAUBRITTER.read_action(data, "red")


# Scoring


@pytest.mark.parametrize(
    ("red", "blue", "text"),
    [
        (3, 0, "3 tiles are still to be placed; this is only the current standing."),
        (2, 7, "9 tiles are still to be placed; this is only the current standing."),
        (1, 0, "1 tile is still to be placed; this is only the current standing."),
    ],
)
def test_standings_are_provisional_while_tiles_are_left(red: int, blue: int, text: str) -> None:
    state = position(SQUARE, tiles={"red": red, "blue": blue})
    message = RAUBRITTER.provisional(state)
    assert message is not None
    assert sentence(RAUBRITTER, message) == text
    assert RAUBRITTER.result(state) is None


def test_standings_are_provisional_until_the_last_march() -> None:
    message = RAUBRITTER.provisional(position("PC P", castle=(0, 0), tiles={"red": 0, "blue": 0}))
    assert message is not None
    text = "The knights of the last castle are still to be placed; this is only the current standing."
    assert sentence(RAUBRITTER, message) == text


def test_actions_after_the_end_are_refused() -> None:
    state = position(SQUARE, tiles={"red": 1, "blue": 0})
    state = RAUBRITTER.apply(state, Place(faction="red", tile="lake", at=(2, 0))).state
    for action in (Place(faction="red", tile="lake", at=(2, 1)), End(faction="blue")):
        assert refused(state, action) == ("5.5", "The game is over; all tiles are laid.")

"""Test vectors of the digest (part 7), by number."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest

from games.raubritter import RAUBRITTER
from games.raubritter.actions import End, Lay, Place
from games.raubritter.land import BOARD_MAX, TILES_AT_START, span
from games.raubritter.scoring import Controlled, rank, score
from games.raubritter.setup import starting_cells
from games.raubritter.state import knights_on, land_of, tiles_left
from tests.conformance.walks import walk
from tests.raubritter.positions import (
    march_refusal,
    options_of,
    parse_drawing,
    points,
    position,
    refused,
    send,
    stack,
    supply,
    texts,
)

F = TypeVar("F", bound=Callable[..., None])
COVERED: set[str] = set()


def vector(number: str) -> Callable[[F], F]:
    """Mark a test as the digest case with this number."""
    COVERED.add(number)
    return pytest.mark.parametrize((), [pytest.param(id=number)])


# 7.1 From the source


@vector("R-T1")
def test_four_knights_over_a_forest_village_to_a_town() -> None:
    outcome = send(position("PC FV PT", castle=(0, 0)), "east", [1, 2, 1])
    assert [stack(outcome.state, (x, 0)) for x in range(3)] == ["R", "RR", "R"]
    assert supply(outcome.state, "red") == 30 - 4
    assert points(outcome.state) == {"red": 1 + 2 + 3, "blue": 0}
    assert texts(outcome)[:4] == [
        "Red sends 4 knights east from K11.",
        "1 knight stays on the plain castle at K11; Red controls it.",
        "2 knights stay on the forest village at L11; Red controls it.",
        "1 knight stays on the plain town at M11; Red controls it.",
    ]


@vector("R-T2")
def test_yellow_uses_four_knights() -> None:
    """The picture is missing; only the number of knights is known."""
    state = position("PC P P P", factions=("yellow", "red"), turn="yellow", castle=(0, 0))
    fours = [option for option in options_of(state) if option[0] == 4]
    assert (4, "east", (1, 1, 1, 1)) in fours
    outcome = send(state, "east", [1, 1, 1, 1], faction="yellow")
    assert supply(outcome.state, "yellow") == 26


@vector("R-T3")
def test_five_knights_take_four_tiles_and_fill_the_village() -> None:
    """Reconstruction of the digest: 1 knight on each of three plains, 2 on top of 2 foreign ones."""
    state = position("PC FV:BB PT P", castle=(0, 0))
    outcome = send(state, "east", [1, 2, 1, 1])
    assert [stack(outcome.state, (x, 0)) for x in range(4)] == ["R", "BBRR", "R", "R"]
    assert all(knights_on(outcome.state, (x, 0))[-1] == "red" for x in range(4))
    assert "2 knights stay on the forest village at L11; Red takes it from Blue." in texts(outcome)
    later = position("PC FV:BBRR PT P", castle=(0, 0))
    assert march_refusal(later, "east", [1, 2]) == "This tile already has 4 knights; nobody can enter it."
    assert march_refusal(later, "east", [1, 2, 2]) == "This tile already has 4 knights; nobody can enter it."
    assert not [option for option in options_of(later) if option[1] == "east"]


@vector("R-T4")
def test_placing_at_a_corner_is_refused() -> None:
    state = position("P P\nP P")
    assert refused(state, Place(faction="red", tile="lake", at=(2, 2)))[0] == "5.1"
    assert refused(state, Place(faction="red", tile="lake", at=(-1, -1)))[0] == "5.1"


@vector("R-T5")
def test_placing_at_a_shared_edge_is_legal() -> None:
    state = position("P P\nP P")
    for cell in ((2, 0), (2, 1), (0, 2), (-1, 0), (1, -1)):
        after = RAUBRITTER.apply(state, Place(faction="red", tile="lake", at=cell)).state
        assert land_of(after)[cell] == "lake"


@vector("R-T6")
def test_two_player_area_is_seven_tiles_wide_and_high() -> None:
    state = position("P P P P P P P")
    for cell in ((7, 0), (-1, 0)):
        assert refused(state, Place(faction="red", tile="lake", at=cell)) == (
            "5.1",
            "With 2 players the land may be at most 7 tiles wide and high.",
        )
    tall = position("P\nP\nP\nP\nP\nP\nP")
    assert refused(tall, Place(faction="red", tile="lake", at=(0, 7)))[0] == "5.1"


@vector("R-T7")
@pytest.mark.parametrize(("players", "tiles"), [(2, 4), (3, 6), (4, 8)])
def test_starting_layout(players: int, tiles: int) -> None:
    state = RAUBRITTER.start(RAUBRITTER.prepare(RAUBRITTER.factions[:players])).state
    cells = starting_cells(state)
    assert len(cells) == tiles == TILES_AT_START * players
    for i, faction in enumerate(state.order):
        at = (cells[2 * i], cells[2 * i + 1])
        state = RAUBRITTER.apply(state, Lay(faction=faction, tiles=("plain", "mountain"), at=at)).state
    assert len(land_of(state)) == tiles
    assert RAUBRITTER.phase(state) == "turn"
    assert all(tiles_left(state, faction) == 22 for faction in state.order)
    assert all(supply(state, faction) == 30 for faction in state.order)


@vector("R-T8")
def test_topmost_knight_scores() -> None:
    state = position("PC:RYB FV:BBR PT:BRY", factions=("blue", "red", "yellow"), turn="blue")
    assert points(state) == {"blue": 1, "red": 2, "yellow": 3}


@vector("R-T9")
@pytest.mark.parametrize(("players", "most"), [(2, 7), (3, 9), (4, 10)])
def test_area_limit_per_player_count(players: int, most: int) -> None:
    assert BOARD_MAX[players] == most
    factions = RAUBRITTER.factions[:players]
    row = position(" ".join("P" * (most - 1)), factions=factions, turn="blue")
    after = RAUBRITTER.apply(row, Place(faction="blue", tile="lake", at=(most - 1, 0))).state
    sentence = f"With {players} players the land may be at most {most} tiles wide and high."
    assert refused(after, Place(faction="blue", tile="mountain", at=(most, 0))) == ("5.1", sentence)


@vector("R-T10")
def test_castle_without_knights_in_supply_skips_the_march() -> None:
    state = position("P P", supply={"red": 0})
    outcome = RAUBRITTER.apply(state, Place(faction="red", tile="plain-castle", at=(2, 0)))
    assert RAUBRITTER.phase(outcome.state) == "turn"
    assert "Red has no knights left; the castle is laid without any." in texts(outcome)
    none_left = position("PC P", castle=(0, 0), supply={"red": 0})
    assert options_of(none_left) == [(0, None, (0,))]
    assert march_refusal(none_left, "east", [1, 1]) == "You have only 0 knights left."


# 7.2 Derived


@vector("R-D1")
def test_two_more_knights_fill_a_forest_with_two() -> None:
    outcome = send(position("PC FV:BB P", castle=(0, 0)), "east", [1, 2, 1])
    assert stack(outcome.state, (1, 0)) == "BBRR"
    closed = position("PC FV:BBRR P", castle=(0, 0))
    assert not [option for option in options_of(closed) if option[1] == "east"]


@vector("R-D2")
def test_forest_with_three_knights_blocks_the_line() -> None:
    state = position("PC FV:BBB P", castle=(0, 0))
    assert not [option for option in options_of(state) if option[1] == "east"]
    assert march_refusal(state, "east", [1, 2]) == "This tile already has 3 knights; only 1 more fits."
    assert march_refusal(state, "east", [1, 2, 1]) == "This tile already has 3 knights; only 1 more fits."
    assert (
        march_refusal(state, "east", [1, 1]) == "You need 2 knights to enter the forest, only 1 would arrive."
    )
    assert march_refusal(state, "east", [1, 1, 1]) == "A forest needs 2 knights, you leave only 1."


@vector("R-D3")
def test_one_knight_cannot_enter_a_forest() -> None:
    state = position("PC FV", castle=(0, 0))
    assert (
        march_refusal(state, "east", [3, 1]) == "You need 2 knights to enter the forest, only 1 would arrive."
    )
    assert send(state, "east", [2, 2])
    assert send(state, "east", [1, 2])


@vector("R-D4")
def test_marches_onto_a_mountain() -> None:
    state = position("PC M", castle=(0, 0))
    east = [left for _, direction, left in options_of(state) if direction == "east"]
    assert sorted(east) == [(1, 3), (1, 4), (2, 3)]


@vector("R-D5")
def test_mountain_with_three_knights_cannot_be_entered() -> None:
    state = position("PC M:BBB", castle=(0, 0))
    assert not [option for option in options_of(state) if option[1] == "east"]
    assert march_refusal(state, "east", [1, 3]) == "This tile already has 3 knights; only 1 more fits."
    # Only a correction can leave one knight on a mountain; three more fit.
    corrected = position("PC M:B", castle=(0, 0))
    assert [left for _, direction, left in options_of(corrected) if direction == "east"] == [(1, 3), (2, 3)]
    assert march_refusal(corrected, "east", [1, 4]) == "This tile already has 1 knight; only 3 more fit."


@vector("R-D6")
def test_lake_cannot_be_entered_or_jumped() -> None:
    state = position("PC L P", castle=(0, 0))
    assert not [option for option in options_of(state) if option[1] == "east"]
    assert march_refusal(state, "east", [1, 1]) == "Knights cannot enter the lake."
    assert march_refusal(state, "east", [1, 0, 1]) == "Knights cannot enter the lake."


@vector("R-D7")
def test_gap_cannot_be_jumped() -> None:
    state = position("PC . P", castle=(0, 0))
    assert not [option for option in options_of(state) if option[1] == "east"]
    assert march_refusal(state, "east", [1, 1]) == "There is no tile here; knights cannot jump."
    assert march_refusal(state, "east", [1, 0, 1]) == "There is no tile here; knights cannot jump."


@vector("R-D8")
def test_five_plains_with_one_knight_each() -> None:
    outcome = send(position("PC P PV P PT", castle=(0, 0)), "east", [1, 1, 1, 1, 1])
    assert [stack(outcome.state, (x, 0)) for x in range(5)] == ["R"] * 5
    assert points(outcome.state)["red"] == 1 + 2 + 3


@vector("R-D9")
def test_march_from_a_forest_castle_to_a_forest() -> None:
    outcome = send(position("FC P FV", castle=(0, 0)), "east", [2, 1, 2])
    assert [stack(outcome.state, (x, 0)) for x in range(3)] == ["RR", "R", "RR"]


@vector("R-D10")
def test_one_knight_cannot_stay_on_a_forest_castle() -> None:
    state = position("FC P", castle=(0, 0))
    assert march_refusal(state, None, [1]) == "A forest needs 2 knights, you leave only 1."
    assert march_refusal(state, "east", [1, 1]) == "A forest needs 2 knights, you leave only 1."


@vector("R-D11")
def test_five_knights_cannot_all_stay_on_the_castle() -> None:
    state = position("PC", castle=(0, 0))
    assert march_refusal(state, None, [5]) == "At most 4 knights can stay on a tile; move at least one."
    assert options_of(state) == [(k, None, (k,)) for k in range(5)]
    blocked = position(". M:BBB .\nL PC FV:BBB\n. P:RRRR .", castle=(1, 1))
    assert len(options_of(blocked)) == 5


@vector("R-D12")
def test_fifteen_marches_to_a_single_plain() -> None:
    state = position("PC P", castle=(0, 0))
    east = [(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1)]
    options = options_of(state)
    assert len(options) == 15
    assert sorted(left for _, direction, left in options if direction == "east") == east
    assert [left for _, direction, left in options if direction is None] == [(0,), (1,), (2,), (3,), (4,)]
    assert len(options_of(position("PC P", castle=(0, 0), supply={"red": 3}))) == 7


@vector("R-D13")
def test_ten_marches_from_a_forest_castle_to_a_plain() -> None:
    assert len(options_of(position("FC P", castle=(0, 0)))) == 10


@vector("R-D14")
def test_thirty_one_marches_over_four_plains() -> None:
    assert len(options_of(position("PC P P P P", castle=(0, 0)))) == 31


@vector("R-D15")
def test_twenty_one_marches_to_a_plain_or_a_forest() -> None:
    assert len(options_of(position("FV .\nPC P", castle=(0, 1)))) == 21


@vector("R-D16")
def test_fourth_knight_takes_and_fills_a_town() -> None:
    factions = ("yellow", "red", "blue")
    state = position("PC PT:RRB", factions=factions, turn="yellow", castle=(0, 0))
    outcome = send(state, "east", [1, 1], faction="yellow")
    assert stack(outcome.state, (1, 0)) == "RRBY"
    assert points(outcome.state) == {"yellow": 1 + 3, "red": 0, "blue": 0}
    assert "1 knight stays on the plain town at L11; Yellow takes it from Blue." in texts(outcome)
    full = position("PC PT:RRBY", factions=factions, turn="yellow", castle=(0, 0))
    text = "This tile already has 4 knights; nobody can enter it."
    assert march_refusal(full, "east", [1, 1], faction="yellow") == text


@vector("R-D17")
def test_eighth_column_is_refused_with_two_players() -> None:
    state = position("P P P P P P P\nP P P . P P P")
    sentence = "With 2 players the land may be at most 7 tiles wide and high."
    assert refused(state, Place(faction="red", tile="lake", at=(7, 0))) == ("5.1", sentence)
    assert RAUBRITTER.why_not(state, Place(faction="red", tile="lake", at=(3, 1))) is None


@vector("R-D18")
def test_gaps_count_towards_the_width() -> None:
    state = position("P P P P . P P\nP P P P P P P")
    assert RAUBRITTER.why_not(state, Place(faction="red", tile="lake", at=(4, 0))) is None
    assert refused(state, Place(faction="red", tile="lake", at=(7, 0)))[0] == "5.1"


@vector("R-D19")
def test_unplaced_knights_break_a_tie() -> None:
    assert rank({"red": 20, "blue": 20}, {"red": 3, "blue": 1}) == [("red",), ("blue",)]
    assert rank({"red": 20, "blue": 20}, {"red": 1, "blue": 3}) == [("blue",), ("red",)]
    assert rank({"red": 20, "blue": 20}, {"red": 3, "blue": 3}) == [("red", "blue")]
    assert rank({"red": 21, "blue": 20}, {"red": 0, "blue": 9}) == [("red",), ("blue",)]
    # the tie-break also applies to three or more players.
    three = rank({"red": 20, "blue": 20, "green": 20}, {"red": 1, "blue": 2, "green": 2})
    assert three == [("blue", "green"), ("red",)]


@vector("R-D19")
@pytest.mark.parametrize(
    ("red", "blue", "ranking", "text"),
    [
        (3, 1, (("red",), ("blue",)), "Level at 3 points; Red has 3 knights left, more than the others."),
        (0, 1, (("blue",), ("red",)), "Level at 3 points; Blue has 1 knight left, more than the others."),
        (3, 3, (("red", "blue"),), "Level at 3 points and 3 knights left: the game is a draw."),
        (1, 1, (("red", "blue"),), "Level at 3 points and 1 knight left: the game is a draw."),
    ],
)
def test_knights_left_decide_a_tied_game(red: int, blue: int, ranking: object, text: str) -> None:
    left = {"red": red, "blue": blue}
    state = position("PT:R PT:B", supply=left, tiles={"red": 1, "blue": 0})
    outcome = RAUBRITTER.apply(state, Place(faction="red", tile="lake", at=(2, 0)))
    result = RAUBRITTER.result(outcome.state)
    assert result is not None
    assert result.ranking == ranking
    assert text in texts(outcome)


@vector("R-D20")
def test_last_tile_is_compulsory_and_ends_the_turn() -> None:
    state = position("P P", tiles={"red": 1, "blue": 3})
    assert refused(state, End(faction="red")) == ("5.2", "You must place at least one tile.")
    outcome = RAUBRITTER.apply(state, Place(faction="red", tile="lake", at=(2, 0)))
    assert RAUBRITTER.waiting_for(outcome.state) == ("blue",)
    assert "Red’s stack is empty; there is nothing to draw." in texts(outcome)
    state = RAUBRITTER.apply(outcome.state, Place(faction="blue", tile="lake", at=(3, 0))).state
    outcome = RAUBRITTER.apply(state, End(faction="blue"))
    assert RAUBRITTER.waiting_for(outcome.state) == ("blue",)  # Red has no tiles and is skipped
    assert texts(outcome) == ["Blue ends the turn after 1 tile.", "It is Blue’s turn."]


@vector("R-D21")
def test_four_players_fill_ten_by_ten_except_four_cells() -> None:
    land = land_of(walk("raubritter", 4, 0).states[-1])
    assert len(land) == 96
    assert span(land) == (10, 10)


# Coverage and helpers


def test_every_vector_of_the_digest_is_covered() -> None:
    assert {f"R-T{n}" for n in range(1, 11)} | {f"R-D{n}" for n in range(1, 22)} == COVERED


def test_parse_drawing() -> None:
    assert parse_drawing(". PC\nFV:RB .", origin=(-1, 2)) == {
        (0, 2): ("plain-castle", []),
        (-1, 3): ("forest-village", ["red", "blue"]),
    }


def test_score_by_kind_of_building() -> None:
    tiles = [Controlled("castle", ["red", "blue"]), Controlled(None, ["red"]), Controlled("town", [])]
    assert score(tiles, ["red", "blue"]) == {
        "red": {"castles": 0, "villages": 0, "towns": 0},
        "blue": {"castles": 1, "villages": 0, "towns": 0},
    }

"""Corrections: the physical table is authoritative, and the game must remain playable."""

from __future__ import annotations

import random

import pytest

from games.core.actions import Correct
from games.core.errors import BadInput
from games.raubritter import RAUBRITTER
from games.raubritter.actions import Lay, Place
from games.raubritter.state import State, land_of, tile_at
from players.randomly import play_on
from tests.core.rendering import sentence
from tests.raubritter.positions import options_of, points, position, refused, send, stack, texts


def correct(
    state: State, owner: str, piece: str, place: str, count: int, against: str | None = None
) -> State:
    action = Correct(
        faction="red", owner=owner, piece=piece, place=place, count=count, reason="It is so.", against=against
    )
    return RAUBRITTER.apply(state, action).state


def assert_game_can_finish(state: State) -> None:
    """Assert that every prompt's example is accepted and random play reaches a result."""
    for prompt in RAUBRITTER.prompts(state):
        assert RAUBRITTER.why_not(state, prompt.example) is None
    *_, last = play_on(RAUBRITTER, state, random.Random(1))
    assert RAUBRITTER.result(last.outcome.state)


def start(players: int = 2) -> State:
    return RAUBRITTER.start(RAUBRITTER.prepare(("red", "blue", "green", "yellow")[:players])).state


# Typical corrections


def test_correcting_knights_changes_control() -> None:
    state = correct(position("PC:R PT:B"), "red", "knight", "cell:1,0", 2)
    assert stack(state, (1, 0)) == "BRR"
    assert points(state) == {"red": 1 + 3, "blue": 0}
    state = correct(state, "red", "knight", "cell:1,0", 0)
    assert stack(state, (1, 0)) == "B"
    assert points(state) == {"red": 1, "blue": 3}


def test_correcting_a_tile_type_keeps_its_knights() -> None:
    state = correct(position("PC PV:R"), "red", "plain-village", "cell:1,0", 0)
    assert tile_at(state, (1, 0)) is None
    state = correct(state, "red", "plain-town", "cell:1,0", 1)
    assert tile_at(state, (1, 0)) == "plain-town"
    assert points(state) == {"red": 3, "blue": 0}  # the knights stay on the cell
    assert RAUBRITTER.invariants(state) == []


def test_correcting_a_tile_to_another_cell() -> None:
    state = correct(position("PC P"), "red", "plain", "cell:0,1", 1, against="cell:1,0")
    assert set(land_of(state)) == {(0, 0), (0, 1)}
    assert state.ledger.count("red", "tile", "supply") == 22
    assert RAUBRITTER.invariants(state) == []


def test_supply_is_corrected_by_back_and_table_by_face() -> None:
    for piece, place, text in (
        ("plain", "supply", "Pieces at supply lie unseen; correct them by their back."),
        ("tile", "cell:1,0", "Pieces at cell:1,0 lie face up; say what they show."),
    ):
        action = Correct(
            faction="red", owner="red", piece=piece, place=place, count=1, reason="x", against="cell:0,1"
        )
        refusal = RAUBRITTER.why_not(position("PC P"), action)
        assert isinstance(refusal, BadInput)
        assert sentence(RAUBRITTER, refusal.message) == text


@pytest.mark.parametrize(
    "place", ["cell:11,0", "cell:0", "cell:a,b", "cell:01,0", "cell:-0,0", "tower", "cell:1,0 "]
)
def test_unknown_place_is_bad_input(place: str) -> None:
    action = Correct(faction="red", owner="red", piece="knight", place=place, count=1, reason="x")
    assert isinstance(RAUBRITTER.why_not(position("PC P"), action), BadInput)


def test_step_describes_the_correction() -> None:
    action = Correct(
        faction="blue", owner="red", piece="knight", place="cell:0,0", count=2, reason="We counted again."
    )
    outcome = RAUBRITTER.apply(position("PC:R P"), action)
    assert texts(outcome) == ["Red: knights at cell:0,0 corrected from 1 to 2. We counted again."]
    assert outcome.steps[0].rule == "correction"


# Disruptive corrections


def test_castle_removed_before_its_march() -> None:
    state = correct(position("PC P", castle=(0, 0)), "red", "plain-castle", "cell:0,0", 0)
    assert options_of(state) == [(0, None, (0,))]
    text = "There is no tile here; knights cannot jump."
    refusal = RAUBRITTER.why_not(
        state, RAUBRITTER.read_action({"type": "march", "knights": 1, "left": [1]}, "red")
    )
    assert refusal is not None
    assert sentence(RAUBRITTER, refusal.message) == text
    assert_game_can_finish(state)


def test_castle_corrected_to_a_lake_before_its_march() -> None:
    state = correct(position("PC P", castle=(0, 0)), "red", "plain-castle", "cell:0,0", 0)
    state = correct(state, "red", "lake", "cell:0,0", 1)
    assert options_of(state) == [(0, None, (0,))]
    assert_game_can_finish(state)


def test_knight_supply_emptied_before_a_march() -> None:
    state = correct(position("PC P", castle=(0, 0)), "red", "knight", "supply", 0, against="cell:1,0")
    assert options_of(state) == [(0, None, (0,))]
    assert len(stack(state, (1, 0))) == 30
    assert RAUBRITTER.invariants(state)
    assert_game_can_finish(state)


def test_oversized_stack_blocks_a_march() -> None:
    state = correct(position("PC P P", castle=(0, 0)), "blue", "knight", "cell:1,0", 9)
    assert not [option for option in options_of(state) if option[1]]
    assert_game_can_finish(send(state, None, [4]).state)


def test_tile_removed_under_knights() -> None:
    state = correct(position("PC:R PT:R P"), "red", "plain-town", "cell:1,0", 0)
    assert points(state) == {"red": 1, "blue": 0}
    assert RAUBRITTER.invariants(state)
    assert_game_can_finish(state)


def test_whole_land_removed() -> None:
    state = correct(position("P"), "red", "plain", "cell:0,0", 0)
    assert not land_of(state)
    assert RAUBRITTER.why_not(state, Place(faction="red", tile="lake", at=(3, -4))) is None
    assert_game_can_finish(state)


def test_too_wide_land_may_be_filled_but_not_extended() -> None:
    state = correct(position("P P P P P P P"), "red", "lake", "cell:9,0", 1)
    text = "With 2 players the land may be at most 7 tiles wide and high."
    assert refused(state, Place(faction="red", tile="plain-town", at=(10, 0))) == ("5.1", text)
    assert RAUBRITTER.why_not(state, Place(faction="red", tile="plain-town", at=(8, 0))) is None
    assert RAUBRITTER.why_not(state, Place(faction="red", tile="plain-town", at=(7, 0))) is None
    assert RAUBRITTER.invariants(state)
    assert_game_can_finish(state)


def test_land_moved_to_the_edge_of_the_map() -> None:
    state = correct(position("P"), "red", "plain", "cell:10,10", 1, against="cell:0,0")
    text = "The map of the table ends here; the land must grow the other way."
    assert refused(state, Place(faction="red", tile="lake", at=(11, 10))) == ("5.1", text)
    assert RAUBRITTER.why_not(state, Place(faction="red", tile="lake", at=(9, 10))) is None
    (prompt,) = RAUBRITTER.prompts(state)
    assert {tuple(element["at"]) for element in prompt.elements()} == {(9, 10), (10, 9)}
    assert_game_can_finish(state)


def test_turn_passes_if_a_correction_uses_up_the_players_tiles() -> None:
    state = correct(position("P P", tiles={"red": 1, "blue": 3}), "red", "lake", "cell:2,0", 1)
    assert RAUBRITTER.waiting_for(state) == ("blue",)
    assert_game_can_finish(state)


def test_game_ends_if_a_correction_places_the_last_tile() -> None:
    state = correct(position("P P", tiles={"red": 1, "blue": 0}), "red", "lake", "cell:2,0", 1)
    assert RAUBRITTER.result(state)


def test_game_stays_finished_if_a_tile_is_taken_back() -> None:
    state = position("PT:R P", tiles={"red": 1, "blue": 0})
    state = RAUBRITTER.apply(state, Place(faction="red", tile="lake", at=(2, 0))).state
    state = correct(state, "red", "lake", "cell:2,0", 0)
    assert RAUBRITTER.result(state)
    assert RAUBRITTER.provisional(state) is None


# At set-up


def test_setup_ends_when_fewer_than_two_cells_are_free() -> None:
    """Three cells are left for four tiles, so only the first player to act lays two."""
    state = correct(start(), "red", "plain", "cell:0,0", 1)
    assert RAUBRITTER.waiting_for(state) == ("red", "blue")
    lay = Lay(faction="blue", tiles=("plain", "mountain"), at=((1, 0), (0, 1)))
    state = RAUBRITTER.apply(state, lay).state
    assert RAUBRITTER.phase(state) == "turn"
    assert RAUBRITTER.waiting_for(state) == ("red",)
    assert_game_can_finish(state)


def test_full_starting_rectangle_ends_setup() -> None:
    state = start()
    for cell, owner in (("0,0", "red"), ("1,0", "red"), ("0,1", "blue"), ("1,1", "blue")):
        state = correct(state, owner, "plain", f"cell:{cell}", 1)
    assert RAUBRITTER.phase(state) == "turn"
    assert_game_can_finish(state)


def test_setup_skips_a_player_with_fewer_than_two_tiles() -> None:
    state = start()
    for i in range(23):
        state = correct(state, "red", "plain", f"cell:{i % 10},{5 + i // 10}", 1)
    assert RAUBRITTER.waiting_for(state) == ("blue",)
    assert refused(state, Lay(faction="red", tiles=("plain", "mountain"), at=((0, 0), (1, 0))))[0] == "3"
    state = RAUBRITTER.apply(state, RAUBRITTER.prompts(state)[0].example).state
    assert RAUBRITTER.phase(state) == "turn"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_setup_ignores_tiles_far_from_the_rectangle(players: int) -> None:
    state = correct(start(players), "red", "plain", "cell:-9,-9", 1)
    assert_game_can_finish(state)

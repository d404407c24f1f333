"""Set-up, turns and the end: instructions to players and fixed rulings (digest parts 3 to 6)."""

from __future__ import annotations

from games.core.ledger import Move
from games.core.steps import Act
from games.raubritter import RAUBRITTER
from games.raubritter.actions import End, Lay, Place
from games.raubritter.state import State
from tests.core.rendering import sentence
from tests.raubritter.positions import options_of, points, position, send, stack, supply, texts


def place(state: State, tile: str, at: tuple[int, int], faction: str = "red") -> State:
    return RAUBRITTER.apply(state, Place(faction=faction, tile=tile, at=at)).state


# Set-up (3)


def test_setup_instructions_for_each_player() -> None:
    outcome = RAUBRITTER.start(RAUBRITTER.prepare(["blue", "red"]))
    assert [step.rule for step in outcome.steps] == ["3"] * 4
    assert [act.hand for act in outcome.steps[0].acts] == ["blue", "red"]
    instructions = [sentence(RAUBRITTER, step.acts[0].message) for step in outcome.steps]
    assert instructions == [
        "Take your 24 landscape tiles and 30 knights.",
        "Sort your tiles by the letter on the back and shuffle each letter.",
        "Build your stack face down: E at the bottom, then D, C, and B on top.",
        "Of your four A tiles take one castle and one other tile into your hand.",
    ]
    for faction in ("blue", "red"):
        assert outcome.state.ledger.count(faction, "tile", "supply") == 24
        assert supply(outcome.state, faction) == 30


def test_starting_tiles_are_entered_in_any_order() -> None:
    state = RAUBRITTER.start(RAUBRITTER.prepare(["blue", "red"])).state
    assert RAUBRITTER.waiting_for(state) == ("blue", "red")
    lay = Lay(faction="red", tiles=("lake", "plain"), at=((1, 1), (0, 0)))
    outcome = RAUBRITTER.apply(state, lay)
    assert texts(outcome) == ["Red lays a lake at L12.", "Red lays a plain at K11."]
    assert outcome.steps[0].moves == (Move("red", "tile", "supply", "cell:1,1", becomes="lake"),)
    assert RAUBRITTER.waiting_for(outcome.state) == ("blue",)
    assert outcome.state.round == 0


def test_a_05_castle_in_the_starting_layout_sends_no_knights() -> None:
    state = RAUBRITTER.start(RAUBRITTER.prepare(["blue", "red"])).state
    for faction, y in (("blue", 0), ("red", 1)):
        lay = Lay(faction=faction, tiles=("plain-castle", "plain"), at=((0, y), (1, y)))
        state = RAUBRITTER.apply(state, lay).state
    assert RAUBRITTER.phase(state) == "turn"
    assert supply(state, "blue") == supply(state, "red") == 30
    assert points(state) == {"blue": 0, "red": 0}


# A turn (4, 5.2)


def test_placing_a_tile_draws_the_next() -> None:
    outcome = RAUBRITTER.apply(position("P P"), Place(faction="red", tile="lake", at=(2, 0)))
    assert texts(outcome) == ["Red places a lake at M11.", "Red draws a tile; 19 are left in the stack."]
    assert [step.rule for step in outcome.steps] == ["5.1", "5.2"]
    assert outcome.steps[0].moves == (Move("red", "tile", "supply", "cell:2,0", becomes="lake"),)
    (act,) = outcome.steps[1].acts
    assert isinstance(act, Act)
    assert act.hand == "red"
    assert sentence(RAUBRITTER, act.message) == "Draw the top tile of your stack."


def test_a_09_knights_march_before_the_next_tile_is_drawn() -> None:
    outcome = RAUBRITTER.apply(position("P P"), Place(faction="red", tile="plain-castle", at=(2, 0)))
    assert texts(outcome) == ["Red places a plain castle at M11."]
    assert RAUBRITTER.phase(outcome.state) == "knights"
    outcome = send(outcome.state, "west", [1, 1])
    assert [step.rule for step in outcome.steps] == ["5.3", "5.2"]
    assert texts(outcome)[-1] == "Red draws a tile; 19 are left in the stack."


def test_draw_message_as_the_stack_runs_out() -> None:
    def draw_message(left: int) -> str:
        state = position("P P", tiles={"red": left, "blue": 1})
        return texts(RAUBRITTER.apply(state, Place(faction="red", tile="lake", at=(2, 0))))[1]

    assert draw_message(4) == "Red draws a tile; 1 is left in the stack."
    assert draw_message(3) == "Red draws a tile; 0 are left in the stack."
    assert draw_message(2) == "Red’s stack is empty; there is nothing to draw."
    assert draw_message(1) == "Red’s stack is empty; there is nothing to draw."


def test_turn_ends_after_three_tiles_or_on_request() -> None:
    state = position("P P")
    assert [prompt.action for prompt in RAUBRITTER.prompts(state)] == ["place"]
    for x, tile in enumerate(("lake", "mountain"), 2):
        state = place(state, tile, (x, 0))
        assert [prompt.action for prompt in RAUBRITTER.prompts(state)] == ["place", "end"]
    third = RAUBRITTER.apply(state, Place(faction="red", tile="mountain", at=(4, 0)))
    assert texts(third)[-1] == "It is Blue’s turn."
    ended = RAUBRITTER.apply(state, End(faction="red"))
    assert texts(ended) == ["Red ends the turn after 2 tiles.", "It is Blue’s turn."]


def test_third_tile_that_is_a_castle_still_sends_knights() -> None:
    state = position("P P", placed=2)
    state = place(state, "plain-castle", (2, 0))
    assert RAUBRITTER.waiting_for(state) == ("red",)
    assert RAUBRITTER.waiting_for(send(state, None, [0]).state) == ("blue",)


def test_prompt_shows_placements_left() -> None:
    def title(placed: int) -> str:
        return sentence(RAUBRITTER, RAUBRITTER.prompts(position("P P", placed=placed))[0].title)

    assert [title(0), title(1)] == ["Place a tile (up to 3 this turn)", "Place a tile (up to 2 this turn)"]
    assert title(2) == "Place a tile (1 more this turn)"


def test_turns_go_clockwise_and_rounds_start_at_first_player() -> None:
    state = position("P P", factions=("red", "blue", "green"))
    seen = []
    for x, faction in enumerate(("red", "blue", "green", "red"), 2):
        seen.append((RAUBRITTER.waiting_for(state), state.round))
        state = RAUBRITTER.apply(
            place(state, "lake" if x < 5 else "mountain", (x, 0), faction), End(faction=faction)
        ).state
    assert seen == [(("red",), 1), (("blue",), 1), (("green",), 1), (("red",), 2)]


def test_new_round_begins_if_first_player_has_no_tiles() -> None:
    state = position("P P", turn="blue", tiles={"red": 0, "blue": 5})
    state = RAUBRITTER.apply(place(state, "lake", (2, 0), "blue"), End(faction="blue")).state
    assert RAUBRITTER.waiting_for(state) == ("blue",)
    assert state.round == 2


# Knights (5.3, 5.4)


def test_a_15_zero_to_five_knights_may_be_sent() -> None:
    numbers = {knights for knights, _, _ in options_of(position("PC P", castle=(0, 0)))}
    assert numbers == {0, 1, 2, 3, 4, 5}


def test_a_16_knights_march_in_one_direction() -> None:
    """Each offered march has one direction or none."""
    assert {direction for _, direction, _ in options_of(position("P PC P", castle=(1, 0)))} == {
        None,
        "east",
        "west",
    }


def test_march_passes_own_and_foreign_knights_alike() -> None:
    outcome = send(position("PC P:R P:B P", castle=(0, 0)), "east", [1, 1, 1, 1])
    assert [stack(outcome.state, (x, 0)) for x in range(4)] == ["R", "RR", "BR", "R"]
    assert texts(outcome)[1:5] == [
        "1 knight stays on the plain castle at K11; Red controls it.",
        "1 knight stays on the plain at L11; Red controls it.",
        "1 knight stays on the plain at M11; Red takes it from Blue.",
        "1 knight stays on the plain at N11; Red controls it.",
    ]
    assert [step.rule for step in outcome.steps[0].steps] == ["5.4"] * 4


def test_knights_may_stay_on_their_castle() -> None:
    outcome = send(position("PC P", castle=(0, 0)), None, [3])
    assert texts(outcome)[0] == "Red puts 3 knights on the castle at K11."
    assert stack(outcome.state, (0, 0)) == "RRR"


def test_march_in_all_four_directions() -> None:
    cross = ". P .\nP PC P\n. P ."
    ends = {"north": (1, 0), "east": (2, 1), "south": (1, 2), "west": (0, 1)}
    for direction, cell in ends.items():
        outcome = send(position(cross, castle=(1, 1)), direction, [1, 2])
        assert stack(outcome.state, cell) == "RR"


# The end (5.5, 6)


def test_last_tile_ends_the_game_with_scores_explained() -> None:
    state = position("PC:B FV:RR PT:R P:B", tiles={"red": 1, "blue": 0})
    outcome = RAUBRITTER.apply(state, Place(faction="red", tile="lake", at=(0, 1)))
    assert texts(outcome)[2:] == [
        "Red has 5 points: 0 from castles, 2 from villages, 3 from towns.",
        "Blue has 1 point: 1 from castles, 0 from villages, 0 from towns.",
        "Red wins with 5 points.",
    ]
    result = RAUBRITTER.result(outcome.state)
    assert result is not None
    assert result.ranking == (("red",), ("blue",))
    assert result.reason is None
    assert RAUBRITTER.prompts(outcome.state) == []


def test_knights_of_the_last_castle_still_march() -> None:
    state = position("PT P", tiles={"red": 1, "blue": 0})
    state = place(state, "plain-castle", (0, 1))
    assert RAUBRITTER.result(state) is None
    outcome = send(state, "north", [1, 1])
    assert RAUBRITTER.result(outcome.state)
    assert "Red wins with 4 points." in texts(outcome)


def test_a_14_knights_left_break_a_tie_of_three() -> None:
    """All three have 3 points; Blue and Yellow share first place, Red has fewer knights left."""
    three = ("red", "blue", "yellow")
    state = position(
        "PT:R PT:B PT:Y P",
        factions=three,
        tiles={"red": 1, "blue": 0, "yellow": 0},
        supply={"red": 4, "blue": 9, "yellow": 9},
    )
    after = place(state, "lake", (0, 1))
    assert points(after) == dict.fromkeys(three, 3)
    result = RAUBRITTER.result(after)
    assert result is not None
    assert result.ranking == (("blue", "yellow"), ("red",))

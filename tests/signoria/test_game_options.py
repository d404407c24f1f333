"""The table options of the digest, part 8: the effect of each, and the steps that name it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from games.core.actions import SetOption
from games.core.flow import Frame
from games.core.ledger import Move
from games.core.steps import Outcome
from games.signoria.actions import (
    Buy,
    Deal,
    Descendants,
    Errand,
    Helper,
    Hire,
    Marriage,
    Mission,
    Progress,
    Reward,
    Take,
)
from games.signoria.game import SIGNORIA
from games.signoria.state import State
from tests.signoria.scenes import (
    COLOURS,
    LAYOUT,
    R,
    act,
    actions_with,
    count,
    enter,
    florins_of,
    offered,
    points_by_source,
    refused,
    reward_phase,
    scene,
    settle,
    texts,
)


def take(colour: str, die: int, action: str = "signoria", **more: Any) -> Take:
    return Take(faction=R, colour=colour, die=die, action=action, **more)  # type: ignore[arg-type]


def options_named(outcome: Outcome[State]) -> set[str]:
    """Return the options that the steps name."""
    return {name for step in outcome.steps for substep in step.all_steps() for name in substep.options}


def test_options_match_the_questions_of_the_digest() -> None:
    assert {option.name: option.question for option in SIGNORIA.options} == {
        "light_entry": "R-00",
        "threshold_above_22": "R-03",
        "new_helper_at_once": "R-04",
        "blind_tile_bound": "R-05",
        "tile_optional": "R-07",
        "bonus_dice_return": "R-13",
        "helpers_unlimited": "R-21",
        "buy_once_a_game": "R-27",
    }
    assert all(option.default is False for option in SIGNORIA.options)  # type: ignore[union-attr]


#


def test_light_entry_accepts_any_die_and_task() -> None:
    state = scene(options={"light_entry": True}, dice={}, florins={R: 10})
    assert {e["die"] for e in offered(state, "take")} == {1, 2, 3, 4, 5, 6}
    outcome = act(state, take("red", 2, "task", task="florins", women=2))
    assert "light_entry" in options_named(outcome)
    assert florins_of(outcome.state, R) == 10 - 2 + 4
    assert count(outcome.state, "neutral", "red-2", "action:red:red") == 1
    assert count(outcome.state, "neutral", "red-die", "supply") == 3
    assert SIGNORIA.invariants(outcome.state) == []


def test_light_entry_limits_the_number_of_dice() -> None:
    state = scene(
        players=(R, "blue"), options={"light_entry": True}, dice={}, cities=("milan", "rome", "naples")
    )
    gone = Move("neutral", "red-die", "supply", "aside", 2, becomes="red-1")
    state = replace(state, ledger=state.ledger.move(gone))
    assert refused(state, take("red", 2)) == ("5.1", "There is no red die left.")


def test_light_entry_preparation_needs_only_tiles() -> None:
    frame = Frame("preparation", {"collected": False, "entered": []})
    state = settle(scene(frames=[frame], dice={}, options={"light_entry": True})).state
    assert {prompt.action for prompt in SIGNORIA.prompts(state)} == {"refill"}
    assert refused(state, Deal(faction=R, tasks=LAYOUT)) == ("4", "This was entered already.")
    (prompt, *_) = SIGNORIA.prompts(state)
    assert SIGNORIA.phase(enter(state, prompt.example)) == "turn"


def test_light_entry_cannot_change_during_the_game() -> None:
    assert refused(scene(), SetOption(faction=R, name="light_entry", value=True))[0] == "option"


#


def test_threshold_above_22_allows_more_members() -> None:
    placed = [(R, "woman", "threshold")] * 3
    default = scene(placed=placed)
    assert ("task", "threshold") not in actions_with(default, "turquoise", 4)
    state = scene(placed=placed, options={"threshold_above_22": True})
    outcome = act(state, take("turquoise", 4, "task", task="threshold", men=2))
    assert "Red’s limit is now 28." in texts(outcome)
    assert "threshold_above_22" in options_named(outcome)


#


def hire_in_own_column(**options: bool) -> Outcome[State]:
    """Hire with red's turquoise die, whose ring here is that of its own column."""
    state = scene(options=options, florins={R: 20})
    figures = {**state.setup.figures}
    column = figures["helpers"]["turquoise"]
    column = {row: {**space, "ring": "orange"} for row, space in column.items()}
    figures = {**figures, "helpers": {**figures["helpers"], "turquoise": column}}
    state = scene(options=options, florins={R: 20}, figures=figures)
    return act(enter(state, take("turquoise", 4, "hire")), Hire(faction=R, column="turquoise", row=3))


def test_new_helper_at_once_activates_a_hired_helper() -> None:
    default = hire_in_own_column()
    assert SIGNORIA.waiting_for(default.state) == ("blue",)
    assert "new_helper_at_once" in options_named(default)
    at_once = hire_in_own_column(new_helper_at_once=True).state
    assert SIGNORIA.waiting_for(at_once) == (R,)
    outcome = act(at_once, Helper(faction=R, use=True))
    assert points_by_source(outcome.state, R) == {"helper": 3}
    assert "new_helper_at_once" in options_named(outcome)


#


def blind_mission(**options: bool) -> State:
    state = scene(
        options=options,
        helpers={R: [("purple", 1)]},
        tracks={R: [("military", 8), ("church", 3)]},
    )
    state = enter(state, take("purple", 3), Mission(faction=R, career="church", at=3, city="milan"))
    return enter(state, Helper(faction=R, use=True))


def test_blind_tile_bound_restricts_the_field() -> None:
    assert {e["field"] for e in offered(blind_mission(), "mission")} == {"political", "church", "military"}
    bound = blind_mission(blind_tile_bound=True)
    assert {e["field"] for e in offered(bound, "mission")} == {"military"}
    wrong = Mission(faction=R, career="military", at=8, city="rome", field="church")
    text = "He came from the military track: the tile goes to your military field."
    assert refused(bound, wrong) == ("5.10", text)
    outcome = act(bound, Mission(faction=R, career="military", at=8, city="rome", field="military"))
    assert count(outcome.state, "neutral", "tile", "unseen:red:military") == 1
    assert "blind_tile_bound" in options_named(outcome)


#


def test_tile_optional_allows_leaving_a_fitting_tile() -> None:
    placed = [("neutral", "a-5", "mission:rome"), ("neutral", "b-4", "marriage:rome")]
    state = scene(placed=placed, tracks={R: [("military", 8)]}, options={"tile_optional": True})
    sending = enter(state, take("purple", 3))
    choices = {(e["city"], e["tile"]) for e in offered(sending, "mission")}
    assert {("rome", True), ("rome", False), ("milan", None)} <= choices
    outcome = act(sending, Mission(faction=R, career="military", at=8, city="rome", tile=False))
    assert count(outcome.state, "neutral", "a-5", "mission:rome") == 1
    assert "tile_optional" in options_named(outcome)
    marrying = enter(state, take("red", 4))
    left = enter(marrying, Marriage(faction=R, city="rome", dowry=1, tile=False))
    assert count(left, "neutral", "b-4", "marriage:rome") == 1


#


def test_bonus_dice_return_puts_dice_back() -> None:
    tiles = ("die", "marriage", "men-2", "mission", "helper", "helpers", "city-men")
    for back in (False, True):
        state = reward_phase(
            [R],
            taken={R: [("turquoise", 6), ("grey", 4)]},
            dice={"red": [1]},
            reward_tiles=tiles,
            options={"bonus_dice_return": back},
        )
        outcome = act(state, Reward(faction=R, take="tile"))
        colours = {e["colour"] for e in offered(outcome.state, "take")}
        assert colours == ({"red", "turquoise", "grey"} if back else {"red"})
        assert "bonus_dice_return" in options_named(outcome)


#

# The other three players have helpers on all of their 45 spaces.
OTHERS = [
    ("neutral", "helper", f"helper:{who}:{column}:{row}")
    for who in ("blue", "yellow", "purple")
    for column in COLOURS
    for row in (1, 2, 3)
]


def test_helpers_run_out_unless_unlimited() -> None:
    stock = OTHERS
    three = {R: [("grey", 1), ("grey", 2), ("grey", 3)]}
    empty = scene(placed=stock, helpers=three)
    assert refused(empty, take("red", 4, "hire")) == ("5.1", "There is no helper left.")
    state = scene(placed=stock, helpers=three, options={"helpers_unlimited": True})
    outcome = act(enter(state, take("red", 4, "hire")), Hire(faction=R, column="purple", row=1))
    assert count(outcome.state, "neutral", "helper", "helper:red:purple:1") == 1
    assert "helpers_unlimited" in options_named(outcome)
    assert SIGNORIA.invariants(outcome.state) == []


def test_few_helpers_left_are_announced() -> None:
    stock = OTHERS[:43]
    outcome = act(enter(scene(placed=stock), take("red", 4, "hire")), Hire(faction=R, column="purple", row=1))
    assert "Only 4 helpers are left." in texts(outcome)


#


def test_buy_once_a_game_remembers_the_buyer() -> None:
    for once in (False, True):
        options = {"buy_once_a_game": once}
        state = enter(reward_phase([R], round=6, options=options), Buy(faction=R, buy=True))
        assert state.bought == ((R,) if once else ())


def test_sixth_space_is_optional_descendants_are_not() -> None:
    """R-19 and R-24, which have no option."""
    state = enter(scene(tracks={R: [("church", 5)]}), take("turquoise", 4))
    sixth = SIGNORIA.read_action(
        {"type": "progress", "climbs": [{"career": "church", "at": 5, "to": 6}], "stay": True}, R
    )
    assert isinstance(sixth, Progress)
    assert count(enter(state, sixth), R, "disc", "initiative:0") == 1
    rolled = enter(scene(), take("grey", 4), Descendants(faction=R, dice=(6,)))
    assert count(rolled, R, "man", "reserve") == 5


def test_light_entry_errand_accepts_any_task() -> None:
    state = scene(options={"light_entry": True}, dice={}, helpers={R: [("red", 3)]})
    state = enter(
        state, take("red", 4), Marriage(faction=R, city="rome", dowry=1), Helper(faction=R, use=True)
    )
    state = enter(state, Errand(faction=R, task="florins", women=1))
    assert florins_of(state, R) == 10 - 1 + 2

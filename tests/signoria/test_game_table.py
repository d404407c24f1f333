"""Operations of every table: rulings, positions, corrections, changed figures, forecasts."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.actions import Correct, Lying, Position, Ruling, SetFigure, SetOption
from games.core.errors import Refused
from games.core.flow import Frame
from games.core.steps import Outcome
from games.signoria.actions import Climb, Descendants, Hire, Marriage, Mission, Pass, Progress, Reward, Take
from games.signoria.ending import end_points, if_it_ended_now
from games.signoria.game import SIGNORIA
from games.signoria.state import State
from tests.core.rendering import faults
from tests.signoria.scenes import (
    LAYOUT,
    REWARDS,
    B,
    R,
    act,
    before_rewards,
    count,
    enter,
    florins_of,
    points_by_source,
    profile,
    refused,
    reward_phase,
    scene,
    settle,
    stack,
)
from tests.signoria.walking import walk

# Rulings


def ruled(key: str, result: Any) -> dict[str, Ruling]:
    return {key: Ruling(result=result, reason="house-rule")}


def ruled_results(outcome: Outcome[State]) -> dict[str, Any]:
    """Return the results set by rulings, by key."""
    steps = [substep for step in outcome.steps for substep in step.all_steps()]
    return {step.key: step.result for step in steps if step.ruling and step.key}


def take(colour: str, die: int, action: str = "signoria", faction: str = R, **more: Any) -> Take:
    return Take(faction=faction, colour=colour, die=die, action=action, **more)  # type: ignore[arg-type]


def test_ruling_changes_the_price_of_a_die() -> None:
    outcome = act(scene(), take("turquoise", 1, rulings=ruled("price:red", 0)))
    assert florins_of(outcome.state, R) == 10
    assert ruled_results(outcome) == {"price:red": 0}
    with pytest.raises(Refused):
        act(scene(), take("turquoise", 1, rulings=ruled("price:red", 11)))


def test_rulings_change_points_and_tile_of_a_mission() -> None:
    state = scene(tracks={R: [("military", 8)]}, placed=[("neutral", "d-5", "mission:rome")])
    state = enter(state, take("purple", 3))
    rulings = {**ruled("mission:rome", 10), **ruled("tile:rome", result=True)}
    outcome = act(state, Mission(faction=R, career="military", at=8, city="rome", rulings=rulings))
    assert points_by_source(outcome.state, R) == {"mission": 10}
    assert count(outcome.state, "neutral", "d-5", "plan:red:military") == 1
    assert ruled_results(outcome) == {"mission:rome": 10, "tile:rome": True}


@pytest.mark.parametrize(
    ("result", "men", "women"), [({"men": 1, "women": 1}, 5, 4), ({}, 4, 3), ({"men": 2}, 6, 3)]
)
def test_ruling_changes_the_members_gained(result: dict[str, int], men: int, women: int) -> None:
    state = enter(scene(), take("grey", 4))
    outcome = act(state, Descendants(faction=R, dice=(1,), rulings=ruled("members:red", result)))
    assert (count(outcome.state, R, "man", "reserve"), count(outcome.state, R, "woman", "reserve")) == (
        men,
        women,
    )


@pytest.mark.parametrize("result", [{"men": 9}, {"dogs": 1}, {"men": -1}, 3])
def test_ruling_on_unavailable_members_is_rejected(result: Any) -> None:
    state = enter(scene(), take("grey", 4))
    with pytest.raises(Refused) as caught:
        act(state, Descendants(faction=R, dice=(1,), rulings=ruled("members:red", result)))
    assert not list(faults(SIGNORIA, caught.value.message))


def test_ruling_changes_the_track_bonuses() -> None:
    state = enter(scene(tracks={R: [("church", 5)]}), take("turquoise", 4))
    rulings = ruled("bonus:red", {"florins": 2, "initiative": 0})
    climb = Climb(career="church", at=5, to=6)
    state = enter(state, Progress(faction=R, climbs=(climb,), rulings=rulings))
    assert florins_of(state, R) == 10 - 1 + 2
    assert stack(state, 0).endswith("R")


def test_rulings_change_initiative_order_and_reward() -> None:
    """The last pass settles initiative points, play order and eligibility."""
    passed = ("blue", "yellow", "purple")
    state = scene(passed=passed, initiative={0: ["purple", "yellow", R], 5: [B]})
    rulings = {
        **ruled("initiative:blue", 8),
        **ruled("order", [R, B, "yellow", "purple"]),
        **ruled("reward:red", result=False),
    }
    outcome = act(state, Pass(faction=R, rulings=rulings))
    assert points_by_source(outcome.state, B) == {"initiative": 8}
    assert outcome.state.order == (R, B, "yellow", "purple")
    assert stack(outcome.state, 0) == "PYBR"
    assert SIGNORIA.waiting_for(outcome.state) == (B,)
    assert set(ruled_results(outcome)) == set(rulings)
    with pytest.raises(Refused):
        act(state, Pass(faction=R, rulings=ruled("order", [R, R, B, "yellow"])))


def test_rulings_change_wedding_florins_and_hiring() -> None:
    state = reward_phase([R], brides={R: 2}, round=2)
    rulings = {**ruled("wedding:red", 3), **ruled("florins:red", 4), **ruled("bonuses:red", 0)}
    outcome = act(state, Reward(faction=R, take="florins", rulings=rulings))
    assert points_by_source(outcome.state, R) == {"wedding": 3}
    assert florins_of(outcome.state, R) == 14
    hiring = enter(scene(), take("red", 4, "hire"))
    free = act(hiring, Hire(faction=R, column="purple", row=1, rulings=ruled("hire:red", 0)))
    assert florins_of(free.state, R) == 10


def test_rulings_change_end_score_and_ranking() -> None:
    frame = Frame("rewards", {"stage": "giving", "queue": [R], "eligible": [R], "scored": True})
    state = scene(round=7, frames=[frame], passed=(R, B, "yellow", "purple"))
    ranking = [B, R, "yellow", "purple"]
    rulings = {**ruled("score:red", {"end-men": 4}), **ruled("ranking", ranking)}
    action = SIGNORIA.read_action({"type": "buy", "buy": False}, R)
    outcome = act(state, type(action)(faction=R, buy=False, rulings=rulings))  # type: ignore[call-arg]
    assert points_by_source(outcome.state, R) == {"end-men": 4}
    result = SIGNORIA.result(outcome.state)
    assert result is not None
    assert [list(place) for place in result.ranking] == [[faction] for faction in ranking]


def test_ruling_keys_of_an_entry_are_unique() -> None:
    for players, seed in ((2, 0), (3, 1)):
        for entry in walk(players, seed).entries:
            keys = [s.key for step in entry.outcome.steps for s in step.all_steps() if s.key]
            assert len(set(keys)) == len(keys), keys


# Positions


def position(**changes: Any) -> Position:
    """Return a position in round 3 with red and blue; red has taken a die and it is blue's turn."""
    placed = [
        ("red", "disc", "initiative:0", 1),
        ("blue", "disc", "initiative:2", 1),
        ("red", "florin", "reserve", 4),
        ("blue", "florin", "reserve", 9),
        ("red", "man", "reserve", 2),
        ("red", "man", "track:church:3", 2),
        ("blue", "woman", "city:milan:1", 1),
        ("blue", "woman", "reserve", 2),
        ("red", "point", "score:mission", 11),
        ("neutral", "a-3", "mission:milan", 1),
        ("neutral", "tile", "unseen:red:church", 2),
        ("neutral", "helper", "helper:red:grey:1", 1),
        ("neutral", "bride", "portraits:red", 1),
        ("neutral", "grey-4", "action:red:grey", 1),
        ("neutral", "red-2", "dice:red", 1),
    ]
    fields: dict[str, Any] = {
        "faction": R,
        "round": 3,
        "phase": "turn",
        "order": (R, B),
        "turn": B,
        "holdings": tuple(Lying(owner=o, piece=p, place=at, count=n) for o, p, at, n in placed),
        "facts": {"rewards": list(REWARDS), "cities": ["milan", "rome", "naples"], "tasks": LAYOUT},
    }
    return Position(**{**fields, **changes})


def new_game() -> State:
    return SIGNORIA.start(SIGNORIA.prepare([R, B], figures=profile())).state


def test_resume_in_a_turn() -> None:
    state = enter(new_game(), position())
    assert (state.round, SIGNORIA.phase(state), SIGNORIA.waiting_for(state)) == (3, "turn", (B,))
    assert points_by_source(state, R) == {"mission": 11}
    assert count(state, R, "man", "supply") == 12 - 4
    assert count(state, "neutral", "tile", "supply") == 42 - 3
    assert count(state, "neutral", "grey-die", "supply") == 1
    assert state.boards == {R: "1", B: "2"}
    assert enter(state, take("red", 2, faction=B), Marriage(faction=B, city="milan", dowry=2))


def test_resume_at_the_start_of_a_round() -> None:
    facts = {"rewards": list(REWARDS), "cities": ["milan", "rome", "naples"], "boards": {R: "4", B: "2"}}
    state = enter(new_game(), position(phase="preparation", facts=facts))
    assert {prompt.action for prompt in SIGNORIA.prompts(state)} == {"refill", "roll", "deal"}
    assert count(state, "neutral", "grey-die", "supply") == 2
    assert state.boards == {R: "4", B: "2"}


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"phase": "rewards"}, "A game cannot be taken up in phase “rewards”; it can in preparation, turn."),
        ({"round": 8}, "A game has rounds 1 to 7."),
        ({"facts": {}}, "The field “rewards” is missing."),
        (
            {"facts": {"rewards": ["mission"], "tasks": LAYOUT}},
            "Name 5 different bonus tiles and then 2 different tiles with points.",
        ),
        (
            {"facts": {"rewards": list(REWARDS), "tasks": LAYOUT}},
            "With 2 players 2 of the five cities are not used.",
        ),
        (
            {"facts": {"rewards": list(REWARDS), "cities": ["milan", "rome", "naples"]}},
            "“political career” is missing.",
        ),
        (
            {
                "facts": {
                    "rewards": list(REWARDS),
                    "cities": ["milan", "rome", "naples"],
                    "tasks": LAYOUT,
                    "passed": [B],
                }
            },
            "Blue has passed; it is somebody else’s turn.",
        ),
        (
            {"holdings": (Lying(owner="blue", piece="disc", place="initiative:0", count=1),)},
            "Red’s disc is not on the initiative track.",
        ),
        (
            {"holdings": (Lying(owner=R, piece="man", place="reserve", count=13),)},
            "Red: there are only 12 men in the box, but 13 are named. Please recount.",
        ),
    ],
)
def test_impossible_position_is_rejected(changes: dict[str, Any], text: str) -> None:
    assert refused(new_game(), position(**changes))[1] == text


def test_position_of_any_turn_restores_the_state() -> None:
    """The table at the start of a turn, entered as a position, gives an equal state."""
    for state in walk(3, 1).states[::9]:
        if state.frames[-1].phase != "turn":
            continue
        data = state.ledger.to_json()
        lines = [Lying(owner=o, piece=p, place=at, count=n) for at, rows in data.items() for o, p, n in rows]
        action = Position(
            faction=state.order[0],
            round=state.round,
            phase="turn",
            order=state.order,
            turn=state.frames[-1].data["faction"],
            holdings=tuple(line for line in lines if line.place != "supply"),
            facts={
                "rewards": list(state.rewards),
                "cities": list(state.cities),
                "boards": dict(state.boards),
                "tasks": dict(state.tasks),
                "passed": list(state.passed),
                "bought": list(state.bought),
            },
        )
        assert SIGNORIA.apply(SIGNORIA.start(state.setup).state, action).state == state


# Corrections, figures, options


def test_florins_and_points_are_corrected_against_the_bank() -> None:
    def correct(**fields: Any) -> Correct:
        return Correct(faction=B, owner=R, reason="miscounted", **fields)

    state = enter(scene(), correct(piece="florin", place="reserve", count=12, against="bank"))
    assert florins_of(state, R) == 12
    state = enter(state, correct(piece="point", place="score:mission", count=7, against="bank"))
    assert points_by_source(state, R) == {"mission": 7}
    state = enter(state, correct(piece="man", place="track:church:2", count=1))
    assert count(state, R, "man", "supply") == 7


def test_changed_figure_is_stored_and_validated() -> None:
    figure = SetFigure(faction=R, path=("actions", "turquoise", "number"), value=4, reason="Ours shows 4.")
    start = SIGNORIA.start(SIGNORIA.prepare([R, B])).state
    state = enter(start, figure)
    assert state.setup.figures["actions"]["turquoise"]["number"] == 4
    wrong = SetFigure(faction=R, path=("tracks", "church", "ranks", "5"), value=1)
    assert refused(start, wrong)[1].startswith("Numbers and ranks never fall along the church track.")


def test_figure_that_removes_an_occupied_space_is_rejected() -> None:
    shorter = SetFigure(faction=R, path=("tracks", "church", "spaces"), value=8, reason="Ours has 8.")
    start = SIGNORIA.start(SIGNORIA.prepare([R, B])).state
    assert enter(start, shorter).setup.figures["tracks"]["church"]["spaces"] == 8
    man = Correct(faction=R, owner=R, piece="man", place="track:church:9", count=1, reason="miscounted")
    text = "Pieces lie on a place that would be gone: track:church:9. Correct that first."
    assert refused(enter(start, man), shorter) == ("figure", text)


def test_option_can_change_during_the_game() -> None:
    state = enter(scene(), SetOption(faction=R, name="tile_optional", value=True))
    assert state.setup.options["tile_optional"] is True


# Standings


def test_standings_if_the_game_ended_now() -> None:
    state = scene(tracks={R: [("church", 7)]}, placed=[("neutral", "tile", "unseen:red:church")] * 3)
    now = {s.faction: s for s in if_it_ended_now(state)}
    assert {k: int(v) for k, v in now[R].parts.items() if v} == {"end-men": 4, "end-alliance": 3}
    assert end_points(state, R) == {"end-men": 4, "end-alliance": 3}
    assert points_by_source(state, R) == {}
    over = walk(2, 0).last
    assert if_it_ended_now(over) == SIGNORIA.standings(over)


def test_final_points_reach_the_forecast() -> None:
    game = walk(4, 0)
    before = next(s for s in reversed(game.states) if s.frames[-1].phase != "finished")
    forecast = {s.faction: s.points for s in if_it_ended_now(before)}
    final = {s.faction: s.points for s in SIGNORIA.standings(game.last)}
    assert all(final[faction] >= forecast[faction] for faction in final)


def test_round_without_rewards_continues() -> None:
    high = [("grey", 6), ("red", 6), ("purple", 2)]
    state = settle(before_rewards(taken=dict.fromkeys((R, B, "yellow", "purple"), high), dice={})).state
    assert (state.round, SIGNORIA.phase(state)) == (2, "preparation")
    assert not any(count(state, "neutral", "bride", f"portraits:{f}") for f in state.order)

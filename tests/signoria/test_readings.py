"""The app's readings of open questions (digest, part 8) that no case of part 7 decides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.core.flow import Frame
from games.signoria.actions import (
    CityAction,
    Draw,
    Helper,
    Hire,
    Marriage,
    Mission,
    Pass,
    Progress,
    Refill,
    Reward,
    Take,
)
from games.signoria.game import SIGNORIA
from tests.signoria.scenes import (
    CITIES,
    B,
    P,
    R,
    Y,
    act,
    actions_with,
    before_rewards,
    count,
    enter,
    florins_of,
    offered,
    points,
    points_by_source,
    profile,
    refused,
    reward_phase,
    scene,
    settle,
    stack,
    texts,
)


def take(colour: str, die: int, action: str = "signoria", **more: Any) -> Take:
    return Take(faction=R, colour=colour, die=die, action=action, **more)  # type: ignore[arg-type]


def rewards_starting_with(tile: str) -> tuple[str, ...]:
    """Return the reward tiles of a game that begins with this tile."""
    others = [t for t in ("mission", "men-2", "women-2", "career-5", "helper") if t != tile]
    return (tile, *others[:4], "helpers", "city-men")


# Points


@pytest.mark.parametrize(
    ("before", "text"),
    [(25, "Red’s point disc goes to 34."), (95, "Red’s point disc goes to 4, on lap 2.")],
)
def test_point_disc_step_names_space_and_lap(before: int, text: str) -> None:
    """P13: the VP track has 100 spaces, counted from 0."""
    placed = [(R, "point", "score:mission")] * before
    outcome = settle(before_rewards(placed=placed, initiative={0: [P, Y, B], 5: [R]}))
    assert points(outcome.state, R) == before + 9
    assert text in texts(outcome)


def test_figures_without_a_point_track_use_the_default() -> None:
    figures = {part: inner for part, inner in profile().items() if part != "point_track"}
    outcome = settle(before_rewards(figures=figures, initiative={0: [P, Y, B], 5: [R]}))
    assert "Red’s point disc goes to 9." in texts(outcome)


# Set-up


def test_players_start_with_four_men_and_three_women() -> None:
    """R-37."""
    state = SIGNORIA.start(SIGNORIA.prepare([R, B])).state
    for faction in (R, B):
        figures = [count(state, faction, member, "reserve") for member in ("man", "woman")]
        assert figures == [4, 3]
        assert [count(state, faction, member, "supply") for member in ("man", "woman")] == [8, 8]


# Turns


def test_fourth_die_counts_as_a_pass() -> None:
    """R-29: immediately, not at the next turn."""
    three = {R: [("grey", 1), ("red", 1), ("purple", 1)]}
    outcome = act(scene(taken=three), take("yellow", 4))
    assert outcome.state.passed == (R,)
    assert SIGNORIA.waiting_for(outcome.state) == (B,)
    all_passed = enter(outcome.state, *(Pass(faction=f) for f in outcome.state.order if f != R))
    assert SIGNORIA.phase(all_passed) == "rewards"


def test_price_at_the_helper_space_takes_precedence() -> None:
    """R-22: over the price at the hire icon, on copies that print it at the space."""
    figures = profile()
    figures["helpers"]["purple"]["2"]["price"] = 1
    for row, price in ((1, 3), (2, 1)):
        state = enter(scene(figures=figures, florins={R: 9}), take("red", 4, "hire"))
        assert florins_of(enter(state, Hire(faction=R, column="purple", row=row)), R) == 9 - price


# Tracks


def test_reward_points_may_be_used_in_part() -> None:
    """R-18: at least one point is used, the others are lost."""
    state = reward_phase([R], reward_tiles=rewards_starting_with("initiative-3"))
    state = enter(state, Reward(faction=R, take="tile"))
    assert refused(state, Progress(faction=R)) == ("5.5", "Use at least 1 progress point.")
    assert stack(enter(state, Progress(faction=R, initiative=1)), 1) == "R"


def test_helper_points_are_for_the_tracks_of_its_space() -> None:
    """R-23: the board names the tracks."""
    figures = profile()
    figures["helpers"]["yellow"]["1"] |= {"kind": "progress-3"}
    figures["helpers"]["yellow"]["1"]["tracks"] |= {"church": True, "initiative": True}
    state = enter(scene(figures=figures, helpers={R: [("yellow", 1)]}), take("yellow", 1))
    state = enter(state, Helper(faction=R, use=True))
    (prompt,) = SIGNORIA.prompts(state)
    bounds = prompt.choices()["climbs+initiative+stay"]
    assert (bounds["points"], bounds["tracks"]) == (3, ["church", "initiative"])


# Cities


def test_men_and_women_share_city_spaces() -> None:
    """R-34: unless the figures of the board say that spaces are separate."""
    placed = [(P, "woman", f"city:{city}:{number}") for city in CITIES for number in (1, 2)]
    tracks = {R: [("church", 3), ("church", 8)]}  # ranks 2 and 4
    shared = enter(scene(placed=placed, tracks=tracks), take("purple", 3))
    assert {e["at"] for e in offered(shared, "mission")} == {8}
    figures = profile()
    figures["city_spaces"]["shared"] = False
    apart = enter(scene(placed=placed, tracks=tracks, figures=figures), take("purple", 3))
    assert {e["at"] for e in offered(apart, "mission")} == {3, 8}


def test_marriage_in_a_full_city_is_rejected() -> None:
    """R-16."""
    full = [(P, "man", f"city:milan:{number}") for number in (1, 2, 3, 4, 4)]
    state = enter(scene(placed=full), take("red", 4))
    assert refused(state, Marriage(faction=R, city="milan", dowry=4)) == ("5.7", "Milan has no free space.")


def test_bonus_marriage_costs_its_dowry_and_uses_no_helper() -> None:
    """R-12: as in a turn, but without a die and its helpers."""
    helpers = {R: [("red", 2), ("red", 3)]}
    state = reward_phase([R], reward_tiles=rewards_starting_with("marriage"), helpers=helpers, florins={R: 2})
    state = enter(state, Reward(faction=R, take="tile"))
    assert {e["dowry"] for e in offered(state, "marriage")} == {1, 2}
    state = enter(state, Marriage(faction=R, city="rome", dowry=2))
    assert (florins_of(state, R), points_by_source(state, R)) == (0, {"marriage": 4})
    assert (state.round, SIGNORIA.phase(state)) == (2, "preparation")


# Florins, members, tiles, helpers


def test_florins_are_gained_after_paying_for_the_die() -> None:
    """5.9: the three florins cannot pay for the die that gives them."""
    figures = profile()
    figures["actions"]["yellow"]["number"] = 5
    assert florins_of(enter(scene(figures=figures, florins={R: 4}), take("yellow", 1)), R) == 3
    assert actions_with(scene(figures=figures, florins={R: 3}), "yellow", 1) == set()


def test_descendants_need_a_figure_in_the_supply() -> None:
    """R-11."""
    empty = scene(supply={(R, "man"): 0, (R, "woman"): 0})
    assert ("signoria", None) not in actions_with(empty, "grey", 4)
    assert ("signoria", None) in actions_with(scene(supply={(R, "man"): 0, (R, "woman"): 1}), "grey", 4)


def test_alliance_tiles_can_run_out() -> None:
    """R-15: players choose the spaces for the last tiles; effects that draw a tile then bring none."""
    frame = Frame("preparation", {"collected": False, "entered": []})
    state = settle(scene(frames=[frame], dice={}, tiles_left=1)).state
    for space in ("mission:milan", "marriage:rome"):
        assert SIGNORIA.why_not(state, Refill(faction=R, tiles={space: "a-2"})) is None
    assert ("task", "blind") in actions_with(scene(), "yellow", 4)
    assert ("task", "blind") not in actions_with(scene(tiles_left=0), "yellow", 4)
    blind = reward_phase([R], reward_tiles=rewards_starting_with("blind"), tiles_left=0)
    assert {e["take"] for e in offered(blind, "reward")} == {"florins"}
    sent = scene(tiles_left=0, helpers={R: [("purple", 1)]}, tracks={R: [("military", 8), ("church", 3)]})
    sent = enter(sent, take("purple", 3), Mission(faction=R, career="church", at=3, city="milan"))
    sent = enter(sent, Helper(faction=R, use=True))
    outcome = act(sent, Mission(faction=R, career="military", at=8, city="rome"))
    assert points_by_source(outcome.state, R)["mission"] == 3 + 13


def test_either_blind_helper_offers_mission_or_marriage() -> None:
    """R-39: a third kind of blind helper, for copies whose space offers both actions."""
    figures = profile()
    figures["helpers"]["purple"]["1"]["kind"] = "either-blind"
    state = scene(figures=figures, helpers={R: [("purple", 1)]}, tracks={R: [("military", 8), ("church", 3)]})
    state = enter(state, take("purple", 3), Mission(faction=R, career="church", at=3, city="milan"))
    state = enter(state, Helper(faction=R, use=True))
    assert {e["action"] for e in offered(state, "city-action")} == {"mission", "marriage"}
    state = enter(state, CityAction(faction=R, action="marriage"), Marriage(faction=R, city="rome", dowry=1))
    assert count(state, "neutral", "tile", "unseen:red:marriage") == 1


def test_face_down_tile_goes_to_any_field() -> None:
    """5.11: it uses no shield."""
    state = enter(scene(), take("yellow", 4, "task", task="blind", women=1))
    assert {e["field"] for e in offered(state, "draw")} == {"political", "church", "military", "marriage"}
    assert count(enter(state, Draw(faction=R, field="church")), "neutral", "tile", "unseen:red:church") == 1


# Rewards


def test_round_florins_may_come_before_the_tile() -> None:
    """R-06: without florins, only the two above the tile can pay the dowry."""
    tiles = ("mission", "marriage", "men-2", "women-2", "helper", "helpers", "city-men")
    state = reward_phase([R], round=2, reward_tiles=tiles, florins={R: 0})
    taken = {(e["take"], e["bonuses"]) for e in offered(state, "reward")}
    assert taken == {("tile", "before"), ("florins", "after")}
    state = enter(state, Reward(faction=R, take="tile", bonuses="before"))
    assert points_by_source(enter(state, Marriage(faction=R, city="rome", dowry=2)), R) == {"marriage": 4}


def test_wedding_points_come_from_the_board() -> None:
    """R-36: from the top portrait down, as printed."""
    figures = profile()
    figures["portraits"] |= {"1": 5, "2": 0, "3": 0, "4": 2}
    scored = []
    for married in range(4):
        state = reward_phase([R], brides={R: married}, figures=figures)
        scored.append(points_by_source(enter(state, Reward(faction=R, take="florins")), R).get("wedding", 0))
    assert scored == [5, 0, 0, 2]


def test_bonus_die_threshold_members_have_no_effect() -> None:
    """R-32: eligibility is already decided; the members return to the supply at clean-up."""
    state = reward_phase([R], reward_tiles=rewards_starting_with("die"), dice={"turquoise": [4]})
    state = enter(state, Reward(faction=R, take="tile"))
    outcome = act(state, take("turquoise", 4, "task", task="threshold", men=2))
    assert "Red’s limit is now 19." in texts(outcome)
    assert outcome.state.round == 2
    assert count(outcome.state, R, "man", "threshold") == 0
    assert count(outcome.state, R, "man", "supply") == 8 + 2


def test_buy_once_a_game_prompts_a_buyer_only_once() -> None:
    """R-27: with the option, round 7 prompts only players who have not bought."""
    for bought, waiting in (((), (R,)), ((R,), ())):
        state = scene(
            round=7,
            options={"buy_once_a_game": True},
            frames=[Frame("rewards", {"stage": "giving", "queue": [R], "eligible": [R], "scored": False})],
        )
        state = settle(replace(state, bought=bought)).state
        assert SIGNORIA.waiting_for(state) == waiting

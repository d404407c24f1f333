"""Open questions of the digest, part 8, that no case of part 7 decides: how they are played here."""

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
    count,
    enter,
    florins_of,
    judging,
    offered,
    parts,
    points,
    profile,
    refused,
    rewarding,
    scene,
    settled,
    stack,
    texts,
    ways,
)


def take(colour: str, die: int, action: str = "signoria", **more: Any) -> Take:
    return Take(faction=R, colour=colour, die=die, action=action, **more)  # type: ignore[arg-type]


def first_tile(tile: str) -> tuple[str, ...]:
    """The reward tiles of a game whose first round has this one."""
    others = [t for t in ("mission", "men-2", "women-2", "career-5", "helper") if t != tile]
    return (tile, *others[:4], "helpers", "city-men")


# Points


@pytest.mark.parametrize(
    ("before", "text"),
    [(25, "Red’s point disc goes to 34."), (95, "Red’s point disc goes to 4, on lap 2.")],
)
def test_where_the_disc_of_points_goes(before: int, text: str) -> None:
    """P13: the track has 100 spaces, from 0."""
    lying = [(R, "point", "score:mission")] * before
    outcome = settled(judging(lying=lying, initiative={0: [P, Y, B], 5: [R]}))
    assert points(outcome.state, R) == before + 9
    assert text in texts(outcome)


def test_a_game_whose_figures_lack_the_track_of_points_goes_on() -> None:
    figures = {part: inner for part, inner in profile().items() if part != "point_track"}
    outcome = settled(judging(figures=figures, initiative={0: [P, Y, B], 5: [R]}))
    assert "Red’s point disc goes to 9." in texts(outcome)


# Set-up


def test_everybody_starts_with_four_men_and_three_women() -> None:
    """R-37."""
    state = SIGNORIA.start(SIGNORIA.prepare([R, B])).state
    for faction in (R, B):
        figures = [count(state, faction, member, "reserve") for member in ("man", "woman")]
        assert figures == [4, 3]
        assert [count(state, faction, member, "supply") for member in ("man", "woman")] == [8, 8]


# Turns


def test_the_fourth_die_is_a_pass() -> None:
    """R-29: at once, not at the next turn."""
    three = {R: [("grey", 1), ("red", 1), ("purple", 1)]}
    outcome = act(scene(taken=three), take("yellow", 4))
    assert outcome.state.passed == (R,)
    assert SIGNORIA.waiting_for(outcome.state) == (B,)
    rest = enter(outcome.state, *(Pass(faction=f) for f in outcome.state.order if f != R))
    assert SIGNORIA.phase(rest) == "rewards"


def test_a_price_at_the_helper_space_counts() -> None:
    """R-22: it is printed at the space on some copies; else at the hire icon."""
    figures = profile()
    figures["helpers"]["purple"]["2"]["price"] = 1
    for row, price in ((1, 3), (2, 1)):
        state = enter(scene(figures=figures, florins={R: 9}), take("red", 4, "hire"))
        assert florins_of(enter(state, Hire(faction=R, column="purple", row=row)), R) == 9 - price


# Tracks


def test_points_of_a_reward_need_not_all_be_used() -> None:
    """R-18: at least one, the rest is lost."""
    state = rewarding([R], reward_tiles=first_tile("initiative-3"))
    state = enter(state, Reward(faction=R, take="tile"))
    assert refused(state, Progress(faction=R)) == ("5.5", "Use at least 1 progress point.")
    assert stack(enter(state, Progress(faction=R, initiative=1)), 1) == "R"


def test_a_helper_moves_on_the_tracks_of_its_space() -> None:
    """R-23: the board says which."""
    figures = profile()
    figures["helpers"]["yellow"]["1"] |= {"kind": "progress-3"}
    figures["helpers"]["yellow"]["1"]["tracks"] |= {"church": True, "initiative": True}
    state = enter(scene(figures=figures, helpers={R: [("yellow", 1)]}), take("yellow", 1))
    state = enter(state, Helper(faction=R, use=True))
    (prompt,) = SIGNORIA.prompts(state)
    bounds = prompt.choices()["climbs+initiative+stay"]
    assert (bounds["points"], bounds["tracks"]) == (3, ["church", "initiative"])


# Cities


def test_men_and_women_share_the_spaces_of_a_city() -> None:
    """R-34: unless the board says otherwise."""
    lying = [(P, "woman", f"city:{city}:{number}") for city in CITIES for number in (1, 2)]
    tracks = {R: [("church", 3), ("church", 8)]}  # ranks 2 and 4
    shared = enter(scene(lying=lying, tracks=tracks), take("purple", 3))
    assert {e["at"] for e in offered(shared, "mission")} == {8}
    figures = profile()
    figures["city_spaces"]["shared"] = False
    apart = enter(scene(lying=lying, tracks=tracks, figures=figures), take("purple", 3))
    assert {e["at"] for e in offered(apart, "mission")} == {3, 8}


def test_a_full_city_is_closed_to_women_too() -> None:
    """R-16."""
    full = [(P, "man", f"city:milan:{number}") for number in (1, 2, 3, 4, 4)]
    state = enter(scene(lying=full), take("red", 4))
    assert refused(state, Marriage(faction=R, city="milan", dowry=4)) == ("5.7", "Milan has no free space.")


def test_a_bonus_marriage_costs_its_dowry_and_wakes_no_helper() -> None:
    """R-12: everything but the price of a die."""
    helpers = {R: [("red", 2), ("red", 3)]}
    state = rewarding([R], reward_tiles=first_tile("marriage"), helpers=helpers, florins={R: 2})
    state = enter(state, Reward(faction=R, take="tile"))
    assert {e["dowry"] for e in offered(state, "marriage")} == {1, 2}
    state = enter(state, Marriage(faction=R, city="rome", dowry=2))
    assert (florins_of(state, R), parts(state, R)) == (0, {"marriage": 4})
    assert (state.round, SIGNORIA.phase(state)) == (2, "preparation")


# Florins, members, tiles, helpers


def test_florins_come_after_the_die_is_paid() -> None:
    """5.9: three of them, which cannot pay for the die that brings them."""
    figures = profile()
    figures["actions"]["yellow"]["number"] = 5
    assert florins_of(enter(scene(figures=figures, florins={R: 4}), take("yellow", 1)), R) == 3
    assert ways(scene(figures=figures, florins={R: 3}), "yellow", 1) == set()


def test_descendants_need_somebody_in_the_supply() -> None:
    """R-11."""
    empty = scene(supply={(R, "man"): 0, (R, "woman"): 0})
    assert ("signoria", None) not in ways(empty, "grey", 4)
    assert ("signoria", None) in ways(scene(supply={(R, "man"): 0, (R, "woman"): 1}), "grey", 4)


def test_when_the_alliance_tiles_run_out() -> None:
    """R-15: what is left goes where the table likes; without a tile nobody draws one."""
    frame = Frame("preparation", {"collected": False, "entered": []})
    state = settled(scene(frames=[frame], dice={}, tiles_left=1)).state
    for space in ("mission:milan", "marriage:rome"):
        assert SIGNORIA.why_not(state, Refill(faction=R, tiles={space: "a-2"})) is None
    assert ("task", "blind") in ways(scene(), "yellow", 4)
    assert ("task", "blind") not in ways(scene(tiles_left=0), "yellow", 4)
    blind = rewarding([R], reward_tiles=first_tile("blind"), tiles_left=0)
    assert {e["take"] for e in offered(blind, "reward")} == {"florins"}
    sent = scene(tiles_left=0, helpers={R: [("purple", 1)]}, tracks={R: [("military", 8), ("church", 3)]})
    sent = enter(sent, take("purple", 3), Mission(faction=R, career="church", at=3, city="milan"))
    sent = enter(sent, Helper(faction=R, use=True))
    outcome = act(sent, Mission(faction=R, career="military", at=8, city="rome"))
    assert parts(outcome.state, R)["mission"] == 3 + 13


def test_a_helper_for_either_action_of_a_city() -> None:
    """R-39: two kinds here, and a third for copies whose space lets people choose."""
    figures = profile()
    figures["helpers"]["purple"]["1"]["kind"] = "either-blind"
    state = scene(figures=figures, helpers={R: [("purple", 1)]}, tracks={R: [("military", 8), ("church", 3)]})
    state = enter(state, take("purple", 3), Mission(faction=R, career="church", at=3, city="milan"))
    state = enter(state, Helper(faction=R, use=True))
    assert {e["action"] for e in offered(state, "city-action")} == {"mission", "marriage"}
    state = enter(state, CityAction(faction=R, action="marriage"), Marriage(faction=R, city="rome", dowry=1))
    assert count(state, "neutral", "tile", "unseen:red:marriage") == 1


def test_a_tile_drawn_unseen_goes_to_any_field() -> None:
    """5.11: it uses up no shield."""
    state = enter(scene(), take("yellow", 4, "task", task="blind", women=1))
    assert {e["field"] for e in offered(state, "draw")} == {"political", "church", "military", "marriage"}
    assert count(enter(state, Draw(faction=R, field="church")), "neutral", "tile", "unseen:red:church") == 1


# Rewards


def test_florins_of_the_round_may_come_before_the_tile() -> None:
    """R-06: without a florin, a dowry can be paid only from the two above the tile."""
    tiles = ("mission", "marriage", "men-2", "women-2", "helper", "helpers", "city-men")
    state = rewarding([R], round=2, reward_tiles=tiles, florins={R: 0})
    taken = {(e["take"], e["bonuses"]) for e in offered(state, "reward")}
    assert taken == {("tile", "before"), ("florins", "after")}
    state = enter(state, Reward(faction=R, take="tile", bonuses="before"))
    assert parts(enter(state, Marriage(faction=R, city="rome", dowry=2)), R) == {"marriage": 4}


def test_the_portraits_of_the_board_say_what_a_wedding_scores() -> None:
    """R-36: from the top down, whatever is printed."""
    figures = profile()
    figures["portraits"] |= {"1": 5, "2": 0, "3": 0, "4": 2}
    scored = []
    for married in range(4):
        state = rewarding([R], brides={R: married}, figures=figures)
        scored.append(parts(enter(state, Reward(faction=R, take="florins")), R).get("wedding", 0))
    assert scored == [5, 0, 0, 2]


def test_members_put_on_the_threshold_by_the_bonus_die_change_nothing() -> None:
    """R-32: who is rewarded is settled; they go home with the others."""
    state = rewarding([R], reward_tiles=first_tile("die"), dice={"turquoise": [4]})
    state = enter(state, Reward(faction=R, take="tile"))
    outcome = act(state, take("turquoise", 4, "task", task="threshold", men=2))
    assert "Red’s limit is now 19." in texts(outcome)
    assert outcome.state.round == 2
    assert count(outcome.state, R, "man", "threshold") == 0
    assert count(outcome.state, R, "man", "supply") == 8 + 2


def test_points_bought_once_are_not_offered_again() -> None:
    """R-27: where the table buys once a game, the seventh round asks only who has not bought."""
    for bought, asked in (((), (R,)), ((R,), ())):
        state = scene(
            round=7,
            options={"buy_once_a_game": True},
            frames=[Frame("rewards", {"stage": "giving", "queue": [R], "eligible": [R], "scored": False})],
        )
        state = settled(replace(state, bought=bought)).state
        assert SIGNORIA.waiting_for(state) == asked

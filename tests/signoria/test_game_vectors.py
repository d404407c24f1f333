"""The cases of the digest, part 7, by number, in whole games on its test profile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pytest

from games.core.flow import Frame
from games.signoria.actions import (
    Buy,
    Climb,
    Descendants,
    Draw,
    Errand,
    Gain,
    Helper,
    Hire,
    Marriage,
    Mission,
    Order,
    Pass,
    Progress,
    Reward,
    Take,
)
from games.signoria.ending import end_points
from games.signoria.game import SIGNORIA
from games.signoria.state import fits
from tests.signoria.scenes import (
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

F = TypeVar("F", bound=Callable[..., None])
COVERED: set[str] = set()


def vector(number: str) -> Callable[[F], F]:
    """Mark a test with the digest case it covers."""
    COVERED.add(number)
    return pytest.mark.parametrize((), [pytest.param(id=number)])


def take(colour: str, die: int, action: str = "signoria", faction: str = R, **more: object) -> Take:
    return Take(faction=faction, colour=colour, die=die, action=action, **more)  # type: ignore[arg-type]


def climb(career: str, at: int, to: int) -> Climb:
    return Climb(career=career, at=at, to=to)


def purple_figures(city: str, *numbers: int, member: str = "man") -> list[tuple[str, str, str]]:
    """Return purple's figures on these numbers below a city."""
    return [(P, member, f"city:{city}:{number}") for number in numbers]


ONE_AND_TWO_TAKEN = [
    line for c in ("milan", "venice", "florence", "rome", "naples") for line in purple_figures(c, 1, 2)
]


# 7.1: worked examples of the rulebook


@vector("EX-1")
def test_drawn_order_sets_stack_and_florins() -> None:
    state = SIGNORIA.start(SIGNORIA.prepare([R, Y, B, P], figures=profile())).state
    state = enter(state, Order(faction=P, order=(Y, B, R, P)))
    assert state.order == (Y, B, R, P)
    assert stack(state, 0) == "PRBY"
    assert [florins_of(state, faction) for faction in (Y, B, R, P)] == [6, 7, 7, 8]


@vector("EX-2")
def test_turquoise_one_costs_four_florins() -> None:
    outcome = act(scene(florins={R: 5}), take("turquoise", 1))
    assert florins_of(outcome.state, R) == 1
    assert texts(outcome)[0] == "Red takes the turquoise 1 and pays 4 florins."
    assert count(outcome.state, "neutral", "turquoise-1", "action:red:turquoise") == 1
    (prompt,) = SIGNORIA.prompts(outcome.state)
    assert prompt.action == "progress"


@vector("EX-3")
def test_pass_is_final_for_the_round() -> None:
    outcome = act(scene(turn=B), Pass(faction=B))
    assert texts(outcome)[0] == "Blue passes: the disc is slid aside on the player-order track."
    state = outcome.state
    turns = []
    for die in (4, 3, 2):
        (faction,) = SIGNORIA.waiting_for(state)
        turns.append(faction)
        state = enter(state, take("yellow", die, faction=faction))
    assert turns == [Y, P, R]
    assert SIGNORIA.waiting_for(state) == (Y,)
    assert refused(state, Pass(faction=B))[1] == "You passed this round. You act again next round."


@vector("EX-4")
def test_red_die_hires_for_yellow_rings() -> None:
    state = enter(scene(florins={R: 4}), take("red", 4, "hire"))
    assert [(e["column"], e["row"]) for e in offered(state, "hire")] == [
        ("purple", 1),
        ("purple", 2),
        ("purple", 3),
    ]
    state = enter(state, Hire(faction=R, column="purple", row=2))
    assert count(state, "neutral", "helper", "helper:red:purple:2") == 1
    assert florins_of(state, R) == 1
    dearer = enter(scene(florins={R: 4}), take("red", 3, "hire"), Hire(faction=R, column="purple", row=2))
    assert florins_of(dearer, R) == 0


@vector("EX-5")
def test_three_men_give_six_initiative_points() -> None:
    state = enter(scene(), take("purple", 3, "task", task="initiative", men=3))
    assert count(state, R, "man", "supply") == 8 + 3
    (prompt,) = SIGNORIA.prompts(state)
    assert prompt.choices()["climbs+initiative+stay"]["points"] == 6
    state = enter(state, Progress(faction=R, initiative=6))
    assert stack(state, 6) == "R"


@vector("EX-6")
def test_four_points_are_split_among_tracks() -> None:
    state = enter(scene(tracks={R: [("political", 2)]}), take("turquoise", 4))
    used = Progress(faction=R, climbs=(climb("political", 2, 4), climb("military", 0, 1)), initiative=1)
    state = enter(state, used)
    assert stack(state, 1) == "R"
    assert count(state, R, "man", "track:political:4") == 1
    assert count(state, R, "man", "track:military:1") == 1
    assert count(state, R, "man", "reserve") == 3


@vector("EX-7")
def test_face_down_tiles_use_no_shield() -> None:
    beside = [("neutral", "a-2", "plan:red:military"), ("neutral", "a-3", "plan:red:military")]
    state = scene(placed=[*beside, ("neutral", "tile", "unseen:red:military")])
    fitting = [house for house in "abcdef" if fits(state, R, "military", f"{house}-5")]
    assert fitting == ["b", "c"]
    for _ in range(3):
        drawing = Frame("draw", {"faction": R, "fields": ["military"]})
        state = replace(state, frames=(*state.frames, drawing))
        state = enter(state, Draw(faction=R, field="military"))
    assert count(state, "neutral", "tile", "unseen:red:military") == 4


MILAN = {
    "tracks": {R: [("military", 8)], B: [("political", 7), ("political", 6)]},
    "placed": [*purple_figures("milan", 1, 2), ("neutral", "a-3", "mission:milan")],
}


@vector("EX-8")
def test_mission_scores_and_takes_the_tile() -> None:
    state = enter(scene(**MILAN), take("purple", 3))  # type: ignore[arg-type]
    outcome = act(state, Mission(faction=R, career="military", at=8, city="milan"))
    assert count(outcome.state, R, "man", "city:milan:3") == 1
    assert points_by_source(outcome.state, R) == {"mission": 13}
    assert count(outcome.state, "neutral", "a-3", "plan:red:military") == 1
    assert texts(outcome)[:3] == [
        "Red sends the man on military space 8 to the 3 below Milan: 13 points.",
        "Red’s point disc goes to 13.",
        "The House A 3 tile goes to the military field, face up.",
    ]


@vector("EX-9")
def test_mission_scores_without_a_tile() -> None:
    state = enter(
        scene(**MILAN), take("purple", 3), Mission(faction=R, career="military", at=8, city="milan")
    )  # type: ignore[arg-type]
    state = enter(state, take("purple", 4, faction=B))
    low = Mission(faction=B, career="political", at=6, city="milan")
    assert refused(state, low) == ("5.6", "Milan’s lowest free space needs rank 4; this man has rank 3.")
    outcome = act(state, Mission(faction=B, career="political", at=7, city="milan"))
    assert count(outcome.state, B, "man", "city:milan:4") == 1
    assert points_by_source(outcome.state, B) == {"mission": 9}
    assert not [text for text in texts(outcome) if "tile" in text]


@vector("EX-10")
def test_marriage_scores_two_points_per_florin() -> None:
    state = enter(scene(turn=B, placed=[("neutral", "c-2", "marriage:florence")]), take("red", 4, faction=B))
    state = enter(state, Marriage(faction=B, city="florence", dowry=4))
    assert florins_of(state, B) == 6
    assert points_by_source(state, B) == {"marriage": 8}
    assert count(state, B, "woman", "city:florence:1") == 1
    assert count(state, "neutral", "c-2", "plan:blue:marriage") == 1


@vector("EX-11")
def test_initiative_points_are_scored_by_space() -> None:
    outcome = settle(before_rewards(initiative={0: [Y], 3: [B, P], 5: [R]}))
    assert {f: points_by_source(outcome.state, f).get("initiative", 0) for f in (R, B, P, Y)} == {
        R: 9,
        B: 4,
        P: 4,
        Y: 0,
    }


@vector("EX-12")
def test_rewards_of_round_one() -> None:
    high, low = [("grey", 6), ("red", 6), ("purple", 2)], [("grey", 6), ("red", 6)]
    state = before_rewards(
        taken={R: high, P: high, B: low, Y: low},
        tracks={B: [("church", 1)]},
        dice={},
    )
    state = settle(state).state
    assert SIGNORIA.waiting_for(state) == (B,)
    state = enter(state, Reward(faction=B, take="tile"))
    state = enter(state, Mission(faction=B, career="church", at=1, city="rome"))
    assert points_by_source(state, B) == {"mission": 1}
    state = enter(state, Reward(faction=Y, take="florins"))
    assert florins_of(state, Y) == 13
    assert florins_of(state, B) == 10
    brides = {f: count(state, "neutral", "bride", f"portraits:{f}") for f in (R, B, Y, P)}
    assert brides == {R: 0, B: 1, Y: 1, P: 0}
    assert (state.round, SIGNORIA.phase(state)) == (2, "preparation")


@vector("EX-13")
def test_end_points_of_the_rulebook_example() -> None:
    beside = {
        "political": (("d", 4), ("d", 3), ("a", 2)),
        "church": (("e", 5), ("e", 3)),
        "military": (("f", 5), ("f", 5)),
        "marriage": (("a", 4),),
    }
    placed = [
        ("neutral", f"{h}-{v}", f"plan:yellow:{field}") for field, tiles in beside.items() for h, v in tiles
    ]
    placed += [("neutral", "tile", "unseen:yellow:church"), ("neutral", "tile", "unseen:yellow:marriage")]
    tracks = {Y: [("political", 7), ("church", 6), ("church", 3), ("military", 8)]}
    state = scene(tracks=tracks, placed=placed)
    assert end_points(state, Y) == {"end-men": 14, "end-alliance": 18}


@vector("EX-14")
def test_helpers_work_from_top_to_bottom() -> None:
    state = scene(helpers={R: [("turquoise", 1), ("turquoise", 2), ("turquoise", 3)]}, florins={R: 10})
    state = enter(state, take("turquoise", 3, "task", task="military", women=1))
    assert florins_of(state, R) == 8
    state = enter(state, Progress(faction=R, climbs=(climb("military", 0, 2),)))
    state = enter(state, Helper(faction=R, use=True), Progress(faction=R, climbs=(climb("church", 0, 3),)))
    state = enter(state, Helper(faction=R, use=True), Progress(faction=R, initiative=3))
    state = enter(state, Helper(faction=R, use=False))
    assert count(state, R, "man", "track:church:3") == 1
    assert stack(state, 3) == "R"
    assert points(state, R) == 0
    assert SIGNORIA.waiting_for(state) == (B,)


@vector("EX-15")
def test_helper_gives_points_equal_to_the_die() -> None:
    state = scene(helpers={R: [("grey", 1)]})
    state = enter(state, take("grey", 4), Descendants(faction=R, dice=(2,)), Helper(faction=R, use=True))
    (prompt,) = SIGNORIA.prompts(state)
    bounds = prompt.choices()["climbs+initiative+stay"]
    assert (bounds["points"], bounds["tracks"]) == (4, ["military"])


@vector("EX-16a")
def test_two_women_give_four_military_points() -> None:
    state = enter(scene(), take("turquoise", 4, "task", task="military", women=2))
    assert count(state, R, "woman", "supply") == 8 + 2
    (prompt,) = SIGNORIA.prompts(state)
    bounds = prompt.choices()["climbs+initiative+stay"]
    assert (bounds["points"], bounds["tracks"]) == (4, ["military"])


@vector("EX-16b")
def test_marriage_task_costs_two_men() -> None:
    state = scene(tasks={"turquoise:lower": "marriage"})
    spent = {e["men"] for e in offered(state, "take") if e["task"] == "marriage"}
    assert spent == {2}
    state = enter(state, take("turquoise", 4, "task", task="marriage", men=2))
    assert count(state, R, "man", "supply") == 8 + 2
    state = enter(state, Marriage(faction=R, city="rome", dowry=1))
    assert points_by_source(state, R) == {"marriage": 2}
    assert SIGNORIA.waiting_for(state) == (B,)


@vector("EX-17")
@pytest.mark.parametrize(("members", "limit"), [(1, 16), (2, 19), (3, 22)])
def test_members_raise_the_limit(members: int, limit: int) -> None:
    outcome = act(scene(), take("turquoise", 4, "task", task="threshold", men=members))
    assert count(outcome.state, R, "man", "threshold") == members
    assert count(outcome.state, R, "man", "supply") == 8
    assert f"Red’s limit is now {limit}." in texts(outcome)


# 7.2: derived cases


@vector("DX-1")
def test_die_prices_on_space_five() -> None:
    prices = []
    for die in range(1, 7):
        state = scene(dice={"turquoise": [die]}, florins={R: 10})
        prices.append(10 - florins_of(enter(state, take("turquoise", die)), R))
    assert prices == [4, 3, 2, 1, 0, 0]


def eligible(**changes: object) -> list[str]:
    """Return the players out of red and blue who get a reward."""
    state = settle(before_rewards(players=(R, B), dice={}, **changes)).state
    return list(state.frames[-1].data["eligible"]) if state.frames[-1].phase == "rewards" else []


THIRTEEN = [("grey", 6), ("red", 4), ("purple", 3)]


@vector("DX-2")
def test_total_of_thirteen_is_within_the_limit() -> None:
    assert R in eligible(taken={R: THIRTEEN})


@vector("DX-3")
def test_total_of_fourteen_needs_a_threshold_member() -> None:
    fourteen = {R: [*THIRTEEN, ("turquoise", 1)]}
    assert R not in eligible(taken=fourteen)
    assert R in eligible(taken=fourteen, placed=[(R, "woman", "threshold")])


@vector("DX-4")
def test_player_without_dice_is_rewarded() -> None:
    assert R in eligible()


def track_after_moves() -> dict[int, list[str]]:
    """Return the track of DX-5 after R +2, B +2, Y +1."""
    return {0: [P], 1: [Y], 2: [R, B]}


@vector("DX-5")
def test_initiative_sets_the_next_order() -> None:
    bottom = {0: [P, R, B, Y]}
    state = scene(initiative=bottom, players=(Y, B, R, P), turn=R)
    for faction, steps in ((R, 2), (B, 2), (Y, 1)):
        frame = Frame("progress", {"faction": faction, "points": steps, "tracks": ["initiative"]})
        state = replace(state, frames=(*state.frames, frame))
        state = enter(state, Progress(faction=faction, initiative=steps))
    assert {space: stack(state, space) for space in (0, 1, 2)} == {0: "P", 1: "Y", 2: "RB"}
    after = settle(before_rewards(initiative=track_after_moves(), players=(Y, B, R, P))).state
    assert after.order == (B, R, Y, P)
    assert stack(after, 0) == "PYRB"


@vector("DX-6")
def test_disc_moves_out_of_its_stack() -> None:
    frame = Frame("progress", {"faction": R, "points": 1, "tracks": ["initiative"]})
    state = scene(initiative={0: [P, R, B, Y]}, frames=[Frame("turn", {"faction": R, "acted": True}), frame])
    state = enter(state, Progress(faction=R, initiative=1))
    assert (stack(state, 0), stack(state, 1)) == ("PBY", "R")


@vector("DX-7")
def test_disc_at_the_top_cannot_move() -> None:
    state = scene(initiative={0: [P, Y], 6: [R, B]})
    assert not [e for e in offered(state, "take") if e["task"] == "initiative"]
    refusal = refused(state, take("purple", 3, "task", task="initiative", men=1))
    assert refusal == ("5.1", "Once these members are spent, the task brings nothing: initiative.")
    state = enter(state, take("turquoise", 4))
    assert (
        refused(state, Progress(faction=R, initiative=2))[1] == "Your initiative disc is already at the top."
    )
    assert stack(state, 6) == "RB"


@vector("DX-8")
def test_climb_collects_both_track_bonuses() -> None:
    state = enter(scene(tracks={R: [("church", 3)]}, florins={R: 10}), take("turquoise", 4))
    florins = florins_of(state, R)
    state = enter(state, Progress(faction=R, climbs=(climb("church", 3, 6),)))
    assert count(state, R, "man", "track:church:6") == 1
    assert florins_of(state, R) == florins + 2
    assert stack(state, 1) == "R"


@vector("DX-9")
def test_man_enters_and_climbs_to_the_fourth_space() -> None:
    state = enter(scene(florins={R: 10}), take("turquoise", 4))
    state = enter(state, Progress(faction=R, climbs=(climb("military", 0, 4),)))
    assert count(state, R, "man", "track:military:4") == 1
    assert florins_of(state, R) == 10 - 1 + 2


@vector("DX-10")
def test_sixth_space_does_not_move_a_disc_at_the_top() -> None:
    state = enter(scene(tracks={R: [("church", 5)]}, initiative={0: [P, Y, B], 6: [R]}), take("turquoise", 4))
    state = enter(state, Progress(faction=R, climbs=(climb("church", 5, 6),)))
    assert count(state, R, "man", "track:church:6") == 1
    assert stack(state, 6) == "R"


@vector("DX-11")
@pytest.mark.parametrize(("at", "allowed"), [(4, False), (6, True), (7, True)])
def test_mission_needs_the_rank_of_the_lowest_space(at: int, allowed: bool) -> None:  # noqa: FBT001
    placed = [line for line in ONE_AND_TWO_TAKEN if "milan" in line[2]]
    state = enter(scene(tracks={R: [("church", at), ("church", 8)]}, placed=placed), take("purple", 3))
    offer = {"type": "mission", "career": "church", "at": at, "city": "milan"}
    assert (offer in offered(state, "mission")) == allowed
    mission = Mission(faction=R, career="church", at=at, city="milan")
    if allowed:
        assert count(enter(state, mission), R, "man", "city:milan:3") == 1
    else:
        assert refused(state, mission)[1] == "Milan’s lowest free space needs rank 3; this man has rank 2."


@vector("DX-12")
def test_tile_that_does_not_fit_stays() -> None:
    state = scene(tracks={R: [("military", 8)]}, placed=[("neutral", "d-5", "mission:rome")])
    state = enter(state, take("purple", 3), Mission(faction=R, career="military", at=8, city="rome"))
    assert points_by_source(state, R) == {"mission": 13}
    assert count(state, "neutral", "d-5", "mission:rome") == 1


@vector("DX-13")
@pytest.mark.parametrize(("florins", "dowries"), [(2, []), (3, [3]), (9, [3, 4])])
def test_dowry_starts_at_the_lowest_free_number(florins: int, dowries: list[int]) -> None:
    state = scene(florins={R: florins}, placed=ONE_AND_TWO_TAKEN)
    assert (("signoria", None) in actions_with(state, "red", 4)) == bool(dowries)
    if dowries:
        state = enter(state, take("red", 4))
        assert sorted({e["dowry"] for e in offered(state, "marriage")}) == dowries
        for dowry in dowries:
            assert points(enter(state, Marriage(faction=R, city="milan", dowry=dowry)), R) == 2 * dowry


@vector("DX-14")
def test_die_that_leaves_too_few_florins_is_not_offered() -> None:
    poor = scene(florins={R: 5}, placed=ONE_AND_TWO_TAKEN, tracks={R: [("church", 1)]})
    assert actions_with(poor, "red", 1) == set()
    hire = "After paying 3 for the die you have 2 florins; hiring costs 3."
    assert refused(poor, take("red", 1, "hire")) == ("5.1", hire)
    other = scene(florins={R: 5}, placed=ONE_AND_TWO_TAKEN, tasks={"red:upper": "florins"})
    assert actions_with(other, "red", 1) == {("task", "florins")}


@vector("DX-15")
@pytest.mark.parametrize(("women", "executable"), [(2, False), (3, True)])
def test_marriage_task_needs_a_third_woman(women: int, executable: bool) -> None:  # noqa: FBT001
    state = scene(women={R: women})
    assert (("task", "marriage") in actions_with(state, "red", 4)) == executable
    if not executable:
        text = "After spending 2 women you have none left to marry."
        assert refused(state, take("red", 4, "task", task="marriage", women=2)) == ("5.1", text)


@vector("DX-16")
def test_last_man_cannot_be_spent_and_enter_a_track() -> None:
    state = scene(men={R: 1}, tasks={"turquoise:lower": "military"})
    assert ("task", "military") not in actions_with(state, "turquoise", 4)
    with_one = scene(men={R: 1}, tasks={"turquoise:lower": "military"}, tracks={R: [("military", 1)]})
    assert ("task", "military") in actions_with(with_one, "turquoise", 4)


@vector("DX-17")
def test_descendants_are_limited_by_the_supply() -> None:
    state = scene(brides={R: 2}, supply={(R, "woman"): 1, (R, "man"): 8})
    state = enter(state, take("grey", 2))
    state = enter(state, Descendants(faction=R, dice=(2, 5, 3)))
    assert count(state, R, "woman", "reserve") == 3 + 1
    assert count(state, R, "man", "reserve") == 4 + 1
    assert count(state, R, "woman", "supply") == 0


@vector("DX-18")
def test_wedding_points_by_portrait() -> None:
    scored = []
    for married in range(4):
        state = reward_phase([R], brides={R: married}, round=1)
        scored.append(points_by_source(enter(state, Reward(faction=R, take="florins")), R).get("wedding", 0))
    assert scored == [0, 0, 2, 5]


@vector("DX-19")
def test_all_married_still_gives_florins_in_round_five() -> None:
    state = reward_phase([R], brides={R: 4}, round=5, florins={R: 0})
    outcome = act(state, Reward(faction=R, take="florins"))
    assert florins_of(outcome.state, R) == 5
    assert count(outcome.state, "neutral", "bride", "portraits:red") == 4
    assert "Red: all descendants are married. The florins of the round still come." in texts(outcome)


@vector("DX-20")
def test_round_one_florin_reward_includes_a_bride() -> None:
    state = enter(reward_phase([R], florins={R: 0}), Reward(faction=R, take="florins"))
    assert florins_of(state, R) == 3
    assert count(state, "neutral", "bride", "portraits:red") == 1


@vector("DX-21")
def test_helper_tile_and_buying_in_round_six() -> None:
    slots = [("grey", 1), ("grey", 2), ("red", 1), ("red", 2), ("purple", 3), ("yellow", 1)]
    state = reward_phase([R], round=6, helpers={R: slots}, florins={R: 12})
    state = enter(state, Buy(faction=R, buy=True))
    assert points_by_source(state, R) == {"reward-tile": 12, "buy": 5}
    assert florins_of(state, R) == 7


@vector("DX-22")
@pytest.mark.parametrize(("tile", "scored"), [("city-men", 8), ("per-man", 6)])
def test_tiles_for_men_in_cities_in_round_seven(tile: str, scored: int) -> None:
    placed = [(R, "man", "city:milan:1"), (R, "man", "city:milan:2"), (R, "man", "city:florence:1")]
    tiles = ("mission", "marriage", "men-2", "initiative-3", "die", "helpers", tile)
    state = reward_phase([R], round=7, placed=placed, reward_tiles=tiles, florins={R: 0})
    assert points_by_source(state, R)["reward-tile"] == scored


@vector("DX-23")
def test_two_tiles_score_only_with_a_third() -> None:
    two = [("neutral", "a-5", "plan:red:military"), ("neutral", "b-5", "plan:red:military")]
    assert end_points(scene(placed=two), R)["end-alliance"] == 0
    three = [*two, ("neutral", "tile", "unseen:red:military")]
    assert end_points(scene(placed=three), R)["end-alliance"] == 11


@vector("DX-24")
def test_three_face_down_tiles_score_three() -> None:
    assert end_points(scene(placed=[("neutral", "tile", "unseen:red:church")] * 3), R)["end-alliance"] == 3


@vector("DX-25")
def test_men_score_half_their_number_rounded_down() -> None:
    tracks = {R: [("political", 8), ("church", 7), ("church", 6), ("military", 3), ("military", 1)]}
    assert end_points(scene(tracks=tracks), R)["end-men"] == 14


@vector("DX-26")
def test_initiative_reward_counts_for_the_next_round() -> None:
    tiles = ("initiative-3", "marriage", "men-2", "mission", "die", "helpers", "city-men")
    state = settle(
        before_rewards(initiative=track_after_moves(), players=(Y, B, R, P), reward_tiles=tiles)
    ).state
    for faction in (B, R):
        state = enter(state, Reward(faction=faction, take="florins"))
    state = enter(state, Reward(faction=Y, take="tile"), Progress(faction=Y, initiative=3))
    assert stack(state, 3) == "Y"
    assert stack(state, 0) == "PRB"
    state = enter(state, Reward(faction=P, take="florins"))
    assert state.order == (B, R, Y, P)


@vector("DX-27")
def test_higher_disc_wins_a_tie() -> None:
    scored = {R: 70, B: 70, Y: 20, P: 10}
    placed = [(f, "point", "score:mission") for f, n in scored.items() for _ in range(n)]
    state = before_rewards(
        players=(B, Y, R, P),
        round=7,
        placed=placed,
        initiative={0: [P, R, Y, B]},
        florins=dict.fromkeys(scored, 0),
    )
    state = settle(state).state
    result = SIGNORIA.result(state)
    assert result is not None
    assert result.ranking == ((B,), (R,), (Y,), (P,))
    assert result.reason is not None
    assert result.reason.code == "tie-break"


@vector("DX-28")
def test_fourth_threshold_member_is_rejected() -> None:
    placed = [(R, "man", "threshold")] * 3
    state = scene(placed=placed, helpers={R: [("red", 3)]})
    state = enter(
        state, take("red", 4), Marriage(faction=R, city="rome", dowry=1), Helper(faction=R, use=True)
    )
    assert "threshold" not in {e["task"] for e in offered(state, "errand")}
    text = "At most 3 of your members raise the threshold; the limit is never above 22."
    assert refused(state, Errand(faction=R, task="threshold", men=1)) == ("5.3", text)


@vector("DX-29")
def test_bonus_die_is_free_and_clears_the_board() -> None:
    taken = {R: [("turquoise", 6), ("grey", 4), ("red", 3)]}
    tiles = ("die", "marriage", "men-2", "mission", "helper", "helpers", "city-men")
    state = reward_phase([R], taken=taken, dice={"turquoise": [1]}, florins={R: 0}, reward_tiles=tiles)
    state = enter(state, Reward(faction=R, take="tile"))
    assert count(state, "neutral", "turquoise-6", "aside") == 1
    state = enter(state, take("turquoise", 1))
    assert florins_of(state, R) == 0
    assert count(state, "neutral", "turquoise-1", "action:red:turquoise") == 1
    state = enter(state, Progress(faction=R, initiative=1))
    assert count(state, "neutral", "bride", "portraits:red") == 1
    assert state.round == 2


@vector("DX-30")
def test_hiring_without_a_free_ring_is_rejected() -> None:
    every = [(colour, row) for colour in ("yellow", "grey", "red", "turquoise") for row in (1, 2, 3)]
    state = scene(helpers={R: every})
    assert ("hire", None) not in actions_with(state, "purple", 3)
    text = "You have no empty helper space with a blue ring."
    assert refused(state, take("purple", 3, "hire")) == ("5.1", text)


@vector("DX-31")
def test_second_tile_of_a_house_stays() -> None:
    placed = [("neutral", "a-2", "plan:red:marriage"), ("neutral", "a-5", "marriage:rome")]
    state = enter(scene(placed=placed), take("red", 4), Marriage(faction=R, city="rome", dowry=2))
    assert points_by_source(state, R) == {"marriage": 4}
    assert count(state, "neutral", "a-5", "marriage:rome") == 1
    assert count(state, "neutral", "a-2", "plan:red:marriage") == 1


@vector("DX-32")
def test_spent_members_can_be_gained_again() -> None:
    state = scene(supply={(R, "man"): 0, (R, "woman"): 1}, tasks={"purple:lower": "members"})
    state = enter(state, take("purple", 3, "task", task="members", men=3))
    assert {(e["men"], e["women"]) for e in offered(state, "gain")} == {(3, 0), (2, 1)}
    text = "Take 3 members; the supply has 3 men and 1 woman."
    assert refused(state, Gain(faction=R, men=1, women=2)) == ("5.3", text)


def test_every_digest_case_is_covered() -> None:
    numbers = {f"EX-{n}" for n in range(1, 18) if n != 16} | {"EX-16a", "EX-16b"}
    assert numbers | {f"DX-{n}" for n in range(1, 33)} == COVERED

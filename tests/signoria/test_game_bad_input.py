"""Mistaken entries and the sentence that rejects them: digest part 10, by number."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from games.core.errors import Refused
from games.core.flow import Frame
from games.signoria.actions import (
    Boards,
    Buy,
    Climb,
    Deal,
    Descendants,
    Draw,
    Errand,
    Helper,
    Hire,
    Marriage,
    Mission,
    Order,
    Pass,
    Progress,
    Refill,
    Reward,
    RewardTiles,
    Roll,
    Take,
    Unused,
)
from games.signoria.game import SIGNORIA
from games.signoria.state import State
from tests.core.rendering import sentence
from tests.signoria.scenes import (
    COLOURS,
    LAYOUT,
    B,
    P,
    R,
    Y,
    act,
    enter,
    profile,
    refused,
    reward_phase,
    scene,
    settle,
    texts,
)
from tests.signoria.walking import random_profile

F = TypeVar("F", bound=Callable[..., None])
COVERED: set[int] = {
    31,  # no action but a correction moves a placed tile
    47,  # idempotency keys, which the rules do not see
}


def row(*numbers: int) -> Callable[[F], F]:
    """Mark a test with the digest rows it covers."""
    COVERED.update(numbers)
    return pytest.mark.parametrize((), [pytest.param(id=",".join(f"B{number}" for number in numbers))])


def take(colour: str, die: int, action: str = "signoria", faction: str = R, **more: Any) -> Take:
    return Take(faction=faction, colour=colour, die=die, action=action, **more)  # type: ignore[arg-type]


# Turns


@row(1)
def test_acting_out_of_turn_is_rejected() -> None:
    state = scene(turn=B)
    assert refused(state, Pass(faction=Y)) == ("5.1", "It is Blue’s turn. You are next.")
    assert refused(state, Pass(faction=P)) == ("5.1", "It is Blue’s turn. You are next but one.")
    assert refused(state, take("red", 4)) == ("5.1", "It is Blue’s turn. You are next but two.")
    without_yellow = scene(turn=B, passed=(Y,))
    assert refused(without_yellow, Pass(faction=P)) == ("5.1", "It is Blue’s turn. You are next.")


@row(2, 3)
def test_taking_a_die_after_passing_is_rejected() -> None:
    state = scene(turn=B, passed=(R,))
    text = "You passed this round. You act again next round."
    assert refused(state, take("red", 4)) == ("5.1", text)
    four = [("grey", 1), ("yellow", 1), ("red", 1), ("purple", 1)]
    state = scene(turn=B, passed=(R,), taken={R: four}, dice={"turquoise": [4]})
    assert refused(state, take("turquoise", 4)) == ("5.1", "You have taken 4 dice. You have to pass.")
    # A resumed game or a correction can leave the turn with a player who has four dice.
    state = scene(taken={R: four}, dice={"turquoise": [4]})
    assert refused(state, take("turquoise", 4)) == ("5.1", "You have taken 4 dice. You have to pass.")
    assert [prompt.action for prompt in SIGNORIA.prompts(state)] == ["pass"]


@row(4)
def test_second_die_of_a_colour_is_rejected() -> None:
    text = "Your purple action space is already taken. Choose another colour."
    assert refused(scene(taken={R: [("purple", 5)]}), take("purple", 3)) == ("5.1", text)


@row(5)
def test_taking_a_missing_die_is_rejected() -> None:
    text = "There is no red 5 left. Red dice left: 2, 3."
    assert refused(scene(dice={"red": [3, 2]}), take("red", 5)) == ("5.1", text)
    assert refused(scene(dice={}), take("red", 5)) == ("5.1", "There is no red die left.")


@row(6)
@pytest.mark.parametrize("die", [0, 7])
def test_invalid_die_face_is_rejected(die: int) -> None:
    assert refused(scene(), take("red", die)) == ("5.1", "A die shows 1 to 6.")
    dice = dict.fromkeys(COLOURS, (1, 2, 3, 4))
    wrong = Roll(faction=R, dice={**dice, "red": (1, 2, 3, die)})
    assert refused(preparing(), wrong) == ("5.1", "A die shows 1 to 6.")


@row(7)
def test_unaffordable_die_is_rejected() -> None:
    text = "This die costs 4 florins here; you have 3."
    assert refused(scene(florins={R: 3}), take("turquoise", 1)) == ("5.1", text)


@row(8)
def test_action_unaffordable_after_the_die_is_rejected() -> None:
    text = "After paying 3 for the die you have 2 florins; hiring costs 3."
    assert refused(scene(florins={R: 5}), take("red", 1, "hire")) == ("5.1", text)
    assert refused(scene(florins={R: 2}), take("red", 4, "hire"))[1] == "Hiring costs 3 florins; you have 2."
    poor = scene(florins={R: 0}), take("red", 4)
    assert refused(*poor)[1] == "You cannot do this now: a marriage. You have 0 florins after the die."


# Helpers


@row(9, 10)
def test_hiring_for_a_wrong_space_is_rejected() -> None:
    state = enter(scene(helpers={R: [("purple", 1)]}), take("red", 4, "hire"))
    ring = refused(state, Hire(faction=R, column="red", row=1))
    assert ring == ("5.2", "The red space hires for yellow rings only.")
    there = refused(state, Hire(faction=R, column="purple", row=1))
    assert there == ("5.2", "A helper already stands there.")
    assert (
        refused(state, Hire(faction=R, column="purple", row=4))[1]
        == "The purple column has no helper space 4."
    )
    assert refused(state, Hire(faction=R, column="white", row=1))[0] == "5.2"


@row(33)
def test_using_helpers_out_of_order_is_rejected() -> None:
    state = scene(helpers={R: [("grey", 1), ("grey", 2), ("red", 1)]})
    state = enter(state, take("grey", 4), Descendants(faction=R, dice=(1,)))
    text = "Only helpers below the grey die work now, from top to bottom."
    for column, at in (("red", 1), ("grey", 2), ("grey", 3)):
        assert refused(state, Helper(faction=R, use=True, column=column, row=at)) == ("5.10", text)
    state = enter(state, Helper(faction=R, use=False, column="grey", row=1))
    assert refused(state, Helper(faction=R, use=True, column="grey", row=1)) == ("5.10", text)


@row(34)
def test_errand_on_a_two_member_task_is_rejected() -> None:
    state = scene(helpers={R: [("red", 3)]}, tracks={R: [("church", 1)]})
    state = enter(
        state, take("red", 4), Marriage(faction=R, city="rome", dowry=1), Helper(faction=R, use=True)
    )
    text = "This helper may spend one member only; that task needs two."
    for task in ("marriage", "mission"):
        assert refused(state, Errand(faction=R, task=task, women=1)) == ("5.10", text)
    two = refused(state, Errand(faction=R, task="florins", men=2))
    assert two == ("5.10", "This helper may spend one member only.")


# Tasks


@row(11)
def test_task_of_another_colour_is_rejected() -> None:
    text = "With a grey die choose one of the two grey tasks."
    assert refused(scene(), take("grey", 4, "task", task="florins", men=1)) == ("5.1", text)


@row(12)
def test_members_of_the_wrong_row_are_rejected() -> None:
    upper = refused(scene(), take("turquoise", 4, "task", task="military", men=1))
    assert upper == ("5.1", "The upper row takes women. You offered men.")
    lower = refused(scene(), take("turquoise", 4, "task", task="threshold", women=1))
    assert lower == ("5.1", "The lower row takes men. You offered women.")


@row(13)
@pytest.mark.parametrize("men", [0, 4])
def test_task_with_zero_or_four_members_is_rejected(men: int) -> None:
    refusal = refused(scene(), take("yellow", 4, "task", task="florins", men=men))
    assert refusal == ("5.1", "Spend 1, 2 or 3 members.")


@row(14)
@pytest.mark.parametrize("women", [1, 3])
def test_marriage_task_without_exactly_two_members_is_rejected(women: int) -> None:
    refusal = refused(scene(), take("red", 4, "task", task="marriage", women=women))
    assert refusal == ("5.1", "This task costs exactly 2 members.")


@row(15)
def test_spending_unavailable_members_is_rejected() -> None:
    state = scene(women={R: 1})
    text = "You have 1 available woman. Figures on tracks and in cities cannot be spent."
    assert refused(state, take("turquoise", 4, "task", task="military", women=2)) == ("5.1", text)


@row(16)
def test_spending_the_last_women_on_a_marriage_is_rejected() -> None:
    text = "After spending 2 women you have none left to marry."
    assert refused(scene(women={R: 2}), take("red", 4, "task", task="marriage", women=2)) == ("5.1", text)


# Progress


def with_four_points(**changes: Any) -> State:
    """Return a state in which red has four progress points."""
    return enter(scene(**changes), take("turquoise", 4))


def climbs(*lines: tuple[str, int, int], **more: Any) -> Progress:
    return Progress(faction=R, climbs=tuple(Climb(career=c, at=a, to=t) for c, a, t in lines), **more)


@row(17, 18)
def test_using_too_many_or_no_points_is_rejected() -> None:
    too_many = refused(with_four_points(), climbs(("church", 0, 4), initiative=1))
    assert too_many == ("5.5", "You have 4 progress points; you used 5.")
    assert refused(with_four_points(), climbs()) == ("5.5", "Use at least 1 progress point.")


@row(19)
def test_climbing_beyond_the_top_or_down_is_rejected() -> None:
    state = with_four_points(tracks={R: [("church", 8), ("church", 7)]})
    top = refused(state, climbs(("church", 8, 9)))
    assert top == ("5.5", "This man is already at the top of the church track.")
    assert refused(state, climbs(("church", 7, 9))) == ("5.5", "The church track has 8 spaces.")
    assert refused(state, climbs(("church", 7, 6))) == ("5.5", "A man only goes up.")


@row(20)
def test_climbing_without_a_man_is_rejected() -> None:
    refusal = refused(with_four_points(men={R: 0}), climbs(("church", 0, 1)))
    assert refusal == ("5.5", "Only men follow a career. You have 0 available men.")
    missing = refused(with_four_points(), climbs(("church", 3, 4)))
    assert missing == ("5.5", "You have no such man on church space 3.")


@row(21)
def test_points_for_one_track_are_rejected_on_others() -> None:
    state = enter(scene(), take("turquoise", 4, "task", task="military", women=1))
    text = "These points are for the military track only."
    assert refused(state, climbs(("church", 0, 1))) == ("5.5", text)
    assert refused(state, climbs(initiative=1)) == ("5.5", text)


@row(22)
def test_initiative_beyond_the_top_is_rejected() -> None:
    state = with_four_points(initiative={0: [P, Y, B], 6: [R]})
    assert refused(state, climbs(initiative=1)) == ("5.5", "Your initiative disc is already at the top.")
    near = with_four_points(initiative={0: [P, Y, B], 5: [R]})
    assert refused(near, climbs(initiative=2)) == ("5.5", "Your initiative disc can go up 1 space only.")


def test_declining_without_an_initiative_step_is_rejected() -> None:
    state = with_four_points(tracks={R: [("church", 5)]})
    nothing = refused(state, climbs(("church", 0, 1), stay=True))
    assert nothing == ("5.5", "There is no step of initiative to decline.")
    stayed = enter(state, climbs(("church", 5, 6), stay=True))
    assert stayed.ledger.count(R, "disc", "initiative:0") == 1


# Missions and marriages


def choosing_a_mission(**changes: Any) -> State:
    tracks = {R: [("military", 8), ("church", 3)]}
    return enter(scene(**{"tracks": tracks, **changes}), take("purple", 3))


@row(23)
def test_mission_without_a_man_on_the_track_is_rejected() -> None:
    text = "Only a man on a career track can go on a mission."
    for at in (0, 4):
        assert refused(choosing_a_mission(), Mission(faction=R, career="church", at=at, city="rome")) == (
            "5.6",
            text,
        )


FULL = [(P, "man", f"city:milan:{number}") for number in (1, 2, 3, 4, 4)]


@row(24, 25, 26)
def test_wrong_rank_space_or_city_is_rejected() -> None:
    state = choosing_a_mission(placed=FULL[:2])
    low = refused(state, Mission(faction=R, career="church", at=3, city="milan"))
    assert low == ("5.6", "Milan’s lowest free space needs rank 3; this man has rank 2.")
    space = refused(state, Mission(faction=R, career="military", at=8, city="milan", space=4))
    assert space == ("5.6", "Use the lowest free space first: 3.")
    full = refused(choosing_a_mission(placed=FULL), Mission(faction=R, career="military", at=8, city="milan"))
    assert full == ("5.6", "Milan has no free space.")
    unused = choosing_a_mission(cities=("milan", "venice", "rome"))
    for city, text in (("naples", "Naples is not used in this game."),):
        assert refused(unused, Mission(faction=R, career="military", at=8, city=city)) == ("5.6", text)


@row(27, 28)
def test_dowry_out_of_range_is_rejected() -> None:
    state = enter(scene(florins={R: 3}, placed=FULL[:2]), take("red", 4))
    low = refused(state, Marriage(faction=R, city="milan", dowry=2))
    assert low == ("5.7", "The dowry here is at least 3 florins.")
    high = refused(state, Marriage(faction=R, city="milan", dowry=4))
    assert high == ("5.7", "The dowry is at most 4 florins; you have 3.")


@row(29, 30)
def test_wrong_tile_choice_on_a_mission_is_rejected() -> None:
    state = choosing_a_mission(
        placed=[("neutral", "d-5", "mission:milan"), ("neutral", "a-5", "mission:rome")]
    )
    away = refused(state, Mission(faction=R, career="military", at=8, city="milan", tile=True))
    text = "Your military plan has no free shield for this house. The tile stays in Milan."
    assert away == ("5.11", text)
    field = refused(state, Mission(faction=R, career="military", at=8, city="rome", field="church"))
    assert field == ("5.6", "He came from the military track: the tile goes to your military field.")
    left = refused(state, Mission(faction=R, career="military", at=8, city="rome", tile=False))
    assert left == ("5.11", "A tile that fits must be taken: House A 5.")
    none = refused(state, Mission(faction=R, career="military", at=8, city="venice", tile=True))
    assert none == ("5.11", "There is no tile above Venice for this.")


@row(32)
def test_city_tile_with_a_blind_helper_is_rejected() -> None:
    state = scene(
        helpers={R: [("purple", 1)]},
        tracks={R: [("military", 8), ("church", 3)]},
        placed=[("neutral", "a-5", "mission:rome")],
    )
    state = enter(state, take("purple", 3), Mission(faction=R, career="church", at=3, city="milan"))
    state = enter(state, Helper(faction=R, use=True))
    wish = Mission(faction=R, career="military", at=8, city="rome", tile=True, field="church")
    assert refused(state, wish) == ("5.10", "With this helper you draw a face-down tile instead.")
    nowhere = refused(state, Mission(faction=R, career="military", at=8, city="rome"))
    assert nowhere == ("5.10", "Say beside which field the face-down tile is put.")


@row(35)
def test_wrong_number_of_descendant_dice_is_rejected() -> None:
    state = enter(scene(brides={R: 2}), take("grey", 4))
    text = "You have 2 brides: roll 3 dice."
    assert refused(state, Descendants(faction=R, dice=(1, 2))) == ("5.8", text)
    assert refused(state, Descendants(faction=R, dice=(1, 2, 7)))[1] == "A die shows 1 to 6."
    state = enter(scene(brides={R: 2}, helpers={R: [("yellow", 2)]}), take("yellow", 1))
    state = enter(state, Helper(faction=R, use=True))
    assert refused(state, Descendants(faction=R, dice=(1, 2, 3))) == ("5.8", "Roll 1 die.")


def test_unknown_plan_field_is_rejected() -> None:
    state = enter(scene(), take("yellow", 4, "task", task="blind", women=1))
    assert refused(state, Draw(faction=R, field="naval"))[0] == "5.11"


# Rewards


@row(36)
def test_reward_above_the_limit_is_rejected() -> None:
    state = reward_phase([B], taken={R: [("grey", 6), ("red", 6), ("purple", 3)]}, dice={})
    text = "Your dice total 15; your limit is 13. No reward this round."
    assert refused(state, Reward(faction=R, take="florins")) == ("5.12", text)


@row(37)
def test_late_florin_reward_and_early_buying_are_rejected() -> None:
    text = "From round 6 the reward is victory points; no wedding."
    assert refused(reward_phase([R], round=6), Reward(faction=R, take="florins")) == ("5.12", text)
    early = refused(reward_phase([R], round=5), Buy(faction=R, buy=True))
    assert early == ("5.12", "Points are bought from round 6 on.")


@row(38)
def test_buying_twice_or_without_florins_is_rejected() -> None:
    two = reward_phase([R, B], round=6)
    again = refused(enter(two, Buy(faction=R, buy=True)), Buy(faction=R, buy=True))
    assert again == ("5.12", "You have already bought 5 VP this round.")
    # There is no prompt without five florins, but a correction can take them away after it.
    poor = scene(
        round=6,
        florins={R: 4},
        frames=[Frame("rewards", {"stage": "giving", "queue": [R], "eligible": [R], "scored": True})],
    )
    assert refused(poor, Buy(faction=R, buy=True)) == ("5.12", "You need 5 florins.")


@row(39)
def test_reward_after_four_weddings_gives_florins_only() -> None:
    outcome = act(reward_phase([R], round=3, brides={R: 4}), Reward(faction=R, take="florins"))
    assert "Red: all descendants are married. The florins of the round still come." in texts(outcome)
    assert "Red takes 2 florins." in texts(outcome)


def test_reward_out_of_order_or_repeated_is_rejected() -> None:
    state = reward_phase([B, R])
    assert refused(state, Reward(faction=R, take="florins")) == ("5.12", "It is Blue’s turn.")
    had = enter(state, Reward(faction=B, take="florins"))
    assert refused(had, Reward(faction=B, take="florins"))[1] == "You have had your reward of this round."
    impossible = refused(state, Reward(faction=B, take="tile"))
    assert impossible == ("5.12", "This tile brings you nothing now (mission); take the florins.")


# Preparation


def preparing(**changes: Any) -> State:
    """Return a state in which a round is to be prepared."""
    frame = Frame("preparation", {"collected": False, "entered": []})
    state = scene(frames=[frame], dice={}, **changes)
    return settle(state).state


@row(40)
def test_duplicate_or_missing_task_is_rejected() -> None:
    tasks = {**LAYOUT, "turquoise:lower": "florins"}
    text = "“florins” is entered twice; “threshold” is missing."
    assert refused(preparing(), Deal(faction=R, tasks=tasks)) == ("4", text)
    tasks.pop("turquoise:lower")
    assert refused(preparing(), Deal(faction=R, tasks=tasks)) == ("4", "“threshold” is missing.")


@row(41)
def test_wrong_number_of_action_dice_is_rejected() -> None:
    state = preparing(players=(R, B, Y), cities=("milan", "rome", "naples", "venice"))
    dice = dict.fromkeys(COLOURS, (1, 2, 3))
    text = "With 3 players there are 3 dice of each colour; grey has 2."
    assert refused(state, Roll(faction=R, dice={**dice, "grey": (1, 2)})) == ("4", text)


def tiles(**changes: str) -> dict[str, str]:
    spaces = [
        f"{kind}:{city}"
        for city in ("milan", "venice", "florence", "rome", "naples")
        for kind in ("mission", "marriage")
    ]
    return {space: f"{'abcdef'[i % 6]}-2" for i, space in enumerate(spaces)} | changes


@row(42, 43)
def test_impossible_alliance_tiles_are_rejected() -> None:
    for tile in ("a-1", "a-6"):
        refusal = refused(preparing(), Refill(faction=R, tiles=tiles(**{"mission:milan": tile})))
        assert refusal == ("5.13", "A face-up tile shows 2 to 5.")
    seen = [("neutral", "a-2", "plan:red:military")] * 9
    text = "All tiles of House A are already on the table. Check the entry."
    assert refused(preparing(placed=seen), Refill(faction=R, tiles=tiles())) == ("5.13", text)
    few = {space: tile for space, tile in tiles().items() if space != "mission:milan"}
    assert refused(preparing(), Refill(faction=R, tiles=few)) == ("5.13", "Turn up exactly 10 tiles.")


# Boards and seats


def errors_with(**changes: Any) -> list[str]:
    """Return the errors of the profile after changing figures, given by path with `__` between keys."""
    figures = profile()
    for path, value in changes.items():
        *names, last = path.split("__")
        part = figures
        for name in names:
            part = part[name]
        part[last] = value
    return [sentence(SIGNORIA, message) for message in SIGNORIA.figures_wrong(figures)]


@row(44, 45)
def test_wrong_shields_and_falling_tracks_are_reported() -> None:
    assert errors_with() == []
    text = "A career field has 4 shields: one house twice, two houses once. Check church on board 2."
    assert errors_with(plans__2__church=["a", "b", "c", "d"]) == [text]
    falls = "Numbers and ranks never fall along the church track. Check space 5."
    assert errors_with(tracks__church__numbers__5=2) == [falls]
    assert errors_with(tracks__church__ranks__5=1) == [falls]


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"actions__red__number": 7}, "The red action space shows 1 to 6."),
        ({"tracks__church__spaces": 5}, "The church track has 6 to 13 spaces."),
        (
            {"tracks__church__numbers__8": 14},
            "church track, space 8: the number is 1 to 13 and the rank 1 to 4.",
        ),
        ({"initiative__top": 16}, "The initiative track has 1 to 15 spaces above the bottom one."),
        ({"point_track__spaces": 19}, "The track of points has at least 20 spaces."),
        ({"houses__a__2": 4}, "A house has 9 tiles; House A adds up to 10."),
        ({"cities__milan": dict.fromkeys("1234", 0)}, "Milan needs a space for figures."),
        ({"helpers__grey__1__kind": "oracle"}, "grey: nothing is called “oracle” here."),
        (
            {"helpers__grey__1__tracks__military": False},
            "grey column, helper 1: say on which tracks its progress points are used.",
        ),
    ],
)
def test_impossible_figure_is_reported(changes: dict[str, Any], text: str) -> None:
    assert errors_with(**changes) == [text]


def test_duplicate_signoria_action_is_reported() -> None:
    assert errors_with(actions__red__signoria="mission") == [
        "Each Signoria action stands on one space; a marriage stands on 0.",
        "Each Signoria action stands on one space; a diplomatic mission stands on 2.",
    ]


def test_shipped_board_is_valid() -> None:
    assert SIGNORIA.figures_wrong(SIGNORIA.board.figures) == []


def test_other_boards_are_accepted() -> None:
    """The digest's profile and random ones, with ring colours that no die has."""
    assert SIGNORIA.board.fits(profile())
    for seed in range(5):
        assert SIGNORIA.board.fits(random_profile(random.Random(seed)))


@row(46)
@pytest.mark.parametrize(
    ("factions", "text"),
    [
        ([R], "Signoria is for 2 to 4 players."),
        ([R, B, Y, P, R], "Signoria is for 2 to 4 players."),
        ([R, R], "Each player needs a colour of their own out of yellow, red, blue, purple."),
        ([R, "green"], "Each player needs a colour of their own out of yellow, red, blue, purple."),
    ],
)
def test_invalid_seats_are_rejected(factions: list[str], text: str) -> None:
    with pytest.raises(Refused) as caught:
        SIGNORIA.prepare(factions)
    assert sentence(SIGNORIA, caught.value.message) == text
    assert caught.value.rule == "3.1"


# Set-up


def new_game(*factions: str) -> State:
    return SIGNORIA.start(SIGNORIA.prepare(factions or (R, B), figures=profile())).state


@pytest.mark.parametrize(
    ("action", "rule", "text"),
    [
        (Order(faction=R, order=(R, R)), "3.2", "The play order must name each of red, blue once."),
        (
            Unused(faction=R, cities=("milan",)),
            "3.1",
            "With 2 players 2 of the five cities are not used.",
        ),
        (
            Unused(faction=R, cities=("milan", "paris")),
            "3.1",
            "With 2 players 2 of the five cities are not used.",
        ),
        (
            RewardTiles(faction=R, bonus=("mission",) * 5, points=("helpers", "per-man")),
            "3.2",
            "Name 5 different bonus tiles and then 2 different tiles with points.",
        ),
        (
            RewardTiles(
                faction=R,
                bonus=("mission", "marriage", "die", "helper"),
                points=("helpers", "per-man", "city-men"),
            ),
            "3.2",
            "Name 5 different bonus tiles and then 2 different tiles with points.",
        ),
        (
            Boards(faction=R, boards={R: "1", B: "1"}),
            "3.2",
            "Everybody needs a player board of their own out of 1, 2, 3, 4.",
        ),
    ],
)
def test_invalid_set_up_entry_is_rejected(action: Any, rule: str, text: str) -> None:
    assert refused(new_game(), action) == (rule, text)


def test_entering_a_set_up_part_twice_is_rejected() -> None:
    state = enter(new_game(), Order(faction=B, order=(R, B)))
    assert refused(state, Order(faction=R, order=(R, B))) == ("3.2", "This was entered already.")
    assert refused(new_game(R, B, Y, P), Unused(faction=R, cities=()))[1] == "This was entered already."
    message = "“pass” cannot be entered now. Not finished: Set-up; waiting for Red, Blue."
    assert refused(state, Pass(faction=R)) == ("3.2", message)


def test_every_digest_row_is_covered() -> None:
    assert set(range(1, 48)) == COVERED

"""Part 10 of the digest, by its numbers: what people enter by mistake, and the sentence they read."""

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
    rewarding,
    scene,
    settled,
    texts,
)
from tests.signoria.walking import random_profile

F = TypeVar("F", bound=Callable[..., None])
COVERED: set[int] = {
    31,  # there is no entry that moves a placed tile, but for a correction
    47,  # keys of submissions; a rule never sees an entry twice
}


def row(*numbers: int) -> Callable[[F], F]:
    """The rows of the digest that a test is."""
    COVERED.update(numbers)
    return pytest.mark.parametrize((), [pytest.param(id=",".join(f"B{number}" for number in numbers))])


def take(colour: str, die: int, action: str = "signoria", faction: str = R, **more: Any) -> Take:
    return Take(faction=faction, colour=colour, die=die, action=action, **more)  # type: ignore[arg-type]


# Turns


@row(1)
def test_out_of_turn() -> None:
    state = scene(turn=B)
    assert refused(state, Pass(faction=Y)) == ("5.1", "It is Blue’s turn. You are next.")
    assert refused(state, Pass(faction=P)) == ("5.1", "It is Blue’s turn. You are next but one.")
    assert refused(state, take("red", 4)) == ("5.1", "It is Blue’s turn. You are next but two.")
    without_yellow = scene(turn=B, passed=(Y,))
    assert refused(without_yellow, Pass(faction=P)) == ("5.1", "It is Blue’s turn. You are next.")


@row(2, 3)
def test_after_passing() -> None:
    state = scene(turn=B, passed=(R,))
    text = "You passed this round. You act again next round."
    assert refused(state, take("red", 4)) == ("5.1", text)
    four = [("grey", 1), ("yellow", 1), ("red", 1), ("purple", 1)]
    state = scene(turn=B, passed=(R,), taken={R: four}, dice={"turquoise": [4]})
    assert refused(state, take("turquoise", 4)) == ("5.1", "You have taken 4 dice. You have to pass.")
    # A game that is taken up, or a correction, can leave the turn with somebody who has four.
    state = scene(taken={R: four}, dice={"turquoise": [4]})
    assert refused(state, take("turquoise", 4)) == ("5.1", "You have taken 4 dice. You have to pass.")
    assert [prompt.action for prompt in SIGNORIA.prompts(state)] == ["pass"]


@row(4)
def test_a_second_die_of_a_colour() -> None:
    text = "Your purple action space is already taken. Choose another colour."
    assert refused(scene(taken={R: [("purple", 5)]}), take("purple", 3)) == ("5.1", text)


@row(5)
def test_a_die_that_is_not_there() -> None:
    text = "There is no red 5 left. Red dice left: 2, 3."
    assert refused(scene(dice={"red": [3, 2]}), take("red", 5)) == ("5.1", text)
    assert refused(scene(dice={}), take("red", 5)) == ("5.1", "There is no red die left.")


@row(6)
@pytest.mark.parametrize("die", [0, 7])
def test_a_face_that_no_die_has(die: int) -> None:
    assert refused(scene(), take("red", die)) == ("5.1", "A die shows 1 to 6.")
    dice = dict.fromkeys(COLOURS, (1, 2, 3, 4))
    wrong = Roll(faction=R, dice={**dice, "red": (1, 2, 3, die)})
    assert refused(prepared(), wrong) == ("5.1", "A die shows 1 to 6.")


@row(7)
def test_a_die_too_dear() -> None:
    text = "This die costs 4 florins here; you have 3."
    assert refused(scene(florins={R: 3}), take("turquoise", 1)) == ("5.1", text)


@row(8)
def test_the_die_is_paid_but_not_the_action() -> None:
    text = "After paying 3 for the die you have 2 florins; hiring costs 3."
    assert refused(scene(florins={R: 5}), take("red", 1, "hire")) == ("5.1", text)
    assert refused(scene(florins={R: 2}), take("red", 4, "hire"))[1] == "Hiring costs 3 florins; you have 2."
    poor = scene(florins={R: 0}), take("red", 4)
    assert refused(*poor)[1] == "You cannot do this now: a marriage. You have 0 florins after the die."


# Helpers


@row(9, 10)
def test_a_helper_on_a_wrong_space() -> None:
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
def test_another_helper_than_the_next() -> None:
    state = scene(helpers={R: [("grey", 1), ("grey", 2), ("red", 1)]})
    state = enter(state, take("grey", 4), Descendants(faction=R, dice=(1,)))
    text = "Only helpers below the grey die work now, from top to bottom."
    for column, at in (("red", 1), ("grey", 2), ("grey", 3)):
        assert refused(state, Helper(faction=R, use=True, column=column, row=at)) == ("5.10", text)
    state = enter(state, Helper(faction=R, use=False, column="grey", row=1))
    assert refused(state, Helper(faction=R, use=True, column="grey", row=1)) == ("5.10", text)


@row(34)
def test_a_task_for_two_by_one_member() -> None:
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
def test_a_task_of_another_colour() -> None:
    text = "With a grey die choose one of the two grey tasks."
    assert refused(scene(), take("grey", 4, "task", task="florins", men=1)) == ("5.1", text)


@row(12)
def test_the_wrong_row() -> None:
    upper = refused(scene(), take("turquoise", 4, "task", task="military", men=1))
    assert upper == ("5.1", "The upper row takes women. You offered men.")
    lower = refused(scene(), take("turquoise", 4, "task", task="threshold", women=1))
    assert lower == ("5.1", "The lower row takes men. You offered women.")


@row(13)
@pytest.mark.parametrize("men", [0, 4])
def test_too_few_or_too_many_members(men: int) -> None:
    refusal = refused(scene(), take("yellow", 4, "task", task="florins", men=men))
    assert refusal == ("5.1", "Spend 1, 2 or 3 members.")


@row(14)
@pytest.mark.parametrize("women", [1, 3])
def test_exactly_two_members(women: int) -> None:
    refusal = refused(scene(), take("red", 4, "task", task="marriage", women=women))
    assert refusal == ("5.1", "This task costs exactly 2 members.")


@row(15)
def test_only_available_members_are_spent() -> None:
    state = scene(women={R: 1})
    text = "You have 1 available woman. Figures on tracks and in cities cannot be spent."
    assert refused(state, take("turquoise", 4, "task", task="military", women=2)) == ("5.1", text)


@row(16)
def test_nobody_left_to_marry() -> None:
    text = "After spending 2 women you have none left to marry."
    assert refused(scene(women={R: 2}), take("red", 4, "task", task="marriage", women=2)) == ("5.1", text)


# Progress


def using(**changes: Any) -> State:
    """Red has four points."""
    return enter(scene(**changes), take("turquoise", 4))


def climbs(*lines: tuple[str, int, int], **more: Any) -> Progress:
    return Progress(faction=R, climbs=tuple(Climb(career=c, at=a, to=t) for c, a, t in lines), **more)


@row(17, 18)
def test_more_points_than_there_are_or_none() -> None:
    too_many = refused(using(), climbs(("church", 0, 4), initiative=1))
    assert too_many == ("5.5", "You have 4 progress points; you used 5.")
    assert refused(using(), climbs()) == ("5.5", "Use at least 1 progress point.")


@row(19)
def test_beyond_the_top_of_a_career() -> None:
    state = using(tracks={R: [("church", 8), ("church", 7)]})
    top = refused(state, climbs(("church", 8, 9)))
    assert top == ("5.5", "This man is already at the top of the church track.")
    assert refused(state, climbs(("church", 7, 9))) == ("5.5", "The church track has 8 spaces.")
    assert refused(state, climbs(("church", 7, 6))) == ("5.5", "A man only goes up.")


@row(20)
def test_only_men_follow_a_career() -> None:
    refusal = refused(using(men={R: 0}), climbs(("church", 0, 1)))
    assert refusal == ("5.5", "Only men follow a career. You have 0 available men.")
    missing = refused(using(), climbs(("church", 3, 4)))
    assert missing == ("5.5", "You have no such man on church space 3.")


@row(21)
def test_points_for_one_track() -> None:
    state = enter(scene(), take("turquoise", 4, "task", task="military", women=1))
    text = "These points are for the military track only."
    assert refused(state, climbs(("church", 0, 1))) == ("5.5", text)
    assert refused(state, climbs(initiative=1)) == ("5.5", text)


@row(22)
def test_beyond_the_top_of_the_initiative_track() -> None:
    state = using(initiative={0: [P, Y, B], 6: [R]})
    assert refused(state, climbs(initiative=1)) == ("5.5", "Your initiative disc is already at the top.")
    near = using(initiative={0: [P, Y, B], 5: [R]})
    assert refused(near, climbs(initiative=2)) == ("5.5", "Your initiative disc can go up 1 space only.")


def test_a_step_is_declined_only_where_there_is_one() -> None:
    state = using(tracks={R: [("church", 5)]})
    nothing = refused(state, climbs(("church", 0, 1), stay=True))
    assert nothing == ("5.5", "There is no step of initiative to decline.")
    stayed = enter(state, climbs(("church", 5, 6), stay=True))
    assert stayed.ledger.count(R, "disc", "initiative:0") == 1


# Missions and marriages


def sending(**changes: Any) -> State:
    tracks = {R: [("military", 8), ("church", 3)]}
    return enter(scene(**{"tracks": tracks, **changes}), take("purple", 3))


@row(23)
def test_a_man_who_is_on_no_track() -> None:
    text = "Only a man on a career track can go on a mission."
    for at in (0, 4):
        assert refused(sending(), Mission(faction=R, career="church", at=at, city="rome")) == ("5.6", text)


FULL = [(P, "man", f"city:milan:{number}") for number in (1, 2, 3, 4, 4)]


@row(24, 25, 26)
def test_rank_space_and_city() -> None:
    state = sending(lying=FULL[:2])
    low = refused(state, Mission(faction=R, career="church", at=3, city="milan"))
    assert low == ("5.6", "Milan’s lowest free space needs rank 3; this man has rank 2.")
    space = refused(state, Mission(faction=R, career="military", at=8, city="milan", space=4))
    assert space == ("5.6", "Use the lowest free space first: 3.")
    full = refused(sending(lying=FULL), Mission(faction=R, career="military", at=8, city="milan"))
    assert full == ("5.6", "Milan has no free space.")
    unused = sending(cities=("milan", "venice", "rome"))
    for city, text in (("naples", "Naples is not used in this game."),):
        assert refused(unused, Mission(faction=R, career="military", at=8, city=city)) == ("5.6", text)


@row(27, 28)
def test_dowries() -> None:
    state = enter(scene(florins={R: 3}, lying=FULL[:2]), take("red", 4))
    low = refused(state, Marriage(faction=R, city="milan", dowry=2))
    assert low == ("5.7", "The dowry here is at least 3 florins.")
    high = refused(state, Marriage(faction=R, city="milan", dowry=4))
    assert high == ("5.7", "The dowry is at most 4 florins; you have 3.")


@row(29, 30)
def test_where_tiles_go() -> None:
    state = sending(lying=[("neutral", "d-5", "mission:milan"), ("neutral", "a-5", "mission:rome")])
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
def test_the_citys_tile_with_a_helper() -> None:
    state = scene(
        helpers={R: [("purple", 1)]},
        tracks={R: [("military", 8), ("church", 3)]},
        lying=[("neutral", "a-5", "mission:rome")],
    )
    state = enter(state, take("purple", 3), Mission(faction=R, career="church", at=3, city="milan"))
    state = enter(state, Helper(faction=R, use=True))
    wish = Mission(faction=R, career="military", at=8, city="rome", tile=True, field="church")
    assert refused(state, wish) == ("5.10", "With this helper you draw a face-down tile instead.")
    nowhere = refused(state, Mission(faction=R, career="military", at=8, city="rome"))
    assert nowhere == ("5.10", "Say beside which field the face-down tile is put.")


@row(35)
def test_the_wrong_number_of_white_dice() -> None:
    state = enter(scene(brides={R: 2}), take("grey", 4))
    text = "You have 2 brides: roll 3 dice."
    assert refused(state, Descendants(faction=R, dice=(1, 2))) == ("5.8", text)
    assert refused(state, Descendants(faction=R, dice=(1, 2, 7)))[1] == "A die shows 1 to 6."
    state = enter(scene(brides={R: 2}, helpers={R: [("yellow", 2)]}), take("yellow", 1))
    state = enter(state, Helper(faction=R, use=True))
    assert refused(state, Descendants(faction=R, dice=(1, 2, 3))) == ("5.8", "Roll 1 die.")


def test_a_field_that_no_plan_has() -> None:
    state = enter(scene(), take("yellow", 4, "task", task="blind", women=1))
    assert refused(state, Draw(faction=R, field="naval"))[0] == "5.11"


# Rewards


@row(36)
def test_a_reward_over_the_threshold() -> None:
    state = rewarding([B], taken={R: [("grey", 6), ("red", 6), ("purple", 3)]}, dice={})
    text = "Your dice total 15; your limit is 13. No reward this round."
    assert refused(state, Reward(faction=R, take="florins")) == ("5.12", text)


@row(37)
def test_no_florins_from_round_six() -> None:
    text = "From round 6 the reward is victory points; no wedding."
    assert refused(rewarding([R], round=6), Reward(faction=R, take="florins")) == ("5.12", text)
    early = refused(rewarding([R], round=5), Buy(faction=R, buy=True))
    assert early == ("5.12", "Points are bought from round 6 on.")


@row(38)
def test_buying_points() -> None:
    two = rewarding([R, B], round=6)
    again = refused(enter(two, Buy(faction=R, buy=True)), Buy(faction=R, buy=True))
    assert again == ("5.12", "You have already bought 5 VP this round.")
    # Nobody is asked without five florins; a correction can take them away meanwhile.
    poor = scene(
        round=6,
        florins={R: 4},
        frames=[Frame("rewards", {"stage": "giving", "queue": [R], "eligible": [R], "scored": True})],
    )
    assert refused(poor, Buy(faction=R, buy=True)) == ("5.12", "You need 5 florins.")


@row(39)
def test_a_fifth_bride() -> None:
    outcome = act(rewarding([R], round=3, brides={R: 4}), Reward(faction=R, take="florins"))
    assert "Red: all descendants are married. The florins of the round still come." in texts(outcome)
    assert "Red takes 2 florins." in texts(outcome)


def test_rewards_in_their_order() -> None:
    state = rewarding([B, R])
    assert refused(state, Reward(faction=R, take="florins")) == ("5.12", "It is Blue’s turn.")
    had = enter(state, Reward(faction=B, take="florins"))
    assert refused(had, Reward(faction=B, take="florins"))[1] == "You have had your reward of this round."
    impossible = refused(state, Reward(faction=B, take="tile"))
    assert impossible == ("5.12", "This tile brings you nothing now (mission); take the florins.")


# Preparation


def prepared(**changes: Any) -> State:
    """A round is to be prepared."""
    frame = Frame("preparation", {"collected": False, "entered": []})
    state = scene(frames=[frame], dice={}, **changes)
    return settled(state).state


@row(40)
def test_a_task_twice() -> None:
    tasks = {**LAYOUT, "turquoise:lower": "florins"}
    text = "“florins” is entered twice; “threshold” is missing."
    assert refused(prepared(), Deal(faction=R, tasks=tasks)) == ("4", text)
    tasks.pop("turquoise:lower")
    assert refused(prepared(), Deal(faction=R, tasks=tasks)) == ("4", "“threshold” is missing.")


@row(41)
def test_the_wrong_number_of_dice() -> None:
    state = prepared(players=(R, B, Y), cities=("milan", "rome", "naples", "venice"))
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
def test_alliance_tiles() -> None:
    for tile in ("a-1", "a-6"):
        refusal = refused(prepared(), Refill(faction=R, tiles=tiles(**{"mission:milan": tile})))
        assert refusal == ("5.13", "A face-up tile shows 2 to 5.")
    seen = [("neutral", "a-2", "plan:red:military")] * 9
    text = "All tiles of House A are already on the table. Check the entry."
    assert refused(prepared(lying=seen), Refill(faction=R, tiles=tiles())) == ("5.13", text)
    few = {space: tile for space, tile in tiles().items() if space != "mission:milan"}
    assert refused(prepared(), Refill(faction=R, tiles=few)) == ("5.13", "Turn up exactly 10 tiles.")


# Boards and seats


def figures_with(**changes: Any) -> list[str]:
    """What is wrong with the profile once these dotted paths show something else."""
    figures = profile()
    for path, value in changes.items():
        *names, last = path.split("__")
        part = figures
        for name in names:
            part = part[name]
        part[last] = value
    return [sentence(SIGNORIA, message) for message in SIGNORIA.figures_wrong(figures)]


@row(44, 45)
def test_boards_that_cannot_be() -> None:
    assert figures_with() == []
    text = "A career field has 4 shields: one house twice, two houses once. Check church on board 2."
    assert figures_with(plans__2__church=["a", "b", "c", "d"]) == [text]
    falls = "Numbers and ranks never fall along the church track. Check space 5."
    assert figures_with(tracks__church__numbers__5=2) == [falls]
    assert figures_with(tracks__church__ranks__5=1) == [falls]


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
def test_figures_that_cannot_be(changes: dict[str, Any], text: str) -> None:
    assert figures_with(**changes) == [text]


def test_an_action_that_stands_twice() -> None:
    assert figures_with(actions__red__signoria="mission") == [
        "Each Signoria action stands on one space; a marriage stands on 0.",
        "Each Signoria action stands on one space; a diplomatic mission stands on 2.",
    ]


def test_the_shipped_board_is_right() -> None:
    assert SIGNORIA.figures_wrong(SIGNORIA.board.figures) == []


def test_a_group_can_enter_other_boards() -> None:
    """That of the digest, and any that could be: with rings in colours no die has."""
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
def test_seats(factions: list[str], text: str) -> None:
    with pytest.raises(Refused) as caught:
        SIGNORIA.prepare(factions)
    assert sentence(SIGNORIA, caught.value.message) == text
    assert caught.value.rule == "3.1"


# Set-up


def starting(*factions: str) -> State:
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
def test_set_up(action: Any, rule: str, text: str) -> None:
    assert refused(starting(), action) == (rule, text)


def test_nothing_is_entered_twice() -> None:
    state = enter(starting(), Order(faction=B, order=(R, B)))
    assert refused(state, Order(faction=R, order=(R, B))) == ("3.2", "This was entered already.")
    assert refused(starting(R, B, Y, P), Unused(faction=R, cities=()))[1] == "This was entered already."
    told = "“pass” cannot be entered now. Not finished: Set-up; waiting for Red, Blue."
    assert refused(state, Pass(faction=R)) == ("3.2", told)


def test_every_row_of_the_digest_is_here() -> None:
    assert set(range(1, 48)) == COVERED

"""Score pads of Wallenstein, Signoria and Robber Knights, with the examples of their digests."""

from __future__ import annotations

from tests.pads.playing import Playing


def winter(pad: Playing, **regions: dict[str, dict[str, int]]) -> None:
    """Enter all regions of a winter; those not given are empty."""
    for region in ("brandenburg", "kurpfalz", "bayern", "oesterreich", "sachsen"):
        pad.enter(
            "region",
            **{"provinces": {}, "palace": {}, "church": {}, "trading_house": {}} | regions.get(region, {}),
        )


# Wallenstein (digest 6)


def test_shared_and_sole_majorities() -> None:
    """W-T1 to W-T3: palaces shared 2 each, a church alone 2, trading houses shared 0."""
    pad = Playing("wallenstein", ("red", "blue", "yellow"))
    pad.enter(
        "region", palace={"red": 2, "blue": 2}, church={"red": 1}, trading_house={"blue": 1, "yellow": 1}
    )
    assert pad.parts("red") == {"buildings": 3, "majorities": 4}
    assert pad.parts("blue") == {"buildings": 3, "majorities": 2}
    assert pad.parts("yellow") == {"buildings": 1}


def test_points_of_a_whole_winter() -> None:
    """W-D23: A 8 + 5 + (3+1) + (2+0) = 19, B 7 + 5 + (0+1+1) + (3+0) = 17, C 9."""
    pad = Playing("wallenstein", ("red", "blue", "yellow"))
    winter(
        pad,
        brandenburg={
            "provinces": {"red": 3, "blue": 3, "yellow": 3},
            "palace": {"red": 2, "blue": 1},
            "church": {"red": 1, "blue": 1},
            "trading_house": {"blue": 1},
        },
        kurpfalz={
            "provinces": {"red": 3, "blue": 3, "yellow": 3},
            "palace": {"blue": 1},
            "church": {"red": 1},
            "trading_house": {"red": 1, "blue": 1},
        },
        bayern={"provinces": {"red": 2, "blue": 1, "yellow": 3}},
    )
    assert pad.points() == {"red": 19, "blue": 17, "yellow": 9}
    assert pad.state.round == 2


def test_winters_add_up_and_churches_break_ties() -> None:
    """W-D25: tied in points and palaces, one more church decides."""
    pad = Playing("wallenstein", ("red", "blue", "yellow"))
    winter(pad, bayern={"provinces": {"red": 4, "blue": 9 - 4}})
    winter(pad, bayern={"palace": {"red": 1, "blue": 1}, "church": {"red": 1}, "provinces": {"blue": 2}})
    # red 4 + (1 palace, 1 church, 2 shared, 2 alone) = 10; blue 5 + 2 + (1 palace, 2 shared) = 10
    assert pad.points() == {"red": 10, "blue": 10, "yellow": 0}
    assert pad.ranking == [{"red"}, {"blue"}, {"yellow"}]


def test_two_players_score_three_regions() -> None:
    pad = Playing("wallenstein", ("red", "blue"))
    for _ in range(3):
        pad.enter("region", provinces={"red": 1})
    assert (pad.state.round, pad.points()["red"]) == (2, 3)


def test_more_than_nine_provinces_in_a_region_are_rejected() -> None:
    pad = Playing("wallenstein", ("red", "blue", "yellow"))
    message, rule = pad.refused("region", provinces={"red": 5, "blue": 5})
    assert message.endswith("there are only 9; you entered 10. Please recount.")
    assert rule == "6"


# Signoria (digest 6)


def rounds(pad: Playing, first: dict[str, dict[str, int]]) -> None:
    pad.enter("points", **first)
    for _ in range(6):
        pad.enter("points")


def test_points_by_source() -> None:
    """EX-11 and EX-10: initiative 9, 4, 4, 0; a marriage with dowry 4 is 8."""
    pad = Playing("signoria", ("yellow", "red", "blue", "purple"))
    pad.enter("points", initiative={"red": 9, "blue": 4, "purple": 4}, marriages={"blue": 8})
    assert pad.points() == {"yellow": 0, "red": 9, "blue": 12, "purple": 4}
    assert pad.parts("blue") == {"initiative": 4, "marriages": 8}


def test_rewards_score_from_round_six_and_weddings_before() -> None:
    pad = Playing("signoria", ("yellow", "red"))
    assert pad.refused("points", rewards={"red": 4}) == ("Reward tile: not in round 1.", "5.12")
    for _ in range(5):
        pad.enter("points", weddings={"red": 2})
    assert pad.refused("points", weddings={"red": 2})[1] == "5.12"
    pad.enter("points", rewards={"red": 12}, bought={"red": 5})  # DX-21: +12 +5
    assert pad.points()["red"] == 27
    assert pad.refused("points", bought={"red": 4}) == (
        "Please enter a number of 0 or more, in steps of 5.",
        "6.1",
    )


def test_final_scoring_of_signoria() -> None:
    """EX-13: men on 9, 7, 3, 13 are 4 + 3 + 1 + 6; two fields of 9, two with under three tiles: 32."""
    pad = Playing("signoria", ("yellow", "red"))
    rounds(pad, {})
    men = {"9": 1, "7": 1, "3": 1, "13": 1}
    tiles = {"political": {"4": 1, "3": 1, "2": 1}, "church": {"5": 1, "3": 1, "down": 1}}
    pad.enter("end", by="yellow", men=men, **tiles, military={"4": 2}, marriage={"down": 2})
    assert pad.points()["yellow"] == 32
    assert pad.refused("end", by="yellow") == ("Your men and tiles are entered already.", "6.1")
    pad.enter("end", by="red")
    assert pad.ranking == [{"yellow"}, {"red"}]


def test_initiative_stack_is_requested_only_for_ties() -> None:
    """DX-27: red and blue 70 each; from the bottom purple, red, yellow, blue: blue wins, red second."""
    pad = Playing("signoria", ("yellow", "red", "blue", "purple"))
    rounds(pad, {"missions": {"red": 70, "blue": 70, "yellow": 61, "purple": 58}})
    for faction in ("yellow", "red", "blue", "purple"):
        pad.enter("end", by=faction)
    assert pad.game.phase(pad.state) == "stack"
    assert pad.refused("stack", stack=["red", "red", "blue", "yellow"])[1] == "6.2"
    pad.enter("stack", stack=["purple", "red", "yellow", "blue"])
    assert pad.ranking == [{"blue"}, {"red"}, {"yellow"}, {"purple"}]


# Robber Knights (digest 6)


def test_buildings_are_worth_one_two_and_three() -> None:
    """R-T8: Blue on a castle, Red on a village, Yellow on a town."""
    pad = Playing("raubritter", ("blue", "yellow", "red"))
    pad.enter("final", castles={"blue": 1}, villages={"red": 1}, towns={"yellow": 1})
    assert pad.points() == {"blue": 1, "yellow": 3, "red": 2}
    assert pad.ranking == [{"yellow"}, {"red"}, {"blue"}]


def test_remaining_knights_break_ties() -> None:
    pad = Playing("raubritter", ("blue", "yellow", "red"))
    sentences = pad.enter(
        "final", towns={"blue": 1, "yellow": 1}, knights={"blue": 2, "yellow": 5, "red": 30}
    )
    assert sentences[-2:] == [
        "Level at 3 points; Yellow has 5 knights left, more than the others.",
        "Yellow wins with 3 points.",
    ]
    assert pad.ranking == [{"yellow"}, {"blue"}, {"red"}]
    assert pad.refused("final", by="red") == ("The pad is complete. Corrections are still possible.", "6")


def test_counted_points_replace_buildings() -> None:
    """Entered points replace the buildings of that colour only, up to the points of all buildings."""
    pad = Playing("raubritter", ("blue", "yellow", "red"))
    sentences = pad.enter(
        "final", towns={"blue": 2, "red": 1}, points={"yellow": 6, "red": 5}, knights={"yellow": 1}
    )
    assert "Yellow has 6 points, as you counted." in sentences
    assert pad.points() == {"blue": 6, "yellow": 6, "red": 5}
    assert (pad.parts("blue"), pad.parts("red")) == ({"towns": 6}, {"total": 5})
    assert pad.ranking == [{"yellow"}, {"blue"}, {"red"}]
    fresh = Playing("raubritter", ("blue", "yellow"))
    most = fresh.game.prompts(fresh.state)[0].choices()["points"]["most"]["blue"]
    message, rule = fresh.refused("final", points={"blue": most + 1})
    assert (message, rule) == (f"or points: at most {most}.", "6")
    assert fresh.refused("final", points={"pink": 1})[1] == "6"

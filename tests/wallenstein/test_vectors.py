"""Cases of part 7 of the digest, by number, as far as the calculators cover them.

Bookkeeping around a battle (the tower, gold, markers added afterwards) is tested in `test_table_vectors`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from games.wallenstein.hunger import row_of
from tests.wallenstein.asking import acts, ask, moves, steps_of

F = TypeVar("F", bound=Callable[..., None])
COVERED: set[str] = set()

# Cases of set-up, map, recruiting, building, taxes, planning and movement need a table.
OF_THE_TABLE = {"W-T8", "W-T10", *(f"W-D{n}" for n in (17, 18, 19, 20, 21, 22, 26, 27))}


def vector(number: str) -> Callable[[F], F]:
    """Mark a test as a case of the digest."""
    COVERED.add(number)
    return pytest.mark.parametrize((), [pytest.param(id=number)])


def check_battle(
    body: dict[str, Any], province: str, *, home: dict[str, int], armies: int, cup: int = 0
) -> None:
    """Assert the fate of the province, the cubes returned to the supplies and the armies left on it."""
    answer = ask("battle", **body)
    assert answer["province"] == province
    assert answer["back_to_supply"] == {"attacker": 0, "defender": 0, "peasants": 0} | home
    assert answer["stay_in_cup"] == {"peasants": cup}
    stayed = body.get("uncommitted", 0) if province == "held" else 0
    assert answer["survivors"] + stayed == armies


# 7.1 From the source


@vector("W-T1")
def test_two_share_the_palaces_of_brandenburg() -> None:
    palaces = {"red": 3, "blue": 3, "yellow": 1}
    assert ask("majorities", palace=palaces)["points"] == {"red": 2, "blue": 2, "yellow": 0}


@vector("W-T2")
def test_one_alone_has_most_palaces() -> None:
    assert ask("majorities", palace={"red": 2, "blue": 3})["points"] == {"red": 0, "blue": 3}


@vector("W-T3")
def test_shared_majority_brings_one_point_less() -> None:
    two = {"red": 1, "blue": 1}
    assert ask("majorities", trading_house=two)["points"] == {"red": 0, "blue": 0}
    assert ask("majorities", church=two)["points"] == {"red": 1, "blue": 1}
    assert ask("majorities", palace=two)["points"] == {"red": 2, "blue": 2}


@vector("W-T4")
@pytest.mark.parametrize("unrest", [0, 1])
def test_peasants_help_the_defender(unrest: int) -> None:
    body = {"kind": "player", "attacker": 3, "defender": 4, "peasants": 1, "unrest": unrest}
    check_battle(body, "held", home={"attacker": 3, "defender": 2, "peasants": 1}, armies=2)
    assert ask("battle", **body)["winner"] == "defender"


@vector("W-T5")
def test_winning_defender_keeps_the_surplus_armies() -> None:
    body = {"kind": "player", "attacker": 4, "defender": 6}
    check_battle(body, "held", home={"attacker": 4, "defender": 4}, armies=2)


@vector("W-T6")
def test_a_level_battle_destroys_the_province() -> None:
    body = {"kind": "player", "attacker": 4, "defender": 4}
    check_battle(body, "destroyed", home={"attacker": 4, "defender": 4}, armies=0)
    assert ask("battle", **body)["winner"] == "none"
    assert acts(steps_of("battle", **body)) == [
        "Take the buildings and unrest markers off the province; its card goes to those nobody owns."
    ]


@vector("W-T7")
def test_shortage_of_two_brings_one_revolt_with_two_rebels() -> None:
    assert ask("hunger", grain=5, loss=0, provinces=7) == {
        "grain": 5,
        "shortage": 2,
        "revolts": 1,
        "extra_rebels": 2,
    }


@vector("W-T9")
def test_hunger_table_matches_the_board() -> None:
    rows = {shortage: row_of(shortage)[1:] for shortage in (1, 2, 3, 4, 5, 6, 7, 20)}
    assert rows == {1: (1, 1), 2: (1, 2), 3: (2, 2), 4: (2, 2), 5: (2, 3), 6: (2, 3), 7: (3, 3), 20: (3, 3)}
    for shortage, (revolts, extra) in rows.items():
        answer = ask("hunger", grain=0, loss=0, provinces=shortage)
        assert (answer["revolts"], answer["extra_rebels"]) == (revolts, extra)


# 7.2 Derived


@vector("W-D1")
def test_a_conquest_with_uncommitted_defenders() -> None:
    body = {"kind": "player", "attacker": 4, "defender": 2, "peasants": 1, "unrest": 0, "uncommitted": 2}
    check_battle(body, "conquered", home={"attacker": 3, "defender": 4, "peasants": 1}, armies=1)


@vector("W-D2")
def test_with_two_markers_the_peasants_stay_in_the_cup() -> None:
    body = {"kind": "player", "attacker": 3, "defender": 2, "peasants": 2, "unrest": 2, "uncommitted": 2}
    check_battle(body, "conquered", home={"attacker": 2, "defender": 4}, armies=1, cup=2)
    assert acts(steps_of("battle", **body)) == ["Take the province card."]  # unrest markers stay


@vector("W-D3")
def test_with_one_marker_peasants_help() -> None:
    body = {"kind": "player", "attacker": 3, "defender": 2, "peasants": 2, "unrest": 1, "uncommitted": 2}
    check_battle(body, "held", home={"attacker": 3, "defender": 1, "peasants": 2}, armies=2 + 2 - 1)


@vector("W-D4")
def test_peasants_absorb_all_losses() -> None:
    body = {"kind": "player", "attacker": 2, "defender": 3, "peasants": 3, "unrest": 1}
    check_battle(body, "held", home={"attacker": 2, "peasants": 3}, armies=3)


@vector("W-D5")
def test_saved_by_peasants_alone() -> None:
    body = {"kind": "player", "attacker": 1, "defender": 0, "peasants": 2, "unrest": 0}
    check_battle(body, "held", home={"attacker": 1, "peasants": 2}, armies=0)
    assert ask("battle", **body)["winner"] == "defender"


@vector("W-D6")
def test_an_empty_province_is_conquered() -> None:
    body = {"kind": "neutral", "attacker": 3, "peasants": 1}
    check_battle(body, "conquered", home={"attacker": 1, "peasants": 1}, armies=2)
    assert acts(steps_of("battle", **body)) == [
        "Take the province card.",
        "Put 1 unrest marker on the province.",
    ]


@vector("W-D7")
def test_level_attack_on_an_empty_province_fails() -> None:
    body = {"kind": "neutral", "attacker": 2, "peasants": 2}
    check_battle(body, "neutral", home={"attacker": 2, "peasants": 2}, armies=0)
    assert ask("battle", **body)["winner"] == "none"
    assert acts(steps_of("battle", **body)) == []


@vector("W-D8")
def test_more_peasants_than_attackers_keep_an_empty_province() -> None:
    body = {"kind": "neutral", "attacker": 2, "peasants": 3}
    check_battle(body, "neutral", home={"attacker": 2, "peasants": 3}, armies=0)
    assert ask("battle", **body)["winner"] == "peasants"


@vector("W-D9")
def test_fewer_peasants_than_attackers_lose_an_empty_province() -> None:
    body = {"kind": "neutral", "attacker": 2, "peasants": 1}
    check_battle(body, "conquered", home={"attacker": 1, "peasants": 1}, armies=1)


@vector("W-D10")
def test_a_revolt_is_put_down() -> None:
    body = {"kind": "revolt", "defender": 3, "peasants": 2, "unrest": 2, "uncommitted": 1}
    check_battle(body, "held", home={"defender": 2, "peasants": 2}, armies=1 + 1)


@vector("W-D11")
def test_a_level_revolt_destroys_the_province() -> None:
    body = {"kind": "revolt", "defender": 2, "peasants": 2, "unrest": 2, "uncommitted": 1}
    check_battle(body, "destroyed", home={"defender": 3, "peasants": 2}, armies=0)


@vector("W-D12")
def test_a_cube_from_the_cup_counts() -> None:
    """A cube in the cup is thrown in with the others and counts as an attacker."""
    body = {"kind": "player", "attacker": 4, "defender": 3}
    check_battle(body, "conquered", home={"attacker": 3, "defender": 3}, armies=1)
    answer = ask(
        "tower",
        kind="player",
        attacker="blue",
        defender="red",
        cup={"blue": 1},
        thrown={"blue": 3, "red": 3},
        retention={"fresh": 0, "stuck": 1},
    )
    assert answer["win"] == {"attacker": 1, "defender": 0, "none": 0}
    assert answer["expected_survivors"] == {"attacker": 1, "defender": 0}


@vector("W-D13")
def test_palace_guard_helps_with_one_unrest_marker_only() -> None:
    body = {"kind": "player", "attacker": 3, "defender": 2, "peasants": 1}
    check_battle(
        {**body, "unrest": 1}, "destroyed", home={"attacker": 3, "defender": 2, "peasants": 1}, armies=0
    )
    check_battle({**body, "unrest": 2}, "conquered", home={"attacker": 2, "defender": 2}, armies=1, cup=1)


@vector("W-D14")
def test_four_grain_for_nine_provinces() -> None:
    expected = {"grain": 4, "shortage": 5, "revolts": 2, "extra_rebels": 3}
    assert ask("hunger", provinces=9, grain=8, loss=4) == expected


@vector("W-D15")
def test_grain_ends_at_zero() -> None:
    body = {"provinces": 3, "grain": 2, "loss": 6}
    assert ask("hunger", **body) == {"grain": 0, "shortage": 3, "revolts": 2, "extra_rebels": 2}
    counted = ask("hunger", **body, options={"grain_below_zero": True})
    assert counted == {"grain": 0, "shortage": 7, "revolts": 3, "extra_rebels": 3}


@vector("W-D16")
def test_enough_grain_prevents_revolts() -> None:
    expected = {"grain": 6, "shortage": 0, "revolts": 0, "extra_rebels": 0}
    assert ask("hunger", provinces=6, grain=9, loss=3) == expected


@vector("W-D23")
def test_score_of_three_players() -> None:
    """A is red, B blue, C black; the distribution of their provinces is made up."""
    answer = ask(
        "score",
        regions={
            "brandenburg": {
                "provinces": {"red": 3, "blue": 3, "black": 3},
                "palace": {"red": 2, "blue": 1},
                "church": {"red": 1, "blue": 1},
                "trading_house": {"blue": 1},
            },
            "kurpfalz": {
                "provinces": {"red": 5, "blue": 2, "black": 2},
                "palace": {"blue": 1},
                "church": {"red": 1},
                "trading_house": {"red": 1, "blue": 1},
            },
            "sachsen": {"provinces": {"blue": 2, "black": 4}},
        },
    )
    assert answer["points"] == {"red": 19, "blue": 17, "black": 9}
    assert answer["parts"] == {
        "red": {"provinces": 8, "buildings": 5, "majorities": (3 + 1) + (2 + 0)},
        "blue": {"provinces": 7, "buildings": 5, "majorities": (1 + 1) + (3 + 0)},
        "black": {"provinces": 9, "buildings": 0, "majorities": 0},
    }


@vector("W-D24")
def test_three_players_share_a_majority() -> None:
    three = ("red", "blue", "yellow")
    answer = ask(
        "score", regions={"bayern": {"provinces": dict.fromkeys(three, 7), "palace": dict.fromkeys(three, 1)}}
    )
    assert answer["points"] == dict.fromkeys(three, 7 + 1 + 2)


@vector("W-D25")
def test_churches_break_a_tie_in_points_and_palaces() -> None:
    points, palaces, churches = {"red": 60, "blue": 60}, {"red": 4, "blue": 4}, {"red": 3, "blue": 2}
    assert ask("winner", points=points, palaces=palaces, churches=churches) == {"winners": ["red"]}


@vector("W-D28")
def test_with_two_markers_peasants_do_not_count() -> None:
    body = {"kind": "player", "attacker": 3, "defender": 4, "peasants": 1, "unrest": 2}
    check_battle(body, "held", home={"attacker": 3, "defender": 3}, armies=1, cup=1)
    assert "peasants" not in [move.owner for move in moves(steps_of("battle", **body))]


# Coverage


def test_every_case_is_covered_here_or_at_the_table() -> None:
    everything = {f"W-T{n}" for n in range(1, 11)} | {f"W-D{n}" for n in range(1, 29)}
    assert everything == COVERED | OF_THE_TABLE
    assert not COVERED & OF_THE_TABLE

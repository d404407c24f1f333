"""Majorities, the points of a winter, and the winner."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from games.core.messages import Name
from games.wallenstein.scoring import rank
from tests.wallenstein import slow
from tests.wallenstein.asking import ask, steps_of, texts

COLOURS = slow.COLOURS
BUILDINGS = ("palace", "church", "trading_house")
REGIONS = ("brandenburg", "kurpfalz", "bayern", "oesterreich", "sachsen")


def board(generator: random.Random) -> list[slow.Province]:
    """Return up to nine owned provinces in each region, with up to three buildings each."""
    players = generator.sample(COLOURS, generator.randrange(2, 6))
    provinces = []
    for region in REGIONS:
        for _ in range(generator.randrange(10)):
            built = frozenset(b for b in BUILDINGS if generator.random() < 0.4)
            provinces.append((region, generator.choice(players), built))
    return provinces


def counted(provinces: list[slow.Province], region: str) -> dict[str, dict[str, int]]:
    """Return a region in the calculator's format."""
    here = [(owner, built) for where, owner, built in provinces if where == region]
    counts = {b: Counter(owner for owner, built in here if b in built) for b in BUILDINGS}
    return {"provinces": Counter(owner for owner, _ in here), **counts}


def scored(provinces: list[slow.Province]) -> dict[str, Any]:
    return ask("score", regions={region: counted(provinces, region) for region in REGIONS})


# Comparison with the slow implementation


def test_majorities_match_slow_implementation() -> None:
    generator = random.Random(1)
    for _ in range(1200):
        provinces = board(generator)
        region = generator.choice(REGIONS)
        buildings = counted(provinces, region)
        del buildings["provinces"]
        expected = slow.majorities(provinces, region)
        points = ask("majorities", **buildings)["points"]
        assert points == {colour: expected[colour] for colour in points}
        assert not any(expected[colour] for colour in COLOURS if colour not in points)


def test_score_matches_slow_implementation() -> None:
    generator = random.Random(2)
    for _ in range(700):
        provinces = board(generator)
        answer = scored(provinces)
        expected = slow.score(provinces)
        assert set(answer["parts"]) == {owner for _, owner, _ in provinces}
        assert answer["parts"] == {colour: expected[colour] for colour in answer["parts"]}
        assert answer["points"] == {c: sum(expected[c].values()) for c in answer["points"]}


def test_winners_match_slow_implementation() -> None:
    generator = random.Random(3)
    shared = 0
    for _ in range(2500):
        players = generator.sample(COLOURS, generator.randrange(1, 6))
        names = ("points", "palaces", "churches", "trading_houses")
        body = {
            name: {p: generator.randrange(2) for p in players if generator.random() < 0.9} for name in names
        }
        if any(body.values()):
            winners = ask("winner", **body)["winners"]
            assert winners == slow.winners(*body.values()), body
            assert explained_winners(body) == winners, body
            shared += len(winners) > 1
    assert shared > 100


def explained_winners(body: dict[str, Any]) -> list[str]:
    """Return the players named in the last step of the explanation."""
    params = steps_of("winner", **body)[-1].message.params
    names = params.get("factions", (params.get("faction"),))
    return [name.slug for name in names if isinstance(name, Name)] if isinstance(names, tuple) else []


# General properties


def test_total_points_of_a_majority() -> None:
    """Nothing, all points for one leader, or one less for each of several (9.13)."""
    generator = random.Random(4)
    for _ in range(300):
        counts = {colour: generator.randrange(4) for colour in COLOURS}
        for building, worth in zip(BUILDINGS, (3, 2, 1), strict=True):
            total = sum(ask("majorities", **{building: counts})["points"].values())
            leaders = [c for c in COLOURS if counts[c] == max(counts.values())]
            if not any(counts.values()):
                assert total == 0
            else:
                assert total == (worth if len(leaders) == 1 else len(leaders) * (worth - 1))


def test_region_gives_one_player_at_most_six_points() -> None:
    counts = {"red": 1}
    assert ask("majorities", palace=counts, church=counts, trading_house=counts) == {"points": {"red": 6}}


def test_points_do_not_depend_on_player_colours() -> None:
    """Renaming the players renames the points (9.14)."""
    counts = {
        "palace": {"red": 2, "blue": 2, "black": 1},
        "church": {"blue": 1},
        "trading_house": {"black": 3},
    }
    points = ask("majorities", **counts)["points"]
    for names in permutations(COLOURS, 3):
        renamed = dict(zip(("red", "blue", "black"), names, strict=True))
        other = {b: {renamed[c]: n for c, n in counted.items()} for b, counted in counts.items()}
        assert ask("majorities", **other)["points"] == {renamed[c]: n for c, n in points.items()}


def test_one_more_building_is_worth_at_least_a_point() -> None:
    """Nobody else gains from it (9.15)."""
    generator = random.Random(5)
    for _ in range(150):
        provinces = [p for p in board(generator) if len(p[2]) < 3]
        if not provinces:
            continue
        before = scored(provinces)
        i = generator.randrange(len(provinces))
        region, owner, built = provinces[i]
        new = generator.choice([b for b in BUILDINGS if b not in built])
        provinces[i] = (region, owner, built | {new})
        after = scored(provinces)
        assert after["points"][owner] >= before["points"][owner] + 1
        for other in before["points"]:
            if other != owner:
                assert after["points"][other] <= before["points"][other]


def test_the_order_of_entries_does_not_matter() -> None:
    answer = ask("winner", points={"red": 5, "blue": 5})
    assert answer == ask("winner", points={"blue": 5, "red": 5}) == {"winners": ["red", "blue"]}


# Ties


@pytest.mark.parametrize(
    ("body", "winners"),
    [
        ({"points": {"red": 61, "blue": 60}, "palaces": {"blue": 9}}, ["red"]),
        ({"points": {"red": 60, "blue": 60}, "palaces": {"blue": 1}, "churches": {"red": 9}}, ["blue"]),
        ({"points": {"red": 60, "blue": 60}, "churches": {"red": 1}, "trading_houses": {"blue": 9}}, ["red"]),
        ({"points": {"red": 60, "blue": 60}, "trading_houses": {"blue": 1}}, ["blue"]),
        ({"points": {"red": 60, "blue": 60, "black": 59}, "palaces": {"black": 9}}, ["red", "blue"]),
        ({"points": {"red": 0, "blue": 0}}, ["red", "blue"]),
    ],
)
def test_tie_breaks_apply_in_order(body: dict[str, Any], winners: list[str]) -> None:
    assert ask("winner", **body)["winners"] == winners


def test_shared_victory_is_explained() -> None:
    assert texts(steps_of("winner", points={"red": 9, "black": 9}))[-1] == (
        "Red, Black are level in everything and share the victory."
    )


def test_rank_returns_places_from_first_to_last() -> None:
    points, palaces = {"red": 5, "blue": 7, "black": 5, "yellow": 5}, {"red": 1, "black": 1}
    assert rank([points, palaces], COLOURS) == [("blue",), ("red", "black"), ("yellow",), ("purple",)]


# Warnings


def test_impossible_board_is_scored_with_a_warning() -> None:
    region = {"provinces": {"red": 9, "blue": 1}, "palace": {"blue": 2}}
    assert ask("score", regions={"bayern": region})["points"] == {"red": 9, "blue": 1 + 2 + 3}
    sentences = texts(steps_of("score", regions={"bayern": region}))
    assert "Bayern: 10 provinces are entered. Please check: a region has exactly nine provinces." in sentences
    assert (
        "Bayern, Palaces: Blue has 2, but only 1 of the provinces. "
        "Please check: a province has at most one of each kind." in sentences
    )


def test_possible_board_gets_no_warning() -> None:
    generator = random.Random(6)
    for _ in range(50):
        provinces = board(generator)
        sentences = texts(
            steps_of("score", regions={region: counted(provinces, region) for region in REGIONS})
        )
        assert not any("Please check" in line for line in sentences)

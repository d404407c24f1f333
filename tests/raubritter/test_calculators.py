"""The four calculators: vectors of the digest, contract examples, brute-force comparison, bad input."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, TypeVar

import pytest

from games.core.errors import BadInput, Refused
from games.core.messages import say
from games.raubritter import RAUBRITTER
from games.raubritter.calculators import CALCULATORS
from tests.core.rendering import placeholders
from tests.signoria.asking import Desk, input_names

F = TypeVar("F", bound=Callable[..., None])
DESK = Desk(CALCULATORS)
COVERED: set[str] = set()
ROUNDS = 3000

TERRAINS = {"P": "plain", "F": "forest", "M": "mountain", "L": "lake"}
LEGAL = {"legal": True}


def vector(number: str) -> Callable[[F], F]:
    """Mark a test as the digest case with this number."""
    COVERED.add(number)
    return pytest.mark.parametrize((), [pytest.param(id=number)])


def line(drawing: str) -> list[dict[str, Any]]:
    """Parse tiles from the castle outward: ``P F2 M``; the number is the knights already there."""
    return [{"terrain": TERRAINS[word[0]], "stack": int(word[1:] or 0)} for word in drawing.split()]


def march(drawing: str, left: list[int], knights: int | None = None, **options: bool) -> dict[str, Any]:
    count = sum(left) if knights is None else knights
    return DESK.ask("march", knights=count, tiles=line(drawing), left=left, options=options)


def march_refusal(drawing: str, left: list[int], knights: int | None = None, **options: bool) -> str:
    """Return the sentence with which a march is refused."""
    count = sum(left) if knights is None else knights
    kind, rule, text = DESK.refused("march", knights=count, tiles=line(drawing), left=left, options=options)
    assert (kind, rule) == ("illegal", "5.3")
    return text


def ways(drawing: str, knights: int, **options: bool) -> list[list[int]]:
    answer = DESK.ask("marches", knights=knights, tiles=line(drawing), options=options)
    found_ways: list[list[int]] = answer["options"]
    return found_ways


def all_ways(drawing: str, most: int = 5) -> list[list[int]]:
    """Return the marches of 0 to ``most`` knights."""
    return [left for knights in range(most + 1) for left in ways(drawing, knights)]


def place(players: int, tiles: list[tuple[int, int]], at: tuple[int, int]) -> dict[str, Any]:
    return DESK.ask("placement", players=players, tiles=tiles, at=at)


def placement_refusal(players: int, tiles: list[tuple[int, int]], at: tuple[int, int]) -> str:
    kind, rule, text = DESK.refused("placement", players=players, tiles=tiles, at=at)
    assert (kind, rule) == ("illegal", "5.1")
    return text


def tile_with(building: str | None, *knights: str) -> dict[str, Any]:
    return {"building": building, "stack": list(knights)}


EDGE = "The tile must share a whole edge with a tile on the table."
SQUARE = [(0, 0), (1, 0), (0, 1), (1, 1)]

# 7.1 From the source


@vector("R-T1")
def test_four_knights_over_a_forest_to_a_town() -> None:
    assert march("P F P", [1, 2, 1]) == LEGAL
    tiles = [tile_with("castle", "red"), tile_with("village", "red", "red"), tile_with("town", "red")]
    assert DESK.ask("score", tiles=tiles, reserve={"red": 26}) == {"points": {"red": 6}, "winners": ["red"]}


@vector("R-T2")
def test_four_knights_can_march_over_three_plains() -> None:
    """The picture is missing; only the number of knights is known."""
    assert [1, 1, 1, 1] in ways("P P P P", 4)


@vector("R-T3")
def test_five_knights_take_four_tiles_and_fill_the_village() -> None:
    assert march("P F2 P P", [1, 2, 1, 1]) == LEGAL
    assert march_refusal("P F4 P", [1, 2, 1]) == "This tile already has 4 knights; nobody can enter it."


@vector("R-T4")
def test_placing_at_a_corner_is_refused() -> None:
    assert placement_refusal(2, SQUARE, (2, 2)) == EDGE
    assert placement_refusal(2, SQUARE, (-1, -1)) == EDGE


@vector("R-T5")
def test_placing_at_a_shared_edge_is_legal() -> None:
    assert all(place(2, SQUARE, cell) == LEGAL for cell in ((2, 0), (2, 1), (0, 2), (-1, 0), (1, -1)))


@vector("R-T6")
def test_two_player_area_is_seven_tiles_wide_and_high() -> None:
    row = [(x, 0) for x in range(7)]
    text = "With 2 players the land may be at most 7 tiles wide and high."
    assert [placement_refusal(2, row, cell) for cell in ((7, 0), (-1, 0))] == [text, text]
    assert placement_refusal(2, [(0, y) for y in range(7)], (0, 7)) == text


@vector("R-T8")
def test_topmost_knight_scores() -> None:
    tiles = [
        tile_with("castle", "red", "blue"),
        tile_with("village", "blue", "red"),
        tile_with("town", "red", "yellow"),
    ]
    answer = DESK.ask("score", tiles=tiles, reserve={"blue": 0, "red": 0, "yellow": 0})
    assert answer == {"points": {"blue": 1, "yellow": 3, "red": 2}, "winners": ["yellow"]}


@vector("R-T9")
@pytest.mark.parametrize(("players", "most"), [(2, 7), (3, 9), (4, 10)])
def test_area_limit_per_player_count(players: int, most: int) -> None:
    row = [(x, 0) for x in range(most - 1)]
    assert place(players, row, (most - 1, 0)) == LEGAL
    text = f"With {players} players the land may be at most {most} tiles wide and high."
    assert placement_refusal(players, [*row, (most - 1, 0)], (most, 0)) == text


@vector("R-T10")
def test_sending_no_knights_is_legal() -> None:
    assert march("P P", [0]) == march("P P", []) == LEGAL
    assert ways("P P", 0) == [[0]]
    assert DESK.texts("march", knights=0, tiles=line("P"), left=[]) == [
        "No knights are sent; that is always allowed."
    ]


# 7.2 Derived


@vector("R-D1")
def test_two_more_knights_fill_a_forest_with_two() -> None:
    assert march("P F2 P", [1, 2, 1]) == LEGAL
    assert not [left for left in all_ways("P F4 P") if len(left) > 1]


@vector("R-D2")
def test_forest_with_three_knights_blocks_the_line() -> None:
    assert not [left for left in all_ways("P F3 P") if len(left) > 1]
    assert march_refusal("P F3 P", [1, 2]) == "This tile already has 3 knights; only 1 more fits."
    assert march_refusal("P F3 P", [1, 2, 1]) == "This tile already has 3 knights; only 1 more fits."


@vector("R-D3")
def test_one_knight_cannot_enter_a_forest() -> None:
    assert march_refusal("P F", [3, 1]) == "You need 2 knights to enter the forest, only 1 would arrive."
    assert march("P F", [2, 2]) == march("P F", [1, 2]) == LEGAL


@vector("R-D4")
def test_marches_onto_a_mountain() -> None:
    assert sorted(left for left in all_ways("P M") if len(left) > 1) == [[1, 3], [1, 4], [2, 3]]
    assert march_refusal("P M", [2, 2]) == "You need 3 knights to enter the mountain, only 2 would arrive."


@vector("R-D5")
def test_mountain_with_three_knights_cannot_be_entered() -> None:
    assert not [left for left in all_ways("P M3") if len(left) > 1]
    assert march_refusal("P M3", [1, 3]) == "This tile already has 3 knights; only 1 more fits."


@vector("R-D6")
def test_lake_cannot_be_entered_or_jumped() -> None:
    assert not [left for left in all_ways("P L P") if len(left) > 1]
    assert (
        march_refusal("P L P", [1, 1])
        == march_refusal("P L P", [1, 0, 1])
        == "Knights cannot enter the lake."
    )


@vector("R-D7")
def test_march_cannot_pass_the_last_tile() -> None:
    """The input has no gaps, so the line ends after its last tile."""
    assert not [left for left in all_ways("P") if len(left) > 1]
    assert (
        march_refusal("P", [1, 1])
        == march_refusal("P", [1, 0, 1])
        == "There is no tile here; knights cannot jump."
    )


@vector("R-D8")
def test_five_plains_with_one_knight_each() -> None:
    assert march("P P P P P", [1, 1, 1, 1, 1]) == LEGAL


@vector("R-D9")
def test_march_from_a_forest_castle_to_a_forest() -> None:
    assert march("F P F", [2, 1, 2]) == LEGAL


@vector("R-D10")
def test_one_knight_cannot_stay_on_a_forest_castle() -> None:
    text = "A forest needs 2 knights, you leave only 1."
    assert march_refusal("F P", [1]) == march_refusal("F P", [1, 1]) == text
    # A-04 with the option on
    assert march("F P", [1], lone_knight=True) == LEGAL
    assert ways("F P", 1, lone_knight=True) == [[1]]
    assert march_refusal("F P", [1, 1], lone_knight=True) == text


@vector("R-D11")
def test_five_knights_cannot_all_stay_on_the_castle() -> None:
    assert march_refusal("P", [5]) == "At most 4 knights can stay on a tile; move at least one."
    assert all_ways("P") == [[0], [1], [2], [3], [4]]
    assert ways("P M3", 5) == []


@vector("R-D12")
def test_fifteen_marches_to_a_single_plain() -> None:
    stay, east = [[0], [1], [2], [3], [4]], [[1, 1], [1, 2], [1, 3], [1, 4], [2, 1], [2, 2], [2, 3]]
    assert sorted(all_ways("P P")) == sorted([*stay, *east, [3, 1], [3, 2], [4, 1]])
    assert len(all_ways("P P")) == 15
    assert len(all_ways("P P", most=3)) == 7


@vector("R-D13")
def test_ten_marches_from_a_forest_castle_to_a_plain() -> None:
    assert len(all_ways("F P")) == 10


@vector("R-D14")
def test_thirty_one_marches_over_four_plains() -> None:
    assert len(all_ways("P P P P P")) == 31


@vector("R-D15")
def test_twenty_one_marches_to_a_plain_or_a_forest() -> None:
    staying = all_ways("P")
    assert len(all_ways("P P")) + len([left for left in all_ways("P F") if left not in staying]) == 21


@vector("R-D16")
def test_fourth_knight_takes_and_fills_a_town() -> None:
    assert march("P P3", [1, 1]) == LEGAL
    tiles = [tile_with("town", "red", "red", "blue", "yellow")]
    answer = DESK.ask("score", tiles=tiles, reserve={"red": 0, "blue": 0, "yellow": 0})
    assert answer == {"points": {"blue": 0, "yellow": 3, "red": 0}, "winners": ["yellow"]}
    assert march_refusal("P P4", [1, 1]) == "This tile already has 4 knights; nobody can enter it."


@vector("R-D17")
def test_eighth_column_is_refused_with_two_players() -> None:
    row = [(x, 0) for x in range(7)]
    assert (
        placement_refusal(2, row, (7, 0)) == "With 2 players the land may be at most 7 tiles wide and high."
    )
    assert place(2, row, (3, 1)) == LEGAL


@vector("R-D18")
def test_gaps_count_towards_the_width() -> None:
    row = [(x, 0) for x in (0, 1, 2, 3, 5, 6)]
    assert place(2, row, (4, 0)) == LEGAL
    assert (
        placement_refusal(2, row, (7, 0)) == "With 2 players the land may be at most 7 tiles wide and high."
    )


@vector("R-D19")
@pytest.mark.parametrize(
    ("reserve", "winners", "text"),
    [
        ({"red": 3, "blue": 1}, ["red"], "Level at 20 points; Red has 3 knights left, more than the others."),
        (
            {"red": 3, "blue": 3},
            ["blue", "red"],
            "Level at 20 points and 3 knights left: the game is a draw.",
        ),
    ],
)
def test_unplaced_knights_break_a_tie(reserve: dict[str, int], winners: list[str], text: str) -> None:
    tiles = [tile_with("village", player) for player in ("red", "blue") for _ in range(10)]
    answer = DESK.ask("score", tiles=tiles, reserve=reserve)
    assert answer == {"points": {"blue": 20, "red": 20}, "winners": winners}
    assert text in DESK.texts("score", tiles=tiles, reserve=reserve)


CALCULATOR_VECTORS = {f"R-T{n}" for n in (1, 2, 3, 4, 5, 6, 8, 9, 10)} | {f"R-D{n}" for n in range(1, 20)}


def test_every_vector_of_a_calculator_is_covered() -> None:
    assert COVERED == CALCULATOR_VECTORS


# Examples of the contract

TILES = [
    {"terrain": "plain", "stack": 0},
    {"terrain": "forest", "stack": 0},
    {"terrain": "plain", "stack": 2},
]
CONTRACT: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("march", {"knights": 4, "tiles": TILES, "left": [1, 2, 1]}, LEGAL),
    ("marches", {"knights": 4, "tiles": TILES}, {"options": [[1, 2, 1], [1, 3], [2, 2], [4]]}),
    ("placement", {"players": 2, "tiles": [[0, 0], [1, 0]], "at": [2, 0]}, LEGAL),
    (
        "score",
        {"tiles": [{"building": "castle", "stack": ["red", "blue"]}], "reserve": {"red": 2, "blue": 0}},
        {"points": {"red": 0, "blue": 1}, "winners": ["blue"]},
    ),
]
VALID_BODIES = {name: body for name, body, _ in CONTRACT}
# Omitted knights and tiles default to none.
OPTIONAL_FIELDS = {
    "march": {"knights"},
    "marches": {"knights"},
    "placement": set(),
    "score": {"tiles", "reserve"},
}


def test_calculator_names() -> None:
    assert [c.name for c in CALCULATORS.calculators] == ["march", "marches", "placement", "score"]


@pytest.mark.parametrize(("name", "body", "answer"), CONTRACT, ids=list(VALID_BODIES))
def test_contract_example(name: str, body: dict[str, Any], answer: dict[str, Any]) -> None:
    assert DESK.ask(name, **body) == answer
    assert DESK.ask(name, **body, options={}) == answer


@pytest.mark.parametrize("calculator", CALCULATORS.calculators, ids=lambda c: c.name)
def test_calculator_example_and_labels(calculator: Any) -> None:
    assert DESK.ask(calculator.name, **calculator.example)
    assert set(calculator.example) == {part.name for part in calculator.inputs}
    texts = CALCULATORS.texts
    assert calculator.rule in texts.rules
    assert f"calculator.{calculator.name}" in texts.messages
    for name, _ in input_names(calculator.inputs):
        assert not name or name.isdigit() or f"input.{name}" in texts.messages


def test_calculator_texts_extend_game_texts() -> None:
    added = set(CALCULATORS.texts.messages) - set(RAUBRITTER.texts.messages)
    assert all(
        name.isidentifier() for code in added for name in placeholders(CALCULATORS.texts.messages[code])
    )
    shared = set(CALCULATORS.texts.messages) & set(RAUBRITTER.texts.messages)
    assert all(CALCULATORS.texts.messages[code] == RAUBRITTER.texts.messages[code] for code in shared)
    for name in ("blue", "yellow", "green", "red"):
        assert name in RAUBRITTER.factions


def test_places_have_names() -> None:
    assert CALCULATORS.place_message("cell:0,0") == say("cell", cell="K11")
    assert CALCULATORS.place_message("here") == say("here")


# Explanations in the steps


def test_march_is_explained_tile_by_tile() -> None:
    assert DESK.texts("march", **VALID_BODIES["march"]) == [
        "4 knights may be left like this: 1, 2, 1.",
        "Tile 1, a plain: 1 knight stays; at least 1, and 0 + 1 is at most 4.",
        "Tile 2, a forest: 2 knights stay; at least 2, and 0 + 2 is at most 4.",
        "Tile 3, a plain: 1 knight stays; at least 1, and 2 + 1 is at most 4.",
    ]
    assert DESK.texts("march", knights=1, tiles=line("F"), left=[1], options={"lone_knight": True})[1] == (
        "Tile 1, a forest: at this table a single knight may stay."
    )


def test_marches_are_explained_up_to_the_first_block() -> None:
    assert DESK.texts("marches", knights=2, tiles=line("P P1 F3 P")) == [
        "There are 2 ways to place 2 knights.",
        "Tile 1, a plain: at least 1 must stay, and 4 more fit.",
        "Tile 2, a plain: at least 1 must stay, and 3 more fit.",
        "Tile 3, a forest: at least 2 must stay, but 1 more fits; the way ends before it.",
    ]
    assert DESK.texts("marches", knights=1, tiles=line("P L P")) == [
        "There is 1 way to place 1 knight.",
        "Tile 1, a plain: at least 1 must stay, and 4 more fit.",
        "Tile 2 is a lake; the way ends before it.",
    ]
    assert len(DESK.texts("marches", knights=5, tiles=line("P " * 40))) == 1 + 5
    assert "0 more fit;" in DESK.texts("marches", knights=1, tiles=line("P P9"))[-1]


def test_placement_is_explained() -> None:
    assert DESK.texts("placement", players=2, tiles=[*SQUARE, (2, 1)], at=(2, 0)) == [
        "The cell is free and shares an edge with 2 tiles; the land is then 3 wide and 2 high, at most 7."
    ]


def test_score_is_explained_tile_by_tile() -> None:
    tiles = [
        tile_with("castle", "red", "blue"),
        tile_with(None, "red"),
        tile_with("town"),
        tile_with("village", "red"),
    ]
    assert DESK.texts("score", tiles=tiles, reserve={"red": 2, "blue": 0}) == [
        "Blue has 1 point: 1 from castles, 0 from villages, 0 from towns.",
        "Tile 1, a castle: Blue is on top, 1 point.",
        "Red has 2 points: 0 from castles, 2 from villages, 0 from towns.",
        "Tile 4, a village: Red is on top, 2 points.",
        "Red wins with 2 points.",
    ]


def test_score_warns_about_surplus_knights() -> None:
    tiles = [tile_with("castle", "red")]
    texts = DESK.texts("score", tiles=tiles, reserve={"red": 30})
    assert texts[0] == "Red has 30 knights in all; here are 31. Please check."
    assert not [text for text in DESK.texts("score", tiles=tiles, reserve={"red": 29}) if "check" in text]


# Brute-force implementations of the rules


def slow_legal(tiles: list[dict[str, Any]], left: list[int], knights: int) -> bool:
    """Simulate a march tile by tile, leaving knights behind until none is left (5.3)."""
    if knights == 0:
        return left in ([], [0])
    walking, ahead = knights, list(tiles)
    if knights > 5:
        return False
    for stay in left:
        if not ahead or ahead[0]["terrain"] == "lake":
            return False
        tile = ahead.pop(0)
        needed = {"plain": 1, "forest": 2, "mountain": 3}[tile["terrain"]]
        if stay < needed or stay > walking or tile["stack"] + stay > 4:
            return False
        walking -= stay
    return walking == 0


LISTS: dict[int, list[list[int]]] = {
    knights: [
        list(left) for size in range(1, 6) for left in product(range(6), repeat=size) if sum(left) == knights
    ]
    for knights in range(6)
}


def slow_ways(knights: int, tiles: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the legal marches among all candidates (5.3)."""
    lists = (
        list(left) for size in range(1, 6) for left in product(range(6), repeat=size) if sum(left) == knights
    )
    return {"options": sorted(left for left in lists if slow_legal(tiles, left, knights))}


def slow_place(players: int, tiles: list[tuple[int, int]], at: tuple[int, int]) -> bool:
    """Check a placement by sliding a square frame over the table until it covers all tiles (5.1)."""
    size = {2: 7, 3: 9, 4: 10}[players]
    touching = any(abs(x - at[0]) + abs(y - at[1]) == 1 for x, y in tiles)
    cells = [*tiles, at]
    fits = any(
        all(x <= column < x + size and y <= row < y + size for column, row in cells)
        for x in range(at[0] - size, at[0] + size)
        for y in range(at[1] - size, at[1] + size)
    )
    return touching and fits and at not in tiles


def slow_score(tiles: list[dict[str, Any]], reserve: dict[str, int]) -> dict[str, Any]:
    """Count points per player; a winner is a player whom nobody beats (6)."""
    playing = [
        player
        for player in ("blue", "yellow", "green", "red")
        if player in reserve or any(player in tile["stack"] for tile in tiles)
    ]
    points = {}
    for player in playing:
        points[player] = 0
        for tile in tiles:
            if tile["stack"][-1:] == [player]:
                points[player] += {"castle": 1, "village": 2, "town": 3, None: 0}[tile["building"]]
    strength = {player: (points[player], reserve.get(player, 0)) for player in playing}
    winners = [p for p in playing if not any(strength[other] > strength[p] for other in playing)]
    return {"points": points, "winners": winners}


def random_line(generator: random.Random) -> list[dict[str, Any]]:
    castle = {
        "terrain": generator.choice(("plain", "plain", "forest")),
        "stack": generator.choice((0, 0, 0, 1, 3)),
    }
    terrains = ("plain", "plain", "plain", "forest", "forest", "mountain", "lake")
    stacks = (0, 0, 0, 1, 2, 3, 4)
    return [
        castle,
        *(
            {"terrain": generator.choice(terrains), "stack": generator.choice(stacks)}
            for _ in range(generator.randint(0, 6))
        ),
    ]


def candidates(generator: random.Random) -> Iterator[dict[str, Any]]:
    """Yield random marches, half of them legal or one knight off."""
    for _ in range(ROUNDS):
        tiles = random_line(generator)
        left = [generator.choice((0, 1, 1, 1, 2, 2, 3, 4, 5)) for _ in range(generator.randint(0, 6))]
        legal = DESK.quick("marches", knights=generator.randint(0, 5), tiles=tiles)["options"]
        if legal and generator.random() < 0.5:
            left = list(generator.choice(legal))
            if generator.random() < 0.5:
                left[generator.randrange(len(left))] += generator.choice((1, -1)) if min(left) else 1
        slip = generator.choice((0, 0, 0, 0, 1, 2))
        yield {"knights": sum(left) + slip, "tiles": tiles, "left": left}


def accepted(name: str, **body: Any) -> bool:
    try:
        return bool(DESK.quick(name, **body)["legal"])
    except Refused:
        return False


def test_marches_match_brute_force() -> None:
    generator = random.Random(1)
    bodies = (
        {"knights": generator.randint(0, 5), "tiles": random_line(generator)} for _ in range(ROUNDS // 6)
    )
    DESK.agrees("marches", bodies, slow_ways)


def test_march_matches_brute_force() -> None:
    seen = {True: 0, False: 0}
    for body in candidates(random.Random(2)):
        legal = slow_legal(body["tiles"], body["left"], body["knights"])
        assert accepted("march", **body) == legal, body
        seen[legal] += 1
    assert min(seen.values()) > ROUNDS // 10


@pytest.mark.parametrize("lone_knight", [False, True])
@pytest.mark.parametrize("must_move", [False, True])
def test_listed_marches_are_exactly_the_legal_ones(*, must_move: bool, lone_knight: bool) -> None:
    """Invariant 14, for all values of the options of A-03 and A-04."""
    generator = random.Random(3)
    options = {"must_move": must_move, "lone_knight": lone_knight}
    lists = [
        list(left) for size in range(1, 6) for left in product(range(1, 6), repeat=size) if sum(left) <= 5
    ]
    for _ in range(100):
        tiles, knights = random_line(generator), generator.randint(1, 5)
        listed = DESK.quick("marches", knights=knights, tiles=tiles, options=options)["options"]
        legal = [
            left
            for left in lists
            if accepted("march", knights=knights, tiles=tiles, left=left, options=options)
        ]
        assert listed == sorted(legal), (tiles, knights)


def test_must_move_option_excludes_staying_if_a_march_exists() -> None:
    """Option of A-03."""
    assert ways("P P", 2) == [[1, 1], [2]]
    assert ways("P P", 2, must_move=True) == [[1, 1]]
    assert (
        march_refusal("P P", [2], must_move=True)
        == "At this table at least one knight must move on if it can."
    )
    assert ways("P P", 1, must_move=True) == [[1]]
    assert march("P L", [2], must_move=True) == LEGAL


def random_land(generator: random.Random) -> list[tuple[int, int]]:
    """Return up to 15 cells, not always connected and sometimes as wide as allowed."""
    x, y = generator.randint(-5, 5), generator.randint(-5, 5)
    cells = {(x, y)}
    for _ in range(generator.randint(0, 14)):
        if generator.random() < 0.9:
            x, y = generator.choice(sorted(cells))
            dx, dy = generator.choice(((1, 0), (1, 0), (-1, 0), (0, 1), (0, 1), (0, -1)))
            cells.add((x + dx, y + dy))
        else:
            cells.add((x + generator.randint(-6, 6), y + generator.randint(-6, 6)))
    return sorted(cells)


def test_placement_matches_brute_force() -> None:
    generator = random.Random(4)
    seen = {True: 0, False: 0}
    for _ in range(ROUNDS):
        tiles, players = random_land(generator), generator.randint(2, 4)
        x, y = generator.choice(tiles)
        at = (x + generator.choice((-1, 0, 0, 1)), y + generator.choice((-1, 0, 1)))
        legal = slow_place(players, tiles, at)
        assert accepted("placement", players=players, tiles=tiles, at=at) == legal, (players, tiles, at)
        seen[legal] += 1
    assert min(seen.values()) > ROUNDS // 10


def random_table(generator: random.Random) -> dict[str, Any]:
    players = generator.sample(RAUBRITTER.factions, generator.randint(1, 4))
    tiles = [
        tile_with(
            generator.choice((None, "castle", "village", "town")),
            *(generator.choice(players) for _ in range(generator.randint(0, 4))),
        )
        for _ in range(generator.randint(0, 6))
    ]
    named = [player for player in players if generator.random() < 0.8] or players
    return {"tiles": tiles, "reserve": {player: generator.randint(0, 2) for player in named}}


def test_score_matches_brute_force() -> None:
    generator = random.Random(5)
    DESK.agrees("score", (random_table(generator) for _ in range(ROUNDS)), slow_score)


# Invariants (digest 9)


def test_only_the_topmost_knight_counts() -> None:
    """Invariants 11 and 12."""
    generator = random.Random(6)
    for _ in range(ROUNDS // 10):
        body = random_table(generator)
        answer = DESK.quick("score", **body)
        below = [
            tile_with(
                t["building"], *generator.sample(t["stack"][:-1], len(t["stack"][:-1])), *t["stack"][-1:]
            )
            for t in body["tiles"]
        ]
        assert DESK.quick("score", tiles=below, reserve=body["reserve"]) == answer
        worth = sum({"castle": 1, "village": 2, "town": 3, None: 0}[t["building"]] for t in body["tiles"])
        assert sum(answer["points"].values()) <= worth


def test_placement_is_invariant_under_translation_and_rotation() -> None:
    """Invariant 13."""
    generator = random.Random(7)
    for _ in range(ROUNDS // 10):
        tiles, players = random_land(generator), generator.randint(2, 4)
        x, y = generator.choice(tiles)
        at = (x + generator.choice((-1, 0, 1)), y + generator.choice((-1, 0, 1)))
        legal = accepted("placement", players=players, tiles=tiles, at=at)
        dx, dy = generator.randint(-90, 90), generator.randint(-90, 90)
        moved = [(dx - row, dy + column) for column, row in [*tiles, at]]
        assert accepted("placement", players=players, tiles=moved[:-1], at=moved[-1]) == legal


# Bad input (digest 10)

COUNT = "Please enter a whole number, 0 or more."


@pytest.mark.parametrize("players", [0, 1, 5])
def test_player_count_outside_two_to_four_is_refused(players: int) -> None:
    refusal = DESK.refused("placement", players=players, tiles=[[0, 0]], at=[1, 0])
    assert refusal == ("illegal", "3", "Robber Knights is for 2 to 4 players.")


def test_placing_on_an_occupied_cell_is_refused() -> None:
    assert placement_refusal(2, SQUARE, (1, 1)) == "There is already a tile here."


def test_placing_on_an_empty_land_is_refused() -> None:
    assert placement_refusal(2, [], (0, 0)) == EDGE


def test_placing_on_a_land_that_is_too_wide_is_refused() -> None:
    row = [(x, 0) for x in range(8)]
    assert (
        placement_refusal(2, row, (3, 1)) == "With 2 players the land may be at most 7 tiles wide and high."
    )
    assert place(3, row, (3, 1)) == LEGAL


def test_six_knights_are_refused() -> None:
    text = "You may place at most 5 knights."
    assert march_refusal("P P P", [2, 2, 2]) == text
    assert DESK.refused("marches", knights=6, tiles=line("P P P")) == ("illegal", "5.3", text)


def test_knights_left_must_add_up_to_knights_sent() -> None:
    assert march_refusal("P P", [2, 2], 5) == "You placed 5 knights but left 4. Where is the fifth?"
    assert march_refusal("P P", [1, 1], 4) == "You placed 4 knights but left 2."
    assert march_refusal("P P", [1, 1], 1) == "You placed 1 knight but left 2."
    assert march_refusal("P P", [0, 0]) == "Without knights there is nothing to leave behind."


def test_more_than_four_knights_on_a_tile_are_refused() -> None:
    assert march_refusal("P P2", [1, 3]) == "This tile already has 2 knights; only 2 more fit."
    refusal = DESK.refused("score", tiles=[tile_with("town", *["red"] * 5)], reserve={})
    assert refusal == ("illegal", "5.3", "At most 4 knights can stay on a tile; here are 5.")


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        *[
            (name, {"knights": bad}, COUNT)
            for name in ("march", "marches")
            for bad in (-1, 1.5, "4", None, True)
        ],
        ("march", {"left": [1, -2, 1]}, COUNT),
        ("march", {"left": [1, 2.5, 1]}, COUNT),
        ("march", {"left": 4}, "“left” must be a list of the right length."),
        ("march", {"tiles": []}, "The first tile is the castle; name at least that."),
        ("marches", {"tiles": []}, "The first tile is the castle; name at least that."),
        ("march", {"tiles": [{"terrain": "plain", "stack": -1}]}, COUNT),
        ("march", {"tiles": [{"stack": 0}]}, "The field “terrain” is missing."),
        (
            "marches",
            {"tiles": [{"terrain": "swamp", "stack": 0}]},
            "“terrain” must be one of plain, forest, mountain, lake.",
        ),
        ("marches", {"tiles": [{"terrain": "plain", "knights": 0}]}, "There is no field “knights” here."),
        ("placement", {"players": 2.5}, COUNT),
        ("placement", {"at": [2, 0.5]}, "Please enter a whole number."),
        ("placement", {"at": [2]}, "“at” must be a list of the right length."),
        ("placement", {"at": [2, 0, 0]}, "“at” must be a list of the right length."),
        ("placement", {"tiles": [[0, 0], [1]]}, "“tiles[1]” must be a list of the right length."),
        ("placement", {"tiles": [[0, 0], [0, 0]]}, "There are two tiles at column 0, row 0. Please check."),
        ("score", {"reserve": {"red": -1}}, COUNT),
        ("score", {"reserve": {"red": 0.5}}, COUNT),
        ("score", {"reserve": {"purple": 1}}, "“purple” must be one of blue, yellow, green, red."),
        (
            "score",
            {"tiles": [tile_with("castle", "purple")]},
            "“stack[0]” must be one of blue, yellow, green, red.",
        ),
        ("score", {"tiles": [tile_with("tower", "red")]}, "“building” must be one of castle, village, town."),
        ("score", {"tiles": [], "reserve": {}}, "Name at least one player."),
    ],
)
def test_malformed_values_are_bad_input(name: str, change: dict[str, Any], sentence: str) -> None:
    kind, _, text = DESK.refused(name, **{**VALID_BODIES[name], **change})
    assert (kind, text) == ("bad-input", sentence)


@pytest.mark.parametrize("name", list(VALID_BODIES))
def test_unknown_and_missing_fields_are_bad_input(name: str) -> None:
    assert DESK.refused(name, **VALID_BODIES[name], surplus=1)[2] == "There is no field “surplus” here."
    for missing in set(VALID_BODIES[name]) - OPTIONAL_FIELDS[name]:
        body = {key: value for key, value in VALID_BODIES[name].items() if key != missing}
        assert DESK.refused(name, **body)[2] == f"The field “{missing}” is missing."


@pytest.mark.parametrize("name", list(VALID_BODIES))
@pytest.mark.parametrize("body", [None, 3, "x", [], [1]])
def test_body_must_be_an_object(name: str, body: Any) -> None:
    with pytest.raises(BadInput):
        CALCULATORS.by_name[name].calculate(body)


@pytest.mark.parametrize("name", list(VALID_BODIES))
def test_options_are_validated_against_the_game(name: str) -> None:
    assert DESK.ask(name, **VALID_BODIES[name], options={"start_rows": 1, "must_move": True})
    assert DESK.refused(name, **VALID_BODIES[name], options={"x": 1})[2].startswith(
        "There is no table option “x”; there are "
    )
    assert DESK.refused(name, **VALID_BODIES[name], options={"must_move": 1})[0] == "bad-input"


def test_omitted_fields_default_to_none() -> None:
    assert DESK.ask("score", tiles=[{"stack": ["green"]}, {"building": "town"}], reserve={"red": 1}) == {
        "points": {"green": 0, "red": 0},
        "winners": ["red"],
    }
    assert DESK.ask("marches", knights=1, tiles=[{"terrain": "plain"}]) == {"options": [[1]]}

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from companion.registry import titles
from games.core.boards import DRAWING, SOURCES, load_board
from games.core.errors import Illegal, Refused
from games.core.game import Result, Standing
from tests.core.rendering import sentence
from tests.core.toy import TOY, Take, toy

COLOURS = "Each player needs a colour of their own out of red, blue, green."

BAD_TABLES = [
    (["red"], {}, "Toy is for 2 to 2 players."),
    ([], {}, "Toy is for 2 to 2 players."),
    (["red", "blue", "green"], {}, "Toy is for 2 to 2 players."),
    (["red", "red"], {}, COLOURS),
    (["red", "mauve"], {}, COLOURS),
    (["red", "neutral"], {}, COLOURS),
    (["red", "blue"], {"first": "green"}, "The first player must sit at the table."),
    (["red", "blue"], {"players": 3}, "Toy is for 2 to 2 players."),
    (["red"], {"players": 2}, "2 people need 2 seats; 1 are taken."),
    (["red", "blue", "green"], {"players": 2}, "2 people need 2 seats; 3 are taken."),
]


@pytest.mark.parametrize(("factions", "settings", "message"), BAD_TABLES)
def test_invalid_seating_is_rejected(factions: list[str], settings: Any, message: str) -> None:
    with pytest.raises(Refused) as caught:
        TOY.prepare(factions, **settings)
    assert sentence(TOY, caught.value.message) == message


def test_prepare_returns_the_setup() -> None:
    setup = TOY.prepare(["green", "red"], first="red")
    assert setup.factions == ("green", "red")
    assert setup.first == "red"
    assert setup.players == 2
    assert setup.figures == {"heap": 7}
    assert TOY.prepare(["green", "red"]).first == "green"
    assert TOY.prepare(["green", "red"], figures={"heap": 9}).figures == {"heap": 9}


def test_why_not_returns_what_apply_raises() -> None:
    assert TOY.why_not(toy(), Take(faction="red", stones=1)) is None
    refusal = TOY.why_not(toy(), Take(faction="blue", stones=1))
    with pytest.raises(Illegal) as caught:
        TOY.apply(toy(), Take(faction="blue", stones=1))
    assert refusal is not None
    assert caught.value.message == refusal.message


def test_facts_exclude_ledger_and_setup() -> None:
    assert TOY.facts(toy()) == {
        "frames": [{"phase": "taking", "data": {"faction": "red"}}],
        "round": 1,
        "order": ["red", "blue"],
        "winner": None,
    }


def test_state_round_trips_through_json() -> None:
    assert TOY.read_state(json.loads(json.dumps(TOY.state_json(toy())))) == toy()


def test_points_are_the_exact_sum_of_their_parts() -> None:
    standing = Standing.of("red", {"cities": 2, "provinces": Fraction(1, 3)})
    assert standing.points == Fraction(7, 3)
    assert standing.parts == {"cities": Fraction(2), "provinces": Fraction(1, 3)}
    assert Standing.of("red", {}).points == 0


def test_the_winners_share_the_first_place() -> None:
    assert Result((("red", "blue"), ("green",))).winners == ("red", "blue")


@pytest.mark.parametrize("slug", list(titles()))
def test_every_part_of_a_board_has_a_source(slug: str) -> None:
    board = load_board(f"games.{slug}")
    assert {path for path in board.sources if "." not in path} == set(board.figures)
    assert set(board.sources.values()) <= {*SOURCES, DRAWING}


@pytest.mark.parametrize("slug", list(titles()))
def test_games_are_registered_under_their_slug(slug: str) -> None:
    assert titles()[slug].game.slug == slug
    assert (
        titles()[slug].game.min_players
        <= titles()[slug].game.max_players
        <= len(titles()[slug].game.factions)
    )

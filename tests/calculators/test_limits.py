"""Extreme bodies: every calculator answers or rejects them quickly, with a bounded response."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from companion import cache
from companion.registry import titles
from games.core.calculators import LARGEST
from games.wallenstein.pieces import COLOURS, CUBES
from tests.calculators.contract import IDS, ROWS, TOWER
from tests.calculators.filling import ALL, fields_of
from tests.calculators.filling import IDS as PAGE_IDS

MOST_BYTES = 1_000_000
# The target is 0.1 s; without limits such bodies take 11 s.
MOST_SECONDS = 2
ALL_ROWS = [*((game, name, body) for game, name, body, _answer in ROWS), ("wallenstein", "tower", TOWER)]
ALL_IDS = [*IDS, "wallenstein-tower"]

SLUGS = [f"{n:03d}".rjust(40, "x") for n in range(500)]
THIRD = CUBES // 3
SIGNORIA = ["yellow", "red", "blue", "purple"]
# Most expensive bodies that pass validation.
WORST: list[tuple[str, dict[str, Any]]] = [
    (
        "revolution/neutrals",
        {
            "round": 1,
            "supply": 47,
            "order_choice": SLUGS,
            "provinces": {slug: {"limit": LARGEST, "counters": 0} for slug in SLUGS},
        },
    ),
    (
        "revolution/neutrals",
        {"supply": 47, "order_choice": SLUGS[:2], "provinces": {s: {"limit": LARGEST} for s in SLUGS[:2]}},
    ),
    ("revolution/conflict", {"limit": 0, "counters": {"catholics": 56, "nobility": 56, "neutral": 47}}),
    ("revolution/battle", {"armies": {"catholics": 99, "habsburgs": 99, "burghers": 99}}),
    (
        "wallenstein/tower",
        {
            "kind": "player",
            "attacker": "red",
            "defender": "blue",
            "in_tower": dict.fromkeys(COLOURS, THIRD),
            "cup": dict.fromkeys(COLOURS, THIRD),
            "thrown": dict.fromkeys(("red", "blue", "peasants"), THIRD),
        },
    ),
    (
        "signoria/initiative",
        {"track": {"0": SIGNORIA}, "moves": [[SIGNORIA[n % 4], 1] for n in range(200)], "top": LARGEST},
    ),
    ("raubritter/marches", {"knights": 5, "tiles": [{"terrain": "plain", "stack": 0}] * 500}),
    ("raubritter/score", {"tiles": [{"building": "town", "stack": ["blue", "green", "red"]}] * 500}),
]


def post(path: str, body: Any) -> Any:
    """Send a body to a calculator, and check time and size of the response."""
    started = time.process_time()
    answer = Client().post(f"/api/calculators/{path}/", json.dumps(body), content_type="application/json")
    assert time.process_time() - started < MOST_SECONDS
    assert answer.status_code in (200, 400, 413), answer.content
    assert len(answer.content) < MOST_BYTES
    return answer


def extremes(value: Any) -> Iterator[Any]:
    """Yield well-formed variants of a body, each with one large number, list, text or map."""
    match value:
        case bool() | None:
            return
        case int() | float():
            yield from (0, 1, 47, LARGEST, 1_000_000)
        case str():
            yield "x" * 2_000
        case list():
            yield from ((value * 500)[:most] for most in (200, 500, 501) if value)
            for i, inner in enumerate(value):
                yield from ([*value[:i], other, *value[i + 1 :]] for other in extremes(inner))
        case dict():
            yield {**value, **{f"x{n}": next(iter(value.values()), 0) for n in range(400)}}
            for key, inner in value.items():
                yield from ({**value, key: other} for other in extremes(inner))


def all_large(value: Any) -> Any:
    """Return a body with every number and every list as large as the limits allow."""
    match value:
        case list():
            return ([all_large(inner) for inner in value] * 500)[:200]
        case dict():
            return {key: all_large(inner) for key, inner in value.items()}
        case int() if not isinstance(value, bool):
            return LARGEST
        case _:
            return value


@pytest.mark.parametrize(("game", "name", "body"), ALL_ROWS, ids=ALL_IDS)
def test_extreme_bodies_are_answered_in_time(game: str, name: str, body: Any) -> None:
    for extreme in (*extremes(body), all_large(body)):
        cache.clear_all()
        post(f"{game}/{name}", extreme)


@pytest.mark.parametrize(("path", "body"), WORST)
def test_worst_cases_are_answered_in_time(path: str, body: Any) -> None:
    assert post(path, body).status_code == 200


def test_oversized_bodies_are_rejected() -> None:
    """Without limits this body of 0.6 MB takes 11 s and returns 33 MB."""
    fields = {name: {"face_up": [4] * 50_000} for name in ("political", "church", "military")}
    assert post("signoria/end-score", {"men": [9] * 50_000, "fields": fields}).status_code == 413
    assert post("signoria/end-score", {"men": [9] * 501}).status_code == 413
    assert post("signoria/end-score", {"men": [9] * 500}).status_code == 200


@pytest.mark.parametrize(("game", "name", "body"), ALL_ROWS, ids=ALL_IDS)
def test_message_names_the_largest_number(game: str, name: str, body: Any) -> None:
    """Except where a rule has a narrower limit."""
    messages = {
        answer.json()["message"]
        for answer in (post(f"{game}/{name}", other) for other in extremes(body) if "1000000" in str(other))
        if answer.status_code == 400
    }
    assert "A number here can be at most 1000." in messages or name in ("recruit-cost", "placement")


def test_long_province_name_is_rejected() -> None:
    body = {"supply": 1, "provinces": {"x" * 41: {"limit": 2}}}
    assert post("revolution/neutrals", body).status_code == 400


# Pages


@pytest.mark.parametrize(("game", "calculator"), ALL, ids=PAGE_IDS)
def test_pages_reject_long_texts_and_many_fields(client: Client, game: Any, calculator: Any) -> None:
    address = f"/calculators/{game.slug}/{calculator.name}/"
    fields = fields_of(game, calculator, calculator.example)
    for name in fields:
        assert client.post(address, {**fields, name: "9" * 201}).status_code == 413
    assert client.post(address, {**fields, **{f"x.{n}": "1" for n in range(1000)}}).status_code == 400
    assert client.get(address, {f"x.{n}": "1" for n in range(1001)}).status_code == 400


def test_largest_form_is_answered_in_time(client: Client) -> None:
    stacks = {f"tiles.{n}.stack.{k}": "red" for n in range(96) for k in range(4)}
    fields = {**{f"x{n}": "1" for n in range(500)}, **stacks}
    started = time.process_time()
    assert client.post("/calculators/raubritter/score/", fields).status_code == 200
    assert time.process_time() - started < MOST_SECONDS


def test_every_calculator_is_covered() -> None:
    covered = {(game, name) for game, name, _body in ALL_ROWS}
    assert covered == {
        (slug, c.name) for slug, title in titles().items() for c in title.calculators.calculators
    }

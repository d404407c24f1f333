"""Calculators over the API: all examples of the contract, and rejection of invalid input."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from companion.registry import titles
from tests.calculators.contract import IDS, ROWS, TOWER


def post(path: str, body: Any) -> Any:
    return Client().post(f"/api/calculators/{path}/", json.dumps(body), content_type="application/json")


def check_error(answer: Any, status: int, code: str) -> str:
    """Check an error response and return its message."""
    assert answer.status_code == status, answer.content
    assert answer.headers["Content-Type"] == "application/json"
    body = answer.json()
    assert set(body) == {"code", "message", "rule"}
    assert body["code"] == code
    sentence: str = body["message"]
    assert sentence[0].isupper() or sentence[0] == "“"
    assert sentence.endswith((".", "?", "”"))
    return sentence


def check_step(step: dict[str, Any]) -> None:
    assert step["rule"]
    assert isinstance(step["rule"], str)
    assert step["text"]
    for move in step["moves"]:
        assert set(move) >= {"owner", "piece", "source", "target", "count"}
    for inner in step.get("steps", ()):
        check_step(inner)


@pytest.mark.parametrize(("game", "name", "body", "expected"), ROWS, ids=IDS)
def test_contract_example(game: str, name: str, body: Any, expected: Any) -> None:
    answer = post(f"{game}/{name}", body)
    assert answer.status_code == 200, answer.content
    data = answer.json()
    steps = data.pop("steps")
    assert data == expected
    assert list(data) == list(expected)
    assert steps
    for step in steps:
        check_step(step)


def test_contract_covers_every_calculator() -> None:
    named = {(game, name) for game, name, _, _ in ROWS} | {("wallenstein", "tower")}
    assert named == {
        (slug, c.name) for slug, title in titles().items() for c in title.calculators.calculators
    }
    assert len(named) == 27


def test_contract_example_of_the_tower() -> None:
    data = post("wallenstein/tower", TOWER).json()
    assert list(data) == ["win", "expected_survivors", "steps"]
    assert list(data["win"]) == ["attacker", "defender", "none"]
    assert list(data["expected_survivors"]) == ["attacker", "defender"]
    assert sum(data["win"].values()) == pytest.approx(1)
    assert data["win"]["defender"] > data["win"]["attacker"]
    for step in data["steps"]:
        check_step(step)


def test_whole_numbers_are_encoded_as_integers() -> None:
    raw = post("revolution/score", ROWS[15][2]).content.decode()
    assert '"cities":2,' in raw.replace(" ", "")


# Missing fields


# Figures printed on the board are required: zero would never be right.
PRINTED = {("conflict", "limit"), ("initiative", "top")}
# Without choices the answer has only the drafting order.
OTHER_WITHOUT = {("turn-order", "choices")}


def empty_value(value: Any) -> Any:
    """Return the empty value of the same type; None for a text."""
    return None if isinstance(value, str) else type(value)()


@pytest.mark.parametrize(("game", "name", "body", "_expected"), ROWS, ids=IDS)
def test_missing_fields_count_as_zero(game: str, name: str, body: Any, _expected: Any) -> None:
    for key, value in body.items():
        empty = empty_value(value)
        if empty is None or (name, key) in PRINTED | OTHER_WITHOUT:
            continue
        entered = post(f"{game}/{name}", {**body, key: empty})
        missing = post(f"{game}/{name}", {other: body[other] for other in body if other != key})
        assert missing.status_code == entered.status_code, key
        if missing.status_code == 200:
            assert missing.json() == entered.json(), key


# Rejected input


@pytest.mark.parametrize(("game", "name", "body", "_expected"), ROWS, ids=IDS)
def test_unknown_field_is_rejected(game: str, name: str, body: Any, _expected: Any) -> None:
    assert "nonsense" in check_error(post(f"{game}/{name}", {**body, "nonsense": 1}), 400, "bad-input")


@pytest.mark.parametrize(("game", "name", "body", "_expected"), ROWS, ids=IDS)
def test_unknown_option_is_rejected(game: str, name: str, body: Any, _expected: Any) -> None:
    check_error(post(f"{game}/{name}", {**body, "options": {"nonsense": True}}), 400, "bad-input")


def spoiled(value: Any, bad: Any) -> list[Any]:
    """Return copies of the data, each with one whole number replaced."""
    match value:
        case bool():
            return []
        case int():
            return [bad]
        case dict():
            return [{**value, key: worse} for key, inner in value.items() for worse in spoiled(inner, bad)]
        case list():
            return [
                [*value[:i], worse, *value[i + 1 :]]
                for i, inner in enumerate(value)
                for worse in spoiled(inner, bad)
            ]
        case _:
            return []


# Fields that accept fractions.
MAY_BE_A_FRACTION = {"provinces", "minor_provinces", "points"}
SOME_NUMBERS = [(g, n, b) for g, n, b, _ in ROWS if spoiled(b, 0)]


@pytest.mark.parametrize(("game", "name", "body"), SOME_NUMBERS)
@pytest.mark.parametrize("bad", [0.25, "1", None, True, 10**9])
def test_invalid_numbers_are_rejected(game: str, name: str, body: Any, bad: Any) -> None:
    exact = {
        key: value
        for key, value in body.items()
        if not (game == "revolution" and key in MAY_BE_A_FRACTION)
        and not (bad is None and key in ("provinces", "rate"))
    }
    for worse in spoiled(exact, bad):
        check_error(post(f"{game}/{name}", {**body, **worse}), 400, "bad-input")


@pytest.mark.parametrize(("game", "name", "body"), SOME_NUMBERS)
def test_negative_numbers_are_rejected(game: str, name: str, body: Any) -> None:
    if name == "placement":  # columns and rows may be negative
        body = {"players": body["players"]}
    for worse in spoiled(body, -1):
        answer = post(f"{game}/{name}", worse)
        assert answer.status_code == 400, worse
        assert answer.json()["code"] in ("bad-input", "illegal")


@pytest.mark.parametrize("body", [[], "text", 7, None, [[]]])
def test_body_must_be_an_object(body: Any) -> None:
    check_error(post("revolution/conflict", body), 400, "bad-input")


def test_empty_object_is_accepted_and_empty_body_rejected() -> None:
    assert post("revolution/taxes", {}).status_code == 200
    answer = Client().post("/api/calculators/revolution/taxes/", "", content_type="application/json")
    assert check_error(answer, 400, "bad-input") == "What is sent must be a JSON object."


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff", b'{"limit": NaN}', b"limit=5"])
def test_invalid_json_is_rejected(raw: bytes) -> None:
    answer = Client().post("/api/calculators/revolution/conflict/", raw, content_type="application/json")
    check_error(answer, 400, "bad-input")


@pytest.mark.parametrize(
    ("path", "body", "rule"),
    [
        ("revolution/taxes", {"provinces": [], "cities": 5, "rate": 3, "supply": 9}, "6.1"),
        ("raubritter/march", {"knights": 1, "tiles": [{"terrain": "lake"}], "left": [1]}, "5.3"),
        ("raubritter/placement", {"players": 2, "tiles": [[0, 0]], "at": [2, 0]}, "5.1"),
        ("signoria/die-cost", {"space": 5, "die": 7}, "5.1"),
        ("wallenstein/battle", {"kind": "neutral", "attacker": 2, "defender": 1}, "5.7"),
    ],
)
def test_illegal_input_names_its_rule(path: str, body: Any, rule: str) -> None:
    answer = post(path, body)
    assert answer.status_code == 400
    assert answer.json()["rule"] == rule
    assert answer.json()["message"]


@pytest.mark.parametrize("path", ["chess/mate", "revolution/mate", "raubritter/battle", "x/" + "y" * 300])
def test_unknown_calculator_returns_404(path: str) -> None:
    check_error(post(path, {}), 404, "unknown")


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete"])
def test_other_methods_return_405(method: str) -> None:
    answer = getattr(Client(), method)("/api/calculators/revolution/conflict/")
    assert answer.status_code == 405
    assert set(answer.json()) == {"code", "message", "rule"}

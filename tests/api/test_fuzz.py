"""Random requests are accepted or rejected with a message; rejected ones change nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.conftest import AtTable

QUICK = settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
LONG = settings(QUICK, max_examples=300)

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
TYPES = st.sampled_from(["lay", "place", "march", "end", "correct", "option", "fly"])
FACTIONS = st.sampled_from(["blue", "yellow", "green", ""]) | st.text(max_size=8)
SLUGS = st.sampled_from(
    [
        "plain",
        "lake",
        "knight",
        "tile",
        "supply",
        "cell:0,0",
        "cell:1,-1",
        "blue",
        "yellow",
        "north",
        "must_move",
    ]
)
FIELDS = st.sampled_from(
    [
        "tile",
        "tiles",
        "at",
        "knights",
        "direction",
        "left",
        "castle",
        "rulings",
        "owner",
        "piece",
        "place",
        "count",
        "reason",
        "against",
        "name",
        "value",
        "faction",
    ]
)
VALUES = SLUGS | ANYTHING | st.lists(st.integers(-3, 3), max_size=3)
ACTIONS = st.builds(
    lambda kind, fields: {**fields, "type": kind}, TYPES, st.dictionaries(FIELDS, VALUES, max_size=8)
)


def mutants(example: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return actions derived from a valid one by removing, changing or adding fields."""
    changes = st.dictionaries(st.sampled_from([*example, "rulings", "castle"]), VALUES, max_size=2)
    left_out = st.sets(st.sampled_from([*example]), max_size=1)
    return st.builds(
        lambda new, out: {k: v for k, v in {**example, **new}.items() if k not in out}, changes, left_out
    )


def snapshot(table: AtTable) -> list[Any]:
    return [table.json(part) for part in ("", "state/")]


def check(table: AtTable, part: str, body: Any, token: str | None = None) -> None:
    before = snapshot(table)
    shown = table.host if token is None else token
    raw = json.dumps(body).encode()  # may contain NaN and lone surrogates
    answer = table.api.raw(f"tables/{table.code}/{part}/", raw, token=shown)
    if answer.status_code in (200, 201):
        if part != "preview":
            for shown_now in ("", "state/", "prompts/", "journal/", "standings/"):
                table.json(shown_now)  # every view still works
            table.post("undo")
        return
    assert answer.status_code in (400, 401, 403, 409), answer.content
    error = answer.json()
    assert set(error) == {"code", "message", "rule"}
    assert error["message"]
    assert snapshot(table) == before


def fuzz(table: AtTable, data: st.DataObject) -> None:
    example = table.example()
    action = data.draw(st.one_of(mutants(example["action"]), ACTIONS, ANYTHING), label="action")
    faction = data.draw(st.one_of(st.just(example["faction"]), FACTIONS), label="faction")
    part = data.draw(st.sampled_from(["actions", "actions", "preview"]), label="part")
    check(table, part, {"action": action, "faction": faction})


@pytest.fixture(params=[0, 2, 12], ids="after {} entries".format)
def played(request: pytest.FixtureRequest, table: AtTable) -> AtTable:
    """During set-up; while placing; with castles and knights on the board."""
    table.play(request.param)
    return table


@QUICK
@given(data=st.data())
def test_random_actions(played: AtTable, data: st.DataObject) -> None:
    fuzz(played, data)


@pytest.mark.long
@LONG
@given(data=st.data())
def test_random_actions_long(played: AtTable, data: st.DataObject) -> None:
    fuzz(played, data)


@settings(QUICK, max_examples=30)
@given(body=ANYTHING, part=st.sampled_from(["actions", "preview", "undo", "redo", "start", "seats"]))
def test_random_bodies(table: AtTable, body: Any, part: str) -> None:
    check(table, part, body)


@settings(QUICK, max_examples=30)
@given(
    token=st.text(st.characters(min_codepoint=33, max_codepoint=255, exclude_characters="\x7f"), max_size=60)
)
def test_random_tokens_are_rejected(table: AtTable, token: str) -> None:
    body = table.example()
    answer = table.post("actions", body, token=token)
    assert answer.status_code in (401, 403)
    assert table.json("journal/") == []

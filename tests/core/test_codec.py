from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import pytest

from games.core.codec import LARGEST, Count, Json, from_json, to_json
from games.core.errors import BadInput
from tests.core.rendering import sentence
from tests.core.toy import TOY


@dataclass(frozen=True)
class Inner:
    cell: tuple[int, int]
    note: str | None = None


@dataclass(frozen=True)
class Record:
    number: int
    count: Count
    text: str
    flag: bool
    half: Fraction
    side: Literal["left", "right"]
    many: tuple[Count, ...]
    pair: tuple[int, str]
    table: Mapping[str, int]
    inner: Inner
    level: Literal[1, 2] = 1
    nothing: None = None
    data: Json = None
    inners: tuple[Inner, ...] = field(default=())


RECORD = Record(
    number=-3,
    count=4,
    text="text",
    flag=True,
    half=Fraction(13, 2),
    side="left",
    many=(1, 2),
    pair=(1, "a"),
    table={"a": -1},
    inner=Inner((2, -1)),
    data={"any": [1, None]},
    inners=(Inner((0, 0), "here"),),
)
DATA: dict[str, Any] = json.loads(json.dumps(to_json(RECORD)))


def test_record_round_trips_through_json() -> None:
    assert from_json(Record, DATA) == RECORD
    assert DATA["half"] == "13/2"
    assert DATA["inner"] == {"cell": [2, -1], "note": None}


def test_fields_with_defaults_are_optional() -> None:
    short = {
        name: value for name, value in DATA.items() if name not in ("level", "nothing", "data", "inners")
    }
    assert from_json(Record, short).level == 1


WHOLE = "Please enter a whole number."
COUNT = "Please enter a whole number, 0 or more."

BAD = [
    ("number", None, WHOLE),
    ("number", "1", WHOLE),
    ("number", 1.0, WHOLE),
    ("number", True, WHOLE),
    ("number", float("nan"), WHOLE),
    ("number", LARGEST + 1, WHOLE),
    ("number", -LARGEST - 1, WHOLE),
    ("number", [1], WHOLE),
    ("count", -1, COUNT),
    ("count", 0.5, COUNT),
    ("count", "two", COUNT),
    ("count", False, COUNT),
    ("count", None, COUNT),
    ("count", LARGEST + 1, COUNT),
    ("text", 1, "“text” must be a text."),
    ("text", None, "“text” must be a text."),
    ("text", ["a"], "“text” must be a text."),
    ("flag", 1, "“flag” must be yes or no."),
    ("flag", "true", "“flag” must be yes or no."),
    ("flag", None, "“flag” must be yes or no."),
    ("half", 0.5, "“half” must be a number."),
    ("half", True, "“half” must be a number."),
    ("half", None, "“half” must be a number."),
    ("half", "1/0", "“half” must be a number."),
    ("half", "1e9999999", "“half” must be a number."),
    ("half", "0.5", "“half” must be a number."),
    ("half", "1/-2", "“half” must be a number."),
    ("half", "9" * 5_000, "“half” must be a number."),
    ("half", "½", "“half” must be a number."),
    ("half", "١", "“half” must be a number."),
    ("half", " 1", "“half” must be a number."),
    ("half", {}, "“half” must be a number."),
    ("side", "up", "“side” must be one of left, right."),
    ("side", None, "“side” must be one of left, right."),
    ("side", ["left"], "“side” must be one of left, right."),
    ("level", 3, "“level” must be one of 1, 2."),
    ("level", True, "“level” must be one of 1, 2."),
    ("level", 1.0, "“level” must be one of 1, 2."),
    ("many", 1, "“many” must be a list of the right length."),
    ("many", None, "“many” must be a list of the right length."),
    ("many", "12", "“many” must be a list of the right length."),
    ("many", {"0": 1}, "“many” must be a list of the right length."),
    ("many", [1, -1], COUNT),
    ("pair", [1], "“pair” must be a list of the right length."),
    ("pair", [1, "a", 2], "“pair” must be a list of the right length."),
    ("pair", ["a", 1], WHOLE),
    ("pair", [1, 1], "“pair[1]” must be a text."),
    ("table", [], "“table” must be a table of names and values."),
    ("table", {1: 1}, "“table” must be a table of names and values."),
    ("table", {"a": "b"}, WHOLE),
    ("inner", None, "“inner” must be a table of names and values."),
    ("inner", [[2, -1]], "“inner” must be a table of names and values."),
    ("inner", {"cell": [2]}, "“cell” must be a list of the right length."),
    ("inner", {}, "The field “cell” is missing."),
    ("inner", {"cell": [2, -1], "surplus": 1}, "There is no field “surplus” here."),
    ("inner", {"cell": [2, -1], "note": 1}, "“note” must be a text."),
    ("nothing", 0, "“nothing” must be empty."),
    ("inners", [{}], "The field “cell” is missing."),
]


@pytest.mark.parametrize(("name", "value", "message"), BAD)
def test_invalid_value_is_rejected(name: str, value: Any, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        from_json(Record, {**DATA, name: value})
    assert sentence(TOY, caught.value.message) == message
    assert caught.value.rule is None


@pytest.mark.parametrize("name", ["number", "count", "text", "flag", "half", "side", "many", "pair", "inner"])
def test_missing_field_is_rejected(name: str) -> None:
    with pytest.raises(BadInput) as caught:
        from_json(Record, {k: v for k, v in DATA.items() if k != name})
    assert sentence(TOY, caught.value.message) == f"The field “{name}” is missing."


def test_unknown_field_is_rejected_and_truncated_in_the_message() -> None:
    with pytest.raises(BadInput) as caught:
        from_json(Record, {**DATA, "x" * 5_000: 1})
    assert sentence(TOY, caught.value.message) == f"There is no field “{'x' * 40}” here."
    with pytest.raises(BadInput):
        from_json(Record, {**DATA, 1: 1})


@pytest.mark.parametrize("data", [None, [], "text", 1])
def test_record_must_be_a_json_object(data: Json) -> None:
    with pytest.raises(BadInput):
        from_json(Record, data)


@pytest.mark.parametrize(
    ("data", "value"), [(2, Fraction(2)), ("-3", Fraction(-3)), ("13/2", Fraction(13, 2))]
)
def test_fractions_are_exact(data: Json, value: Fraction) -> None:
    assert from_json(Fraction, data) == value
    assert from_json(Fraction, to_json(value)) == value


def test_unsupported_types_raise_type_error() -> None:
    with pytest.raises(TypeError):
        from_json(set, [])
    with pytest.raises(TypeError):
        from_json(int | str, 1)  # type: ignore[arg-type]

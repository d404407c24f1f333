from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from games.core.messages import say
from games.core.prompts import Allocation, Choice, Choices, Group, Joint, Number, Plan, Prompt
from tests.core.toy import Take

PROMPT = Prompt(
    faction="red",
    title=say("take"),
    rule="1",
    example=Take(faction="red", stones=2),
    fields=(
        Number("stones", 2, 4),
        Choice("where", ("here", None)),
        Joint(("way", "far"), (("up", 1), ("down", 2))),
    ),
)


def test_domain_is_the_product_of_its_fields() -> None:
    elements = list(PROMPT.elements())
    assert PROMPT.size() == len(elements) == 3 * 2 * 2
    assert elements[0] == {"type": "take", "stones": 2, "where": "here", "way": "up", "far": 1}
    assert elements[-1] == {"type": "take", "stones": 4, "where": None, "way": "down", "far": 2}


def test_sample_is_an_element_of_the_domain() -> None:
    assert PROMPT.sample(lambda size: size - 1) == list(PROMPT.elements())[-1]
    assert PROMPT.sample(lambda _: 0) == next(PROMPT.elements())


def test_choices_returns_bounds_by_field() -> None:
    assert PROMPT.choices() == {
        "stones": {"kind": "number", "low": 2, "high": 4},
        "where": {"kind": "choice", "options": ["here", None]},
        "way+far": {"kind": "joint", "names": ["way", "far"], "options": [["up", 1], ["down", 2]]},
    }
    assert PROMPT.example_json() == {"type": "take", "stones": 2}
    assert PROMPT.action == "take"


def test_prompt_without_fields_has_one_element() -> None:
    prompt = Prompt("red", say("take"), "1", Take(faction="red", stones=1))
    assert prompt.size() == 1
    assert list(prompt.elements()) == [{"type": "take"}]


def test_choices_are_independent_and_optional() -> None:
    field = Choices("moves", {"a": ("x", "y"), "b": ("z",)})
    elements = [field.element(i)[0] for i in range(field.size())]
    assert len(elements) == 6
    assert {} in elements
    assert {"a": "y", "b": "z"} in elements
    assert field.bounds() == {"kind": "choices", "options": {"a": ["x", "y"], "b": ["z"]}}


@given(
    most=st.dictionaries(st.sampled_from("abcd"), st.integers(0, 3), min_size=1),
    group=st.integers(0, 3),
    low=st.integers(0, 5),
    more=st.integers(0, 4),
)
def test_allocation_enumerates_each_way_once(most: dict[str, int], group: int, low: int, more: int) -> None:
    grouped = tuple(key for key in most if key in "ac")
    field = Allocation("places", most, low, low + more, (Group(grouped, group),) if grouped else ())
    ways = [
        {key: count for key, count in zip(most, counts, strict=True) if count}
        for counts in itertools.product(*(range(n + 1) for n in most.values()))
    ]
    expected = [
        way
        for way in ways
        if low <= sum(way.values()) <= low + more
        and (not grouped or sum(way.get(key, 0) for key in grouped) <= group)
    ]
    elements = [field.element(i)[0] for i in range(field.size())]
    assert sorted(elements, key=str) == sorted(expected, key=str)


def test_plan_element_is_deterministic_per_index() -> None:
    field = Plan(("moves",), lambda below: ([below(10) for _ in range(5)],), {"most": 5})
    assert field.element(7) == field.element(7)
    assert len({str(field.element(i)) for i in range(50)}) > 40
    assert field.bounds() == {"kind": "plan", "names": ["moves"], "most": 5}

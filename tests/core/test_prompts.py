from __future__ import annotations

from games.core.messages import say
from games.core.prompts import Choice, Joint, Number, Prompt
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


def test_a_domain_is_the_product_of_its_fields() -> None:
    elements = list(PROMPT.elements())
    assert PROMPT.size() == len(elements) == 3 * 2 * 2
    assert elements[0] == {"type": "take", "stones": 2, "where": "here", "way": "up", "far": 1}
    assert elements[-1] == {"type": "take", "stones": 4, "where": None, "way": "down", "far": 2}


def test_a_sample_is_an_element() -> None:
    assert PROMPT.sample(lambda size: size - 1) == list(PROMPT.elements())[-1]
    assert PROMPT.sample(lambda _: 0) == next(PROMPT.elements())


def test_a_form_gets_the_bounds_by_field() -> None:
    assert PROMPT.choices() == {
        "stones": {"kind": "number", "low": 2, "high": 4},
        "where": {"kind": "choice", "options": ["here", None]},
        "way+far": {"kind": "joint", "names": ["way", "far"], "options": [["up", 1], ["down", 2]]},
    }
    assert PROMPT.example_json() == {"type": "take", "stones": 2}
    assert PROMPT.action == "take"


def test_a_prompt_without_fields_has_one_element() -> None:
    prompt = Prompt("red", say("take"), "1", Take(faction="red", stones=1))
    assert prompt.size() == 1
    assert list(prompt.elements()) == [{"type": "take"}]

"""Calculator forms: bodies round-trip through widgets, and garbage input never breaks them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.calculators.answers import answer_lines
from companion.calculators.forms import body_of, completed, widgets
from companion.registry import titles
from games.core.calculators import Calculator, Calculators, Group, Input, Order, Rows
from games.core.errors import Refused
from games.core.game import Texts
from games.core.messages import say
from tests.calculators.filling import ALL, IDS, fields_of

EACH = pytest.mark.parametrize(("game", "calculator"), ALL, ids=IDS)
Calc = Calculator[Any]


# Round trip


@EACH
def test_example_round_trips_through_the_form(game: Calculators, calculator: Calc) -> None:
    sent = fields_of(game, calculator, calculator.example)
    assert body_of(calculator.inputs, sent) == completed(calculator.inputs, calculator.example)


@EACH
def test_completing_a_body_keeps_the_answer(game: Calculators, calculator: Calc) -> None:
    """Completion may add zeros but keeps all existing values."""
    short = calculator.calculate(calculator.example).data
    full = calculator.calculate(completed(calculator.inputs, calculator.example)).data
    for key, value in short.items():
        if isinstance(value, Mapping):
            assert {name: full[key][name] for name in value} == value
        else:
            assert full[key] == value


@EACH
def test_every_widget_is_rendered_once_and_labelled(game: Calculators, calculator: Calc) -> None:
    rendered = widgets(game, calculator.inputs, calculator.example, within=(calculator.name,))
    assert len(rendered) <= len(calculator.inputs)
    assert all(widget["label"] for widget in rendered)


# Buttons


def inputs_of_kind(inputs: tuple[Input, ...], kind: type, prefix: str = "") -> list[tuple[str, Any]]:
    """Return the inputs of one kind outside of lists, with their paths."""
    here = [(prefix + item.name, item) for item in inputs if isinstance(item, kind)]
    inner = [
        pair
        for item in inputs
        if isinstance(item, Group)
        for pair in inputs_of_kind(item.inputs, kind, f"{prefix}{item.name}.")
    ]
    return here + inner


def at(body: Any, path: str) -> Any:
    for name in path.split("."):
        body = body[name]
    return body


LISTS = [
    (g, c, path, item)
    for g, c in ALL
    for path, item in inputs_of_kind(c.inputs, Rows)
    if not item.after_first
]
ORDERS = [(g, c, path, item) for g, c in ALL for path, item in inputs_of_kind(c.inputs, Order)]


@pytest.mark.parametrize(("game", "calculator", "path", "item"), LISTS)
def test_row_is_added_and_removed(game: Calculators, calculator: Calc, path: str, item: Rows) -> None:
    body = completed(calculator.inputs, calculator.example)
    before = at(body, path)
    sent = fields_of(game, calculator, body)
    longer = body_of(calculator.inputs, {**sent, "add": path})
    grown = at(longer, path)
    assert len(grown) == min(len(before) + 1, item.most)
    assert grown[: len(before)] == before
    sent = fields_of(game, calculator, longer)
    again = body_of(calculator.inputs, {**sent, "drop": f"{path}.{len(grown) - 1}"})
    assert at(again, path) == grown[:-1]


@pytest.mark.parametrize(("game", "calculator", "path", "item"), LISTS)
def test_full_list_does_not_grow(game: Calculators, calculator: Calc, path: str, item: Rows) -> None:
    body = completed(calculator.inputs, calculator.example)
    for _ in range(item.most + 1):
        body = body_of(calculator.inputs, {**fields_of(game, calculator, body), "add": path})
    assert len(at(body, path)) == item.most


@pytest.mark.parametrize(("game", "calculator", "path", "item"), LISTS)
def test_new_row_is_well_formed(game: Calculators, calculator: Calc, path: str, item: Rows) -> None:
    """It may be against the rules, but never malformed."""
    sent = fields_of(game, calculator, calculator.example)
    longer = body_of(calculator.inputs, {**sent, "add": path})
    code = ""
    try:
        calculator.calculate(longer)
    except Refused as refusal:
        code = refusal.message.code
    assert not code.startswith(("core.", "not-a-decimal"))


def test_first_of_several_rows_is_removed() -> None:
    calculator = titles()["raubritter"].calculators.by_name["march"]
    sent = fields_of(titles()["raubritter"].calculators, calculator, calculator.example)
    body = body_of(calculator.inputs, {**sent, "drop": "tiles.0"})
    assert body["tiles"] == [{"terrain": "forest", "stack": 0}, {"terrain": "plain", "stack": 2}]


@pytest.mark.parametrize(("game", "calculator", "path", "item"), ORDERS)
def test_item_moves_up(game: Calculators, calculator: Calc, path: str, item: Order) -> None:
    sent = fields_of(game, calculator, calculator.example)
    before = at(body_of(calculator.inputs, sent), path)
    assert sorted(before) == sorted(item.keys)
    for i in range(len(before)):
        after = at(body_of(calculator.inputs, {**sent, "up": f"{path}.{i}"}), path)
        expected = [*before[: i - 1], before[i], before[i - 1], *before[i + 1 :]] if i else before
        assert after == expected


@pytest.mark.parametrize(("game", "calculator", "path", "item"), ORDERS)
def test_broken_order_is_repaired(game: Calculators, calculator: Calc, path: str, item: Order) -> None:
    sent = {**fields_of(game, calculator, calculator.example), f"{path}.0": item.keys[-1], f"{path}.1": "x"}
    broken = body_of(calculator.inputs, sent)
    repaired = body_of(calculator.inputs, fields_of(game, calculator, broken))
    order = at(repaired, path)
    assert len(set(order)) == len(order) >= (item.fewest or len(item.keys))


TURN_ORDER = titles()["revolution"].calculators.by_name["turn-order"]


def ordering(**pressed: str) -> dict[str, Any]:
    sent = fields_of(titles()["revolution"].calculators, TURN_ORDER, TURN_ORDER.example)
    return body_of(TURN_ORDER.inputs, {**sent, **pressed})


def test_removing_a_faction_from_the_order_updates_dependent_inputs() -> None:
    body = ordering(drop="order.2")
    assert body["order"] == ["catholics", "habsburgs", "burghers", "reformers"]
    assert list(body["points"]) == body["order"]
    assert body["choices"] == [0, 1, 3]
    again = body_of(
        TURN_ORDER.inputs,
        {**fields_of(titles()["revolution"].calculators, TURN_ORDER, body), "add": "order.nobility"},
    )
    assert again["order"] == ["catholics", "habsburgs", "burghers", "reformers", "nobility"]
    assert (again["points"]["nobility"], again["choices"]) == (0, [0, 1, 3, 0])


def test_provinces_can_be_added_removed_and_renamed() -> None:
    game = titles()["revolution"].calculators
    neutrals = game.by_name["neutrals"]
    sent = fields_of(game, neutrals, neutrals.example)
    fewer = body_of(neutrals.inputs, {**sent, "drop": "provinces.0"})
    assert fewer["order_choice"] == list(fewer["provinces"]) == ["flanders", "gelderland", "brabant"]
    more = body_of(neutrals.inputs, {**sent, "add": "provinces"})
    assert len(more["provinces"]) == 5
    renamed = body_of(neutrals.inputs, {**sent, "provinces.1.key": "namur"})
    assert renamed["order_choice"] == ["holland", "namur", "gelderland", "brabant"]


def test_table_options_are_parsed_and_invalid_ones_ignored() -> None:
    game = titles()["revolution"].calculators
    siege = game.by_name["siege"]
    sent = fields_of(game, siege, siege.example)
    assert sent["options.siege_converts_neutrals"] == "0"
    other = body_of(siege.inputs, {**sent, "options.siege_converts_neutrals": "1"})
    assert other["options"] == {"siege_converts_neutrals": False}
    torn = body_of(siege.inputs, {**sent, "options.siege_converts_neutrals": "seven"})
    assert torn["options"] == {"siege_converts_neutrals": True}


def test_added_disc_is_a_missing_one() -> None:
    game = titles()["signoria"].calculators
    initiative = game.by_name["initiative"]
    body = {**initiative.example, "track": {"0": ["yellow", "blue"]}}
    sent = fields_of(game, initiative, body)
    grown = body_of(initiative.inputs, {**sent, "add": "track.3"})
    assert grown["track"]["3"] == ["red"]
    assert grown["track"]["0"] == ["yellow", "blue"]


# Garbage

WORDS = st.sampled_from(
    ["", "0", "-1", "0.5", "1e9", "nan", "inf", "-inf", "1e999", "9" * 40, "x", "1,5", "None", "[]", "red", "٣", "\x00"]
)  # fmt: skip


@EACH
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_garbage_is_answered_or_rejected(game: Calculators, calculator: Calc, data: st.DataObject) -> None:
    sent = fields_of(game, calculator, calculator.example)
    paths = st.sampled_from(sorted(sent))
    spoiled = {**sent, **data.draw(st.dictionaries(paths, WORDS, max_size=3))}
    for path in data.draw(st.lists(paths, max_size=3)):
        spoiled.pop(path, None)
    for button in ("add", "drop", "up"):
        if data.draw(st.booleans()):
            spoiled[button] = data.draw(st.one_of(paths, WORDS))
    body = body_of(calculator.inputs, spoiled)
    assert widgets(game, calculator.inputs, body, within=(calculator.name,))
    try:
        answer = calculator.calculate(body)
    except Refused:
        return
    assert answer_lines(game, answer.data, calculator.chances)


# Answers


def lines(data: dict[str, Any], chances: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    names = {"faction:red": "Red", "faction:blue": "Blue", "part:men": "Men", "word:held": "held"}
    messages = {"answer.left": "Left", "answer.lost": "Lost", "answer.sum": "Sum"}
    game = Calculators("toy", "Toy", Texts(messages, names, {}), lambda _place: say("x"), ())
    return answer_lines(game, data, chances)


def test_maps_with_shared_keys_form_one_table() -> None:
    (table,) = lines({"left": {"red": 1, "blue": 0}, "lost": {"blue": 2}})
    assert table["columns"] == ["Left", "Lost"]
    assert [(row["label"], row["cells"]) for row in table["rows"]] == [
        ("Red", [{"text": "1"}, {}]),
        ("Blue", [{"text": "0"}, {"text": "2"}]),
    ]


def test_maps_with_different_keys_are_separate() -> None:
    assert len(lines({"left": {"red": 1}, "lost": {"blue": 2}})) == 2
    assert len(lines({"left": {"red": 1}, "lost": {}})) == 2


def test_nested_maps_become_columns() -> None:
    (table,) = lines({"left": {"red": 3}, "lost": {"red": {"men": 2, "x": 1}}})
    assert table["columns"] == ["Left", "Men", "x"]
    assert table["rows"][0]["cells"] == [{"text": "3"}, {"text": "2"}, {"text": "1"}]


@pytest.mark.parametrize(
    ("value", "text"),
    [(3, "3"), (6.5, "6.5"), (112.5, "112.5"), (2.5712, "2.57"), (0, "0"), (None, "–"), ("held", "held")],
)
def test_values_are_formatted_for_readers(value: Any, text: str) -> None:
    assert lines({"sum": value})[0]["value"]["text"] == text


@pytest.mark.parametrize(
    ("chance", "text"),
    [(0.792, "79 %"), (0.0, "0 %"), (1.0, "100 %"), (0.001, "< 1 %"), (0.999, "> 99 %"), (0.005, "0 %")],
)
def test_probability_is_shown_in_per_cent(chance: float, text: str) -> None:
    (line,) = lines({"left": {"red": chance}}, ("left",))
    assert line["rows"][0]["cells"][0]["text"].replace("\N{NO-BREAK SPACE}", " ") == text


def test_lists_of_numbers_are_joined() -> None:
    shown = lines({"sum": [[1, 2, 1], [4]]})[0]["value"]
    assert shown["list"] == [{"text": "1 · 2 · 1"}, {"text": "4"}]
    assert [item["text"] for item in lines({"sum": ["red", "blue"]})[0]["value"]["list"]] == ["Red", "Blue"]

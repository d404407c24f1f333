"""Calculators as forms: a body goes into widgets and comes back as it was; nothing that is sent breaks one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.answers import answer_lines
from companion.forms import body_of, completed, widgets
from games.core.calculators import Calculator, Calculators, Group, Input, Order, Rows
from games.core.errors import Refused
from games.core.game import Texts
from games.core.messages import say
from games.registry import CALCULATORS
from tests.calculators.filling import ALL, IDS, fields_of

EACH = pytest.mark.parametrize(("game", "calculator"), ALL, ids=IDS)
Calc = Calculator[Any]


# There and back


@EACH
def test_an_example_comes_back_as_it_was(game: Calculators, calculator: Calc) -> None:
    sent = fields_of(game, calculator, calculator.example)
    assert body_of(calculator.inputs, sent) == completed(calculator.inputs, calculator.example)


@EACH
def test_filling_in_what_is_missing_changes_no_number(game: Calculators, calculator: Calc) -> None:
    """Zeros may come in; whatever was there stays."""
    short = calculator.calculate(calculator.example).data
    full = calculator.calculate(completed(calculator.inputs, calculator.example)).data
    for key, value in short.items():
        if isinstance(value, Mapping):
            assert {name: full[key][name] for name in value} == value
        else:
            assert full[key] == value


@EACH
def test_no_field_is_drawn_twice(game: Calculators, calculator: Calc) -> None:
    drawn = widgets(game, calculator.inputs, calculator.example, within=(calculator.name,))
    assert len(drawn) <= len(calculator.inputs)
    assert all(widget["label"] for widget in drawn)


# Buttons


def found(inputs: tuple[Input, ...], kind: type, prefix: str = "") -> list[tuple[str, Any]]:
    """The inputs of one kind that stand outside of lists, with their paths."""
    here = [(prefix + item.name, item) for item in inputs if isinstance(item, kind)]
    inner = [
        pair
        for item in inputs
        if isinstance(item, Group)
        for pair in found(item.inputs, kind, f"{prefix}{item.name}.")
    ]
    return here + inner


def at(body: Any, path: str) -> Any:
    for name in path.split("."):
        body = body[name]
    return body


LISTS = [(g, c, path, item) for g, c in ALL for path, item in found(c.inputs, Rows) if not item.after_first]
ORDERS = [(g, c, path, item) for g, c in ALL for path, item in found(c.inputs, Order)]


@pytest.mark.parametrize(("game", "calculator", "path", "item"), LISTS)
def test_a_row_is_added_and_dropped(game: Calculators, calculator: Calc, path: str, item: Rows) -> None:
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
def test_a_full_list_grows_no_more(game: Calculators, calculator: Calc, path: str, item: Rows) -> None:
    body = completed(calculator.inputs, calculator.example)
    for _ in range(item.most + 1):
        body = body_of(calculator.inputs, {**fields_of(game, calculator, body), "add": path})
    assert len(at(body, path)) == item.most


@pytest.mark.parametrize(("game", "calculator", "path", "item"), LISTS)
def test_a_new_row_is_one_that_can_be_read(
    game: Calculators, calculator: Calc, path: str, item: Rows
) -> None:
    """It may be against the rules, but never badly formed."""
    sent = fields_of(game, calculator, calculator.example)
    longer = body_of(calculator.inputs, {**sent, "add": path})
    code = ""
    try:
        calculator.calculate(longer)
    except Refused as refused:
        code = refused.message.code
    assert not code.startswith(("core.", "not-a-decimal"))


def test_the_first_row_of_several_is_dropped() -> None:
    calculator = CALCULATORS["raubritter"].by_name["march"]
    sent = fields_of(CALCULATORS["raubritter"], calculator, calculator.example)
    body = body_of(calculator.inputs, {**sent, "drop": "tiles.0"})
    assert body["tiles"] == [{"terrain": "forest", "stack": 0}, {"terrain": "plain", "stack": 2}]


@pytest.mark.parametrize(("game", "calculator", "path", "item"), ORDERS)
def test_an_item_moves_forward(game: Calculators, calculator: Calc, path: str, item: Order) -> None:
    sent = fields_of(game, calculator, calculator.example)
    before = at(body_of(calculator.inputs, sent), path)
    assert sorted(before) == sorted(item.keys)
    for i in range(len(before)):
        after = at(body_of(calculator.inputs, {**sent, "up": f"{path}.{i}"}), path)
        expected = [*before[: i - 1], before[i], before[i - 1], *before[i + 1 :]] if i else before
        assert after == expected


@pytest.mark.parametrize(("game", "calculator", "path", "item"), ORDERS)
def test_a_torn_order_is_drawn_whole(game: Calculators, calculator: Calc, path: str, item: Order) -> None:
    sent = {**fields_of(game, calculator, calculator.example), f"{path}.0": item.keys[-1], f"{path}.1": "x"}
    torn = body_of(calculator.inputs, sent)
    mended = body_of(calculator.inputs, fields_of(game, calculator, torn))
    kept = at(mended, path)
    assert len(set(kept)) == len(kept) >= (item.fewest or len(item.keys))


TURN_ORDER = CALCULATORS["revolution"].by_name["turn-order"]


def ordering(**pressed: str) -> dict[str, Any]:
    sent = fields_of(CALCULATORS["revolution"], TURN_ORDER, TURN_ORDER.example)
    return body_of(TURN_ORDER.inputs, {**sent, **pressed})


def test_who_does_not_play_is_left_out_of_the_order_and_of_what_hangs_on_it() -> None:
    body = ordering(drop="order.2")
    assert body["order"] == ["catholics", "habsburgs", "burghers", "reformers"]
    assert list(body["points"]) == body["order"]
    assert body["choices"] == [0, 1, 3]
    again = body_of(
        TURN_ORDER.inputs,
        {**fields_of(CALCULATORS["revolution"], TURN_ORDER, body), "add": "order.nobility"},
    )
    assert again["order"] == ["catholics", "habsburgs", "burghers", "reformers", "nobility"]
    assert (again["points"]["nobility"], again["choices"]) == (0, [0, 1, 3, 0])


def test_provinces_come_and_go_and_their_order_is_the_choice() -> None:
    game = CALCULATORS["revolution"]
    neutrals = game.by_name["neutrals"]
    sent = fields_of(game, neutrals, neutrals.example)
    fewer = body_of(neutrals.inputs, {**sent, "drop": "provinces.0"})
    assert fewer["order_choice"] == list(fewer["provinces"]) == ["flanders", "gelderland", "brabant"]
    more = body_of(neutrals.inputs, {**sent, "add": "provinces"})
    assert len(more["provinces"]) == 5
    renamed = body_of(neutrals.inputs, {**sent, "provinces.1.key": "namur"})
    assert renamed["order_choice"] == ["holland", "namur", "gelderland", "brabant"]


def test_the_answer_depends_on_the_table_options() -> None:
    game = CALCULATORS["revolution"]
    siege = game.by_name["siege"]
    sent = fields_of(game, siege, siege.example)
    assert sent["options.siege_converts_neutrals"] == "0"
    other = body_of(siege.inputs, {**sent, "options.siege_converts_neutrals": "1"})
    assert other["options"] == {"siege_converts_neutrals": False}
    torn = body_of(siege.inputs, {**sent, "options.siege_converts_neutrals": "seven"})
    assert torn["options"] == {"siege_converts_neutrals": True}


def test_a_disc_that_is_added_is_one_that_is_missing() -> None:
    game = CALCULATORS["signoria"]
    initiative = game.by_name["initiative"]
    body = {**initiative.example, "track": {"0": ["yellow", "blue"]}}
    sent = fields_of(game, initiative, body)
    grown = body_of(initiative.inputs, {**sent, "add": "track.3"})
    assert grown["track"]["3"] == ["red"]
    assert grown["track"]["0"] == ["yellow", "blue"]


# Whatever is sent

WORDS = st.sampled_from(
    ["", "0", "-1", "0.5", "1e9", "nan", "inf", "-inf", "1e999", "9" * 40, "x", "1,5", "None", "[]", "red", "٣", "\x00"]
)  # fmt: skip


@EACH
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_garbage_gets_a_sentence_or_an_answer(
    game: Calculators, calculator: Calc, data: st.DataObject
) -> None:
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


def test_maps_of_the_same_things_are_one_table() -> None:
    (table,) = lines({"left": {"red": 1, "blue": 0}, "lost": {"blue": 2}})
    assert table["columns"] == ["Left", "Lost"]
    assert [(row["label"], row["cells"]) for row in table["rows"]] == [
        ("Red", [{"text": "1"}, {}]),
        ("Blue", [{"text": "0"}, {"text": "2"}]),
    ]


def test_maps_of_different_things_are_not() -> None:
    assert len(lines({"left": {"red": 1}, "lost": {"blue": 2}})) == 2
    assert len(lines({"left": {"red": 1}, "lost": {}})) == 2


def test_maps_of_maps_are_tables() -> None:
    (table,) = lines({"left": {"red": 3}, "lost": {"red": {"men": 2, "x": 1}}})
    assert table["columns"] == ["Left", "Men", "x"]
    assert table["rows"][0]["cells"] == [{"text": "3"}, {"text": "2"}, {"text": "1"}]


@pytest.mark.parametrize(
    ("value", "text"),
    [(3, "3"), (6.5, "6.5"), (112.5, "112.5"), (2.5712, "2.57"), (0, "0"), (None, "–"), ("held", "held")],
)
def test_a_value_as_people_write_it(value: Any, text: str) -> None:
    assert lines({"sum": value})[0]["value"]["text"] == text


@pytest.mark.parametrize(
    ("chance", "text"),
    [(0.792, "79 %"), (0.0, "0 %"), (1.0, "100 %"), (0.001, "< 1 %"), (0.999, "> 99 %"), (0.005, "0 %")],
)
def test_a_chance_is_shown_in_per_cent(chance: float, text: str) -> None:
    (line,) = lines({"left": {"red": chance}}, ("left",))
    assert line["rows"][0]["cells"][0]["text"].replace("\N{NO-BREAK SPACE}", " ") == text


def test_lists_of_numbers_are_one_thing_each() -> None:
    shown = lines({"sum": [[1, 2, 1], [4]]})[0]["value"]
    assert shown["list"] == [{"text": "1 · 2 · 1"}, {"text": "4"}]
    assert [item["text"] for item in lines({"sum": ["red", "blue"]})[0]["value"]["list"]] == ["Red", "Blue"]

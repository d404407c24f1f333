"""Revolution: boards, forms and their parsing, forecasts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template.loader import render_to_string

from companion.models import Table
from companion.titles.revolution import SCREEN
from companion.titles.revolution.forms import FORMS
from games.core.prompts import Prompt
from games.revolution import REVOLUTION
from games.revolution.board import BOARD
from games.revolution.state import State
from tests.revolution.campaigns import position, settled
from tests.revolution.digest_board import on_board
from tests.revolution.test_losses import GUARDED
from tests.titles.boards import render_board

STATIC = Path(settings.BASE_DIR) / "static"
MOST_STEPS = 260
FACTIONS = {
    2: ("catholics", "habsburgs", "burghers", "reformers"),
    3: ("catholics", "nobility", "reformers"),
    5: ("catholics", "habsburgs", "nobility", "burghers", "reformers"),
}


class ParsedForm(HTMLParser):
    """The default values, options and buttons of a rendered form."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.offered: dict[str, set[str]] = {}
        self.buttons: list[str] = []
        self._select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {key: value or "" for key, value in attrs}
        name, value = attributes.get("name", ""), attributes.get("value", "")
        if tag == "input" and attributes.get("type") in ("radio", "checkbox"):
            self.offered.setdefault(name, set()).add(value or "on")
        elif tag == "input":
            self.fields[name] = value
            self.offered[name] = {"number"}
        elif tag == "select":
            self._select = name
            self.fields[name] = ""
        elif tag == "option":
            self.offered.setdefault(self._select, set()).add(value)
            if "selected" in attributes:
                self.fields[self._select] = value
        elif tag == "button" and name == "type":
            self.buttons.append(value)


@lru_cache(maxsize=8)
def random_states(players: int, seed: int) -> tuple[State, ...]:
    """Return the first states of a random game."""
    generator = random.Random(f"revolution {players} {seed}")
    setup = REVOLUTION.prepare(FACTIONS[players], players=players)
    state = REVOLUTION.machine.settle(REVOLUTION.start(setup)).state
    states = [state]
    for _ in range(MOST_STEPS):
        prompts = REVOLUTION.prompts(state)
        if not prompts:
            break
        prompt = generator.choice(prompts)
        data = prompt.sample(generator.randrange)
        state = REVOLUTION.apply(state, REVOLUTION.read_action(data, prompt.faction)).state
        states.append(state)
    return tuple(states)


def prompts_by_faction(state: State) -> Iterator[list[Prompt]]:
    prompts = REVOLUTION.prompts(state)
    for faction in REVOLUTION.waiting_for(state):
        yield [prompt for prompt in prompts if prompt.faction == faction]


def render_prompt(screen: Any) -> str:
    context = {"screen": screen, "game": REVOLUTION, "table": Table(code="CDFGHJ")}
    return render_to_string("revolution/prompt.html", context)


def every_prompt(stride: int = 4) -> Iterator[tuple[State, list[Prompt]]]:
    for players in FACTIONS:
        for state in random_states(players, 1)[::stride]:
            for prompts in prompts_by_faction(state):
                yield state, prompts


def test_random_games_cover_common_action_types() -> None:
    seen = {prompt.action for _state, prompts in every_prompt(1) for prompt in prompts}
    rare = {"losses", "shortage", "intercept", "beggars", "complete", "pillage", "besiege", "step", "dispute"}
    assert {kind.type for kind in REVOLUTION.actions} - seen <= rare


def test_every_action_has_a_form() -> None:
    for kind in REVOLUTION.actions:
        assert FORMS[kind.type].action == kind.type


def test_parsing_inverts_filling() -> None:
    for _state, prompts in every_prompt():
        for prompt in prompts:
            example = prompt.example_json()
            if "support:" in str(example):  # cells of one kind share a field
                continue
            province = f":{example['province']}" if "province" in example else ""
            form = {**SCREEN.fill(example), "type": f"{prompt.action}{province}"}
            action = REVOLUTION.read_action(SCREEN.parse(form), prompt.faction)
            assert action == prompt.example


def test_example_of_each_prompt_can_be_entered_with_its_form() -> None:
    for state, prompts in every_prompt():
        screen = SCREEN.prompt(state, prompts)
        rendered = ParsedForm(render_prompt(screen))
        for prompt in prompts:
            example = prompt.example_json()
            if "support:" in str(example):  # cells of one kind share a field
                continue
            fields = SCREEN.fill(example)
            province = f":{example['province']}" if "province" in example else ""
            if prompt.action not in ("settled", "dispute"):
                assert set(fields) <= set(rendered.offered), (prompt.action, rendered.offered)
            form = {**rendered.fields, **fields, "type": f"{prompt.action}{province}"}
            action = SCREEN.parse(form)
            refused = REVOLUTION.why_not(state, REVOLUTION.read_action(action, prompt.faction))
            assert refused is None, (action, refused)


def test_losses_form_has_defaults_that_can_be_changed() -> None:
    """Either distribution of the loss is accepted (6.11)."""
    state = settled(on_board("conflict", GUARDED)).state
    (prompts,) = prompts_by_faction(state)
    fields = ParsedForm(render_prompt(SCREEN.prompt(state, prompts))).fields
    assert fields == {"n.countryside:gelderland": "1", "n.town:arnhem": "0"}
    for form in (fields, {"n.countryside:gelderland": "0", "n.town:arnhem": "1"}):
        action = SCREEN.parse({**form, "type": "losses"})
        assert {f"n.{place}": str(count) for place, count in action["places"].items()} == {
            field: count for field, count in form.items() if count != "0"
        }
        assert REVOLUTION.why_not(state, REVOLUTION.read_action(action, "burghers")) is None
        assert SCREEN.fill(action) == {field: count for field, count in form.items() if count != "0"}


@pytest.mark.parametrize(
    ("beggars", "warning"),
    [
        ("W 1", "Water Beggars stop the first army that tries to leave."),
        ("W 2", "Water Beggars stop the first 2 armies that try to leave."),
    ],
)
def test_march_form_warns_of_water_beggars(beggars: str, warning: str) -> None:
    state = settled(position("army-movement", {"strip:holland": "H 2", "region:holland": beggars})).state
    (prompts,) = prompts_by_faction(state)
    assert warning in render_prompt(SCREEN.prompt(state, prompts))


def test_untouched_form_parses_as_an_action() -> None:
    """The action may be illegal, but it must not be malformed."""
    for state, prompts in every_prompt():
        screen = SCREEN.prompt(state, prompts)
        fields = ParsedForm(render_prompt(screen)).fields
        for button in screen["buttons"]:
            if button.needs_choice:
                continue
            action = SCREEN.parse({**fields, "type": button.type})
            REVOLUTION.why_not(state, REVOLUTION.read_action(action, prompts[0].faction))


def test_cells_of_one_kind_are_filled_in_order() -> None:
    form = {"type": "place", "cells.support:jesuits:1,support:jesuits:3": "1", "n.countryside:trier": "2"}
    places = SCREEN.parse(form)["places"]
    assert places == {"countryside:trier": 2, "support:jesuits:1": 1}


def test_marches_out_of_a_region_come_before_marches_into_it() -> None:
    form = {"type": "march", "m.holland>utrecht": "1", "m.utrecht>gelderland": "2"}
    assert SCREEN.parse(form)["moves"] == [
        ["utrecht", "gelderland"],
        ["utrecht", "gelderland"],
        ["holland", "utrecht"],
    ]


@pytest.mark.parametrize(
    ("form", "field"),
    [({"type": "march", "m.a>b": "999999"}, "moves"), ({"type": "convert", "c.a|b|c": "999999"}, "targets")],
)
def test_number_of_listed_moves_is_bounded(form: dict[str, str], field: str) -> None:
    assert len(SCREEN.parse(form)[field]) == 99


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"type": "nonsense"},
        {"type": "layout"},
        {"type": "place", "n.": "x"},
        {"type": "march", "m.holland": "1"},
    ],
)
def test_incomplete_form_parses_to_an_action_for_the_rules_to_refuse(form: dict[str, str]) -> None:
    assert isinstance(SCREEN.parse(form), dict)


# The map


def test_every_province_region_and_river_has_a_shape() -> None:
    shapes = (STATIC / "revolution" / "land.svg").read_text("utf-8")
    for slug in BOARD.figures["provinces"]:
        assert f'id="{slug}"' in shapes
    for slug in BOARD.figures["regions"]:
        assert f'id="region-{slug}"' in shapes
    for slug in BOARD.figures["rivers"]:
        assert f'id="river-{slug}"' in shapes


def test_every_place_has_a_position_on_the_map() -> None:
    positions = BOARD.figures["map"]
    assert set(positions["provinces"]) == set(BOARD.figures["provinces"])
    assert set(positions["cities"]) == set(BOARD.figures["cities"])
    towns = {town for row in BOARD.figures["provinces"].values() for town in row["towns"]}
    assert set(positions["towns"]) == towns


@pytest.mark.parametrize("template", ["board", "picture"])
def test_map_shows_names_fill_and_counters(template: str) -> None:
    for state in random_states(5, 1)[::40]:
        chart = SCREEN.board(state)
        page = render_board(SCREEN, state, template, game=REVOLUTION)
        for place in ("countryside:holland", "city:brugge"):
            assert page.count(f'data-place="{place}"') == 1
        for land in chart["lands"]:
            assert ((template == "picture" and land.tv_label.short_name) or land.name) in page
            assert f">{land.fill}/{land.limit}<" in page
        counters = sum(chip.count for land in chart["lands"] for chip in land.chips)
        assert counters == sum(
            line.count for line in state.ledger.holdings() if line.place.startswith("countryside:")
        )


def test_province_holder_is_shown_by_colour_pattern_and_symbol() -> None:
    state = position("taxes", {}, provinces={"artois": "catholics", "holland": "burghers"})
    for page in (render_board(SCREEN, state, template, game=REVOLUTION) for template in ("board", "picture")):
        for holder, shape in (("catholics", "cross"), ("burghers", "scales")):
            assert page.count(f'class="land {holder}"') == page.count(f"url(#p-{holder})") == 1
            seal = page.partition(f'class="marker {holder}"')[2]
            assert seal.partition("</g>")[0].count(f"#{shape}") == 1
        assert page.count('class="seal"') == 2


# Forecasts


def test_forecast_of_placement_names_overflow() -> None:
    state = next(s for s in random_states(5, 1) if REVOLUTION.phase(s) == "new-units")
    faction = REVOLUTION.waiting_for(state)[0]
    before = SCREEN.forecast(state, faction, {"type": "place"})
    after = SCREEN.forecast(state, faction, {"type": "place", "n.countryside:drenthe": "3"})
    assert [line for line in after if line not in before] == ["Drenthe 3/1: 2 overflow"]


def test_forecast_of_influence_moves_the_allegiance_marker() -> None:
    state = next(s for s in random_states(5, 1) if REVOLUTION.phase(s) == "influence")
    form = {"type": "influence", "n.koeln": "1"}
    (line,) = SCREEN.forecast(state, "reformers", form)
    start = state.allegiance["koeln"]
    assert line == f"Köln: column {start} → {start + 1}"
    assert SCREEN.forecast(state, "reformers", {"type": "tax"}) == []

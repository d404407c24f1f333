"""Signoria: boards, forms and their parsing, forecasts."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator
from functools import lru_cache
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template.loader import render_to_string

from companion.models import Table
from companion.titles.signoria import SCREEN
from companion.titles.signoria.forms import FORMS
from games.core.prompts import Prompt
from games.signoria.dice import price
from games.signoria.ending import end_points
from games.signoria.game import SIGNORIA
from games.signoria.places import knows_place
from games.signoria.state import State, florins, printed
from tests.titles.boards import render_board

STATIC = Path(settings.BASE_DIR) / "static"
MOST_STEPS = 260
FACTIONS = ("yellow", "red", "blue", "purple")


class ParsedForm(HTMLParser):
    """The default values and options of a rendered form."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.offered: dict[str, set[str]] = {}
        self._select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {key: value or "" for key, value in attrs}
        name, value = attributes.get("name", ""), attributes.get("value", "")
        if tag == "input" and attributes.get("type") in ("radio", "checkbox"):
            self.offered.setdefault(name, set()).add(value or "on")
        elif tag == "input":
            self.fields[name] = value
            self.offered[name] = {str(n) for n in range(int(attributes["max"]) + 1)}
        elif tag == "select":
            self._select = name
            self.fields[name] = ""
        elif tag == "option":
            self.offered.setdefault(self._select, set()).add(value)
            if "selected" in attributes:
                self.fields[self._select] = value


def other_figures() -> Any:
    """Return figures with an either-city helper, separate spaces for men and women, and short tracks."""
    figures = copy.deepcopy(SIGNORIA.board.figures)
    figures["helpers"]["grey"]["1"]["kind"] = "either-blind"
    figures["helpers"]["yellow"]["1"]["kind"] = "any-task"
    figures["city_spaces"]["shared"] = False
    figures["tracks"]["church"]["spaces"] = 9
    figures["initiative"]["top"] = 12
    return figures


@lru_cache(maxsize=8)
def random_states(players: int, *, other: bool = False, hasty: bool = False) -> tuple[State, ...]:
    """Return the first states of a random game; with ``hasty``, players always pass and the game ends."""
    generator = random.Random(f"signoria {players} {other}")
    setup = SIGNORIA.prepare(
        FACTIONS[:players],
        options={"tile_optional": other},
        figures=other_figures() if other else None,
    )
    state = SIGNORIA.machine.settle(SIGNORIA.start(setup)).state
    states = [state]
    for _ in range(MOST_STEPS):
        prompts = SIGNORIA.prompts(state)
        if not prompts:
            break
        prompt = generator.choice([p for p in prompts if (p.action == "pass") == hasty] or prompts)
        data = prompt.sample(generator.randrange)
        state = SIGNORIA.apply(state, SIGNORIA.read_action(data, prompt.faction)).state
        states.append(state)
    return tuple(states)


def prompts_by_faction(state: State) -> Iterator[list[Prompt]]:
    """Yield the prompts of one player; in set-up and preparation all players have the same."""
    prompts = SIGNORIA.prompts(state)
    for faction in SIGNORIA.waiting_for(state)[:1]:
        yield [prompt for prompt in prompts if prompt.faction == faction]


def render_prompt(screen: Any) -> str:
    context = {"screen": screen, "game": SIGNORIA, "table": Table(code="CDFGHJ"), "form": {"id": "entry"}}
    return render_to_string("signoria/prompt.html", context)


@lru_cache(maxsize=2)
def every_prompt(stride: int = 1) -> tuple[tuple[State, list[Prompt]], ...]:
    games = [
        random_states(2),
        random_states(3),
        random_states(4),
        random_states(3, other=True),
        random_states(2, hasty=True),
    ]
    return tuple(
        (state, prompts)
        for states in games
        for state in (*states[:8], *states[8::stride])
        for prompts in prompts_by_faction(state)
    )


@lru_cache(maxsize=1)
def every_page() -> tuple[tuple[State, list[Prompt], str], ...]:
    """Return a sample of the prompts with their pages."""
    return tuple(
        (state, prompts, render_prompt(SCREEN.prompt(state, prompts))) for state, prompts in every_prompt(11)
    )


def test_random_games_cover_all_action_types() -> None:
    seen = {prompt.action for _state, prompts in every_prompt() for prompt in prompts}
    assert {kind.type for kind in SIGNORIA.actions} <= seen


def test_every_action_has_its_own_form() -> None:
    types = [kind.type for kind in SIGNORIA.actions]
    assert [FORMS[action].action for action in types] == types


def test_example_of_each_prompt_can_be_entered_with_its_form() -> None:
    for state, prompts, page in every_page():
        form = ParsedForm(page)
        for prompt in prompts:
            example = prompt.example_json()
            fields = SCREEN.fill(example)
            for field, value in fields.items():
                assert value in form.offered[field], (prompt.action, field, value)
            answer = ":yes" if prompt.action in ("helper", "buy") else ""
            action = SCREEN.parse({**form.fields, **fields, "type": f"{prompt.action}{answer}"})
            parsed = SIGNORIA.read_action(action, prompt.faction)
            assert parsed == SIGNORIA.read_action(example, prompt.faction)
            assert SIGNORIA.why_not(state, parsed) is None


def offered(part: Any) -> set[tuple[str, str]]:
    """Return all combinations of pick and way; the pick is part of the action only for a die."""
    has_pick = part["type"] == "take"
    return {
        (pick if has_pick else "", choice.value)
        for group in part["groups"]
        for pick, choice in product(group.shown_for.split() or [""], group.choices)
    }


def test_forms_offer_exactly_the_legal_actions() -> None:
    rare = [
        (s, p) for s, p in every_prompt() if p[0].action in ("mission", "marriage", "reward", "city-action")
    ]
    for state, prompts in (*rare[::2], *((s, p) for s, p, _page in every_page()[::5])):
        parts = SCREEN.prompt(state, prompts)["parts"]
        for prompt, part in zip(prompts, parts, strict=False):
            if part["kind"] != "ways":
                continue
            (field,) = prompt.fields
            domain = [dict(zip(field.names, field.element(i), strict=True)) for i in range(field.size())]
            entered = [
                SCREEN.parse({"type": part["type"], "pick": pick, "way": way}) for pick, way in offered(part)
            ]
            possible = [{"type": part["type"], **way} for way in domain]
            assert sorted_actions(entered, prompt.faction) == sorted_actions(possible, prompt.faction)


def sorted_actions(actions: list[Any], faction: str) -> list[str]:
    return sorted(repr(SIGNORIA.read_action(action, faction)) for action in actions)


def test_random_tiles_are_weighted_by_the_tiles_left() -> None:
    """Each house has three tiles of value 2 and one of value 5; face-up tiles are excluded."""
    fewer = 0
    for state, prompts in every_prompt():
        if prompts[0].action != "refill":
            continue
        weights = SCREEN.prompt(state, prompts)["parts"][0]["weights"].split(",")
        left = {tile: int(count) for tile, count in (pair.split(":") for pair in weights)}
        for house, (value, count) in product("abcdef", {2: 3, 3: 3, 4: 2, 5: 1}.items()):
            tile = f"{house}-{value}"
            face_up = sum(line.count for line in state.ledger.holdings() if line.piece == tile)
            assert left[tile] == max(0, count - face_up)
            fewer += left[tile] < count
    assert fewer


def test_dice_show_their_price() -> None:
    state, prompts = next((s, p) for s, p in every_prompt() if p[0].action == "take")
    part = SCREEN.prompt(state, prompts)["parts"][0]
    for pick in part["picks"]:
        cost = price(printed(state).action(pick.die.colour).number, pick.die.face)
        assert cost <= florins(state, prompts[0].faction)
        assert pick.detail == ({0: "no cost", 1: "1 florin"}.get(cost) or f"{cost} florins")


WITH_DETAILS = ("take", "errand", "hire", "mission", "marriage", "city-action", "draw", "reward")


@pytest.mark.parametrize("kind", WITH_DETAILS)
def test_every_choice_shows_its_cost_or_gain(kind: str) -> None:
    cases = [(state, prompts) for state, prompts in every_prompt() if prompts[0].action == kind]
    assert cases
    for state, prompts in cases[:12]:
        part = SCREEN.prompt(state, prompts)["parts"][0]
        choices = [choice for group in part["groups"] for choice in group.choices]
        assert all(choice.detail for choice in (*part["picks"], *choices))


@pytest.mark.parametrize(("phase", "shown"), [("turn", True), ("bonus-die", False)])
def test_bonus_die_does_not_count_towards_the_limit(phase: str, shown: bool) -> None:  # noqa: FBT001
    state, prompts = next(
        (s, p) for s, p in every_prompt() if p[0].action == "take" and SIGNORIA.phase(s) == phase
    )
    groups = SCREEN.prompt(state, prompts)["parts"][0]["groups"]
    assert any(group.note.startswith("Dice: ") for group in groups) == shown


def test_each_collapsed_part_has_its_own_button() -> None:
    state = next(s for s in random_states(3) if SIGNORIA.phase(s) == "preparation")
    page = render_prompt(SCREEN.prompt(state, next(prompts_by_faction(state))))
    assert re.findall(r'name="type" value="([a-z-]+)"', page) == [
        "roll",
        "deal",
    ]  # that of the first part is in the bar


def test_yes_or_no_is_parsed_from_the_button() -> None:
    assert SCREEN.parse({"type": "helper:yes"}) == {"type": "helper", "use": True}
    assert SCREEN.parse({"type": "buy:no"}) == {"type": "buy", "buy": False}


def test_men_from_one_space_climb_separately() -> None:
    form = {
        "type": "progress",
        "c.church.0.0": "1",
        "c.church.0.1": "2",
        "c.church.5.0": "0",
        "initiative": "1",
    }
    assert SCREEN.parse(form) == {
        "type": "progress",
        "climbs": [{"career": "church", "at": 0, "to": 1}, {"career": "church", "at": 0, "to": 2}],
        "initiative": 1,
        "stay": False,
    }


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"type": "nonsense"},
        {"type": "take", "way": "["},
        {"type": "take", "way": "[1]"},
        {"type": "take", "way": "[" * 100_000},
        {"type": "roll", "f.red.x": "9999999999"},
        {"type": "progress", "c.": "4"},
        {"type": "helper:perhaps"},
    ],
)
def test_incomplete_form_parses_to_an_action_for_the_rules_to_refuse(form: dict[str, str]) -> None:
    assert isinstance(SCREEN.parse(form), dict)


# The boards


def rendered_places(chart: Any) -> set[str]:
    """Return the places on the boards, by their names in the ledger."""
    tracks = [step.place for track in (*chart["tracks"], chart["initiative"]) for step in track.steps]
    cities = [f"city:{city.slug}:{space.number}" for city in chart["cities"] for space in city.spaces]
    tiles = [f"{tile.kind}:{city.slug}" for city in chart["cities"] for tile in city.tiles]
    dice = [f"dice:{area.colour}" for area in chart["market"]]
    own = []
    for player in chart["players"]:
        own.append(f"portraits:{player.faction}")
        for column in player.columns:
            own.append(f"action:{player.faction}:{column.colour}")
            own += [f"helper:{player.faction}:{column.colour}:{h.space.row}" for h in column.helpers]
        for field in player.fields:
            own += [f"plan:{player.faction}:{field.slug}", f"unseen:{player.faction}:{field.slug}"]
    return {*tracks, *cities, *tiles, *dice, *own}


def test_every_occupied_place_is_rendered() -> None:
    for states in (random_states(2), random_states(4), random_states(3, other=True)):
        for state in states[::40]:
            places = rendered_places(SCREEN.board(state))
            assert all(knows_place(state, place) for place in places)
            beside = ("score", "supply", "bank", "reserve", "threshold", "aside")
            occupied = {p for p in state.ledger.occupied() if p.partition(":")[0] not in beside}
            assert occupied <= places


def test_ranks_are_described_in_words() -> None:
    default, other = random_states(3)[0], random_states(3, other=True)[0]
    ranks = "rank 1: 1–2 · rank 2: 3–5 · rank 3: 6–8 · rank 4: 9–13"
    for state, lines in (
        (default, [ranks]),
        (other, [f"Political, Military: {ranks}", f"Church: {ranks.removesuffix('–13')}"]),
    ):
        assert SCREEN.board(state)["ranks"] == lines
        page = render_board(SCREEN, state, game=SIGNORIA)
        assert all(line in page for line in lines)


def test_helper_form_shows_the_gain() -> None:
    for state, prompts in every_prompt():
        if prompts[0].action != "helper":
            continue
        part = SCREEN.prompt(state, prompts)["parts"][0]
        if "for each of your men" in part["note"]:
            faction = prompts[0].faction
            men = sum(
                h.count
                for h in state.ledger.holdings()
                if (h.owner, h.piece) == (faction, "man") and h.place.startswith("city:")
            )
            assert f"({men} point" in part["note"]
            return
    raise AssertionError("no state has such a helper")


def test_action_spaces_are_ordered_by_number() -> None:
    figures = copy.deepcopy(SIGNORIA.board.figures)
    figures["actions"]["grey"]["number"], figures["actions"]["red"]["number"] = 3, 1
    state = SIGNORIA.start(SIGNORIA.prepare(FACTIONS[:2], figures=figures)).state
    for player in SCREEN.board(state)["players"]:
        assert [column.action.number for column in player.columns] == [1, 2, 3, 4, 5]
        assert [column.x for column in player.columns] == sorted(column.x for column in player.columns)


def test_tiles_of_a_plan_cover_its_shields() -> None:
    covered = 0
    for state in random_states(3, other=True)[::20]:
        for player in SCREEN.board(state)["players"]:
            for field in player.fields:
                holdings = state.ledger.at(f"plan:{player.faction}:{field.slug}")
                values = sorted(int(line.piece[-1]) for line in holdings for _ in range(line.count))
                assert sorted(shield.value for shield in field.shields if shield.value) == values
                assert len(field.shields) == (6 if field.slug == "marriage" else 4)
                covered += len(values)
    assert covered


@pytest.mark.parametrize("template", ["board", "picture"])
def test_boards_show_tiles_dice_areas_and_sums(template: str) -> None:
    for state in random_states(4)[20::60]:
        chart = SCREEN.board(state)
        page = render_board(SCREEN, state, template, game=SIGNORIA)
        for city in chart["cities"]:
            assert city.name in page
            for tile in city.tiles:
                assert tile.description in page
        for area in chart["market"]:
            assert area.name in page
        for player in chart["players"]:
            assert f">{player.sum}/{player.limit}<" in page


def test_board_names_each_place_once() -> None:
    state = random_states(3)[-1]
    page = render_board(SCREEN, state, game=SIGNORIA)
    for place in ("track:church:3", "mission:rome", "dice:red", "action:red:grey"):
        is_used = place != "mission:rome" or "rome" in state.cities
        assert len(re.findall(rf'data-place="[^"]*\b{place}\b', page)) == is_used


def test_standings_can_include_end_points() -> None:
    more = 0
    for state in (*random_states(4)[::60], *random_states(2, hasty=True)[-1:]):
        for now, then in zip(SIGNORIA.standings(state), SIGNORIA.if_it_ended_now(state), strict=True):
            ends = {} if SIGNORIA.result(state) else end_points(state, now.faction)
            assert then.points == now.points + sum(ends.values())
            assert {source: then.parts[source] for source in ends} == ends
            more += sum(ends.values())
    assert more


def test_every_used_symbol_exists() -> None:
    symbols = (STATIC / "signoria" / "symbols.svg").read_text("utf-8")
    known = set(re.findall(r'<symbol id="([^"]+)"', symbols))
    used: set[str] = set()
    for _state, _prompts, page in every_page():
        used |= set(re.findall(r"signoria/symbols\.[\w.]*svg#([\w-]*)", page))
    assert used <= known


# Forecast


def test_forecast_lists_the_steps() -> None:
    state, prompts = next((s, p) for s, p in every_prompt() if p[0].action == "progress")
    fields = SCREEN.fill(prompts[0].example_json())
    lines = SCREEN.forecast(state, prompts[0].faction, {"type": "progress", **fields})
    assert any(" space " in line for line in lines)
    assert SCREEN.forecast(state, prompts[0].faction, {"type": "progress"}) == []


def test_overruled_entry_fills_in_the_choice_that_was_made() -> None:
    action = {"type": "marriage", "city": "milan", "florins": 2}
    ruling = {"rulings": {"marriage": {"result": 4, "reason": "house-rule"}}}
    assert SCREEN.fill({**action, **ruling}) == SCREEN.fill(action)

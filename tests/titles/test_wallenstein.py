"""Wallenstein: boards, forms and their parsing, odds, event notes."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

from companion.models import Table
from companion.titles.wallenstein import SCREEN
from companion.titles.wallenstein.board import SPOTS
from companion.titles.wallenstein.event_notes import AFFECTED
from companion.titles.wallenstein.names import event_title, name, name_on_tv
from companion.titles.wallenstein.odds import sentence
from companion.wording import hand_line, render, round_name
from games.core.codec import Json
from games.core.flow import Frame
from games.core.ledger import Move
from games.core.prompts import Prompt
from games.core.steps import Outcome
from games.wallenstein.battles import pending
from games.wallenstein.board import BOARD
from games.wallenstein.cards import ACTIONS
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.movement import card_of
from games.wallenstein.pieces import FACTIONS, REGIONS
from games.wallenstein.state import State, neighbours_of, owner_of
from games.wallenstein.tower import odds
from tests.titles.boards import render_board
from tests.wallenstein.positions import table

STATIC = Path(settings.BASE_DIR) / "static"
MOST_STEPS = 150
# Games that together cover all prompts: plans on phones or boards, provinces from a table or by draft.
GAMES: tuple[tuple[int, Mapping[str, Json]], ...] = (
    (5, {}),
    (4, {"planning": "boards"}),
    (3, {"distribution": "draft"}),
    (2, {}),
)


class ParsedForm(HTMLParser):
    """The default values and options of a rendered form."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.offered: dict[str, set[str]] = {}
        self.most: dict[str, int] = {}
        self._select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {key: value or "" for key, value in attrs}
        name, value = attributes.get("name", ""), attributes.get("value", "")
        if tag == "input" and attributes.get("type") == "radio":
            self.offered.setdefault(name, set()).add(value)
        elif tag == "input":
            self.fields[name] = value
            if attributes.get("type") != "hidden":
                self.most[name] = int(attributes["max"])
        elif tag == "select":
            self._select = name
            self.fields[name] = ""
        elif tag == "option":
            self.offered.setdefault(self._select, set()).add(value)

    def accepts(self, field: str, value: str) -> bool:
        if field in self.most:
            return 0 <= int(value) <= self.most[field]
        return value in self.offered.get(field, ())


@lru_cache(maxsize=8)
def random_states(game: int) -> tuple[State, ...]:
    """Return the first states of a random game."""
    players, options = GAMES[game]
    generator = random.Random(f"wallenstein {players}")
    setup = WALLENSTEIN.prepare(FACTIONS[:players], players=players, options=dict(options))
    state = WALLENSTEIN.machine.settle(WALLENSTEIN.start(setup)).state
    states = [state]
    for _ in range(MOST_STEPS):
        prompts = WALLENSTEIN.prompts(state)
        if not prompts:
            break
        prompt = generator.choice(prompts)
        data = prompt.sample(generator.randrange)
        state = WALLENSTEIN.apply(state, WALLENSTEIN.read_action(data, prompt.faction)).state
        states.append(state)
    return tuple(states)


def prompts_by_faction(state: State) -> Iterator[list[Prompt]]:
    prompts = WALLENSTEIN.prompts(state)
    for faction in WALLENSTEIN.waiting_for(state):
        yield [prompt for prompt in prompts if prompt.faction == faction]


def render_prompt(screen: Any) -> str:
    context = {"screen": screen, "game": WALLENSTEIN, "table": Table(code="CDFGHJ")}
    return render_to_string("wallenstein/prompt.html", context)


def every_prompt(stride: int = 3) -> Iterator[tuple[State, list[Prompt]]]:
    for game in range(len(GAMES)):
        for state in random_states(game)[::stride]:
            for prompts in prompts_by_faction(state):
                yield state, prompts


def first_state(phase: str, game: int = 0) -> State:
    return next(state for state in random_states(game) if WALLENSTEIN.phase(state) == phase)


# Forms


def test_random_games_cover_all_action_types() -> None:
    seen = {prompt.action for _state, prompts in every_prompt(1) for prompt in prompts}
    assert {kind.type for kind in WALLENSTEIN.actions} - seen <= {"announce", "replace"}


def test_example_of_each_prompt_can_be_entered_with_its_form() -> None:
    for state, prompts in every_prompt():
        form = ParsedForm(render_prompt(SCREEN.prompt(state, prompts)))
        for prompt in prompts:
            example = prompt.example_json()
            fields = SCREEN.fill(example)
            assert all(form.accepts(*field) for field in fields.items()), (prompt.action, fields)
            action = SCREEN.parse({**form.fields, **fields, "type": prompt.action})
            assert WALLENSTEIN.read_action(action, prompt.faction) == prompt.example


def test_untouched_form_parses_as_an_action() -> None:
    """The action may be illegal, but it must not be malformed."""
    for state, prompts in every_prompt(5):
        screen = SCREEN.prompt(state, prompts)
        fields = ParsedForm(render_prompt(screen)).fields
        for button in screen["buttons"]:
            if not button.needs_choice:
                action = SCREEN.parse({**fields, "type": button.type})
                WALLENSTEIN.why_not(state, WALLENSTEIN.read_action(action, prompts[0].faction))


def test_drafted_card_is_an_open_card_or_the_top_of_the_deck() -> None:
    form = {"type": "draft", "card": "bayern", "deck.0": "tirol", "armies": "3"}
    assert SCREEN.parse(form) == {"type": "draft", "province": "bayern", "turned": "tirol", "armies": 3}
    form["card"] = "deck"
    assert SCREEN.parse(form) == {"type": "draft", "province": "tirol", "turned": None, "armies": 3}


def test_numbered_fields_keep_their_order() -> None:
    form = {"type": "row", **{f"c.{i}": ACTIONS[i] for i in (3, 0, 2)}, "c.1": "", "c.x": "nonsense"}
    assert SCREEN.parse(form)["cards"] == [ACTIONS[0], ACTIONS[2], ACTIONS[3]]


def test_recruiting_without_target_moves_no_armies() -> None:
    form = {"type": "recruit", "place": "yes", "target": "", "armies": "2"}
    assert SCREEN.parse(form) == {"type": "recruit", "place": True, "target": None, "armies": 0}


def test_player_with_few_cards_announces_the_empty_spaces() -> None:
    state = first_state("planning")
    faction = state.order[0]
    short = replace(state, hands={**state.hands, faction: state.hands[faction][:3]})
    prompts = next(prompts for prompts in prompts_by_faction(short) if prompts[0].faction == faction)
    form = ParsedForm(render_prompt(SCREEN.prompt(short, prompts)))
    fields = SCREEN.fill(prompts[0].example_json())
    assert len(fields) == 2
    assert all(form.accepts(*field) for field in fields.items())
    assert SCREEN.parse({**fields, "type": "announce"}) == prompts[0].example_json()


def test_open_cards_can_be_replaced_if_nobody_takes_them() -> None:
    """All players draft from the deck until the first player sees the same two cards again."""
    state = first_state("setup", game=2)
    while len(prompts := WALLENSTEIN.prompts(state)) == 1:
        example = prompts[0].example_json()
        if example["type"] == "draft":
            deck = next(row for row in prompts[0].fields[0].bounds()["options"][::-1])
            example |= {"province": deck[0], "turned": None}
        state = WALLENSTEIN.apply(state, WALLENSTEIN.read_action(example, prompts[0].faction)).state
    screen = SCREEN.prompt(state, prompts)
    assert [button.type for button in screen["buttons"]] == ["draft", "replace"]
    form = ParsedForm(render_prompt(screen))
    fields = SCREEN.fill(prompts[1].example_json())
    assert all(form.accepts(*field) for field in fields.items())
    assert SCREEN.parse({**form.fields, **fields, "type": "replace"}) == prompts[1].example_json()


@pytest.mark.parametrize(
    "form", [{}, {"type": "nonsense"}, {"type": "draft"}, {"type": "events", "e.0": "x"}, {"type": "throw"}]
)
def test_incomplete_form_parses_to_an_action_for_the_rules_to_refuse(form: dict[str, str]) -> None:
    assert isinstance(SCREEN.parse(form), dict)


def test_plan_has_a_slot_for_each_action_open_ones_first() -> None:
    state = first_state("planning")
    prompts = next(prompts_by_faction(state))
    (picks,) = SCREEN.prompt(state, prompts)["widgets"]
    assert [slot.field for slot in picks.slots[:5]] == [f"c.{action}" for action in state.row]
    assert {slot.field for slot in picks.slots} == {f"c.{action}" for action in ACTIONS}
    assert [slot.is_hidden for slot in picks.slots] == [False] * 5 + [True] * 5


def test_plan_form_has_a_stable_draft_key() -> None:
    state = first_state("planning")
    prompts = next(prompts_by_faction(state))
    assert f'data-memory="plan-{state.round}-{prompts[0].faction}"' in render_prompt(
        SCREEN.prompt(state, prompts)
    )


def test_number_inputs_are_bounded_by_the_cubes_that_can_fall() -> None:
    state = first_state("throw")
    prompts = next(prompts_by_faction(state))
    most = prompts[0].fields[0].bounds()["most"]
    assert ParsedForm(render_prompt(SCREEN.prompt(state, prompts))).most == {
        f"n.{c}": n for c, n in most.items()
    }


# The map


def test_every_province_and_region_has_a_shape() -> None:
    shapes = (STATIC / "wallenstein" / "land.svg").read_text("utf-8")
    for slug in BOARD.figures["provinces"]:
        assert f'id="{slug}"' in shapes
    for region in REGIONS:
        assert f'id="region-{region}"' in shapes


def corners(path: str) -> set[tuple[int, int]]:
    """Return the points of a path whose first point is absolute and all others relative."""
    numbers = [int(number) for number in re.findall(r"-?\d+", path)]
    steps = list(zip(numbers[::2], numbers[1::2], strict=True))
    return set(itertools.accumulate(steps, lambda point, step: (point[0] + step[0], point[1] + step[1])))


def test_shapes_touch_exactly_where_provinces_are_neighbours() -> None:
    land = (STATIC / "wallenstein" / "land.svg").read_text("utf-8")
    shapes = {slug: corners(path) for slug, path in re.findall(r'<path id="([\w-]+)" d="([^"]+)"', land)}
    for slug, row in BOARD.figures["provinces"].items():
        touching = {other for other in shapes if other != slug and len(shapes[slug] & shapes[other]) > 1}
        assert touching == set(row["neighbours"]), slug


def test_every_province_has_a_unique_label_position() -> None:
    assert set(SPOTS) == set(BOARD.figures["provinces"])
    assert len(set(SPOTS.values())) == len(SPOTS)


@pytest.mark.parametrize("template", ["board", "picture"])
@pytest.mark.parametrize("game", [0, 3])
def test_map_shows_armies_names_and_cards(template: str, game: int) -> None:
    for state in random_states(game)[20::60]:
        chart = SCREEN.board(state)
        page = render_board(SCREEN, state, template, game=WALLENSTEIN)
        assert page.count('data-place="province:bayern"') == 1
        armies = [line for line in state.ledger.holdings() if line.piece == "army" and ":" in line.place]
        assert sum(land.armies for land in chart["lands"]) == sum(line.count for line in armies)
        names = [land.on_tv if template == "picture" else land.short for land in chart["lands"]]
        assert all(f">{name}<" in page for name in names)
        tapped = (
            len(BOARD.figures["provinces"]) if template == "board" else 0
        )  # the picture is not interactive
        assert page.count('data-land="') == tapped
        hidden = sum(1 for card in chart["cards"] if not card.action)
        assert hidden == (len(ACTIONS) - len(state.row) if state.row else 0)


@pytest.mark.parametrize("language", ["en", "hu", "it"])
def test_names_on_tv_are_short_and_unique(language: str) -> None:
    """Long names would overlap in the large font."""
    with translation.override(language):
        names = {slug: name_on_tv(slug) for slug in SPOTS}
    assert len(set(names.values())) == len(names)
    assert max(map(len, names.values())) <= 7
    examples = ("koeln", "hessen-kassel", "saechs-lande", "niederoesterreich")
    assert [names[slug] for slug in examples] == ["Köln", "H.-Kas.", "Sächs.", "Niede."]


def test_plan_is_visible_to_its_owner_only() -> None:
    """Other views contain no plan; owners see theirs on the phone, never on the TV."""
    state = next(state for state in random_states(0) if any(state.plans.values()))
    planner = next(faction for faction, cards in state.plans.items() if cards)
    for viewer in (None, *FACTIONS):
        secret = SCREEN.secret(WALLENSTEIN.view(state, viewer))
        own = state.plans.get(viewer, {}) if viewer else {}
        assert [action for action, _province in secret["plan"]] == [name("action", action) for action in own]
        page = render_to_string("wallenstein/secret.html", {"secret": secret})
        assert ("Your plan" in page) == bool(own)
    assert SCREEN.secret(WALLENSTEIN.view(state, planner))["plan"]
    for part in ("board", "picture"):
        page = render_board(SCREEN, state, part)
        assert "Your plan" not in page


# Odds


def test_throw_form_shows_the_odds() -> None:
    state = first_state("throw")
    throw = pending(state)
    assert throw is not None
    expected = odds(throw)
    text = SCREEN.prompt(state, next(prompts_by_faction(state)))["odds"]
    assert text == sentence(state)
    assert f"{round(100 * expected.attacker)}%" in text
    assert f"{round(100 * expected.defender)}%" in text
    assert f"{expected.defender_left:.1f}" in text


def test_move_form_names_the_event_of_the_season() -> None:
    state = first_state("move")
    assert state.current
    assert event_title(state.current) in render_prompt(SCREEN.prompt(state, next(prompts_by_faction(state))))
    assert "Event of the season" not in render_prompt(
        SCREEN.prompt(first_state("planning"), next(prompts_by_faction(first_state("planning"))))
    )


def test_defence_form_shows_odds_for_each_number_of_armies() -> None:
    state = first_state("battle")
    (widget,) = SCREEN.prompt(state, next(prompts_by_faction(state)))["widgets"]
    assert len({choice.detail for choice in widget.choices}) == len(widget.choices)
    assert all("holds it" in choice.detail for choice in widget.choices)


def test_forecast_covers_attacks_but_not_peaceful_moves() -> None:
    for state in random_states(0):
        if WALLENSTEIN.phase(state) != "move":
            continue
        (prompts,) = prompts_by_faction(state)
        faction = prompts[0].faction
        targets = SCREEN.prompt(state, prompts)["widgets"][0].choices
        for target in targets:
            form = {"type": "move", "target": target.value, "armies": "1"}
            lines = SCREEN.forecast(state, faction, form)
            assert bool(lines) == (target.owner != faction), (target, lines)
        assert SCREEN.forecast(state, faction, {"type": "move", "target": "nowhere", "armies": "x"}) == []
    assert SCREEN.forecast(first_state("throw"), "red", {"type": "throw"}) == []


def test_movement_forms_link_to_the_figures_of_the_province() -> None:
    for phase in ("move", "recruit"):
        state = first_state(phase)
        province = card_of(state).province
        link = f'href="/t/CDFGHJ/figures/?path=provinces.{province}"'
        assert link in render_prompt(SCREEN.prompt(state, next(prompts_by_faction(state))))
    assert "?path=provinces." not in render_prompt(
        SCREEN.prompt(first_state("throw"), next(prompts_by_faction(first_state("throw"))))
    )


def test_tower_filling_uses_the_figures_of_the_board() -> None:
    state = first_state("setup")
    assert "cubes of everybody 7, green ones 10." in render_prompt(
        SCREEN.prompt(state, next(prompts_by_faction(state)))
    )
    figures = {**state.setup.figures, "start": {**state.setup.figures["start"], "tower": 6, "peasants": 9}}
    other = replace(state, setup=replace(state.setup, figures=figures))
    assert "cubes of everybody 6, green ones 9." in render_prompt(
        SCREEN.prompt(other, next(prompts_by_faction(other)))
    )


def test_conquest_without_battle_does_not_forecast_a_later_battle() -> None:
    """Blue takes Passau without a throw; the later revolt in Böhmen is not its forecast (A-20)."""
    armies = {"regensburg": ("blue", 4), "boehmen": ("blue", 3)}
    state = table(
        armies,
        unrest={"boehmen": 2},
        event="battle-weary-peasants",
        options={"weary_conquest": True},
    )
    plans = {"blue": {"movement-a": "regensburg", "collect-gold": "boehmen"}, "red": {}, "yellow": {}}
    other_actions = [action for action in ACTIONS if action not in plans["blue"]]
    started = replace(
        state,
        row=("movement-a", "collect-gold", *other_actions),
        hands={"blue": tuple(armies), "red": (), "yellow": ()},
        plans=plans,
        frames=(Frame("actions", {"action": 0, "turn": 0}),),
    )
    moving_now = WALLENSTEIN.machine.settle(Outcome(started, ())).state
    form = {"type": "move", "target": "passau", "armies": "3"}
    taken = WALLENSTEIN.apply(moving_now, WALLENSTEIN.read_action({**form, "armies": 3}, "blue")).state
    assert pending(taken) is not None
    assert SCREEN.forecast(moving_now, "blue", form) == []


# Event notes, instructions for players, random order


def moving(event: str, **changes: Any) -> tuple[State, list[Prompt]]:
    """Return a state with an event, and the prompts of a player who moves armies."""
    state = replace(first_state("move"), current=event, **changes)
    return state, next(prompts_by_faction(state))


def test_event_note_appears_only_on_affected_moves() -> None:
    state, prompts = moving("trade-bonus")
    screen = SCREEN.prompt(state, prompts)
    assert screen["event_note"] == ""
    assert "Trade Bonus" in render_prompt(screen)
    card = card_of(state)
    enemy = next(p for p in neighbours_of(state, card.province) if owner_of(state, p) != card.faction)
    church = Move("peasants", "church", "supply", f"province:{enemy}")
    palace = Move("peasants", "palace", "supply", f"province:{enemy}")
    built = state.ledger.move(church, palace)
    closed, prompts = moving("church-peace", ledger=built)
    assert SCREEN.prompt(closed, prompts)["event_note"].startswith("Church Peace: you cannot attack ")
    assert enemy not in [choice.value for choice in SCREEN.prompt(closed, prompts)["widgets"][0].choices]
    if owner_of(state, enemy):
        guarded, prompts = moving("palace-guards", ledger=built)
        assert "one green cube more defends" in SCREEN.prompt(guarded, prompts)["event_note"]


def test_reveal_form_has_a_note_for_events_that_affect_the_action() -> None:
    state = first_state("actions", game=1)
    while WALLENSTEIN.prompts(state)[0].action != "reveal":
        state = WALLENSTEIN.apply(state, WALLENSTEIN.prompts(state)[0].example).state
    action = state.row[state.frames[-1].data["action"]]
    for event, actions in AFFECTED.items():
        note = SCREEN.prompt(replace(state, current=event), next(prompts_by_faction(state)))["event_note"]
        assert bool(note) == (action in actions), (event, action)


def test_order_is_random_only_if_none_was_entered() -> None:
    form = {"type": "order", "lots": "red blue yellow"}
    orders = {tuple(SCREEN.parse(form)["order"]) for _ in range(200)}
    assert len(orders) == 6
    tapped = {"c.0": "yellow", "c.1": "red", "c.2": "blue"}
    assert SCREEN.parse({**form, **tapped})["order"] == ["yellow", "red", "blue"]


def test_order_form_offers_shuffling_if_the_option_is_set() -> None:
    state = first_state("order")
    shuffled = replace(
        state, setup=replace(state.setup, options={**state.setup.options, "player_order": "shuffled"})
    )
    screen = SCREEN.prompt(shuffled, next(prompts_by_faction(shuffled)))
    assert not screen["buttons"][0].needs_choice
    assert 'name="lots" value="red blue yellow purple black"' in render_prompt(screen)
    assert 'name="lots"' not in render_prompt(SCREEN.prompt(state, next(prompts_by_faction(state))))


@pytest.mark.parametrize(
    ("move", "line"),
    [
        (Move("red", "army", "province:baden", "tower", 3), "Throw 3 red cubes from Baden into the tower"),
        (Move("peasants", "army", "supply", "tower"), "Throw 1 green cube from the supply into the tower"),
        (Move("peasants", "army", "cup", "supply", 2), "Take 2 green cubes from the cup to the supply"),
        (Move("blue", "army", "cup", "province:mark"), "Put 1 blue cube from the cup on Gft. Mark"),
        (Move("blue", "army", "supply", "province:mark", 5), "Put 5 blue cubes from the supply on Gft. Mark"),
        (
            Move("blue", "army", "province:mark", "province:koeln", 2),
            "Move 2 blue cubes from Gft. Mark to Erzbm. Köln",
        ),
        (Move("red", "gold", "supply", "bank", 3), "Pay 3 gold to the bank"),
        (Move("red", "grain", "bank", "supply"), "Move the grain marker 1 space forward"),
        (Move("red", "grain", "supply", "bank", 4), "Move the grain marker 4 spaces back"),
        (Move("peasants", "unrest", "bank", "province:baden"), "Put 1 unrest marker on Baden"),
        (Move("peasants", "church", "province:baden", "supply"), "Take 1 church off Baden"),
    ],
)
def test_move_instruction_names_cubes_source_and_target(move: Move, line: str) -> None:
    assert hand_line(WALLENSTEIN, move) == line


def test_cancelled_action_is_reported_to_its_player_with_the_reason() -> None:
    lines = list(cancelled_lines())
    assert lines
    for player, text, step in lines:
        action, _in, reason = text.partition(" in ")
        assert action in step
        assert "cancelled. " in reason or "lost after planning" in reason
        assert player in FACTIONS


def cancelled_lines() -> Iterator[tuple[str, str, str]]:
    """Yield player, instruction and step message of each cancelled action in a random game."""
    state = random_states(0)[0]
    generator = random.Random("wallenstein cancelled")
    for _ in range(MOST_STEPS):
        prompts = WALLENSTEIN.prompts(state)
        prompt = generator.choice(prompts)
        outcome = WALLENSTEIN.apply(
            state, WALLENSTEIN.read_action(prompt.sample(generator.randrange), prompt.faction)
        )
        for step in outcome.steps:
            for act in step.acts:
                if act.message.code in ("not-done", "not-done-lost"):
                    yield act.hand or "", render(WALLENSTEIN, act.message), render(WALLENSTEIN, step.message)
        state = outcome.state


def test_round_is_named_after_its_season() -> None:
    assert round_name(WALLENSTEIN, 3) == "Autumn of year 1"
    assert round_name(WALLENSTEIN, 8) == "Winter of year 2"

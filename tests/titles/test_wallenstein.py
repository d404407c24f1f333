"""Wallenstein on phones: what is drawn, what is offered, what a form means, how a battle may end."""

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
from companion.titles.wallenstein.board import SPOTS, event_title, name, name_on_tv
from companion.titles.wallenstein.events import BITES
from companion.titles.wallenstein.odds import sentence
from companion.titles.wallenstein.parsing import form_of
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
# Games that between them ask for everything: plans on phones or boards, provinces from a table or by draft.
GAMES: tuple[tuple[int, Mapping[str, Json]], ...] = (
    (5, {}),
    (4, {"planning": "boards"}),
    (3, {"distribution": "draft"}),
    (2, {}),
)


class Sent(HTMLParser):
    """What a browser would send of a form, and what can be chosen in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.offered: dict[str, set[str]] = {}
        self.most: dict[str, int] = {}
        self._select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {key: value or "" for key, value in attrs}
        name, value = found.get("name", ""), found.get("value", "")
        if tag == "input" and found.get("type") == "radio":
            self.offered.setdefault(name, set()).add(value)
        elif tag == "input":
            self.fields[name] = value
            if found.get("type") != "hidden":
                self.most[name] = int(found["max"])
        elif tag == "select":
            self._select = name
            self.fields[name] = ""
        elif tag == "option":
            self.offered.setdefault(self._select, set()).add(value)

    def can_be(self, field: str, value: str) -> bool:
        if field in self.most:
            return 0 <= int(value) <= self.most[field]
        return value in self.offered.get(field, ())


@lru_cache(maxsize=8)
def played(at: int) -> tuple[State, ...]:
    """The states of the beginning of a random game."""
    players, options = GAMES[at]
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


def asked(state: State) -> Iterator[list[Prompt]]:
    prompts = WALLENSTEIN.prompts(state)
    for faction in WALLENSTEIN.waiting_for(state):
        yield [prompt for prompt in prompts if prompt.faction == faction]


def drawn(screen: Any) -> str:
    context = {"screen": screen, "game": WALLENSTEIN, "table": Table(code="CDFGHJ")}
    return render_to_string("wallenstein/prompt.html", context)


def every_prompt(stride: int = 3) -> Iterator[tuple[State, list[Prompt]]]:
    for at in range(len(GAMES)):
        for state in played(at)[::stride]:
            for prompts in asked(state):
                yield state, prompts


def first(phase: str, at: int = 0) -> State:
    return next(state for state in played(at) if WALLENSTEIN.phase(state) == phase)


# Forms


def test_every_kind_of_entry_was_asked_for() -> None:
    seen = {prompt.action for _state, prompts in every_prompt(1) for prompt in prompts}
    assert {kind.type for kind in WALLENSTEIN.actions} - seen <= {"announce", "replace"}


def test_the_form_of_an_entry_means_that_entry() -> None:
    """Whatever a prompt has as its example can be entered with the fields and choices that are drawn."""
    for state, prompts in every_prompt():
        sent = Sent(drawn(SCREEN.prompt(state, prompts)))
        for prompt in prompts:
            example = prompt.example_json()
            fields = form_of(example)
            assert all(sent.can_be(*field) for field in fields.items()), (prompt.action, fields)
            action = SCREEN.action({**sent.fields, **fields, "type": prompt.action})
            read = WALLENSTEIN.read_action(action, prompt.faction)
            assert read == prompt.example


def test_the_main_button_alone_is_understood() -> None:
    """What is sent without touching anything is an entry, or refused with a sentence; never badly formed."""
    for state, prompts in every_prompt(5):
        screen = SCREEN.prompt(state, prompts)
        fields = Sent(drawn(screen)).fields
        for button in screen["buttons"]:
            if not button.needs_choice:
                action = SCREEN.action({**fields, "type": button.type})
                WALLENSTEIN.why_not(state, WALLENSTEIN.read_action(action, prompts[0].faction))


def test_a_drafted_card_is_an_open_one_or_the_top_of_the_deck() -> None:
    form = {"type": "draft", "card": "bayern", "deck.0": "tirol", "armies": "3"}
    assert SCREEN.action(form) == {"type": "draft", "province": "bayern", "turned": "tirol", "armies": 3}
    form["card"] = "deck"
    assert SCREEN.action(form) == {"type": "draft", "province": "tirol", "turned": None, "armies": 3}


def test_numbered_fields_keep_their_order() -> None:
    form = {"type": "row", **{f"c.{i}": ACTIONS[i] for i in (3, 0, 2)}, "c.1": "", "c.x": "nonsense"}
    assert SCREEN.action(form)["cards"] == [ACTIONS[0], ACTIONS[2], ACTIONS[3]]


def test_nobody_moves_without_a_target() -> None:
    form = {"type": "recruit", "place": "yes", "target": "", "armies": "2"}
    assert SCREEN.action(form) == {"type": "recruit", "place": True, "target": None, "armies": 0}


def test_who_is_short_of_cards_names_the_spaces_that_stay_empty() -> None:
    state = first("planning")
    faction = state.order[0]
    short = replace(state, hands={**state.hands, faction: state.hands[faction][:3]})
    prompts = next(prompts for prompts in asked(short) if prompts[0].faction == faction)
    sent = Sent(drawn(SCREEN.prompt(short, prompts)))
    fields = form_of(prompts[0].example_json())
    assert len(fields) == 2
    assert all(sent.can_be(*field) for field in fields.items())
    assert SCREEN.action({**fields, "type": "announce"}) == prompts[0].example_json()


def test_open_cards_that_nobody_wants_can_be_replaced() -> None:
    """Everybody takes from the deck, until the first in turn sees the same two cards again."""
    state = first("setup", at=2)
    while len(prompts := WALLENSTEIN.prompts(state)) == 1:
        example = prompts[0].example_json()
        if example["type"] == "draft":
            deck = next(row for row in prompts[0].fields[0].bounds()["options"][::-1])
            example |= {"province": deck[0], "turned": None}
        state = WALLENSTEIN.apply(state, WALLENSTEIN.read_action(example, prompts[0].faction)).state
    screen = SCREEN.prompt(state, prompts)
    assert [button.type for button in screen["buttons"]] == ["draft", "replace"]
    sent = Sent(drawn(screen))
    fields = form_of(prompts[1].example_json())
    assert all(sent.can_be(*field) for field in fields.items())
    assert SCREEN.action({**sent.fields, **fields, "type": "replace"}) == prompts[1].example_json()


@pytest.mark.parametrize(
    "form", [{}, {"type": "nonsense"}, {"type": "draft"}, {"type": "events", "e.0": "x"}, {"type": "throw"}]
)
def test_a_torn_form_is_still_something_to_refuse(form: dict[str, str]) -> None:
    assert isinstance(SCREEN.action(form), dict)


def test_a_plan_has_a_space_for_each_action_the_open_ones_first() -> None:
    state = first("planning")
    prompts = next(asked(state))
    (picks,) = SCREEN.prompt(state, prompts)["asks"]
    assert [slot.field for slot in picks.slots[:5]] == [f"c.{action}" for action in state.row]
    assert {slot.field for slot in picks.slots} == {f"c.{action}" for action in ACTIONS}
    assert [slot.is_hidden for slot in picks.slots] == [False] * 5 + [True] * 5


def test_what_is_typed_into_a_plan_outlasts_the_plans_of_others() -> None:
    state = first("planning")
    prompts = next(asked(state))
    assert f'data-memory="plan-{state.round}-{prompts[0].faction}"' in drawn(SCREEN.prompt(state, prompts))


def test_what_can_have_fallen_bounds_the_steppers() -> None:
    state = first("throw")
    prompts = next(asked(state))
    most = prompts[0].fields[0].bounds()["most"]
    assert Sent(drawn(SCREEN.prompt(state, prompts))).most == {f"n.{c}": n for c, n in most.items()}


# The map


def test_every_province_and_region_has_its_shape() -> None:
    shapes = (STATIC / "wallenstein" / "land.svg").read_text("utf-8")
    for slug in BOARD.figures["provinces"]:
        assert f'id="{slug}"' in shapes
    for region in REGIONS:
        assert f'id="region-{region}"' in shapes


def corners(path: str) -> set[tuple[int, int]]:
    """The points of a shape: one absolute, the others each relative to the one before."""
    numbers = [int(found) for found in re.findall(r"-?\d+", path)]
    steps = list(zip(numbers[::2], numbers[1::2], strict=True))
    return set(itertools.accumulate(steps, lambda at, step: (at[0] + step[0], at[1] + step[1])))


def test_provinces_touch_where_they_are_neighbours_and_nowhere_else() -> None:
    land = (STATIC / "wallenstein" / "land.svg").read_text("utf-8")
    shapes = {slug: corners(path) for slug, path in re.findall(r'<path id="([\w-]+)" d="([^"]+)"', land)}
    for slug, row in BOARD.figures["provinces"].items():
        touching = {other for other in shapes if other != slug and len(shapes[slug] & shapes[other]) > 1}
        assert touching == set(row["neighbours"]), slug


def test_every_province_has_a_place_of_its_own() -> None:
    assert set(SPOTS) == set(BOARD.figures["provinces"])
    assert len(set(SPOTS.values())) == len(SPOTS)


@pytest.mark.parametrize("template", ["board", "picture"])
@pytest.mark.parametrize("game", [0, 3])
def test_the_map_tells_what_lies_where(template: str, game: int) -> None:
    for state in played(game)[20::60]:
        chart = SCREEN.board(state)
        page = render_board(SCREEN, state, template, game=WALLENSTEIN)
        assert page.count('data-place="province:bayern"') == 1
        armies = [line for line in state.ledger.holdings() if line.piece == "army" and ":" in line.place]
        assert sum(land.armies for land in chart["lands"]) == sum(line.count for line in armies)
        names = [land.on_tv if template == "picture" else land.short for land in chart["lands"]]
        assert all(f">{name}<" in page for name in names)
        tapped = len(BOARD.figures["provinces"]) if template == "board" else 0  # nobody taps a picture
        assert page.count('data-land="') == tapped
        hidden = sum(1 for card in chart["cards"] if not card.action)
        assert hidden == (len(ACTIONS) - len(state.row) if state.row else 0)


@pytest.mark.parametrize("language", ["en", "hu", "it"])
def test_on_a_tv_names_are_short_and_each_is_another_one(language: str) -> None:
    """Large enough for the other end of the room, they would run into each other otherwise."""
    with translation.override(language):
        names = {slug: name_on_tv(slug) for slug in SPOTS}
    assert len(set(names.values())) == len(names)
    assert max(map(len, names.values())) <= 7
    some = ("koeln", "hessen-kassel", "saechs-lande", "niederoesterreich")
    assert [names[slug] for slug in some] == ["Köln", "H.-Kas.", "Sächs.", "Niede."]


def test_a_plan_is_told_to_nobody_else() -> None:
    """What others see of a table holds no plan; who planned sees their own on the phone, never on the TV."""
    state = next(state for state in played(0) if any(state.plans.values()))
    planner = next(faction for faction, cards in state.plans.items() if cards)
    for viewer in (None, *FACTIONS):
        secret = SCREEN.secret(WALLENSTEIN.view(state, viewer))
        own = state.plans.get(viewer, {}) if viewer else {}
        assert [action for action, _province in secret["plan"]] == [name("action", action) for action in own]
        told = render_to_string("wallenstein/secret.html", {"secret": secret})
        assert ("Your plan" in told) == bool(own)
    assert SCREEN.secret(WALLENSTEIN.view(state, planner))["plan"]
    for part in ("board", "picture"):
        page = render_board(SCREEN, state, part)
        assert "Your plan" not in page


# Odds


def test_before_a_throw_its_odds_are_told() -> None:
    state = first("throw")
    throw = pending(state)
    assert throw is not None
    found = odds(throw)
    told = SCREEN.prompt(state, next(asked(state)))["odds"]
    assert told == sentence(state)
    assert f"{round(100 * found.attacker)}%" in told
    assert f"{round(100 * found.defender)}%" in told
    assert f"{found.defender_left:.1f}" in told


def test_the_event_of_the_season_is_named_where_it_may_bite() -> None:
    state = first("move")
    assert state.current
    assert event_title(state.current) in drawn(SCREEN.prompt(state, next(asked(state))))
    assert "Event of the season" not in drawn(
        SCREEN.prompt(first("planning"), next(asked(first("planning"))))
    )


def test_a_defender_sees_the_odds_of_each_number() -> None:
    state = first("battle")
    (choices,) = SCREEN.prompt(state, next(asked(state)))["asks"]
    assert len({choice.detail for choice in choices.choices}) == len(choices.choices)
    assert all("holds it" in choice.detail for choice in choices.choices)


def test_an_attack_is_forecast_and_a_walk_is_not() -> None:
    for state in played(0):
        if WALLENSTEIN.phase(state) != "move":
            continue
        (prompts,) = asked(state)
        faction = prompts[0].faction
        targets = SCREEN.prompt(state, prompts)["asks"][0].choices
        for target in targets:
            form = {"type": "move", "target": target.value, "armies": "1"}
            lines = SCREEN.forecast(state, faction, form)
            assert bool(lines) == (target.owner != faction), (target, lines)
        assert SCREEN.forecast(state, faction, {"type": "move", "target": "nowhere", "armies": "x"}) == []
    assert SCREEN.forecast(first("throw"), "red", {"type": "throw"}) == []


def test_who_sees_another_border_on_the_board_is_led_to_the_figures() -> None:
    for phase in ("move", "recruit"):
        state = first(phase)
        province = card_of(state).province
        link = f'href="/t/CDFGHJ/figures/?path=provinces.{province}"'
        assert link in drawn(SCREEN.prompt(state, next(asked(state))))
    assert "?path=provinces." not in drawn(SCREEN.prompt(first("throw"), next(asked(first("throw")))))


def test_the_tower_is_filled_with_what_the_copy_says() -> None:
    state = first("setup")
    assert "cubes of everybody 7, green ones 10." in drawn(SCREEN.prompt(state, next(asked(state))))
    figures = {**state.setup.figures, "start": {**state.setup.figures["start"], "tower": 6, "peasants": 9}}
    other = replace(state, setup=replace(state.setup, figures=figures))
    assert "cubes of everybody 6, green ones 9." in drawn(SCREEN.prompt(other, next(asked(other))))


def test_the_next_battle_is_not_the_forecast_of_a_conquest_without_one() -> None:
    """A-20: Blue takes Passau without a throw; the revolt of Böhmen, planned for later, is no odds of that."""
    armies = {"regensburg": ("blue", 4), "boehmen": ("blue", 3)}
    state = table(
        armies,
        unrest={"boehmen": 2},
        event="battle-weary-peasants",
        options={"weary_conquest": True},
    )
    plans = {"blue": {"movement-a": "regensburg", "collect-gold": "boehmen"}, "red": {}, "yellow": {}}
    rest = [action for action in ACTIONS if action not in plans["blue"]]
    begun = replace(
        state,
        row=("movement-a", "collect-gold", *rest),
        hands={"blue": tuple(armies), "red": (), "yellow": ()},
        plans=plans,
        frames=(Frame("actions", {"action": 0, "turn": 0}),),
    )
    moving_now = WALLENSTEIN.machine.settle(Outcome(begun, ())).state
    form = {"type": "move", "target": "passau", "armies": "3"}
    taken = WALLENSTEIN.apply(moving_now, WALLENSTEIN.read_action({**form, "armies": 3}, "blue")).state
    assert pending(taken) is not None
    assert SCREEN.forecast(moving_now, "blue", form) == []


# Events where they bite, hands, lots


def moving(event: str, **changes: Any) -> tuple[State, list[Prompt]]:
    """Somebody moves while an event is in force."""
    state = replace(first("move"), current=event, **changes)
    return state, next(asked(state))


def test_an_event_is_named_where_it_bites_and_quiet_elsewhere() -> None:
    state, prompts = moving("trade-bonus")
    screen = SCREEN.prompt(state, prompts)
    assert screen["bite"] == ""
    assert "Trade Bonus" in drawn(screen)
    card = card_of(state)
    enemy = next(p for p in neighbours_of(state, card.province) if owner_of(state, p) != card.faction)
    church = Move("peasants", "church", "supply", f"province:{enemy}")
    palace = Move("peasants", "palace", "supply", f"province:{enemy}")
    built = state.ledger.move(church, palace)
    closed, prompts = moving("church-peace", ledger=built)
    assert SCREEN.prompt(closed, prompts)["bite"].startswith("Church Peace: you cannot attack ")
    assert enemy not in [choice.value for choice in SCREEN.prompt(closed, prompts)["asks"][0].choices]
    if owner_of(state, enemy):
        guarded, prompts = moving("palace-guards", ledger=built)
        assert "one green cube more defends" in SCREEN.prompt(guarded, prompts)["bite"]


def test_on_boards_an_event_is_told_with_the_action_it_is_about() -> None:
    state = first("actions", at=1)
    while WALLENSTEIN.prompts(state)[0].action != "reveal":
        state = WALLENSTEIN.apply(state, WALLENSTEIN.prompts(state)[0].example).state
    action = state.row[state.frames[-1].data["action"]]
    for event, actions in BITES.items():
        told = SCREEN.prompt(replace(state, current=event), next(asked(state)))["bite"]
        assert bool(told) == (action in actions), (event, action)


def test_the_app_shuffles_only_where_nothing_was_tapped() -> None:
    form = {"type": "order", "lots": "red blue yellow"}
    orders = {tuple(SCREEN.action(form)["order"]) for _ in range(200)}
    assert len(orders) == 6
    tapped = {"c.0": "yellow", "c.1": "red", "c.2": "blue"}
    assert SCREEN.action({**form, **tapped})["order"] == ["yellow", "red", "blue"]


def test_a_table_that_has_its_order_shuffled_is_offered_that() -> None:
    state = first("order")
    shuffled = replace(
        state, setup=replace(state.setup, options={**state.setup.options, "player_order": "shuffled"})
    )
    screen = SCREEN.prompt(shuffled, next(asked(shuffled)))
    assert not screen["buttons"][0].needs_choice
    assert 'name="lots" value="red blue yellow purple black"' in drawn(screen)
    assert 'name="lots"' not in drawn(SCREEN.prompt(state, next(asked(state))))


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
def test_a_hand_is_told_whose_cubes_it_takes_where(move: Move, line: str) -> None:
    assert hand_line(WALLENSTEIN, move) == line


def test_a_cancelled_action_is_told_to_its_player_with_the_reason() -> None:
    lines = list(cancelled_lines())
    assert lines
    for hand, text, step in lines:
        action, _in, rest = text.partition(" in ")
        assert action in step
        assert "cancelled. " in rest or "lost after planning" in rest
        assert hand in FACTIONS


def cancelled_lines() -> Iterator[tuple[str, str, str]]:
    """What hands are told of cancelled actions, and what the step says."""
    state = played(0)[0]
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


def test_a_round_is_called_by_its_season() -> None:
    assert round_name(WALLENSTEIN, 3) == "Autumn of year 1"
    assert round_name(WALLENSTEIN, 8) == "Winter of year 2"

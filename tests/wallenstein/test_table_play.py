"""Prompt domains, options, rulings, events, two players, resuming a game, odds of a throw."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from typing import Any

import pytest

from games.core.actions import Correct, Lying, Position, Ruling, SetFigure
from games.core.errors import Refused
from games.core.flow import Frame
from games.core.prompts import Plan as PlanField
from games.core.prompts import Prompt
from games.core.steps import Outcome
from games.wallenstein.actions import Defend, Fill, March, Open, Recruit, Throw
from games.wallenstein.battles import pending
from games.wallenstein.board import in_play
from games.wallenstein.cards import ACTIONS
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.state import State, owner_of, provinces_of
from games.wallenstein.tower import odds
from tests.conformance.walks import explored, key, plain
from tests.core.rendering import sentence
from tests.wallenstein.games import game, seeds
from tests.wallenstein.positions import (
    armies_at,
    enter,
    fallen,
    pieces_at,
    rejection,
    returned_cubes,
    supply_count,
    table,
    texts,
    thrown,
    turning,
    unrest,
)

LARGEST = 2_000


# Domains


@seeds(0, 1)
def test_every_offered_action_is_accepted(players: int, seed: int) -> None:
    generator = random.Random(seed)
    for number, state in enumerate(game(players, seed).states[:-1]):
        for prompt in WALLENSTEIN.prompts(state):
            most = LARGEST if number % 25 == seed else 2
            for data in explored(prompt, generator, most, 2):
                assert (
                    WALLENSTEIN.why_not(state, WALLENSTEIN.read_action(plain(data), prompt.faction)) is None
                )


@seeds(0)
def test_values_outside_a_domain_are_rejected(players: int, seed: int) -> None:
    """Rejects list values that are not offered, and numbers just outside the range."""
    tried = 0
    for state in game(players, seed).states[:-1:3]:
        for prompt in WALLENSTEIN.prompts(state):
            tried += sum(map(bool, _rejections(state, prompt)))
    assert tried > 100


def _rejections(state: State, prompt: Prompt) -> list[bool]:
    if prompt.size() > LARGEST or any(isinstance(field, PlanField) for field in prompt.fields):
        return []
    inside = {key(plain(element)) for element in prompt.elements()}
    rejections = []
    for element in (prompt.sample(lambda n: n - 1), prompt.sample(lambda _n: 0)):
        for name, value in _changes(state, element):
            data = {**plain(element), name: value}
            if key(data) in inside:
                continue
            refusal = None
            try:
                refusal = WALLENSTEIN.why_not(state, WALLENSTEIN.read_action(data, prompt.faction))
            except Refused as bad:
                refusal = bad
            assert refusal is not None, data
            rejections.append(bool(sentence(WALLENSTEIN, refusal.message)))
    return rejections


def _changes(state: State, element: dict[str, Any]) -> list[tuple[str, Any]]:
    changes: list[tuple[str, Any]] = []
    for name, value in element.items():
        if isinstance(value, bool) or name == "type":
            continue
        if isinstance(value, int):
            changes += [(name, value + n) for n in (-1, 1, 50)]
        elif isinstance(value, str):
            changes += [(name, other) for other in (*in_play(state.setup)[::7], *ACTIONS, "nowhere")]
        elif isinstance(value, list | tuple):
            changes += [(name, list(value)[:-1]), (name, [*value, *value[:1]])]
    return changes


def in_plan(prompt: Prompt, data: dict[str, Any]) -> bool:
    """Return True if a plan keeps to the bounds that its prompt describes."""
    bounds = prompt.choices()["cards"]
    cards = data["cards"]
    return (
        set(cards) <= set(bounds["actions"])
        and set(cards.values()) <= set(bounds["provinces"])
        and len(set(cards.values())) == len(cards)
        and bounds["least"] <= len(cards) <= bounds["most"]
    )


def test_plan_is_accepted_exactly_within_its_bounds() -> None:
    """Random assignments of cards, inside and outside the bounds."""
    generator = random.Random(5)
    states = [e.state for e in game(4, 0).played if e.action.type == "plan"]
    tried: dict[bool, int] = {True: 0, False: 0}
    for state in states[::6]:
        (prompt, *_) = [p for p in WALLENSTEIN.prompts(state) if p.action == "plan"]
        names = [*prompt.choices()["cards"]["provinces"], "tirol"]
        for _ in range(150):
            count = generator.randrange(11)
            actions = generator.sample(ACTIONS, count)
            cards = dict(zip(actions, generator.choices(names, k=count), strict=True))
            if generator.randrange(2):
                cards = dict(zip(actions, generator.sample(names, min(count, len(names))), strict=False))
            data = {"type": "plan", "cards": cards}
            action = WALLENSTEIN.read_action(data, prompt.faction)
            accepted = WALLENSTEIN.why_not(state, action) is None
            assert accepted == in_plan(prompt, data), data
            tried[accepted] += 1
    assert min(tried.values()) > 20


# Events


def test_a_good_harvest_counts_in_its_region_only() -> None:
    for event, grain in (("good-harvest:oesterreich", 5), ("good-harvest:bayern", 3)):
        state = table({"passau": ("blue", 1)}, event=event)
        outcome = turning(state, "blue", "collect-grain", "passau")
        assert supply_count(outcome.state, "blue", "grain") == grain
        bites = "Good Harvest in Österreich: 2 grain more." in texts(outcome)
        assert bites == (grain == 5)


def test_church_peace_does_not_restrict_peaceful_moves() -> None:
    state = table(
        {"passau": ("blue", 2), "boehmen": ("blue", 1)},
        buildings={"boehmen": ["church"]},
        event="church-peace",
    )
    turned = turning(state, "blue", "movement-b", "passau").state
    after = enter(turned, March(faction="blue", target="boehmen", armies=1)).state
    assert armies_at(after, "boehmen") == {"blue": 2}


def test_weary_conquest_option_conquers_without_a_throw() -> None:
    options = {"weary_conquest": True}
    state = table({"regensburg": ("blue", 4)}, event="battle-weary-peasants", options=options)
    turned = turning(state, "blue", "movement-a", "regensburg").state
    outcome = enter(turned, March(faction="blue", target="passau", armies=3))
    assert (armies_at(outcome.state), unrest(outcome.state)) == ({"blue": 3}, 1)
    assert "Battle-Weary Peasants: no peasant army is thrown in." in texts(outcome)


def test_battle_in_which_no_cube_falls() -> None:
    destroyed = fallen(thrown(2, 3), peasants=0).state
    assert owner_of(destroyed, "passau") is None
    held = fallen(thrown(2, 3, 1, options={"nothing_fell": "attack-fails"})).state
    assert armies_at(held) == {"red": 2}
    all_in = fallen(thrown(2, 3, options={"nothing_fell": "attack-fails"})).state
    assert (armies_at(all_in), owner_of(all_in, "passau")) == ({}, "red")


def test_missing_peasant_armies_are_reported() -> None:
    """The available armies are thrown in (A-21)."""
    position = table({"passau": ("red", 4)}, unrest={"passau": 3}, tower={"peasants": 18})
    turned = turning(position, "red", "collect-gold", "passau")
    state = enter(turned.state, Defend(faction="red", armies=1))
    assert pieces_at(state.state, "tower")["peasants"] == 20
    assert "Only 2 of 3 peasant armies are left to be thrown in." in texts(state)


def test_recruit_1_may_move_the_new_army() -> None:
    """At least one army stays (A-17)."""
    state = table({"passau": ("blue", 1), "boehmen": ("blue", 1)}, gold={"blue": 1})
    turned = turning(state, "blue", "recruit-1", "passau").state
    after = enter(turned, Recruit(faction="blue", place=True, target="boehmen", armies=1)).state
    assert (armies_at(after), armies_at(after, "boehmen"), supply_count(after, "blue", "gold")) == (
        {"blue": 1},
        {"blue": 2},
        0,
    )


def test_player_without_a_choice_is_not_prompted() -> None:
    """With one neighbour and two armies, one moves; a defender without armies is not prompted."""
    state = table({"bayern": ("blue", 2)}, factions=("blue", "red", "yellow", "black"))
    figures = {**state.setup.figures}
    rows = {name: dict(row) for name, row in figures["provinces"].items()}
    for other in ("augsburg", "salzburg"):
        rows["bayern"]["neighbours"] = [n for n in rows["bayern"]["neighbours"] if n != other]
    lonely = replace(state, setup=replace(state.setup, figures={**figures, "provinces": rows}))
    outcome = turning(lonely, "blue", "movement-a", "bayern")
    assert outcome.state.frames[-1].phase == "throw"
    assert pieces_at(outcome.state, "tower") == {"blue": 1, "peasants": 1}


# Rulings


def ruled(key_: str, result: Any) -> dict[str, Ruling]:
    return {key_: Ruling(result=result, reason="house-rule")}


def test_ruling_decides_a_battle() -> None:
    state = thrown(4, 3)
    rulings = ruled("battle:passau", {"province": "conquered", "armies": 2})
    outcome = enter(state, Throw(faction="blue", fallen={"blue": 2, "red": 3}, rulings=rulings))
    assert armies_at(outcome.state) == {"blue": 2}
    assert returned_cubes(outcome) == {"red": 3}
    assert WALLENSTEIN.invariants(outcome.state) == []
    assert any(text.startswith("The table decides for Passau: it is conquered") for text in texts(outcome))


@pytest.mark.parametrize(
    "result",
    [
        {"province": "conquered", "armies": 3},
        {"province": "conquered", "armies": 0},
        {"province": "held", "armies": 4},
        {"province": "neutral", "armies": 0},
        {"province": "destroyed", "armies": 1},
        {"province": "burnt", "armies": 0},
    ],
)
def test_impossible_ruling_is_rejected(result: Any) -> None:
    state = thrown(4, 3)
    action = Throw(faction="blue", fallen={"blue": 2, "red": 3}, rulings=ruled("battle:passau", result))
    rejection(state, action)


def test_ruling_on_an_unknown_key_is_rejected() -> None:
    state = thrown(4, 3)
    unheard = Throw(faction="blue", fallen={"blue": 1}, rulings=ruled("battle:baden", {}))
    assert "there is nothing to rule on" in rejection(state, unheard)[1]


@pytest.mark.parametrize(
    ("result", "armies", "gold"),
    [
        ({"gold": 0, "armies": 5}, 7, 1),
        ({"gold": -1, "armies": 2}, 4, 0),
        ({"cancelled": "the table says so"}, 2, 1),
    ],
)
def test_ruling_decides_the_effect_of_an_action(result: Any, armies: int, gold: int) -> None:
    """Red's throw is entered, then Blue's recruiting without gold follows automatically."""
    state = table({"regensburg": ("red", 3), "passau": ("blue", 2)}, gold={"blue": 1})
    others = [a for a in ACTIONS if a not in ("movement-a", "recruit-5")]
    planned = replace(
        state,
        order=("red", "blue", "yellow"),
        row=("movement-a", "recruit-5", *others),
        events=state.events[1:],
        hands={"red": ("regensburg",), "blue": ("passau",), "yellow": ()},
        plans={"red": {"movement-a": "regensburg"}, "blue": {"recruit-5": "passau"}, "yellow": {}},
        frames=(Frame("actions", {"action": 0, "turn": 0}),),
    )
    begun = WALLENSTEIN.machine.settle(Outcome(planned, ())).state
    attacked = enter(begun, March(faction="red", target="oberpfalz", armies=2)).state
    throw = Throw(faction="red", fallen={}, rulings=ruled("action:recruit-5:blue", result))
    after = enter(attacked, throw).state
    assert (armies_at(after), supply_count(after, "blue", "gold")) == ({"blue": armies}, gold)
    impossible = replace(throw, rulings=ruled("action:recruit-5:blue", {"gold": -2, "armies": 5}))
    assert rejection(attacked, impossible)[1].startswith("No hand could carry out this ruling")


def test_ruling_decides_hunger_and_points() -> None:
    """The last throw of autumn leads to winter: a shortage of two, and one extra point."""
    state = table({"regensburg": ("blue", 3), "passau": ("blue", 2)}, grain={"red": 9}, round=3)
    turned = turning(state, "blue", "movement-a", "regensburg").state
    attacked = enter(turned, March(faction="blue", target="oberpfalz", armies=2)).state
    spared = {"grain": 0, "shortage": 0, "revolts": 0, "extra_rebels": 0}
    points = {"provinces": 3, "buildings": 0, "majorities": 0}
    rulings = ruled("hunger:blue", spared) | ruled("score:blue", points)
    after = enter(attacked, Throw(faction="blue", fallen={}, rulings=rulings)).state
    assert after.frames[-1].phase == "events"
    points_after = {s.faction: int(s.points) for s in WALLENSTEIN.standings(after)}
    assert points_after == {"blue": 3, "red": 0, "yellow": 0}
    hungry = enter(attacked, Throw(faction="blue", fallen={})).state
    assert (hungry.frames[-1].phase, hungry.round) == ("winter", 4)


# Two players


def test_two_players_draft_from_27_provinces() -> None:
    setup = WALLENSTEIN.prepare(("red", "blue"))
    assert len(in_play(setup)) == 27
    state = WALLENSTEIN.start(setup).state
    state = enter(state, Fill(faction="red", fallen={})).state
    assert state.frames[-1].data["stage"] == "draft"
    pairs = list(itertools.combinations(in_play(setup), 2))
    state = enter(state, Open(faction="red", cards=pairs[0])).state
    while state.frames[-1].phase == "setup":
        prompt = WALLENSTEIN.prompts(state)[0]
        state = enter(state, prompt.example).state
    assert [len(provinces_of(state, f)) for f in state.order] == [9, 9]
    assert sum(pieces_at(state, f"province:{p}").get("red", 0) for p in in_play(setup)) == 27
    assert [supply_count(state, f, "gold") for f in state.order] == [18, 18]
    assert supply_count(state, "red", "army") == 27


@pytest.mark.parametrize(("players", "supply", "gold"), [(3, 27, 18), (4, 29, 15), (5, 31, 13)])
def test_supplies_after_the_first_game_tables(players: int, supply: int, gold: int) -> None:
    setup = WALLENSTEIN.prepare(WALLENSTEIN.factions[:players])
    state = enter(WALLENSTEIN.start(setup).state, Fill(faction="red", fallen={})).state
    while state.frames[-1].phase == "setup":
        state = enter(state, WALLENSTEIN.prompts(state)[0].example).state
    assert {supply_count(state, f, "army") for f in state.order} == {supply}
    assert {supply_count(state, f, "gold") for f in state.order} == {gold}


def test_gold_with_five_option_sets_the_starting_gold() -> None:
    setup = WALLENSTEIN.prepare(WALLENSTEIN.factions, options={"gold_with_five": 12})
    assert supply_count(WALLENSTEIN.start(setup).state, "red", "gold") == 12


# Corrections


def test_corrections_change_owners_gold_and_the_tower() -> None:
    state = table({"passau": ("blue", 3)}, tower={"red": 4})
    mine = enter(state, correction("blue", "army", "province:passau", 0)).state
    assert owner_of(mine, "passau") is None
    theirs = enter(mine, correction("red", "army", "province:passau", 2)).state
    assert owner_of(theirs, "passau") == "red"
    rich = enter(theirs, correction("red", "gold", "supply", 7)).state
    assert supply_count(rich, "red", "gold") == 7
    accident = enter(rich, correction("red", "army", "cup", 1, against="tower")).state
    assert (pieces_at(accident, "tower"), pieces_at(accident, "cup")) == ({"red": 3}, {"red": 1})
    assert WALLENSTEIN.invariants(accident) == []


def correction(owner: str, piece: str, place: str, count: int, **more: Any) -> Correct:
    return Correct(faction="blue", owner=owner, piece=piece, place=place, count=count, reason="seen", **more)


def test_corrected_figure_takes_effect() -> None:
    state = table({"passau": ("blue", 1)})
    path = ("provinces", "passau", "gold")
    after = enter(state, SetFigure(faction="blue", path=path, value=9)).state
    assert supply_count(turning(after, "blue", "collect-gold", "passau").state, "blue", "gold") == 9


# Resuming a game


def holdings(*lines: tuple[str, str, str, int]) -> tuple[Lying, ...]:
    return tuple(Lying(owner=o, piece=p, place=at_, count=n) for o, p, at_, n in lines)


def position(phase: str, number: int, facts: dict[str, Any]) -> Position:
    return Position(
        faction="blue",
        round=number,
        phase=phase,
        order=("red", "blue", "yellow"),
        holdings=holdings(
            ("red", "army", "province:passau", 3),
            ("blue", "army", "province:boehmen", 2),
            ("yellow", "army", "tower", 4),
            ("peasants", "church", "province:boehmen", 1),
            ("red", "gold", "supply", 6),
            ("red", "grain", "supply", 9),
            ("blue", "point", "score:provinces", 8),
        ),
        facts=facts,
    )


CARDS = [{"event": "church-peace", "loss": 3}, {"event": "trade-bonus", "loss": 5}]


@pytest.mark.parametrize(
    ("phase", "number", "facts", "next_phase"),
    [
        ("events", 4, {"drawn": ["palace-guards"]}, "events"),
        ("row", 7, {"events": CARDS}, "row"),
        ("winter", 4, {"events": CARDS[:1]}, "throw"),
    ],
)
def test_game_resumes_from_a_position(
    phase: str, number: int, facts: dict[str, Any], next_phase: str
) -> None:
    start = WALLENSTEIN.start(WALLENSTEIN.prepare(("blue", "red", "yellow"))).state
    state = enter(start, position(phase, number, facts)).state
    if state.frames[-1].phase == "battle":  # Blue has no grain and commits two armies
        state = enter(state, Defend(faction="blue", armies=2)).state
    assert state.frames[-1].phase == next_phase
    assert WALLENSTEIN.invariants(state) == []
    assert supply_count(state, "red", "gold") == 6
    for _ in range(600):
        prompts = WALLENSTEIN.prompts(state)
        if not prompts:
            break
        state = enter(state, prompts[0].example).state
    assert WALLENSTEIN.result(state) is not None


# Odds


@seeds(0)
def test_odds_of_every_throw_account_for_all_cubes(players: int, seed: int) -> None:
    throws = 0
    for state in game(players, seed).states:
        throw = pending(state)
        assert (throw is not None) == (state.frames[-1].phase in ("battle", "throw"))
        if throw is None:
            continue
        throws += 1
        chances = odds(throw)
        assert chances.attacker + chances.defender + chances.none == pytest.approx(1)
        if state.frames[-1].phase == "throw":
            inside = pieces_at(state, "tower")
            colours = {*inside, *throw.thrown}
            assert {c: throw.fresh(c) + throw.stuck(c) for c in colours} == {
                c: inside.get(c, 0) + pieces_at(state, "cup").get(c, 0) for c in colours
            }
    assert throws > 10


# Standings


@seeds(0)
def test_standings_include_the_provisional_score_of_the_next_winter(players: int, seed: int) -> None:
    """After winter 1 standings are the recorded points; later the next winter's score is added."""
    states = game(players, seed).states
    (after,) = [s for s in states if s.round == 4 and s.frames[0].phase == "events"]
    recorded = {s.faction: s.points for s in WALLENSTEIN.standings(after)}
    following = states[states.index(after) + 1]
    now = {s.faction: s.points for s in WALLENSTEIN.standings(following)}
    owned = {f: len(provinces_of(following, f)) for f in following.order}
    assert all(now[f] >= recorded[f] + owned[f] for f in recorded)
    message = WALLENSTEIN.provisional(following)
    assert message is not None
    assert sentence(WALLENSTEIN, message) == "If winter 2 were scored now."


def test_finished_game_rejects_actions() -> None:
    state = replace(table({"passau": ("blue", 1)}), frames=(Frame("finished"),), round=8, events=())
    rule, text = rejection(state, March(faction="blue", target="boehmen", armies=1))
    assert (rule, text) == ("6", "The game is over; both winters are scored.")

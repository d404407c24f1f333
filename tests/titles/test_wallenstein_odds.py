"""Odds of Wallenstein battles, and the rates learned from throws of a table and earlier games."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import timezone

from companion.journal.states import state_at, state_cache
from companion.journal.submit import submit
from companion.models import Board, Circle, Table
from companion.tables.opening import NewSeat, open_table, start
from companion.titles import screen_of
from companion.titles.wallenstein import SCREEN, tower
from companion.titles.wallenstein.odds import chances, percent, rates, sentence
from companion.titles.wallenstein.tower import prior_for
from games.wallenstein.battles import pending
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.learning import THUMB, Falls, Prior, learned, prior_of
from games.wallenstein.state import State
from games.wallenstein.tower import RULE_OF_THUMB, Retention, odds
from tests.tables.sitting import Sitting, enter, offered
from tests.wallenstein.positions import THERE, fallen, table, thrown, turning

GROUP = Prior(Retention(0.45, 0.8), 160, 160, throws=112)


# Sentences


def test_battle_sentence_has_all_outcomes_and_survivors() -> None:
    state = thrown(4, 3, tower={"peasants": 2})
    throw = pending(state)
    assert throw is not None
    expected = odds(throw)
    text = sentence(state)
    outcomes = expected.province
    assert text.startswith(
        f"Blue takes it {percent(outcomes['conquered'])}, Red holds it {percent(outcomes['held'])}, "
        f"destroyed {percent(outcomes['destroyed'])}. "
    )
    survivors = f"On average Blue keeps {expected.attacker_left:.1f}, Red {expected.defender_left:.1f}."
    assert text.endswith(survivors)


def test_sentences_of_neutral_province_and_revolt() -> None:
    empty = sentence(thrown(3))
    assert re.fullmatch(r"Blue takes it \d+%, it stays empty \d+%\. On average Blue keeps \d\.\d\.", empty), (
        empty
    )
    revolt = table({THERE: ("blue", 3)}, unrest={THERE: 1})
    text = sentence(turning(revolt, "blue", "collect-gold", THERE).state)
    assert re.fullmatch(r"Blue holds it \d+%, destroyed \d+%\. On average Blue keeps \d\.\d\.", text), text


def test_percent_rounds_to_0_and_100_only_if_exact() -> None:
    assert [percent(p) for p in (0, 0.001, 0.5, 0.999, 1)] == ["0%", "<1%", "50%", ">99%", "100%"]


def test_option_guards_fight_changes_the_odds() -> None:
    arguments: dict[str, Any] = {
        "event": "palace-guards",
        "unrest": {THERE: 2},
        "buildings": {THERE: ["palace"]},
    }
    assert sentence(thrown(3, 2, options={"guards_fight": True}, **arguments)) != sentence(
        thrown(3, 2, **arguments)
    )


# Rates at which cubes fall


def with_throws(state: State, throws: int) -> State:
    """Return the state after a number of throws in which half of the cubes fell out."""
    return WALLENSTEIN.read_state(
        {
            **WALLENSTEIN.state_json(state),
            "falls": {
                "throws": throws,
                "fresh": 10 * throws,
                "fresh_fell": 5 * throws,
                "stuck": 0,
                "stuck_fell": 0,
                "mixed": [],
            },
        }
    )


def test_rates_before_the_first_throw_are_a_rule_of_thumb() -> None:
    assert rates(thrown(3, 2)) == (
        "New cubes fall out 67% of the time, stuck ones 33%: "
        "a rule of thumb, until this tower has been seen at work."
    )


@pytest.mark.parametrize(
    ("here", "prior", "source"),
    [
        (1, THUMB, "learned from 1 throw of this table."),
        (23, THUMB, "learned from 23 throws of this table."),
        (0, GROUP, "learned from 112 throws of earlier games."),
        (23, GROUP, "learned from 23 throws of this table and 112 of earlier games."),
    ],
)
def test_rates_name_the_number_of_throws_they_are_learned_from(here: int, prior: Prior, source: str) -> None:
    state = with_throws(thrown(3, 2), here)
    retention = learned(state.falls, prior)
    text = rates(state, prior)
    assert text.endswith(source)
    assert text.startswith(f"New cubes fall out {percent(1 - retention.fresh)} of the time, stuck ones")


def test_odds_depend_on_prior_and_throws() -> None:
    state = thrown(4, 3, tower={"red": 3})
    texts = {
        sentence(state),
        sentence(state, GROUP),
        sentence(with_throws(state, 40)),
        sentence(with_throws(state, 40), GROUP),
    }
    assert len(texts) == 4
    throw = pending(state, retention=GROUP.retention)
    assert throw is not None
    assert percent(odds(throw).province["conquered"]) in sentence(state, GROUP)


def test_throw_defence_and_attack_forms_show_rates() -> None:
    throwing = thrown(3, 2)
    (prompt,) = WALLENSTEIN.prompts(throwing)
    screen = SCREEN.prompt(throwing, [prompt])
    assert screen["rates"] == rates(throwing)
    page = render_to_string("wallenstein/prompt.html", {"screen": screen})
    assert "a rule of thumb" in page
    moving = turning(
        table({"regensburg": ("blue", 4), THERE: ("red", 3)}), "blue", "movement-a", "regensburg"
    )
    (prompt,) = WALLENSTEIN.prompts(moving.state)
    form = {"type": "move", "target": THERE, "armies": "3"}
    forecast = SCREEN.forecast(moving.state, "blue", form)
    assert forecast[-1] == rates(moving.state)
    assert "if all 3 armies defend" in forecast[0]
    defending = WALLENSTEIN.apply(moving.state, WALLENSTEIN.read_action({**form, "armies": 3}, "blue")).state
    (prompt,) = WALLENSTEIN.prompts(defending)
    screen = SCREEN.prompt(defending, [prompt])
    assert screen["rates"] == rates(defending)
    assert [choice.detail for choice in screen["widgets"][0].choices] == [
        chances(defending, THUMB, armies) for armies in (3, 2, 1, 0)
    ]


def test_throw_updates_the_learned_rates() -> None:
    state = thrown(3, 2)
    after = fallen(state, blue=3, red=2).state
    assert learned(after.falls).fresh < learned(state.falls).fresh, "all five cubes fell"
    assert "1 throw of this table" in rates(after)


# Earlier games


def open_sitting(options: Any = None) -> Sitting:
    seats = [NewSeat("Ada", "red"), NewSeat("Béla", "blue"), NewSeat("Carla", "black")]
    opened = open_table(game="wallenstein", seats=seats, options=options)
    tokens = {seat.faction: token for seat, token in opened.seats}
    return Sitting(opened.table, opened.host_token, tokens)


def finished_table(**belongs: Any) -> Table:
    """Return a table with one throw, marked as finished."""
    sitting = open_sitting()
    start(table=sitting.table, access=sitting.host)
    generator = random.Random(5)
    for _ in range(200):
        enter(sitting, *offered(sitting.table, generator))
        if state_at(sitting.table, sitting.table.head).falls.throws:
            break
    ended = timezone.now()
    Table.objects.filter(pk=sitting.table.pk).update(status="finished", ended_at=ended, **belongs)
    return sitting.fresh()


def started_table(**belongs: Any) -> Table:
    sitting = open_sitting()
    start(table=sitting.table, access=sitting.host)
    Table.objects.filter(pk=sitting.table.pk).update(
        started_at=timezone.now() + timedelta(seconds=1), **belongs
    )
    return sitting.fresh()


def falls_of(earlier: Table) -> Falls:
    falls: Falls = state_at(earlier, earlier.head).falls
    return falls


@pytest.mark.django_db
def test_prior_is_learned_from_games_of_the_same_circle() -> None:
    circle, other = (Circle.objects.create(name=name, key_hash=name) for name in ("ours", "theirs"))
    first, second = finished_table(circle=circle), finished_table(circle=circle)
    finished_table(circle=other)
    finished_table()
    prior = prior_for(started_table(circle=circle))
    assert prior == prior_of([falls_of(second), falls_of(first)])
    assert prior.throws == 2
    assert prior_for(started_table()) == THUMB


@pytest.mark.django_db
def test_prior_without_circle_is_learned_from_games_on_the_same_board() -> None:
    board = Board.objects.create(code="BOARD", game="wallenstein", name="Ada's", figures={})
    earlier = finished_table(board=board)
    assert prior_for(started_table(board=board)) == prior_of([falls_of(earlier)])


@pytest.mark.django_db
def test_prior_ignores_later_and_unfinished_games() -> None:
    circle = Circle.objects.create(name="ours", key_hash="ours")
    early = started_table(circle=circle)
    Table.objects.filter(pk=early.pk).update(started_at=timezone.now() - timedelta(days=1))
    abandoned = finished_table(circle=circle)
    Table.objects.filter(pk=abandoned.pk).update(status="abandoned")
    finished_table(circle=circle)
    early.refresh_from_db()
    assert prior_for(early).throws == 0
    assert prior_for(started_table(circle=circle)).throws == 1


@pytest.mark.django_db(transaction=True)  # clear() does not drop states of uncommitted entries
def test_prior_ignores_games_that_cannot_be_folded() -> None:
    circle = Circle.objects.create(name="ours", key_hash="ours")
    broken = finished_table(circle=circle)
    broken.entries.filter(number=2).update(action={"type": "no-such-thing"})
    state_cache.clear()
    assert prior_for(started_table(circle=circle)).throws == 0


@pytest.mark.django_db
def test_prior_is_queried_once_and_only_for_odds(django_assert_num_queries: Any) -> None:
    circle = Circle.objects.create(name="ours", key_hash="ours")
    finished_table(circle=circle)
    current = started_table(circle=circle)
    prior_for(current)
    state = state_at(current, current.head)
    with django_assert_num_queries(0):
        screen = screen_of(current)
        screen.prompt(state, [WALLENSTEIN.prompts(state)[0]])
    with django_assert_num_queries(1):
        for _ in range(2):
            screen.forecast(state, "red", {"type": "move"})
    prior = prior_for(current)
    assert prior.throws == 1
    assert prior.retention != RULE_OF_THUMB


@pytest.mark.django_db
def test_prior_uses_only_the_newest_games(
    django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tower, "EARLIER", 1)
    circle = Circle.objects.create(name="ours", key_hash="ours")
    finished_table(circle=circle)
    newest = finished_table(circle=circle)
    current = started_table(circle=circle)
    assert prior_for(current) == prior_of([falls_of(newest)])
    with django_assert_num_queries(1):
        prior_for(current)


@pytest.mark.django_db
def test_throw_form_shows_rates_learned_from_earlier_games(client: Any) -> None:
    circle = Circle.objects.create(name="ours", key_hash="ours")
    finished_table(circle=circle)
    sitting = open_sitting()
    Table.objects.filter(pk=sitting.table.pk).update(circle=circle)
    start(table=sitting.fresh(), access=sitting.host)
    sitting = Sitting(sitting.fresh(), sitting.host_token, sitting.tokens)
    generator = random.Random(5)
    for _ in range(200):
        state = state_at(sitting.table, sitting.table.head)
        if state.frames[-1].phase == "throw":
            break
        faction, action = offered(sitting.table, generator)
        submit(table=sitting.table, access=sitting.access(faction), faction=faction, action=action)
    screen = screen_of(sitting.table)
    text = screen.prompt(state, [WALLENSTEIN.prompts(state)[0]])["rates"]
    assert "of earlier games" in text
    assert text == rates(state, prior_for(sitting.table))

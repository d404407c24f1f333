"""The odds of Wallenstein on phones: what they say, and how often cubes fall, as a table and its group have seen."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import timezone

from companion.journal.states import kept, state_at
from companion.journal.submit import submit
from companion.models import Board, Circle, Table
from companion.tables.opening import NewSeat, open_table, start
from companion.titles import screen_of
from companion.titles.wallenstein import SCREEN, WallensteinScreen, tower
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


# What is said


def test_who_takes_it_who_holds_it_and_how_often_it_is_destroyed() -> None:
    state = thrown(4, 3, tower={"peasants": 2})
    throw = pending(state)
    assert throw is not None
    found = odds(throw)
    told = sentence(state)
    fates = found.province
    assert told.startswith(
        f"Blue takes it {percent(fates['conquered'])}, Red holds it {percent(fates['held'])}, "
        f"destroyed {percent(fates['destroyed'])}. "
    )
    assert told.endswith(f"On average Blue keeps {found.attacker_left:.1f}, Red {found.defender_left:.1f}.")


def test_what_stays_empty_and_what_is_put_down() -> None:
    empty = sentence(thrown(3))
    assert re.fullmatch(r"Blue takes it \d+%, it stays empty \d+%\. On average Blue keeps \d\.\d\.", empty), (
        empty
    )
    revolt = table({THERE: ("blue", 3)}, unrest={THERE: 1})
    told = sentence(turning(revolt, "blue", "collect-gold", THERE).state)
    assert re.fullmatch(r"Blue holds it \d+%, destroyed \d+%\. On average Blue keeps \d\.\d\.", told), told


def test_what_can_be_is_neither_impossible_nor_certain() -> None:
    assert [percent(p) for p in (0, 0.001, 0.5, 0.999, 1)] == ["0%", "<1%", "50%", ">99%", "100%"]


def test_a_table_that_lets_guards_fight_is_told_other_odds() -> None:
    given: dict[str, Any] = {"event": "palace-guards", "unrest": {THERE: 2}, "buildings": {THERE: ["palace"]}}
    assert sentence(thrown(3, 2, options={"guards_fight": True}, **given)) != sentence(thrown(3, 2, **given))


# How often cubes fall


def seen(state: State, throws: int) -> State:
    """The table has seen so many throws, of which one cube in two came out."""
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


def test_before_the_first_throw_it_is_a_rule_of_thumb() -> None:
    told = rates(thrown(3, 2))
    assert told == (
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
def test_it_is_said_from_how_many_throws_it_was_learned(here: int, prior: Prior, source: str) -> None:
    state = seen(thrown(3, 2), here)
    found = learned(state.falls, prior)
    told = rates(state, prior)
    assert told.endswith(source)
    assert told.startswith(f"New cubes fall out {percent(1 - found.fresh)} of the time, stuck ones")


def test_odds_are_made_of_what_was_learned() -> None:
    state = thrown(4, 3, tower={"red": 3})
    told = {
        sentence(state),
        sentence(state, GROUP),
        sentence(seen(state, 40)),
        sentence(seen(state, 40), GROUP),
    }
    assert len(told) == 4
    throw = pending(state, retention=GROUP.retention)
    assert throw is not None
    assert percent(odds(throw).province["conquered"]) in sentence(state, GROUP)


def test_the_form_of_a_throw_and_of_a_defence_tells_rates() -> None:
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
    assert [choice.detail for choice in screen["asks"][0].choices] == [
        chances(defending, THUMB, armies) for armies in (3, 2, 1, 0)
    ]


def test_a_throw_teaches_the_next_one() -> None:
    state = thrown(3, 2)
    after = fallen(state, blue=3, red=2).state
    assert learned(after.falls).fresh < learned(state.falls).fresh, "all five fell"
    assert "1 throw of this table" in rates(after)


# From game to game


def sat(options: Any = None) -> Sitting:
    seats = [NewSeat("Ada", "red"), NewSeat("Béla", "blue"), NewSeat("Carla", "black")]
    opened = open_table(game="wallenstein", seats=seats, options=options)
    tokens = {seat.faction: token for seat, token in opened.seats}
    return Sitting(opened.table, opened.host_token, tokens)


def finished(**belongs: Any) -> Table:
    """A game with one throw, that was ended by hand."""
    sitting = sat()
    start(table=sitting.table, access=sitting.host)
    generator = random.Random(5)
    for _ in range(200):
        enter(sitting, *offered(sitting.table, generator))
        if state_at(sitting.table, sitting.table.head).falls.throws:
            break
    ended = timezone.now()
    Table.objects.filter(pk=sitting.table.pk).update(status="finished", ended_at=ended, **belongs)
    return sitting.fresh()


def begun(**belongs: Any) -> Table:
    sitting = sat()
    start(table=sitting.table, access=sitting.host)
    Table.objects.filter(pk=sitting.table.pk).update(
        started_at=timezone.now() + timedelta(seconds=1), **belongs
    )
    return sitting.fresh()


def falls_of(one: Table) -> Falls:
    found: Falls = state_at(one, one.head).falls
    return found


@pytest.mark.django_db
def test_a_table_starts_from_what_its_circle_has_learned() -> None:
    circle, other = (Circle.objects.create(name=name, key_hash=name) for name in ("ours", "theirs"))
    first, second = finished(circle=circle), finished(circle=circle)
    finished(circle=other)
    finished()
    found = prior_for(begun(circle=circle))
    assert found == prior_of([falls_of(second), falls_of(first)])
    assert found.throws == 2
    assert prior_for(begun()) == THUMB


@pytest.mark.django_db
def test_without_a_circle_it_is_the_copy_of_the_game_that_counts() -> None:
    board = Board.objects.create(code="BOARD", game="wallenstein", name="Ada's", figures={})
    earlier = finished(board=board)
    assert prior_for(begun(board=board)) == prior_of([falls_of(earlier)])


@pytest.mark.django_db
def test_what_came_later_or_is_not_finished_does_not_count() -> None:
    circle = Circle.objects.create(name="ours", key_hash="ours")
    early = begun(circle=circle)
    Table.objects.filter(pk=early.pk).update(started_at=timezone.now() - timedelta(days=1))
    abandoned = finished(circle=circle)
    Table.objects.filter(pk=abandoned.pk).update(status="abandoned")
    finished(circle=circle)
    early.refresh_from_db()
    assert prior_for(early).throws == 0
    assert prior_for(begun(circle=circle)).throws == 1


@pytest.mark.django_db(transaction=True)  # uncommitted states cannot be forgotten
def test_a_game_that_no_longer_folds_teaches_nothing() -> None:
    circle = Circle.objects.create(name="ours", key_hash="ours")
    broken = finished(circle=circle)
    broken.entries.filter(number=2).update(action={"type": "no-such-thing"})
    kept.clear()
    assert prior_for(begun(circle=circle)).throws == 0


@pytest.mark.django_db
def test_the_past_is_asked_for_once_and_only_where_odds_are_told(django_assert_num_queries: Any) -> None:
    circle = Circle.objects.create(name="ours", key_hash="ours")
    finished(circle=circle)
    one = begun(circle=circle)
    prior_for(one)
    state = state_at(one, one.head)
    with django_assert_num_queries(0):
        screen = screen_of(one)
        screen.prompt(state, [WALLENSTEIN.prompts(state)[0]])
    assert isinstance(screen, WallensteinScreen)
    with django_assert_num_queries(1):
        assert screen.prior.throws == 1
        assert screen.prior.retention != RULE_OF_THUMB


@pytest.mark.django_db
def test_only_the_newest_games_are_looked_at(
    django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tower, "EARLIER", 1)
    circle = Circle.objects.create(name="ours", key_hash="ours")
    finished(circle=circle)
    newest = finished(circle=circle)
    one = begun(circle=circle)
    assert prior_for(one) == prior_of([falls_of(newest)])
    with django_assert_num_queries(1):
        prior_for(one)


@pytest.mark.django_db
def test_the_phone_tells_what_its_table_has_learned(client: Any) -> None:
    """Through the page: a throw is asked for, with the rates of the circle's earlier games."""
    circle = Circle.objects.create(name="ours", key_hash="ours")
    finished(circle=circle)
    sitting = sat()
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
    told = screen.prompt(state, [WALLENSTEIN.prompts(state)[0]])["rates"]
    assert "of earlier games" in told
    assert told == rates(state, prior_for(sitting.table))

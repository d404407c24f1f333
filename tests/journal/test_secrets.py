"""Secrets: which entries are masked, for whom and until when."""

from __future__ import annotations

from typing import Any

import pytest

from companion.access.table_access import TableAccess
from companion.journal import secrets
from companion.journal.mending import mend
from companion.journal.mending import plan as plan_mend
from companion.journal.states import game_of, state_at
from companion.journal.submit import back_to, preview, redo, submit, undo
from companion.models import Table
from companion.tables import hosting
from companion.tables.documents import read_document, write_document
from tests.tables.planning import enter, next_season, other_plan, plan, planning, proposed, until
from tests.tables.sitting import Sitting, assert_sound, refused
from tests.tables.sitting import play as raubritter

pytestmark = pytest.mark.django_db


def hidden(sitting: Sitting) -> dict[int, str]:
    return dict(secrets.hidden_entries(sitting.fresh()))


def position(table: Table) -> dict[str, Any]:
    """Return a position that restarts the season with the current pieces."""
    state = state_at(table, table.head)
    lines = [
        {"owner": owner, "piece": piece, "place": place, "count": count}
        for place, at in state.ledger.to_json().items()
        if place != "supply"
        for owner, piece, count in at
    ]
    events = game_of(table).facts(state)["events"]
    facts = {"events": events, "kept": dict(state.kept)}
    order = list(state.order)
    return {
        "type": "position",
        "round": state.round,
        "phase": "row",
        "order": order,
        "holdings": lines,
        "facts": facts,
    }


# Duration


def test_plan_is_hidden_until_its_last_card_is_revealed() -> None:
    sitting = planning()
    assert hidden(sitting) == {}
    blue, red = plan(sitting, "blue"), plan(sitting, "red")
    assert hidden(sitting) == {blue: "blue", red: "red"}
    yellow = plan(sitting, "yellow")
    until(sitting, lambda table: len(state_at(table, table.head).turned.get("blue", {})) >= 8)
    assert hidden(sitting) == {blue: "blue", red: "red", yellow: "yellow"}
    next_season(sitting)
    assert hidden(sitting) == {}


def test_games_without_secrets_need_no_query(django_assert_num_queries: Any) -> None:
    table = raubritter(2, 6).fresh()
    with django_assert_num_queries(0):
        assert secrets.hidden_entries(table) == {}


def test_revealed_plan_stays_visible_if_the_next_one_is_equal() -> None:
    """Masking the old plan would disclose that the new one is equal."""
    sitting = planning()
    old = plan(sitting, "blue")
    next_season(sitting)
    until(sitting, lambda table: table.phase == "planning")
    table = sitting.fresh()
    again = table.entries.get(number=old).action
    new = enter(sitting, "blue", again).number
    assert hidden(sitting) == {new: "blue"}


def test_undone_plan_stays_hidden_until_the_next_one_is_revealed() -> None:
    sitting = planning()
    first = enter(sitting, "blue", other_plan(sitting, "blue")).number
    undo(table=sitting.table, access=sitting.host)
    assert hidden(sitting) == {first: "blue"}
    second, red = plan(sitting, "blue"), plan(sitting, "red")
    assert hidden(sitting) == {first: "blue", second: "blue", red: "red"}
    next_season(sitting)
    assert hidden(sitting) == {}


def test_revealed_plan_is_hidden_again_after_going_back() -> None:
    sitting = planning(2)
    blue, red = plan(sitting, "blue"), plan(sitting, "red")
    next_season(sitting)
    back_to(table=sitting.table, access=sitting.host, number=red)
    assert hidden(sitting) == {blue: "blue", red: "red"}
    back_to(table=sitting.table, access=sitting.host, number=blue)
    assert hidden(sitting) == {blue: "blue", red: "red"}
    redo(table=sitting.table, access=sitting.host)
    next_season(sitting)
    assert hidden(sitting) == {}


def test_position_does_not_reveal_plans() -> None:
    """The season restarts, so the cards of its plans were never revealed."""
    sitting = planning()
    blue = plan(sitting, "blue")
    enter(sitting, "red", position(sitting.fresh()))
    assert hidden(sitting) == {blue: "blue"}
    next_season(sitting)
    assert hidden(sitting) == {}


@pytest.mark.parametrize("end", [hosting.finish, hosting.abandon])
def test_ending_by_the_host_does_not_reveal_plans(end: Any) -> None:
    """The game can be reopened."""
    sitting = planning()
    blue = plan(sitting, "blue")
    end(table=sitting.table, access=sitting.host)
    assert hidden(sitting) == {blue: "blue"}


def test_entry_newer_than_the_loaded_table_is_hidden() -> None:
    sitting = planning()
    read = sitting.fresh()
    blue = plan(sitting, "blue")
    assert secrets.hidden_entries(read) == {blue: "blue"}


# Viewers


def test_plan_is_visible_to_its_own_seat_only() -> None:
    sitting = planning()
    blue = plan(sitting, "blue")
    table = sitting.fresh()
    entry = table.entries.get(number=blue)
    for access in (TableAccess(), sitting.host, sitting.access("red")):
        masked = secrets.visible_action(entry, secrets.hidden_from(table, access.seats))
        assert masked == {"type": "plan", "hidden": True}
    own = secrets.hidden_from(table, sitting.access("blue").seats)
    assert secrets.visible_action(entry, own) == entry.action


# Documents


def test_export_is_refused_until_everything_is_revealed() -> None:
    sitting = planning()
    write_document(sitting.fresh())
    plan(sitting, "blue")
    with refused("hidden") as refusal:
        write_document(sitting.fresh())
    assert "Blue" in refusal.value.message
    assert "Red" not in refusal.value.message
    plan(sitting, "red")
    with refused("hidden") as refusal:
        write_document(sitting.fresh())
    assert "Red, Blue" in refusal.value.message
    next_season(sitting)
    document = write_document(sitting.fresh())
    copy = read_document(document).table
    assert write_document(copy) == document
    assert_sound(copy)


def test_export_is_refused_while_an_undone_plan_is_hidden() -> None:
    sitting = planning()
    plan(sitting, "blue")
    undo(table=sitting.table, access=sitting.host)
    with refused("hidden"):
        write_document(sitting.fresh())


# Guessing


def at_the_event(sitting: Sitting) -> Table:
    """Play up to the event, the last entry before the first cards are revealed."""
    plan(sitting, "blue")
    plan(sitting, "red")
    return until(sitting, lambda table: table.phase == "event")


def test_preview_stops_before_secrets_are_revealed() -> None:
    sitting = planning()
    table = at_the_event(sitting)
    faction, action = proposed(sitting)
    outcome = preview(table=table, access=sitting.host, faction=faction, action=action)
    assert [step.message.code for step in outcome.steps] == ["event-drawn"]
    assert not outcome.state.turned
    enter(sitting, faction, action)
    assert state_at(sitting.fresh(), sitting.fresh().head).turned


def test_rulings_on_secrets_are_refused_indistinguishably() -> None:
    """Different responses to a guess would disclose the secret."""
    sitting = planning()
    at_the_event(sitting)
    faction, action = proposed(sitting)
    state = state_at(sitting.fresh(), sitting.fresh().head)
    outcome = game_of(sitting.table).apply(state, game_of(sitting.table).read_action(action, faction))
    keys = [step.key for parent in outcome.steps for step in parent.all_steps() if step.key]
    assert keys, "there is no result that could be ruled on"
    guess = {**action, "rulings": {keys[0]: {"result": "a guess", "reason": "house-rule"}}}
    other = {**action, "rulings": {"no-such-key": {"result": "a guess", "reason": "house-rule"}}}
    messages = []
    for attempt in (guess, other):
        for service in (submit, preview):
            with refused("bad-input") as refusal:
                service(table=sitting.fresh(), access=sitting.host, faction=faction, action=attempt)
            messages.append(refusal.value.message.replace(keys[0], "…").replace("no-such-key", "…"))
    assert len(set(messages)) == 1


def test_revealed_result_can_be_ruled_on() -> None:
    sitting = planning()
    at_the_event(sitting)
    number = enter(sitting, *proposed(sitting)).number
    table = sitting.fresh()
    entry = table.entries.get(number=number)
    step = next(s for s in _flat(entry.steps) if s.get("key"))
    ruling = {step["key"]: {"result": {**step["result"], "gold": 0}, "reason": "house-rule"}}
    planned = plan_mend(
        table=table,
        access=sitting.access("red"),
        number=number,
        action={**entry.action, "rulings": ruling},
    )
    assert planned.changed


def _flat(steps: Any) -> Any:
    for step in steps:
        yield step
        yield from _flat(step.get("steps", ()))


# Mending


def test_only_its_seat_may_change_a_hidden_entry_but_all_may_drop_it() -> None:
    sitting = planning()
    other = other_plan(sitting, "blue")
    blue = plan(sitting, "blue")
    table = sitting.fresh()
    for access in (sitting.host, sitting.access("red")):
        with refused("hidden"):
            plan_mend(table=table, access=access, number=blue, action=other)
        with refused("hidden"):
            mend(
                table=table,
                access=access,
                number=blue,
                action=other,
                faction="blue",
                reason="misplayed",
                version=table.version,
            )
        plan_mend(table=table, access=access, number=blue, action=None)
    planned = plan_mend(table=table, access=sitting.access("blue"), number=blue, action=other)
    assert planned.changed
    assert not planned.withheld


def test_plan_is_withheld_if_it_depends_on_a_secret() -> None:
    sitting = planning()
    row = sitting.fresh().head  # the action row, before the plans
    plan(sitting, "blue")
    for access, withheld in ((sitting.access("red"), True), (sitting.access("blue"), False)):
        planned = plan_mend(table=sitting.fresh(), access=access, number=row, action=None)
        assert planned.withheld == withheld


def test_plan_is_shown_if_it_reveals_nothing_new() -> None:
    sitting = planning()
    at_the_event(sitting)
    enter(sitting, *proposed(sitting))
    until(sitting, lambda table: table.phase not in ("event", "order", "actions"))
    table = sitting.fresh()
    correction = {
        "type": "correct",
        "owner": "red",
        "piece": "gold",
        "place": "supply",
        "count": 40,
        "reason": "counted",
    }
    number = enter(sitting, "red", correction).number
    for access in (sitting.access("red"), sitting.access("blue")):
        planned = plan_mend(table=sitting.fresh(), access=access, number=number, action=None)
        assert not planned.withheld
    event = table.entries.filter(action__type="event").get().number
    assert plan_mend(table=sitting.fresh(), access=sitting.host, number=event, action=None).withheld is False

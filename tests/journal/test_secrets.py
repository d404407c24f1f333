"""What is masked, for whom and how long."""

from __future__ import annotations

from typing import Any

import pytest

from companion.access.table_access import TableAccess
from companion.journal import secrets
from companion.journal.mending import mend
from companion.journal.mending import plan as foreseen
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
    """The season begins anew from what lies on the table."""
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


# Until when


def test_a_plan_is_hidden_until_its_last_card_is_turned_over() -> None:
    sitting = planning()
    assert hidden(sitting) == {}
    blue, red = plan(sitting, "blue"), plan(sitting, "red")
    assert hidden(sitting) == {blue: "blue", red: "red"}
    yellow = plan(sitting, "yellow")
    until(sitting, lambda table: len(state_at(table, table.head).turned.get("blue", {})) >= 8)
    assert hidden(sitting) == {blue: "blue", red: "red", yellow: "yellow"}
    next_season(sitting)
    assert hidden(sitting) == {}


def test_games_without_secrets_pay_nothing(django_assert_num_queries: Any) -> None:
    table = raubritter(2, 6).fresh()
    with django_assert_num_queries(0):
        assert secrets.hidden_entries(table) == {}


def test_an_old_plan_stays_revealed_when_the_next_one_is_the_same() -> None:
    """Else the mask of the old one would tell that the new one equals it."""
    sitting = planning()
    old = plan(sitting, "blue")
    next_season(sitting)
    until(sitting, lambda table: table.phase == "planning")
    table = sitting.fresh()
    again = table.entries.get(number=old).action
    new = enter(sitting, "blue", again).number
    assert hidden(sitting) == {new: "blue"}


def test_what_is_undone_stays_hidden_until_the_like_is_revealed() -> None:
    sitting = planning()
    first = enter(sitting, "blue", other_plan(sitting, "blue")).number
    undo(table=sitting.table, access=sitting.host)
    assert hidden(sitting) == {first: "blue"}
    second, red = plan(sitting, "blue"), plan(sitting, "red")
    assert hidden(sitting) == {first: "blue", second: "blue", red: "red"}
    next_season(sitting)
    assert hidden(sitting) == {}


def test_what_was_revealed_and_undone_is_hidden_again_where_the_game_goes_back() -> None:
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


def test_a_position_reveals_no_plan() -> None:
    """The season begins anew; what was planned for it was never turned over."""
    sitting = planning()
    blue = plan(sitting, "blue")
    enter(sitting, "red", position(sitting.fresh()))
    assert hidden(sitting) == {blue: "blue"}
    next_season(sitting)
    assert hidden(sitting) == {}


@pytest.mark.parametrize("end", [hosting.finish, hosting.abandon])
def test_a_game_that_is_ended_by_hand_reveals_nothing(end: Any) -> None:
    """It can be reopened."""
    sitting = planning()
    blue = plan(sitting, "blue")
    end(table=sitting.table, access=sitting.host)
    assert hidden(sitting) == {blue: "blue"}


def test_an_entry_newer_than_the_table_that_was_read_is_hidden() -> None:
    sitting = planning()
    read = sitting.fresh()
    blue = plan(sitting, "blue")
    assert secrets.hidden_entries(read) == {blue: "blue"}


# From whom


def test_its_own_seat_may_know_it_and_nobody_else() -> None:
    sitting = planning()
    blue = plan(sitting, "blue")
    table = sitting.fresh()
    entry = table.entries.get(number=blue)
    for access in (TableAccess(), sitting.host, sitting.access("red")):
        masked = secrets.action_told(entry, secrets.hidden_from(table, access.seats))
        assert masked == {"type": "plan", "hidden": True}
    own = secrets.hidden_from(table, sitting.access("blue").seats)
    assert secrets.action_told(entry, own) == entry.action


# Documents


def test_a_game_is_exported_once_everything_is_revealed() -> None:
    sitting = planning()
    write_document(sitting.fresh())
    plan(sitting, "blue")
    with refused("hidden") as found:
        write_document(sitting.fresh())
    assert "Blue" in found.value.message
    assert "Red" not in found.value.message
    plan(sitting, "red")
    with refused("hidden") as found:
        write_document(sitting.fresh())
    assert "Red, Blue" in found.value.message
    next_season(sitting)
    document = write_document(sitting.fresh())
    copy = read_document(document).table
    assert write_document(copy) == document
    assert_sound(copy)


def test_an_undone_plan_is_not_exported_either() -> None:
    sitting = planning()
    plan(sitting, "blue")
    undo(table=sitting.table, access=sitting.host)
    with refused("hidden"):
        write_document(sitting.fresh())


# Guessing


def at_the_event(sitting: Sitting) -> Table:
    """With the next entry the first cards are turned over."""
    plan(sitting, "blue")
    plan(sitting, "red")
    return until(sitting, lambda table: table.phase == "event")


def test_a_preview_goes_as_far_as_nothing_is_revealed() -> None:
    sitting = planning()
    table = at_the_event(sitting)
    faction, action = proposed(sitting)
    found = preview(table=table, access=sitting.host, faction=faction, action=action)
    assert [step.message.code for step in found.steps] == ["event-drawn"]
    assert not found.state.turned
    enter(sitting, faction, action)
    assert state_at(sitting.fresh(), sitting.fresh().head).turned


def test_nobody_rules_on_what_is_hidden() -> None:
    """It would be refused or accepted, and so tell what lies there."""
    sitting = planning()
    at_the_event(sitting)
    faction, action = proposed(sitting)
    state = state_at(sitting.fresh(), sitting.fresh().head)
    done = game_of(sitting.table).apply(state, game_of(sitting.table).read_action(action, faction))
    keys = [step.key for told in done.steps for step in told.all_steps() if step.key]
    assert keys, "no result follows that could be ruled on"
    guess = {**action, "rulings": {keys[0]: {"result": "a guess", "reason": "house-rule"}}}
    other = {**action, "rulings": {"no-such-key": {"result": "a guess", "reason": "house-rule"}}}
    told = []
    for attempt in (guess, other):
        for ask in (submit, preview):
            with refused("bad-input") as found:
                ask(table=sitting.fresh(), access=sitting.host, faction=faction, action=attempt)
            told.append(found.value.message.replace(keys[0], "…").replace("no-such-key", "…"))
    assert len(set(told)) == 1


def test_what_is_revealed_can_be_ruled_on_afterwards() -> None:
    sitting = planning()
    at_the_event(sitting)
    number = enter(sitting, *proposed(sitting)).number
    table = sitting.fresh()
    entry = table.entries.get(number=number)
    step = next(s for s in _flat(entry.steps) if s.get("key"))
    ruling = {step["key"]: {"result": {**step["result"], "gold": 0}, "reason": "house-rule"}}
    found = foreseen(
        table=table,
        access=sitting.access("red"),
        number=number,
        action={**entry.action, "rulings": ruling},
    )
    assert found.changed


def _flat(steps: Any) -> Any:
    for step in steps:
        yield step
        yield from _flat(step.get("steps", ()))


# Mending


def test_only_its_seat_may_change_what_is_hidden_but_all_may_leave_it_out() -> None:
    sitting = planning()
    other = other_plan(sitting, "blue")
    blue = plan(sitting, "blue")
    table = sitting.fresh()
    for access in (sitting.host, sitting.access("red")):
        with refused("hidden"):
            foreseen(table=table, access=access, number=blue, action=other)
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
        foreseen(table=table, access=access, number=blue, action=None)
    found = foreseen(table=table, access=sitting.access("blue"), number=blue, action=other)
    assert found.changed
    assert not found.withheld


def test_what_follows_a_mend_is_withheld_where_it_depends_on_a_secret() -> None:
    sitting = planning()
    row = sitting.fresh().head  # the action row, before the plans
    plan(sitting, "blue")
    for access, withheld in ((sitting.access("red"), True), (sitting.access("blue"), False)):
        found = foreseen(table=sitting.fresh(), access=access, number=row, action=None)
        assert found.withheld == withheld


def test_what_follows_a_mend_is_shown_where_nothing_new_is_revealed() -> None:
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
        found = foreseen(table=sitting.fresh(), access=access, number=number, action=None)
        assert not found.withheld
    back = table.entries.filter(action__type="event").get().number
    assert foreseen(table=sitting.fresh(), access=sitting.host, number=back, action=None).withheld is False

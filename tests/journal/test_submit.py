"""Submitting, preview, undo, redo, going back, and ticks."""

import random
from typing import Any

import pytest
from django.utils import timezone

from companion.journal import todo
from companion.journal.states import game_of, state_at
from companion.journal.submit import back_to, next_redo, preview, redo, submit, tick, tick_all, undo
from companion.models import Entry, Standing, Tick
from games.core.steps import read_step
from tests.tables.sitting import (
    Sitting,
    assert_sound,
    correction,
    enter,
    offered,
    play,
    play_on,
    refused,
    rows,
    sit,
)

pytestmark = pytest.mark.django_db


def active_numbers(sitting: Sitting) -> list[int]:
    return list(sitting.table.entries.filter(undone=False).values_list("number", flat=True))


# Submitting


def test_entry_is_stored_and_updates_the_table() -> None:
    sitting = play(2)
    before = timezone.now()

    accepted = enter(sitting, *offered(sitting.table))

    entry = Entry.objects.get()
    assert (accepted.number, accepted.version) == (1, 3)
    assert (entry.number, entry.parent, entry.faction, entry.version) == (1, 0, "blue", 3)
    assert entry.action["type"] == "lay"
    assert entry.rules == game_of(sitting.table).version
    assert entry.seat == sitting.seat("blue")
    assert not entry.undone
    assert before <= entry.created_at <= timezone.now()
    assert [read_step(step).rule for step in entry.steps] == ["3", "3"]
    table = sitting.fresh()
    assert (table.head, table.latest, table.version) == (1, 1, 3)
    assert table.waiting_for == ["yellow"]
    assert table.changed_at >= before
    assert_sound(table)


def test_host_may_enter_for_a_seat() -> None:
    sitting = play(2)
    faction, action = offered(sitting.table)

    submit(table=sitting.table, access=sitting.host, faction=faction, action=action)

    assert Entry.objects.get().seat is None


def test_illegal_action_is_refused_with_message_and_rule() -> None:
    sitting = play(2, 2)

    with refused("illegal") as refusal:
        enter(sitting, "yellow", {"type": "place", "tile": "mountain", "at": [0, 2]})

    assert refusal.value.message == "It is Blue’s turn."
    assert refusal.value.rule == "4"


@pytest.mark.parametrize(
    "action",
    [
        None,
        [],
        "end",
        7,
        {},
        {"type": None},
        {"type": "fly"},
        {"type": ["end"]},
        {"type": "end", "why": "tired"},
        {"type": "end", "faction": "blue"},
        {"type": "place"},
        {"type": "place", "tile": "plain", "at": [0.5, 0]},
        {"type": "place", "tile": "plain", "at": [10**30, 0]},
        {
            "type": "correct",
            "owner": "blue",
            "piece": "knight",
            "place": "supply",
            "count": -1,
            "reason": "x",
        },
    ],
)
def test_malformed_action_is_refused(action: Any) -> None:
    sitting = play(2, 2)

    with refused("bad-input"):
        enter(sitting, "blue", action)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (correction(reason="a\0b"), "bad-input"),
        (correction(reason="\ud800"), "bad-input"),
        (correction() | {"\udfff": 1}, "bad-input"),
        (correction() | {"rulings": {"x": {"result": float("nan"), "reason": ""}}}, "bad-input"),
        (correction() | {"rulings": {"x": {"result": float("inf"), "reason": ""}}}, "bad-input"),
        (correction() | {"rulings": {"x": {"result": {1: 2}, "reason": ""}}}, "bad-input"),
        (correction() | {"rulings": {"x": {"result": {1, 2}, "reason": ""}}}, "bad-input"),
        (correction(reason="x" * 50_001), "too-large"),
        (correction() | {"rulings": {"x": {"result": [0] * 50_001, "reason": ""}}}, "too-large"),
    ],
)
def test_action_that_cannot_be_stored_is_refused(action: Any, code: str) -> None:
    sitting = play(2, 2)

    with refused(code):
        enter(sitting, "blue", action)
    with refused(code):
        preview(table=sitting.table, access=sitting.access("blue"), faction="blue", action=action)


def test_cyclic_action_is_refused() -> None:
    sitting = play(2, 2)
    cyclic: list[Any] = []
    cyclic.append(cyclic)

    with refused("bad-input"):
        enter(sitting, "blue", correction() | {"rulings": {"x": {"result": cyclic, "reason": ""}}})


@pytest.mark.parametrize("faction", ["green", "", "purple", "\0"])
def test_host_cannot_enter_for_unknown_faction(faction: str) -> None:
    sitting = play(2)

    with refused("bad-input"):
        submit(table=sitting.table, access=sitting.host, faction=faction, action=correction())


def test_entries_before_the_start_are_refused() -> None:
    sitting = sit(2)

    with refused("illegal"):
        enter(sitting, "blue", correction())
    with refused("illegal"):
        preview(table=sitting.table, access=sitting.access("blue"), faction="blue", action=correction())
    for attempt in (undo, redo):
        with refused("illegal"):
            attempt(table=sitting.table, access=sitting.access("blue"))
    with refused("illegal"):
        back_to(table=sitting.table, access=sitting.access("blue"), number=0)


def test_submit_with_stale_table_uses_the_latest_state() -> None:
    sitting = play(2)
    stale = sitting.fresh()
    play_on(sitting, 1)
    faction, action = offered(sitting.table)

    accepted = submit(table=stale, access=sitting.access(faction), faction=faction, action=action)

    assert accepted.number == 2
    assert stale.head == 2


def test_whole_game_ends_and_can_be_reopened_by_undo() -> None:
    sitting = play(2)
    generator = random.Random(5)
    while sitting.table.status == "playing":
        enter(sitting, *offered(sitting.table, generator))

    table = sitting.fresh()
    assert (table.status, table.phase, table.waiting_for) == ("finished", "finished", [])
    assert table.winners
    assert table.ended_at is not None
    assert_sound(table)

    with refused("illegal"):
        enter(sitting, "blue", {"type": "end"})

    enter(sitting, "blue", correction(count=0, reason="recount"))
    assert sitting.fresh().ended_at == table.ended_at
    assert_sound(table)

    undo(table=sitting.table, access=sitting.access("blue"))
    undo(table=sitting.table, access=sitting.access("blue"))
    table = sitting.fresh()
    assert (table.status, table.winners, table.ended_at) == ("playing", [], None)
    assert_sound(table)

    redo(table=sitting.table, access=sitting.access("blue"))
    assert sitting.fresh().status == "finished"
    assert_sound(table)


def test_option_can_change_during_the_game() -> None:
    sitting = play(2, 3)

    enter(sitting, "blue", {"type": "option", "name": "must_move", "value": True, "reason": "agreed"})

    assert state_at(sitting.table, 4).setup.options["must_move"] is True
    assert state_at(sitting.table, 3).setup.options["must_move"] is False
    with refused("illegal"):
        enter(sitting, "blue", {"type": "option", "name": "start_rows", "value": 1})


# Preview


def test_preview_stores_nothing() -> None:
    sitting = play(2)
    faction, action = offered(sitting.table)
    before = rows()

    outcome = preview(table=sitting.table, access=sitting.access(faction), faction=faction, action=action)

    assert rows() == before
    enter(sitting, faction, action)
    assert [step.rule for step in outcome.steps] == [step["rule"] for step in Entry.objects.get().steps]
    assert outcome.state == state_at(sitting.table, 1)


def test_preview_of_illegal_action_is_refused() -> None:
    sitting = play(2, 2)

    with refused("illegal"):
        preview(
            table=sitting.table,
            access=sitting.access("yellow"),
            faction="yellow",
            action={"type": "end"},
        )


# Undo and redo


def test_undo_and_redo_restore_entries() -> None:
    sitting = play(2, 4)
    blue = sitting.access("blue")

    assert undo(table=sitting.table, access=blue).number == 4
    assert undo(table=sitting.table, access=blue).number == 3
    assert (sitting.fresh().head, sitting.fresh().latest, active_numbers(sitting)) == (2, 4, [1, 2])
    assert_sound(sitting.table)

    assert redo(table=sitting.table, access=blue).number == 3
    assert redo(table=sitting.table, access=blue).number == 4
    assert (sitting.fresh().head, active_numbers(sitting)) == (4, [1, 2, 3, 4])
    assert_sound(sitting.table)
    with refused("nothing"):
        redo(table=sitting.table, access=blue)


def test_any_seat_may_undo() -> None:
    sitting = play(2, 1)
    assert Entry.objects.get().faction == "blue"

    undo(table=sitting.table, access=sitting.access("yellow"))

    assert active_numbers(sitting) == []


def test_undo_at_the_start_is_refused() -> None:
    sitting = play(2, 1)
    undo(table=sitting.table, access=sitting.host)

    with refused("nothing"):
        undo(table=sitting.table, access=sitting.host)


@pytest.mark.parametrize("number", [0, 1, 3, -1, 10**30])
def test_undo_and_redo_of_another_entry_than_the_next_are_refused(number: int) -> None:
    sitting = play(2, 2)

    with refused("gone"):
        undo(table=sitting.table, access=sitting.host, number=number)

    undo(table=sitting.table, access=sitting.host, number=2)
    with refused("gone"):
        redo(table=sitting.table, access=sitting.host, number=number)
    redo(table=sitting.table, access=sitting.host, number=2)


def test_entry_after_undo_replaces_the_undone_branch() -> None:
    sitting = play(2, 3)
    for _ in range(2):
        undo(table=sitting.table, access=sitting.host)

    accepted = play_on(sitting, 2, seed=9)

    assert [response.number for response in accepted] == [4, 5]
    assert active_numbers(sitting) == [1, 4, 5]
    assert list(sitting.table.entries.values_list("parent", flat=True)) == [0, 1, 2, 1, 4]
    assert next_redo(sitting.table) is None
    with refused("nothing"):
        redo(table=sitting.table, access=sitting.host)
    assert_sound(sitting.table)


def test_redo_restores_the_newest_branch() -> None:
    sitting = play(2, 3)
    host = sitting.host
    back_to(table=sitting.table, access=host, number=1)
    play_on(sitting, 1, seed=9)  # 4, beside 2
    undo(table=sitting.table, access=host)

    assert redo(table=sitting.table, access=host).number == 4
    undo(table=sitting.table, access=host)
    undo(table=sitting.table, access=host)
    assert [redo(table=sitting.table, access=host).number for _ in range(2)] == [1, 4]
    assert active_numbers(sitting) == [1, 4]
    assert_sound(sitting.table)


def test_going_back_can_be_redone_entry_by_entry() -> None:
    sitting = play(2, 12)
    host = sitting.host

    accepted = back_to(table=sitting.table, access=host, number=5)

    assert accepted.number == 5
    assert (sitting.fresh().head, active_numbers(sitting)) == (5, [1, 2, 3, 4, 5])
    assert_sound(sitting.table)
    assert [redo(table=sitting.table, access=host).number for _ in range(7)] == list(range(6, 13))
    assert_sound(sitting.table)

    back_to(table=sitting.table, access=host, number=0)
    assert (sitting.fresh().head, active_numbers(sitting)) == (0, [])
    assert_sound(sitting.table)


def test_going_back_to_undone_or_unknown_entry_is_refused() -> None:
    sitting = play(2, 5)
    host = sitting.host
    back_to(table=sitting.table, access=host, number=3)

    for number in (4, 5, 6, -1, 10**30):
        with refused("gone"):
            back_to(table=sitting.table, access=host, number=number)
    with refused("nothing"):
        back_to(table=sitting.table, access=host, number=3)
    back_to(table=sitting.table, access=host, number=0)
    with refused("nothing"):
        back_to(table=sitting.table, access=host, number=0)


def test_going_back_removes_standings_of_later_rounds() -> None:
    sitting = play(2, 30)
    rounds = {row.round for row in Standing.objects.all()}
    assert max(rounds) > 2

    back_to(table=sitting.table, access=sitting.host, number=3)

    assert {row.round for row in Standing.objects.all()} == {0, 1}
    assert_sound(sitting.table)


# Hands list


def test_line_is_ticked_and_unticked() -> None:
    sitting = play(2, 1)
    blue = sitting.access("blue")

    tick(table=sitting.table, access=blue, number=1, line=1, done=True)
    assert list(Tick.objects.values_list("number", "line")) == [(1, 1)]
    assert sitting.fresh().version == 4

    tick(table=sitting.table, access=blue, number=1, line=1, done=False)
    assert not Tick.objects.exists()
    assert sitting.fresh().version == 5


@pytest.mark.parametrize("done", [True, False])
def test_repeated_tick_changes_nothing(done: bool) -> None:  # noqa: FBT001
    sitting = play(2, 1)
    tick(table=sitting.table, access=sitting.host, number=1, line=0, done=True)
    tick(table=sitting.table, access=sitting.host, number=1, line=0, done=done)
    before = rows()

    tick(table=sitting.table, access=sitting.host, number=1, line=0, done=done)

    assert rows() == before


def test_ticking_unknown_line_is_refused() -> None:
    sitting = play(2, 1)
    setup_lines = todo.count_lines(game_of(sitting.table).start(state_at(sitting.table, 0).setup).steps)
    assert setup_lines == 8

    tick(table=sitting.table, access=sitting.host, number=0, line=setup_lines - 1, done=True)
    tick(table=sitting.table, access=sitting.host, number=1, line=1, done=True)

    for number, line in [(0, 8), (1, 2), (1, -1), (2, 0), (-1, 0), (10**30, 0), (1, 10**30)]:
        for done in (True, False):
            with refused("unknown"):
                tick(table=sitting.table, access=sitting.host, number=number, line=line, done=done)


def test_ticking_before_the_start_is_refused() -> None:
    sitting = sit(2)

    with refused("unknown"):
        tick(table=sitting.table, access=sitting.host, number=0, line=0, done=True)
    with refused("unknown"):
        tick_all(table=sitting.table, access=sitting.host, number=0)


def test_tick_all_ticks_every_line_of_an_entry() -> None:
    sitting = play(2, 1)
    tick(table=sitting.table, access=sitting.host, number=1, line=1, done=True)

    tick_all(table=sitting.table, access=sitting.host, number=1)
    tick_all(table=sitting.table, access=sitting.host, number=0)

    lines = set(Tick.objects.values_list("number", "line"))
    assert lines == {(1, 0), (1, 1), *((0, line) for line in range(8))}
    before = rows()
    tick_all(table=sitting.table, access=sitting.host, number=1)
    assert rows() == before
    for number in (2, -1, 10**30):
        with refused("unknown"):
            tick_all(table=sitting.table, access=sitting.host, number=number)


def test_ticks_survive_undo_and_redo() -> None:
    sitting = play(2, 1)
    tick(table=sitting.table, access=sitting.host, number=1, line=0, done=True)

    undo(table=sitting.table, access=sitting.host)
    redo(table=sitting.table, access=sitting.host)

    assert Tick.objects.count() == 1


def test_correction_has_no_hands_list() -> None:
    sitting = play(2)
    enter(sitting, "blue", correction())

    assert todo.count_lines(map(read_step, Entry.objects.get().steps)) == 0


def test_hands_list_is_grouped_by_faction() -> None:
    sitting = play(2)
    enter(sitting, *offered(sitting.table))
    steps = [read_step(step) for step in Entry.objects.get().steps]

    lines = todo.hands(game_of(sitting.table), steps, ["blue", "yellow"])
    unseated = todo.hands(game_of(sitting.table), steps, ["yellow"])

    assert [(line.number, line.hand) for line in lines] == [(0, "blue"), (1, "blue")]
    assert [line.hand for line in unseated] == [None, None]
    assert len({line.text for line in lines}) == 2

"""Playing: submit, preview, undo, redo, back to an entry, tick."""

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


def counting(sitting: Sitting) -> list[int]:
    return list(sitting.table.entries.filter(undone=False).values_list("number", flat=True))


# Submitting


def test_an_entry() -> None:
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


def test_the_host_enters_for_everybody() -> None:
    sitting = play(2)
    faction, action = offered(sitting.table)

    submit(table=sitting.table, access=sitting.host, faction=faction, action=action)

    assert Entry.objects.get().seat is None


def test_the_rules_refuse() -> None:
    sitting = play(2, 2)

    with refused("illegal") as found:
        enter(sitting, "yellow", {"type": "place", "tile": "mountain", "at": [0, 2]})

    assert found.value.message == "It is Blue’s turn."
    assert found.value.rule == "4"


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
def test_an_entry_that_is_not_well_formed(action: Any) -> None:
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
def test_an_entry_that_cannot_be_kept(action: Any, code: str) -> None:
    sitting = play(2, 2)

    with refused(code):
        enter(sitting, "blue", action)
    with refused(code):
        preview(table=sitting.table, access=sitting.access("blue"), faction="blue", action=action)


def test_an_entry_that_is_nested_without_end() -> None:
    sitting = play(2, 2)
    endless: list[Any] = []
    endless.append(endless)

    with refused("bad-input"):
        enter(sitting, "blue", correction() | {"rulings": {"x": {"result": endless, "reason": ""}}})


@pytest.mark.parametrize("faction", ["green", "", "purple", "\0"])
def test_the_host_cannot_enter_for_who_does_not_play(faction: str) -> None:
    sitting = play(2)

    with refused("bad-input"):
        submit(table=sitting.table, access=sitting.host, faction=faction, action=correction())


def test_nothing_is_entered_before_the_game() -> None:
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


def test_a_phone_that_is_behind_is_judged_by_the_newest_state() -> None:
    sitting = play(2)
    behind = sitting.fresh()
    play_on(sitting, 1)
    faction, action = offered(sitting.table)

    accepted = submit(table=behind, access=sitting.access(faction), faction=faction, action=action)

    assert accepted.number == 2
    assert behind.head == 2


def test_a_whole_game() -> None:
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


def test_an_option_changes_during_the_game() -> None:
    sitting = play(2, 3)

    enter(sitting, "blue", {"type": "option", "name": "must_move", "value": True, "reason": "agreed"})

    assert state_at(sitting.table, 4).setup.options["must_move"] is True
    assert state_at(sitting.table, 3).setup.options["must_move"] is False
    with refused("illegal"):
        enter(sitting, "blue", {"type": "option", "name": "start_rows", "value": 1})


# Preview


def test_a_preview_keeps_nothing() -> None:
    sitting = play(2)
    faction, action = offered(sitting.table)
    before = rows()

    outcome = preview(table=sitting.table, access=sitting.access(faction), faction=faction, action=action)

    assert rows() == before
    enter(sitting, faction, action)
    assert [step.rule for step in outcome.steps] == [step["rule"] for step in Entry.objects.get().steps]
    assert outcome.state == state_at(sitting.table, 1)


def test_a_preview_of_what_the_rules_refuse() -> None:
    sitting = play(2, 2)

    with refused("illegal"):
        preview(
            table=sitting.table,
            access=sitting.access("yellow"),
            faction="yellow",
            action={"type": "end"},
        )


# Undo and redo


def test_undo_and_redo() -> None:
    sitting = play(2, 4)
    blue = sitting.access("blue")

    assert undo(table=sitting.table, access=blue).number == 4
    assert undo(table=sitting.table, access=blue).number == 3
    assert (sitting.fresh().head, sitting.fresh().latest, counting(sitting)) == (2, 4, [1, 2])
    assert_sound(sitting.table)

    assert redo(table=sitting.table, access=blue).number == 3
    assert redo(table=sitting.table, access=blue).number == 4
    assert (sitting.fresh().head, counting(sitting)) == (4, [1, 2, 3, 4])
    assert_sound(sitting.table)
    with refused("nothing"):
        redo(table=sitting.table, access=blue)


def test_everybody_may_undo() -> None:
    sitting = play(2, 1)
    assert Entry.objects.get().faction == "blue"

    undo(table=sitting.table, access=sitting.access("yellow"))

    assert counting(sitting) == []


def test_there_is_nothing_before_the_start() -> None:
    sitting = play(2, 1)
    undo(table=sitting.table, access=sitting.host)

    with refused("nothing"):
        undo(table=sitting.table, access=sitting.host)


@pytest.mark.parametrize("named", [0, 1, 3, -1, 10**30])
def test_an_undo_of_another_entry_than_the_button_named(named: int) -> None:
    sitting = play(2, 2)

    with refused("gone"):
        undo(table=sitting.table, access=sitting.host, number=named)

    undo(table=sitting.table, access=sitting.host, number=2)
    with refused("gone"):
        redo(table=sitting.table, access=sitting.host, number=named)
    redo(table=sitting.table, access=sitting.host, number=2)


def test_what_is_entered_after_an_undo_takes_its_place() -> None:
    sitting = play(2, 3)
    for _ in range(2):
        undo(table=sitting.table, access=sitting.host)

    accepted = play_on(sitting, 2, seed=9)

    assert [one.number for one in accepted] == [4, 5]
    assert counting(sitting) == [1, 4, 5]
    assert list(sitting.table.entries.values_list("parent", flat=True)) == [0, 1, 2, 1, 4]
    assert next_redo(sitting.table) is None
    with refused("nothing"):
        redo(table=sitting.table, access=sitting.host)
    assert_sound(sitting.table)


def test_redo_brings_back_what_was_undone_last() -> None:
    sitting = play(2, 3)
    host = sitting.host
    back_to(table=sitting.table, access=host, number=1)
    play_on(sitting, 1, seed=9)  # 4, beside 2
    undo(table=sitting.table, access=host)

    assert redo(table=sitting.table, access=host).number == 4
    undo(table=sitting.table, access=host)
    undo(table=sitting.table, access=host)
    assert [redo(table=sitting.table, access=host).number for _ in range(2)] == [1, 4]
    assert counting(sitting) == [1, 4]
    assert_sound(sitting.table)


def test_back_to_an_entry_and_forward_again() -> None:
    sitting = play(2, 12)
    host = sitting.host

    accepted = back_to(table=sitting.table, access=host, number=5)

    assert accepted.number == 5
    assert (sitting.fresh().head, counting(sitting)) == (5, [1, 2, 3, 4, 5])
    assert_sound(sitting.table)
    assert [redo(table=sitting.table, access=host).number for _ in range(7)] == list(range(6, 13))
    assert_sound(sitting.table)

    back_to(table=sitting.table, access=host, number=0)
    assert (sitting.fresh().head, counting(sitting)) == (0, [])
    assert_sound(sitting.table)


def test_back_to_what_does_not_count() -> None:
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


def test_standings_of_rounds_that_are_taken_back_go() -> None:
    sitting = play(2, 30)
    rounds = {row.round for row in Standing.objects.all()}
    assert max(rounds) > 2

    back_to(table=sitting.table, access=sitting.host, number=3)

    assert {row.round for row in Standing.objects.all()} == {0, 1}
    assert_sound(sitting.table)


# Hands


def test_a_line_is_ticked_and_unticked() -> None:
    sitting = play(2, 1)
    blue = sitting.access("blue")

    tick(table=sitting.table, access=blue, number=1, line=1, done=True)
    assert list(Tick.objects.values_list("number", "line")) == [(1, 1)]
    assert sitting.fresh().version == 4

    tick(table=sitting.table, access=blue, number=1, line=1, done=False)
    assert not Tick.objects.exists()
    assert sitting.fresh().version == 5


@pytest.mark.parametrize("done", [True, False])
def test_ticking_twice_is_ticking_once(done: bool) -> None:  # noqa: FBT001
    sitting = play(2, 1)
    tick(table=sitting.table, access=sitting.host, number=1, line=0, done=True)
    tick(table=sitting.table, access=sitting.host, number=1, line=0, done=done)
    before = rows()

    tick(table=sitting.table, access=sitting.host, number=1, line=0, done=done)

    assert rows() == before


def test_lines_that_are_there() -> None:
    sitting = play(2, 1)
    setting_up = todo.how_many(game_of(sitting.table).start(state_at(sitting.table, 0).setup).steps)
    assert setting_up == 8

    tick(table=sitting.table, access=sitting.host, number=0, line=setting_up - 1, done=True)
    tick(table=sitting.table, access=sitting.host, number=1, line=1, done=True)

    for number, line in [(0, 8), (1, 2), (1, -1), (2, 0), (-1, 0), (10**30, 0), (1, 10**30)]:
        for done in (True, False):
            with refused("unknown"):
                tick(table=sitting.table, access=sitting.host, number=number, line=line, done=done)


def test_there_is_nothing_to_tick_before_the_game() -> None:
    sitting = sit(2)

    with refused("unknown"):
        tick(table=sitting.table, access=sitting.host, number=0, line=0, done=True)
    with refused("unknown"):
        tick_all(table=sitting.table, access=sitting.host, number=0)


def test_all_lines_of_an_entry_are_ticked_at_once() -> None:
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


def test_ticks_outlast_undo_and_redo() -> None:
    sitting = play(2, 1)
    tick(table=sitting.table, access=sitting.host, number=1, line=0, done=True)

    undo(table=sitting.table, access=sitting.host)
    redo(table=sitting.table, access=sitting.host)

    assert Tick.objects.count() == 1


def test_a_correction_is_no_work_for_hands() -> None:
    sitting = play(2)
    enter(sitting, "blue", correction())

    assert todo.how_many(map(read_step, Entry.objects.get().steps)) == 0


def test_hands_by_person() -> None:
    sitting = play(2)
    enter(sitting, *offered(sitting.table))
    steps = [read_step(step) for step in Entry.objects.get().steps]

    lines = todo.hands(game_of(sitting.table), steps, ["blue", "yellow"])
    unseated = todo.hands(game_of(sitting.table), steps, ["yellow"])

    assert [(line.number, line.hand) for line in lines] == [(0, "blue"), (1, "blue")]
    assert [line.hand for line in unseated] == [None, None]
    assert len({line.text for line in lines}) == 2

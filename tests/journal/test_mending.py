"""Mending and overruling: an earlier entry is changed or dropped, and the later ones are replayed."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command

from companion.cache import clear_all
from companion.errors import Refusal
from companion.journal import omissions
from companion.journal.marks import corrections_of, is_corrected, marks_of
from companion.journal.mending import Mended, mend, overrulable, plan, with_ruling, without_ruling
from companion.journal.omissions import left_out_of
from companion.journal.states import game_of, state_at
from companion.journal.submit import redo, tick, undo
from companion.models import Entry, Notice, Status, Table, Tick
from companion.tables import hosting
from companion.tables.documents import read_document, write_document
from companion.web.entries import notice_text
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

pytestmark = pytest.mark.django_db(transaction=True)

# In a game of nine entries, entry 3 is blue's castle. If it is changed to another tile elsewhere, neither the
# march from it (4) nor yellow's tile beside it (6) is legal.
OTHER = {"type": "place", "tile": "plain", "at": [1, 2]}
CASTLE = {"type": "place", "tile": "forest-castle", "at": [0, 2]}


def mended(sitting: Sitting, number: int, action: Any, **changes: Any) -> Mended:
    table = sitting.fresh()
    entry = table.entries.get(number=number)
    fields = {"faction": entry.faction, "reason": "misplayed", "version": table.version, **changes}
    return mend(table=table, access=sitting.host, number=number, action=action, **fields)


def lines(table: Table) -> list[tuple[int, int, int | None, bool]]:
    return list(table.entries.values_list("number", "parent", "origin", "undone"))


def to_the_end(sitting: Sitting) -> Table:
    while game_of(sitting.table).prompts(state_at(sitting.table, sitting.table.head)):
        play_on(sitting, 1)
    return sitting.fresh()


# Planning


def test_plan_lists_later_entries_that_break() -> None:
    sitting = play(2, 9)
    before = rows()
    planned = plan(table=sitting.table, number=3, action=OTHER, faction="blue")
    assert planned.holds == [5, 7, 8, 9]
    assert [(broken.number, broken.why.message, broken.why.rule) for broken in planned.broken] == [
        (4, "Knights enter only on the castle you have just placed.", "5.3"),
        (6, "The tile must share a whole edge with a tile on the table.", "5.1"),
    ]
    assert planned.version == sitting.fresh().version
    assert rows() == before, "a plan changes nothing"


def test_changing_the_faction_is_refused() -> None:
    sitting = play(2, 5)
    with refused("bad-input"):
        plan(table=sitting.table, number=3, action=OTHER, faction="yellow")
    with refused("bad-input"):
        mended(sitting, 3, OTHER, faction="yellow")


@pytest.mark.parametrize("number", [0, -1, 6, 10**12, 10**30])
def test_unknown_entry_is_refused(number: int) -> None:
    sitting = play(2, 5)
    with refused("unknown"):
        plan(table=sitting.table, number=number, action=None)


def test_undone_entry_is_refused() -> None:
    sitting = play(2, 5)
    undo(table=sitting.table, access=sitting.host)
    with refused("gone"):
        plan(table=sitting.table, number=5, action=None)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ({"type": "place", "tile": "plain", "at": [9, 9]}, "illegal"),
        ({"type": "place", "tile": "plain"}, "bad-input"),
        ({"type": "nothing"}, "bad-input"),
        ([], "bad-input"),
        ({**OTHER, "rulings": {"score:final": {"result": 1, "reason": "x"}}}, "bad-input"),
        (CASTLE, "nothing"),
    ],
)
def test_illegal_or_unchanged_action_is_refused(action: Any, code: str) -> None:
    sitting = play(2, 9)
    with refused(code):
        plan(table=sitting.table, number=3, action=action)
    with refused(code):
        mended(sitting, 3, action)


# Mending


def test_legal_later_entries_are_appended_again() -> None:
    sitting = play(2, 9)
    old = {entry.number: entry for entry in sitting.table.entries.all()}
    version = sitting.fresh().version
    answer = mended(sitting, 3, OTHER)
    table = sitting.fresh()
    assert answer == Mended(version=version + 1, number=10, dropped=[4, 6])
    assert (table.version, table.head, table.latest) == (version + 1, 14, 14)
    assert lines(table) == [
        (1, 0, None, False),
        (2, 1, None, False),
        *((number, number - 1, None, True) for number in range(3, 10)),
        *((10, 2, 3, False), (11, 10, 5, False), (12, 11, 7, False), (13, 12, 8, False), (14, 13, 9, False)),
    ]
    for entry in table.entries.filter(number__gte=10):
        was = old[entry.origin or 0]
        assert (entry.faction, entry.created_at, entry.seat, entry.version) == (
            was.faction,
            was.created_at,
            was.seat,
            version + 1,
        )
        assert entry.mended_at is not None
        assert entry.reason == ("misplayed" if entry.number == 10 else "")
    assert marks_of(table.entries.get(number=10)) == ["mended"]
    assert [entry.number for entry in corrections_of(table)] == [10]
    assert [notice_text(notice) for notice in Notice.objects.filter(table=table)] == [
        "Entry 3 was changed afterwards. We misplayed.",
        "After that change these entries no longer held: 4, 6.",
    ]
    assert_sound(table)


def test_state_equals_that_of_a_game_played_with_the_change() -> None:
    sitting = play(2, 9)
    mended(sitting, 3, OTHER)
    table = sitting.fresh()
    game, state = game_of(table), state_at(table, 0)
    for entry in table.entries.filter(undone=False):
        state = game.apply(state, game.read_action(entry.action, entry.faction)).state
    assert state_at(table, table.head) == state
    clear_all()
    assert state_at(table, table.head) == state


def test_commands_find_no_errors_after_mends(capsys: pytest.CaptureFixture[str]) -> None:
    sitting = play(2, 9)
    mended(sitting, 3, OTHER)
    mended(sitting, 12, None)
    before = rows()
    call_command("check_journals")
    call_command("rebuild_mirror")
    assert capsys.readouterr().out == "Tables: 1, rebuilt: 0.\n"
    assert rows() == before


def test_entry_is_dropped() -> None:
    sitting = play(2, 9)
    answer = mended(sitting, 6, None, reason="house-rule")
    table = sitting.fresh()
    assert (answer.number, answer.dropped) == (6, [])
    assert lines(table)[-3:] == [(10, 5, 7, False), (11, 10, 8, False), (12, 11, 9, False)]
    assert corrections_of(table) == []
    notice = Notice.objects.get(table=table)
    assert notice_text(notice) == "Entry 6 was left out afterwards. House rule."
    assert_sound(table)


def test_dropped_last_entry_is_restored_by_redo() -> None:
    sitting = play(2, 9)
    assert mended(sitting, 9, None).number == 9
    table = sitting.fresh()
    assert (table.head, table.latest) == (8, 9)
    assert_sound(table)
    redo(table=table, access=sitting.host)
    assert sitting.fresh().head == 9
    assert_sound(table)


def test_all_later_entries_may_be_dropped() -> None:
    sitting = play(2, 9)
    assert mended(sitting, 2, None).dropped == [3, 4, 5, 6, 7, 8, 9]
    assert sitting.fresh().head == 1
    assert_sound(sitting.table)


def test_mended_entry_can_be_mended_again() -> None:
    sitting = play(2, 9)
    mended(sitting, 6, {"type": "place", "tile": "mountain", "at": [-1, 2]}, reason="own words")
    mended(sitting, 3, {**CASTLE, "tile": "plain-castle"}, reason="miscounted")
    table = sitting.fresh()
    counting = table.entries.filter(undone=False)
    # Entry 6 became 10, then 17; it keeps its reason and its chain of origins.
    assert [(e.number, e.origin, e.reason) for e in counting if e.reason] == [
        (14, 3, "miscounted"),
        (17, 10, "own words"),
    ]
    assert table.entries.get(number=10).origin == 6
    assert_sound(table)


def test_undo_and_redo_work_after_a_mend() -> None:
    sitting = play(2, 9)
    mended(sitting, 3, OTHER)
    table = sitting.fresh()
    for _ in range(5):
        undo(table=table, access=sitting.host)
    assert table.head == 2
    for number in (10, 11, 12, 13, 14):
        assert redo(table=table, access=sitting.host).number == number
    assert_sound(table)


def test_ticks_are_copied_to_entries_with_unchanged_steps() -> None:
    sitting = play(2, 9)
    for number in (3, 7):
        tick(table=sitting.table, access=sitting.host, number=number, line=0, done=True)
    mended(sitting, 3, OTHER)
    ticks = Tick.objects.filter(table=sitting.table).values_list("number", "line")
    assert sorted(ticks) == [(3, 0), (7, 0), (12, 0)]


def test_correction_can_be_mended() -> None:
    sitting = play(2, 5)
    enter(sitting, "blue", correction(2))
    mended(sitting, 6, correction(3), reason="miscounted")
    entry = sitting.fresh().entries.get(number=7)
    assert marks_of(entry) == ["correction", "mended"]
    assert_sound(sitting.table)


def test_mending_the_last_entry_reopens_a_finished_game() -> None:
    sitting = play(2)
    table = to_the_end(sitting)
    last = table.head
    assert (table.status, table.ended_at is None) == (Status.FINISHED, False)
    mended(sitting, last, None)
    table = sitting.fresh()
    assert (table.status, table.ended_at, table.winners) == (Status.PLAYING, None, [])
    redo(table=table, access=sitting.host)
    assert sitting.fresh().status == Status.FINISHED
    assert_sound(table)


# Dropped entries


def dropped(table: Table) -> list[tuple[int, int, str, str | None]]:
    return [(o.entry.number, o.mended, o.reason, o.why and o.why.message) for o in left_out_of(table)]


NO_CASTLE = "Knights enter only on the castle you have just placed."
NO_NEIGHBOUR = "The tile must share a whole edge with a tile on the table."


def test_entries_dropped_by_a_change_are_listed_with_refusals() -> None:
    sitting = play(2, 9)
    planned = plan(table=sitting.fresh(), number=3, action=OTHER)
    mended(sitting, 3, OTHER)
    table = sitting.fresh()
    clear_all()
    assert dropped(table) == [(4, 3, "misplayed", NO_CASTLE), (6, 3, "misplayed", NO_NEIGHBOUR)]
    for left_out, broken in zip(left_out_of(table), planned.broken, strict=True):
        assert left_out.why is not None
        assert (left_out.why.message, left_out.why.rule) == (broken.why.message, broken.why.rule)
        assert not left_out.on_purpose
        assert left_out.at == Notice.objects.get(table=table, code="no-longer-held").created_at


def test_entry_dropped_on_purpose_is_listed_with_its_reason() -> None:
    sitting = play(2, 9)
    assert dropped(sitting.table) == []
    mended(sitting, 6, None, reason="house-rule")
    assert dropped(sitting.fresh()) == [(6, 6, "house-rule", None)]
    assert left_out_of(sitting.fresh())[0].on_purpose


def test_entries_broken_by_a_drop_are_listed() -> None:
    sitting = play(2, 9)
    planned = plan(table=sitting.fresh(), number=2, action=None)
    mended(sitting, 2, None, reason="a dream")
    assert dropped(sitting.fresh()) == [
        (2, 2, "a dream", None),
        *((broken.number, 2, "a dream", broken.why.message) for broken in planned.broken),
    ]


def test_dropped_entries_are_attributed_to_their_mend() -> None:
    sitting = play(2, 9)
    mended(sitting, 3, OTHER)
    mended(sitting, 12, None, reason="house-rule")  # was 7
    table = sitting.fresh()
    before = dropped(table)
    assert before[:2] == [(4, 3, "misplayed", NO_CASTLE), (6, 3, "misplayed", NO_NEIGHBOUR)]
    assert before[2] == (12, 12, "house-rule", None)
    undo(table=table, access=sitting.host)
    assert dropped(sitting.fresh()) == before, "an undone entry was not dropped"


def test_restored_and_rewritten_entries_are_not_listed() -> None:
    sitting = play(2, 9)
    mended(sitting, 9, None)
    redo(table=sitting.fresh(), access=sitting.host)
    assert dropped(sitting.fresh()) == []
    mended(sitting, 6, {"type": "place", "tile": "mountain", "at": [-1, 2]})
    table = sitting.fresh()
    assert table.entries.filter(origin=9, undone=False).exists()
    assert 9 not in [number for number, *_ in dropped(table)]


def test_refusal_is_unknown_if_the_rules_have_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal cannot be computed, but the entries are still listed."""
    sitting = play(2, 9)
    mended(sitting, 3, OTHER)
    table = sitting.fresh()

    def fail(*_args: Any) -> Any:
        raise Refusal("gone", "The rules have changed since then.")

    monkeypatch.setattr(omissions, "state_at", fail)
    assert dropped(table) == [(4, 3, "misplayed", None), (6, 3, "misplayed", None)]


def test_refusal_of_a_hidden_entry_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = play(2, 9)
    mended(sitting, 3, OTHER)
    kinds = {kind.type: kind for kind in game_of(sitting.table).actions}
    monkeypatch.setattr(kinds["place"], "hidden", True)
    assert dropped(sitting.fresh()) == [(4, 3, "misplayed", NO_CASTLE), (6, 3, "misplayed", None)]


@pytest.mark.parametrize("numbers", ["", "none", "99", "9" * 5000, "-1, 2"])
def test_imported_notices_with_bad_numbers_are_ignored(numbers: str) -> None:
    document = write_document(play(2, 5).table)
    now = document["created_at"]
    document["notices"] = [
        {"code": "no-longer-held", "params": {"numbers": numbers, "version": numbers}, "at": now},
        {"code": "left-out", "params": {"number": numbers, "reason": "x"}, "at": now},
    ]
    opened = read_document(document)
    assert left_out_of(opened.table) == []
    sitting = Sitting(opened.table, opened.host_token, {})
    assert mended(sitting, 5, None).dropped == []


def test_document_preserves_dropped_entries() -> None:
    sitting = play(2, 9)
    mended(sitting, 3, OTHER)
    opened = read_document(write_document(sitting.fresh()))
    assert dropped(opened.table) == dropped(sitting.fresh())


# Permissions and conditions


def test_any_seat_may_mend_and_strangers_are_refused() -> None:
    sitting, other = play(2, 9), play(2)
    table = sitting.fresh()
    fields: dict[str, Any] = {
        "number": 6,
        "action": None,
        "faction": None,
        "reason": "x",
        "version": table.version,
    }
    with refused("foreign-token"):
        mend(table=table, access=type(other.host)(is_stranger=True), **fields)
    with refused("no-token"):
        mend(table=table, access=type(other.host)(), **fields)
    mend(table=table, access=sitting.access("blue"), **fields)


def test_mend_of_an_old_version_is_refused() -> None:
    sitting = play(2, 9)
    version = sitting.fresh().version
    undo(table=sitting.table, access=sitting.host)
    with refused("gone"):
        mended(sitting, 6, None, version=version)


@pytest.mark.parametrize("reason", ["", "  ", "x" * 201, "\0"])
def test_invalid_reason_is_refused(reason: str) -> None:
    sitting = play(2, 9)
    with refused("bad-input"):
        mended(sitting, 6, None, reason=reason)


def test_mend_before_start_or_after_end_is_refused() -> None:
    sitting, lobby = play(2, 9), sit(2)
    hosting.finish(table=sitting.table, access=sitting.host)
    for table in (sitting.table, lobby.table):
        with refused("illegal"):
            plan(table=table, number=6, action=None)
    with refused("illegal"):
        mended(sitting, 6, None)


def test_repeated_mend_with_same_key_counts_once() -> None:
    sitting = play(2, 9)
    version = sitting.fresh().version
    first = mended(sitting, 3, OTHER, key="k", version=version)
    assert mended(sitting, 3, OTHER, key="k", version=version) == first
    assert sitting.fresh().latest == 14
    with refused("key"):
        mended(sitting, 3, None, key="k", version=version, faction="blue")


# Overruling


def test_ruling_changes_a_result_and_can_be_removed() -> None:
    sitting = play(2)
    table = to_the_end(sitting)
    last = table.entries.get(number=table.head)
    (step,) = overrulable(last)
    assert step.key == "score:final"
    points = {faction: i for i, faction in enumerate(step.result)}
    mended(sitting, last.number, with_ruling(last, step.key, points, "house-rule"), reason="house-rule")
    table = sitting.fresh()
    assert table.winners == ["yellow"]
    entry = table.entries.get(number=table.head)
    assert marks_of(entry) == ["mended", "overruled"]
    Entry.objects.filter(pk=entry.pk).update(reason="")
    assert is_corrected(table), "a ruling alone is a correction"
    Entry.objects.filter(pk=entry.pk).update(reason=entry.reason)
    (step,) = overrulable(entry)
    assert (step.result, step.ruling) == (points, "house-rule")
    assert_sound(table)
    mended(sitting, entry.number, without_ruling(entry, "score:final"), reason="misplayed")
    again = sitting.fresh()
    entry = again.entries.get(number=again.head)
    assert (entry.action, overrulable(entry)[0].ruling) == (last.action, None)
    assert_sound(again)


def test_impossible_ruling_is_refused() -> None:
    sitting = play(2)
    table = to_the_end(sitting)
    last = table.entries.get(number=table.head)
    for result in ({"blue": 1}, 7, {"blue": -1, "yellow": 0}):
        with refused("bad-input"):
            mended(sitting, last.number, with_ruling(last, "score:final", result, "house-rule"))


# Documents


def test_mended_game_survives_export_and_import() -> None:
    sitting = play(2, 9)
    mended(sitting, 3, OTHER)
    enter(sitting, *offered(sitting.fresh()))
    document = write_document(sitting.fresh())
    opened = read_document(document)
    assert write_document(opened.table) == document
    fields = ("number", "parent", "origin", "mended_at", "reason", "version", "undone")
    assert list(opened.table.entries.values(*fields)) == list(sitting.table.entries.values(*fields))
    assert_sound(opened.table)


def test_document_without_mend_fields_is_imported() -> None:
    document = write_document(play(2, 5).table)
    for line in document["entries"]:
        del line["origin"], line["mended_at"], line["reason"]
    assert Entry.objects.filter(table=read_document(document).table, origin=None, reason="").count() == 5


@pytest.mark.parametrize(
    ("number", "fields"),
    [
        (10, {"origin": None}),
        (10, {"mended_at": None}),
        (10, {"mended_at": "yesterday"}),
        (10, {"origin": 2}),  # an entry that counts
        (10, {"origin": 6}),  # an entry of another faction
        (10, {"origin": 10}),
        (10, {"origin": 99}),
        (10, {"reason": " "}),
        (10, {"reason": "x" * 201}),
        (10, {"version": 1}),
        (5, {"reason": "misplayed"}),
        (5, {"version": 6}),
        (5, {"origin": 3}),
    ],
)
def test_document_with_inconsistent_mends_is_refused(number: int, fields: dict[str, Any]) -> None:
    sitting = play(2, 9)
    mended(sitting, 3, OTHER)
    document = write_document(sitting.fresh())
    document["entries"][number - 1].update(fields)
    with refused("bad-input"):
        read_document(document)

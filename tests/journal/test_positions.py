"""A game goes on from what lies on the table: entered by people, or after the rules have changed."""

from __future__ import annotations

import copy
import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from companion.cache import clear_all
from companion.journal.integrity import Unfoldable, examine, go_on, rebuild_mirror
from companion.journal.states import course_of, game_of, path_of, state_at
from companion.journal.submit import back_to, redo, undo
from companion.models import Entry, Holding, Standing, Table
from companion.tables.documents import read_document, write_document
from companion.tables.hosting import finish
from games.core.errors import Illegal
from games.core.messages import say
from games.raubritter import setup as chapter
from games.raubritter import turn
from tests.tables.sitting import Sitting, assert_sound, enter, play, play_on, refused, rows

pytestmark = pytest.mark.django_db(transaction=True)  # with what is kept committed, or forgotten

LAND = (
    ("blue", "plain-castle", "cell:0,0", 1),
    ("yellow", "knight", "cell:0,0", 1),
    ("blue", "knight", "cell:0,0", 2),
    ("yellow", "plain", "cell:1,0", 1),
)


def position(*lines: tuple[str, str, str, int], **changes: Any) -> dict[str, Any]:
    names = ("owner", "piece", "place", "count")
    holdings = [dict(zip(names, line, strict=True)) for line in lines]
    fields = {"round": 3, "phase": "turn", "order": ["yellow", "blue"], "turn": "blue"}
    return {"type": "position", **fields, "holdings": holdings, **changes}


def cold(sitting: Sitting) -> Table:
    """The table as another process meets it."""
    clear_all()
    return sitting.fresh()


def unchanged_state(sitting: Sitting) -> Any:
    table = sitting.fresh()
    return game_of(table).state_json(state_at(table, table.head))


# Entered by people


def test_a_position_stands_alone_but_for_what_was_agreed_on() -> None:
    sitting = play(2, 4)
    enter(sitting, "blue", {"type": "option", "name": "must_move", "value": True})
    enter(sitting, "blue", position(*LAND))
    warm = unchanged_state(sitting)
    table = cold(sitting)
    assert game_of(table).state_json(state_at(table, table.head)) == warm
    assert warm["setup"]["options"]["must_move"] is True
    assert_sound(table)


@pytest.mark.parametrize("back", [1, 2])
def test_undoing_a_position_brings_the_rounds_back_that_it_put_away(back: int) -> None:
    sitting = play(2, 40)
    before = list(Standing.objects.values_list("round", "faction", "points"))
    enter(sitting, "blue", position(*LAND, round=2))
    assert {row.round for row in Standing.objects.all()} == {0, 1, 2}
    assert_sound(sitting.table)
    if back == 1:
        undo(table=sitting.table, access=sitting.host)
    else:
        play_on(sitting, 1)
        back_to(table=sitting.table, access=sitting.host, number=40)
    assert list(Standing.objects.values_list("round", "faction", "points")) == before
    assert_sound(sitting.table)
    redo(table=sitting.table, access=sitting.host)
    assert_sound(sitting.table)


# After the rules have changed


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> Sitting:
    """A game whose set-up the rules refuse by now: entries 1 to 12 do not fold."""
    sitting = play(2, 12)
    while state_at(sitting.table, sitting.table.head).frames[-1].phase != "turn":
        play_on(sitting, 1)
    rules(monkeypatch)
    clear_all()
    return sitting


def rules(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise Illegal(say("not-a-rectangle"), rule="3")

    monkeypatch.setattr(chapter, "_refuse_lay", refuse)


def test_a_journal_that_no_longer_folds_goes_on_from_a_position(changed: Sitting) -> None:
    table = changed.table
    held = sorted(Holding.objects.values_list("owner", "piece", "place", "count"))
    scored = sorted(Standing.objects.values_list("round", "faction", "points"))
    assert "entry 1 (rules 1) is refused" in str(examine(table=table))
    with pytest.raises(Unfoldable):
        rebuild_mirror(table=table)

    number = go_on(table=table)

    assert sorted(Holding.objects.values_list("owner", "piece", "place", "count")) == held
    assert sorted(Standing.objects.values_list("round", "faction", "points")) == scored
    assert path_of(table)[-1] == number
    assert [at for at, _state in course_of(table)] == [number]
    assert_sound(cold(changed))
    play_on(changed, 3)
    assert_sound(cold(changed))
    assert rebuild_mirror(table=changed.table) is False
    Standing.objects.filter(round=table.round).delete()
    assert rebuild_mirror(table=changed.table) is True
    assert_sound(changed.table)


def test_stacks_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mirror does not know what lies on top; the stored moves do."""
    sitting = play(2, 4)
    enter(sitting, "blue", position(*LAND))
    correct = {"type": "correct", "owner": "yellow", "piece": "knight", "place": "cell:0,0", "reason": "seen"}
    enter(sitting, "blue", {**correct, "count": 2})
    place = {"type": "place", "tile": "plain-town", "at": [2, 0]}
    enter(sitting, "blue", place)
    before = state_at(sitting.table, sitting.table.head).ledger

    def refuse(*_: Any) -> None:
        raise Illegal(say("no-edge"), rule="5.1")

    monkeypatch.setattr(turn, "refuse_cell", refuse)
    clear_all()
    table = sitting.fresh()
    number = go_on(table=table)
    after = state_at(table, number).ledger
    assert after.pile("cell:0,0") == before.pile("cell:0,0")
    assert [owner for owner, _ in after.pile("cell:0,0")] == ["blue", "yellow", "blue", "blue", "yellow"]
    assert_sound(cold(sitting))


def test_without_the_moves_the_mirror_alone_must_do(changed: Sitting) -> None:
    Entry.objects.filter(number=1).update(steps=[])
    go_on(table=changed.table)
    assert_sound(cold(changed))


def test_what_does_not_fold_cannot_be_gone_back_to(changed: Sitting, client: Client) -> None:
    with refused("gone"):
        undo(table=changed.table, access=changed.host)
    assert client.get(f"/t/{changed.table.code}/").status_code == 409
    go_on(table=changed.table)
    with refused("gone"):
        undo(table=changed.table, access=changed.host)
    with refused("gone"):
        back_to(table=changed.table, access=changed.host, number=3)
    assert client.get(f"/t/{changed.table.code}/").status_code == 200
    moment = client.get(f"/t/{changed.table.code}/replay/?at=3")
    assert moment.status_code == 409
    assert "The rules have changed since then" in moment.content.decode()
    assert client.get(f"/api/tables/{changed.table.code}/state/?at=3").status_code == 409


def test_a_table_that_folds_needs_no_position() -> None:
    sitting = play(2, 5)
    with refused("nothing"):
        go_on(table=sitting.table)


def test_a_game_that_was_ended_by_hand_stays_ended(changed: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    finish(table=changed.table, access=changed.host)
    rules(monkeypatch)
    clear_all()
    go_on(table=changed.table)
    assert changed.fresh().status == "finished"
    assert_sound(cold(changed))


# As a document


@pytest.fixture
def gone_on(changed: Sitting) -> Sitting:
    go_on(table=changed.table)
    play_on(changed, 12)
    return changed


def test_a_document_of_a_game_that_goes_on_from_a_position_is_read_back(
    gone_on: Sitting, client: Client
) -> None:
    document = write_document(gone_on.fresh())
    assert document["standings"], "what was scored before the position cannot be worked out"
    opened = read_document(json.loads(json.dumps(document)))
    assert write_document(opened.table) == document
    both = [
        list(Standing.objects.filter(table=table).values_list("round", "faction", "points", "parts"))
        for table in (gone_on.table, opened.table)
    ]
    assert both[0] == both[1]
    clear_all()
    assert_sound(Table.objects.get(pk=opened.table.pk))
    for part, status in (("", 200), ("replay/", 200), ("replay/?at=3", 409), ("report/", 200)):
        assert client.get(f"/t/{opened.table.code}/{part}").status_code == status, part
    journals = [client.get(f"/api/tables/{t.code}/journal/").json() for t in (gone_on.table, opened.table)]
    assert journals[0] == journals[1]


def told(**step: Any) -> list[dict[str, Any]]:
    return [{"rule": "3", "message": {"code": "won", "params": {}}, **step}]


def endless(deep: int) -> dict[str, Any]:
    (step,) = told(message={"code": "core.turn", "params": {}})
    return {**step, "steps": [endless(deep - 1)]} if deep else step


def said(**params: Any) -> dict[str, Any]:
    return {"code": "won", "params": params}


MOVE = {"owner": "blue", "piece": "knight", "source": "supply", "target": "cell:0,0", "count": 1}


UNTOLD: list[Any] = [
    None,
    [],
    ["fly"],
    told(moon=1),
    told(),  # without what its sentence needs
    told(message=said(faction={"name": ["faction", 7]}, count=1)),
    told(message=said(faction="Blue", count={"fraction": "1e999999"})),
    told(message=said(faction="Blue", count={"fraction": "1/0"})),
    told(message=said(faction="Blue", count=1.5)),
    told(message=said(faction="Blue", count=10**9)),
    told(moves=[{**MOVE, "count": "1"}]),
    told(moves=[{**MOVE, "target": "cell:far"}]),
    [endless(40)],
]


def test_what_no_longer_folds_must_still_be_told(gone_on: Sitting) -> None:
    document = write_document(gone_on.fresh())
    for steps in UNTOLD:
        document["entries"][1]["steps"] = steps
        with refused("bad-input"):
            read_document(document)


UNSCORED: list[dict[str, Any]] = [
    {"faction": "red"},
    {"round": 99},
    {"points": "1000000"},
    {"parts": {"castles": "1/3/4"}},
    {"round": 1, "faction": "yellow"},  # twice
]


def test_points_that_nobody_can_have_scored(gone_on: Sitting) -> None:
    document = write_document(gone_on.fresh())
    at = [(line["round"], line["faction"]) for line in document["standings"]].index((1, "blue"))
    for fields in UNSCORED:
        changed = copy.deepcopy(document)
        changed["standings"][at].update(fields)
        with refused("bad-input"):
            read_document(changed)


def test_points_are_not_told_where_they_can_be_worked_out() -> None:
    document = write_document(play(2, 20).fresh())
    assert document["standings"] == []
    document["standings"] = [{"round": 0, "faction": "blue", "points": "7", "parts": {}}]
    with refused("bad-input"):
        read_document(document)


# The command


def run(*arguments: str) -> str:
    output = StringIO()
    call_command("fold", *arguments, stdout=output)
    return output.getvalue()


def test_the_command(changed: Sitting) -> None:
    code = changed.table.code
    with pytest.raises(CommandError, match="1 of 1 tables differ"):
        run(code)
    assert run("--go-on", code.lower()) == f"{code}: goes on from entry {changed.fresh().latest}.\n"
    assert run() == ""
    with pytest.raises(CommandError, match="it needs no position"):
        run("--go-on", code)


def test_the_command_says_in_which_phase_a_game_can_be_taken_up(changed: Sitting) -> None:
    code = changed.table.code
    Table.objects.update(phase="knights")
    before = rows()
    with pytest.raises(CommandError, match="cannot be taken up in phase “knights”; it can in turn"):
        run("--go-on", code)
    assert rows() == before
    run("--go-on", code, "--phase", "turn")
    assert run() == ""


def test_the_command_with_a_code_that_is_none() -> None:
    with pytest.raises(CommandError, match="There is no table with this code"):
        run("--go-on", "CCCCCC")

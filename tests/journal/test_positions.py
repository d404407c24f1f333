"""Positions: entered by players, or used to resume a game after a change of the rules."""

from __future__ import annotations

import copy
import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from companion.cache import clear_all
from companion.journal.integrity import Unfoldable, examine, rebuild_mirror, resume_from_position
from companion.journal.states import course_of, game_of, path_of, state_at
from companion.journal.submit import back_to, redo, undo
from companion.models import Entry, Holding, Standing, Table
from companion.tables.documents import read_document, write_document
from companion.tables.hosting import finish
from games.core.errors import Illegal
from games.core.messages import say
from games.raubritter import setup as raubritter_setup
from games.raubritter import turn
from tests.tables.sitting import Sitting, assert_sound, enter, play, play_on, refused, rows

pytestmark = pytest.mark.django_db(transaction=True)  # real commits, so that the cache can be cleared

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
    """Return the table with empty caches, as in another process."""
    clear_all()
    return sitting.fresh()


def state_json(sitting: Sitting) -> Any:
    table = sitting.fresh()
    return game_of(table).state_json(state_at(table, table.head))


# Entered by players


def test_position_keeps_only_agreed_options() -> None:
    sitting = play(2, 4)
    enter(sitting, "blue", {"type": "option", "name": "must_move", "value": True})
    enter(sitting, "blue", position(*LAND))
    warm = state_json(sitting)
    table = cold(sitting)
    assert game_of(table).state_json(state_at(table, table.head)) == warm
    assert warm["setup"]["options"]["must_move"] is True
    assert_sound(table)


@pytest.mark.parametrize("back", [1, 2])
def test_undoing_a_position_restores_standings_of_later_rounds(back: int) -> None:
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


# After a change of the rules


@pytest.fixture
def unfoldable(monkeypatch: pytest.MonkeyPatch) -> Sitting:
    """A game whose set-up is refused by the current rules, so that its journal does not fold."""
    sitting = play(2, 12)
    while state_at(sitting.table, sitting.table.head).frames[-1].phase != "turn":
        play_on(sitting, 1)
    change_rules(monkeypatch)
    clear_all()
    return sitting


def change_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise Illegal(say("not-a-rectangle"), rule="3")

    monkeypatch.setattr(raubritter_setup, "_refuse_lay", refuse)


def test_unfoldable_journal_is_resumed_from_a_position(unfoldable: Sitting) -> None:
    table = unfoldable.table
    holdings = sorted(Holding.objects.values_list("owner", "piece", "place", "count"))
    standings = sorted(Standing.objects.values_list("round", "faction", "points"))
    assert "entry 1 (rules 1) is refused" in str(examine(table=table))
    with pytest.raises(Unfoldable):
        rebuild_mirror(table=table)

    number = resume_from_position(table=table)

    assert sorted(Holding.objects.values_list("owner", "piece", "place", "count")) == holdings
    assert sorted(Standing.objects.values_list("round", "faction", "points")) == standings
    assert path_of(table)[-1] == number
    assert [at for at, _state in course_of(table)] == [number]
    assert_sound(cold(unfoldable))
    play_on(unfoldable, 3)
    assert_sound(cold(unfoldable))
    assert rebuild_mirror(table=unfoldable.table) is False
    Standing.objects.filter(round=table.round).delete()
    assert rebuild_mirror(table=unfoldable.table) is True
    assert_sound(unfoldable.table)


def test_resuming_keeps_the_order_of_piles(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mirror does not store the order of a pile; the stored moves do."""
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
    number = resume_from_position(table=table)
    after = state_at(table, number).ledger
    assert after.pile("cell:0,0") == before.pile("cell:0,0")
    assert [owner for owner, _ in after.pile("cell:0,0")] == ["blue", "yellow", "blue", "blue", "yellow"]
    assert_sound(cold(sitting))


def test_resuming_without_stored_moves_uses_the_mirror(unfoldable: Sitting) -> None:
    Entry.objects.filter(number=1).update(steps=[])
    resume_from_position(table=unfoldable.table)
    assert_sound(cold(unfoldable))


def test_undo_to_an_unfoldable_entry_is_refused(unfoldable: Sitting, client: Client) -> None:
    with refused("gone"):
        undo(table=unfoldable.table, access=unfoldable.host)
    assert client.get(f"/t/{unfoldable.table.code}/").status_code == 409
    resume_from_position(table=unfoldable.table)
    with refused("gone"):
        undo(table=unfoldable.table, access=unfoldable.host)
    with refused("gone"):
        back_to(table=unfoldable.table, access=unfoldable.host, number=3)
    assert client.get(f"/t/{unfoldable.table.code}/").status_code == 200
    moment = client.get(f"/t/{unfoldable.table.code}/replay/?at=3")
    assert moment.status_code == 409
    assert "The rules have changed since then" in moment.content.decode()
    assert client.get(f"/api/tables/{unfoldable.table.code}/state/?at=3").status_code == 409


def test_resuming_a_foldable_table_is_refused() -> None:
    sitting = play(2, 5)
    with refused("nothing"):
        resume_from_position(table=sitting.table)


def test_resuming_keeps_a_game_ended_by_the_host_ended(
    unfoldable: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    finish(table=unfoldable.table, access=unfoldable.host)
    change_rules(monkeypatch)
    clear_all()
    resume_from_position(table=unfoldable.table)
    assert unfoldable.fresh().status == "finished"
    assert_sound(cold(unfoldable))


# Documents


@pytest.fixture
def resumed(unfoldable: Sitting) -> Sitting:
    resume_from_position(table=unfoldable.table)
    play_on(unfoldable, 12)
    return unfoldable


def test_resumed_game_survives_export_and_import(resumed: Sitting, client: Client) -> None:
    document = write_document(resumed.fresh())
    assert document["standings"], "standings before the position cannot be computed"
    opened = read_document(json.loads(json.dumps(document)))
    assert write_document(opened.table) == document
    both = [
        list(Standing.objects.filter(table=table).values_list("round", "faction", "points", "parts"))
        for table in (resumed.table, opened.table)
    ]
    assert both[0] == both[1]
    clear_all()
    assert_sound(Table.objects.get(pk=opened.table.pk))
    for part, status in (("", 200), ("replay/", 200), ("replay/?at=3", 409), ("report/", 200)):
        assert client.get(f"/t/{opened.table.code}/{part}").status_code == status, part
    journals = [client.get(f"/api/tables/{t.code}/journal/").json() for t in (resumed.table, opened.table)]
    assert journals[0] == journals[1]


def steps_with(**step: Any) -> list[dict[str, Any]]:
    return [{"rule": "3", "message": {"code": "won", "params": {}}, **step}]


def nested(depth: int) -> dict[str, Any]:
    (step,) = steps_with(message={"code": "core.turn", "params": {}})
    return {**step, "steps": [nested(depth - 1)]} if depth else step


def message(**params: Any) -> dict[str, Any]:
    return {"code": "won", "params": params}


MOVE = {"owner": "blue", "piece": "knight", "source": "supply", "target": "cell:0,0", "count": 1}


BAD_STEPS: list[Any] = [
    None,
    [],
    ["fly"],
    steps_with(moon=1),
    steps_with(),  # without the parameters of its message
    steps_with(message=message(faction={"name": ["faction", 7]}, count=1)),
    steps_with(message=message(faction="Blue", count={"fraction": "1e999999"})),
    steps_with(message=message(faction="Blue", count={"fraction": "1/0"})),
    steps_with(message=message(faction="Blue", count=1.5)),
    steps_with(message=message(faction="Blue", count=10**9)),
    steps_with(moves=[{**MOVE, "count": "1"}]),
    steps_with(moves=[{**MOVE, "target": "cell:far"}]),
    [nested(40)],
]


def test_document_with_bad_steps_of_unfoldable_entries_is_refused(resumed: Sitting) -> None:
    document = write_document(resumed.fresh())
    for steps in BAD_STEPS:
        document["entries"][1]["steps"] = steps
        with refused("bad-input"):
            read_document(document)


BAD_STANDINGS: list[dict[str, Any]] = [
    {"faction": "red"},
    {"round": 99},
    {"points": "1000000"},
    {"parts": {"castles": "1/3/4"}},
    {"round": 1, "faction": "yellow"},  # a duplicate
]


def test_document_with_impossible_standings_is_refused(resumed: Sitting) -> None:
    document = write_document(resumed.fresh())
    at = [(line["round"], line["faction"]) for line in document["standings"]].index((1, "blue"))
    for fields in BAD_STANDINGS:
        bad_document = copy.deepcopy(document)
        bad_document["standings"][at].update(fields)
        with refused("bad-input"):
            read_document(bad_document)


def test_document_with_redundant_standings_is_refused() -> None:
    document = write_document(play(2, 20).fresh())
    assert document["standings"] == []
    document["standings"] = [{"round": 0, "faction": "blue", "points": "7", "parts": {}}]
    with refused("bad-input"):
        read_document(document)


# The command


def run(*arguments: str) -> str:
    output = StringIO()
    call_command("check_journals", *arguments, stdout=output)
    return output.getvalue()


def test_check_journals_reports_and_resumes(unfoldable: Sitting) -> None:
    code = unfoldable.table.code
    with pytest.raises(CommandError, match="1 of 1 tables differ"):
        run(code)
    assert run("--go-on", code.lower()) == f"{code}: goes on from entry {unfoldable.fresh().latest}.\n"
    assert run() == ""
    with pytest.raises(CommandError, match="it needs no position"):
        run("--go-on", code)


def test_check_journals_names_the_possible_phases(unfoldable: Sitting) -> None:
    code = unfoldable.table.code
    Table.objects.update(phase="knights")
    before = rows()
    with pytest.raises(CommandError, match="cannot be taken up in phase “knights”; it can in turn"):
        run("--go-on", code)
    assert rows() == before
    run("--go-on", code, "--phase", "turn")
    assert run() == ""


def test_check_journals_refuses_unknown_code() -> None:
    with pytest.raises(CommandError, match="There is no table with this code"):
        run("--go-on", "CCCCCC")

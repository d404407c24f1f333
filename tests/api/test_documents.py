"""Export of a whole game as a document, and its import."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.access.table_access import TableAccess, hash_of
from companion.errors import Refusal
from companion.journal import breaks, submit
from companion.models import Break, Holding, Seat, Table
from companion.tables import documents, hosting, seats
from tests.api.conftest import Api, AtTable, cost, open_table, refused

HOST = TableAccess(is_host=True)
CORRECT = {
    "type": "correct",
    "owner": "blue",
    "piece": "knight",
    "place": "cell:0,0",
    "count": 2,
    "reason": "Bumped.",
}


def row(table: AtTable) -> Table:
    return Table.objects.get(code=table.code)


def read_back(api: Api, document: Any) -> AtTable:
    answer = api.post("tables/import/", document)
    assert answer.status_code == 201, answer.content
    opened = answer.json()
    tokens = {seat["faction"]: seat["token"] for seat in opened["seats"]}
    return AtTable(api, opened["code"], opened["host_token"], tokens)


def assert_equal(original: AtTable, other: AtTable) -> None:
    assert original.code != other.code
    assert {**original.json(), "code": ""} == {**other.json(), "code": ""}
    entries = len(original.json("journal/"))
    moments = [f"state/?at={number}" for number in range(0, entries + 1, 5)]
    for part in ("state/", "prompts/", "journal/", "standings/", "export/", *moments):
        assert original.json(part) == other.json(part), part
    lines = [
        Holding.objects.filter(table=row(t)).values_list("owner", "piece", "place", "count")
        for t in (original, other)
    ]
    assert list(lines[0]) == list(lines[1])
    assert row(original).latest == row(other).latest
    assert (row(original).ended_at, row(original).started_at) == (row(other).ended_at, row(other).started_at)


def undone_and_corrected(table: AtTable) -> None:
    table.start()
    table.play(7)
    for _ in range(3):
        table.post("undo")
    table.post("actions", {"action": CORRECT, "faction": "yellow"})
    table.play(3)
    option = {"type": "option", "name": "must_move", "value": True, "reason": "We like it."}
    table.post("actions", {"action": option, "faction": "blue"}, token=table.tokens["blue"])
    table.post("undo")
    table.post("redo")
    table.play(2)
    table.post("undo")


def to_the_end(table: AtTable) -> None:
    undone_and_corrected(table)
    while table.json("prompts/"):
        table.play(1)


def ended_early(table: AtTable) -> None:
    undone_and_corrected(table)
    hosting.finish(table=row(table), access=HOST)


def given_up(table: AtTable) -> None:
    undone_and_corrected(table)
    hosting.abandon(table=row(table), access=HOST)


def given_up_before_it_began(table: AtTable) -> None:
    hosting.abandon(table=row(table), access=HOST)


def with_a_free_seat_and_ticks(table: AtTable) -> None:
    table.start()
    table.play(3)
    seats.free_seat(table=row(table), access=HOST, seat=Seat.objects.get(table=row(table), faction="yellow"))
    for number, line in ((0, 1), (3, 0)):
        submit.tick(table=row(table), access=HOST, number=number, line=line, done=True)
    hosting.set_locked(table=row(table), access=HOST, locked=True)


def back_at_the_start(table: AtTable) -> None:
    table.start()
    table.play(2)
    submit.back_to(table=row(table), access=HOST, number=0)


def with_breaks(table: AtTable) -> None:
    """One break ended by an entry, one by a player, one that is still on."""
    table.start()
    table.play(2)
    for _ in range(2):
        breaks.begin(table=row(table), access=HOST)
        table.play(1)
        table.post("undo")
    breaks.begin(table=row(table), access=HOST)
    breaks.end(table=row(table), access=HOST)
    breaks.begin(table=row(table), access=HOST)


GAMES: dict[str, Callable[[AtTable], None]] = {
    "not begun": lambda _table: None,
    "begun": lambda table: table.start(),
    "undone and corrected": undone_and_corrected,
    "to the end": to_the_end,
    "ended early": ended_early,
    "given up": given_up,
    "given up before it began": given_up_before_it_began,
    "with a free seat and ticks": with_a_free_seat_and_ticks,
    "back at the start": back_at_the_start,
    "with breaks": with_breaks,
}


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_imported_game_equals_the_exported_one(api: Api, game: Callable[[AtTable], None]) -> None:
    table = open_table(api, 2, options={"first_player": "yellow", "lone_knight": True})
    game(table)
    copied = read_back(api, json.loads(table.get("export/").content))
    assert_equal(table, copied)
    # The copy can be played on like the original.
    if table.json()["status"] == "playing":
        for each in (table, copied):
            each.post("redo")
            each.play(2)
            each.post("undo")
        journals = [[{**line, "at": ""} for line in each.json("journal/")] for each in (table, copied)]
        assert journals[0] == journals[1]
        assert table.json("state/") == copied.json("state/")


def test_breaks_are_imported_and_optional(api: Api) -> None:
    table = open_table(api, 2)
    with_breaks(table)
    document = table.json("export/")
    assert [bool(line["ended_at"]) for line in document["breaks"]] == [True, True, True, False]
    times = [
        list(Break.objects.filter(table=row(each)).values_list("began_at", "ended_at"))
        for each in (table, read_back(api, document))
    ]
    assert times[0] == times[1]
    del document["breaks"]
    assert not Break.objects.filter(table=row(read_back(api, document))).exists()


def test_import_makes_new_code_and_tokens_and_keeps_free_seats(api: Api) -> None:
    table = open_table(api, 2)
    with_a_free_seat_and_ticks(table)
    copied = read_back(api, table.json("export/"))
    assert set(copied.tokens) == {"blue"}
    assert copied.json()["seats"][1]["free"] is True
    assert not {table.host, *table.tokens.values()} & {copied.host, *copied.tokens.values()}
    assert row(copied).host_hash == hash_of(copied.host)
    body = copied.example()
    refused(copied.post("actions", body, token=table.host), 403, "foreign-token")
    refused(copied.post("actions", body, token=table.tokens["blue"]), 403, "foreign-token")
    assert copied.post("actions", body, token=copied.host).status_code == 201


def test_export_contains_no_tokens(table: AtTable) -> None:
    text = table.get("export/", token=table.host).content.decode()
    hashes = [row(table).host_hash, *Seat.objects.values_list("token_hash", flat=True)]
    assert not [
        secret for secret in (table.code, table.host, *table.tokens.values(), *hashes) if secret in text
    ]


def test_import_recomputes_steps(table: AtTable) -> None:
    table.play(2)
    document = table.json("export/")
    steps = table.json("journal/")[0]["steps"]
    document["entries"][0]["steps"] = [{"rule": "7", "message": {"code": "won", "params": {}}}]
    document["entries"][1].pop("steps")
    copied = read_back(table.api, document)
    assert copied.json("journal/")[0]["steps"] == steps
    assert copied.json("journal/") == table.json("journal/")


def test_export_query_count_does_not_grow_with_entries(table: AtTable) -> None:
    table.play(1)
    few = cost(table, "export/")
    table.play(20)
    assert cost(table, "export/") == few


# Invalid documents

Change = Callable[[dict[str, Any]], Any]


def put(*path: Any) -> Change:
    """Return a change that sets a value deep in a document; the last part of the path is the value."""

    def change(document: dict[str, Any]) -> None:
        *parents, last, value = path
        part: Any = document
        for key in parents:
            part = part[key]
        part[last] = value

    return change


def drop(*path: Any) -> Change:
    def change(document: dict[str, Any]) -> None:
        *parents, last = path
        part: Any = document
        for key in parents:
            part = part[key]
        del part[last]

    return change


YES = True
EIGHT, NINE = "2026-01-01T20:00:00+00:00", "2026-01-01T21:00:00+00:00"
NOT_READ: dict[str, tuple[Change, str]] = {
    "another format": (put("format", "other"), "bad-input"),
    "no format": (drop("format"), "bad-input"),
    "another game": (put("game", "chess"), "bad-input"),
    "a game that is no text": (put("game", ["raubritter"]), "bad-input"),
    "no seats": (drop("seats"), "bad-input"),
    "seats that are no list": (put("seats", {}), "bad-input"),
    "a seat that is no object": (put("seats", 0, "Alice"), "bad-input"),
    "two seats with one number": (put("seats", 1, "seat", 1), "bad-input"),
    "seats in disorder": (put("seats", 0, "seat", 9), "bad-input"),
    "seat zero": (put("seats", 0, "seat", 0), "bad-input"),
    "a seat far away": (put("seats", 1, "seat", 40_000), "bad-input"),
    "two seats with one faction": (put("seats", 1, "faction", "blue"), "bad-input"),
    "a faction that is none": (put("seats", 1, "faction", "pink"), "bad-input"),
    "a faction that is not in the set-up": (put("seats", 1, "faction", "red"), "bad-input"),
    "a name too long": (put("seats", 0, "name", "A" * 21), "bad-input"),
    "a name with hidden characters": (put("seats", 0, "name", "A\u200blice"), "bad-input"),
    "a name of blanks": (put("seats", 0, "name", "  "), "bad-input"),
    "notice with an unknown code": (
        put("notices", [{"code": "won", "params": {}, "at": "2026-01-01T20:00:00+00:00"}]),
        "bad-input",
    ),
    "notice without a name": (
        put("notices", [{"code": "seat-freed", "params": {}, "at": "2026-01-01T20:00:00+00:00"}]),
        "bad-input",
    ),
    "notice without a time": (
        put("notices", [{"code": "reopened", "params": {}, "at": "late"}]),
        "bad-input",
    ),
    "an unknown field": (put("colour", "blue"), "bad-input"),
    "an unknown status": (put("status", "paused"), "bad-input"),
    "a status that does not follow": (put("status", "finished"), "bad-input"),
    "open, but begun": (put("status", "open"), "bad-input"),
    "closed, but playing": (put("closed", YES), "bad-input"),
    "version zero": (put("version", 0), "bad-input"),
    "a version that is too small": (put("version", 3), "bad-input"),
    "a version that is no number": (put("version", "9"), "bad-input"),
    "an entry left out": (drop("entries", 1), "bad-input"),
    "a number used again": (put("entries", 1, "number", 1), "bad-input"),
    "an entry on a later one": (put("entries", 1, "parent", 3), "bad-input"),
    "an entry on itself": (put("entries", 1, "parent", 2), "bad-input"),
    "a negative parent": (put("entries", 1, "parent", -1), "bad-input"),
    "an entry that counts on one that does not": (put("entries", 1, "undone", YES), "bad-input"),
    "an entry from a seat that is not there": (put("entries", 1, "seat", 3), "bad-input"),
    "an entry by nobody": (put("entries", 1, "faction", "red"), "bad-input"),
    "an entry out of turn": (put("entries", 2, "faction", "yellow"), "illegal"),
    "an entry against the rules": (put("entries", 2, "action", "at", [7, 7]), "illegal"),
    "an entry that is none": (put("entries", 2, "action", "fly"), "bad-input"),
    "an entry of an unknown type": (put("entries", 2, "action", "type", "fly"), "bad-input"),
    "an entry without time": (drop("entries", 2, "at"), "bad-input"),
    "a time that is none": (put("entries", 2, "at", "yesterday"), "bad-input"),
    "a time without zone": (put("entries", 2, "at", "2026-11-16T12:00:00"), "bad-input"),
    "a time before time": (put("entries", 2, "at", "0001-01-01T00:00:00+14:00"), "bad-input"),
    "a beginning before time": (put("created_at", "0001-01-01T00:00:00+14:00"), "bad-input"),
    "versions that do not grow": (put("entries", 2, "version", 1), "bad-input"),
    "a tick without entry": (put("ticks", [{"number": 99, "line": 0}]), "bad-input"),
    "a tick on no line": (put("ticks", [{"number": 1, "line": 99_999}]), "bad-input"),
    "a tick twice": (put("ticks", [{"number": 1, "line": 0}] * 2), "bad-input"),
    "a break at no time": (put("breaks", [{"began_at": "late", "ended_at": None}]), "bad-input"),
    "a break without a beginning": (put("breaks", [{"ended_at": EIGHT}]), "bad-input"),
    "a break that ends at no time": (put("breaks", [{"began_at": EIGHT, "ended_at": ""}]), "bad-input"),
    "a break that ends first": (put("breaks", [{"began_at": NINE, "ended_at": EIGHT}]), "bad-input"),
    "two breaks at once": (put("breaks", [{"began_at": EIGHT, "ended_at": None}] * 2), "bad-input"),
    "no set-up": (put("setup", None), "bad-input"),
    "a set-up that is a list": (put("setup", []), "bad-input"),
    "a set-up without factions": (put("setup", "factions", []), "bad-input"),
    "a set-up with others": (put("setup", "factions", ["blue", "red"]), "bad-input"),
    "a set-up for more": (put("setup", "players", 4), "illegal"),
    "somebody else begins": (put("setup", "first", "red"), "bad-input"),
    "unknown options": (put("options", "colour", "blue"), "bad-input"),
    "unknown options in the set-up": (put("setup", "options", {"colour": "blue"}), "bad-input"),
    "figures of another game": (put("setup", "figures", {}), "bad-input"),
    "figures with unknown names": (put("setup", "figures", "letters", "A", 0, "castle"), "bad-input"),
    "figures of another kind": (put("setup", "figures", "start", "rows", "two"), "bad-input"),
    "figures without end": (put("setup", "figures", "start", "rows", 10**9), "bad-input"),
    "figures without a part": (drop("setup", "figures", "letters", "A", 0), "bad-input"),
}


@pytest.mark.parametrize(("change", "code"), NOT_READ.values(), ids=list(NOT_READ))
def test_invalid_document_is_rejected(table: AtTable, change: Change, code: str) -> None:
    table.play(4)
    document = table.json("export/")
    change(document)
    refused(table.api.post("tables/import/", document), 400, code)
    assert Table.objects.count() == 1


def test_finished_game_cannot_have_an_open_break(table: AtTable) -> None:
    table.play(4)
    hosting.finish(table=row(table), access=HOST)
    document = table.json("export/")
    document["breaks"] = [{"began_at": EIGHT, "ended_at": None}]
    refused(table.api.post("tables/import/", document), 400, "bad-input")


def test_import_error_names_the_entry(table: AtTable) -> None:
    table.play(4)
    document = table.json("export/")
    document["entries"][2]["action"]["at"] = [7, 7]
    error = refused(table.api.post("tables/import/", document), 400, "illegal")
    assert error["message"].startswith("Entry 3 is not accepted: ")
    assert error["rule"] == "5.1"


def test_document_with_too_many_entries_is_rejected(table: AtTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table.play(4)
    monkeypatch.setitem(documents.MOST, "entries", 3)
    refused(table.api.post("tables/import/", table.json("export/")), 413, "too-large")


def test_export_is_consistent_while_the_table_changes(
    table: AtTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry between two queries does not make the document inconsistent."""
    table.play(1)
    write, statuses = documents._document, []

    def write_slowly(row: Table) -> Any:
        document = write(row)
        if not statuses:
            statuses.append(table.post("actions", table.example()).status_code)
        return document

    monkeypatch.setattr(documents, "_document", write_slowly)
    document = table.json("export/")
    assert statuses == [201]
    assert (document["version"], len(document["entries"])) == (table.json()["version"], 2)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**7), 10**7) | st.floats(-1e6, 1e6) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def parts_of(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every part of a document."""
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [
        *([path] if path else []),
        *(inner for key, part in below for inner in parts_of(part, (*path, key))),
    ]


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_arbitrary_json_in_a_document_never_fails(table: AtTable, data: st.DataObject) -> None:
    """Replacing any part by any JSON is rejected with a message, or gives a table that works."""
    if not table.json("journal/"):
        undone_and_corrected_after_start(table)
    document = table.json("export/")
    for entry in document["entries"]:
        del entry["steps"]
    path = data.draw(st.sampled_from(parts_of(document)))
    changed = copy.deepcopy(document)
    put(*path, data.draw(JSON))(changed)
    answer = table.api.raw("tables/import/", json.dumps(changed).encode())
    if answer.status_code == 201:
        copied = AtTable(table.api, answer.json()["code"], answer.json()["host_token"])
        for part in ("", "state/", "prompts/", "journal/", "standings/", "export/"):
            copied.json(part)
    else:
        refused(answer, answer.status_code, answer.json()["code"])
        assert answer.status_code in (400, 413)


def undone_and_corrected_after_start(table: AtTable) -> None:
    table.play(5)
    table.post("undo")
    table.post("actions", {"action": CORRECT, "faction": "yellow"})
    table.play(2)


def test_concurrent_import_is_rejected(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """An import takes long; several at once would occupy all threads."""
    document = {"format": documents.FORMAT}

    def import_meanwhile(_document: object) -> None:
        assert api.post("tables/import/", document).status_code == 429
        raise Refusal("bad-input", "stop")

    monkeypatch.setattr(documents, "read_document", import_meanwhile)
    assert api.post("tables/import/", document).status_code == 400
    assert api.post("tables/import/", document).status_code == 400
